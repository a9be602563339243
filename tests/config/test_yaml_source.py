"""The YAML reader: values as YAML 1.2 reads them, places, and files that are not usable."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reefsim.core.yaml_source import MAX_BYTES, parse_yaml, read_yaml
from reefsim.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("010", 10),  # YAML 1.1: 8
        ("0o10", 8),
        ("0x1F", 31),
        ("-3", -3),
        ("6:30", "6:30"),  # YAML 1.1: 390
        ("1_000", "1_000"),  # YAML 1.1: 1000
        ("1e3", 1000.0),  # YAML 1.1 in PyYAML: text
        (".5", 0.5),
        ("2024-06-11", "2024-06-11"),  # YAML 1.1: a date
        ("no", "no"),  # YAML 1.1: False
        ("On", "On"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ('"8"', "8"),
        ("'true'", "true"),
        ('"\\ud83d\\ude00"', "\U0001f600"),  # as JSON escapes a character beyond U+FFFF
    ],
)
def test_values_follow_the_core_schema(text: str, value: object) -> None:
    document = parse_yaml(f"a: {text}\n", "f.yaml")
    assert document.problems == []
    assert document.data == {"a": value}
    assert type(document.data["a"]) is type(value)


def test_every_name_and_value_has_its_place() -> None:
    document = parse_yaml("a:\n  b: [1, {c: 2}]\n3: x\n", "f.yaml")
    assert document.data == {"a": {"b": [1, {"c": 2}]}, 3: "x"}
    assert document.place(("a", "b", 1, "c")) == (2, 14)
    assert document.place(("a", "b", 1, "c"), at_name=True) == (2, 11)
    assert document.place((3,)) == (3, 4)
    assert document.place(("a", "b", "missing")) == (2, 6), "what is missing is at its parent"
    assert str(document.problem(("a", "b", 1, "c"), "wrong.")) == "f.yaml:2:14 a.b.c: wrong."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:\n\tb: 1\n", "f.yaml:2:1 a tab character. YAML is indented with spaces only."),
        ("a: 1\n  \tb: 2", "f.yaml:2:3 a tab character. YAML is indented with spaces only."),
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1 a: this name stands twice, in lines 1 and 3. Keep one."),
        ("[" * 100_000, "f.yaml:1:32 more than 30 levels of lists and maps."),
        ("a: " + "9" * 5000, "f.yaml:1:4 a: a number of 5000 digits, more than 40. "
                           "Text of digits must be in quotes."),
        ("a: " + "{b: " * 50_000, "f.yaml:1:124 more than 30 levels of lists and maps."),
        (
            "a: [" + "1," * 30_000 + "]",
            "f.yaml:1:10001 more than 5000 values; no one wrote these by hand.",
        ),
        ("a: \x00", "f.yaml:1:4 the character U+0000 cannot stand in a YAML file."),
        ('a: "\\ud800"', "f.yaml:1:4 a: '\\ud800' holds half a character (\\uD800 to \\uDFFF)."),
        ("true: 1", 'f.yaml:1:1 the name on this line is read as the truth value True. '
                    'Put it in quotes: "true".'),
        ("1.5: 1", 'f.yaml:1:1 the name on this line is read as the number 1.5. '
                   'Put it in quotes: "1.5".'),
        ("~: 1", 'f.yaml:1:1 the name on this line is read as empty. Put it in quotes: "~".'),
        ("? [a]\n: 1", "f.yaml:1:3 a list, map or reference as a name. Names are text."),
        ("&x a: 1", "f.yaml:1:1 references ('&x') are not read here; write the value out."),
        ("a: @b", "f.yaml:1:4 this is not YAML: found character '@' that cannot start any token."),
        ("a: 'b", "f.yaml:1:6 this is not YAML: found unexpected end of stream."),
        ("%YAML 2.0\n---\na: 1", "f.yaml:1:1 this is not YAML: found incompatible YAML document "
                                 "(version 1.* is required)."),
    ],
)  # fmt: skip
def test_mistakes_of_form(text: str, message: str) -> None:
    assert [str(problem) for problem in parse_yaml(text, "f.yaml").problems] == [message]


def test_references_that_multiply_are_refused_one_by_one() -> None:
    lines = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    document = parse_yaml("a0: &a0 [x]\n" + "\n".join(lines), "f.yaml")
    assert document.data["a29"] == [None] * 9
    assert len(document.problems) == 30 + 29 * 9


def refusal(path: object) -> str:
    with pytest.raises(ConfigError) as refused:
        read_yaml(str(path))
    return str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary.yaml").write_bytes(b"a: 1\nb: \xff\xfe\n")
    (tmp_path / "large.yaml").write_bytes(b"#" * (MAX_BYTES + 1))
    (tmp_path / "utf16.yaml").write_text("a: 1", encoding="utf-16")
    expected = {
        "missing.yaml": "does not exist",
        ".": "is a directory; give the path of a YAML file in it",
        "binary.yaml": "is not UTF-8 text (byte 9, in line 2)",
        "large.yaml": "is larger than 1 MiB; it cannot be a file written by hand",
        "utf16.yaml": "is not UTF-8 text (byte 1, in line 1)",
        "binary.yaml/x": "cannot be read: Not a directory",
        "a\0b": "cannot be read: embedded null byte",
    }
    for name, message in expected.items():
        path = tmp_path / name
        shown = str(path).replace("\0", "\\x00")
        assert refusal(path) == f"{shown} {message}"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "mark.yaml").write_text("a: 1", encoding="utf-8-sig")
    document = read_yaml(tmp_path / "mark.yaml")
    assert document.data == {"a": 1}
    assert document.place(("a",)) == (1, 4)


@given(st.text(alphabet=st.sampled_from("ab:{}[]-?&*!|>'\"%@`#,\n\t 1.\x85"), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    document = parse_yaml(text, "f.yaml")
    for problem in document.problems:
        assert "\n" not in str(problem)
        assert problem.line >= 1
