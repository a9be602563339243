"""The kinds of agents an experiment may name, and how a user's own class is found."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reefsim.agents.records import MAX_ITERATIONS, MAX_WIDTH
from reefsim.agents.search import width_for
from reefsim.agents.weights import AUTO
from reefsim.core.game import MAX_WEIGHTS, Game
from reefsim.core.wording import did_you_mean, kind_of, listing, sentences, show

OWN_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", re.ASCII)
# A limit in time would make results depend on the machine that plays.
TIME_NAMES = re.compile(
    r"(.*_)?(s|ms|us|sec|secs|seconds?|minutes?|millis|milliseconds?|microseconds?"
    r"|time|timeout|clock|deadline)|time_.*"
)
_LIMITS = {
    "greater_than_equal": "is below",
    "greater_than": "is not above",
    "less_than_equal": "is above",
    "less_than": "is not below",
    "finite_number": "is not a finite number",
}


_NO_DEFAULT = "default_factory_not_called"  # since what it rests on is wrong
NEVER = "never"  # a parameter of every kind, also of a user's class


class Params(BaseModel):
    """Parameters every kind of agent has; values are never converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    never: list[str] = Field(
        [],
        description="kinds of actions and restrictions (reefsim list restrictions) it plays under",
    )


class JudgingParams(Params):
    """Parameters of agents that judge positions."""

    weights: str = Field(
        AUTO,
        min_length=1,
        description="of its evaluation: auto (tuned for the rules, as far as there are any), hand, "
        "or a weights file",
    )


class GreedyParams(JudgingParams):
    """Parameters of the greedy agent."""

    noise: float = Field(
        0.0,
        ge=0,
        allow_inf_nan=False,
        description="spread of the random error in its judgment; 0 plays the best action it sees",
    )


class PlannerParams(GreedyParams):
    """Parameters of the planner."""

    width: int = Field(
        8, ge=1, le=MAX_WIDTH, description="unfinished turns followed at a time; more look further"
    )


class SearchParams(JudgingParams):
    """Parameters of the search."""

    iterations: int = Field(
        400, ge=1, le=MAX_ITERATIONS, description="budget of each turn it plays"
    )
    width: int = Field(
        default_factory=lambda known: width_for(known.get("iterations", 1)),
        ge=1,
        le=MAX_WIDTH,
        description="unfinished turns followed to find plans for its turn; left out, it grows with "
        "the root of iterations: 16 at 400",
    )


@dataclass(frozen=True)
class AgentKind:
    """A kind of agent that comes with reefsim; kernels know it by its code (`agents.choose`)."""

    name: str
    code: int
    doc: str
    params: type[Params]

    @property
    def judges(self) -> bool:
        """Whether it judges positions by weights."""
        return "weights" in self.params.model_fields

    @property
    def defaults(self) -> dict[str, Any]:
        """Its parameters, as they are if nothing is said of them."""
        return self.params.model_validate({}).model_dump()


KINDS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in (
        AgentKind("random", 0, "takes each legal action with the same chance", Params),
        AgentKind("greedy", 1, "takes the action that looks best right now", GreedyParams),
        AgentKind("planner", 2, "plans its whole turn, by what it leads to", PlannerParams),
        AgentKind("search", 3, "looks a round ahead, at what the others may do", SearchParams),
    )
}


OUTSIDE = -1  # code of every agent that is a user's class


def is_own_class(kind: str) -> bool:
    """Whether a kind names a user's class, `module:Class`."""
    return ":" in kind


def import_agent_class(kind: str, folder: Path | None = None) -> type:
    """Import a user's agent class, `module:Class`. This runs the code of the module.

    Parameters
    ----------
    kind : 'module:Class'
    folder : where to look for the module besides the installed packages

    Raises
    ------
    ImportError : in one line, what could not be imported and why
    """
    if not OWN_CLASS.fullmatch(kind):
        raise ImportError(f"{show(kind)} is not of the form module:Class.")
    module_name, _, class_name = kind.partition(":")
    _forget_namesake(module_name, folder)
    with _importable_from(folder):
        try:
            module = importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            place = " Looked beside the file and in the installed packages." if folder else ""
            what = f"there is no module {show(error.name)}"
            if error.name != module_name:
                what += f", which {show(module_name)} imports"
            raise ImportError(f"{what}.{place}") from error
        except (Exception, SystemExit) as error:  # it is a user's module: anything may happen
            what = " ".join(f"{type(error).__name__}: {error}".split())
            raise ImportError(f"importing {show(module_name)} failed with {what}.") from error
    found = getattr(module, class_name, None)
    if not inspect.isclass(found):
        classes = [name for name, _ in inspect.getmembers(module, inspect.isclass)]
        question = did_you_mean(class_name, classes)
        what = f"module {show(module_name)} has no class {show(class_name)}."
        raise ImportError(sentences(what, question))
    if not callable(getattr(found, "act", None)):
        raise ImportError(f"class {show(class_name)} has no method 'act'.")
    return found


def _forget_namesake(module_name: str, folder: Path | None) -> None:
    """Forget a module of the same name that was imported for an experiment in another folder."""
    name = module_name.partition(".")[0]
    file = getattr(sys.modules.get(name), "__file__", None)
    if folder and file and (folder / f"{name}.py").is_file():
        if Path(file).resolve().parent != folder.resolve():
            del sys.modules[name]


def own_files(kind: str, folder: Path | None = None) -> list[Path]:
    """Files of a user's class: its own and those beside it that it imports.

    Raises
    ------
    ImportError : as for `import_agent_class`
    """
    home = sys.modules[import_agent_class(kind, folder).__module__]
    used = {home} | {sys.modules.get(getattr(v, "__module__", "")) for v in vars(home).values()}
    used |= {value for value in vars(home).values() if inspect.ismodule(value)}
    paths = {Path(file).resolve() for m in used if (file := getattr(m, "__file__", None))}
    own = Path(home.__file__ or "").resolve().parent
    return sorted(path for path in paths if path.parent == own)


def own_source(kind: str, folder: Path | None = None) -> str:
    """Hash of the code of a user's class, as `own_files` finds it.

    Raises
    ------
    ImportError : as for `import_agent_class`
    """
    digest = hashlib.sha256()
    for path in own_files(kind, folder):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _importable_from(folder: Path | None) -> Iterator[None]:
    added = [str(folder.resolve())] if folder else []
    sys.path[:0] = added
    try:
        yield
    finally:
        for entry in added:
            if entry in sys.path:
                sys.path.remove(entry)


def param_problems(
    kind: str, params: Mapping[str, Any], folder: Path | None = None, game: Game | None = None
) -> list[tuple[str, str]]:
    """List what is wrong with the parameters of an agent.

    Parameters
    ----------
    kind, params : as in the experiment file
    folder : where a user's class is looked for besides the installed packages
    game : that is played; None leaves out what depends on it

    Returns
    -------
    list of (parameter, message); the parameter is 'kind' if the class itself is at fault
    """
    found = [
        (name, "a limit in time. Results would depend on the machine; use iterations.")
        for name in params
        if TIME_NAMES.fullmatch(name.lower())
    ]
    timed = {name for name, _ in found}
    given = {name: value for name, value in params.items() if name not in timed}
    if game is not None and (wrong := _never_problems(given.get(NEVER, []), game)):
        found += wrong
        del given[NEVER]
    if is_own_class(kind):
        return found + _own_class_problems(kind, given, folder)
    try:
        KINDS[kind].params(**given)
    except ValidationError as error:
        faults = [fault for fault in error.errors() if fault["type"] != _NO_DEFAULT]
        found += [_kind_problem(KINDS[kind], details) for details in faults]
    return found


def resolve_params(kind: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the defaults of a built-in kind; a user's class keeps what was given."""
    if is_own_class(kind):
        return dict(params)
    filled = KINDS[kind].params(**params).model_dump(mode="json")
    return {name: value for name, value in filled.items() if name != NEVER or value}


def record_values(kind: str, params: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """Values of the record by which kernels know an agent (`agents.records.AGENT`).

    Parameters
    ----------
    kind, params : of the agent; `weights` is a map from names to values here, or left out for
        those set by hand
    game : that is played
    """
    names = params.get(NEVER, ())
    values: dict[str, Any] = {
        "kind": OUTSIDE,
        "turns": game.turns_ahead,
        "never": sum(1 << i for i, name in enumerate(game.action_kinds) if name in names),
        "forbidden": sum(1 << i for i, (name, _) in enumerate(game.restrictions) if name in names),
    }
    if is_own_class(kind):
        return values
    values["kind"] = KINDS[kind].code
    values |= {name: value for name, value in params.items() if name not in (NEVER, "weights")}
    tuned = params.get("weights") or {}
    weights = [tuned.get(name, value) for name, value, _ in game.weights]
    return values | {"weights": weights + [0.0] * (MAX_WEIGHTS - len(weights))}


def restriction_names(game: Game) -> dict[str, str]:
    """What `never` may name, with its meaning."""
    kinds = {name: f"never takes the action {name}" for name in game.action_kinds}
    return dict(game.restrictions) | kinds


def _kind_problem(kind: AgentKind, details: Any) -> tuple[str, str]:
    name, value = str(details["loc"][0]), details["input"]
    fields = kind.params.model_fields
    if name not in fields:
        known = ", ".join(fields) or "none"
        what = f"unknown parameter '{name}' of {kind.name}."
        return name, sentences(what, did_you_mean(name, fields), f"Parameters: {known}.")
    about = f"({fields[name].description})"
    if details["type"].endswith("_type"):
        wanted = details["type"].removesuffix("_type").replace("float", "number")
        what = f"{show(value)} is {kind_of(value)} where a {wanted} is expected"
    else:
        limit = next(iter(details.get("ctx", {}).values()), None)
        words = _LIMITS.get(details["type"], details["msg"])
        what = f"{show(value)} {words}" + (f" {limit}" if limit is not None else "")
    return name, f"{what} {about}."


def _never_problems(names: Any, game: Game) -> list[tuple[str, str]]:
    known = restriction_names(game)
    if not isinstance(names, list):
        return [(NEVER, f"{show(names)} is {kind_of(names)} where a list of names is expected.")]
    return [
        (
            NEVER,
            sentences(
                f"{show(name)} is not an action or restriction of {game.title}.",
                did_you_mean(name, known),
                f"There are: {listing(known, 40)}.",
            ),
        )
        for name in names
        if not isinstance(name, str) or name not in known
    ]


def _own_class_problems(
    kind: str, params: Mapping[str, Any], folder: Path | None
) -> list[tuple[str, str]]:
    params = {name: value for name, value in params.items() if name != NEVER}
    found = [
        (name, f"{kind_of(value)} where a number, a truth value or text is expected.")
        for name, value in params.items()
        if value is None or isinstance(value, list | Mapping)
    ]
    try:
        signature = inspect.signature(import_agent_class(kind, folder))
        signature.bind(None, **params)  # an agent is made as Class(rng, **params)
    except ImportError as error:
        found.append(("kind", str(error)))
    except TypeError as error:
        call = ", ".join(["rng", *(f"{name}={show(value)}" for name, value in params.items())])
        found.append(("kind", f"{kind} cannot be made as {kind.split(':')[1]}({call}): {error}."))
    except ValueError:  # a class without a readable signature, such as one written in C
        pass
    return found
