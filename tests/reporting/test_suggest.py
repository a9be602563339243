"""What should I change: only what was played, nearer to the goal or not, and what to try."""

from __future__ import annotations

import pandas as pd

from reefsim.reporting.manifest import read_manifest
from reefsim.reporting.numbers import DASH, MINUS, NBSP
from reefsim.reporting.render import find_report, render
from reefsim.reporting.suggest import (
    BETTER,
    EVEN,
    OPEN,
    WORSE,
    Suggestion,
    config_file,
    find_suggestions,
)
from reefsim.testing.toy_runs import ToyArm, toy_run

FAIR = {"first_seat_share": {"claim": "equivalent", "to": "1/seats", "margin_pp": 2.0}}

WIDE = {"margin_pp": 15.0}


def suggestions(*arms: ToyArm, primary=None, replicates: int = 600) -> list[Suggestion]:
    experiment = {"outcomes": {"primary": FAIR if primary is None else primary}}
    run = toy_run(arms, replicates, experiment=experiment, baseline="base")
    return find_suggestions(run, read_manifest(run.manifest, run.games), pd.DataFrame(), "runs/toy")


def plain(text: str) -> str:
    return text.replace(NBSP, " ").replace(DASH, "-").replace(MINUS, "-")


def test_rules_that_bring_the_goal_nearer_come_first():
    rows = suggestions(
        ToyArm("base-table", weights=(2.5, 1, 1)),
        ToyArm("worse-table", weights=(6, 1, 1), rules={"bonus": 2}),
        ToyArm("mild-table", rules={"bonus": 0}),
    )
    assert [row.status for row in rows] == [BETTER, WORSE]
    assert rows[0].change == "mild: bonus = 0"
    assert rows[0].confidence == "nearer to the goal"
    assert plain(rows[0].effect[0]).startswith("first seat wins 5")
    assert "pp (95 % -3" in plain(rows[0].effect[0])
    assert rows[0].following == "reefsim compare runs/toy --arm mild-table --arm base-table"


def test_beyond_the_goal_is_not_nearer():
    (row, _) = suggestions(
        ToyArm("base-table", weights=(1.2, 1, 1)), ToyArm("steep-table", weights=(0.2, 1, 1))
    )
    assert row.status == WORSE


def test_as_far_on_the_other_side_is_not_known():
    (row, _) = suggestions(
        ToyArm("base-table", weights=(2, 1, 1)),
        ToyArm("mirror-table", weights=(0.4, 1, 1)),
        replicates=100,
    )
    assert row.status == OPEN
    assert row.following == "reefsim power --from runs/toy"


def test_a_change_within_the_margin_makes_no_difference_that_matters():
    (row,) = suggestions(
        ToyArm("base-table"),
        ToyArm("other-table", rules={"bonus": 0}),
        primary={"first_seat_share": FAIR["first_seat_share"] | WIDE},
    )[:1]
    assert (row.status, row.confidence) == (EVEN, EVEN)
    assert row.following == "reefsim compare runs/toy --arm other-table --arm base-table"


def test_a_change_that_holds_at_one_table_only_says_so():
    mixed = ("strong", "greedy", "greedy")
    (row, _) = suggestions(
        ToyArm("base-table", weights=(3, 1, 1)),
        ToyArm("base-mixed", mixed),
        ToyArm("mild-table", rules={"bonus": 0}),
        ToyArm("mild-mixed", mixed, rules={"bonus": 0}),
    )
    assert len(row.effect) == 2
    assert row.effect[0].startswith("table: ")
    assert "table: nearer to the goal" in row.confidence


def test_a_difference_is_neither_better_nor_worse():
    rows = suggestions(
        ToyArm("base-table"),
        ToyArm("long-table", rounds=14),
        primary={"length_rounds": {"claim": "differs"}},
    )
    assert rows[0].status == ""
    assert rows[0].confidence == "a change is shown"


def test_without_other_rules_there_is_only_something_to_try():
    (row,) = suggestions(ToyArm("base-table", weights=(3, 1, 1)))
    assert row.status == "try"
    assert row.effect[0].startswith("not played")
    assert row.following == "reefsim list toggles toy_race"


def test_what_was_not_played_is_tried_in_a_sweep():
    rows = suggestions(ToyArm("base-table"), ToyArm("odd-table", rules={"bonus": 1}))
    assert rows[-1].change == "Try other values of bonus"
    assert rows[-1].following == "reefsim sweep experiments/toy/config.yaml"


def test_a_switch_has_no_other_values_to_try():
    switched = ToyArm("odd-table", rules={"open_hands": True})
    assert suggestions(ToyArm("base-table"), switched)[-1].change == "Try a rule that bears on it"
    both = ToyArm("odd-table", rules={"open_hands": True, "bonus": 1})
    assert suggestions(ToyArm("base-table"), both)[-1].change == "Try other values of bonus"


def test_a_choice_all_of_whose_names_were_played_has_no_others_to_try():
    arms = [
        ToyArm("base-table"),
        ToyArm("odd-table", rules={"coral_out_end": "immediate", "setup_mode": "free"}),
    ]
    run = toy_run(arms, 600, experiment={"outcomes": {"primary": FAIR}}, game="reef")
    rows = find_suggestions(run, read_manifest(run.manifest, run.games), pd.DataFrame(), "runs/toy")
    assert rows[-1].change == "Try other values of setup_mode"  # of three names


def test_the_experiment_file_of_a_command():
    assert config_file("reefsim run 'my file.yml' --seed 3") == "my file.yml"
    assert config_file("reefsim ladder random greedy") == ""


def test_where_every_claim_holds_nothing_has_to_change():
    experiment = {"outcomes": {"primary": {"first_seat_share": FAIR["first_seat_share"] | WIDE}}}
    report = find_report(toy_run([ToyArm("base-table")], 600, experiment=experiment))
    assert report.is_met
    assert report.suggestions == []
    assert "Nothing has to change: every claim holds in every arm." in render(report)


def test_a_missed_target_is_something_to_change():
    experiment = {"outcomes": {"primary": {"first_seat_share": FAIR["first_seat_share"] | WIDE}}}
    arms = [ToyArm("base-table")]
    for wanted, is_met in (([1, 1000], True), ([900, 1000], False)):
        asked = experiment | {"targets": {"length_rounds": {"median": wanted}}}
        report = find_report(toy_run(arms, 600, experiment=asked))
        assert report.is_met == is_met
        assert ("every target is met" in render(report)) == is_met
