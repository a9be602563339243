"""Run folders: read by reefsim, and by others without it."""

from __future__ import annotations

import json
import shutil
from functools import reduce
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from reefsim.core.replay import check_record
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.logs.manifest import arm_rules
from reefsim.logs.read import Run, open_run
from reefsim.logs.write import part_path, write_table
from tests.runs import ARMS, GAMES


def test_tables_as_data_frames(opened: Run) -> None:
    games = opened.games
    assert opened.arms == ARMS
    assert len(games) == GAMES
    assert games["game_id"].is_unique
    assert games["game_id"].is_monotonic_increasing
    assert list(games["arm"].cat.categories) == list(ARMS)
    assert list(games.columns[:2]) == ["arm", "game_id"]
    assert len(opened.players) == 2 * GAMES
    assert len(opened.events) == games["plies"].sum()
    assert len(opened.turns) == games["turns"].sum()
    assert opened.timing["games"].sum() == GAMES
    assert repr(opened) == f"<Run {opened.folder}: {GAMES} of {GAMES} games>"


def test_types_do_not_depend_on_the_rows(opened: Run) -> None:
    games, events = opened.games, opened.events
    assert games["ender"].dtype == pd.Int8Dtype()
    assert games["turns"].dtype == "int16"
    assert isinstance(games["end_cause"].dtype, pd.CategoricalDtype)
    assert events["growth"].dtype == pd.BooleanDtype()
    assert events["n_legal"].dtype == pd.Int16Dtype()
    few = opened.table("events", ["seat", "n_legal"], [("event", "=", "grow_bonus")])
    assert not len(few)
    assert few.dtypes.to_dict() == events[["seat", "n_legal"]].dtypes.to_dict()


def test_some_columns_and_rows(opened: Run) -> None:
    found = opened.table("events", ["arm", "cell"], [("event", "=", "place")])
    assert list(found.columns) == ["arm", "cell"]
    assert len(found) == (opened.events["event"] == "place").sum()
    only = opened.table("games", filters=ds.field("arm") == ARMS[1])
    assert set(only["arm"]) == {ARMS[1]}


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        (
            "game",
            None,
            "'game' is not a table. Tables: games, players, turns, events, timing, failures.",
        ),
        ("players", ["scor"], "players has no column 'scor'. Columns: arm, game_id, seat"),
    ],
)
def test_what_is_not_there(
    opened: Run, table: str, columns: list[str] | None, message: str
) -> None:
    with pytest.raises(RunError) as error:
        opened.table(table, columns)
    assert str(error.value).startswith(message)


def test_records_are_games_by_the_rules(opened: Run) -> None:
    game = registry.get("reef_encounter")
    for game_id in opened.games["game_id"][::17]:
        record = opened.record(int(game_id))
        verdict = check_record(record, game)
        assert verdict.ok, str(verdict)


def test_a_game_that_is_not_there(opened: Run) -> None:
    for game_id in (2, -1, 10**13, 1500):
        with pytest.raises(RunError, match=f"there is no game {game_id} in this run"):
            opened.record(game_id)


def test_only_complete_parts_count(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(folder, copy)
    next((copy / "games" / f"arm={ARMS[0]}").iterdir()).unlink()
    found = open_run(copy)
    assert set(found.events["game_id"]) == set(found.games["game_id"])
    shutil.rmtree(copy / "games")
    assert not len(open_run(copy).games)
    assert list(open_run(copy).games.columns) == list(open_run(folder).games.columns)


def test_others_read_the_files(opened: Run, folder: Path) -> None:
    wanted = opened.players.groupby("arm", observed=True)["score"].sum().to_dict()
    files = f"{folder}/players/*/*.parquet"
    by_polars = (
        pl.read_parquet(files, hive_partitioning=True).group_by("arm").agg(pl.col("score").sum())
    )
    assert dict(by_polars.iter_rows()) == wanted
    by_duckdb = duckdb.sql(
        f"select arm, sum(score) from read_parquet('{files}', hive_partitioning=true) group by arm"
    )
    assert dict(by_duckdb.fetchall()) == wanted
    by_pandas = pd.read_parquet(folder / "players").groupby("arm", observed=True)["score"].sum()
    assert by_pandas.to_dict() == wanted
    events = pl.read_parquet(f"{folder}/events/*/*.parquet")
    assert len(events) == len(opened.events)
    assert events["cell"].drop_nulls().len() == opened.events["cell"].notna().sum()


@pytest.mark.parametrize("place", ["x:y/z", "s3:/b/x", "file:/tmp/x", "~", "~/x", "a b%20#?*[é]"])
def test_any_name_of_a_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = part_path(Path(place), "games", ARMS[0], 0)
    write_table(path, pq.read_table(part_path(folder, "games", ARMS[0], 0), partitioning=None))
    assert [p.name for p in (tmp_path / place).rglob("*.*")] == ["part-00000.parquet"]
    shutil.copytree(folder, place, dirs_exist_ok=True)
    assert len(open_run(place).players) == 2 * GAMES
    assert open_run(place).record(1001).players == 2


def changed_manifest(folder: Path, *path: str | int, value: object) -> None:
    """Change one entry of a manifest."""
    file = folder / "manifest.json"
    inner = manifest = json.loads(file.read_text(encoding="utf-8"))
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    file.write_text(json.dumps(manifest), encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("arms",), [], "arms: List should have at least 1 item"),
        (("arms", 1, "replicates"), "15", "arms.1.replicates: Input should be a valid integer"),
        (("arms", 0, "name"), "../x", "arms.0.name: String should match pattern"),
        (("arms", 0, "name"), ARMS[1], "two arms have the same name"),
        (("part_replicates",), 0, "part_replicates: Input should be greater than or equal to 1"),
        (("counts",), None, "counts: Input should be"),
        (
            ("experiment", "outcomes"),
            {"primary": {"x": {"claim": "differs", "to": "me"}}},
            "experiment.outcomes.primary.x.to: Input should be '1/seats' or 'baseline' or a valid "
            "number",
        ),
        (("columns", "games"), {}, "columns of the table games are missing"),
        (("result_columns",), ["seat", "sore"], "columns of the table players are missing"),
        (("experiment", "max_plies"), True, "experiment.max_plies: Input should be"),
        (
            ("experiment", "outcomes", "primary"),
            {"first_seat_share": {"claim": "differs", "margin_pp": "2"}},
            "experiment.outcomes.primary.first_seat_share.margin_pp: Input should be",
        ),
    ],
)
def test_a_manifest_with_other_things_in_it(
    folder: Path, tmp_path: Path, path: tuple[str | int, ...], value: object, message: str
) -> None:
    shutil.copy(folder / "manifest.json", tmp_path)
    changed_manifest(tmp_path, *path, value=value)
    with pytest.raises(RunError) as error:
        open_run(tmp_path)
    assert str(error.value).startswith(f"{tmp_path}/manifest.json: damaged: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_no_parts_are_left_out(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "run")
    part = part_path(copy, "games", ARMS[0], 0)
    for name in ("part-xyz", "part-0", "part-000000", "part-00003", "part-99999"):
        shutil.copy(part, part.with_name(f"{name}.parquet"))
    assert len(open_run(copy).games) == GAMES
    with pytest.raises(RunError, match=r"in this run\. Its games are listed by: reefsim replay"):
        open_run(copy).record(99_999_000)


@pytest.mark.parametrize("table", ["games", "players", "events"])
@pytest.mark.parametrize(
    ("size", "message"),
    [
        (None, "missing. Its games are played again by: reefsim resume "),
        (0, "damaged: "),
        (400, "damaged: "),
        (-400, "damaged: "),
    ],
)
def test_damaged_parts_are_named(
    folder: Path, tmp_path: Path, table: str, size: int | None, message: str
) -> None:
    copy = shutil.copytree(folder, tmp_path / "run")
    path = part_path(copy, table, ARMS[1], 0)
    content = path.read_bytes()
    path.unlink()
    if size is not None:
        path.write_bytes(content[:size])
    elif table == "games":
        return  # a part that is not complete
    for read in (lambda run: run.table(table), lambda run: run.record(10**12)):
        with pytest.raises(RunError) as error:
            read(open_run(copy))
        assert str(error.value).startswith(f"{path}: {message}")
        assert "\n" not in str(error.value)


def test_parts_that_do_not_agree_are_named(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "run")
    path = part_path(copy, "players", ARMS[0], 1)
    table = pq.read_table(path, partitioning=None)
    write_table(path, table.slice(0, 0))
    with pytest.raises(RunError, match=rf"{path}: damaged: 0 rows, not {len(table)}\. Remove it"):
        _ = open_run(copy).players
    write_table(path, table.drop_columns("score"))
    with pytest.raises(RunError, match=rf"{path}: damaged: its columns are not those"):
        _ = open_run(copy).players


def test_a_wrong_filter_is_no_damage(opened: Run) -> None:
    with pytest.raises(RunError, match="games: cannot be read: "):
        opened.table("games", filters=ds.field("nothing") == 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "not the folder of a run: there is no manifest.json in it"),
        ("{", "damaged"),
        ("[" * 200_000, "damaged: too many brackets in brackets"),
        ("not JSON", "damaged"),
        ('{"format": 1}', "damaged: game: Field required"),
        ('{"format": 1, "config_hash": "a"}', "damaged: game: Field required"),
        ('{"format": 1, "seed": ' + "9" * 400 + "}", "damaged: a number of 400 digits"),
        ("[]", "run format None; this reefsim reads 1"),
        ('{"format": 99}', "run format 99; this reefsim reads 1"),
    ],
)
def test_folders_that_are_no_runs(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(RunError, match=message):
        open_run(tmp_path)
    with pytest.raises(RunError, match="there is no such folder"):
        open_run(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="file: not the folder of a run: it is a file"):
        open_run(tmp_path / "file")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ended", 7),
        ("ended", {"replicates": 5}),
        ("volatile", 3),
        ("stopping", 3),
        ("config_text", 5),
        ("part_replicates", 10**12),
        ("experiment", {"max_plies": None, "events": 1e308, "outcomes": {"primary": {}}}),
        ("experiment.report.formats", ["zz"]),
        ("experiment.report.show", 7),
        ("experiment.targets", {"length_rounds": 7}),
        ("experiment.outcomes.secondary", 7),
        ("experiment.outcomes.primary", {"first_seat_share": {"margin_pp": 2.0}}),
        ("experiment.outcomes.primary", {"first_seat_share": {"claim": "differs", "to": "zz"}}),
        ("dials", 7),
        ("replays", [7]),
        ("replays", [{"game_id": 0, "file": "replays/../../secret"}]),
        ("agents_source", 7),
    ],
)
def test_a_manifest_with_other_values(folder: Path, tmp_path: Path, name: str, value: Any) -> None:
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    *path, last = name.split(".")
    reduce(lambda part, key: part[key], path, content)[last] = value
    (tmp_path / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RunError, match=rf"manifest\.json: damaged: {name}"):
        open_run(tmp_path)


def test_rules_that_the_game_does_not_know(folder: Path, tmp_path: Path) -> None:
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    content["arms"][1]["rules"] = {"feed_retrun": 3}
    message = r"manifest\.json: arms\.advanced-table\.rules\.feed_retrun: unknown toggle"
    with pytest.raises(RunError, match=message):
        arm_rules(tmp_path, content)
    content["game"] = "of_another_package"  # its logs can be read without it
    assert arm_rules(tmp_path, content)["advanced-table"] == {"feed_retrun": 3}


def test_the_manifest_tells_how_it_was_done(opened: Run) -> None:
    manifest = json.loads((opened.folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["counts"] == {
        "complete": True,
        "planned": GAMES,
        "games": GAMES,
        "arms": dict.fromkeys(ARMS, GAMES // 2),
    }
    assert manifest["question"] == "Does the advanced game help the first seat?"
    assert manifest["arms"][1]["rules"] == {
        "extra_growth": False,
        "feed_return": 5,
        "final_feed_return": 6,
    }
    assert manifest["arms"][0]["agents"]["a"] == {"kind": "random", "params": {}}
    assert manifest["baseline"] == "published"
    assert set(manifest["versions"]) == {"python", "reefsim", "numpy", "numba", "pyarrow", "rules"}
