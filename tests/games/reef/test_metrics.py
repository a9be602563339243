"""The game's own metrics and summaries: worked examples, and the tables of a small run."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from reefsim.core.metric import Part
from reefsim.games import registry
from reefsim.games.reef.constants import COLORS
from reefsim.games.reef.decks import RECONSTRUCTED, find
from reefsim.logs.read import Run, open_run
from reefsim.metrics.values import game_values, seat_values, summary
from reefsim.reporting.pieces import find_pieces
from tests.runs import play

METRIC = {metric.name: metric for metric in registry.info("reef").metrics}
SUMMARY = {summary.name: summary for summary in registry.info("reef").summaries}
TEXT = """\
question: What is counted?
game: reef
seats: 2
seed: 5
rulesets: {small: {coral_per_color: 8}}
agents: {a: {kind: random}}
lineups: {table: [a, a]}
stopping: {rule: fixed, replicates: 6}
save: {events: 1.0}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder: Path = tmp_path_factory.mktemp("reef") / "run"
    return open_run(play(folder, TEXT))


def part_of(turns: list[dict[str, Any]], deck_left: int = 5) -> Part:
    """One game of two seats, which seat 1 wins; `supply` of a turn is given by color."""
    table = pd.DataFrame(turns).assign(game_id=0)
    if "supply" in table:
        numbers = pd.DataFrame(table["supply"].tolist(), columns=[f"supply_{c}" for c in COLORS])
        table = table.join(numbers)
    players = pd.DataFrame({"game_id": 0, "seat": [0, 1], "rank": [2, 1]})
    games = pd.DataFrame({"game_id": [0], "deck_left": deck_left}).set_index("game_id")
    keyed = players.set_index(["game_id", "seat"])
    return Part(games, keyed, table, None, games.index, {}, {}, 2)


@pytest.mark.parametrize(
    ("supplies", "first", "number"),
    [
        ([(2, 2, 2, 2), (2, 0, 2, 2), (2, 0, 0, 2)], "red", 2),
        ([(1, 2, 2, 1), (0, 2, 2, 0)], "yellow and green", 2),
        ([(1, 2, 2, 1), (1, 1, 1, 1)], None, 0),
    ],
)
def test_colors_that_run_out(
    supplies: list[tuple[int, ...]], first: str | None, number: int
) -> None:
    part = part_of([{"supply": supply} for supply in supplies])
    assert METRIC["first_color_out"].compute(part).tolist() == ([first] if first else [])
    assert METRIC["colors_out"].compute(part).tolist() == [number]


@pytest.mark.parametrize(("left", "share"), [(0, 1), (1, 0)])
def test_a_deck_that_runs_out(left: int, share: int) -> None:
    assert METRIC["deck_out_share"].compute(part_of([], left)).tolist() == [share]


def test_points_by_family() -> None:
    turns = [
        {"seat": 0, "play": 1, "family": "single", "points": 4},
        {"seat": 1, "play": 1, "family": "single", "points": 3},
        {"seat": 0, "play": 0, "family": "line", "points": 0},  # a card taken
        {"seat": 1, "play": 1, "family": "line", "points": 0},
    ]
    found = SUMMARY["families"].compute(part_of(turns)).set_index("family")
    assert found.loc["single"].to_dict() == {"plays": 2, "blank": 0, "points": 7, "by_winners": 3}
    assert found.loc["line"].to_dict() == {"plays": 1, "blank": 1, "points": 0, "by_winners": 0}


def test_a_run_adds_up(run: Run) -> None:
    families = {card.id: card.family for card in find(RECONSTRUCTED).cards}
    events = run.events
    played = events[events["event"] == "play"]
    found = summary(run, "families").set_index("family")
    assert found["plays"].to_dict() == Counter(families[card] for card in played["card"])
    assert found["points"].sum() == run.players["pattern_points"].sum() > 0
    assert found["blank"].sum() == run.players["blank_plays"].sum()
    games = game_values(run, ["colors_out", "first_color_out", "deck_out_share", "end_cause"])
    is_out = games["end_cause"] == "coral_out"
    assert is_out.any()
    assert (games["colors_out"] >= is_out).all()
    assert (games["first_color_out"].notna() == (games["colors_out"] > 0)).all()
    assert (games["deck_out_share"] == (run.games["deck_left"] == 0)).all()


def test_a_page_of_a_run_without_families_leaves_them_out(run: Run, tmp_path: Path) -> None:
    assert set(find_pieces(run).uses["summary"]) == {"families"}
    folder = Path(shutil.copytree(run.folder, tmp_path / "older"))
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["columns"]["turns"]["family"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for path in folder.glob("turns/*/*.parquet"):
        pq.write_table(pq.read_table(path, partitioning=None).drop_columns("family"), path)
    assert find_pieces(open_run(folder)).uses.empty


def test_every_metric_of_seats_has_values(run: Run) -> None:
    names = [name for name, metric in METRIC.items() if metric.per == "seat"]
    seats = seat_values(run, names)
    assert not seats[names].isna().any().any()
    takes = run.events["event"].isin(("take_display", "take_deck")).sum()
    assert seats["display_takes_by_seat"].sum() + seats["deck_takes_by_seat"].sum() == takes
