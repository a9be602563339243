"""One text of the rules, two modes.

A function marked `kernel` is written in a plain subset of Python over records with named fields.
As imported it *is* plain Python: breakpoints, tracebacks and coverage work, and numba is not even
imported. `build` makes the fast twin of every kernel of a game: a copy of the function whose global
names point to the other twins, compiled by numba. Functions that need a machine instruction
(`popcount`) or whose meaning differs between the modes (`store`) are primitives: a plain body and a
native one.

The toolkit's own kernels (the driver, the agents) call the rules of whichever game is being built
through `slot` functions; `build` fills them, so one driver text serves every game.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

import numpy as np

Mode = Literal["plain", "jitted"]
Record = Any  # a state, rules or work record: numpy record or plain object, by mode
F = TypeVar("F", bound=Callable[..., Any])

_KERNEL, _INLINED, _ENTRY, _PRIMITIVE, _SLOT = "kernel", "inlined", "entry", "primitive", "slot"
_COMPILED = (_KERNEL, _INLINED, _ENTRY)


def kernel(function: F) -> F:
    """Mark a function as part of the rules text; it stays an ordinary Python function."""
    function.__reefsim__ = (_KERNEL, None)  # type: ignore[attr-defined]
    return function


def inlined(function: F) -> F:
    """Mark a small kernel on the hot path: its compiled form becomes part of its callers."""
    function.__reefsim__ = (_INLINED, None)  # type: ignore[attr-defined]
    return function


def entry(function: F) -> F:
    """Mark a kernel that ordinary Python calls: its compiled form is kept in the cache."""
    function.__reefsim__ = (_ENTRY, None)  # type: ignore[attr-defined]
    return function


def primitive(native: Callable[[], Any]) -> Callable[[F], F]:
    """Mark a function with a native twin; `native()` builds that twin and may import numba."""

    def mark(function: F) -> F:
        function.__reefsim__ = (_PRIMITIVE, native)  # type: ignore[attr-defined]
        return function

    return mark


def slot(function: F) -> F:
    """Mark a kernel of the driver that a game may replace by its own of the same name.

    What the function itself does is done for games that do not.
    """
    function.__reefsim__ = (_SLOT, None)  # type: ignore[attr-defined]
    return function


class Kernels:
    """The kernels of a build, by name.

    What is compiled for other kernels has no way in for Python: a kernel that is no entry point is
    compiled once more, as one, when its name is asked for.
    """

    def __init__(
        self,
        ready: dict[str, Any],
        inner: dict[str, types.FunctionType],
        compile_kernel: Callable[[types.FunctionType, str], Any] | None,
    ) -> None:
        self.__dict__.update(ready)
        self._inner, self._compile = inner, compile_kernel

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._inner or self._compile is None:
            raise AttributeError(f"there is no kernel {name!r} among those built")
        compiled = self._compile(self._inner[name], _ENTRY)
        setattr(self, name, compiled)
        return compiled


def _marked(module: types.ModuleType) -> Iterable[tuple[str, Any, str, Any]]:
    for name, value in vars(module).items():
        mark = getattr(value, "__reefsim__", None)
        if mark is not None:
            yield name, value, *mark


def with_imports(modules: Iterable[types.ModuleType]) -> list[types.ModuleType]:
    """The modules given and every module their kernels were defined in, transitively."""
    found: dict[str, types.ModuleType] = {}
    queue = list(modules)
    while queue:
        module = queue.pop()
        if module.__name__ in found:
            continue
        found[module.__name__] = module
        queue += [sys.modules[value.__module__] for _, value, *_ in _marked(module)]
    return [found[name] for name in sorted(found)]


def build(
    modules: Iterable[types.ModuleType],
    slots: dict[str, Callable[..., Any]],
    mode: Mode,
    compile_kernel: Callable[[types.FunctionType, str], Any] | None = None,
) -> Kernels:
    """Make the twins of every kernel in `modules` and of all kernels those call.

    Parameters
    ----------
    modules : modules whose kernels are wanted by name
    slots : kernel of the game for each slot name of the driver
    mode : "plain" or "jitted"
    compile_kernel : called with each twin in jitted mode, and its mark (`jit.compiler`)

    Returns
    -------
    one attribute per kernel; all call each other, in the mode asked for
    """
    modules = with_imports([*modules, *(sys.modules[f.__module__] for f in slots.values())])
    twins: dict[int, Any] = {}
    inner: dict[str, types.FunctionType] = {}
    scopes: list[dict[str, Any]] = []
    for module in modules:
        scope = dict(vars(module))
        if mode == "jitted":
            # As literal ints numba would compile a function anew for every constant it is passed.
            scope |= {k: np.int64(v) for k, v in scope.items() if type(v) is int}
        scopes.append(scope)
        for _, value, kind, native in list(_marked(module)):
            if value.__module__ != module.__name__:
                continue
            if kind == _SLOT and value.__name__ not in slots:
                kind = _KERNEL  # the game leaves it as it is
            if kind in _COMPILED:
                twin = types.FunctionType(
                    value.__code__, scope, value.__name__, value.__defaults__, None
                )
                twin.__module__, twin.__qualname__ = value.__module__, value.__qualname__
                twin.__doc__ = value.__doc__
                if mode == "jitted" and compile_kernel is not None:
                    twins[id(value)] = compile_kernel(twin, kind)
                    if kind != _ENTRY:
                        inner[value.__name__] = twin
                else:
                    twins[id(value)] = twin
            elif kind == _PRIMITIVE:
                twins[id(value)] = native() if mode == "jitted" else value
    for module in modules:
        for name, value, kind, _ in _marked(module):
            if kind == _SLOT and name in slots:
                twins[id(value)] = twins[id(slots[name])]
    for scope in scopes:
        for name, value in scope.items():
            if id(value) in twins:
                scope[name] = twins[id(value)]
    names: dict[str, Any] = {}
    for module, scope in zip(modules, scopes, strict=True):
        names.update({name: scope[name] for name, *_ in _marked(module)})
    return Kernels({k: v for k, v in names.items() if k not in inner}, inner, compile_kernel)
