"""Compiling kernels with numba, and a cache on disk that can never run stale rules.

numba's own cache looks only at the file a function stands in: after an edit in a helper's file the
old rules would silently run on. Here the cache folder is named by a hash of every source file that
can matter, so an edit makes a new folder and old ones are pruned. A read-only installation, an
unwritable home and two processes compiling at once all work.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from reefsim.core.kernel import with_imports
from reefsim.errors import ReefsimError

_KEEP = 6  # cache folders kept per root
_PACKAGE = Path(__file__).resolve().parent.parent
_folder: Path | None = None  # where the compilation under way caches, read by the locator


def source_hash(rules: Iterable[types.ModuleType], toolkit: Iterable[types.ModuleType] = ()) -> str:
    """Hash of every source file that can decide what kernels do.

    Parameters
    ----------
    rules : modules of a game; the whole folders of these and of the kernels they call count, since
        constants and helpers are rules too
    toolkit : further modules with kernels, which lean on `core` alone; `core` always counts whole
    """
    folders = {_PACKAGE / "core", *(_file(module).parent for module in with_imports(rules))}
    files = {path for folder in folders for path in folder.glob("*.py")}
    files |= {_file(module) for module in with_imports(toolkit)}
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.parent.name}/{path.name}".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _file(module: types.ModuleType) -> Path:
    return Path(module.__file__ or "").resolve()


@lru_cache(maxsize=1)
def cache_root() -> Path | None:
    """First writable folder of REEFSIM_CACHE_DIR, XDG_CACHE_HOME, ~/.cache, temporary; or None."""
    candidates = []
    if own := os.environ.get("REEFSIM_CACHE_DIR"):
        candidates.append(Path(own))
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        candidates.append(Path(xdg) / "reefsim")
    with contextlib.suppress(RuntimeError):
        candidates.append(Path.home() / ".cache" / "reefsim")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    candidates.append(Path(tempfile.gettempdir()) / f"reefsim-{user}")
    for folder in candidates:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    warnings.warn(
        "no writable folder for compiled rules: they are compiled anew in every process. "
        "Set REEFSIM_CACHE_DIR to a writable folder.",
        stacklevel=2,
    )
    return None


def cache_folder(
    game: str,
    rules: Iterable[types.ModuleType],
    toolkit: Iterable[types.ModuleType],
    boundscheck: bool,
) -> Path | None:
    """Where the compiled kernels of a game are kept; depends on sources, versions and flags."""
    import llvmlite
    import numba
    import numpy

    root = cache_root()
    if root is None:
        return None
    versions = (
        f"{sys.implementation.cache_tag} numba {numba.__version__} llvmlite {llvmlite.__version__} "
        f"numpy {numpy.__version__} {platform.machine()} bounds {boundscheck}"
    )
    stamp = hashlib.sha256(f"{source_hash(rules, toolkit)} {versions}".encode()).hexdigest()[:16]
    return root / "kernels" / f"{game}-{stamp}"


def prune(keep: Path) -> None:
    """Drop the oldest cache folders beside `keep`, beyond a handful."""
    with contextlib.suppress(OSError):
        folders = sorted(keep.parent.iterdir(), key=lambda path: path.stat().st_mtime)
        for folder in [f for f in folders if f != keep][: -_KEEP or None]:
            if time.time() - folder.stat().st_mtime > 3600:  # another process may be compiling
                shutil.rmtree(folder, ignore_errors=True)


@lru_cache(maxsize=1)
def _locator() -> Any:
    from numba.core.caching import _CacheLocator

    class HashedFolder(_CacheLocator):
        """Caches in the folder set for the build; its name already stands for all sources."""

        def __init__(self, py_func: Any, py_file: str) -> None:
            self._place = f"{Path(py_file).parent.name}/{Path(py_file).name}"
            self._path = str(_folder)

        def get_cache_path(self) -> str:
            return self._path

        def get_source_stamp(self) -> str:
            return self._place

        def get_disambiguator(self) -> str:
            return self._place.replace("/", "-")

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            return cls(py_func, py_file)

    return HashedFolder


@contextlib.contextmanager
def _caching_in(folder: Path | None) -> Iterator[None]:
    """Make numba cache in `folder` for the functions decorated inside, and for no others."""
    from numba.core.caching import CacheImpl

    global _folder
    before, _folder = (CacheImpl._locator_classes, _folder), folder
    CacheImpl._locator_classes = [_locator()]
    try:
        yield
    finally:
        CacheImpl._locator_classes, _folder = before


def compiler(folder: Path | None, boundscheck: bool) -> Callable[[types.FunctionType, str], Any]:
    """What `kernel.build` compiles with, lazily; entry points are cached in `folder`, if any."""
    import numba
    from numba.core.compiler import Compiler

    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise ReefsimError(
            "NUMBA_DISABLE_JIT is set, so no rules can be compiled. Unset it; in Python, "
            'mode="plain" plays without compiling.'
        )

    from reefsim.core.inner import InnerCompiler

    def compile_kernel(function: types.FunctionType, mark: str) -> Any:
        is_entry = mark == "entry"
        with _caching_in(folder):
            return numba.njit(
                cache=is_entry and folder is not None,
                forceinline=mark == "inlined",
                pipeline_class=Compiler if is_entry else InnerCompiler,
                nogil=True,
                error_model="numpy",
                boundscheck=boundscheck,
                _nrt=False,  # kernels allocate nothing: no reference counts
            )(function)

    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        prune(folder)
    return compile_kernel
