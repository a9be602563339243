"""Data sets of the game: ocean, reef tiles, safe places, how dice fall (RULES.md §2).

A set is a map with the keys of the files in `components/`. Rules name one of those by its id, hold
one whole, or name a file `components/<name>.yaml` in the folder of the experiment or the current
one. Sets are read with text for the keys of maps, as JSON has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from reefsim.core import datafiles
from reefsim.core.allowed import DataName, Fault, ValuePath
from reefsim.core.datafiles import Remark
from reefsim.core.wording import did_you_mean, kind_of, listing, sentences, show
from reefsim.core.yaml_source import Document, parse_yaml
from reefsim.games.poseidons_kingdom.constants import (
    MARGIN,
    MAX_NODES,
    MAX_POINTS,
    MAX_STACK,
    MAX_TILE_KINDS,
    MAX_TILES,
    MAX_ZONES,
    NEIGHBORS,
    SYMBOLS,
)

FOLDER, ENDING = "components", ".yaml"
SORTS = ("ocean", "reef", "safe", "scatter")
_OWN = Path(__file__).parent / FOLDER
_FORM = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_NAME = re.compile(r"\S{1,40}")
_HEX = re.compile(r"(-?\d{1,2}),(-?\d{1,2})")
MAX_COUNT = 60  # tiles of a kind

Set = dict[str, Any]
Finding = tuple[ValuePath, str]  # place in the set, what is wrong there


@cache
def shipped(sort: str) -> tuple[str, ...]:
    """Ids of the sets of a sort that come with the game, the default first."""
    return tuple(sorted((p.stem for p in _OWN.glob(f"{sort}_*{ENDING}")), key=_default_first))


def _default_first(name: str) -> tuple[bool, str]:
    return not name.endswith("_v1"), name


@cache
def _shipped_set(name: str) -> Set:
    document = parse_yaml((_OWN / f"{name}{ENDING}").read_text(encoding="utf-8"), name)
    return _plain(document.data)


def _plain(value: Any) -> Any:
    """The same with text for the keys of maps."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


class SetName(DataName):
    """A data set: the id of one that comes with the game, the name of a file, or the set itself."""

    types: ClassVar[tuple[type, ...]] = (str, dict)

    def _text(self) -> str:
        return f"{', '.join(self.names)}, the name of a file of {self.of}, or that itself"

    def _noun(self) -> str:
        return f"the name of a file of {self.of}, or that itself"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if isinstance(value, str):
            yield from super()._inside(value)

    def stored(self, value: Any) -> Any:
        """Turn the keys of maps into text."""
        return _plain(value)


def allowed(sort: str, of: str) -> SetName:
    """What a parameter that names a set of a sort may be."""
    return SetName(shipped(sort), _FORM, of)


def path_of(name: str) -> str:
    """Path of a file with a set in the folder of an experiment."""
    return f"{FOLDER}/{name}{ENDING}"


def is_file(sort: str, value: Any) -> bool:
    """Whether the value of a parameter names a file of a user."""
    return isinstance(value, str) and value not in shipped(sort)


def find(sort: str, value: Any) -> Set:
    """The set that the value of a parameter stands for.

    Raises
    ------
    ValueError : if there is none, or it cannot be used; a line for each mistake
    """
    found, findings = _look_up(sort, value)
    if findings:
        raise ValueError("\n".join(in_words(value, finding) for finding in findings))
    return found


def problems(sort: str, value: Any) -> list[Finding]:
    """What is wrong with the value of a parameter, as places inside it and sentences."""
    findings = _look_up(sort, value)[1]
    if isinstance(value, str):
        return [((), in_words(value, finding)) for finding in findings]
    return [(path, f"{text}.") for path, text in findings]


def in_words(value: Any, finding: Finding) -> str:
    """A mistake in a set with its place."""
    path, text = finding
    where = ".".join(map(str, path))
    inside = f"{where}: " if where else ""
    return f"{path_of(value)}: {inside}{text}." if isinstance(value, str) else f"{inside}{text}."


def shown(sort: str, value: Any) -> Any:
    """A set as records have it: the id of one that comes with the game, any other one whole."""
    found = find(sort, value)
    return found["id"] if found["id"] in shipped(sort) else found


def _look_up(sort: str, value: Any) -> tuple[Set, list[Finding]]:
    if isinstance(value, str) and value in shipped(sort):
        return _shipped_set(value), []
    if not isinstance(value, str):
        found = _plain(value)
        return found, list(check(sort, found))
    try:
        text = datafiles.find(path_of(value))
    except ValueError as error:
        return {}, [((), str(error))]
    if text is None:
        known = [*shipped(sort), *datafiles.available(FOLDER, ENDING)]
        advice = sentences(did_you_mean(value, known), f"There are: {listing(known)}")
        return {}, [((), f"there is no such file, here or beside the experiment. {advice}")]
    document = parse_yaml(text, path_of(value))
    if document.problems:
        return {}, [((), problem.message) for problem in document.problems]
    found = _plain(document.data)
    return found, list(check(sort, found))


# Checks -------------------------------------------------------------------------------------------

_KEYS = {
    "ocean": (
        "id", "deep", "beach", "shore", "nodes", "creature_edges", "shark_loop", "shark_start",
        "die_symbols",
    ),
    "reef": ("id", "kinds", "starting_tile", "starting_layout"),
    "safe": ("id", "stacks"),
    "scatter": ("id", "p_off", "weights"),
}  # fmt: skip


def check(sort: str, found: Any) -> Iterator[Finding]:
    """All that is wrong with a set (RULES.md §2), in the order of its keys."""
    if not isinstance(found, dict):
        yield (), f"{kind_of(found)} where a map with {', '.join(_KEYS[sort])} is expected"
        return
    keys = list(_keys(found, _KEYS[sort]))
    yield from keys
    if keys:
        return
    name = found["id"]
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= 60:
        yield ("id",), f"{show(name)} is no id: a text of up to 60 characters is expected"
    elif name in shipped(sort) and found != _shipped_set(name):
        yield ("id",), f"{name} comes with the game and is another set; rename it"
    yield from _CHECKS[sort](found)


def _keys(found: Any, keys: Sequence[str], path: ValuePath = ()) -> Iterator[Finding]:
    """Keys that are missing or have no place."""
    if not isinstance(found, dict):
        yield path, f"{kind_of(found)} where a map with {', '.join(keys)} is expected"
        return
    for key in keys:
        if key not in found:
            yield path, f"{key} is missing"
    for key in found:
        if key not in keys:
            yield (*path, key), f"unknown key. {did_you_mean(key, keys)}".strip(" .")


def _is_whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _whole(value: Any, low: int, high: int, path: ValuePath) -> Iterator[Finding]:
    if not _is_whole(value, low, high):
        yield path, f"{show(value)} is no whole number {low}-{high}"


def _pairs(value: Any, names: Mapping[str, Any], path: ValuePath) -> Iterator[Finding]:
    """A list of pairs of different spaces, none of them twice."""
    if not isinstance(value, list):
        yield path, f"{kind_of(value)} where a list of pairs of spaces is expected"
        return
    seen: set[frozenset[str]] = set()
    for i, pair in enumerate(value):
        fine = isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair)
        fine = fine and all(x in names for x in pair)
        if not fine or pair[0] == pair[1]:
            yield (*path, i), f"{show(pair)} is no pair of different spaces, by their names as text"
        elif frozenset(pair) in seen:
            yield (*path, i), f"{show(pair)} stands there twice"
        else:
            seen.add(frozenset(pair))


def _spaces(value: Any, names: Mapping[str, Any], path: ValuePath) -> Iterator[Finding]:
    """A list of spaces, none of them twice."""
    if not isinstance(value, list):
        yield path, f"{kind_of(value)} where a list of spaces is expected"
        return
    for i, name in enumerate(value):
        if not isinstance(name, str) or name not in names:
            yield (*path, i), f"{show(name)} is no space, by its name as text"
        elif name in value[:i]:
            yield (*path, i), f"{name} stands there twice"


def _check_ocean(ocean: Set) -> Iterator[Finding]:
    nodes = ocean["nodes"]
    findings = list(_check_nodes(nodes))
    findings += _whole(ocean["shore"], 1, MAX_ZONES, ("shore",))
    if not findings:
        for key in ("deep", "beach"):
            if not isinstance(ocean[key], str) or ocean[key] not in nodes:
                findings.append(((key,), f"{show(ocean[key])} is no space"))
        findings += _pairs(ocean["creature_edges"], nodes, ("creature_edges",))
        findings += _spaces(ocean["shark_loop"], nodes, ("shark_loop",))
        findings += _keys(ocean["shark_start"], ("node", "direction"), ("shark_start",))
        symbols = ("on_entering", "on_traversing")
        findings += (wrong := list(_keys(ocean["die_symbols"], symbols, ("die_symbols",))))
        if not wrong:
            where = ("die_symbols", "on_entering")
            findings += _spaces(ocean["die_symbols"]["on_entering"], nodes, where)
            where = ("die_symbols", "on_traversing")
            findings += _pairs(ocean["die_symbols"]["on_traversing"], nodes, where)
    yield from findings
    if not findings:
        yield from _check_zones(ocean)
        yield from _check_graph(ocean)
        yield from _check_loop(ocean)


def _check_nodes(nodes: Any) -> Iterator[Finding]:
    if not isinstance(nodes, dict) or not 2 <= len(nodes) <= MAX_NODES:
        yield ("nodes",), f"a map of 2 to {MAX_NODES} spaces is expected"
        return
    for name, node in nodes.items():
        path = ("nodes", name)
        if not _NAME.fullmatch(name):
            yield path, "names of spaces have no blanks and up to 40 characters"
        wrong = list(_keys(node, ("wave", "shark34", "shark2"), path))
        yield from wrong
        if wrong:
            continue
        if node["wave"] is not None:
            yield from _whole(node["wave"], 1, MAX_ZONES, (*path, "wave"))
        faults = [
            *_whole(node["shark34"], 1, 9, (*path, "shark34")),
            *_whole(node["shark2"], 1, 9, (*path, "shark2")),
        ]
        yield from faults
        if not faults and node["shark2"] < node["shark34"]:
            yield path, "the shark's number for 2 players is below that for 3 and 4"


def _check_zones(ocean: Set) -> Iterator[Finding]:
    waves = [node["wave"] for node in ocean["nodes"].values()]
    shore = ocean["shore"]
    for zone in range(1, max([shore, *(wave for wave in waves if wave)]) + 1):
        least = 1 if zone == shore else 2
        if zone > shore:
            yield ("shore",), f"zone {zone} lies behind the shore, which is the last one"
        elif waves.count(zone) < least:
            yield ("nodes",), f"zone {zone} can be reached from {waves.count(zone)} spaces"
    if ocean["nodes"][ocean["beach"]]["wave"] != shore:
        yield ("beach",), "the shore is the food zone of the beach end"
    nodes = ocean["nodes"].values()
    if all(node["shark2"] == node["shark34"] for node in nodes):
        yield ("nodes",), "the shark's numbers for 2 players are nowhere above the others"


def _check_graph(ocean: Set) -> Iterator[Finding]:
    near: dict[str, set[str]] = {name: set() for name in ocean["nodes"]}
    for one, other in ocean["creature_edges"]:
        near[one].add(other)
        near[other].add(one)
    for name, others in near.items():
        if len(others) < 2:
            yield ("creature_edges",), f"{name} has {len(others)} neighbors, at least 2 are needed"
    reached, queue = {ocean["deep"]}, [ocean["deep"]]
    while queue:
        new = near[queue.pop()] - reached
        reached |= new
        queue += new
    if lost := [name for name in near if name not in reached]:
        yield ("creature_edges",), f"{listing(lost)} cannot be reached from the deep end"


def _check_loop(ocean: Set) -> Iterator[Finding]:
    loop, start, symbols = ocean["shark_loop"], ocean["shark_start"], ocean["die_symbols"]
    for key in ("deep", "beach"):
        if ocean[key] not in loop:
            yield ("shark_loop",), f"{ocean[key]}, the {key} end, is not on it"
    if start["node"] not in loop:
        yield ("shark_start", "node"), f"{show(start['node'])} is not on the shark's loop"
    if type(start["direction"]) is not int or abs(start["direction"]) != 1:
        yield ("shark_start", "direction"), f"{show(start['direction'])} is neither 1 nor -1"
    for i, name in enumerate(symbols["on_entering"]):
        if name not in loop:
            yield ("die_symbols", "on_entering", i), f"{name} is not on the shark's loop"
    steps = [{one, other} for one, other in zip(loop, [*loop[1:], *loop[:1]], strict=True)]
    for i, path in enumerate(symbols["on_traversing"]):
        if steps.count(set(path)) != 1:
            text = f"the shark's loop goes along {show(path)} {steps.count(set(path))} times"
            yield ("die_symbols", "on_traversing", i), text


def read_hex(text: Any) -> tuple[int, int] | None:
    """Coordinates of a hex from 'q,r', None if it is none."""
    match = _HEX.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    q, r = map(int, match.groups())
    return (q, r) if max(abs(q), abs(r)) < MARGIN else None


def _check_symbols(value: Any, path: ValuePath) -> Iterator[Finding]:
    fine = (
        isinstance(value, list) and len(value) == 2 and all(s in SYMBOLS for s in map(str, value))
    )
    if not fine:
        yield path, f"{show(value)} is no pair of symbols out of {', '.join(SYMBOLS)}"


def _check_reef(reef: Set) -> Iterator[Finding]:
    kinds = reef["kinds"]
    if not isinstance(kinds, list) or not 1 <= len(kinds) <= MAX_TILE_KINDS:
        yield ("kinds",), f"a list of 1 to {MAX_TILE_KINDS} kinds of tiles is expected"
    else:
        faults = [fault for i, kind in enumerate(kinds) for fault in _check_kind(kinds, i, kind)]
        yield from faults
        if not faults and (tiles := sum(kind["count"] for kind in kinds)) > MAX_TILES:
            yield ("kinds",), f"{tiles} tiles, at most {MAX_TILES} are allowed"
    start = list(_check_symbols(reef["starting_tile"], ("starting_tile",)))
    yield from start
    if not start and "store" not in reef["starting_tile"]:
        yield ("starting_tile",), "a starting tile has a die box: store"
    yield from _check_layout(reef["starting_layout"])


def _check_kind(kinds: list[Any], i: int, kind: Any) -> Iterator[Finding]:
    path = ("kinds", i)
    wrong = list(_keys(kind, ("id", "symbols", "count"), path))
    yield from wrong
    if wrong:
        return
    if not isinstance(kind["id"], str) or not _NAME.fullmatch(kind["id"]):
        yield (*path, "id"), f"{show(kind['id'])} is no name without blanks"
    elif kind["id"] in [other.get("id") for other in kinds[:i] if isinstance(other, dict)]:
        yield (*path, "id"), f"{kind['id']} stands there twice"
    wrong = list(_check_symbols(kind["symbols"], (*path, "symbols")))
    yield from wrong
    if not wrong and kind["symbols"][0] == kind["symbols"][1]:
        yield (*path, "symbols"), "the two symbols of a tile are different"
    yield from _whole(kind["count"], 0, MAX_COUNT, (*path, "count"))


def _check_layout(layout: Any) -> Iterator[Finding]:
    path = ("starting_layout",)
    if not isinstance(layout, list) or not 1 <= len(layout) <= 4:
        yield path, "a list of 1 to 4 tiles is expected"
        return
    hexes: list[tuple[int, int]] = []
    for i, tile in enumerate(layout):
        pair = [read_hex(text) for text in tile] if isinstance(tile, list) else []
        known = [spot for spot in pair if spot is not None]
        if len(pair) != 2 or len(known) != 2:
            yield (*path, i), f'{show(tile)} is no pair of hexes such as ["0,0", "1,0"]'
            return
        (q, r), (q2, r2) = known
        if (q2 - q, r2 - r) not in NEIGHBORS:
            yield (*path, i), f"{show(tile)} are no neighbors"
        hexes += known
    if len(set(hexes)) < len(hexes):
        yield path, "two tiles lie on the same hex"
    reached, queue = {hexes[0]}, [hexes[0]]
    while queue:
        q, r = queue.pop()
        new = {(q + dq, r + dr) for dq, dr in NEIGHBORS} & set(hexes) - reached
        reached |= new
        queue += new
    if reached != set(hexes):
        yield path, "the tiles are not connected"


def _check_safe(safe: Set) -> Iterator[Finding]:
    tentacles = tuple(map(str, range(1, 7)))
    wrong = list(_keys(safe["stacks"], tentacles, ("stacks",)))
    yield from wrong
    if wrong:
        return
    for name, stack in safe["stacks"].items():
        path = ("stacks", name)
        if not isinstance(stack, list) or not 1 <= len(stack) <= MAX_STACK:
            yield path, f"a list of 1 to {MAX_STACK} values is expected"
        elif not all(_is_whole(value, 0, MAX_POINTS) for value in stack):
            yield path, f"{show(stack)}: values are whole numbers 0-{MAX_POINTS}"
        elif stack != sorted(stack, reverse=True):
            yield path, f"{show(stack)}: the highest value lies on top, which is first"


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 1e9


def _check_scatter(scatter: Set) -> Iterator[Finding]:
    if not _is_number(scatter["p_off"]) or scatter["p_off"] > 0.5:
        yield ("p_off",), f"{show(scatter['p_off'])} is no number 0-0.5"
    weights = scatter["weights"]
    if not isinstance(weights, dict) or not weights:
        yield ("weights",), "a map from food zones to weights is expected"
        return
    for zone, weight in weights.items():
        if not re.fullmatch(r"[1-9]\d?", zone):
            yield ("weights", zone), "zones are numbered from 1 on"
        if not _is_number(weight):
            yield ("weights", zone), f"{show(weight)} is no number from 0 on"
    if not any(weight for weight in weights.values() if _is_number(weight)):
        yield ("weights",), "all weights are 0"


_CHECKS: dict[str, Callable[[Set], Iterator[Finding]]] = {
    "ocean": _check_ocean,
    "reef": _check_reef,
    "safe": _check_safe,
    "scatter": _check_scatter,
}


def check_data(name: str, text: str) -> tuple[str, list[Remark]]:
    """What a file with a set is, and what is to be said about it (`Game.check_data`)."""
    document = parse_yaml(text, path_of(name))
    remarks = [Remark(problem.line, problem.message) for problem in document.problems]
    if remarks:
        return "", remarks
    found = _plain(document.data)
    keys = set(found) if isinstance(found, dict) else set[str]()
    sort = max(SORTS, key=lambda sort: len(keys & set(_KEYS[sort]) - {"id"}))
    remarks = [
        Remark(_line(document, path), _told(path, text)) for path, text in check(sort, found)
    ]
    if not _FORM.fullmatch(name) or name in shipped(sort):
        remarks.insert(0, Remark(0, f"{name} is no name for a file of one's own"))
    summary = (
        f"a set of the sort {sort}; play with {sort}: {name}, the file being {path_of(name)} "
        "beside the experiment"
    )
    return summary, remarks


def _told(path: ValuePath, text: str) -> str:
    return f"{'.'.join(map(str, path))}: {text}" if path else text


def _line(document: Document, path: ValuePath) -> int:
    """Line of a place in a file, where keys may be numbers."""
    numbers = tuple(int(part) if str(part).isdigit() else part for part in path)
    return max(document.place(path).line, document.place(numbers).line)
