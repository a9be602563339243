"""Decks of cards as CSV files: reading, checking, hashing (RULES.md §2).

A deck that does not come with the game is `decks/<deck id>.csv` in the folder of the experiment
file, or in the current one.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from reefsim.core import datafiles
from reefsim.core.datafiles import Remark
from reefsim.core.wording import did_you_mean, listing, sentences, show
from reefsim.games.reef.constants import (
    DISPLAY_SIZE,
    LETTERS,
    MAX_CARDS,
    MAX_LEVEL,
    MAX_POINTS,
    MAX_SHAPE,
    NUM_COLORS,
    SEATS,
    START_HAND,
    WILD,
)

COLUMNS = ("id", "coral_a", "coral_b", "kind", "cells", "points", "family", "conf")
HEAD = ",".join(COLUMNS)
RECONSTRUCTED, OFFICIAL = "reconstructed-v1", "official-2018"
FOLDER, ENDING = "decks", ".csv"
DECK_ID = re.compile(r"[a-z0-9_.-]{1,60}")
_OWN = Path(__file__).parent / FOLDER
_ID = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_CELL = re.compile(r"([0-3]):([0-3]):([YRPGW]):(?:(\*)|([1-4])(\+?))")
_SPECIAL = re.compile(r"centre=([YRPG]) neighbour=([YRPG])")

Cell = tuple[int, int, int, int, int]  # row, column, color, least and most pieces
Places = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Card:
    """A card: two corals, and a pattern or a center and its neighbors.

    Attributes
    ----------
    id : as in the file
    corals : the two colors it gives
    is_special : scores neighbors (R6); its two cells are center and neighbor
    cells : row, column, color (or WILD), least and most pieces of each cell of the pattern
    points : printed, per appearance or neighbor
    line : its line of the file, blanks around fields removed
    """

    id: str
    corals: tuple[int, int]
    is_special: bool
    cells: tuple[Cell, ...]
    points: int
    line: str

    @property
    def family(self) -> str:
        """The kind of pattern, as the file has it."""
        return self.line.split(",")[6]

    @property
    def colors(self) -> set[int]:
        """Colors its pattern names."""
        return {cell[2] for cell in self.cells} - {WILD}

    @property
    def shape(self) -> Places:
        """Places of its cells, in their order."""
        return tuple(cell[:2] for cell in self.cells)

    def turned(self, mirrored: bool) -> list[Places]:
        """Places of the cells in every way to lay the pattern (R5.2, R5.3).

        First as printed, then turned clockwise, then the same of the mirror image; a way that looks
        like an earlier one is left out.
        """
        ways: list[Places] = []
        for start in (self.shape, _mirror(self.shape))[: 1 + mirrored]:
            way = start
            for _ in range(4):
                ways.append(way)
                way = _turn(way)
        found: dict[frozenset[Any], Places] = {}
        for way in ways:
            found.setdefault(
                frozenset((place, cell[2:]) for place, cell in zip(way, self.cells, strict=True)),
                way,
            )
        return list(found.values())

    def pattern_text(self) -> str:
        """What it scores, in short: 'Y:* R:* side by side' as in the file, in words for specials.

        >>> find(RECONSTRUCTED).cards[36].pattern_text()
        'each P top around the tallest Y'
        """
        if self.is_special:
            center, neighbor = (LETTERS[cell[2]] for cell in self.cells)
            return f"each {neighbor} top around the tallest {center}"
        return self.line.split(",")[4]


def _turn(places: Places) -> Places:
    rows = 1 + max(row for row, _ in places)
    return tuple((column, rows - 1 - row) for row, column in places)


def _mirror(places: Places) -> Places:
    columns = 1 + max(column for _, column in places)
    return tuple((row, columns - 1 - column) for row, column in places)


@dataclass(frozen=True)
class Deck:
    """The cards of a game, in the order of their file."""

    id: str
    cards: tuple[Card, ...]
    is_shipped: bool

    @cached_property
    def text(self) -> str:
        """The file: column names and cards, blanks around fields removed."""
        return "".join(f"{line}\n" for line in (HEAD, *(card.line for card in self.cards)))

    @cached_property
    def hash(self) -> str:
        """First 16 hexadecimal digits of the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Place of each card, by id."""
        return {card.id: place for place, card in enumerate(self.cards)}


@lru_cache(maxsize=1)
def shipped() -> tuple[str, ...]:
    """Ids of the decks that come with the game, the default first."""
    names = sorted(path.stem for path in _OWN.glob(f"*{ENDING}"))
    return tuple(sorted(names, key=lambda name: name != RECONSTRUCTED))


def path_of(deck_id: str) -> str:
    """Path of a deck's file in the folder of an experiment."""
    return f"{FOLDER}/{deck_id}{ENDING}"


def find(deck_id: str) -> Deck:
    """Find a deck by its id.

    Raises
    ------
    ValueError : if there is none, or it cannot be used; a line for each mistake
    """
    text, remarks = _look_up(deck_id)
    if found := [remark for remark in remarks if not remark.is_warning]:
        raise ValueError("\n".join(in_words(deck_id, remark) for remark in found))
    return _deck(deck_id, text)


@lru_cache(maxsize=64)
def _deck(deck_id: str, text: str) -> Deck:
    return Deck(deck_id, _parse(text)[0], deck_id in shipped())


def problems(deck_id: str) -> list[str]:
    """What is wrong with a deck, as sentences; empty if it can be played with."""
    return [in_words(deck_id, r) for r in _look_up(deck_id)[1] if not r.is_warning]


def in_words(deck_id: str, remark: Remark) -> str:
    """A remark with its place: 'decks/mine.csv:7: ...'."""
    place = f":{remark.line}" if remark.line else ""
    return f"{path_of(deck_id)}{place}: {remark.text}"


def _look_up(deck_id: str) -> tuple[str, list[Remark]]:
    """Text of a deck's file, and all that is to be said about it."""
    if not DECK_ID.fullmatch(deck_id):
        return "", [Remark(0, "a deck id is of lower-case letters, digits and _.-")]
    try:
        given = datafiles.find(path_of(deck_id))
    except ValueError as error:
        return "", [Remark(0, f"{error}.")]
    if deck_id not in shipped():
        if given is None:
            known = [*shipped(), *datafiles.available(FOLDER, ENDING)]
            return "", [Remark(0, _missing(deck_id, known))]
        return given, check(deck_id, given)
    text = _shipped_text(deck_id)
    return text, check(deck_id, text)


def taken_name(deck_id: str) -> str:
    """What is wrong with a deck of one's own named as one that comes with the game; else empty."""
    given = datafiles.find(path_of(deck_id)) if deck_id in shipped() else None
    if given is None or _parse(given)[0] == _parse(_shipped_text(deck_id))[0]:
        return ""
    return in_words(deck_id, _other_cards(deck_id))


def _other_cards(deck_id: str) -> Remark:
    return Remark(0, f"{deck_id} comes with the game and has other cards; rename it.")


@cache
def _shipped_text(deck_id: str) -> str:
    return (_OWN / f"{deck_id}{ENDING}").read_text(encoding="utf-8")


def _missing(deck_id: str, known: Sequence[str]) -> str:
    advice = (
        "The printed list of cards is not shipped; transcribe it from a copy of the game."
        if deck_id == OFFICIAL
        else sentences(did_you_mean(deck_id, known), f"There are: {listing(known)}.")
    )
    return f"there is no such deck file, here or beside the experiment. {advice}"


def check(deck_id: str, text: str) -> list[Remark]:
    """All that is to be said about the text of a deck file (RULES.md §2).

    Parameters
    ----------
    deck_id : decides which checks a complete deck has to pass
    text : of the file

    Returns
    -------
    remarks in the order of the lines; those about the whole deck come last and only if every line
    can be read
    """
    return list(_check(deck_id, text))


@lru_cache(maxsize=64)
def _check(deck_id: str, text: str) -> tuple[Remark, ...]:
    cards, remarks = _parse(text)
    whole = {RECONSTRUCTED: check_reconstructed, OFFICIAL: check_official}.get(deck_id)
    return remarks if remarks or whole is None else tuple(whole(cards))


@lru_cache(maxsize=64)
def _parse(text: str) -> tuple[tuple[Card, ...], tuple[Remark, ...]]:
    """Cards of a file, and its mistakes of form."""
    lines = [
        (number, ",".join(field.strip() for field in line.split(",")))
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]
    remarks: list[Remark] = []
    if not lines or lines[0][1] != HEAD:
        first = show(lines[0][1]) if lines else "nothing"
        remarks.append(Remark(1, f"found {first}; the first line has to be {HEAD}"))
    cards: list[Card] = []
    seen: dict[str, int] = {}
    for number, line in lines[1:]:
        card, faults = _read_card(line)
        remarks += [Remark(number, fault) for fault in faults]
        name = line.split(",")[0]
        if name in seen:
            remarks.append(Remark(number, f"card {show(name)} stands in line {seen[name]} as well"))
        seen.setdefault(name, number)
        if card:
            cards.append(card)
    if len(cards) > MAX_CARDS:
        remarks.append(Remark(0, f"{len(cards)} cards; at most {MAX_CARDS} can be played with"))
    return tuple(cards), tuple(remarks)


def _read_card(line: str) -> tuple[Card | None, list[str]]:
    """A card from its line, or None and what is wrong."""
    fields = line.split(",")
    if len(fields) != len(COLUMNS):
        return None, [f"{len(fields)} fields; there are {len(COLUMNS)}: {HEAD}"]
    name, coral_a, coral_b, kind, cells_text, points_text = fields[:6]
    faults = []
    if not _ID.fullmatch(name):
        faults.append(f"id {show(name)}: letters, digits and _.- are allowed, at most 40")
    for column, coral in (("coral_a", coral_a), ("coral_b", coral_b)):
        if coral not in tuple(LETTERS[:NUM_COLORS]):
            faults.append(f"{column} {show(coral)} is none of Y, R, P, G")
    points = int(points_text) if re.fullmatch(r"[0-9]{1,4}", points_text) else -1
    if not 0 <= points <= MAX_POINTS:
        faults.append(f"points {show(points_text)}: a whole number 0-{MAX_POINTS} is expected")
    cells: tuple[Cell, ...] = ()
    if kind == "special":
        match = _SPECIAL.fullmatch(cells_text)
        if match:
            cells = tuple((0, 0, LETTERS.index(color), 1, MAX_LEVEL) for color in match.groups())
        else:
            faults.append(f"cells {show(cells_text)}: a special card has centre=Y neighbour=P")
    elif kind == "pattern":
        cells, wrong = _read_cells(cells_text)
        faults += wrong
    else:
        faults.append(f"kind {show(kind)} is neither pattern nor special")
    if faults:
        return None, faults
    corals = (LETTERS.index(coral_a), LETTERS.index(coral_b))
    return Card(name, corals, kind == "special", cells, points, line), []


def _read_cells(text: str) -> tuple[tuple[Cell, ...], list[str]]:
    cells: list[Cell] = []
    for word in text.split():
        match = _CELL.fullmatch(word)
        if not match:
            form = (
                "row:column:color:height, as 0:1:R:2+ (height *, N or N+, N 1-4; color Y R P G W)"
            )
            return (), [f"cell {show(word)}: {form}"]
        row, column, color, star, number, more = match.groups()
        low = 1 if star else int(number)
        high = MAX_LEVEL if star or more else low
        cells.append((int(row), int(column), LETTERS.index(color), low, high))
    places = [cell[:2] for cell in cells]
    if not 1 <= len(cells) <= MAX_SHAPE or len(set(places)) < len(places):
        return (), [f"cells {show(text)}: a pattern has 1 to {MAX_SHAPE} different cells"]
    if min(row for row, _ in places) or min(column for _, column in places):
        return (), [f"cells {show(text)}: a pattern touches row 0 and column 0"]
    return tuple(cells), []


def _count(wanted: int, found: int, what: str) -> Iterator[Remark]:
    if found != wanted:
        yield Remark(0, f"{found} {what}, {wanted} are expected")


def check_reconstructed(cards: Sequence[Card]) -> Iterator[Remark]:
    """What `reconstructed-v1` has to be (RULES.md §2.3)."""
    specials = [card for card in cards if card.is_special]
    equal = [card for card in cards if card.corals[0] == card.corals[1]]
    yield from _count(60, len(cards), "cards")
    corals = Counter(coral for card in cards for coral in card.corals)
    named = Counter(color for card in cards for color in card.colors)
    for color in range(NUM_COLORS):
        yield from _count(30, corals[color], f"corals {LETTERS[color]}")
        yield from _count(19, named[color], f"cards whose pattern names {LETTERS[color]}")
    yield from _count(48, len(equal), "cards with two equal corals")
    own = [card.id for card in cards if card.colors & set(card.corals)]
    if own:
        yield Remark(0, f"{listing(own)}: the pattern names a coral of the card")
    points = dict(sorted(Counter(card.points for card in cards).items()))
    if points != {1: 10, 2: 16, 3: 14, 4: 12, 5: 4, 6: 4}:
        yield Remark(0, f"cards by points are {points}")
    pairs = [tuple(cell[2] for cell in card.cells) for card in specials]
    yield from _count(8, len(set(pairs)), "different special cards")
    for k, what in enumerate(("center", "neighbor")):
        counted = Counter(pair[k] for pair in pairs)
        if any(counted[color] != 2 for color in range(NUM_COLORS)):
            yield Remark(0, f"each color has to be the {what} of two special cards")
    if any(center == neighbor for center, neighbor in pairs):
        yield Remark(0, "a special card has the same color as center and neighbor")
    if large := [c.id for c in cards if max(max(place) for place in c.shape) > 2]:
        yield Remark(0, f"{listing(large)}: the pattern does not fit in 3 by 3")
    families = Counter(card.family for card in cards)
    sizes = [families[name] for name in sorted(families, key=lambda f: int(f[1:].split("_")[0]))]
    if sizes != [8, 4, 8, 6, 4, 6, 8, 4, 4, 4, 4]:
        yield Remark(0, f"the families have {sizes} cards")


def check_official(cards: Sequence[Card]) -> Iterator[Remark]:
    """What is known of the printed deck, K1-K9, K13, K14 (RULES.md §2.4)."""
    specials = [card for card in cards if card.is_special]
    yield from _count(60, len(cards), "cards (K1)")
    yield from _count(8, len(specials), "special cards (K2)")
    pairs = Counter(tuple(cell[2] for cell in card.cells) for card in specials)
    if specials and max(pairs.values()) > 1:
        yield Remark(0, "two special cards have the same colors (K2)")
    if len({card.points for card in specials}) > 1:
        yield Remark(0, "special cards differ in their points (K2)")
    bare = [c.id for c in cards if not c.is_special and any(_is_bare_wild(x) for x in c.cells)]
    if bare:
        yield Remark(0, f"{listing(bare)}: a wild piece has a number (K4)")
    yield from _known(cards, KNOWN)
    num_equal = sum(card.corals[0] == card.corals[1] for card in cards)
    if 2 * num_equal <= len(cards):
        yield Remark(0, f"{num_equal} of {len(cards)} cards have equal corals, most should (K13)")
    num_other = sum(not card.colors & set(card.corals) for card in cards)
    if 100 * num_other < 85 * len(cards):
        yield Remark(
            0, f"{num_other} of {len(cards)} patterns avoid the card's corals, 85 % should (K14)"
        )


def _is_bare_wild(cell: Cell) -> bool:
    return cell[2] == WILD and cell[3:] == (1, MAX_LEVEL)


# Cards that sources attest: kind, cells in any turn, points, what it is, whether only a warning.
KNOWN = (
    ("special", "centre=Y neighbour=P", 2, "K3: 2 points per purple around the yellow", False),
    ("pattern", "0:0:G:*", 1, "K6: 1 point for each green", False),
    ("pattern", "0:0:R:* 0:1:R:* 1:0:R:* 1:1:R:*", 6, "K7: 6 points for a red square", False),
    ("pattern", "0:0:Y:* 1:1:Y:* 2:2:Y:*", 4, "K8: 4 points for a yellow diagonal", False),
    ("pattern", "0:0:Y:4", 5, "K9: 5 points for yellow at height 4", True),
)


def _known(
    cards: Sequence[Card], known: Iterable[tuple[str, str, int, str, bool]]
) -> Iterator[Remark]:
    for kind, cells, points, what, is_warning in known:
        wanted = _read_card(f"X,Y,Y,{kind},{cells},{points},-,-")[0]
        if not any(_is_same(card, wanted) for card in cards):
            yield Remark(0, f"no card is that of {what}", is_warning)


def _is_same(card: Card, other: Card | None) -> bool:
    """Whether two cards score the same, however their patterns are turned."""
    if other is None or (card.is_special, card.points) != (other.is_special, other.points):
        return False
    return _laid(card)[0] in _laid(other) if not card.is_special else card.cells == other.cells


def _laid(card: Card) -> list[frozenset[Any]]:
    return [
        frozenset((place, cell[2:]) for place, cell in zip(way, card.cells, strict=True))
        for way in card.turned(mirrored=False)
    ]


def cards_needed(seats: int, hand: int = START_HAND, display: int = DISPLAY_SIZE) -> int:
    """Cards a game begins with: hands, display and one to draw (R1.4, R1.8)."""
    return seats * hand + display + 1


def _too_few(num: int) -> Iterator[Remark]:
    lacking = [seats for seats in SEATS if num < cards_needed(seats)]
    if lacking:
        served = [str(seats) for seats in SEATS if seats not in lacking]
        enough = f"enough for {' and '.join(served)} players" if served else "enough for nobody"
        need = listing(f"{seats} players need {cards_needed(seats)}" for seats in lacking)
        what = f"{num} cards are {enough} as printed: {need} (hands, display and one to draw)"
        yield Remark(0, what, is_warning=True)


def check_data(deck_id: str, text: str) -> tuple[str, list[Remark]]:
    """What a deck file is, and what is to be said about it (`Game.check_data`)."""
    remarks = check(deck_id, text)
    if not DECK_ID.fullmatch(deck_id):
        remarks.insert(0, Remark(0, "a deck is named by lower-case letters, digits and _.-"))
    elif deck_id in shipped() and _parse(text)[0] != _parse(_shipped_text(deck_id))[0]:
        remarks.append(_other_cards(deck_id))
    elif all(remark.is_warning for remark in remarks):
        remarks += _too_few(len(_parse(text)[0]))
    deck = Deck(deck_id, _parse(text)[0], deck_id in shipped())
    kinds = Counter(card.is_special for card in deck.cards)
    summary = (
        f"{len(deck.cards)} cards, {kinds[True]} of them special, hash {deck.hash}; "
        f"play with deck_id: {deck_id}, the file being {path_of(deck_id)} beside the experiment"
    )
    return summary, remarks


def header_files(header: Mapping[str, Any]) -> dict[str, str]:
    """The deck file that the header of a record carries: its lines, in `cards`.

    Raises
    ------
    ValueError : if that is no list of lines
    """
    if "cards" not in header:
        return {}
    lines, rules = header["cards"], header.get("rules")
    deck_id = rules.get("deck_id") if isinstance(rules, dict) else None
    if not isinstance(lines, list) or not all(
        isinstance(line, str) and "\n" not in line for line in lines
    ):
        raise ValueError("cards is no list of the lines of a deck file")
    if not isinstance(deck_id, str):
        return {}
    return {path_of(deck_id): "\n".join((HEAD, *lines)) + "\n"}
