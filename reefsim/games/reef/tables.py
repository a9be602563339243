"""The columns Reef adds to the tables of a run, and the kernels that fill them."""

from __future__ import annotations

from reefsim.core.game import TableColumn
from reefsim.core.kernel import Record, kernel
from reefsim.games.reef.cards import num_cards
from reefsim.games.reef.constants import COLORS
from reefsim.games.reef.decks import Deck
from reefsim.games.reef.pieces import num_pieces
from reefsim.games.reef.scoring import NUM_TIE_BREAKS, standing

PLAYER_COLUMNS = (
    TableColumn("covered", "int8", "covered spaces (first tie-break)"),
    TableColumn("full_stacks", "int8", "stacks of `stack_limit` pieces (second tie-break)"),
    TableColumn("takes_display", "int16", "cards taken from the display"),
    TableColumn("takes_deck", "int16", "cards taken from the deck"),
    TableColumn("plays", "int16", "cards played"),
    TableColumn("pattern_points", "int16", "points scored by played cards"),
    TableColumn("hand_points", "int16", "points scored by hand cards at the end"),
    TableColumn("tokens_taken", "int16", "points taken with display cards"),
    TableColumn("tokens_paid", "int16", "points paid for deck cards"),
    TableColumn("hand", "int8", "cards left in hand"),
    TableColumn("pieces", "int8", "pieces on the board"),
    TableColumn("blank_plays", "int16", "played cards that scored nothing", in_record=False),
    TableColumn("missing", "int16", "pieces of played cards not placed", in_record=False),
    TableColumn("passes", "int16", "turns passed", in_record=False),
)


def game_columns(deck: Deck) -> tuple[TableColumn, ...]:
    """What stands in every row of the table `games`."""
    return (
        TableColumn(
            "deck_hash", "string", "stands for the cards played with", words={0: deck.hash}
        ),
        TableColumn("deck_left", "int16", "cards left in the deck"),
        TableColumn("tokens_left", "int16", "points left on the display"),
    )


def turn_columns(deck: Deck) -> tuple[TableColumn, ...]:
    """What the table `turns` has besides the columns of every game."""
    cards = {place: card.id for place, card in enumerate(deck.cards)}
    families = {place: card.family for place, card in enumerate(deck.cards)}
    return (
        TableColumn("card", "string", "card taken or played; null on a pass", words=cards),
        TableColumn("matches", "int8", "how often the played card scored"),
        TableColumn("points", "int16", "points it scored"),
        TableColumn("hand", "int8", "cards in hand after the turn"),
        TableColumn("covered", "int8", "covered spaces after the turn"),
        TableColumn("deck_left", "int16", "cards in the deck after the turn"),
        TableColumn("tokens_left", "int16", "points on the display after the turn"),
        *(
            TableColumn(f"supply_{c}", "int16", f"{c} pieces in the supply after it")
            for c in COLORS
        ),
        TableColumn("stock", "int16", "points of the seat after the turn"),
        TableColumn("family", "string", "kind of pattern of that card", words=families),
    )


@kernel
def num_standings() -> int:
    """The score and the tie-breaks of R7.6."""
    return 1 + NUM_TIE_BREAKS


@kernel
def game_row(s: Record, r: Record, w: Record, row: list[int], i: int) -> None:
    """The columns of `game_columns`, from place i on."""
    row[i] = 0
    row[i + 1] = s.deck
    row[i + 2] = 0
    for slot in range(r.display_size):
        row[i + 2] += s.tokens[slot]


@kernel
def player_row(s: Record, r: Record, w: Record, seat: int, row: list[int], i: int) -> None:
    """The columns of PLAYER_COLUMNS, from place i on."""
    row[i] = standing(s, r, seat, 1)
    row[i + 1] = standing(s, r, seat, 2)
    row[i + 2] = w.takes_display[seat]
    row[i + 3] = w.takes_deck[seat]
    row[i + 4] = num_cards(s.discard[seat])
    row[i + 5] = w.pattern_points[seat]
    row[i + 6] = w.hand_points[seat]
    row[i + 7] = w.tokens_taken[seat]
    row[i + 8] = w.tokens_paid[seat]
    row[i + 9] = num_cards(s.hand[seat])
    row[i + 10] = num_pieces(s, seat)
    row[i + 11] = w.blank_plays[seat]
    row[i + 12] = w.missing[seat]
    row[i + 13] = w.passes[seat]
