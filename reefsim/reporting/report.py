"""Everything a page of a run shows beyond its main findings, worked out once."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reefsim.core.sections import shown_sections
from reefsim.core.wording import plain
from reefsim.games import registry
from reefsim.metrics.catalog import known
from reefsim.metrics.values import has_columns
from reefsim.reporting.appendix import Appendix, find_appendix
from reefsim.reporting.findings import Findings, find
from reefsim.reporting.manifest import RunInfo
from reefsim.reporting.pieces import Pieces, find_pieces
from reefsim.reporting.story import Story, find_story
from reefsim.reporting.suggest import Suggestion, find_suggestions
from reefsim.reporting.sweep import Sweep, find_sweep
from reefsim.reporting.tune import Tune, find_tune, is_tune
from reefsim.reporting.watch import Watch, find_watch
from reefsim.stats.forks import first_differences
from reefsim.stats.means import compare_means
from reefsim.stats.overview import overview
from reefsim.stats.replicates import replicate_means
from reefsim.stats.values import read_values


@dataclass(frozen=True)
class Report:
    """What a page shows.

    Attributes
    ----------
    found : the main findings
    show : sections of the page, in its order
    folder : of the run, as a command names it
    story, pieces, watch : of their modules; None if their sections are not shown
    suggestions : rows of what to change
    overview : every metric (`stats.overview`); empty if neither it nor its use is shown
    skills : one row per ruleset that was played at two tables or more: how their first seats differ
    readings : open rule questions: toggle, clause, meaning, reading of each ruleset
    forks : of `stats.first_differences`; empty without events, or where nothing is paired
    sweep : if the run is one
    tune : of a search, if the run is its check; it then takes the place of suggestions
    appendix : of its module; None if it is not shown
    stopping : how the run ended, of its manifest
    correction : of p values, by role
    formats : asked for
    events : share of the games whose events were kept
    game : its name
    """

    found: Findings
    show: tuple[str, ...]
    folder: str
    story: Story | None
    pieces: Pieces | None
    watch: Watch | None
    suggestions: list[Suggestion]
    overview: pd.DataFrame
    skills: pd.DataFrame
    readings: pd.DataFrame
    forks: pd.DataFrame
    sweep: Sweep | None
    tune: Tune | None
    appendix: Appendix | None
    stopping: Mapping[str, Any]
    correction: Mapping[str, str]
    formats: tuple[str, ...]
    events: float
    game: str

    @property
    def info(self) -> RunInfo:
        """What was asked and how it was run."""
        return self.found.info

    @property
    def is_met(self) -> bool:
        """Whether a plain run confirms every wish: claims and targets, in every arm."""
        return self.tune is None and _is_met(self.found)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Tables by name, those of the main findings first."""
        tables = dict(self.found.tables())
        if self.story is not None and self.story.oracle:
            tables |= {
                "story": self.story.measures, "story_fan": self.story.fan,
                "lead_changes": self.story.leads,
            }  # fmt: skip
        if self.pieces is not None:
            tables |= {"uses": self.pieces.uses, "lifts": self.pieces.lifts}
            for drawn in self.pieces.maps:
                tables[f"map_{drawn.summary}"] = drawn.values
            tables |= {f"series_{s.summary}": s.values for s in self.pieces.series}
        if self.watch is not None:
            tables |= {"watch": self.watch.games, "longest": self.watch.worst}
        if self.sweep is not None:
            tables |= {"sweep_points": self.sweep.points, "sweep_curves": self.sweep.curves}
        if self.tune is not None:
            tables |= self.tune.tables()
        if self.appendix is not None:
            tables |= self.appendix.tables()
        tables |= {"forks": self.forks}
        tables["suggestions"] = pd.DataFrame([vars(row) for row in self.suggestions])
        tables |= {"metrics": self.overview, "skills": self.skills, "readings": self.readings}
        return {name: table for name, table in tables.items() if len(table.columns)}


def find_report(run: Any, found: Findings | None = None) -> Report:
    """Work out a page.

    Parameters
    ----------
    run : an open run; of its events only samples are read, part by part
    found : its main findings, if they are known already
    """
    found = found or find(run)
    asked = (run.manifest.get("experiment") or {}).get("report") or {}
    show = shown_sections(asked.get("show"))
    folder = shlex.quote(run.folder.as_posix())
    is_known = bool(run.manifest.get("arms")) and found.num_games > 0
    tells_columns = is_known and bool(run.manifest.get("columns"))
    story = find_story(run) if is_known and {"story", "watch", "appendix"} & set(show) else None
    every = pd.DataFrame()
    if tells_columns and {"appendix", "changes"} & set(show):
        every = _overview(run, found.info, story)
    watch = None
    if is_known and {"watch", "length"} & set(show):
        watch = find_watch(run, found.num_games, story.swings if story else pd.DataFrame())
    has_events = tells_columns and float(run.manifest["experiment"].get("events") or 0) > 0
    is_paired = found.info.is_paired and bool(found.info.baselines)
    forks = pd.DataFrame()
    if has_events and is_paired:
        forks = first_differences(run, found.info.baselines)
    has_appendix = tells_columns and "appendix" in show
    dials = run.manifest.get("dials") or {}
    has_values = sum(arm.ruleset in dials for arm in found.info.arms) > 1
    is_sweep = tells_columns and has_values and "changes" in show
    is_search = tells_columns and is_tune(run.manifest) and "changes" in show
    stopping = run.manifest.get("stopping") or {}
    outcomes = (run.manifest.get("experiment") or {}).get("outcomes") or {}
    return Report(
        found=found,
        show=show,
        folder=folder,
        story=story if "story" in show or "appendix" in show else None,
        pieces=find_pieces(run) if tells_columns and "pieces" in show else None,
        watch=watch,
        suggestions=find_suggestions(
            run, found.info, every, folder, not _is_met(found), found.values
        )
        if is_known and "changes" in show and not is_search
        else [],
        overview=every if "appendix" in show else pd.DataFrame(),
        skills=_skills(run, found.info) if is_known else pd.DataFrame(),
        readings=_readings(run, found.info) if "appendix" in show else pd.DataFrame(),
        forks=forks,
        sweep=find_sweep(run) if is_sweep else None,
        tune=find_tune(run) if is_search else None,
        appendix=find_appendix(run, found, story, forks) if has_appendix else None,
        stopping={**stopping, **(run.manifest.get("ended") or {})},
        correction=outcomes.get("correction") or {},
        formats=tuple(asked.get("formats") or ("html",)),
        events=float((run.manifest.get("experiment") or {}).get("events") or 0),
        game=str(run.manifest.get("game") or ""),
    )


def _is_met(found: Findings) -> bool:
    if not len(found.answers):
        return False
    primary = found.answers[found.answers["role"] == "primary"]
    wishes = primary["claim"].isin(["equivalent", "superior"])
    missed = len(found.targets) and (found.targets["status"] != "inside").any()
    return len(primary) > 0 and not missed and bool((wishes & (primary["answer"] == "yes")).all())


def _overview(run: Any, info: RunInfo, story: Story | None) -> pd.DataFrame:
    """Every metric whose columns the run has, and those of the oracle if it judged games."""
    has_events = float(run.manifest["experiment"].get("events") or 0) > 0
    oracle = story.oracle if story else ""
    metrics = [
        metric
        for metric in known(run.manifest["game"]).values()
        if metric.kind != "category"
        and has_columns(run, metric)
        and (has_events or "events" not in metric.reads)
        and (oracle or not metric.oracle)
    ]
    return overview(run, metrics, info.baselines, info.is_paired, oracle)


def _skills(run: Any, info: RunInfo) -> pd.DataFrame:
    """First seat's share at the first and the last table of every ruleset that has several."""
    by_rules: dict[str, list[str]] = {}
    for arm in info.arms:
        by_rules.setdefault(arm.ruleset, []).append(arm.name)
    rows = []
    for ruleset, names in by_rules.items():
        if len(names) < 2:
            continue
        table = read_values(run, ["first_seat_share"], names).games
        one, two = (
            replicate_means(rows["first_seat_share"], rows["replicate"])
            for rows in (table[table["arm"] == name] for name in (names[0], names[-1]))
        )
        if min(len(one), len(two)) < 2:
            continue
        compared = compare_means(one, two, info.is_paired, (-1.0, 1.0))
        rows.append(
            {
                "ruleset": ruleset,
                "arm": names[0],
                "other": names[-1],
                "share": float(one.mean()),
                "other_share": float(two.mean()),
                "difference": compared.estimate.value,
                "low": compared.estimate.low,
                "high": compared.estimate.high,
                "replicates": compared.estimate.replicates,
                "paired": compared.paired,
            }
        )
    return pd.DataFrame(rows)


def _readings(run: Any, info: RunInfo) -> pd.DataFrame:
    """Questions that the printed rules leave open, and how each ruleset read them."""
    if run.manifest.get("game") not in registry.names():
        return pd.DataFrame()
    toggles = registry.info(run.manifest["game"]).ruleset.toggles()
    rulesets = {arm.ruleset: arm.rules for arm in info.arms}
    rows = []
    for toggle in toggles:
        open_ids = [part.strip() for part in toggle.clause.split(",") if part.strip()[:1] == "A"]
        if open_ids:
            played = {
                name: rules.get(toggle.name, toggle.default) for name, rules in rulesets.items()
            }
            same = len({plain(value) for value in played.values()}) == 1
            text = (
                plain(next(iter(played.values())))
                if same
                else "; ".join(f"{name}: {plain(value)}" for name, value in played.items())
            )
            rows.append(
                {
                    "question": ", ".join(open_ids),
                    "toggle": toggle.name,
                    "meaning": toggle.doc,
                    "played": text,
                }
            )
    return pd.DataFrame(rows)
