"""The columns of the tables are a promise: a change shows here."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from reefsim.games import registry
from reefsim.logs.schema import FAILURES, TABLES, describe, fields, schemas, type_name

STORED = Path(__file__).parents[1] / "data" / "schemas"


@pytest.mark.parametrize("name", registry.names())
def test_columns_and_types_are_those_on_file(name: str) -> None:
    rows = describe(registry.get(name))
    found = [f"{r['table']} {r['column']} {r['type']}{' null' * bool(r['null'])}" for r in rows]
    assert found == (STORED / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", registry.names())
def test_every_column_is_explained(name: str) -> None:
    game = registry.get(name)
    assert tuple(fields(game)) == (*TABLES, FAILURES)
    for table, columns in fields(game).items():
        names = [field.name for field in columns]
        assert len(set(names)) == len(names), table
        assert all(field.doc for field in columns)


def test_files_have_the_schema(folder: Path) -> None:
    wanted = schemas(registry.get("reef_encounter"))
    for path in folder.rglob("*.parquet"):
        table = path.relative_to(folder).parts[0]
        found = pq.read_schema(path)
        assert found.names == wanted[table].names
        assert [f.nullable for f in found] == [f.nullable for f in wanted[table]]
        found_types = [type_name(field.type) for field in found]
        assert found_types == [type_name(field.type) for field in wanted[table]]
