"""Numbers of legal action sequences: they notice any change of the rules.

tests/data/counts/reef_encounter.txt names positions in the handed game records. The numbers are
the engine's; a second, separate list of the legal actions (`oracle.py`) has to give the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import FIRST_LOCK, LARVA_PAIRS, NUM_TILES, Kind
from reefsim.games.reef_encounter.events import CELL_NAMES
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.testing import divide, perft
from tests.games.reef_encounter import oracle
from tests.games.reef_encounter.told import FOLDER, walk
from tests.sizes import sized

COUNTS = Path(__file__).parents[2] / "data" / "counts" / "reef_encounter.txt"


@dataclass(frozen=True)
class Case:
    """A line of the file: a record, a ply in it, a depth and the number of sequences."""

    record: str
    ply: int
    depth: int
    sequences: int
    source: str

    def __str__(self) -> str:
        return f"{self.record}-{self.ply}-{self.depth}"

    def match(self) -> Match:
        """The position; what chance does from here on is keyed by zeros."""
        for match, _ in walk(FOLDER / f"{self.record}.jsonl"):
            if match.ply >= self.ply:
                match.work.scripted = 0
                return match.copy()
        raise ValueError(self)


def read_counts() -> list[Case]:
    lines = COUNTS.read_text(encoding="utf-8").splitlines()
    rows = [line.split(maxsplit=4) for line in lines if line and not line.startswith("#")]
    return [Case(row[0], int(row[1]), int(row[2]), int(row[3]), row[4]) for row in rows]


CASES = read_counts()
SHORT = [case for case in CASES if case.sequences <= sized(4_000, 10**9)]


@pytest.mark.clause("M2")
@pytest.mark.parametrize("case", SHORT, ids=str)
def test_number_of_legal_action_sequences(case: Case) -> None:
    assert perft(case.match(), case.depth) == case.sequences, divide(case.match(), case.depth)


def count(match: Match, depth: int, legal: Callable[[Match], list[int]]) -> int:
    """The same count with the legal actions from elsewhere, each of which has to be accepted."""
    if depth == 0 or match.over:
        return 1
    total = 0
    for action in legal(match):
        child = match.copy()
        child.apply(action)
        total += count(child, depth - 1, legal)
    return total


def told_by_oracle(match: Match) -> list[int]:
    return oracle.legal_actions(Position(match.plain_state(), match.rules))


@pytest.mark.parametrize("case", [c for c in CASES if c.sequences <= sized(300, 10**5)], ids=str)
def test_the_oracle_counts_the_same(case: Case) -> None:
    assert count(case.match(), case.depth, told_by_oracle) == case.sequences


def every_action(match: Match, rng: random.Random) -> Iterator[int]:
    """Every code that is an action somewhere; shrimps move from their cells and a few more."""
    cells = [cell for cell, name in enumerate(CELL_NAMES) if name]
    origins = {cell for seat in match.plain_state().shrimp_cell for cell in seat if cell >= 0}
    origins |= set(rng.sample(cells, 3))
    single = {
        Kind.STASH: range(5),
        Kind.CHOOSE_LARVAE: range(len(LARVA_PAIRS)),
        Kind.FEED: cells,
        Kind.GROW: range(5),
        Kind.GROW_BONUS: range(2),
        Kind.SHRIMP_IN: cells,
        Kind.SHRIMP_OUT: cells,
        Kind.TO_LARVA: range(5),
        Kind.TO_POLYP: range(5),
        Kind.COLLECT: range(5),
    }
    for kind, operands in single.items():
        yield from (kind << 16 | b for b in operands)
    yield from (kind << 16 for kind in (Kind.END_GROW, Kind.PASS_TURN, Kind.NO_FEED))
    double = {
        Kind.PLACE: (range(2), cells),
        Kind.SHRIMP_MOVE: (sorted(origins), cells),
        Kind.ALGA: (range(5), range(FIRST_LOCK + NUM_TILES)),
    }
    for kind, (first, second) in double.items():
        yield from (kind << 16 | a << 8 | b for a, b in product(first, second))


@pytest.mark.parametrize("record", sorted({case.record for case in CASES})[:: sized(8, 1)])
def test_an_action_has_a_reason_exactly_if_it_is_not_legal(record: str) -> None:
    rng = random.Random(record)
    for ply, (match, _) in enumerate(walk(FOLDER / f"{record}.jsonl")):
        if ply % sized(60, 20) == 3:
            accepted = [a for a in every_action(match, rng) if not match.why_illegal(a)]
            assert sorted(accepted) == match.legal_actions(), match.ply


def test_the_file_says_where_its_numbers_come_from() -> None:
    assert len(CASES) >= 20
    assert all(case.source for case in CASES)
    assert {case.depth for case in CASES} >= {1, 2, 3}
    assert GAME.name in COUNTS.stem
