"""Every parameter of Poseidon's Kingdom; the defaults are the second edition, as far as known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import PrivateAttr

from reefsim.core import datafiles
from reefsim.core.allowed import (
    Allowed,
    ByPlayers,
    Counts,
    Either,
    Order,
    Rising,
    ValuePath,
    Whole,
)
from reefsim.core.ruleset import Ruleset, toggle
from reefsim.games.poseidons_kingdom import components
from reefsim.games.poseidons_kingdom.components import SORTS, Set
from reefsim.games.poseidons_kingdom.constants import CORALS, NUM_CORALS, NUM_TENTACLES

SEATS = range(2, 5)
PLAYERS = f"{SEATS[0]} to {SEATS[-1]} players"


def _by_players(low: int, high: int) -> Allowed:
    whole = Whole(low, high)
    return Either((whole, ByPlayers(SEATS, whole, f"whole numbers {low}-{high}")))


class PoseidonsKingdomRuleset(Ruleset):
    """Every switch of the game, in the order of the game record's header."""

    game: ClassVar[str] = "poseidons_kingdom"

    ocean: str | dict[str, Any] = toggle(
        "ocean_v1",
        clause="§2.1, PKQ-01",
        allowed=components.allowed("ocean", "an ocean"),
        doc="the board: spaces, food zones, the shark's loop and numbers",
    )
    ocean_side: Literal["by_players", "high", "low"] = toggle(
        "by_players",
        clause="PK-1.2",
        allowed=("by_players", "high", "low"),
        doc="side of the board: the higher shark numbers are for 2 players",
    )
    reef: str | dict[str, Any] = toggle(
        "reef_v1",
        clause="§2.2, PKQ-01",
        allowed=components.allowed("reef", "reef tiles"),
        doc="kinds of reef tiles, and the starting reef",
    )
    safe: str | dict[str, Any] = toggle(
        "safe_v1",
        clause="§2.3, PKQ-01",
        allowed=components.allowed("safe", "safe places"),
        doc="values of the safe places at each tentacle",
    )
    scatter: str | dict[str, Any] = toggle(
        "scatter_v1",
        clause="§2.4, PKQ-02",
        allowed=components.allowed("scatter", "a fall of dice"),
        doc="chances of the food zones a die falls into",
    )
    starting_layout: Literal["canonical", "player_choice"] = toggle(
        "canonical",
        clause="PK-1.4, PKQ-14",
        allowed=("canonical", "player_choice"),
        doc="who shapes the starting reefs: all alike, or each player",
    )
    starting_tiles: int | dict[int, int] = toggle(
        {2: 4, 3: 3, 4: 4},
        clause="PK-1.1",
        allowed=_by_players(1, 4),
        doc="starting tiles of each player",
    )
    reef_tiles_removed: int | dict[int, int] = toggle(
        {2: 2, 3: 1, 4: 0},
        clause="PK-1.5",
        allowed=_by_players(0, 20),
        doc="reef tiles of each kind that are not used",
    )
    dice_per_player: int = toggle(
        10, clause="PK-1.1", allowed=range(5, 21), doc="dice of each player"
    )
    neutral_dice: int = toggle(15, clause="PK-1.1", allowed=range(41), doc="dice of nobody")
    setup_dice: int = toggle(
        3, clause="PK-1.6", allowed=range(1, 7), doc="dice of each player for the first fall"
    )
    setup_neutral: int = toggle(
        3, clause="PK-1.6", allowed=range(11), doc="neutral dice for the first fall"
    )
    dice_after_fall: int = toggle(
        2,
        clause="PK-1.9",
        allowed=range(7),
        doc="dice each player puts on the tower after the first fall",
    )
    tower_capacity: int | dict[int, int] = toggle(
        {2: 9, 3: 12, 4: 15},
        clause="PK-3.6",
        allowed=_by_players(3, 40),
        doc="dice the tower holds before it tips",
    )
    skeletons: int = toggle(36, clause="PK-5.4", allowed=range(100), doc="skeletons in stock")
    coral: dict[str, int] = toggle(
        {
            "wave_rider": 2,
            "speedy_fins": 2,
            "bigmouth": 2,
            "graveyard": 1,
            "trident": 1,
            "blank": 0,
        },
        clause="PK-1.10",
        allowed=Counts(CORALS, NUM_CORALS),
        doc="coral tiles of each kind",
    )
    coral_numbers: Literal["3_10", "2_9"] = toggle(
        "3_10",
        clause="PK-1.10, PKQ-10",
        allowed=("3_10", "2_9"),
        doc="numbers they lie on, the lower four being white",
    )
    graveyard_points: int = toggle(
        3, clause="PK-7.5", allowed=range(11), doc="points of a graveyard without own skeletons"
    )
    three_player_safe: Literal["remove_value_2", "remove_two_tiles"] = toggle(
        "remove_value_2",
        clause="PK-1.11, PKQ-04",
        allowed=("remove_value_2", "remove_two_tiles"),
        doc="safe places that are not used with 3 players: the 2s, or the lowest two",
    )
    two_player_hard_stacks: Literal["2_and_8", "lowest_two"] = toggle(
        "2_and_8",
        clause="PK-1.11, PKQ-08",
        allowed=("2_and_8", "lowest_two"),
        doc="safe places of tentacles 5 and 6 that are not used with 2 players",
    )
    ring_length: int = toggle(
        8, clause="PK-1.12, PKQ-06", allowed=range(7, 13), doc="spaces of the ring"
    )
    ring_spacing: int = toggle(
        2, clause="PK-1.12", allowed=range(1, 3), doc="spaces between creatures at the start"
    )
    ring_neutrals: bool = toggle(
        True, clause="PK-1.12", doc="neutral creatures stand for players who are not there"
    )
    nearest_order: tuple[int, ...] = toggle(
        (1, 2, 3, 4, 5, 6),
        clause="PK-4.10, PKQ-07",
        allowed=Order(range(1, NUM_TENTACLES + 1)),
        doc="tentacles clockwise from the head",
    )
    base_power: int = toggle(1, clause="§3", allowed=range(1, 4), doc="least power of a symbol")
    load_minimum: int = toggle(
        1, clause="PK-3.5, PKQ-17", allowed=range(2), doc="dice that have to be loaded"
    )
    eat_stored_only: Literal["allowed", "needs_pick"] = toggle(
        "allowed",
        clause="PK-4.4, PKQ-03",
        allowed=("allowed", "needs_pick"),
        doc="whether a friend may be rescued with stored dice alone",
    )
    total_target: int = toggle(
        7, clause="PK-4.4", allowed=range(4, 13), doc="sum of dice for tentacle 1"
    )
    all_different_size: int = toggle(
        4, clause="PK-4.4", allowed=range(3, 7), doc="different dice for tentacle 6"
    )
    straight_length: Literal["exactly_3", "3_or_more"] = toggle(
        "exactly_3",
        clause="PK-4.4, PKQ-18",
        allowed=("exactly_3", "3_or_more"),
        doc="dice of a straight",
    )
    dead_symbol_power: bool = toggle(
        False, clause="PK-5.5, PKQ-05", doc="symbols under skeletons give power"
    )
    skeleton_place: Literal["any_visible_free_hex", "boxes_only"] = toggle(
        "any_visible_free_hex",
        clause="PK-5.4, PKQ-19",
        allowed=("any_visible_free_hex", "boxes_only"),
        doc="hexes for skeletons",
    )
    die_symbol_place: Literal["on_entering", "on_leaving", "both"] = toggle(
        "on_entering",
        clause="PK-5.6, PKQ-13",
        allowed=("on_entering", "on_leaving", "both"),
        doc="when the shark triggers the symbol of a space",
    )
    symbol_die_owner: Literal["active_player", "each_player"] = toggle(
        "active_player",
        clause="PK-5.6, PKQ-20",
        allowed=("active_player", "each_player"),
        doc="whose dice replace neutral ones that have run out",
    )
    shore_food: bool = toggle(True, clause="PK-4.1, PKQ-21", doc="the shore is a food zone")
    dolphin: bool = toggle(True, clause="PK-5.7, PKQ-15", doc="the dolphin of the second edition")
    dolphin_contest: Literal["first_in_order", "highest_total"] = toggle(
        "first_in_order",
        clause="PK-6.6, PKQ-16",
        allowed=("first_in_order", "highest_total"),
        doc="who may take the dolphin",
    )
    reward_thresholds: tuple[int, ...] = toggle(
        (3, 7, 12, 16, 19, 23),
        clause="PK-6.6, PKQ-22",
        allowed=Rising(6, 1),
        doc="totals from which the rewards of a crash may be taken",
    )
    reward_ring_steps: int = toggle(
        2, clause="PK-6.6", allowed=range(1, 7), doc="ring steps that are a reward"
    )
    end_friends: int = toggle(
        6, clause="PK-7.1", allowed=range(1, 7), doc="rescued friends that end the game"
    )
    last_turn_rescue_and_coral: Literal["either", "both"] = toggle(
        "either",
        clause="PK-7.3, PKQ-11",
        allowed=("either", "both"),
        doc="whether a last turn may hold a rescue and coral",
    )
    largest_reef: Literal["tiles", "visible_hexes", "height"] = toggle(
        "tiles",
        clause="PK-7.7, PKQ-09",
        allowed=("tiles", "visible_hexes", "height"),
        doc="size of a reef, for the tie-break",
    )
    reef_limit: int = toggle(
        12, clause="PK-3.2, M2", allowed=range(4, 41), doc="coordinates a flat tile may have"
    )
    max_turns_per_player: int = toggle(
        200, clause="PK-8.2", allowed=Whole(1), doc="turns of each player after which it stops"
    )

    _sets: dict[str, Set] = PrivateAttr(default_factory=dict)
    _files: dict[str, str] = PrivateAttr(default_factory=dict)

    def model_post_init(self, context: Any) -> None:
        """Read data sets now, where their files are; a ruleset with a faulty one is only judged."""
        for sort in SORTS:
            value = getattr(self, sort)
            if not components.problems(sort, value):
                self._sets[sort] = components.find(sort, value)
                if components.is_file(sort, value):
                    path = components.path_of(value)
                    self._files[path] = datafiles.find(path) or ""

    def data_set(self, sort: str) -> Set:
        """The set of a sort (§2): "ocean", "reef", "safe" or "scatter"."""
        return self._sets.get(sort) or components.find(sort, getattr(self, sort))

    def data_files(self) -> dict[str, str]:
        """The files of sets that do not come with the game."""
        return self._files

    def resolved(self) -> dict[str, Any]:
        """Return every parameter as JSON has it, sets from files whole."""
        sets = {sort: components.shown(sort, self._sets[sort]) for sort in self._sets}
        return self.model_dump(mode="json") | sets

    def at(self, name: str, seats: int) -> int:
        """The value of a parameter that may depend on the number of seats."""
        value = getattr(self, name)
        return value[seats] if isinstance(value, Mapping) else value

    def stacks(self, seats: int) -> list[list[int]]:
        """Values of the safe places in use, top first, for each tentacle (PK-1.11).

        Raises
        ------
        ValueError : if a stack lacks a tile that is to be removed; the message says which
        """
        stacks = self.data_set("safe")["stacks"]
        return [_used(list(stacks[str(t)]), self, seats, t) for t in range(1, 7)]

    def cross_problems(self, seats: int | None) -> Iterator[tuple[ValuePath, str]]:
        """Yield what players, data sets and supplies forbid (§2, PK-1.1 to PK-1.11)."""
        if seats is not None and seats not in SEATS:
            what = f"{seats} seats. Poseidon's Kingdom is for {PLAYERS}."
            yield ("starting_tiles",), what
            return
        faulty = set()
        for sort in SORTS:
            for path, text in components.problems(sort, getattr(self, sort)):
                faulty.add(sort)
                yield (sort, *path), text
        missing = set()
        for name in ("starting_tiles", "reef_tiles_removed", "tower_capacity"):
            value = getattr(self, name)
            if seats and isinstance(value, Mapping) and seats not in value:
                missing.add(name)
                yield (name,), f"nothing for {seats} players. Add {seats}: ..."
        if not faulty & {"ocean", "scatter"}:
            yield from self._scatter_problems()
        if seats is None or missing:
            return
        yield from self._dice_problems(seats)
        if "reef" not in faulty:
            yield from self._reef_problems(seats)
        if "safe" not in faulty:
            try:
                self.stacks(seats)
            except ValueError as error:
                yield self._at_fault("safe"), f"{error} (PK-1.11)."

    def _at_fault(self, *names: str) -> ValuePath:
        """The one of some parameters that was given, else the first."""
        given = [name for name in names if name in self.model_fields_set]
        return (given[0] if given else names[0],)

    def _scatter_problems(self) -> Iterator[tuple[ValuePath, str]]:
        ocean, scatter = self.data_set("ocean"), self.data_set("scatter")
        where = self._at_fault("scatter", "ocean")
        zones = range(1, ocean["shore"] + 1)
        other = [zone for zone in scatter["weights"] if int(zone) not in zones]
        if other:
            what = f"{scatter['id']} has weights for zones {', '.join(other)},"
            yield where, f"{what} {ocean['id']} has zones 1-{ocean['shore']} (§2.4)."
        elif not any(scatter["weights"].values()):
            yield where, "all weights are 0 (§2.4)."
        if not self.shore_food and ocean["shore"] < 2:
            yield self._at_fault("shore_food", "ocean"), "there is no other food zone (PKQ-21)."

    def _dice_problems(self, seats: int) -> Iterator[tuple[ValuePath, str]]:
        dice = seats * self.setup_dice + self.setup_neutral
        capacity = self.at("tower_capacity", seats)
        if dice > capacity:
            what = f"{dice} dice are put on the tower, which holds {capacity} (PK-1.6)."
            yield self._at_fault("setup_dice", "setup_neutral", "tower_capacity"), what
        for few, many in (("setup_dice", "dice_per_player"), ("setup_neutral", "neutral_dice")):
            if getattr(self, few) > getattr(self, many):
                what = f"{getattr(self, few)} dice are used of {getattr(self, many)} (PK-1.6)."
                yield self._at_fault(few, many), what

    def _reef_problems(self, seats: int) -> Iterator[tuple[ValuePath, str]]:
        reef = self.data_set("reef")
        removed = self.at("reef_tiles_removed", seats)
        for kind in reef["kinds"]:
            if kind["count"] < removed:
                what = f"{removed} tiles of each kind are removed, {kind['id']} has"
                where = self._at_fault("reef_tiles_removed", "reef")
                yield where, f"{what} {kind['count']} (PK-1.5)."
        tiles, layout = self.at("starting_tiles", seats), reef["starting_layout"]
        if tiles > len(layout):
            what = f"{tiles} tiles, {reef['id']} has a layout of {len(layout)} (PK-1.4)."
            yield self._at_fault("starting_tiles", "reef"), what
        hexes = [components.read_hex(text) or (0, 0) for tile in layout[:tiles] for text in tile]
        if any(max(abs(q), abs(r)) > self.reef_limit for q, r in hexes):
            what = f"the starting reef lies beyond {self.reef_limit} (M2)."
            yield self._at_fault("reef_limit", "reef"), what


def _used(stack: list[int], rules: PoseidonsKingdomRuleset, seats: int, tentacle: int) -> list[int]:
    """The tiles of a stack that are in use."""
    hard = tentacle > 4
    if seats == 4:
        return stack
    by_number = rules.three_player_safe if seats == 3 else rules.two_player_hard_stacks
    if by_number == "remove_two_tiles" or (seats == 2 and hard and by_number == "lowest_two"):
        if len(stack) < 2:
            raise ValueError(f"stack {tentacle} has {len(stack)} tiles, two are removed")
        return stack[:-2]
    for value in (2,) if seats == 3 else (2, 8) if hard else (2, 4):
        if value not in stack:
            raise ValueError(f"stack {tentacle} has no tile {value} that could be removed")
        stack.remove(value)
    return stack
