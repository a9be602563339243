"""`reefsim run`, `validate` and `report`: from an experiment file to its report."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from reefsim.cli.screen import console, next_step, plain_rows, progress, table
from reefsim.errors import ReefsimError, RunDamagedError
from reefsim.logs.files import check_writable, find_place, is_local
from reefsim.logs.mend import bug_command, resume_command
from reefsim.sim.design import Experiment, describe_plan, load

if TYPE_CHECKING:
    from reefsim.logs.read import Run

_REPORTS = Path("reports")

Config = Annotated[
    Path, typer.Argument(metavar="CONFIG", help="The experiment file (YAML).", show_default=False)
]
Out = Annotated[str | None, typer.Option(help="Folder for the games.")]
Workers = Annotated[str | None, typer.Option(help="How many play at once; auto: one per core.")]
Backend = Annotated[
    str | None, typer.Option(help="threading, loky for processes, dask or ray for clusters.")
]
Scheduler = Annotated[
    str | None, typer.Option(help="Address of a Dask or Ray cluster; else one is started here.")
]
Chunk = Annotated[str | None, typer.Option(help="Replicates a worker plays at a time, or auto.")]
NoReport = Annotated[bool, typer.Option("--no-report", help="Play and log only.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the last line only.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="For programs: what was found, and lines of progress.")
]
RunFolder = Annotated[
    Path,
    typer.Argument(metavar="RUN", help="A run folder.", show_default=False, parser=find_place),
]
Check = Annotated[bool, typer.Option("--check", help="Exit code 5 if a target is missed.")]


class GamesFailedError(ReefsimError):
    """Games of a run were given up."""

    exit_code: ClassVar[int] = 4


class TargetMissedError(ReefsimError):
    """A run shows that something is outside of what its designer wants."""

    exit_code: ClassVar[int] = 5


def run(
    config: Config,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    chunk: Chunk = None,
    scheduler: Scheduler = None,
    seed: Annotated[str | None, typer.Option(help="Replaces the seed of the file.")] = None,
    extend: Annotated[
        bool,
        typer.Option(
            "--extend", help="Take over a run of another design with the games both have."
        ),
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
    check: Check = False,
    no_report: NoReport = False,
) -> None:
    """Play an experiment and write its report.

    What the run folder holds already is not played again, so the same command goes on with a run
    that was interrupted. With --extend the folder may hold a run with fewer replicates or other
    arms, too; its games that are the same are kept, the others are given up.
    """
    options: dict[str, Any] = {"workers": workers, "backend": backend, "chunk": chunk, "out": out}
    plan = load(config, seed=seed, scheduler=scheduler, **options)
    play_and_report(plan, quiet, no_report, as_json, check, extend)


def play_and_report(
    plan: Experiment,
    quiet: bool,
    no_report: bool,
    as_json: bool = False,
    check: bool = False,
    extend: bool = False,
) -> None:
    """Play an experiment and write its report, or name its games.

    Raises
    ------
    GamesFailedError : at the end, if games were given up
    """
    _need_targets(bool(plan.targets), check, plan.source[0])
    quiet = quiet or as_json
    if not quiet:
        _tell_what_waits(plan)
    from reefsim.logs.manifest import read_manifest
    from reefsim.logs.read import open_run
    from reefsim.sim.runner import run as play

    folder = play(plan, progress=progress(quiet and not as_json, as_json), extend=extend)
    failed = failed_games(folder)
    if failed and not read_manifest(folder)["counts"]["games"]:
        raise GamesFailedError(failed)
    if no_report and not as_json:
        typer.echo(f"games: {folder}")
    page = None if no_report else _report(folder, page_of(folder), quiet)
    following = f"reefsim report {_quoted(folder)}" if page is None else _after(open_run(folder))
    _conclude(folder, page, quiet, as_json, check, following)
    if failed:
        raise GamesFailedError(failed)


def failed_games(folder: Path) -> str:
    """How many games of a run were given up, and why the first one was; empty if none were."""
    from reefsim.logs.read import open_run

    run = open_run(folder)
    counts = run.manifest["counts"]
    if not counts.get("failed"):
        return ""
    first = run.failures.iloc[0]
    games = f"{counts['failed']:,} of {counts['planned']:,} games failed"
    what = f"{games} (table failures), the first one: {first['error']}"
    return f"{folder}: {what} What reproduces it: {bug_command(folder)}"


def report(
    folder: RunFolder,
    out: Annotated[
        Path | None, typer.Option(help="A page (*.html) or a folder; else reports/<run>.html.")
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    check: Check = False,
) -> None:
    """Print what a run found and write its report."""
    from reefsim.logs.read import open_run

    quiet = quiet or as_json
    page = _report(folder, out or page_of(folder), quiet)
    run = open_run(folder)
    _need_targets(bool(run.manifest["experiment"].get("targets")), check, folder)
    _conclude(folder, page, quiet, as_json, check, _after(run))
    if missing := run.num_missing if run.manifest["counts"].get("complete") else 0:
        planned = f"{run.manifest['counts']['planned']:,}"
        what = f"{missing:,} of {planned} games are missing, though the run was complete."
        raise RunDamagedError(f"{folder}: {what} Go on with: {resume_command(folder)}")
    if failed := failed_games(folder):
        raise GamesFailedError(failed)


def _need_targets(has_targets: bool, check: bool, place: Path) -> None:
    if check and not has_targets:
        raise ReefsimError(f"{place}: --check needs targets, and there are none.")


def _conclude(
    folder: Path, page: Path | None, quiet: bool, as_json: bool, check: bool, following: str
) -> None:
    """Say where things are, what comes next, and whether targets were missed."""
    missed = []
    if as_json or check:
        found = _found(folder)
        missed = [row for row in found["targets"] if row["status"] == "outside"]
        if as_json:
            typer.echo(json.dumps(found | {"report": page and str(page)}, ensure_ascii=False))
    if page is not None and not as_json:
        typer.echo(f"report: {page}")
    next_step(following, quiet)
    if check and missed:
        raise TargetMissedError("\n".join(_missed(row) for row in missed))


def _found(folder: Path) -> dict[str, Any]:
    """What a run found, for programs."""
    from reefsim.logs.read import open_run
    from reefsim.reporting.findings import records
    from reefsim.stats.claims import find_answers
    from reefsim.stats.targets import find_targets

    run = open_run(folder)
    asked = run.manifest["experiment"]
    answers = records(find_answers(run)) if asked.get("outcomes") else []
    targets = records(find_targets(run)) if asked.get("targets") else []
    return {
        "folder": str(folder),
        "question": run.manifest["question"].strip(),
        "games": run.manifest["counts"]["games"],
        "failed": run.manifest["counts"].get("failed", 0),
        "ended": run.manifest.get("ended"),
        "answers": plain_rows(answers),
        "targets": plain_rows(targets),
    }


def _missed(row: dict[str, Any]) -> str:
    from reefsim.reporting.answers import now, target_name, target_span

    floats = {name: float("nan") if row[name] is None else row[name] for name in ("low", "high")}
    row = row | floats
    for name, end in (("wanted_low", "-inf"), ("wanted_high", "inf")):
        row[name] = float(end) if row[name] is None else row[name]
    return (
        f"target missed in {row['arm']}: {target_name(row)} is {now(row)} "
        f"(95 % {target_span(row)}), wanted {row['wanted']}"
    )


def _after(run: Run) -> str:
    """The command that comes after a report."""
    from reefsim.stats.claims import baseline_arms

    folder = _quoted(run.folder)
    if run.num_missing:
        return resume_command(run.folder)
    if run.num_failed:
        return bug_command(run.folder)
    bases = baseline_arms(run.manifest["arms"], run.manifest["baseline"])
    for arm, base in bases.items():
        return f"reefsim compare {folder} --arm {arm} --arm {base}"
    if run.manifest["experiment"]["events"] > 0:
        return f"reefsim watch {folder} --game typical"
    return f"reefsim power --from {folder}"


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))


def page_of(folder: Path) -> Path:
    """Where the report of a run goes unless the user says."""
    name = folder.resolve().name if is_local(folder) else folder.name
    return _REPORTS / f"{name}.html"


def _report(folder: Path, out: Path, quiet: bool) -> Path:
    from reefsim.logs.read import open_run
    from reefsim.reporting.findings import find
    from reefsim.reporting.ladder import find_ladder, is_ladder, print_ladder
    from reefsim.reporting.ladder_page import write_ladder
    from reefsim.reporting.render import find_page, write_report
    from reefsim.reporting.tables import print_summary

    page = find_page(out)
    run = open_run(folder)
    if is_ladder(run):
        ladder = find_ladder(run)
        if not quiet:
            print_ladder(ladder, console())
        return write_ladder(ladder, page)
    found = find(run)
    if not quiet:
        print_summary(run, console(), found)
    return write_report(run, page, found)


def validate(
    config: Config,
    plan: Annotated[
        bool,
        typer.Option("--plan", help="Play a pilot: time, disk, and what could be concluded."),
    ] = False,
    pilot: Annotated[
        int, typer.Option(min=2, max=100_000, help="Replicates of every arm in the pilot.")
    ] = 50,
) -> None:
    """Check an experiment, ladder or training file and show what it would play."""
    from reefsim.core.yaml_source import read_yaml
    from reefsim.sim.file_kind import file_kind

    kind = file_kind(read_yaml(config).data)
    screen = console()
    if kind == "train":
        _validate_training(config, plan)
        return
    design = load(config, kind=kind)
    screen.print(design.question.strip(), style="bold", markup=False)
    if kind == "ladder":
        screen.print("a ladder: it names agents and no line-ups, so it makes its own")
    rows = describe_plan(design)
    screen.print(
        table(
            ["arm", "rules that differ", "line-up", "seatings", "replicates", "games"],
            [
                (r.arm, r.differences, r.lineup, r.seatings, f"{r.replicates:,}", f"{r.games:,}")
                for r in rows
            ],
            right="seatings replicates games",
        )
    )
    games = sum(row.games for row in rows)
    most = "" if design.stopping.rule == "fixed" else "at most "
    screen.print(
        f"{most}{games:,} games with {design.seats} seats, seed {design.seed}; {_kept(design)}"
    )
    if design.stopping.rule != "fixed":
        screen.print(_rule(design))
    screen.print(f"games go to {design.run.out}", markup=False)
    check_writable(design.run.out)
    _tell_what_waits(design)
    if design.tune is not None:
        _tell_search(design)
    file = _quoted(config)
    if plan:
        from reefsim.cli.planning import print_plan, print_search
        from reefsim.sim.dials import is_sweep, only_sweep

        if design.tune is not None:
            print_search(design, pilot)
            next_step(f"reefsim tune {file}")
            return
        as_sweep = is_sweep(design)
        print_plan(only_sweep(design) if as_sweep else design, pilot)
        next_step(f"reefsim {'sweep' if as_sweep else kind} {file}")
    else:
        next_step(f"reefsim validate --plan {file}")


def _tell_search(plan: Experiment) -> None:
    """Show what `reefsim tune` would play: its rounds, and the check."""
    from reefsim.sim.tune import stages

    assert plan.tune is not None
    tune, seatings = plan.tune, len(plan.settings[0].seatings)
    rows = [
        (stage, settings, f"{replicates:,}", f"{settings * replicates * seatings:,}")
        for stage, settings, replicates in stages(tune, plan.replicates)
    ]
    tried = len(tune.settings)
    sample = "" if tried == tune.combinations else f", a sample of {tune.combinations:,},"
    screen = console()
    toggles = ", ".join(next(iter(tune.settings.values())))
    screen.print(
        f"reefsim tune: {tried:,} settings{sample} of {toggles}; to beat: {tune.ruleset} at "
        f"{tune.lineup}",
        markup=False,
    )
    names = ["stage", "settings", "replicates", "games"]
    screen.print(table(names, rows, right="settings replicates games"))


def _validate_training(config: Path, plan: bool) -> None:
    from reefsim.sim.training_file import read_training

    if plan:
        raise ReefsimError(f"{config}: --plan goes with experiments; this is a training file.")
    trainings = read_training(config).trainings
    rows = [
        (path.as_posix(), training.seats, f"{training.games:,}", "yes" if path.exists() else "")
        for path, training in trainings.items()
    ]
    screen = console()
    screen.print("a training: it tunes the weights by which players judge")
    screen.print(table(["weights", "seats", "games", "there"], rows, right="seats games"))
    next_step(f"reefsim train {_quoted(config)}")


def _rule(plan: Experiment) -> str:
    """The stopping rule in words."""
    rule = plan.stopping
    looks = rule.looks
    when = (
        f"looks at {looks[0]:,}, then every {rule.look_every:,}, at most {rule.most:,} replicates"
    )
    if rule.rule == "decision":
        return f"stops when every primary claim is decided: {when}"
    wanted = ", ".join(
        f"{name} ±{half:g}" if name not in _pp(plan) else f"{name} ±{100 * half:g} pp"
        for name, half in rule.half_widths.items()
    )
    return f"stops when the intervals are narrow enough ({wanted}): {when}"


def _pp(plan: Experiment) -> set[str]:
    """Metrics whose half-widths are told in percentage points."""
    from reefsim.metrics.catalog import known

    return {name for name, metric in known(plan.game_name).items() if metric.kind == "share"}


def _tell_what_waits(plan: Experiment) -> None:
    """Say what is to be known before the first game."""
    if plan.retune:
        from reefsim.sim.train import Budget

        rulesets = len({arm.ruleset_name for arm in plan.arms})
        games = rulesets * Budget(**plan.retune).games(plan.seats)
        console().print(f"players are tuned first, which takes {games:,} more games")
    caveats = [caveat for arm in plan.arms for caveat in plan.game.caveats(arm.ruleset)]
    for caveat in dict.fromkeys(caveats):
        console().print(f"note: {caveat}", style="yellow", markup=False)


def _kept(plan: Experiment) -> str:
    if plan.events == 1:
        return "all events are kept"
    return f"events are kept of {plan.events:.3g} of the replicates" if plan.events else "no events"
