"""Every parameter of CHARON Inc.; the defaults are the published game, but for map and costs."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, ClassVar, Literal

from pydantic import PrivateAttr

from reefsim.core.allowed import Choice, DataName, Either, ListOf, ValuePath, Whole
from reefsim.core.ruleset import Ruleset, toggle
from reefsim.core.work import MAX_OPTIONS
from reefsim.games.charon_inc import datasets
from reefsim.games.charon_inc.constants import (
    CARDS_OF_NUMBER,
    GROUPS,
    MAX_WAYS,
    NUM_CARDS,
    NUM_ORDINARY,
)
from reefsim.games.charon_inc.datasets import CardSet, MoonMap
from reefsim.games.charon_inc.gems import FIRST_WORD, GEM_WORD

SEATS = range(2, 6)
BY_PLAYERS = "by_players"
_REMOVED = {2: GROUPS[1:], 3: GROUPS[1:3], 4: GROUPS[1:2], 5: ()}  # CH-1.2
_BAG = {2: 3, 3: 4, 4: 4, 5: 5}  # CH-1.5


def _or_by_players(low: int, high: int) -> Either:
    return Either((Choice((BY_PLAYERS,)), Whole(low, high)))


class CharonIncRuleset(Ruleset):
    """Every switch of the game, in the order of the game record's header."""

    game: ClassVar[str] = "charon_inc"

    map_file: str = toggle(
        datasets.DEFAULT_MAP,
        clause="§2.1, CHQ-01",
        allowed=DataName(datasets.SHIPPED[datasets.MAP], datasets.REFERENCE, "map"),
        doc="the map: the id of one that comes with the game, or the path of a file",
    )
    card_file: str = toggle(
        datasets.DEFAULT_CARDS,
        clause="§2.2, CHQ-01",
        allowed=DataName(datasets.SHIPPED[datasets.CARDS], datasets.REFERENCE, "card set"),
        doc="the building cards: the id of a set that comes with the game, or the path of a file",
    )
    rounds: int = toggle(4, clause="CH-2.1, CHQ-15", allowed=range(1, 7), doc="rounds of a game")
    regions_out: Literal["by_players"] | tuple[Literal["yellow", "pink", "blue"], ...] = toggle(
        BY_PLAYERS,
        clause="CH-1.2",
        allowed=Either(
            (
                Choice((BY_PLAYERS,)),
                ListOf(Choice(GROUPS[1:]), f"names out of {', '.join(GROUPS[1:])}", unique=True),
            )
        ),
        doc="groups of regions that are out of play",
    )
    edge_of_play_spots: Literal["touch_any_in_play", "all_in_play"] = toggle(
        "touch_any_in_play",
        clause="CH-1.3, CHQ-10",
        allowed=("touch_any_in_play", "all_in_play"),
        doc="how much of what a spot touches has to be in play for it to be usable",
    )
    rim_corners: bool = toggle(
        False, clause="CHQ-10", doc="corners at the rim of the moon are spots as well"
    )
    gems_per_color: int = toggle(
        20, clause="CH-1.4", allowed=range(10, 41), doc="gems of each ordinary color"
    )
    clear_gems: int = toggle(6, clause="CH-1.4", allowed=range(21), doc="clear gems")
    bag_per_color: Literal["by_players"] | int = toggle(
        BY_PLAYERS,
        clause="CH-1.5",
        allowed=_or_by_players(1, 10),
        doc="gems of each ordinary color in the bag",
    )
    bag_policy: Literal["refill_same_counts", "carry_over"] = toggle(
        "refill_same_counts",
        clause="CHQ-07, CH-1.5b",
        allowed=("refill_same_counts", "carry_over"),
        doc="whether the bag is filled anew for each seeding, or when it is empty",
    )
    twelves_aside: bool = toggle(
        True, clause="CH-1.7", doc="the 12s begin in the discard pile instead of the deck"
    )
    buried_cards: int = toggle(
        2, clause="CH-1.7", allowed=range(11), doc="unseen cards that begin in the discard pile"
    )
    hand_first_round: int = toggle(
        3, clause="CH-1.8", allowed=range(1, 7), doc="cards dealt to each player at the start"
    )
    placements: int = toggle(
        4, clause="CH-3.1", allowed=range(1, 6), doc="flags each player puts on the moon in a round"
    )
    action_cap: Literal["by_players"] | int = toggle(
        BY_PLAYERS,
        clause="CH-3.4",
        allowed=_or_by_players(1, 5),
        doc="flags that may be left on an area for its action to work",
    )
    action_cap_4p: int = toggle(
        2, clause="CHQ-03, CH-3.4", allowed=range(1, 3), doc="the same with four players"
    )
    a1_target: Literal[
        "no_three_slot_region", "not_exactly_three_regions", "fewer_than_three_regions", "any"
    ] = toggle(
        "no_three_slot_region",
        clause="CH-3.5, CHQ-02",
        allowed=(
            "no_three_slot_region",
            "not_exactly_three_regions",
            "fewer_than_three_regions",
            "any",
        ),
        doc="where A1 may move a flag to",
    )
    tie_rank: Literal["lexicographic", "rank_sum"] = toggle(
        "lexicographic",
        clause="CH-4.3, CHQ-11",
        allowed=("lexicographic", "rank_sum"),
        doc="how equal numbers of flags are compared: best flag first, or by the sum of ranks",
    )
    inherit_on_top_tie: Literal["nobody", "next_best"] = toggle(
        "nobody",
        clause="CH-4.4, CHQ-17",
        allowed=("nobody", "next_best"),
        doc="who wins a region whose best players share the first place",
    )
    a2_clear_gems: int = toggle(
        1, clause="CH-4.6", allowed=range(4), doc="clear gems that A2 gives"
    )
    shared_action_order: Literal["order", "reverse_order"] = toggle(
        "order",
        clause="CHQ-14, CH-4.6, CH-4.7",
        allowed=("order", "reverse_order"),
        doc="who comes first where several players have A2 or A3",
    )
    a3_discard_pick: Literal["choose_any", "random", "top_card"] = toggle(
        "choose_any",
        clause="CH-4.7, CHQ-05",
        allowed=("choose_any", "random", "top_card"),
        doc="which card of the discard pile A3 takes",
    )
    build_sequencing: Literal["player_turns", "steps"] = toggle(
        "player_turns",
        clause="CH-5.1, CHQ-09",
        allowed=("player_turns", "steps"),
        doc="whether players build in whole turns, or all trade, then exchange, then build",
    )
    trade_rate: int = toggle(
        3, clause="CH-5.2", allowed=range(2, 7), doc="gems given for one in a trade"
    )
    warehouse_trade_rate: int = toggle(
        2, clause="CH-5.2", allowed=range(2, 7), doc="the same with A5"
    )
    clear_in_trade: bool = toggle(
        False, clause="CHQ-12, CH-5.2", doc="clear gems may be given in a trade"
    )
    synchrotron_clear: bool = toggle(
        False, clause="CHQ-13, CH-5.3", doc="A4 may give or make clear gems"
    )
    max_same_number: int = toggle(
        1, clause="CH-5.5", allowed=range(1, 6), doc="buildings of one number a player may own"
    )
    row_builds_per_round: int = toggle(
        1, clause="CH-5.6", allowed=range(6), doc="cards of the row a player may build in a round"
    )
    storage_limit: int = toggle(
        2, clause="CH-6.1", allowed=range(9), doc="gems a player may keep for the next round"
    )
    warehouse_limit: int = toggle(6, clause="CH-6.2", allowed=range(9), doc="the same with A5")
    hand_later_rounds: int = toggle(
        2, clause="CH-6.4", allowed=range(5), doc="cards each player draws after a round"
    )
    duplicate_redraw: Literal["discard_pile", "draw_pile", "never"] = toggle(
        "discard_pile",
        clause="CHQ-04, CH-6.4",
        allowed=("discard_pile", "draw_pile", "never"),
        doc="where a card is drawn from for one that cannot be built any more",
    )
    max_exchanges: int = toggle(
        20, clause="engine limit", allowed=range(101), doc="exchanges of a player in one reset"
    )
    row_choice: Literal["any_hand_card", "newly_drawn"] = toggle(
        "any_hand_card",
        clause="CH-6.5, CHQ-16",
        allowed=("any_hand_card", "newly_drawn"),
        doc="which cards may go to the common row after a round",
    )
    reseed_nonempty: Literal["skip", "replace", "refill_if_partial"] = toggle(
        "skip",
        clause="CH-6.6, CHQ-06",
        allowed=("skip", "replace", "refill_if_partial"),
        doc="what becomes of gems that nobody won, when the moon is seeded again",
    )
    tie_break: Literal["most_cards_then_highest", "highest_then_most_cards", "shared"] = toggle(
        "most_cards_then_highest",
        clause="CH-7.2, CHQ-08",
        allowed=("most_cards_then_highest", "highest_then_most_cards", "shared"),
        doc="what decides between equal scores",
    )

    _map: MoonMap | None = PrivateAttr(default=None)
    _cards: CardSet | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any) -> None:
        """Read the data sets now, where their files are; with a faulty one it is only judged."""
        if isinstance(self.map_file, str):
            self._map = datasets.find_map(self.map_file).data
        if isinstance(self.card_file, str):
            self._cards = datasets.find_cards(self.card_file).data

    @property
    def map(self) -> MoonMap:
        """The map (§2.1)."""
        assert self._map is not None, "rules without a map are judged, never played"
        return self._map

    @property
    def cards(self) -> CardSet:
        """The building cards (§2.2)."""
        assert self._cards is not None, "rules without cards are judged, never played"
        return self._cards

    def own_data(self) -> tuple[MoonMap | CardSet, ...]:
        """The data sets that do not come with the game."""
        shipped = {name for names in datasets.SHIPPED.values() for name in names}
        return tuple(data for data in (self.map, self.cards) if data.id not in shipped)

    def data_files(self) -> dict[str, str]:
        """The files of data sets that do not come with the game."""
        return {datasets.path_of(data.id): datasets.file_text(data) for data in self.own_data()}

    def resolved(self) -> dict[str, Any]:
        """Every parameter as JSON has it; data sets are named by their ids."""
        return super().resolved() | {"map_file": self.map.id, "card_file": self.cards.id}

    def removed(self, seats: int) -> tuple[str, ...]:
        """Groups of regions that are out of play (CH-1.2)."""
        return _REMOVED[seats] if self.regions_out == BY_PLAYERS else tuple(self.regions_out)

    def bag(self, seats: int) -> int:
        """Gems of each ordinary color in the bag (CH-1.5)."""
        return _BAG[seats] if isinstance(self.bag_per_color, str) else self.bag_per_color

    def cap(self, seats: int) -> int:
        """Flags that may be left on an area for its action to work (CH-3.4)."""
        if not isinstance(self.action_cap, str):
            return self.action_cap
        return {2: 1, 3: 1, 4: self.action_cap_4p, 5: 2}[seats]

    def in_play(self, seats: int) -> tuple[int, ...]:
        """Regions in play, by number (CH-1.2)."""
        out = self.removed(seats)
        return tuple(i for i, region in enumerate(self.map.regions) if region.group not in out)

    def usable(self, seats: int) -> tuple[int, ...]:
        """Spots that may be used, by number (CH-1.3, CHQ-10)."""
        there = set(self.in_play(seats))
        enough = all if self.edge_of_play_spots == "all_in_play" else any
        return tuple(
            i
            for i, spot in enumerate(self.map.spots)
            if (self.rim_corners or not spot.is_rim)
            and enough(region in there for region in spot.touches)
        )

    def ways(self, cost: tuple[int, ...]) -> int:
        """How many payments of a card are told apart: what clear gems stand for (CH-5.4)."""
        return prod(1 + min(n, self.clear_gems) for n in cost)

    def pile_size(self) -> int:
        """Cards that may be buried and dealt (CH-1.7)."""
        return NUM_CARDS - (CARDS_OF_NUMBER if self.twelves_aside else 0)

    def cross_problems(self, seats: int | None) -> Iterator[tuple[ValuePath, str]]:
        """Yield what players, data sets and supplies forbid (CH-1.1, CH-1.5, CH-1.7, CH-3.1)."""
        if seats is not None and seats not in SEATS:
            what = f"{seats} seats. CHARON Inc. is for {SEATS[0]} to {SEATS[-1]} players."
            yield ("bag_per_color",), what
            return
        faulty = False
        for name, found in (
            ("map_file", datasets.find_map(self.map_file) if self._map is None else None),
            ("card_file", datasets.find_cards(self.card_file) if self._cards is None else None),
        ):
            if found is not None:
                faulty = True
                more = f" ({len(found.faults)} mistakes in all)" if len(found.faults) > 1 else ""
                yield (name,), f"{found.faults[0]}{more}"
        if faulty:
            return
        yield from self._engine_limits(seats)
        if seats is None:
            return
        changed = self.model_fields_set

        def at_fault(*names: str) -> ValuePath:
            return (next((name for name in names if name in changed), names[0]),)

        regions, gems = len(self.in_play(seats)), NUM_ORDINARY * self.bag(seats)
        if regions > gems:
            what = f"{regions} regions are in play, and the bag has {gems} gems for them (CH-1.5)."
            yield at_fault("bag_per_color", "regions_out", "map_file"), what
        spots, flags = len(self.usable(seats)), seats * self.placements
        if spots <= flags:
            what = f"{spots} spots for {flags} flags; there have to be more (CH-3.1)."
            names = ("regions_out", "edge_of_play_spots", "placements", "map_file", "rim_corners")
            yield at_fault(*names), what
        needed = self.buried_cards + seats * self.hand_first_round
        if self.pile_size() < needed:
            what = f"{needed} cards are buried and dealt, there are {self.pile_size()} (CH-1.7)."
            yield at_fault("hand_first_round", "buried_cards"), what

    def _engine_limits(self, seats: int | None) -> Iterator[tuple[ValuePath, str]]:
        """Payments and legal actions have to fit the engine; printed numbers are far below."""
        most, card = max((self.ways(card.cost), card.id) for card in self.cards.cards)
        changed = self.model_fields_set
        path: ValuePath = ("clear_gems" if "clear_gems" in changed else "card_file",)
        if most > MAX_WAYS:
            what = f"{card} may be paid in {most} ways with {self.clear_gems} clear gems; "
            yield path, f"{what}the engine tells {MAX_WAYS} apart."
            return
        rate = max(self.trade_rate, self.warehouse_trade_rate)
        cards = self.hand_first_round + (self.rounds - 1) * self.hand_later_rounds + self.rounds
        words = -(-most // GEM_WORD) * min(NUM_CARDS, cards + (seats or SEATS[-1]))
        trades = NUM_ORDINARY * (FIRST_WORD[rate + 1] - FIRST_WORD[rate])
        if words + trades + 31 > MAX_OPTIONS:
            what = f"{card} may be paid in {most} ways, and a hand may hold {cards} cards; "
            yield path, f"{what}that is more than the engine takes."
