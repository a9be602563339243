"""Games found by a condition, and conditions that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import reefsim as rs
from reefsim.errors import ReefsimError
from reefsim.metrics.values import game_values
from tests.runs import play


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> rs.Run:
    return rs.open(play(tmp_path_factory.mktemp("where") / "run"))


def test_games_by_columns_and_metrics(run: rs.Run) -> None:
    margins = game_values(run, ["margin_points"])["margin_points"]
    games = run.games
    for condition, wanted in {
        "margin_points > 10": margins > 10,
        "turns >= 40 and not truncated": (games.turns >= 40) & ~games.truncated,
        "truncated or margin_points > 5 * 2": games.truncated | (margins > 10),
        "arm == 'published-table'": games.arm == "published-table",
        "rotation in [1] and 20 < turns <= 60": (games.rotation == 1) & games.turns.between(21, 60),
        "turns - rounds > -1e9": games.turns > 0,
    }.items():
        found = run.where(condition)
        assert list(found.game_id) == list(games.game_id[wanted.to_numpy(bool)]), condition
    assert list(run.where("margin_points > 10")) == ["arm", "game_id", "margin_points"]
    assert len(run.where("turns < 0")) == 0


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("__import__('os').system('touch owned')", "call is not allowed"),
        ("games.turns > 3", "attribute is not allowed"),
        ("turns.__class__", "attribute is not allowed"),
        ("[x for x in turns]", "listcomp is not allowed"),
        ("(lambda: 1)() > 0", "lambda is not allowed|call is not allowed"),
        ("turns[0] > 1", "subscript is not allowed"),
        ("turns ** 99999999 > 1", "pow is not allowed"),
        ("@turns > 1", "invalid syntax"),
        ("turns > 1; turns", "invalid syntax"),
        ("f'{turns}' == '1'", "joinedstr is not allowed"),
        ("turn > 3", "'turn' is neither a column of games nor a metric.*Did you mean 'turns'"),
        ("score > 3", "'score' is neither"),
        ("turns", "neither true nor false"),
        ("turns + 1", "neither true nor false"),
        ("1 < 2", "it names no column"),
        ("", "invalid syntax"),
        ("arm > 3", "do not go together: arm is text. Such as: truncated"),
        ("turns > 'many'", "do not go together: turns is a number. Such as: truncated"),
        ("turns + 1", "neither true nor false. Such as: truncated"),
        ("(" * 300 + "turns" + ")" * 300 + " > 1", "too many|cannot be read|nested"),
        ("turns > 1 or " * 70 + "turns > 1", "more than 200 parts"),
        ("x" * 2000, "longer than 1000"),
        ("turns > 1\x00", "null bytes|cannot be read"),
    ],
)
def test_what_is_no_condition_gives_one_line(run: rs.Run, condition: str, says: str) -> None:
    with pytest.raises(ReefsimError, match=says) as refused:
        run.where(condition)
    assert "\n" not in str(refused.value)
    assert not Path("owned").exists()
