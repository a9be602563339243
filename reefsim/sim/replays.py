"""Games of a run kept as records of their own, to be watched: the longest, a sample, and others.

Which games is decided when the run is over, by the tables alone. A game whose actions were not kept
is played again: it follows from the seed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reefsim.core.kernel import Mode
from reefsim.core.picks import GAME_COLUMNS, PLAYER_COLUMNS, pick, with_scores
from reefsim.core.record import write_record
from reefsim.games import registry
from reefsim.logs.encode import Encoder, join, split_id
from reefsim.logs.manifest import write_manifest
from reefsim.logs.read import make_record, open_run
from reefsim.sim.playout import Table, jobs_of
from reefsim.sim.table_play import make_table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from reefsim.sim.runner import Setting

FOLDER = "replays"
_MOST_TRUNCATED = 20  # of each arm


def choose(games: pd.DataFrame, players: pd.DataFrame, wanted: Mapping[str, Any]) -> dict[int, str]:
    """Choose games to be kept: why, by game id.

    Parameters
    ----------
    games, players : as for `picks.with_scores`
    wanted : sample (games, evenly spread over the run), always (of `PICKS`, in every arm)
    """
    found: dict[int, list[str]] = {}
    games = with_scores(games, players)
    for _, rows in games.groupby("arm", observed=True, sort=False):
        for why in wanted["always"]:
            most = _MOST_TRUNCATED if why == "truncated" else 1
            for game_id in pick(rows, why)["game_id"].head(most):
                found.setdefault(int(game_id), []).append(why)
    ids = games["game_id"].to_numpy()
    count = min(wanted["sample"], len(ids))
    for place in np.unique(np.linspace(0, len(ids) - 1, count).round().astype(int)):
        found.setdefault(int(ids[place]), []).append("sample")
    return {game_id: ", ".join(found[game_id]) for game_id in sorted(found)}


def keep_replays(
    folder: Path, wanted: Mapping[str, Any], settings: Mapping[int, Setting], mode: Mode
) -> None:
    """Write the records of a finished run and list them in its manifest.

    Parameters
    ----------
    folder : of the run
    wanted : as for `choose`
    settings : by arm
    mode : in which games are played again
    """
    run = open_run(folder)
    games = run.table("games", list(GAME_COLUMNS))
    players = run.table("players", list(PLAYER_COLUMNS))
    chosen = choose(games, players, wanted)
    arms = dict(zip(games["game_id"], games["arm"], strict=True))
    kept = set(run.table("events", ["game_id"], [("ply", "==", 0)])["game_id"])
    rows = []
    for game_id, why in chosen.items():
        if game_id in kept:
            record = run.record(game_id)
        else:
            setting = settings[split_id(game_id)[0]]
            again = play_again(setting, game_id, mode)
            rows_of = {name: again[name].to_pylist() for name in ("games", "players", "events")}
            record = make_record(
                run.manifest, rows_of["games"][0], rows_of["players"], rows_of["events"]
            )
        name = f"{FOLDER}/{game_id}.jsonl"
        (folder / FOLDER).mkdir(exist_ok=True)
        write_record(folder / name, record)
        rows.append({"game_id": game_id, "arm": str(arms[game_id]), "why": why, "file": name})
    manifest = {name: value for name, value in run.manifest.items() if name != "format"}
    write_manifest(folder, manifest | {"replays": rows, "replays_wanted": dict(wanted)})


def play_again(setting: Setting, game_id: int, mode: Mode) -> dict[str, pa.Table]:
    """Play one game of a run again: its rows of every table.

    Parameters
    ----------
    setting : of its arm
    game_id : of the game
    mode : as for a run
    """
    table, job = table_for(setting, game_id, mode)
    return Encoder(table.game, setting.labels).encode(join([table.play(job)]))


def table_for(setting: Setting, game_id: int, mode: Mode) -> tuple[Table, NDArray[np.int64]]:
    """The table at which one game of a run is played, and its job, as for `Table.play`."""
    table = make_table(
        setting.players,
        registry.get(setting.game_name),
        setting.ruleset,
        seed=setting.labels.seed,
        arm=setting.chance_arm,
        max_plies=setting.max_plies,
        mode=mode,
        watchdog_s=setting.watchdog_s,
    )
    _, replicate, rotation = split_id(game_id)
    return table, jobs_of(setting.seatings, replicate, 1)[rotation : rotation + 1]


def judge_positions(folder: Path, share: float, mode: Mode) -> None:
    """Let the oracle of `reefsim appraise` judge the positions of some replicates of a run.

    Parameters
    ----------
    folder : of the run
    share : of the replicates, evenly spread over those whose actions were kept
    mode : as for a run
    """
    from reefsim.sim.oracle import appraise  # compiles kernels of its own

    run = open_run(folder)
    if run.manifest.get("judged") == share:
        return
    most = int(run.manifest["arms"][0]["replicates"])
    appraise(run, replicates=max(1, math.ceil(share * most)), mode=mode)
    manifest = {name: value for name, value in run.manifest.items() if name != "format"}
    write_manifest(folder, manifest | {"judged": share})


def is_kept(folder: Path, wanted: Mapping[str, Any]) -> bool:
    """Whether the records of a run are there as they are asked for."""
    manifest = open_run(folder).manifest
    if manifest.get("replays_wanted") != json.loads(json.dumps(wanted)):
        return False
    return all((folder / row["file"]).exists() for row in manifest.get("replays", ()))
