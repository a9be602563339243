"""The columns Poseidon's Kingdom adds to the tables of a run, and the kernels that fill them."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.game import TableColumn
from reefsim.core.kernel import Record, kernel
from reefsim.games.poseidons_kingdom.constants import CORALS, NONE, NUM_CORALS, WHITE
from reefsim.games.poseidons_kingdom.friends import rescued
from reefsim.games.poseidons_kingdom.reefs import highest_level
from reefsim.games.poseidons_kingdom.scoring import NUM_TIE_BREAKS, coral_points, standing

_CORAL_WORDS = dict(enumerate(CORALS))

GAME_COLUMNS = (
    TableColumn("start_seat", "int8", "who had the first turn"),
    TableColumn("crashes", "int16", "times the tower tipped, the set-up left out"),
    TableColumn("fallen", "int16", "dice that came to lie on the board in them"),
    TableColumn("off_board", "int16", "dice that left the board and waited on the tower"),
    TableColumn("skeletons_laid", "int16", "skeletons laid on reefs"),
    TableColumn("end_turn", "int16", "turn in which the last friend was freed; 0 if none was"),
)

PLAYER_COLUMNS = (
    TableColumn("safe_points", "int16", "values of own safe places"),
    TableColumn("coral_points", "int16", "points of own coral tiles"),
    TableColumn("trident", "bool", "whether the seat owns the trident (first tie-break)"),
    TableColumn("reef_size", "int16", "size of the reef, by `largest_reef` (second tie-break)"),
    TableColumn("skeletons", "int8", "own skeletons at the end (third tie-break)"),
    TableColumn("safe_tiles", "int8", "safe places (fourth tie-break)"),
    TableColumn("friends", "int8", "friends rescued"),
    TableColumn("by_eating", "int8", "of these by eating"),
    TableColumn("by_ring", "int8", "of these by ring moves"),
    TableColumn("by_reward", "int8", "of these as a reward"),
    TableColumn("lost", "int16", "own creatures eaten"),
    TableColumn("coral_white", "string", "coral of a white number; null without", _CORAL_WORDS),
    TableColumn("coral_black", "string", "coral of a black number; null without", _CORAL_WORDS),
    TableColumn("caught", "int16", "creatures of others eaten in own turns", in_record=False),
    TableColumn("builds", "int16", "reef tiles built", in_record=False),
    TableColumn("loads", "int16", "turns in which dice were loaded", in_record=False),
    TableColumn("loaded", "int16", "dice loaded in them", in_record=False),
    TableColumn("picked_own", "int16", "own dice picked up", in_record=False),
    TableColumn("picked_neutral", "int16", "neutral dice picked up", in_record=False),
    TableColumn("picked_others", "int16", "dice of others picked up", in_record=False),
    TableColumn("stored_dice", "int16", "dice put in store", in_record=False),
    TableColumn("peeks", "int16", "coral tiles looked at", in_record=False),
    TableColumn("crash_points", "int32", "totals of own dice, over all crashes", in_record=False),
    TableColumn("rewards", "int16", "rewards taken", in_record=False),
    TableColumn("ring_steps", "int16", "steps the ring creature was given", in_record=False),
    TableColumn("hexes", "int8", "hexes of the reef", in_record=False),
    TableColumn("height", "int8", "highest level of the reef", in_record=False),
    TableColumn("wave_power", "int8", "wave power at the end", in_record=False),
    TableColumn("arrow_power", "int8", "arrow power at the end", in_record=False),
    TableColumn("eat_power", "int8", "eat power at the end", in_record=False),
)

TURN_COLUMNS = (
    TableColumn("picked", "int8", "dice picked up"),
    TableColumn("freed", "int8", "friends freed, of any seat"),
    TableColumn("eaten", "int8", "creatures the shark ate, of any seat"),
    TableColumn("crash", "bool", "the tower tipped"),
    TableColumn("crash_total", "int16", "own dice on the board then; -1 without"),
    TableColumn("tiles", "int8", "reef tiles after the turn"),
    TableColumn("wave_power", "int8", "wave power after it"),
    TableColumn("arrow_power", "int8", "arrow power after it"),
    TableColumn("eat_power", "int8", "eat power after it"),
    TableColumn("tower", "int8", "dice on the tower after it"),
    TableColumn("safe_points", "int16", "values of own safe places after it"),
)


@kernel
def num_standings() -> int:
    """The score and the tie-breaks of PK-7.7."""
    return 1 + NUM_TIE_BREAKS


@kernel
def game_row(s: Record, r: Record, w: Record, row: list[int], i: int) -> None:
    """The columns of GAME_COLUMNS, from place i on."""
    row[i] = s.start
    row[i + 1] = w.crashes
    row[i + 2] = w.fallen
    row[i + 3] = w.off_board
    row[i + 4] = w.skeletons_laid
    row[i + 5] = w.end_turn


@kernel
def player_row(s: Record, r: Record, w: Record, seat: int, row: list[int], i: int) -> None:
    """The columns of PLAYER_COLUMNS, from place i on."""
    row[i] = s.safe_points[seat]
    row[i + 1] = coral_points(s, r, seat)
    row[i + 2] = standing(s, r, seat, 1)
    row[i + 3] = standing(s, r, seat, 2)
    row[i + 4] = popcount(s.dead[seat])
    row[i + 5] = s.safe_tiles[seat]
    row[i + 6] = rescued(s, seat)
    row[i + 7] = w.by_eating[seat]
    row[i + 8] = w.by_ring[seat]
    row[i + 9] = w.by_reward[seat]
    row[i + 10] = w.lost[seat]
    row[i + 11] = NONE
    row[i + 12] = NONE
    for k in range(NUM_CORALS):
        if s.coral_owner[k] == seat:
            row[i + (11 if (WHITE >> k) & 1 else 12)] = s.coral[k]
    row[i + 13] = w.caught[seat]
    row[i + 14] = w.builds[seat]
    row[i + 15] = w.loads[seat]
    row[i + 16] = w.loaded[seat]
    row[i + 17] = w.picked_own[seat]
    row[i + 18] = w.picked_neutral[seat]
    row[i + 19] = w.picked_others[seat]
    row[i + 20] = w.stored_dice[seat]
    row[i + 21] = w.peeks[seat]
    row[i + 22] = w.crash_points[seat]
    row[i + 23] = w.rewards[seat]
    row[i + 24] = w.ring_steps[seat]
    row[i + 25] = s.num_hexes[seat]
    row[i + 26] = highest_level(s, seat)
    for k in range(3):
        row[i + 27 + k] = s.power[seat][k]
