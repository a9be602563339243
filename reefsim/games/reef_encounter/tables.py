"""The columns Reef Encounter adds to the tables of a run, and the kernels that fill them."""

from __future__ import annotations

from reefsim.core.game import TableColumn
from reefsim.core.kernel import Record, kernel
from reefsim.games.reef_encounter.constants import BOARD_IDS, COLORS, SIDES
from reefsim.games.reef_encounter.scoring import NUM_TIE_BREAKS, standing

_BOARD_WORDS = dict(enumerate(BOARD_IDS))

GAME_COLUMNS = (
    TableColumn("boards", "list", "boards in play, in order", words=_BOARD_WORDS, width=4),
    TableColumn(
        "side", "string", "side of the coral tiles at the start", words=dict(enumerate(SIDES))
    ),
)

PLAYER_COLUMNS = (
    TableColumn("front", "int16", "consumed tiles in front (first tie-break)"),
    TableColumn("larvae", "int16", "unplayed larva cubes (second tie-break)"),
    TableColumn("behind", "int16", "tiles behind the screen (third tie-break)"),
    TableColumn("guarded", "int16", "tiles of guarded corals (fourth tie-break)"),
    TableColumn("feeds", "int8", "corals fed, final feed included"),
    *(
        TableColumn(f"fish_{c}", "int16", f"{c} tiles in the fish, the stash included")
        for c in COLORS
    ),
    TableColumn("captured", "int16", "tiles taken by attacks"),
    TableColumn("locks", "int8", "coral tiles locked"),
    TableColumn("returned", "int16", "tiles of eaten corals that went to the bag", in_record=False),
    TableColumn("growths", "int16", "bonus tiles laid by extra growth", in_record=False),
    TableColumn("flips", "int16", "coral tiles turned over", in_record=False),
    TableColumn("laid", "int16", "tiles laid, growth tiles not counted", in_record=False),
    TableColumn("laying_turns", "int16", "turns with a tile laid", in_record=False),
    TableColumn("passes", "int16", "turns with nothing but the sea (action 9)", in_record=False),
)

TURN_COLUMNS = (
    TableColumn("laid", "int16", "tiles laid, growth tiles included"),
    TableColumn("captured", "int16", "tiles taken by attacks"),
    TableColumn("growths", "int8", "bonus tiles laid by extra growth"),
    TableColumn("flips", "int16", "coral tiles turned over"),
    TableColumn("locks", "int8", "coral tiles locked"),
    TableColumn("sea_space", "string", "sea space collected from", words=dict(enumerate(COLORS))),
    TableColumn("front", "int16", "consumed tiles in front after the turn"),
    TableColumn("larvae", "int16", "larva cubes after the turn"),
    TableColumn("behind", "int16", "tiles behind the screen after the turn"),
    TableColumn("in_hand", "int8", "unplayed shrimps after the turn"),
    TableColumn("eaten", "int8", "eaten shrimps after the turn"),
    *(TableColumn(f"value_{c}", "int8", f"value of {c} tiles after the turn") for c in COLORS),
    TableColumn("score", "int16", "points of the seat's fish after the turn, at those values"),
)


@kernel
def num_standings() -> int:
    """The score and the tie-breaks of R12.3."""
    return 1 + NUM_TIE_BREAKS


@kernel
def game_row(s: Record, r: Record, w: Record, row: list[int], i: int) -> None:
    """The columns of GAME_COLUMNS, from place i on."""
    for k in range(4):
        row[i + k] = s.board[k]
    row[i + 4] = s.side


@kernel
def player_row(s: Record, r: Record, w: Record, seat: int, row: list[int], i: int) -> None:
    """The columns of PLAYER_COLUMNS, from place i on."""
    for k in range(4):
        row[i + k] = standing(s, r, seat, 1 + k)
    row[i + 4] = s.eaten[seat]
    for c in range(5):
        row[i + 5 + c] = s.fish[seat][c]
    row[i + 10] = w.captured[seat]
    row[i + 11] = w.locks[seat]
    row[i + 12] = w.returned[seat]
    row[i + 13] = w.growths[seat]
    row[i + 14] = w.flips[seat]
    row[i + 15] = w.laid[seat]
    row[i + 16] = w.laying_turns[seat]
    row[i + 17] = w.passes[seat]
