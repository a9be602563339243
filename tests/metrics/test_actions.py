"""Counts of actions by seat, against the table of events."""

from __future__ import annotations

import pytest

from reefsim.games import registry
from reefsim.logs.read import Run
from reefsim.metrics.actions import action_counts, action_kinds

KINDS = registry.get("reef_encounter").action_kinds


def test_kinds_are_those_of_the_game(opened: Run) -> None:
    assert tuple(action_kinds(opened.manifest)) == KINDS


def test_counts_agree_with_events(opened: Run) -> None:
    found = action_counts(opened).set_index(["game_id", "seat"])
    events = opened.events[opened.events["turn"] > 0]
    for kind in KINDS:
        rows = events[events["event"] == kind]
        counts = rows.groupby(["game_id", rows["seat"].astype("int64")]).size()
        assert (found[kind] == counts.reindex(found.index, fill_value=0)).all(), kind
    assert found.groupby("game_id")["win_share"].sum().to_numpy() == pytest.approx(1)
    players = opened.players
    assert found["agent"].tolist() == players["agent"].tolist()
    one = action_counts(opened, arms=[opened.arms[1]])
    assert set(one["arm"]) == {opened.arms[1]}
