"""Games of other packages: known by their entry points, and harmless where they are broken."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reefsim.cli.app import app
from reefsim.errors import UnknownGameError
from reefsim.games import registry

KNOWN = set(registry.names())
GAME_INFO = """
from reefsim.games.registry import GameInfo

INFO = GameInfo("{name}", "A game", range(2, 4), "{module}_rules:Rules", "{module}_rules:GAME")
"""
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package: its distribution's name, the module that names its game, entry points."""
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = set(sys.modules)

    def make(package: str, code: str, **offers: str) -> None:
        module = package.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(code)
        about = tmp_path / f"{module}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {place}\n" for name, place in offers.items())
        (about / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{lines}")
        registry._known.cache_clear()

    yield make
    for module in set(sys.modules) - modules:
        del sys.modules[module]
    monkeypatch.undo()
    registry._known.cache_clear()


def test_an_installed_package_brings_its_game(install: Install) -> None:
    install("dicey", GAME_INFO.format(name="dicey", module="dicey"), dicey="dicey:INFO")
    assert set(registry.names()) == {*KNOWN, "dicey"}
    assert registry.info("dicey").title == "A game"
    assert "dicey" not in registry.faults()
    assert "dicey" in CliRunner().invoke(app, ["list", "games"]).stdout


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("def (", "SyntaxError: invalid syntax (dicey.py, line 1)"),
        ("raise SystemError('line one\\nline two')", "SystemError: line one line two"),
        ("GAME = 1", "AttributeError: module 'dicey' has no attribute 'INFO'"),
        ("INFO = 'no GameInfo'", "TypeError: this is not a GameInfo"),
        (GAME_INFO.format(name="other", module="x"), "its GameInfo calls it 'other'"),
    ],
)
def test_a_broken_package_costs_its_own_game_only(install: Install, code: str, says: str) -> None:
    install("dicey", code, dicey="dicey:INFO")
    install("fine", GAME_INFO.format(name="fine", module="fine"), fine="fine:INFO")
    assert set(registry.names()) == {*KNOWN, "fine"}
    sentence = registry.faults()["dicey"]
    assert sentence.startswith("the game 'dicey' of dicey cannot be loaded: dicey:INFO: ")
    assert says in sentence
    assert "\n" not in sentence
    with pytest.raises(UnknownGameError) as caught:
        registry.info("dicey")
    assert str(caught.value) == f"'dicey' is not a game. {sentence}"
    listed = CliRunner().invoke(app, ["list", "games"])
    assert listed.exit_code == 0
    assert sentence in listed.stderr


def test_the_place_of_an_error_is_named(install: Install, tmp_path: Path) -> None:
    install("dicey", "\n\nnumber = 1 / 0\n", dicey="dicey:INFO")
    assert registry.faults()["dicey"].endswith(f"division by zero ({tmp_path / 'dicey.py'}:3)")


def test_an_engine_that_cannot_be_imported_is_told_in_a_line(install: Install) -> None:
    install("dicey", GAME_INFO.format(name="dicey", module="dicey"), dicey="dicey:INFO")
    with pytest.raises(UnknownGameError, match="dicey_rules:GAME: ModuleNotFoundError: No module"):
        registry.get("dicey")
    failed = CliRunner().invoke(app, ["list", "toggles", "dicey"])
    assert failed.exit_code == 2
    assert failed.stderr.count("\n") == 1
    assert "the game 'dicey' cannot be loaded: dicey_rules:Rules" in failed.stderr


def test_a_name_of_two_games_is_refused(install: Install) -> None:
    for package in ("one", "two"):
        install(package, GAME_INFO.format(name="dicey", module=package), dicey=f"{package}:INFO")
    assert set(registry.names()) == KNOWN
    assert registry.faults()["dicey"] == (
        "two games are called 'dicey', those of one and two: "
        "uninstall two, or give its game another name."
    )


def test_the_games_that_come_with_reefsim_keep_their_names(install: Install) -> None:
    first = registry.names()[0]
    install("dicey", GAME_INFO.format(name=first, module="dicey"), **{first: "dicey:INFO"})
    assert set(registry.names()) == KNOWN
    assert registry.info(first).title != "A game"
    assert f"two games are called '{first}', those of reefsim and dicey" in registry.faults()[first]
