"""`reefsim power`: how many games a question needs, or what a number of them can find."""

from __future__ import annotations

import json
import math
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from reefsim.cli.experiment import AsJson
from reefsim.cli.screen import console, next_step, plain_rows, table, tell_caveats
from reefsim.errors import ReefsimError

_STEPS = {"half_width": (3.0, 2.0, 1.0), "margin": (3.0, 2.0, 1.0), "effect": (5.0, 3.0, 2.0)}
_WORDS = {
    "half_width": "interval of ±{pp:g} pp",
    "margin": "fair within ±{pp:g} pp, if it is",
    "effect": "a difference of {pp:g} pp from fair",
}


def power(
    seats: Annotated[int | None, typer.Option(min=2, max=10, help="2 if left out.")] = None,
    margin_pp: Annotated[
        float | None, typer.Option(help="To show a seat fair within so many percentage points.")
    ] = None,
    half_width_pp: Annotated[
        float | None, typer.Option(help="For an interval so wide to either side.")
    ] = None,
    effect_pp: Annotated[
        float | None, typer.Option(help="To find a seat so far from fair; may be negative.")
    ] = None,
    replicates: Annotated[
        int | None, typer.Option(min=2, help="The other way round: what so many can find.")
    ] = None,
    power: Annotated[
        float | None, typer.Option(help="Chance of success; 0.9 for a margin, 0.8 for an effect.")
    ] = None,
    gain: Annotated[
        float | None, typer.Option(help="Gain of pairing or rotation: divides the replicates.")
    ] = None,
    run: Annotated[
        Path | None, typer.Option("--from", help="Run that tells seats, spread and gains.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how many games a question about seats needs, or what a number of games can find.

    With --from the spread and the gains of pairing are those measured in a run; a pilot is enough.
    """
    asked = {"margin": margin_pp, "half_width": half_width_pp, "effect": effect_pp}
    given = {name: value for name, value in asked.items() if value is not None}
    for name, value in given.items():
        if not 0 < abs(value) < 100 or (name != "effect" and value < 0):
            option = name.replace("_", "-")
            raise ReefsimError(f"--{option}-pp {value:g} is not between 0 and 100.")
    if power is not None and not 0 < power < 1:
        raise ReefsimError(f"--power {power:g} is not between 0 and 1.")
    if gain is not None and not 0 < gain < math.inf:
        raise ReefsimError(f"--gain {gain:g} is not above 0.")
    if run is not None:
        _from_run(run, given, replicates, power, seats, gain, as_json)
        return
    rows = _rows(seats or 2, given, replicates, power, gain or 1.0)
    if as_json:
        typer.echo(json.dumps(plain_rows(rows)))
        return
    screen = console()
    screen.print(f"{seats or 2} seats, one independent game per replicate, gain {gain or 1:g}")
    _print(rows)
    next_step("reefsim new my_question")


def _rows(
    seats: int,
    given: dict[str, float],
    replicates: int | None,
    power: float | None,
    gain: float,
) -> list[dict[str, Any]]:
    from reefsim.stats.planning import games_needed

    if replicates is not None and not given:
        return _detectable(math.sqrt((1 / seats) * (1 - 1 / seats) / gain), replicates, power)
    rows = []
    for name, steps in _STEPS.items():
        for pp in [given[name]] if name in given else [] if given else steps:
            chance = None if name == "half_width" else power
            try:
                found = games_needed(seats, **{name: pp / 100}, power=chance, gain=gain)
            except ValueError as error:
                raise ReefsimError(f"{name.replace('_', ' ')} of {pp:g} pp: {error}.") from error
            words = _WORDS[name].format(pp=pp)
            rows.append({"for": words, "chance": found.power, "replicates": found.n})
    return rows


def _detectable(sd: float, replicates: int, power: float | None) -> list[dict[str, Any]]:
    """What so many replicates can find, at a standard deviation between them."""
    unit = 100 * sd / math.sqrt(replicates)
    return [
        {"for": _WORDS[name].format(pp=round(k * unit, 2)), "chance": p, "replicates": replicates}
        for name, (k, p) in _reaches(power).items()
    ]


def _reaches(power: float | None) -> dict[str, tuple[float, float | None]]:
    """By kind of question: how many standard errors it has to reach, and the chance of that."""
    import scipy.stats

    z = float(scipy.stats.norm.ppf(0.975))
    margin, effect = power or 0.9, power or 0.8
    return {
        "half_width": (z, None),
        "margin": (z + float(scipy.stats.norm.ppf((1 + margin) / 2)), margin),
        "effect": (z + float(scipy.stats.norm.ppf(effect)), effect),
    }


def _print(rows: list[dict[str, Any]]) -> None:
    lines = [
        (
            row["for"],
            "" if row["chance"] is None else f"{row['chance']:.0%}",
            f"{row['replicates']:,}",
        )
        for row in rows
    ]
    console().print(table(["for", "chance", "replicates"], lines, right="chance replicates"))


def _from_run(
    folder: Path,
    given: dict[str, float],
    replicates: int | None,
    power: float | None,
    seats: int | None,
    gain: float | None,
    as_json: bool,
) -> None:
    """Tell what a run measured: spread between replicates, gain of pairing, replicates needed."""
    from reefsim.logs.read import open_run
    from reefsim.metrics.catalog import known
    from reefsim.stats.claim import Claim
    from reefsim.stats.claims import baseline_arms
    from reefsim.stats.forecast import spread
    from reefsim.stats.values import read_values
    from reefsim.stats.verdict import MARGIN_PP

    run = open_run(folder)
    found = int(run.manifest["seats"])
    if seats not in (None, found):
        raise ReefsimError(f"--seats {seats}: {folder} has {found}. Leave it out.")
    if gain is not None:
        raise ReefsimError(f"--gain {gain:g}: the gain is measured in {folder}. Leave it out.")
    name = "first_seat_share"
    metric = known(run.manifest["game"])[name]
    values = read_values(run, [name])
    fair, sd_fair = 1 / found, math.sqrt((1 / found) * (1 - 1 / found))
    bases = baseline_arms(run.manifest["arms"], run.manifest["baseline"])
    is_paired = run.manifest["pairing"] == "chance"
    primary = (run.manifest["experiment"].get("outcomes") or {}).get("primary") or {}
    usual = float((primary.get(name) or {}).get("margin_pp") or MARGIN_PP)
    lines: list[dict[str, Any]] = []
    for arm in run.manifest["arms"]:
        places = [("", fair)] + ([(bases[arm["name"]], 0.0)] if arm["name"] in bases else [])
        for against, null in places:
            claim = Claim(name, metric, "differs", arm["name"], against, null, seats=found)
            if len(values.of(claim).means) < 2:
                raise ReefsimError(f"{folder}: fewer than two replicates of {arm['name']}.")
            sd, pairing = spread(claim, values, is_paired)
            measured = (sd_fair / sd) ** 2 if not against else pairing
            rows = _at_sd(sd, given, replicates, power, bool(against), usual)
            about = f"{arm['name']} against {against}" if against else arm["name"]
            games = max(1, round(arm["games"] / arm["replicates"]))
            lines += [
                {
                    "arm": about,
                    "sd": sd,
                    "gain": measured,
                    **row,
                    "games": row["replicates"] * games,
                }
                for row in rows
            ]
    if as_json:
        typer.echo(json.dumps(plain_rows(lines)))
        return
    screen = console()
    first = run.manifest["arms"][0]
    count = len(values.of(Claim(name, metric, "differs", first["name"], seats=found)).means)
    screen.print(f"{name} at {found} seats, by the spread in {count:,} replicates of {folder}")
    screen.print(
        table(
            ["arm", "sd", "gain", "for", "chance", "replicates", "games"],
            [
                (
                    line["arm"],
                    f"{line['sd']:.3f}",
                    "" if math.isnan(line["gain"]) else f"{line['gain']:.2f}",
                    line["for"],
                    "" if line["chance"] is None else f"{line['chance']:.0%}",
                    f"{line['replicates']:,}",
                    f"{line['games']:,}",
                )
                for line in lines
            ],
            right="sd gain chance replicates games",
        )
    )
    screen.print(
        "gain: of rotation (against single independent games), or of sharing shuffles (between "
        "arms); games: of that arm",
        style="dim",
    )
    tell_caveats(run.manifest)
    file = str(run.manifest.get("volatile", {}).get("file", ""))
    if (
        run.manifest.get("kind") == "run" and Path(file).is_file()
    ):  # with more replicates written into it
        next_step(f"reefsim run --extend {shlex.quote(file)}")


def _at_sd(
    sd: float,
    given: dict[str, float],
    replicates: int | None,
    power: float | None,
    is_difference: bool,
    usual: float,
) -> list[dict[str, Any]]:
    """Replicates by the spread between them; differences have no share to be fair at.

    `usual` is asked for where nothing is given, in percentage points.
    """
    if replicates is not None and not given:
        return _detectable(sd, replicates, power)
    words = _WORDS | (
        {"margin": "the same within ±{pp:g} pp, if it is", "effect": "a change of {pp:g} pp"}
        if is_difference
        else {}
    )
    return [
        {
            "for": words[name].format(pp=pp),
            "chance": chance,
            "replicates": math.ceil((k * 100 * sd / pp) ** 2),
        }
        for name, (k, chance) in _reaches(power).items()
        for pp in ([given[name]] if name in given else [] if given else [usual])
    ]
