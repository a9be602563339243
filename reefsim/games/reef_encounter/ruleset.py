"""Every parameter of Reef Encounter; the defaults are the published base game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from reefsim.core.allowed import ByPlayers, Choice, Either, ListOf, ValuePath, Whole
from reefsim.core.ruleset import Ruleset, toggle
from reefsim.core.wording import show

SEATS = range(2, 5)
BOARD_IDS = ("R1", "R2", "R3", "R4")
NUM_COLORS = 5
SEA_FILL = 12  # tiles laid on the open sea before the deal (R1.6)

_HAND = ListOf(Whole(1), "whole numbers, one per seat", least=1)
_BOARDS = Either((Choice(("random",)), ListOf(Choice(BOARD_IDS), "board ids, one per player")))


class ReefEncounterRuleset(Ruleset):
    """Every switch of the game, in the order of the game record's header."""

    game: ClassVar[str] = "reef_encounter"

    boards: Literal["random"] | tuple[str, ...] = toggle(
        "random", clause="R1.1", allowed=_BOARDS, doc="the reef boards in play; repeats allowed"
    )
    initial_side: Literal["random", "starfish", "reverse"] = toggle(
        "random",
        clause="R1.4",
        allowed=("random", "starfish", "reverse"),
        doc="the side on which all ten coral tiles start",
    )
    initial_hand: tuple[int, ...] | dict[int, tuple[int, ...]] = toggle(
        {2: (6, 9), 3: (6, 7, 9), 4: (6, 7, 8, 9)},
        clause="R1.8",
        allowed=Either((_HAND, ByPlayers(SEATS, _HAND, "such lists"))),
        doc="tiles that each seat draws before the game",
    )
    tiles_per_color: int = toggle(
        40, clause="§1", allowed=range(20, 61), doc="polyp tiles of each color"
    )
    larvae_per_color: int = toggle(
        10, clause="§1", allowed=range(3, 21), doc="larva cubes of each color"
    )
    cylinders_per_alga: int = toggle(
        5, clause="§1", allowed=range(1, 11), doc="cylinders of each alga color"
    )
    shrimps_per_player: int = toggle(
        4,
        clause="§1, R11.2",
        allowed=range(1, 7),
        doc="shrimps of each player; the game ends when all of one player's are eaten",
    )
    extra_growth: bool = toggle(
        True, clause="R6, R13.1", doc="covering a cell beside the growth cell adds a tile there"
    )
    growth_optional: bool = toggle(
        False, clause="A20", doc="the player may refuse the extra growth"
    )
    shrimp_blocks_growth: bool = toggle(
        True, clause="A16", doc="an own shrimp on the growth cell keeps the extra growth away"
    )
    feed_return: int = toggle(
        4,
        clause="R3.2, R13.2",
        allowed=range(11),
        doc="tiles put back into the bag when a coral is eaten",
        hint="Corals are usually eaten at 5 to 8 tiles; with {value} almost every meal would be "
        "worth nothing.",
    )
    final_feed_return: int = toggle(
        5,
        clause="R11.6, R13.2",
        allowed=range(11),
        doc="tiles put back into the bag by a final feed",
    )
    min_feed_size: int = toggle(
        5, clause="R3.1, R13.3", allowed=range(1, 13), doc="tiles a coral needs to be eaten"
    )
    min_final_feed_size: int = toggle(
        5, clause="A26", allowed=range(1, 13), doc="tiles a coral needs for a final feed"
    )
    base_tile_value: int = toggle(
        1,
        clause="R12.1, A11",
        allowed=range(6),
        doc="points of a tile before the coral tiles that show its color on top",
    )
    grow_actions_per_turn: int = toggle(
        2, clause="R2.2", allowed=range(1, 5), doc="grow actions a player may take in a turn"
    )
    max_tiles_from_behind: int = toggle(
        4, clause="R4.2", allowed=range(1, 11), doc="tiles from behind the screen in a grow action"
    )
    allow_empty_grow: bool = toggle(
        False, clause="A15", doc="a larva cube may be played without laying a tile"
    )
    min_attack_size: int = toggle(
        2, clause="R5.1c", allowed=range(1, 7), doc="tiles that the attacking coral needs"
    )
    attack_needs_own_shrimp: bool = toggle(
        False, clause="A4", doc="only a coral with the attacker's own shrimp may attack"
    )
    merge_rule: Literal["two_shrimps", "never"] = toggle(
        "two_shrimps",
        clause="A5",
        allowed=("two_shrimps", "never"),
        doc="when joining corals is forbidden: both have a shrimp, or always",
    )
    max_own_shrimps_per_board: int = toggle(
        2, clause="A3", allowed=range(1, 7), doc="shrimps of one player on one board"
    )
    lock_flips_others: bool = toggle(
        True, clause="A6", doc="a lock also flips the other unlocked tiles that show its alga"
    )
    allow_null_flip: bool = toggle(
        True, clause="A14", doc="an alga may be played to the space although no tile flips"
    )
    collect_mandatory: bool = toggle(
        True, clause="A13", doc="a turn must end with collecting from the open sea"
    )
    final_feed_events: tuple[int, ...] = toggle(
        (1, 2),
        clause="A7",
        allowed=ListOf(Whole(1, 4), "end events 1, 2, 3, 4", unique=True),
        doc="the end events that are followed by a final feed",
    )
    final_turn: Literal["feed_only", "full_turn"] = toggle(
        "feed_only",
        clause="A12",
        allowed=("feed_only", "full_turn"),
        doc="what the other seats get at the end",
    )
    end_timing: Literal["immediate", "end_of_turn"] = toggle(
        "immediate",
        clause="A8",
        allowed=("immediate", "end_of_turn"),
        doc="when the game stops after events 1 and 2",
    )
    complete_round: bool = toggle(
        False, clause="A22", doc="after events 1 and 2 the later seats still take a turn"
    )
    bag_end_rule: Literal["insufficient", "lt3", "le3", "empty"] = toggle(
        "insufficient",
        clause="A9",
        allowed=("insufficient", "lt3", "le3", "empty"),
        doc="how few tiles in the bag end the game",
    )
    no_space_rule: Literal["no_legal", "no_empty"] = toggle(
        "no_legal",
        clause="A10",
        allowed=("no_legal", "no_empty"),
        doc="what counts as no space left: no legal placement, or no empty rock cell",
    )
    max_shrimp_moves_per_turn: int = toggle(
        8, clause="engine limit", allowed=range(51), doc="shrimp moves a player may make in a turn"
    )
    max_turns: int = toggle(
        400, clause="engine limit", allowed=Whole(1), doc="turns after which a game is stopped"
    )

    def hand(self, seats: int) -> tuple[int, ...]:
        """Tiles that each seat draws, seat 0 first (R1.8)."""
        hands = self.initial_hand
        return hands[seats] if isinstance(hands, Mapping) else hands

    def cross_problems(self, seats: int | None) -> Iterator[tuple[ValuePath, str]]:
        """Yield what the number of players and the tiles forbid (R1.1, R1.3, R1.6, R1.8)."""
        if seats is not None and seats not in SEATS:
            what = f"{seats} seats. Reef Encounter is for {SEATS[0]} to {SEATS[-1]} players."
            yield ("initial_hand",), what
            return
        if seats and isinstance(self.boards, tuple) and len(self.boards) != seats:
            example = show(list(BOARD_IDS[:seats])).replace("'", "")
            count = _plural(len(self.boards), "board")
            yield (
                ("boards",),
                f"{count} for {seats} seats. Give one board id per seat, for example {example}; "
                "repeats are allowed (R1.1).",
            )
        if isinstance(self.initial_hand, Mapping):
            for players, hand in self.initial_hand.items():
                yield from self._hand_problems(("initial_hand", players), hand, players)
            if seats and seats not in self.initial_hand:
                yield (
                    ("initial_hand",),
                    f"no hands for {seats} seats. Add for example "
                    f"{seats}: {show(_published(seats))} (R1.8).",
                )
        elif seats:
            yield from self._hand_problems(("initial_hand",), self.initial_hand, seats)

    def _hand_problems(
        self, path: ValuePath, hand: tuple[int, ...], seats: int
    ) -> Iterator[tuple[ValuePath, str]]:
        if len(hand) != seats:
            count = _plural(len(hand), "value")
            yield (
                path,
                f"{count} for {seats} seats. Order is seat 0 first; the published values for "
                f"{seats} seats are {show(_published(seats))} (R1.8).",
            )
            return
        all_tiles = NUM_COLORS * self.tiles_per_color
        left = all_tiles - NUM_COLORS * seats - NUM_COLORS - SEA_FILL
        if sum(hand) > left:
            yield (
                path,
                f"{sum(hand)} tiles for the hands, but the bag holds {left} when they are dealt: "
                f"{all_tiles} less {NUM_COLORS * seats} on the boards, {NUM_COLORS} in the bonus "
                f"row and {SEA_FILL} on the open sea (R1.3, R1.6, R1.8).",
            )


def _published(seats: int) -> tuple[int, ...]:
    return ReefEncounterRuleset().hand(seats)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
