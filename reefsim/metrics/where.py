"""Games of a run that fulfil a condition on columns and metrics: `truncated or margin_points > 60`.

A condition holds names, numbers, texts, lists of them, comparisons, + - * /, and, or, not. Nothing
else is evaluated, so a condition from a stranger is safe.
"""

from __future__ import annotations

import ast
from typing import Any

import pandas as pd

from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import ReefsimError
from reefsim.logs.read import Run
from reefsim.metrics.catalog import known
from reefsim.metrics.values import game_values

_ALLOWED = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(ast.Name, ast.Load, ast.Constant, ast.List, ast.Tuple),
)
_MOST_TEXT, _MOST_NODES = 1000, 200
_HOW = "Such as: truncated or margin_points > 60"


def games_where(run: Run, condition: str) -> pd.DataFrame:
    """Find games by a condition.

    Parameters
    ----------
    run : an open run
    condition : of columns of the table games and of metrics with one value per game; a value that
        is not known fulfils no comparison

    Returns
    -------
    pandas.DataFrame, in the order of the run: arm, game_id, and the names in the condition

    Raises
    ------
    ReefsimError : if the condition cannot be understood, or holds a name that is neither
    RunError : if what it asks for was not kept
    """
    names = _names(condition)
    table = run.table("games")
    metrics = [n for n, metric in known(run.manifest["game"]).items() if metric.per == "game"]
    asked = [name for name in names if name not in table.columns]
    for name in asked:
        if name not in metrics:
            near = did_you_mean(name, [*table.columns, *metrics])
            what = f"'{name}' is neither a column of games nor a metric of a game."
            raise ReefsimError(f"--where {condition!r}: {sentences(what, near)}")
    if asked:
        values = game_values(run, asked)[["game_id", *asked]]
        table = table.merge(values, on="game_id", how="left", validate="one_to_one")
    shown = list(dict.fromkeys(["arm", "game_id", *names]))
    table = table[shown]
    try:
        found: Any = table.eval(condition, engine="python", local_dict={}, global_dict={})
        chosen = pd.Series(found, index=table.index).fillna(False).infer_objects()
    except Exception:  # whatever pandas makes of types that do not go together
        kinds = ", ".join(f"{name} is {_kind(table[name])}" for name in names)
        what = f"its parts do not go together: {kinds}."
        raise ReefsimError(f"--where {condition!r}: {what} {_HOW}") from None
    if chosen.dtype not in ("bool", "boolean"):
        what = "it is no condition: of a game it is neither true nor false."
        raise ReefsimError(f"--where {condition!r}: {what} {_HOW}")
    return table[chosen.to_numpy(bool)].reset_index(drop=True)


def _kind(column: pd.Series) -> str:
    """What the values of a column are, in words."""
    if pd.api.types.is_bool_dtype(column):
        return "true or false"
    if pd.api.types.is_numeric_dtype(column):
        return "a number"
    return "text" if isinstance(column.dtype, pd.CategoricalDtype) else "a list"


def _names(condition: str) -> list[str]:
    """Names in a condition, in their order; refuses everything that is no condition."""
    shown = f"--where {condition[:_MOST_TEXT]!r}"
    if len(condition) > _MOST_TEXT:
        raise ReefsimError(f"{shown}...: longer than {_MOST_TEXT} characters.")
    try:
        tree = ast.parse(condition.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        what = error.msg if isinstance(error, SyntaxError) else "it cannot be read"
        raise ReefsimError(f"{shown}: {what}. {_HOW}") from None
    nodes = list(ast.walk(tree))
    if len(nodes) > _MOST_NODES:
        raise ReefsimError(f"{shown}: more than {_MOST_NODES} parts.")
    for node in nodes:
        is_odd = isinstance(node, ast.Constant) and not isinstance(
            node.value, bool | int | float | str
        )
        if not isinstance(node, _ALLOWED) or is_odd:
            what = type(node).__name__.lower()
            raise ReefsimError(f"{shown}: {what} is not allowed in a condition. {_HOW}")
    found = [node for node in nodes if isinstance(node, ast.Name)]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    if not found:
        raise ReefsimError(f"{shown}: it names no column. {_HOW}")
    return list(dict.fromkeys(node.id for node in found))
