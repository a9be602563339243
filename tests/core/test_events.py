"""Events packed in one int: decoding whole chunks, rows of a record, and the way back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reefsim.core.events import Column, EventLayout
from reefsim.logs.events import EventEncoder

FISH = ("cod", None, "eel")
LAYOUT = EventLayout(
    fields=(("event", 2), ("seat", 3), ("a", 4), ("b", 5)),
    names=(("move", "action"), ("draw", "chance"), ("end", "end")),
    columns=(
        Column("seat", "int8", "who", {"*": ("seat", (0, 1, 2, 3))}),
        Column("fish", "string", "what", {"move": ("a", FISH), "draw": ("b", ("eel", "ray"))}),
        Column("size", "int16", "how large", {"move": ("b", range(10, 42))}),
        Column("luck", "bool", "whether", {"draw": ("a", (False, True))}),
    ),
)


def code(event: str, seat: int = 7, a: int = 0, b: int = 0) -> int:
    return LAYOUT.codes[event] | seat << 2 | a << 5 | b << 9


def test_rows_name_what_an_event_fills() -> None:
    codes = [code("move", 1, 2, 5), code("draw", a=1, b=1), code("end", 3), code("move", 0, 1, 31)]
    assert LAYOUT.rows(codes) == [
        {"ply": 0, "event": "move", "seat": 1, "fish": "eel", "size": 15},
        {"ply": 1, "event": "draw", "fish": "ray", "luck": True},
        {"ply": 2, "event": "end", "seat": 3},
        {"ply": 3, "event": "move", "seat": 0, "size": 41},
    ]
    assert LAYOUT.rows(codes[2:], first_ply=9)[0]["ply"] == 9


codes = st.builds(
    code,
    st.sampled_from(list(LAYOUT.codes)),
    st.integers(0, 7),
    st.integers(0, 15),
    st.integers(0, 31),
)


@given(st.lists(codes, max_size=30))
def test_the_columns_of_the_table_say_what_the_rows_say(chunk: list[int]) -> None:
    columns = EventEncoder(LAYOUT).encode(np.array(chunk, np.int64))
    assert list(columns) == ["event", "seat", "fish", "size", "luck"]
    found = {name: column.to_pylist() for name, column in columns.items()}
    for i, row in enumerate(LAYOUT.rows(chunk)):
        assert {name: values[i] for name, values in found.items()} == {
            name: row.get(name) for name in found
        }


def test_content_is_the_way_back() -> None:
    assert LAYOUT.content("move", "fish", "eel") == ("a", 2)
    assert LAYOUT.content("move", "size", 41) == ("b", 31)
    assert LAYOUT.content("draw", "luck", True) == ("a", 1)
    with pytest.raises(KeyError):
        LAYOUT.content("move", "luck", True)
    for event, column, value in [
        ("move", "fish", "ray"),
        ("move", "fish", None),
        ("move", "size", 42),
        ("move", "size", True),  # true is not 1
        ("draw", "luck", 1),
        ("move", "seat", 1.0),
    ]:
        with pytest.raises(ValueError, match=str(value)):
            LAYOUT.content(event, column, value)


def test_an_outcome_is_told_by_every_column_of_its_field() -> None:
    dice = EventLayout(
        fields=(("event", 2), ("a", 4)),
        names=(("roll", "chance"),),
        columns=(
            Column("zone", "int8", "where", {"roll": ("a", (0, 1, 1, 2, 2))}),
            Column("face", "int8", "which", {"roll": ("a", (None, 1, 2, 1, 2))}),
        ),
    )
    assert dice.told_by("roll") == ["zone", "face"]
    assert [dice.outcome("roll", row) for row in dice.rows([a << 2 for a in range(5)])] == [
        *range(5)
    ]
    for wrong in ({"zone": 0, "face": 1}, {"zone": 1}, {"zone": 1, "face": True}, {}):
        assert dice.outcome("roll", wrong) is None


def test_fields_and_roles() -> None:
    assert LAYOUT.places == {"event": (0, 3), "seat": (2, 7), "a": (5, 15), "b": (9, 31)}
    assert LAYOUT.read(code("draw", 4, 9, 17), "b") == 17
    assert LAYOUT.read(np.array([code("draw", 4)]), "seat").tolist() == [4]
    assert LAYOUT.roles["draw"] == "chance"


def test_events_have_to_fit_an_int64() -> None:
    wide = EventLayout(fields=(("event", 5), ("a", 59)), names=LAYOUT.names, columns=())
    with pytest.raises(ValueError, match="64 bits"):
        _ = wide.places
