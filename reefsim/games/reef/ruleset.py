"""Every parameter of Reef; the defaults are the published game, but for its cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import PrivateAttr

from reefsim.core.allowed import ByPlayers, DataName, Either, ListOf, ValuePath, Whole
from reefsim.core.ruleset import Ruleset, toggle
from reefsim.games.reef import decks
from reefsim.games.reef.constants import DISPLAY_SIZE, SEATS, START_HAND
from reefsim.games.reef.decks import Deck

_CORAL = Whole(3, 60)
_POINTS = Whole(0, 20)


class ReefRuleset(Ruleset):
    """Every switch of the game, in the order of the game record's header."""

    game: ClassVar[str] = "reef"

    deck_id: str = toggle(
        decks.RECONSTRUCTED,
        clause="§2, A17",
        allowed=DataName(decks.shipped(), decks.DECK_ID, "deck"),
        doc="the deck of cards: one that comes with the game, or decks/<name>.csv",
    )
    coral_per_color: int | dict[int, int] = toggle(
        {2: 18, 3: 24, 4: 28},
        clause="R1.1",
        allowed=Either((_CORAL, ByPlayers(SEATS, _CORAL, "whole numbers 3-60"))),
        doc="coral pieces of each color, the starting ones included",
    )
    start_points: int | tuple[int, ...] = toggle(
        3,
        clause="R1.3",
        allowed=Either((_POINTS, ListOf(_POINTS, "whole numbers 0-20, one per seat", least=1))),
        doc="points of each player, or of each seat, at the start",
    )
    start_hand: int = toggle(
        START_HAND, clause="R1.4", allowed=range(9), doc="cards dealt to each player"
    )
    hand_limit: int = toggle(4, clause="R3.1", allowed=range(1, 9), doc="cards a player may hold")
    display_size: int = toggle(
        DISPLAY_SIZE, clause="R1.8", allowed=range(1, 7), doc="cards in the display"
    )
    deck_card_price: int = toggle(
        1, clause="R3.3", allowed=range(6), doc="points paid for the top card of the deck"
    )
    stack_limit: int = toggle(
        4, clause="R4.5, R7.6", allowed=range(1, 7), doc="pieces a stack may have"
    )
    setup_mode: Literal["centre_choice", "centre_random", "free"] = toggle(
        "centre_choice",
        clause="R1.6, R1.7, A1",
        allowed=("centre_choice", "centre_random", "free"),
        doc="how the starting pieces are put: on the centre by choice or at random, or freely",
    )
    setup_timing: Literal["before_display", "after_display"] = toggle(
        "before_display",
        clause="R1.9, A1",
        allowed=("before_display", "after_display"),
        doc="whether they are put before or after the display is shown",
    )
    free_setup_area: Literal["non_central", "anywhere"] = toggle(
        "non_central",
        clause="R1.7, A2",
        allowed=("non_central", "anywhere"),
        doc="the spaces for them in the free set-up",
    )
    lowest_tie: Literal["choose", "leftmost"] = toggle(
        "choose",
        clause="R3.4, A9",
        allowed=("choose", "leftmost"),
        doc="which of several lowest display cards gets the price of the deck card",
    )
    allow_reflection: bool = toggle(
        False, clause="R5.3, A4", doc="patterns also count as their mirror image"
    )
    match_count: Literal["max_packing", "greedy_scan"] = toggle(
        "max_packing",
        clause="R5.7, A8",
        allowed=("max_packing", "greedy_scan"),
        doc="how appearances are counted: as many as possible, or as a careless scan finds them",
    )
    special_tie: Literal["auto_best", "choose"] = toggle(
        "auto_best",
        clause="R6.2, A11",
        allowed=("auto_best", "choose"),
        doc="who picks among several tallest stacks: the best is taken, or the player names one",
    )
    scoring_choice: Literal["auto_max", "optional"] = toggle(
        "auto_max",
        clause="R4.7, A7",
        allowed=("auto_max", "optional"),
        doc="whether a player may score fewer appearances than there are",
    )
    final_hand_scoring: Literal["once", "full", "none"] = toggle(
        "once",
        clause="R7.4, A20",
        allowed=("once", "full", "none"),
        doc="what the cards left in hand score at the end",
    )
    endgame_special: Literal["one_neighbour", "all_neighbours"] = toggle(
        "one_neighbour",
        clause="A3",
        allowed=("one_neighbour", "all_neighbours"),
        doc="what a special card in hand scores at the end, when hand cards score once",
    )
    empty_colors_to_end: int = toggle(
        1, clause="R7.1", allowed=range(1, 5), doc="colors that have to run out to end the game"
    )
    coral_out_end: Literal["finish_round", "immediate"] = toggle(
        "finish_round",
        clause="R7.1, A19",
        allowed=("finish_round", "immediate"),
        doc="when the game ends after coral has run out",
    )
    deck_out_end: Literal["immediate", "finish_round"] = toggle(
        "immediate",
        clause="R7.3, A5",
        allowed=("immediate", "finish_round"),
        doc="when the game ends after the deck has run out",
    )
    deck_out_test: Literal["last_card_leaves", "refill_fails"] = toggle(
        "last_card_leaves",
        clause="R7.3, A6",
        allowed=("last_card_leaves", "refill_fails"),
        doc="when the deck has run out: its last card is gone, or a gap cannot be filled",
    )
    points_visible: bool = toggle(
        True, clause="R8.2, A13", doc="players see how many points the others have"
    )
    max_turns: int = toggle(
        400, clause="engine limit", allowed=Whole(1), doc="turns after which a game is stopped"
    )

    _deck: Deck | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any) -> None:
        """Read the deck now, where its file is; a ruleset with a faulty one is only judged."""
        if isinstance(self.deck_id, str) and not decks.problems(self.deck_id):
            self._deck = decks.find(self.deck_id)

    def deck(self) -> Deck:
        """The cards (§2)."""
        return self._deck or decks.find(self.deck_id)

    def data_files(self) -> dict[str, str]:
        """The deck's file, unless it comes with the game."""
        deck = self.deck()
        return {} if deck.is_shipped else {decks.path_of(deck.id): deck.text}

    def coral(self, seats: int) -> int:
        """Pieces of each color at a number of seats (R1.1)."""
        coral = self.coral_per_color
        return coral[seats] if isinstance(coral, Mapping) else coral

    def points(self, seats: int) -> tuple[int, ...]:
        """Points of each seat at the start (R1.3)."""
        points = self.start_points
        return points if isinstance(points, tuple) else (points,) * seats

    def cross_problems(self, seats: int | None) -> Iterator[tuple[ValuePath, str]]:
        """Yield what players, deck and supplies forbid (R1.1, R1.3, R1.4, §2)."""
        if seats is not None and seats not in SEATS:
            what = f"{seats} seats. Reef is for {SEATS[0]} to {SEATS[-1]} players."
            yield ("coral_per_color",), what
            return
        yield from self._coral_problems(seats)
        if seats and isinstance(self.start_points, tuple) and len(self.start_points) != seats:
            what = f"{len(self.start_points)} values for {seats} seats. Give one per seat (R1.3)."
            yield ("start_points",), what
        if self.start_hand > self.hand_limit:
            what = f"{self.start_hand} cards are dealt, but a hand holds {self.hand_limit} (R3.1)."
            changed = "start_hand" in self.model_fields_set
            yield ("start_hand" if changed else "hand_limit",), what
        found = decks.problems(self.deck_id)
        if (
            "deck_id" in self.model_fields_set and not found
        ):  # who names no deck wants the shipped one
            found = [text for text in (decks.taken_name(self.deck_id),) if text]
        if found:
            more = f" ({len(found)} mistakes in all)" if len(found) > 1 else ""
            yield ("deck_id",), f"{found[0]}{more}"
        elif seats:
            needed = decks.cards_needed(seats, self.start_hand, self.display_size)
            cards = len(decks.find(self.deck_id).cards)
            if cards < needed:
                what = f"{self.deck_id} has {cards} cards, {needed} are needed for {seats} players:"
                yield ("deck_id",), f"{what} hands, display and one to draw (R1.4, R1.8)."

    def _coral_problems(self, seats: int | None) -> Iterator[tuple[ValuePath, str]]:
        coral = self.coral_per_color
        if isinstance(coral, Mapping):
            given: dict[int | None, int] = dict(coral.items())
            if seats and seats not in coral:
                yield ("coral_per_color",), f"nothing for {seats} players. Add {seats}: ... (R1.1)."
        else:
            given = {seats: coral}
        for players, number in given.items():
            if players and number <= players:
                path: ValuePath = ("coral_per_color",)
                path += (players,) if isinstance(coral, Mapping) else ()
                what = f"{number} pieces of each color for {players} players, who start with one."
                yield path, f"{what} At least {players + 1} are needed (R1.1)."
