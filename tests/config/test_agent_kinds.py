"""Agents in an experiment file: parameters of the kinds, and a user's own classes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reefsim.agents.kinds import KINDS, import_agent_class, param_problems, resolve_params

OWN = """
class Patient:
    def __init__(self, rng, size=5, name="x"):
        self.size = size

    def act(self, view):
        return view.legal_actions[0]

class Mute:
    pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before = set(sys.modules)
    (tmp_path / "own_agents.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "broken_agents.py").write_text("raise RuntimeError('no\\nway')", encoding="utf-8")
    (tmp_path / "needy_agents.py").write_text("import not_there", encoding="utf-8")
    (tmp_path / "leaving_agents.py").write_text("raise SystemExit(3)", encoding="utf-8")
    (tmp_path / "typo_agents.py").write_text("def f(:", encoding="utf-8")
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_every_kind_describes_itself_and_its_parameters() -> None:
    for name, kind in KINDS.items():
        assert kind.name == name
        assert kind.doc
        assert all(field.description for field in kind.params.model_fields.values())


def test_defaults_are_filled_in() -> None:
    assert resolve_params("greedy", {}) == {"weights": "auto", "noise": 0.0}
    assert resolve_params("greedy", {"noise": 1}) == {"weights": "auto", "noise": 1.0}
    assert resolve_params("random", {}) == {}


@pytest.mark.parametrize("noise", [-1, "0.1", True, None, float("nan"), float("inf"), [0.1]])
def test_the_noise_of_greedy(noise: object) -> None:
    assert [name for name, _ in param_problems("greedy", {"noise": noise})] == ["noise"]


@pytest.mark.parametrize("name", ["time", "time_ms", "seconds", "budget_s", "TIMEOUT", "ms"])
def test_limits_in_time_are_refused_for_every_kind(name: str) -> None:
    for kind in ("greedy", "random"):
        [(found, message)] = param_problems(kind, {name: 1})
        assert found == name
        assert message == "a limit in time. Results would depend on the machine; use iterations."


def test_an_own_class_beside_the_file(folder: Path) -> None:
    assert param_problems("own_agents:Patient", {"size": 6}, folder) == []
    assert import_agent_class("own_agents:Patient", folder).__name__ == "Patient"
    assert resolve_params("own_agents:Patient", {"size": 6}) == {"size": 6}
    assert str(folder) not in sys.path


@pytest.mark.parametrize(
    ("kind", "params", "message"),
    [
        (
            "own_agents:Patent",
            {},
            "module 'own_agents' has no class 'Patent'. Did you mean 'Patient'?",
        ),
        ("own_agents:Mute", {}, "class 'Mute' has no method 'act'."),
        (
            "own_agents:Patient",
            {"siz": 6},
            "own_agents:Patient cannot be made as Patient(rng, siz=6): got an unexpected keyword "
            "argument 'siz'.",
        ),
        (
            "none_agents:X",
            {},
            "there is no module 'none_agents'. Looked beside the file and in the installed "
            "packages.",
        ),
        (
            "needy_agents:X",
            {},
            "there is no module 'not_there', which 'needy_agents' imports. Looked beside the file "
            "and in the installed packages.",
        ),
        ("broken_agents:X", {}, "importing 'broken_agents' failed with RuntimeError: no way."),
        ("leaving_agents:X", {}, "importing 'leaving_agents' failed with SystemExit: 3."),
        (":X", {}, "':X' is not of the form module:Class."),
        ("own agents:X", {}, "'own agents:X' is not of the form module:Class."),
    ],
)
def test_an_own_class_that_cannot_be_used(
    folder: Path, kind: str, params: dict[str, object], message: str
) -> None:
    assert param_problems(kind, params, folder) == [("kind", message)]


def test_a_syntax_error_in_an_own_module_is_one_line(folder: Path) -> None:
    [(_, message)] = param_problems("typo_agents:X", {}, folder)
    assert message.startswith("importing 'typo_agents' failed with SyntaxError: ")
    assert "\n" not in message


def test_an_own_class_takes_single_values_only(folder: Path) -> None:
    [(name, message)] = param_problems("own_agents:Patient", {"size": [1]}, folder)
    assert name == "size"
    assert message == "a list where a number, a truth value or text is expected."
