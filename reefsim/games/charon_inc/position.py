"""Positions from a few words, for tests of the rules and for questions about them.

>>> from reefsim.testing import legal_texts, why_not
>>> match = position(gems={0: "BBBYPC"}, hand={0: "B09A"})
>>> legal_texts(match, "build")
['build B09A hand BBBYPC']
>>> why_not(match, "build B09A row BBBYPC")
'CH-5.4: the card is not in the row'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reefsim.core.kernel import Mode, Record
from reefsim.core.match import Match
from reefsim.games.charon_inc.cards import discards as all_discards
from reefsim.games.charon_inc.cards import lay_down
from reefsim.games.charon_inc.claims import flags_on, put_flag, start_round
from reefsim.games.charon_inc.constants import (
    ALL_CARDS,
    AREAS,
    HIGHEST,
    LETTERS,
    NONE,
    NUM_AREAS,
    NUM_REGIONS,
    P_A1,
    P_A3,
    P_BUILD,
    P_EXCHANGE,
    P_KEEP,
    P_PLACE,
    P_ROW,
    REGIONS,
)
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.gems import read_gems
from reefsim.games.charon_inc.invariants import check_state
from reefsim.games.charon_inc.render import flags_at
from reefsim.games.charon_inc.ruleset import CharonIncRuleset
from reefsim.games.charon_inc.state import RULES, STATE

PHASES = {
    "row": P_ROW,
    "place": P_PLACE,
    "a1": P_A1,
    "a3": P_A3,
    "build": P_BUILD,
    "keep": P_KEEP,
    "exchange": P_EXCHANGE,
}
BySeat = Mapping[int, str]


def position(
    phase: str = "build",
    *,
    seat: int = 0,
    seats: int = 2,
    rules: CharonIncRuleset | Mapping[str, Any] | None = None,
    round_: int = 1,
    order: Sequence[int] | None = None,
    moon: str = "",
    flags: str = "",
    left: BySeat | None = None,
    gems: BySeat | None = None,
    hand: BySeat | None = None,
    built: BySeat | None = None,
    fresh: BySeat | None = None,
    row: str = "",
    discards: str | None = None,
    scripted: bool = False,
    seed: int = 0,
    mode: Mode = "plain",
) -> Match:
    """Build a match in which a seat is asked for something, with just what is described.

    What is not said lies where it would: cards in the pile, gems in the supply, flags anywhere.

    Parameters
    ----------
    phase : what is asked: row, place, a1, a3, build, keep, exchange
    seat, seats : the seat to act; number of players
    rules : a ruleset, or differences from the published game
    round_ : number of the round
    order : the seats, the first one first; by default by their numbers
    moon : gems of regions, "R13:BBB R14:-"; other regions have none
    flags : seats by spot, "X07:0 E22:1"; in other phases than `place` each seat's missing flags
        stand on any free spots
    left : areas with a flag, by seat, "A4"; by default areas that nobody else is said to have
    gems : gems held, by seat
    hand, built, fresh : cards, by seat; those in `fresh` are hand cards just drawn
    row, discards : cards; by default the row is empty, and the 12s are discarded
    scripted : chance outcomes are handed to `Match.apply`
    seed, mode : as for a `Match`

    Raises
    ------
    ValueError : if something cannot be read, or the position breaks an invariant; the message says
        which
    """
    if not isinstance(rules, CharonIncRuleset):
        rules = CharonIncRuleset.make(dict(rules or {}), seats)
    match = Match(GAME, rules, seats, seed=seed, mode=mode)
    s, r = match.plain_state(), RULES.to_plain(match.rules)
    s.order = [*(order or range(seats)), *s.order[seats:]]
    start_round(s, GAME.work.plain())
    s.round_number = round_
    _set_gems(s, r, moon, gems or {})
    _set_cards(s, r, rules, hand or {}, built or {}, fresh or {}, row, discards)
    _set_flags(s, r, rules, phase, flags, left or {})
    s.phase, s.seat = PHASES[phase], seat
    place = s.order.index(seat)
    s.at = place
    s.chosen = [NONE] * len(s.chosen)
    if phase == "place":
        s.step = len([x for x in flags_at(s).values() if x == seat])
    if broken := check_state(s, r):
        raise ValueError("this is no position of the game: " + "; ".join(broken))
    STATE.fill(match.state, vars(s))
    match.work.scripted = int(scripted)
    return match


def _set_gems(s: Record, r: Record, moon: str, gems: BySeat) -> None:
    """Gems on the moon and in hands; the others are in the supply."""
    s.gem_color, s.gems = [NONE] * NUM_REGIONS, [0] * NUM_REGIONS
    s.bag = [0] * len(s.bag)
    s.supply = [*[r.gems_per_color] * (len(s.supply) - 1), r.clear_gems]
    for word in moon.split():
        region, _, letters = word.partition(":")
        if region not in REGIONS:
            raise ValueError(f"{word!r} is no region with gems; write 'R13:BBB'")
        if letters != "-":
            i, color = REGIONS.index(region), LETTERS.index(letters[0])
            s.gem_color[i], s.gems[i] = color, len(letters)
            s.supply[color] -= len(letters)
    for seat, text in gems.items():
        # in the order of the colors, so that tests may name them as they like
        s.held[seat] = list(read_gems("".join(sorted(text, key=LETTERS.index))))
        s.supply = [n - held for n, held in zip(s.supply, s.held[seat], strict=True)]


def _set_cards(
    s: Record,
    r: Record,
    rules: CharonIncRuleset,
    hand: BySeat,
    built: BySeat,
    fresh: BySeat,
    row: str,
    discards: str | None,
) -> None:
    numbers = {card.id: i for i, card in enumerate(rules.cards.cards)}
    free = ALL_CARDS

    def take(names: str) -> int:
        nonlocal free
        cards = 0
        for name in names.split():
            if name not in numbers or not (free >> numbers[name]) & 1:
                raise ValueError(f"{name} is no card of {rules.cards.id}, or stands twice")
            cards |= 1 << numbers[name]
            free &= ~cards
        return cards

    for x in range(s.seats):
        s.fresh[x] = take(fresh.get(x, ""))
        s.num_fresh[x] = s.fresh[x].bit_count()
        s.hand[x] = take(hand.get(x, "")) | s.fresh[x]
        s.built[x] = take(built.get(x, ""))
    s.row = take(row)
    s.layers, s.num_layers = [0] * len(s.layers), 0
    aside = r.of_number[HIGHEST] if r.twelves_aside else 0
    lay_down(s, r, aside & free if discards is None else take(discards))
    s.pile = free & ~all_discards(s)
    s.pile_size = s.pile.bit_count()
    shown = s.row | all_discards(s)
    for x in range(s.seats):
        shown |= s.built[x]
    s.out = shown
    s.unseen_takes = [0] * len(s.unseen_takes)
    s.seen = [s.hand[x] | shown if x < s.seats else 0 for x in range(len(s.seen))]


def _set_flags(
    s: Record, r: Record, rules: CharonIncRuleset, phase: str, flags: str, left: BySeat
) -> None:
    spots = {spot.name: i for i, spot in enumerate(rules.map.spots)}
    for word in flags.split():
        name, _, seat = word.partition(":")
        if name not in spots or not seat.isdigit():
            raise ValueError(f"{word!r} is no flag; write 'X07:0'")
        put_flag(s, r, int(seat), spots[name])
    if phase == "row" and s.round_number == 0:
        return
    free = [i for i in reversed(rules.usable(s.seats)) if i not in flags_at(s)]
    spare = [area for area in AREAS if area not in " ".join(left.values())]
    for x in range(s.seats):
        own = [spot for spot, seat in flags_at(s).items() if seat == x]
        missing = 0 if phase == "place" else r.placements - len(own)
        for _ in range(missing):
            put_flag(s, r, x, free.pop(0))
        number = NUM_AREAS - len(own) - missing
        names = left[x].split() if x in left else [spare.pop(0) for _ in range(min(1, number))]
        rest = [area for area in AREAS if area not in names][: number - len(names)]
        s.left[x] = sum(1 << AREAS.index(area) for area in (*names, *rest))
    if phase == "place":
        return
    for area in range(NUM_AREAS):
        if flags_on(s, area) <= r.cap:
            for x in range(s.seats):
                s.valid[x] |= s.left[x] & 1 << area
