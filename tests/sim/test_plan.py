"""Parts, shares of events, and folders that hold something else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from reefsim.errors import RunError
from reefsim.logs.manifest import first_difference
from reefsim.logs.stock import kept_replicates
from reefsim.logs.write import part_path
from reefsim.sim import plan
from reefsim.sim.runner import run
from tests.runs import ARMS, GAMES, TEXT, digests, experiment, play, small_parts


@pytest.mark.parametrize(
    ("replicates", "size"), [(1, 50), (400, 50), (1000, 125), (2000, 250), (100_000, 250)]
)
def test_parts_have_100_to_500_games(tmp_path: Path, replicates: int, size: int) -> None:
    text = TEXT.replace("replicates: 15", f"replicates: {replicates}")
    assert plan.part_replicates(experiment(tmp_path, text)) == size


def test_parts_cover_the_plan_in_turns_of_the_arms(tmp_path: Path) -> None:
    design = experiment(tmp_path, TEXT.replace("replicates: 15", "replicates: 120"))
    parts = list(plan.parts(design))
    assert [(p.arm.index, p.number, p.first, p.replicates) for p in parts] == [
        (arm, number, 50 * number, size)
        for number, size in enumerate((50, 50, 20))
        for arm in (0, 1)
    ]
    assert sum(part.games for part in parts) == plan.num_games(design) == 480


@pytest.mark.parametrize("share", [0, 1, 0.5, 0.1, 0.3, 1 / 3, 0.02, 0.999])
def test_events_are_kept_of_evenly_spread_replicates(share: float) -> None:
    kept = kept_replicates(share, np.arange(10_000))
    assert kept.mean() == pytest.approx(share, abs=1e-4)
    assert kept[0] == (share > 0)
    gaps = np.diff(np.flatnonzero(kept))
    assert not len(gaps) or gaps.max() - gaps.min() <= 1
    later = np.arange(9_000_000, 9_000_100)
    assert kept[:100].sum() == pytest.approx(kept_replicates(share, later).sum(), abs=1)


def test_first_difference() -> None:
    old = {"a": 1, "rules": {"x": {"y": 1}, "z": 2}}
    assert first_difference(old, old) is None
    assert first_difference(old, {**old, "b": 2}) == ("b", None, 2)
    new = {"a": 1, "rules": {"x": {"y": 3}, "z": 2}}
    assert first_difference(old, new) == ("rules.x.y", 1, 3)
    assert first_difference(old, {"a": 1}) == ("rules", old["rules"], None)


@pytest.mark.parametrize(
    ("change", "options", "difference"),
    [
        (
            ("advanced: {preset: advanced}", "advanced: {feed_return: 6}"),
            {},
            "rulesets.advanced.extra_growth: False -> True",
        ),
        (("table: [a, b]", "table: [b, b]"), {}, "lineups.table: [a, b] -> [b, b]"),
        (("replicates: 15", "replicates: 16"), {}, "replicates: 15 -> 16"),
        ((", advanced: {preset: advanced}", ""), {}, "rulesets.advanced: {"),
        (("", ""), {"seed": 8}, "seed: 7 -> 8"),
    ],
)
def test_a_folder_of_another_design_is_refused(
    folder: Path, change: tuple[str, str], options: dict[str, int], difference: str
) -> None:
    text = TEXT.replace(*change) if change[0] else TEXT
    with pytest.raises(RunError) as error:
        plan.check_folder(experiment(folder, text, **options))
    message = str(error.value)
    start = f"{folder}: this folder holds 60 finished games of another design (config "
    assert message.startswith(start)
    assert f"; differs at {difference}" in message.replace("false", "False").replace("true", "True")
    kept = {"table: [a, b]": "", "": "", "replicates: 15": "60"}.get(change[0], "30")
    extend = f", or 'reefsim run --extend' to keep the {kept} games that are the same in both"
    assert message.endswith(f"). Choose a new 'out'{extend if kept else ''}.")


def test_names_and_questions_do_not_make_another_design(folder: Path) -> None:
    plan.check_folder(experiment(folder, TEXT.replace("Does the", "How much does the")))
    plan.check_folder(experiment(folder, workers=2, chunk=3, backend="loky"))


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RunError, match="holds other things than a run"):
        plan.check_folder(experiment(tmp_path))
    (tmp_path / "thesis.txt").unlink()
    plan.check_folder(experiment(tmp_path))


def test_games_of_other_rules_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch)
    out = play(tmp_path / "run")
    monkeypatch.setattr(plan, "rules_source", lambda game: "changed")
    with pytest.raises(RunError, match="played by another version of the rules"):
        plan.check_folder(experiment(out))


@pytest.mark.parametrize("events", ["all", "0.1", "none"])
def test_a_part_that_lacks_a_table_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, events: str
) -> None:
    small_parts(monkeypatch)
    text = f"{TEXT}save: {{events: {events}}}\n"
    design = experiment(play(tmp_path / "run", text), text)
    assert not plan.missing_parts(design)
    before = digests(design.run.out)
    for table in ("games", "players", "turns", "timing"):
        part_path(design.run.out, table, ARMS[1], 2).unlink()
        missing = plan.missing_parts(design)
        assert [(part.arm.name, part.number) for part in missing] == [(ARMS[1], 2)]
        assert plan.counts(design)["games"] == GAMES - missing[0].games
        run(design, mode="plain")
        assert digests(design.run.out) == before


def test_the_command_names_the_seed_if_the_file_does_not(tmp_path: Path) -> None:
    file = (tmp_path / "small.yaml").as_posix()
    described = plan.describe(experiment(tmp_path / "run"))
    assert described["command"] == f"reefsim run {file}"
    other = plan.describe(experiment(tmp_path / "run", seed=70))
    assert other["command"] == f"reefsim run {file} --seed 70"
    json.dumps(described)
