"""From an experiment file to the plan of its games.

A file is read completely before anything is refused: `load` reports every mistake in it at once.
What stands in the file and is not carried out in this version is a mistake, too; nothing is
skipped silently.

Folders. `run.out` in the file is relative to the folder of the file, so that an experiment stays
in one place wherever the command is started. An `out` given to `load`, as on the command line,
is relative to the current folder. Without either, games go to `runs/<file name>-<config hash>`
beside the file.

Sweeps. Each value of the varied toggles (or pair of values) adds an arm to the same experiment, on
the same shuffles: ruleset published_some_toggle_3, arm published_some_toggle_3-casual_table.

Searches. The candidates of `tune` are no arms of the experiment: `sim.race` plays them.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reefsim.agents.kinds import KINDS, is_own_class
from reefsim.agents.weights import AUTO, Weights, find_weights
from reefsim.core.allowed import Whole
from reefsim.core.datafiles import looking_in
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import listing, plain
from reefsim.core.yaml_source import Document, parse_yaml, read_yaml
from reefsim.errors import ConfigError
from reefsim.games import registry
from reefsim.games.registry import GameInfo
from reefsim.logs.files import is_local
from reefsim.metrics.catalog import known
from reefsim.sim import ladder, schema
from reefsim.sim.checks import Checker
from reefsim.sim.goals import check_compared, read_outcomes, read_targets
from reefsim.sim.parts import (
    AgentSpec,
    ArmNames,
    check_played,
    read_agents,
    read_arms,
    read_lineups,
    read_rulesets,
)
from reefsim.sim.run_options import RunOptions, find_out, read_options, run_options
from reefsim.sim.stopping import Stopping, check_reach, read_stopping
from reefsim.sim.sweep import read_sweep
from reefsim.sim.tune import Tune, check_tune, read_tune

if TYPE_CHECKING:
    from reefsim.core.game import Game

Kind = Literal["run", "ladder"]  # the command that plays an experiment
_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class Arm:
    """One condition: a ruleset and a lineup.

    `lineup` names the agent of each slot as written; `seatings[rotation][seat]` is the slot that
    sits there; `weights` are those by which its agents judge, by the name of the agent, `tuned`
    those that were tuned for the arm from there on.
    """

    index: int
    name: str
    ruleset_name: str
    ruleset: Ruleset
    lineup_name: str
    lineup: tuple[str, ...]
    seatings: tuple[tuple[int, ...], ...]
    weights: dict[str, Weights]
    tuned: dict[str, Weights] = field(default_factory=dict)

    @property
    def weights_played(self) -> dict[str, Weights]:
        """Those the agents play with: tuned ones where there are any."""
        return self.weights | self.tuned


@dataclass(frozen=True)
class Experiment:
    """A checked experiment file: the question, the design and every setting, resolved."""

    question: str
    game_name: str
    seats: int
    seed: int
    arms: tuple[Arm, ...]
    agents: dict[str, AgentSpec]
    pairing: str
    rotation: str
    stopping: Stopping
    max_plies: int | None
    events: float
    baseline: str
    outcomes: dict[str, Any]
    targets: dict[str, Any]
    report: dict[str, Any]
    run: RunOptions
    source: tuple[Path, str]
    kind: Kind = "run"
    command: str = ""  # that asked for it, if no file did
    retune: dict[str, int] = field(default_factory=dict)  # how long agents are tuned for each arm
    replays: dict[str, Any] = field(default_factory=dict)  # games that are kept as records
    judged: float = 0.0  # share of the replicates whose positions an oracle judges
    dials: dict[str, dict[str, Any]] = field(default_factory=dict)  # of the sweep, by ruleset
    tune: Tune | None = None  # what `reefsim tune` searches
    settings: tuple[Arm, ...] = ()  # of the search: the ruleset it begins with, its candidates
    stage: dict[str, Any] = field(default_factory=dict)  # of a search that this is a part of
    watchdog_s: float | None = None  # how long a user's agent may take for an answer

    @property
    def replicates(self) -> int:
        """Replicates of every arm, at most; a stopping rule may be content with fewer."""
        return self.stopping.most

    @property
    def game(self) -> Game:
        """The game itself; the first use imports its engine."""
        return registry.get(self.game_name)

    def retunes(self, agent: str) -> bool:
        """Whether an agent is tuned for each arm before its games."""
        return bool(self.retune) and self.agents[agent].params.get("weights") == AUTO

    def resolved(self) -> dict[str, Any]:
        """Everything that decides the games and which of their tables are written.

        Left out is what only reads the games (question, targets, report, and the outcomes unless a
        decision on them ends the run), what only plays them faster (workers, backend, chunk, out),
        and weights tuned for each arm, since they follow from the first ones and the rest. The code
        of a user's agent class is not part of it.
        """
        used = {agent for arm in self.arms for agent in arm.lineup}
        found = {
            "game": self.game_name,
            "seats": self.seats,
            "seed": self.seed,
            "arms": [
                {
                    "ruleset": arm.ruleset_name,
                    "rules": arm.ruleset.resolved(),
                    "lineup": arm.lineup_name,
                    "agents": list(arm.lineup),
                    "seatings": [list(seating) for seating in arm.seatings],
                    "weights": {name: weights.values for name, weights in arm.weights.items()},
                }
                for arm in self.arms
            ],
            **self._data(),
            "retune": self.retune,
            "agents": {
                name: {"kind": agent.kind, "params": agent.params}
                for name, agent in self.agents.items()
                if name in used
            },
            "pairing": self.pairing,
            "replicates": self.replicates,
            "max_plies": self.max_plies,
            "events": self.events,
        }
        if self.stopping.rule != "fixed":
            found["stopping"] = self.stopping.resolved()
        if self.stopping.rule == "decision":
            found["decides"] = {
                "outcomes": self.outcomes["primary"], "baseline": self.baseline
            }  # fmt: skip
        return found

    def _data(self) -> dict[str, Any]:
        """Hashes of the data files that the rulesets name, if there are any."""
        files = {k: text for arm in self.arms for k, text in arm.ruleset.data_files().items()}
        hashes = {k: hashlib.sha256(files[k].encode()).hexdigest()[:16] for k in sorted(files)}
        return {"data": hashes} if hashes else {}

    @property
    def config_hash(self) -> str:
        """Twelve hexadecimal digits that tell designs apart."""
        canonical = json.dumps(self.resolved(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class PlanRow:
    """What one arm amounts to."""

    arm: str
    differences: str
    lineup: str
    seatings: int
    replicates: int
    games: int


def describe_plan(experiment: Experiment) -> list[PlanRow]:
    """List the arms with what is played in them, for `reefsim validate`."""
    rows = []
    for arm in experiment.arms:
        changes = [f"{name} {plain(value)}" for name, value in arm.ruleset.differences().items()]
        rows.append(
            PlanRow(
                arm=arm.name,
                differences=", ".join(changes) or "published game",
                lineup=", ".join(arm.lineup),
                seatings=len(arm.seatings),
                replicates=experiment.replicates,
                games=experiment.replicates * len(arm.seatings),
            )
        )
    return rows


def distinct_seatings(lineup: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """List the seatings of a lineup that differ in who sits where, the one as written first.

    Two copies of an agent changing places give the same seating.

    Returns
    -------
    tuple of seatings; seating[seat] is the slot that sits there

    Examples
    --------
    >>> distinct_seatings(["strong", "casual", "casual"])
    ((0, 1, 2), (1, 0, 2), (1, 2, 0))
    """
    found: dict[tuple[str, ...], tuple[int, ...]] = {}
    for seating in itertools.permutations(range(len(lineup))):
        found.setdefault(tuple(lineup[slot] for slot in seating), seating)
    return tuple(found.values())


def load(
    path: str | Path,
    *,
    kind: Kind = "run",
    seed: int | str | None = None,
    workers: int | str | None = None,
    backend: str | None = None,
    chunk: int | str | None = None,
    out: str | Path | None = None,
    scheduler: str | None = None,
) -> Experiment:
    """Read and check an experiment file.

    Parameters
    ----------
    path : the YAML file
    kind : "ladder" for a tournament of the agents, whose line-ups follow from them
    seed, workers, backend, chunk, out, scheduler : take the place of what the file says; digits
        in text count as a number, because a command line holds only text

    Raises
    ------
    ConfigError : with every mistake in the file, each with line and column
    """
    options = {"workers": workers, "backend": backend, "chunk": chunk, "out": out}
    options["scheduler"] = scheduler
    return resolve(read_yaml(path), Path(path), {"seed": seed, **options}, kind)


def loads(
    text: str, path: str | Path = "experiment.yaml", *, kind: Kind = "run", **options: Any
) -> Experiment:
    """Check the text of an experiment file as if it stood at `path`; options as in `load`."""
    return resolve(parse_yaml(text, str(path)), Path(path), options, kind)


def resolve(
    document: Document,
    path: Path,
    options: Mapping[str, Any],
    kind: Kind = "run",
    command: str = "",
) -> Experiment:
    """Check a document that was read.

    Parameters
    ----------
    document : the experiment
    path : the file it stands in, or would
    options : as the last parameters of `load`
    kind : as in `load`
    command : that asked for it, if no file did

    Raises
    ------
    ConfigError : with every mistake in it
    """
    with looking_in(path.parent):
        return _resolve(document, path, options, kind, command)


def _resolve(
    document: Document, path: Path, options: Mapping[str, Any], kind: Kind, command: str
) -> Experiment:
    is_ladder = kind == "ladder"
    check = Checker(document)
    top = schema.read_top(check, ladder.OWN if is_ladder else None)
    settings = {name: schema.read_section(check, name, top) for name in schema.PLAIN_SECTIONS}
    given = read_options(check, options)
    info, seats = _game_and_seats(check, top)

    rulesets = read_rulesets(check, top, info, seats)
    agents = read_agents(check, top, info, path.parent)
    if is_ladder:
        ladder.check_entries(check, rulesets, agents, settings["design"]["rotation"])
        lineups = ladder.lineups(agents, seats)
    else:
        lineups = read_lineups(check, top, agents, seats)
    pairs, baseline, retune = read_arms(check, top, rulesets, lineups)
    swept, more, dials = read_sweep(check, top, rulesets, lineups, seats)
    pairs += more
    question, seed = (schema.read_entry(check, name, top) for name in ("question", "seed"))
    seed = given.get("seed", seed)
    tune, tried = read_tune(check, top, rulesets, lineups, seats, seed)
    settings_of = [ArmNames(name, tune.lineup) for name in (tune.ruleset, *tried)] if tune else []
    known_rules = {**rulesets, **swept, **tried}
    rules = {name: ruleset for name, ruleset in known_rules.items() if ruleset}

    rotation, report = settings["design"]["rotation"], settings["report"]
    if rotation == "full":
        _check_full_rotation(check, lineups, pairs)
    if report["compare_to"] is not None:
        played = [*dict.fromkeys(pair.ruleset for pair in pairs)]
        check_played(check, ("report", "compare_to"), report["compare_to"], rulesets, played)
    if retune:
        _check_retune(check, agents, {name for pair in pairs for name in lineups[pair.lineup]})
    metrics = known(info.name if info else "")
    outcomes = read_outcomes(check, top, metrics, seats)
    played = [*dict.fromkeys(pair.ruleset for pair in pairs)]
    check_compared(check, outcomes, played, baseline)
    targets = read_targets(check, top, metrics, lineups, pairs + settings_of[:1])
    stopping = read_stopping(check, top, metrics, outcomes)
    if tune is not None:
        check_tune(check, tune, targets, outcomes, settings["design"], stopping, bool(retune))
    if stopping is not None and seats is not None and pairs and not check.problems:
        fewest = min(len(distinct_seatings(lineups[pair.lineup])) for pair in pairs)
        check_reach(check, stopping, metrics, seats, 1 if rotation == "none" else fewest)
    out = find_out(check, settings["run"]["out"], given.get("out"), path.parent)
    _check_processes(check, settings, given, out, bool(retune))
    if check.problems or stopping is None:
        raise ConfigError(check.problems)

    game = registry.get(top["game"])

    def find(name: str, ruleset: Ruleset) -> Weights | None:
        agent = agents[name]
        setting = agent.params.get("weights") if agent and not is_own_class(agent.kind) else None
        return setting and find_weights(setting, game, ruleset, top["seats"], path.parent)

    def arms(pairs: Sequence[ArmNames]) -> tuple[Arm, ...]:
        return tuple(
            _arm(index, pair, rules[pair.ruleset], lineups[pair.lineup], rotation, find)
            for index, pair in enumerate(pairs)
        )

    events = settings["save"]["events"]
    experiment = Experiment(
        question=question,
        game_name=top["game"],
        seats=top["seats"],
        seed=seed,
        arms=arms(pairs),
        agents={name: agent for name, agent in agents.items() if agent},
        pairing=settings["design"]["pairing"],
        rotation=rotation,
        stopping=stopping,
        max_plies=settings["limits"]["max_plies"],
        watchdog_s=settings["limits"]["watchdog_s"],
        events=float({"all": 1, "none": 0}.get(events, events)),
        baseline=baseline,
        outcomes=outcomes,
        targets=targets,
        report=report | {"compare_to": report["compare_to"] or baseline},
        run=run_options({**settings["run"], **given}, out),
        source=(path, document.text),
        kind=kind,
        command=command,
        retune=retune,
        replays=settings["save"]["replays"],
        judged=float(settings["save"]["plies"].get("share", 0.0)),
        dials=dials,
        tune=tune,
        settings=arms(settings_of),
    )
    if out is None:
        out = path.parent / "runs" / f"{path.stem}-{experiment.config_hash}"
        experiment = replace(experiment, run=replace(experiment.run, out=out))
    return experiment


def _game_and_seats(check: Checker, top: Mapping[str, Any]) -> tuple[GameInfo | None, int | None]:
    name = schema.read_entry(check, "game", top)
    info = registry.info(name) if name else None
    seats = top.get("seats")
    if isinstance(seats, list):
        check.fail(
            ("seats",),
            "a list. Different numbers of seats cannot share shuffles, because setup differs.",
            "Use one experiment per seat count.",
        )
        return info, None
    if "seats" in top:
        allowed = Whole(info.seats[0], info.seats[-1]) if info else Whole(1)
        seats = check.value(("seats",), seats, allowed)
    return info, seats


def _check_retune(
    check: Checker, agents: Mapping[str, AgentSpec | None], seated: Collection[str]
) -> None:
    sitting = [agent for name in seated if (agent := agents.get(name))]
    if sitting and not any(agent.params.get("weights") == AUTO for agent in sitting):
        judging = listing(name for name, kind in KINDS.items() if kind.judges)
        what = f"no agent of the arms can be tuned. Those can be: {judging}, with weights: auto."
        check.fail(("arms", "retune"), what, at_name=True)


def _check_processes(
    check: Checker,
    settings: Mapping[str, Any],
    given: Mapping[str, Any],
    out: Path | None,
    retune: bool,
) -> None:
    """Check what goes only with some back ends, and what only with folders of this machine."""
    run = settings["run"] | given
    if settings["limits"]["watchdog_s"] is not None and run["backend"] != "loky":
        what = "an agent that hangs can be stopped only in a process of its own."
        check.fail(("limits", "watchdog_s"), what, "Write run: {backend: loky}.")
    if run["scheduler"] is not None and run["backend"] not in ("dask", "ray"):
        what = f"'{run['backend']}' has no scheduler."
        check.fail(("run", "scheduler"), what, "Write backend: dask, or ray.")
    if out is not None and not is_local(out) and (retune or settings["save"]["replays"]):
        entry = ("arms", "retune") if retune else ("save", "replays")
        what = "needs a folder of this machine, and 'out' is an address."
        check.fail(entry, what, at_name=True)


def _check_full_rotation(
    check: Checker, lineups: Mapping[str, tuple[str, ...]], pairs: Sequence[ArmNames]
) -> None:
    for name in dict.fromkeys(pair.lineup for pair in pairs):
        count = len(lineups[name])
        if count > 1 and len(set(lineups[name])) == 1:
            check.fail(
                ("design", "rotation"),
                f"full. Lineup {name} has {_NUMBER_WORDS[count]} equal agents, so its {count} "
                "rotations repeat one shuffle with the same players (exact copies if they do not "
                f"randomise) and must not count as {count} games. Use 'auto' (plays it once).",
            )


def _arm(
    index: int,
    names: ArmNames,
    ruleset: Ruleset,
    lineup: tuple[str, ...],
    rotation: str,
    find: Callable[[str, Ruleset], Weights | None],
) -> Arm:
    as_written = (tuple(range(len(lineup))),)
    weights = {name: find(name, ruleset) for name in dict.fromkeys(lineup)}
    return Arm(
        index=index,
        name=f"{names.ruleset}-{names.lineup}",
        ruleset_name=names.ruleset,
        ruleset=ruleset,
        lineup_name=names.lineup,
        lineup=lineup,
        seatings=as_written if rotation == "none" else distinct_seatings(lineup),
        weights={name: found for name, found in weights.items() if found is not None},
    )
