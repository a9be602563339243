"""The columns CHARON Inc. adds to the tables of a run, and the kernels that fill them."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.game import TableColumn
from reefsim.core.kernel import Record, kernel
from reefsim.games.charon_inc.constants import AREAS, CARDS_OF_NUMBER, NUM_AREAS
from reefsim.games.charon_inc.ending import built_code
from reefsim.games.charon_inc.log import total_held
from reefsim.games.charon_inc.reset import num_cards_of


def built_text(code: int) -> str:
    """The built numbers that `ending.built_code` stands for, from the highest down.

    >>> built_text(6**10 + 6**7 * 2), built_text(0)
    ('12,9,9', '-')
    """
    numbers: list[str] = []
    for number in range(2, 13):
        code, count = divmod(code, CARDS_OF_NUMBER + 1)
        numbers += [str(number)] * count
    return ",".join(reversed(numbers)) or "-"


GAME_COLUMNS = (
    TableColumn("unmined", "int16", "gems that nobody won, summed over the rounds"),
    TableColumn("dead_heats", "int16", "regions with flags that nobody won, over all rounds"),
    TableColumn("pile_left", "int8", "cards left in the draw pile"),
)
PLAYER_COLUMNS = (
    TableColumn("builds", "int8", "cards built (a tie-break)"),
    TableColumn("built", "string", "their numbers, from the highest down", spell=built_text),
    TableColumn("regions_won", "int16", "regions won, over all rounds"),
    TableColumn("gems_mined", "int16", "gems won in regions"),
    TableColumn("clear_taken", "int8", "clear gems taken by A2"),
    TableColumn("valid_actions", "int8", "flags left on areas whose action worked"),
    TableColumn("row_builds", "int8", "cards built from the common row"),
    TableColumn("trades", "int16", "trades"),
    TableColumn("gems_left", "int16", "gems held at the end"),
    TableColumn("hand_left", "int8", "cards in hand at the end"),
    TableColumn("synchrotrons", "int8", "exchanges by A4", in_record=False),
    TableColumn("exchanges", "int8", "cards exchanged after drawing", in_record=False),
    TableColumn("ties", "int16", "regions whose first place was shared", in_record=False),
    TableColumn("places", "int8", "places in the building order, summed", in_record=False),
    TableColumn("gems_paid", "int16", "gems paid for cards", in_record=False),
    *(
        TableColumn(f"chose_{area.lower()}", "int8", f"flags left on {area}", in_record=False)
        for area in AREAS
    ),
    *(
        TableColumn(
            f"worked_{area.lower()}",
            "int8",
            f"of those, the ones whose action worked ({area})",
            in_record=False,
        )
        for area in AREAS
    ),
)
TURN_KINDS = ("claim", "a1", "a3", "build", "trade", "synchrotron", "build only")
TURN_COLUMNS = (
    TableColumn("round", "int8", "number of the round"),
    TableColumn("what", "string", "what the turn was for", words=dict(enumerate(TURN_KINDS))),
    TableColumn("order_place", "int8", "place of the seat in the order, 1 the first"),
    TableColumn("gems", "int16", "gems held after the turn"),
    TableColumn("hand", "int8", "cards in hand after it"),
    TableColumn("points", "int16", "points of buildings after it"),
)


@kernel
def rounds(s: Record) -> int:
    """Rounds begun (CH-2.1)."""
    return s.round_number


@kernel
def game_row(s: Record, r: Record, w: Record, row: list[int], i: int) -> None:
    """The columns of GAME_COLUMNS, from place i on."""
    row[i] = w.unmined
    row[i + 1] = w.dead_heats
    row[i + 2] = s.pile_size


@kernel
def player_row(s: Record, r: Record, w: Record, seat: int, row: list[int], i: int) -> None:
    """The columns of PLAYER_COLUMNS, from place i on."""
    row[i] = popcount(s.built[seat])
    row[i + 1] = built_code(s, r, seat)
    row[i + 2] = w.regions_won[seat]
    row[i + 3] = w.gems_mined[seat]
    row[i + 4] = w.clear_taken[seat]
    row[i + 5] = 0
    row[i + 6] = w.row_builds[seat]
    row[i + 7] = w.trades[seat]
    row[i + 8] = total_held(s, seat)
    row[i + 9] = num_cards_of(s, seat)
    row[i + 10] = w.synchrotrons[seat]
    row[i + 11] = w.exchanges[seat]
    row[i + 12] = w.ties[seat]
    row[i + 13] = w.places[seat]
    row[i + 14] = w.gems_paid[seat]
    for area in range(NUM_AREAS):
        row[i + 15 + area] = w.chose[seat][area]
        row[i + 20 + area] = w.worked[seat][area]
        row[i + 5] += w.worked[seat][area]
