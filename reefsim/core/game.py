"""What the toolkit knows of a game: its rules as kernels, its records, words and columns.

A game is a package that fills one `Game` object. Nothing outside that package names it.
"""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reefsim.core import defaults, driver, jit
from reefsim.core.datafiles import Remark
from reefsim.core.events import EventLayout
from reefsim.core.kernel import Kernels, Mode, build
from reefsim.core.layout import Layout
from reefsim.core.ruleset import Ruleset

MAX_WEIGHTS = 48  # of an evaluation
_FILLED: Any = None  # default of what `defaults.fill` fills in where the game does not


@dataclass(frozen=True)
class TableColumn:
    """A column a game adds to a table; rows arrive as ints.

    Attributes
    ----------
    kind : "int8", "int16", "int32", "bool", "string" or "list" (of strings, `width` ints wide)
    doc : meaning and unit
    words : text for each int of a string or list; an int without text is null (or left out)
    in_record : the column stands in the result lines of a game record as well
    spell : text of any int, for strings of which there are too many to list in `words`
    """

    name: str
    kind: str
    doc: str
    words: dict[int, str] = field(default_factory=dict)
    width: int = 1
    in_record: bool = True
    spell: Callable[[int], str] | None = None

    def in_words(self, value: int) -> int | bool | str | None:
        """What an int of the column stands for; no column of a list."""
        if self.kind == "string":
            return self.spell(value) if self.spell else self.words.get(value)
        return bool(value) if self.kind == "bool" else value


def _nothing(_: Any) -> dict[str, Any]:
    return {}


def _no_caveats(_: Ruleset) -> tuple[str, ...]:
    return ()


REQUIRED_SLOTS = ("begin", "legal", "apply", "stop", "standing")


@dataclass(frozen=True)
class Game:
    """A game the toolkit can play.

    What has a default here may be left out. Without `rules` and `pack_rules` the rules record holds
    each toggle as a number; without words of its own a game has those of its events
    (`core.notation`), which suits games that use `core.basics`.

    Attributes
    ----------
    name, title : as in configs, and for people
    seats : player counts the rules allow
    rules_version : raised with every change of the rules; in every log
    ruleset : the parameters; pack_rules turns one, and a number of seats, into a rules record
    state, rules, work : layouts of the records; every state has seat, seats, turn, over, cause
        (0 or 1 + place in end_causes), ender, chance
    kernels : kernel by the name of the driver's slot; those in REQUIRED_SLOTS, and any other one
        for which what `core.driver` does by itself is not right
    events, end_causes, action_kinds : the words of the game record
    game_columns, player_columns, turn_columns : what the game adds to the tables
    truncated_cause : the end cause that means an engine limit stopped the game
    weights : (name, value, meaning) of each weight of the evaluation; the first two are, in every
        game, `rivals` (weight of the others' worth against one's own) and `spread` (points that
        multiply the chances of a win by e)
    restrictions : (name, meaning) of what an agent may be told never to do, besides the kinds of
        actions, in the order of the bits of the slot `forbid`
    turns_ahead : own turns that players plan ahead; more than one where a turn is a single choice
    max_legal : upper bound of the number of legal actions at a decision
    format_action, parse_action : an action as text and back
    action_of : row of a game record -> the action it tells; KeyError for a missing column,
        ValueError for columns that are no action together
    render_text : (state, rules record) -> the position as text
    render_svg : the same -> a drawing of it, an SVG document of its own; None: the game has none
    why_illegal : (state, rules record, action) -> clause and reason
    narrate : rows of a game record, from the first on -> a sentence for each
    clause_of : (event, column) -> the clause that decides that column
    check_state : (state, rules record) -> broken invariants, as sentences
    words : ruleset -> those of the attributes above that depend on it, by name, where words of the
        record do (names of cards in a deck); see `under`
    header_keys : keys that the header of a game record may have besides those of every game
    record_header : ruleset -> their values, for the header of a record under these rules
    header_spare : ruleset -> by key, names that a record may tell in its value besides; what they
        tell is checked when the ruleset is made
    header_files : header of a record -> data files it carries, text by path; ValueError if they
        cannot be read
    check_data : (name without ending, text) of a user's own data file -> what it is, and what is
        wrong with it; None if no rule names a data file
    caveats : ruleset -> what every output under these rules has to say about them, as sentences
    """

    name: str
    title: str
    seats: range
    ruleset: type[Ruleset]
    state: Layout
    kernels: dict[str, Callable[..., Any]]
    events: EventLayout
    end_causes: tuple[str, ...]
    rules_version: str = "1"
    pack_rules: Callable[[Any, int], dict[str, Any]] = defaults.pack_rules
    rules: Layout = _FILLED
    work: Layout = _FILLED
    action_kinds: tuple[str, ...] = _FILLED
    game_columns: tuple[TableColumn, ...] = ()
    player_columns: tuple[TableColumn, ...] = ()
    turn_columns: tuple[TableColumn, ...] = ()
    truncated_cause: str = "turn_limit"
    weights: tuple[tuple[str, float, str], ...] = defaults.FIRST_WEIGHTS
    restrictions: tuple[tuple[str, str], ...] = ()
    max_legal: int = 1024
    format_action: Callable[[int], str] = _FILLED
    parse_action: Callable[[str], int] = _FILLED
    action_of: Callable[[Mapping[str, Any]], int] = _FILLED
    render_text: Callable[[Any, Any], str] = _FILLED
    render_svg: Callable[[Any, Any], str] | None = None
    narrate: Callable[[Iterable[Mapping[str, Any]]], Iterator[str]] = _FILLED
    why_illegal: Callable[[Any, Any, int], str] = _FILLED
    clause_of: Callable[[str, str], str] = defaults.no_clause
    check_state: Callable[[Any, Any], list[str]] = defaults.no_invariants
    turns_ahead: int = 1
    words: Callable[[Any], dict[str, Any]] = _nothing
    header_keys: tuple[str, ...] = ()
    record_header: Callable[[Any], dict[str, Any]] = _nothing
    header_spare: Callable[[Any], dict[str, Any]] = _nothing
    header_files: Callable[[Mapping[str, Any]], dict[str, str]] = _nothing
    check_data: Callable[[str, str], tuple[str, Sequence[Remark]]] | None = None
    caveats: Callable[[Any], tuple[str, ...]] = _no_caveats
    _by_default: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    _built: dict[Any, Kernels] = field(default_factory=dict, init=False, repr=False, compare=False)
    _lock: threading.RLock = field(
        default_factory=threading.RLock, init=False, repr=False, compare=False
    )
    _worded: dict[Ruleset, Game] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for name, value in defaults.fill(self).items():
            object.__setattr__(self, name, value)
            self._by_default.append(name)

    def under(self, ruleset: Ruleset) -> Game:
        """The game with the words it has under a ruleset; kernels are shared."""
        with self._lock:
            found = self._worded.get(ruleset)
            if found is None:
                words = self.words(ruleset)
                anew: dict[str, Any] = dict.fromkeys(self._by_default) | words
                found = replace(self, **anew) if words else self
                for name in ("_built", "_lock", "_worded"):
                    object.__setattr__(found, name, getattr(self, name))
                self._worded[ruleset] = found
            return found

    def build(
        self, mode: Mode, extra: Sequence[types.ModuleType] = (), boundscheck: bool = False
    ) -> Kernels:
        """The game's kernels, the driver's and those of `extra` modules, bound together.

        Built once per process and mode; in jitted mode kernels compile on first use, or come from
        the cache on disk.
        """
        key = (mode, boundscheck, tuple(module.__name__ for module in extra))
        with self._lock:
            if key not in self._built:
                self._built[key] = self._build(mode, [driver, *extra], boundscheck)
            return self._built[key]

    def _build(self, mode: Mode, modules: list[types.ModuleType], boundscheck: bool) -> Kernels:
        if mode == "plain":
            return build(modules, self.kernels, mode)
        folder = self.cache_folder(modules[1:], boundscheck)
        return build(modules, self.kernels, mode, jit.compiler(folder, boundscheck))

    def cache_folder(
        self, extra: Sequence[types.ModuleType] = (), boundscheck: bool = False
    ) -> Path | None:
        """Where the compiled kernels of a build are kept; None if no folder is writable."""
        own = (sys.modules[function.__module__] for function in self.kernels.values())
        return jit.cache_folder(self.name, own, extra, boundscheck)

    def rules_record(self, ruleset: Ruleset, seats: int, mode: Mode) -> Any:
        """One rules record in a list (plain) or array (jitted)."""
        rules = self.rules.records(1, mode)
        self.rules.fill(rules[0], self.pack_rules(ruleset, seats))
        return rules
