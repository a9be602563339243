"""One text, two modes: twins, slots and primitives, and the cache that follows the sources."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reefsim.core import jit
from reefsim.core.bits import lowest, nth, popcount
from reefsim.core.kernel import build
from reefsim.core.layout import Layout, PlainRecord, store

# A toy driver with slots, and a toy game in a package of its own: rules, and a helper they call.
DRIVER = """
    from reefsim.core.kernel import entry, kernel, slot

    @slot
    def gain(s, n):
        '''Filled by the game.'''
        return 0

    @kernel
    def twice(s, n):
        return gain(s, n) + gain(s, n)

    @entry
    def play(states, n):
        s = states[0]
        s.score += twice(s, n)
        return s.score
"""
RULES = """
    from reefsim.core.bits import lowest, nth, popcount
    from reefsim.core.kernel import kernel
    from toy_game.helper import factor

    @kernel
    def gain(s, n):
        '''Points for a set.'''
        return factor() * popcount(n)

    @kernel
    def first(members):
        return lowest(members)

    @kernel
    def member(members, n):
        return nth(members, n)
"""
HELPER = """
    from reefsim.core.kernel import kernel

    FACTOR = {factor}

    @kernel
    def factor():
        return FACTOR
"""
SCORE = Layout("toy", [("score", np.int64)])


def write_toys(folder: Path, factor: int = 3) -> None:
    package = folder / "toy_game"
    package.mkdir(exist_ok=True)
    texts = {
        folder / "toy_driver.py": DRIVER,
        package / "__init__.py": "",
        package / "rules.py": RULES,
        package / "helper.py": HELPER.format(factor=factor),
    }
    for path, text in texts.items():
        path.write_text(textwrap.dedent(text))


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The toy driver and the toy rules, imported."""
    write_toys(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    import toy_driver
    import toy_game.rules

    yield toy_driver, toy_game.rules
    for name in [name for name in sys.modules if name.startswith("toy_")]:
        del sys.modules[name]


def compile_all(function: types.FunctionType, mark: object) -> Any:
    import numba

    return numba.njit(function)


def test_kernels_are_ordinary_functions(toys: Any) -> None:
    _, rules = toys
    assert rules.gain(None, 0b1011) == 9
    assert rules.gain.__doc__ == "Points for a set."
    assert rules.gain.__module__ == "toy_game.rules"


def test_a_slot_is_filled_with_the_game(toys: Any) -> None:
    driver, rules = toys
    kernels = build([driver], {"gain": rules.gain}, "plain")
    s = SCORE.plain()
    assert kernels.play([s], 0b11) == 12
    assert kernels.gain(s, 0b1) == 3
    assert s.score == 12
    # the modules as imported are untouched: the slot of the driver is still empty
    assert driver.play([SCORE.plain()], 0b11) == 0


def test_two_games_in_one_process_keep_their_own_rules(toys: Any) -> None:
    driver, rules = toys

    def other(s: Any, n: int) -> int:
        return 100

    other.__module__ = rules.__name__
    rules.other = rules.kernel(other)
    one = build([driver], {"gain": rules.gain}, "plain")
    two = build([driver], {"gain": rules.other}, "plain")
    states = [SCORE.plain(), SCORE.plain()]
    assert [one.play(states[:1], 1), two.play(states[1:], 1)] == [6, 200]


@pytest.mark.jitted
def test_jitted_kernels_do_the_same(toys: Any) -> None:
    driver, rules = toys
    kernels = build([driver], {"gain": rules.gain}, "jitted", compile_all)
    states = SCORE.array(1)
    assert kernels.play(states, 0b111) == 18
    assert kernels.play(states, 0b1) == 24
    assert int(states[0].score) == 24
    assert rules.gain(None, 0b1) == 3  # still plain


@pytest.mark.jitted
def test_inner_kernels_become_entries_when_python_asks_for_them(toys: Any, tmp_path: Path) -> None:
    driver, rules = toys
    compile_kernel = jit.compiler(tmp_path, False)
    kernels = build([driver], {"gain": rules.gain}, "jitted", compile_kernel)
    assert kernels.play(SCORE.array(1), 0b111) == 18  # with `gain` as a part of it
    assert not any(tmp_path.glob("*gain*"))
    assert kernels.gain(0, 0b111) == 9
    with pytest.raises(AttributeError, match="no kernel 'loss'"):
        _ = kernels.loss


SETS = [1, 0b1011000, 1 << 62, (1 << 63) - 1, 1 << 31, 0x5555555555555555]


def assert_primitives(rules: types.ModuleType) -> None:
    """Native and plain primitives give the same, through kernels that call them."""
    kernels = build([rules], {}, "jitted", compile_all)
    for members in SETS:
        places = [place for place in range(63) if members >> place & 1]
        assert popcount(members) == len(places)
        assert kernels.gain(0, members) == 3 * len(places)
        assert kernels.first(members) == lowest(members) == places[0]
        assert [nth(members, n) for n in range(len(places))] == places
        assert [kernels.member(members, n) for n in range(len(places))] == places
    assert kernels.gain(0, 0) == popcount(0) == 0


@pytest.mark.jitted
def test_primitives_agree_in_both_modes(toys: Any) -> None:
    assert_primitives(toys[1])


@pytest.mark.jitted
def test_primitives_agree_on_processors_without_bmi2(
    toys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as every ARM processor."""
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", dict)
    assert_primitives(toys[1])


def test_a_plain_import_needs_no_numba() -> None:
    code = (
        "import sys, reefsim.games.registry as r; from reefsim.core.match import Match; "
        "import reefsim.testing.strategies; g = r.get('reef_encounter'); "
        "Match(g, g.ruleset(), 2).legal_actions(); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Records


def test_plain_records_copy_deep_and_compare_by_value() -> None:
    layout = Layout("toy_table", [("a", np.int8), ("b", np.int16, (2,)), ("c", np.int64, (2, 3))])
    one = layout.plain()
    assert (one.a, one.b, one.c) == (0, [0, 0], [[0] * 3] * 2)
    two = one.copy()
    two.c[1][2] = 7
    assert one.c[1][2] == 0
    assert one != two
    layout.fill(one, {"c": [[0, 0, 0], [0, 0, 7]]})
    assert one == two
    with pytest.raises(KeyError):
        layout.fill(one, {"d": 1})


def test_both_kinds_of_record_hold_the_same() -> None:
    layout = Layout("toy_table", [("a", np.int8), ("b", np.int16, (2,)), ("c", np.int64, (2, 3))])
    array = layout.array(2)
    values = {"a": -3, "b": [1, 2], "c": [[1, 2, 3], [4, 5, 6]]}
    layout.fill(array[1], values)
    plain = layout.plain()
    layout.fill(plain, values)
    assert layout.to_plain(array[1]) == plain
    assert layout.to_plain(array[0]) == layout.plain()
    assert isinstance(layout.to_plain(plain), PlainRecord)
    records = layout.plains(2)
    store(records, 0, plain)
    plain.b[0] = 9
    assert records[0].b == [1, 2]


def test_layouts_with_equal_fields_have_different_dtypes() -> None:
    fields = [("a", np.int8)]
    assert Layout("one", fields).dtype != Layout("two", fields).dtype


# The cache


@pytest.fixture
def fresh_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let `cache_root` look again, before and after."""
    jit.cache_root.cache_clear()
    for name in ("REEFSIM_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    yield
    jit.cache_root.cache_clear()


def test_the_hash_follows_every_file_of_the_package(tmp_path: Path) -> None:
    write_toys(tmp_path)
    module = types.ModuleType("rules")
    module.__file__ = str(tmp_path / "toy_game" / "rules.py")
    before = jit.source_hash([module])
    assert jit.source_hash([module]) == before
    write_toys(tmp_path, factor=4)  # an edit of the helper only
    after = jit.source_hash([module])
    assert after != before
    (tmp_path / "toy_game" / "more.py").write_text("X = 1\n")
    assert jit.source_hash([module]) not in (before, after)
    assert jit.source_hash([]) != before  # core alone


def test_the_folder_follows_kernels_of_other_packages(toys: Any, tmp_path: Path) -> None:
    """Rules that call a kernel of another package are stale after an edit there."""
    common = tmp_path / "toy_common"
    common.mkdir()
    (common / "__init__.py").write_text(textwrap.dedent(HELPER.format(factor=3)))
    rules = tmp_path / "toy_game" / "borrowing.py"
    rules.write_text("from toy_common import factor\n")
    import toy_game.borrowing

    before = jit.source_hash([toy_game.borrowing])
    (common / "__init__.py").write_text(textwrap.dedent(HELPER.format(factor=4)))
    assert jit.source_hash([toy_game.borrowing]) != before


def test_the_folder_depends_on_flags_and_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_root: None
) -> None:
    monkeypatch.setenv("REEFSIM_CACHE_DIR", str(tmp_path))
    folders = {jit.cache_folder(name, [], [jit], flag) for name in "ab" for flag in (False, True)}
    assert len(folders) == 4
    assert all(folder and folder.is_relative_to(tmp_path) for folder in folders)


def test_an_unwritable_folder_falls_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_root: None
) -> None:
    """A folder inside a file can never be written, whoever asks."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("REEFSIM_CACHE_DIR", str(blocked / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert jit.cache_root() == tmp_path / "xdg" / "reefsim"


def test_without_any_folder_there_is_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_root: None
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    for name in ("REEFSIM_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(blocked / name))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(blocked))
    with pytest.warns(UserWarning, match="REEFSIM_CACHE_DIR"):
        assert jit.cache_root() is None
    assert jit.cache_root() is None
    assert jit.cache_folder("toy", [], [jit], False) is None


def test_old_folders_are_pruned_but_not_young_ones(tmp_path: Path) -> None:
    folders = [tmp_path / f"toy-{i}" for i in range(12)]
    for i, folder in enumerate(folders):
        folder.mkdir()
        age = 10_000 - i if i < 9 else 0
        os.utime(folder, (time.time() - age,) * 2)
    jit.prune(folders[0])
    left = {folder.name for folder in tmp_path.iterdir()}
    assert folders[0].name in left  # the one in use
    assert {folder.name for folder in folders[9:]} <= left  # perhaps being compiled right now
    assert len(left) < 12


SCRIPT = """
    import sys, time, warnings
    from pathlib import Path
    import numpy as np
    from reefsim.core import jit
    from reefsim.core.kernel import build
    from reefsim.core.layout import Layout
    import toy_driver, toy_game.rules

    folder = jit.cache_folder("toy", [toy_game.rules], [toy_driver], False)
    compile_kernel = jit.compiler(folder, False)
    kernels = build([toy_driver], {"gain": toy_game.rules.gain}, "jitted", compile_kernel)
    score = kernels.play(Layout("toy", [("score", np.int64)]).array(1), 0b11)
    hits = sum(kernels.play.stats.cache_hits.values())
    print(score, hits, folder.name if folder else None)
"""


def run_toys(folder: Path, **environment: str) -> list[str]:
    script = folder / "toy_script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    paths = os.pathsep.join([str(folder), str(Path(jit.__file__).parents[2])])
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("REEFSIM", "XDG", "NUMBA"))}
    done = subprocess.run(
        [sys.executable, str(script)],
        env=clean | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.jitted
def test_no_stale_rules_run_after_an_edit_of_a_helper(tmp_path: Path) -> None:
    """Numba's own cache would not notice: the compiled entry stands in another file."""
    write_toys(tmp_path)
    cache = str(tmp_path / "cache")
    first = run_toys(tmp_path, REEFSIM_CACHE_DIR=cache)
    assert first[:2] == ["12", "0"]
    assert run_toys(tmp_path, REEFSIM_CACHE_DIR=cache) == ["12", "1", first[2]]
    write_toys(tmp_path, factor=5)
    edited = run_toys(tmp_path, REEFSIM_CACHE_DIR=cache)
    assert edited[:2] == ["20", "0"]
    assert edited[2] != first[2]


@pytest.mark.jitted
def test_rules_compile_without_any_cache(tmp_path: Path) -> None:
    write_toys(tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("")
    places = dict.fromkeys(("REEFSIM_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), str(blocked))
    # the last resort is a folder of the temporary one, which is a file here
    found = run_toys(tmp_path, **places, TMPDIR=str(tmp_path))
    assert found[:2] == ["12", "0"]
