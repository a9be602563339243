"""The experiment file: what a valid one becomes, its hash, overrides, sweeps and seatings."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reefsim
from reefsim.core.presets import config_dir
from reefsim.errors import ConfigError, Problem
from reefsim.sim.design import describe_plan, distinct_seatings, load, loads

START = (Path(__file__).parent / "start.yaml").read_text(encoding="utf-8")
SMALL = """
question: Is it fair?
game: reef_encounter
seats: 2
seed: 1
rulesets: {published: {}, equal: {initial_hand: [6, 6]}}
agents: {casual: {kind: greedy, noise: 0}, chance: {kind: random}}
lineups: {mixed: [casual, chance], alike: [chance, chance]}
stopping: {rule: fixed, replicates: 10}
"""


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def test_a_complete_file() -> None:
    experiment = loads(START, "somewhere/start.yaml")
    assert experiment.question.startswith("Do the printed starting tiles")
    assert (experiment.seats, experiment.seed, experiment.replicates) == (3, 20240611, 400)
    assert [arm.name for arm in experiment.arms] == [
        "published-strong_table",
        "published-one_expert",
        "equal_tiles-strong_table",
        "equal_tiles-one_expert",
        "steep_tiles-strong_table",
        "steep_tiles-one_expert",
        "advanced_feed_return_3-strong_table",
        "advanced_feed_return_4-strong_table",
        "advanced_feed_return_5-strong_table",
        "advanced_feed_return_6-strong_table",
    ]
    assert [arm.index for arm in experiment.arms] == list(range(10))
    sweep = experiment.arms[6].ruleset.differences()
    assert sweep == {
        "extra_growth": False, "feed_return": 3, "final_feed_return": 6, "min_feed_size": 6,
    }  # fmt: skip
    assert experiment.arms[1].lineup == ("strong", "casual", "casual")
    assert experiment.agents["strong"].params == {"weights": "auto", "noise": 0.0}
    assert experiment.max_plies == 3000
    assert experiment.events == 0.02
    assert experiment.baseline == "published"
    assert experiment.run.workers is None
    assert experiment.run.chunk == 50
    assert experiment.run.out == Path("somewhere/runs/initial_hand")
    assert experiment.outcomes["primary"] == {
        "first_seat_share": {"claim": "equivalent", "to": "1/seats", "margin_pp": 2.0}
    }
    assert experiment.targets["length_rounds"] == {"median": [14, 20], "p95_below": 30}
    assert experiment.report["compare_to"] == "published"
    assert experiment.source == (Path("somewhere/start.yaml"), START)
    assert pickle.loads(pickle.dumps(experiment)) == experiment


def test_what_a_short_file_leaves_to_the_defaults() -> None:
    experiment = loads(SMALL)
    assert [arm.name for arm in experiment.arms] == [
        "published-mixed", "published-alike", "equal-mixed", "equal-alike",
    ]  # fmt: skip
    assert (experiment.pairing, experiment.rotation) == ("chance", "auto")
    assert (experiment.events, experiment.max_plies) == (1.0, None)
    assert experiment.baseline == "published"
    assert experiment.run.backend == "threading"
    assert experiment.run.out == Path(f"runs/experiment-{experiment.config_hash}")


@pytest.mark.parametrize("path", sorted(config_dir().glob("*.yaml")), ids=lambda path: path.name)
def test_shipped_experiments(path: Path) -> None:
    experiment = load(path)
    assert experiment.outcomes["primary"]
    assert len(describe_plan(experiment)) == len(experiment.arms)


def test_the_plan_counts_games() -> None:
    rows = describe_plan(loads(SMALL))
    assert [(row.arm, row.differences, row.seatings, row.games) for row in rows] == [
        ("published-mixed", "published game", 2, 20),
        ("published-alike", "published game", 1, 10),
        ("equal-mixed", "initial_hand [6, 6]", 2, 20),
        ("equal-alike", "initial_hand [6, 6]", 1, 10),
    ]


@pytest.mark.parametrize(
    ("lineup", "count"),
    [("aa", 1), ("ab", 2), ("aaa", 1), ("abb", 3), ("abc", 6), ("aabb", 6), ("abcd", 24)],
)
def test_distinct_seatings(lineup: str, count: int) -> None:
    seatings = distinct_seatings(lineup)
    assert len(seatings) == count
    assert seatings[0] == tuple(range(len(lineup)))
    assert len({tuple(lineup[slot] for slot in seating) for seating in seatings}) == count


def test_each_agent_sits_equally_often_in_each_seat() -> None:
    seatings = distinct_seatings("abcc")
    for seat in range(4):
        sitting = ["abcc"[seating[seat]] for seating in seatings]
        assert [sitting.count(agent) for agent in "abc"] == [3, 3, 6]


def test_rotation_none_plays_the_lineup_as_written() -> None:
    arm = loads(SMALL + "design: {rotation: none}\n").arms[0]
    assert arm.seatings == ((0, 1),)


def test_full_rotation_of_a_mixed_lineup() -> None:
    text = changed(SMALL, "alike: [chance, chance]", "other: [chance, casual]")
    arm = loads(text + "design: {rotation: full}\n").arms[0]
    assert arm.seatings == ((0, 1), (1, 0))


DECIDES = [
    ("seed: 20240611", "seed: 20240612"),
    ("replicates: 400", "replicates: 401"),
    ("steep_tiles: {initial_hand: [6, 8, 10]}", "steep_tiles: {initial_hand: [6, 8, 11]}"),
    ("noise: 0.15", "noise: 0.16"),
    ("pairing: chance", "pairing: none"),
    ("rotation: auto", "rotation: none"),
    ("one_expert: [strong, casual, casual]", "one_expert: [strong, strong, casual]"),
    ("ruleset: [published, equal_tiles,", "ruleset: [equal_tiles, published,"),
    ("feed_return: [3, 4, 5, 6]", "feed_return: [3, 4, 5]"),
    ("max_plies: 3000", "max_plies: 3001"),
    ("events: 0.02", "events: all"),
    ("preset: advanced", "preset: digest000"),
]
DOES_NOT_DECIDE = [
    ("workers: auto", "workers: 2"),
    ("backend: threading", "backend: loky"),
    ("chunk: 50", "chunk: auto"),
    ("out: runs/initial_hand", "out: elsewhere"),
    ("formats: [html, md]", "formats: [md]"),
    ("margin_pp: 2.0", "margin_pp: 3.0"),
    ("median: [14, 20]", "median: [14, 21]"),
    ("three seats?", "3 seats?"),
    ("equal_tiles: {initial_hand: [6, 6, 6]}", "equal_tiles: {initial_hand: [6,6,6]} # same"),
    ("strong: {kind: greedy}", "strong: {noise: 0.0, kind: greedy}"),
    ("casual_table: [casual, casual, casual]", "casual_table: [strong, casual, casual]"),
]


@pytest.mark.parametrize(("old", "new"), DECIDES)
def test_the_hash_changes_with_what_decides_the_games(old: str, new: str) -> None:
    assert loads(changed(START, old, new)).config_hash != loads(START).config_hash


@pytest.mark.parametrize(("old", "new"), DOES_NOT_DECIDE)
def test_the_hash_does_not_change_with_anything_else(old: str, new: str) -> None:
    assert loads(changed(START, old, new)).config_hash == loads(START).config_hash


def test_the_hash_is_the_same_in_every_process_and_version() -> None:
    experiment = loads(SMALL)
    assert json.loads(json.dumps(experiment.resolved())) == experiment.resolved()
    without_weights = changed(SMALL, "{kind: greedy, noise: 0}", "{kind: random}")
    assert loads(without_weights).config_hash == "767df868b197"


def test_options_take_the_place_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "start.yaml"
    path.write_text(START, encoding="utf-8")
    experiment = load(path, seed=7, workers="2", backend="loky", chunk="auto", out="other")
    assert experiment.seed == 7
    assert (experiment.run.workers, experiment.run.backend, experiment.run.chunk) == (
        2, "loky", None,
    )  # fmt: skip
    assert experiment.run.out == Path("other"), "relative to the current folder"
    assert load(path).run.out == tmp_path / "runs" / "initial_hand", "relative to the file"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": "1e6"}, "--seed '1e6' is text, not a whole number 0-9223372036854775807."),
        ({"workers": 0}, "--workers 0 is outside 1-1024."),
        ({"workers": "many"}, "--workers 'many' is not 'auto' or a whole number 1-1024."),
        (
            {"backend": "thread"},
            "--backend 'thread' is not one of threading, loky, dask, ray. "
            "Did you mean 'threading'?",
        ),
        (
            {"chunk": True},
            "--chunk true is a truth value, not 'auto' or a whole number 1-10000000.",
        ),
        ({"out": " "}, "--out empty text where a path or address of a folder is expected."),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        loads(SMALL, **options)
    assert str(refused.value) == message


def test_out_knows_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert loads(SMALL, out="~/x").run.out == tmp_path / "x"
    assert loads(SMALL + "run: {out: ~/x}\n", "there/a.yaml").run.out == tmp_path / "x"
    assert loads(SMALL + "run: {out: 'a:b/~'}\n", "there/a.yaml").run.out == Path("there/a:b/~")


@pytest.mark.parametrize("sign", ["\n", "\0", "\x7f", "\udcff", "\u2028"])
def test_out_holds_no_control_characters(sign: str) -> None:
    with pytest.raises(ConfigError) as refused:
        loads(SMALL, out=f"a{sign}b")
    assert str(refused.value).startswith("--out 'a\\")
    assert str(refused.value).endswith(
        "b' holds control characters, which the name of a folder must not."
    )


def test_out_must_not_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"experiment.yaml:10:12 run.out: there is a file"):
        loads(SMALL + "run: {out: taken}\n", tmp_path / "experiment.yaml")
    with pytest.raises(ConfigError, match=r"--out there is a file"):
        loads(SMALL, out=tmp_path / "taken")


def test_a_sweep_over_two_toggles() -> None:
    text = SMALL + (
        "arms: {cross: {ruleset: [published], lineup: [alike]}}\n"
        "sweep: {ruleset: equal, lineup: alike, "
        "vary: {initial_hand: [[6, 7], [6, 8]], extra_growth: [true, false]}}\n"
    )
    names = [arm.ruleset_name for arm in loads(text).arms]
    assert names == [
        "published",
        "equal_initial_hand_6_7_extra_growth_true",
        "equal_initial_hand_6_7_extra_growth_false",
        "equal_initial_hand_6_8_extra_growth_true",
        "equal_initial_hand_6_8_extra_growth_false",
    ]


def test_too_many_arms() -> None:
    values = ", ".join(map(str, range(1, 51)))
    sweep = f"vary: {{max_turns: [{values}], max_shrimp_moves_per_turn: [{values}]}}"
    text = SMALL + f"sweep: {{ruleset: equal, lineup: alike, {sweep}}}\n"
    with pytest.raises(ConfigError, match=r"sweep.vary: 2500 arms. At most 1000 can be played."):
        loads(text)


def test_a_check_imports_no_engine() -> None:
    code = (
        "import sys; from reefsim.sim.design import load; load(sys.argv[1]); "
        "assert not {'numba', 'scipy', 'pandas'} & set(sys.modules), 'slow imports'"
    )
    example = config_dir() / "starting_tiles.yaml"
    root = Path(reefsim.__file__).parents[1]
    subprocess.run([sys.executable, "-c", code, str(example)], check=True, cwd=root)


def pieces() -> Iterator[str]:
    yield from ["{}", "[]", "[", "null", "true", "-1", "1e6", '"x"', "no", "&a", "*a", "- ", "\t"]
    yield from ["game", "published", "preset: base", "{kind: random}", "1/seats", ".nan", "'"]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_change_of_a_file_is_accepted_or_refused_line_by_line(data: st.DataObject) -> None:
    text = START
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 25)))
        text = text[:start] + data.draw(st.sampled_from(list(pieces()))) + text[end:]
    problems: list[Problem] = []
    try:
        loads(text, "start.yaml")
    except ConfigError as error:
        problems = error.problems
    assert not any("\n" in str(problem) for problem in problems)


def test_the_complete_file() -> None:
    experiment = load(Path(__file__).parent / "complete.yaml")
    assert len(experiment.arms) == 16
    assert experiment.stopping.rule == "precision"
    assert experiment.stopping.looks[:2] == (400, 600)
    assert experiment.stopping.looks[-1] == experiment.replicates == 20_000
    assert experiment.stopping.half_widths == {"first_seat_share": 0.01}
    assert experiment.targets["strong_beats_casual"] == {
        "lineup": "one_expert", "agent": "strong", "share_above": 0.5
    }  # fmt: skip
    assert experiment.replays["sample"] == 50
    assert experiment.judged == 0.02
    assert {"feed_return": 4} in experiment.dials.values()


LOOKS = (
    "stopping: {rule: precision, half_width_pp: {first_seat_share: 5}, "
    "replicates: {min: 100, max: 5000}}"
)


def test_the_stopping_rule_decides_what_is_played() -> None:
    text = changed(SMALL, "stopping: {rule: fixed, replicates: 10}", LOOKS)
    first = loads(text)
    assert loads(changed(text, "first_seat_share: 5", "first_seat_share: 6")).config_hash != (
        first.config_hash
    )
    assert loads(changed(text, "min: 100", "min: 200")).config_hash != first.config_hash
    asked = "outcomes: {primary: {first_seat_share: {claim: differs}}}\n"
    assert loads(text + asked).config_hash == first.config_hash
    decides = text.replace("precision, half_width_pp: {first_seat_share: 5}", "decision")
    one = loads(decides + asked)
    other = loads(decides + asked.replace("differs", "superior"))
    assert one.config_hash != other.config_hash
