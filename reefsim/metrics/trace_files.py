"""The files in which an oracle keeps what it says of the positions of saved games.

They lie beside the tables of a run, at `oracle/<name>/arm=<arm>/part-00000.parquet`; parts are
those of the tables, with the games of a sample only. A row is a position: after the set-up, after
an action, the end.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reefsim.errors import RunError
from reefsim.logs.files import arrow_place
from reefsim.logs.schema import Field
from reefsim.logs.write import part_path
from reefsim.metrics.trace import DECISION, FloatArray, Trace

FOLDER = "oracle"
DEFAULT = "evaluation"


def fields(seats: int) -> tuple[Field, ...]:
    """Columns of the file of an oracle, with their meanings."""
    own = "of the seat that acted, over its legal actions; NaN if they were not tried"
    return (
        Field("game_id", pa.int64(), "as in the table games"),
        Field("ply", pa.int32(), "events of the game so far"),
        Field("turn", pa.int16(), "turn now, 0 in the set-up"),
        Field("seat", pa.int8(), "who acted; null in the first row", nullable=True),
        Field(
            "action",
            pa.dictionary(pa.int16(), pa.string()),
            "kind of the last action; null in the first row",
            nullable=True,
        ),
        Field("legal", pa.int16(), "legal actions there were"),
        *(
            Field(f"chance_{p}", pa.float64(), f"chance that seat {p} wins; what it won at the end")
            for p in range(seats)
        ),
        *(Field(f"error_{p}", pa.float64(), "its standard error, 0: none") for p in range(seats)),
        *(Field(f"points_{p}", pa.int32(), f"true points of seat {p}") for p in range(seats)),
        Field("best", pa.float64(), f"largest chance {own}"),
        Field("second", pa.float64(), f"second-largest chance {own}"),
        Field("worst", pa.float64(), f"smallest chance {own}"),
        Field("near", pa.float64(), f"actions within 2 % of the best {own}"),
        Field("effective", pa.float64(), f"effective choices {own}"),
        Field("swing", pa.float64(), f"swing of a kingmaking decision, 0 if it was none, {own}"),
    )


def trace_path(folder: Path, oracle: str, arm: str, part: int) -> Path:
    """Where the values of an oracle for a part of a run are kept."""
    return part_path(folder / FOLDER, oracle, arm, part)


def read_traces(path: Path, seats: int) -> dict[int, Trace]:
    """Read what an oracle says of the games of a part.

    Parameters
    ----------
    path : its file (`trace_path`)
    seats : number of seats

    Returns
    -------
    trace by game_id; empty if there is no file

    Raises
    ------
    RunError : if the file is damaged
    """
    if not path.exists():
        return {}
    try:
        system, name = arrow_place(path)
        table = pq.read_table(name, filesystem=system, partitioning=None)
        columns = {name: table.column(name) for name in table.column_names}
        ids = columns["game_id"].to_numpy()
        starts = np.flatnonzero(np.diff(ids, prepend=ids[:1] - 1))

        def block(name: str) -> FloatArray:
            parts = [columns[f"{name}_{p}"].to_numpy().astype(float) for p in range(seats)]
            return np.stack(parts, axis=1)

        chance, error, points = block("chance"), block("error"), block("points")
        movers = columns["seat"].fill_null(-1).to_numpy().astype(np.int64)
        actions = np.array(columns["action"].to_pylist(), object)
        ply, turn = (columns[name].to_numpy().astype(np.int64) for name in ("ply", "turn"))
        decisions = {name: columns[name].to_numpy() for name in DECISION}
    except (pa.ArrowException, OSError, KeyError) as error_:
        raise RunError(f"{path}: damaged. Remove it and let the oracle work it out again.") from (
            error_
        )
    found = {}
    for first, end in zip(starts, [*starts[1:], len(ids)], strict=True):
        rows, steps = slice(first, end), slice(first + 1, end)
        found[int(ids[first])] = Trace(
            chance[rows],
            error[rows],
            points[rows],
            movers[steps],
            actions[steps],
            ply[rows],
            turn[rows],
            {name: column[steps] for name, column in decisions.items()},
        )
    return found
