"""Maps and card sets as YAML or JSON files: finding, reading, checking (RULES.md §2).

Rules name a data set by its id if it comes with the game, else by the path of its file beside the
experiment. Rules that are resolved name the id; runs and records carry the file as
`data/<id>.json`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from reefsim.core import datafiles
from reefsim.core.allowed import Map, ValuePath, Whole
from reefsim.core.datafiles import Remark
from reefsim.core.wording import did_you_mean, listing, sentences, show
from reefsim.core.yaml_source import Document, parse_yaml
from reefsim.games.charon_inc.constants import (
    CARDS_OF_NUMBER,
    CENTRE,
    COLORS,
    CROSSING,
    EDGE,
    GROUPS,
    HIGHEST,
    LOWEST,
    MAX_SLOTS,
    NUM_CARDS,
    NUM_ORDINARY,
    NUM_REGIONS,
    REGIONS,
)

FOLDER = "data"
MAP, CARDS = "map", "card set"
DEFAULT_MAP, DEFAULT_CARDS = "charon_map_v1", "charon_cards_v1"
SHIPPED = {MAP: (DEFAULT_MAP,), CARDS: (DEFAULT_CARDS,)}
REFERENCE = re.compile(r"[^\x00-\x1f]{1,200}")  # an id or a path
_OWN = Path(__file__).parent / FOLDER
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_MOST_COST = 1000
_FAR = 99  # the last column and row of a map


@dataclass(frozen=True)
class Region:
    """A region of the moon: its place, how many gems it takes, its group."""

    id: str
    col: int
    row: int
    slots: int
    group: str


@dataclass(frozen=True)
class Spot:
    """A place for a flag: its rank (CROSSING, EDGE, CENTRE) and the regions it touches."""

    name: str
    rank: int
    touches: tuple[int, ...]

    @property
    def is_rim(self) -> bool:
        """Whether it is a corner at the rim, which a toggle puts into play."""
        return self.name.startswith("Q")


@dataclass(frozen=True)
class MoonMap:
    """A map; `content` is the file as it was read."""

    id: str
    regions: tuple[Region, ...]
    spots: tuple[Spot, ...]  # crossings, edges, centres, corners at the rim
    content: Any = field(repr=False, compare=False, hash=False)

    @property
    def summary(self) -> str:
        """What is in it, for people."""
        counts = Counter(spot.name[0] for spot in self.spots)
        return (
            f"{len(self.regions)} regions, {counts['X']} crossings, {counts['E']} edges, "
            f"{counts['Q']} corners at the rim"
        )


@dataclass(frozen=True)
class Card:
    """A building: its number, which is its points, and its cost by ordinary color."""

    id: str
    number: int
    cost: tuple[int, ...]


@dataclass(frozen=True)
class CardSet:
    """The buildings of a game, in the order of their file; `content` is the file as it was read."""

    id: str
    cards: tuple[Card, ...]
    content: Any = field(repr=False, compare=False, hash=False)

    @property
    def summary(self) -> str:
        """What is in it, for people."""
        dearest = max(sum(card.cost) for card in self.cards)
        return f"{len(self.cards)} cards that cost up to {dearest} gems"


S = TypeVar("S", MoonMap, CardSet)


@dataclass(frozen=True)
class Found(Generic[S]):
    """What a reference led to: a data set, or remarks that say why there is none."""

    data: S | None
    remarks: tuple[Remark, ...]
    file: str = ""

    @property
    def faults(self) -> list[str]:
        """What is wrong, with its place: 'maps/mine.yaml:7: ...'."""
        return [
            f"{self.file}:{remark.line}: {remark.text}" if remark.line else remark.text
            for remark in self.remarks
        ]


def is_path(reference: str) -> bool:
    """Whether rules name a data set by its file rather than by its id."""
    return "/" in reference or reference.endswith((".yaml", ".yml", ".json"))


def find_map(reference: str) -> Found[MoonMap]:
    """The map that rules name, by id or path."""
    return _find(MAP, reference, _read_map)


def find_cards(reference: str) -> Found[CardSet]:
    """The card set that rules name, by id or path."""
    return _find(CARDS, reference, _read_cards)


def path_of(data_id: str) -> str:
    """Where runs and records keep a data set of a user's own."""
    return f"{FOLDER}/{data_id}.json"


def file_text(data: MoonMap | CardSet) -> str:
    """The file of a data set, as runs and records keep it."""
    return json.dumps(data.content, indent=1) + "\n"


Reader = Callable[[str, str], Found[S]]


def _find(kind: str, reference: str, read: Reader[S]) -> Found[S]:
    shipped = SHIPPED[kind]
    path = reference if is_path(reference) else path_of(reference)
    try:
        text = datafiles.find(path) if is_path(reference) or _ID.fullmatch(reference) else None
    except ValueError as error:
        return Found(None, (Remark(0, f"{error}."),))
    if reference in shipped:
        own = read(_shipped_text(reference), reference)
        if text is not None and read(text, path).data != own.data:
            return Found(None, (_other_content(reference),))
        return own
    if text is None:
        where = "beside the experiment" if is_path(reference) else "among those built in"
        known = sentences(
            did_you_mean(reference, shipped),
            f"Built in: {listing(shipped)}; a {kind} of your own is named by the path of its file.",
        )
        return Found(None, (Remark(0, f"there is no {kind} {show(reference)} {where}. {known}"),))
    found = read(text, path)
    if found.data is None:
        return found
    if found.data.id in shipped and found.data != read(_shipped_text(found.data.id), "").data:
        return Found(None, (_other_content(found.data.id),))
    if not is_path(reference) and found.data.id != reference:
        what = f"{path} holds {show(found.data.id)}, not {show(reference)}"
        return Found(None, (Remark(0, f"{what}."),))
    return found


def _other_content(data_id: str) -> Remark:
    return Remark(0, f"{data_id} comes with the game and has other content; rename it.")


@cache
def _shipped_text(data_id: str) -> str:
    return (_OWN / f"{data_id}.yaml").read_text(encoding="utf-8")


class _Check:
    """Collects what is wrong with a file, with the line of each mistake."""

    def __init__(self, text: str, file: str) -> None:
        self.document: Document = parse_yaml(text, file)
        self.remarks = [Remark(p.line, p.message) for p in self.document.problems]
        if not self.remarks and not isinstance(self.document.data, dict):
            self.remarks.append(Remark(1, "a map of names and values is expected"))

    def say(self, path: ValuePath, what: str) -> None:
        """Note a mistake at a path of the file."""
        self.remarks.append(Remark(self.document.place(path).line, what))

    def text(self, path: ValuePath, value: Any, allowed: re.Pattern[str] = _ID) -> str:
        """A name; noted if it is none."""
        if not isinstance(value, str) or not allowed.fullmatch(value):
            self.say(path, f"{show(value)} is no name of letters, digits and _.-")
            return ""
        return value

    def whole(self, path: ValuePath, value: Any, low: int, high: int) -> int:
        """A whole number; noted if it is none."""
        if faults := Whole(low, high).faults(value):
            self.say(path, f"{path[-1]}: {faults[0].what}")
            return low
        return int(value)

    def entries(self, key: str, is_map: bool) -> Any:
        """A list or map of the file by its name; empty, and noted, if it is none."""
        value = self.document.data.get(key)
        if not isinstance(value, dict if is_map else list):
            self.say((key,), f"{key} is no {'map' if is_map else 'list'}")
            return {} if is_map else []
        return value

    def fields(self, path: ValuePath, value: Any, names: tuple[str, ...]) -> Mapping[str, Any]:
        """A map with some names; missing ones are noted and empty."""
        known = value if not Map("names and values").faults(value) else {}
        missing = [name for name in names if name not in known]
        if missing:
            self.say(path, f"{listing(missing)} missing")
        return dict.fromkeys(names) | dict(known) if not missing else {}


@lru_cache(maxsize=64)
def _read_map(text: str, file: str) -> Found[MoonMap]:
    check = _Check(text, file)
    if check.remarks:
        return Found(None, tuple(check.remarks), file)
    data = check.document.data
    name = check.text(("map_id",), data.get("map_id"))
    regions = list(_regions(check))
    if check.remarks:
        return Found(None, tuple(check.remarks), file)
    spots = [
        *_spots(check, regions, "crossings", "X", CROSSING, _is_block),
        *_spots(check, regions, "edges", "E", EDGE, _side_by_side),
        *(Spot(f"C{i + 1:02}", CENTRE, (i,)) for i in range(NUM_REGIONS)),
        *_spots(check, regions, "rim_corners", "Q", CROSSING, _side_by_side),
    ]
    if check.remarks:
        return Found(None, tuple(check.remarks), file)
    return Found(MoonMap(name, tuple(regions), tuple(spots), data), (), file)


def _regions(check: _Check) -> Iterator[Region]:
    entries = check.entries("regions", is_map=False)
    if len(entries) != NUM_REGIONS:
        check.say(("regions",), f"{len(entries)} regions, {NUM_REGIONS} are expected")
    places: dict[tuple[int, int], str] = {}
    for i, (entry, wanted) in enumerate(zip(entries, REGIONS, strict=False)):
        path: ValuePath = ("regions", i)
        told = check.fields(path, entry, ("id", "col", "row", "slots", "group"))
        if not told:
            continue
        if told["id"] != wanted:
            check.say(path, f"{show(told['id'])}: {wanted} comes here")
        if told["group"] not in GROUPS:
            check.say((*path, "group"), f"group {show(told['group'])} is none of {listing(GROUPS)}")
        place = (
            check.whole((*path, "col"), told["col"], 0, _FAR),
            check.whole((*path, "row"), told["row"], 0, _FAR),
        )
        if place in places:
            check.say(path, f"{wanted} lies where {places[place]} lies")
        places[place] = wanted
        slots = check.whole((*path, "slots"), told["slots"], 1, MAX_SLOTS)
        yield Region(wanted, *place, slots, str(told["group"]))


def _side_by_side(places: tuple[int, ...], regions: list[Region]) -> str:
    if len(places) == 2:
        one, two = (regions[place] for place in places)
        if abs(one.col - two.col) + abs(one.row - two.row) == 1:
            return ""
    return "two regions side by side are expected"


def _is_block(places: tuple[int, ...], regions: list[Region]) -> str:
    chosen = [regions[place] for place in places]
    left, top = min(region.col for region in chosen), min(region.row for region in chosen)
    block = {
        i
        for i, region in enumerate(regions)
        if region.col - left in (0, 1) and region.row - top in (0, 1)
    }
    if len(block) >= 3 and set(places) == block:
        return ""
    return "all three or four regions of a block of two by two are expected"


def _spots(
    check: _Check,
    regions: list[Region],
    key: str,
    letter: str,
    rank: int,
    fault: Callable[[tuple[int, ...], list[Region]], str],
) -> Iterator[Spot]:
    seen: dict[tuple[int, ...], str] = {}
    for i, (name, touched) in enumerate(check.entries(key, is_map=True).items(), 1):
        path = (key, name)
        if name != f"{letter}{i:02}":
            check.say(path, f"{show(name)}: {letter}{i:02} comes here")
        known = isinstance(touched, list) and touched and all(x in REGIONS for x in touched)
        places = tuple(sorted(REGIONS.index(x) for x in touched)) if known else ()
        if not known or len(set(places)) < len(places):
            check.say(path, f"{name}: {show(touched)} is no list of different regions")
        elif what := fault(places, regions):
            check.say(path, f"{name}: {what}, found {listing(touched)}")
        elif places in seen:
            check.say(path, f"{name} touches the same regions as {seen[places]}")
        seen[places] = str(name)
        yield Spot(f"{letter}{i:02}", rank, places)


@lru_cache(maxsize=64)
def _read_cards(text: str, file: str) -> Found[CardSet]:
    check = _Check(text, file)
    if check.remarks:
        return Found(None, tuple(check.remarks), file)
    data = check.document.data
    name = check.text(("card_set_id",), data.get("card_set_id"))
    cards = list(_cards(check))
    if not check.remarks:
        counts = Counter(card.number for card in cards)
        for number in range(LOWEST, HIGHEST + 1):
            if counts[number] != CARDS_OF_NUMBER:
                what = f"{counts[number]} cards with number {number}"
                check.say(("cards",), f"{what}, {CARDS_OF_NUMBER} are expected")
        if len(cards) != NUM_CARDS:
            check.say(("cards",), f"{len(cards)} cards, {NUM_CARDS} are expected")
    if check.remarks:
        return Found(None, tuple(check.remarks), file)
    return Found(CardSet(name, tuple(cards), data), (), file)


def _cards(check: _Check) -> Iterator[Card]:
    seen: set[str] = set()
    for i, entry in enumerate(check.entries("cards", is_map=False)):
        path: ValuePath = ("cards", i)
        told = check.fields(path, entry, ("id", "number", "cost"))
        if not told:
            continue
        name = check.text((*path, "id"), told["id"])
        if name in seen:
            check.say(path, f"{name} stands twice")
        seen.add(name)
        number = check.whole((*path, "number"), told["number"], LOWEST, HIGHEST)
        cost = told["cost"]
        if not isinstance(cost, dict) or not cost:
            check.say(
                path, f"{name}: a cost is a map from colors to numbers of gems, and not empty"
            )
            continue
        gems = [0] * NUM_ORDINARY
        for color, n in cost.items():
            if color not in COLORS[:NUM_ORDINARY]:
                known = listing(COLORS[:NUM_ORDINARY])
                check.say((*path, "cost"), f"{name}: a cost names {known}, not {show(color)}")
            else:
                place = (*path, "cost", color)
                gems[COLORS.index(color)] = check.whole(place, n, 1, _MOST_COST)
        yield Card(name, number, tuple(gems))


def check_data(name: str, text: str) -> tuple[str, list[Remark]]:
    """What a data file is, and what is to be said about it (`Game.check_data`)."""
    document = parse_yaml(text, name)
    keys = document.data if isinstance(document.data, dict) else {}
    is_map = "map_id" in keys
    if not document.problems and not is_map and "card_set_id" not in keys:
        return "", [Remark(1, "neither a map (map_id, ...) nor a card set (card_set_id, ...)")]
    found: Found[Any] = (_read_map if is_map else _read_cards)(text, name)
    remarks = list(found.remarks)
    if found.data is None:
        return "", remarks
    shipped = SHIPPED[MAP if is_map else CARDS]
    if found.data.id in shipped and found.data != _shipped(found.data.id, is_map):
        remarks.append(_other_content(found.data.id))
    toggle = "map_file" if is_map else "card_file"
    summary = f"{found.data.id}: {found.data.summary}; play with {toggle}: the path of this file"
    return summary, remarks


def _shipped(data_id: str, is_map: bool) -> Any:
    return (find_map if is_map else find_cards)(data_id).data


def header_files(header: Mapping[str, Any]) -> dict[str, str]:
    """The data sets that the header of a record carries, as files (`Game.header_files`).

    Raises
    ------
    ValueError : if `data` is no map from ids to their content
    """
    data = header.get("data", {})
    if not isinstance(data, dict):
        raise ValueError("data is no map from ids of data sets to their content")
    for data_id in data:
        if not _ID.fullmatch(data_id):
            raise ValueError(f"data: {show(data_id)} is no id of a data set")
    return {path_of(data_id): json.dumps(content) for data_id, content in data.items()}
