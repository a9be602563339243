"""Raw rows as tables: nothing is lost, and joining pieces changes nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from reefsim.games import registry
from reefsim.logs.arrays import dictionary, lists, numbers, texts
from reefsim.logs.encode import ArmLabels, Encoder, game_ids, join, split_id
from reefsim.logs.events import EventEncoder
from reefsim.sim.playout import Chunk, Table, jobs_of

GAME = registry.get("reef_encounter")
LABELS = ArmLabels(3, "base-table", "base", "{}", "table", ("a", "b", "a"), 5, "abc")


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(GAME, GAME.ruleset(), 3, [{"kind": 0}] * 3, seed=5, mode="plain")


@pytest.fixture(scope="module")
def chunk(table: Table) -> Chunk:
    return table.play(jobs_of([(0, 1, 2), (1, 0, 2)], 0, 3))


def test_events_are_those_of_the_record(chunk: Chunk) -> None:
    columns = EventEncoder(GAME.events).encode(chunk.events)
    rows = pa.table(columns).to_pylist()
    for row, code in zip(rows, chunk.events.tolist(), strict=True):
        [wanted] = GAME.events.rows([code])
        found = {name: value for name, value in row.items() if value is not None}
        assert {"ply": 0, **found} == wanted


def test_events_are_decoded_alike_across_blocks(
    chunk: Chunk, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = EventEncoder(GAME.events).encode(chunk.events)
    monkeypatch.setattr("reefsim.logs.events._BLOCK", 100)
    assert EventEncoder(GAME.events).encode(chunk.events) == whole


def test_a_game_s_row(chunk: Chunk) -> None:
    tables = Encoder(GAME, LABELS).encode(chunk)
    row = tables["games"].to_pylist()[1]
    assert row["game_id"] == 3 * 10**12 + 1
    assert (row["replicate"], row["rotation"]) == (0, 1)
    assert row["agents"] == ["b", "a", "a"]
    assert row["players"] == 3
    assert row["seed"] == 5
    assert len(row["boards"]) == 3
    players = tables["players"].to_pylist()[3:6]
    assert [player["agent"] for player in players] == ["b", "a", "a"]
    assert [player["slot"] for player in players] == [1, 0, 2]
    ranks = [player["rank"] for player in players]
    assert row["winners"] == [seat for seat, rank in enumerate(ranks) if rank == 1]
    assert sum(player["win_share"] for player in players) == pytest.approx(1)
    assert sum(player["margin_others"] for player in players) == pytest.approx(0, abs=1e-5)
    assert sum(player["decisions"] for player in players) == row["decisions"]


def test_the_tables_of_a_game_agree(chunk: Chunk) -> None:
    tables = {name: t.to_pandas() for name, t in Encoder(GAME, LABELS).encode(chunk).items()}
    games = tables["games"].set_index("game_id")
    events = tables["events"].groupby("game_id", sort=False)
    turns = tables["turns"].groupby("game_id", sort=False)
    assert (events.size() == games["plies"]).all()
    assert (events["ply"].max() + 1 == games["plies"]).all()
    assert (turns.size() == games["turns"]).all()
    assert (tables["turns"]["turn"] > 0).all()
    assert (events["event"].last() == "end").all()
    assert (events["value"].last().astype(str) == games["end_cause"].astype(str)).all()


def test_joining_pieces_changes_nothing(table: Table, chunk: Chunk) -> None:
    jobs = chunk.jobs
    pieces = [table.play(jobs[:1]), table.play(jobs[1:4]), table.play(jobs[4:])]
    encoder = Encoder(GAME, LABELS)
    assert encoder.encode(join(pieces)) == encoder.encode(chunk)


def test_without_events_there_is_no_table_of_them(table: Table, chunk: Chunk) -> None:
    encoder = Encoder(GAME, LABELS)
    tables = encoder.encode(table.play(chunk.jobs, events=False))
    assert set(tables) == {"games", "players", "turns"}
    assert tables["games"] == encoder.encode(chunk)["games"]


def test_a_value_that_does_not_fit_is_refused(chunk: Chunk) -> None:
    games = chunk.games.copy()
    games[0, 0] = 2**15
    broken = Chunk(**{**vars(chunk), "games": games})
    with pytest.raises(pa.ArrowInvalid, match="32768"):
        Encoder(GAME, LABELS).encode(broken)


def test_arrays() -> None:
    null = np.array([False, True, False])
    assert numbers(np.array([1, 2, 3]), null).to_pylist() == [1, None, 3]
    assert numbers(np.array([True, True, False]), null).to_pylist() == [True, None, False]
    assert numbers(np.arange(6)[::2]).to_pylist() == [0, 2, 4]
    assert texts(["a", "é", ""]).to_pylist() == ["a", "é", ""]
    found = dictionary(np.array([2, 1, 0]), ["a", "b", "a"], null)
    assert found.to_pylist() == ["a", None, "a"]
    assert found.dictionary.to_pylist() == ["a", "b"]
    assert lists(numbers(np.arange(3)), [2, 0, 1]).to_pylist() == [[0, 1], [], [2]]


def test_an_id_tells_arm_replicate_and_rotation() -> None:
    jobs = np.array([[0, 0], [7, 1], [123_456_789, 3]])
    for arm in (0, 2):
        arms, replicates, rotations = split_id(game_ids(arm, jobs))
        assert (arms == arm).all()
        assert np.array_equal(np.stack([replicates, rotations], axis=1), jobs)
