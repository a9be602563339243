"""A small real run with games kept and judged, for what the page tells of the game itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from reefsim.logs.read import Run, open_run
from reefsim.sim.oracle import Settings, appraise
from tests.runs import play

TEXT = """\
question: Does the advanced game help the first seat?
game: reef_encounter
seats: 3
seed: 7
rulesets: {published: {}, advanced: {preset: advanced}}
agents: {a: {kind: random}, b: {kind: random}}
lineups: {table: [a, a, a], mixed: [b, a, a]}
arms:
  cross: {ruleset: [published, advanced], lineup: [table, mixed]}
  baseline: {ruleset: published}
outcomes:
  primary:
    first_seat_share: {claim: equivalent, to: 1/seats, margin_pp: 2.0}
targets: {length_rounds: {median: [5, 100]}, truncated_share: {below: 0.5}}
design: {rotation: none}
stopping: {rule: fixed, replicates: 6}
report: {formats: [html, md]}
"""


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = play(tmp_path_factory.mktemp("real") / "run", TEXT)
    run = open_run(folder)
    appraise(run, Settings(oracle="points"), replicates=2, mode="plain")
    return run


@pytest.fixture(scope="session")
def real_page(real: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from reefsim.reporting.render import write_report

    return write_report(real, tmp_path_factory.mktemp("page") / "real.html")
