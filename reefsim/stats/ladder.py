"""Who plays better: ratings, head-to-head shares, steps and circles of a tournament.

An arm is a pairing: its line-up holds one agent in slot 0, the *row*, among equal *column* agents
in all other slots, and rotates. The unit is the replicate: all pairings and seatings that share a
shuffle belong together.

Two measures stand side by side. Head-to-head shares are shares of games *won*; fair is 1/seats.
Ratings rest on the finishing order, taken apart into pairs: with n seats a game is n - 1
comparisons of the row agent with a column agent, and a shared place counts half for each. Under
the Plackett-Luce model these pairs follow Bradley and Terry with the same strengths, so a rating
means the same at every number of seats, and with two seats it is that of games won.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from reefsim.metrics.from_tables import exact_shares
from reefsim.stats.checks import FloatArray
from reefsim.stats.intervals import share
from reefsim.stats.proportions import LEVEL
from reefsim.stats.ratings import bradley_terry, components
from reefsim.stats.replicates import estimate_by, with_games
from reefsim.stats.seats import agent_shares
from reefsim.stats.student import expanded_tail

POINTS = 400 / np.log(10)  # rating points per unit of log-strength, as in chess
RESAMPLES = 1000
FEW = 20  # replicates below which resampling them says little
_ESTIMATE = ("games", "replicates", "share", "low", "high", "fair", "method", "note")
HEAD_COLUMNS = ("row", "column", *_ESTIMATE)
STEP_COLUMNS = ("stronger", "weaker", *_ESTIMATE, "call")
RATING_COLUMNS = (
    *("agent", "rating", "low", "high", "replicates", "games"),
    *("share", "share_low", "share_high", "fair", "note"),
)
Circle = tuple[str, str, str]


def head_to_head(games: pd.DataFrame, players: pd.DataFrame) -> pd.DataFrame:
    """Win share of every row agent among column agents.

    Parameters
    ----------
    games, players : tables of a tournament

    Returns
    -------
    pandas.DataFrame
        One row per ordered pair that was played: row, column, games, replicates; share with low
        and high, per game, in [0, 1]; fair (1/seats). With two seats a pair gives two rows.
    """
    pairings = _pairings(games, players)
    found = agent_shares(games, players)
    found = found.merge(pairings, left_on=found["arm"].astype(str), right_on="arm")
    is_row = found["agent"].astype(str) == found["row"]
    one_each = (found["seats"] == 2) & ~is_row
    turned = found[one_each].rename(columns={"row": "column", "column": "row"})
    both = pd.concat([found[is_row], turned], ignore_index=True)
    order = _agents(pairings)
    places = both[["row", "column"]].apply(lambda names: names.map(order.index))
    both = both.loc[places.sort_values(["row", "column"]).index].reset_index(drop=True)
    return pd.DataFrame(both, columns=list(HEAD_COLUMNS))


def agent_ratings(
    games: pd.DataFrame,
    players: pd.DataFrame,
    anchor: str,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """Ratings of the agents, best first, and their shares of all games they played.

    Intervals are percentiles over resampled replicates, moved outwards as t is for few of them.
    Where an agent, or a group of them, was never behind the others, the data set its rating no
    upper limit. The interval is open on that side, and its other end allows for what was not seen:
    losses with a share up to the exact (Clopper-Pearson) bound of 0 in so many replicates. The same
    holds below.

    Parameters
    ----------
    games, players : tables of a tournament
    anchor : agent whose rating is 0
    seed : of the resampling
    resamples : how many

    Returns
    -------
    pandas.DataFrame
        One row per agent: rating with low and high in points (400 are odds of 10 to 1 to finish
        ahead of one opponent; NaN for the anchor's interval, infinite ends are open), replicates,
        games; share, share_low and share_high: wins per place it held, in [0, 1]; fair; note.
    """
    pairings = _pairings(games, players)
    names = _agents(pairings)
    ahead = _ahead(games, players, pairings, names)
    total = ahead.sum(axis=0)
    zero = names.index(anchor)
    # a rating without limit is shown as if half a replicate had gone the other way
    unseen = _unseen(ahead)
    point = bradley_terry(total + 0.5 * unseen * _apart(total))
    drawn = _resampled(ahead, unseen, zero, np.random.default_rng(seed), resamples)
    low, high = _percentiles(drawn, (1 - LEVEL) / 2)
    if len(ahead) > 1:  # ends that allow for what was not seen are wide enough
        plain = unseen.any(axis=1)
        ends = _percentiles(drawn, expanded_tail(len(ahead)))
        low, high = np.where(plain, low, ends[0]), np.where(plain, high, ends[1])
    shares = _shares(games, players)
    rows = []
    over, under = _limitless(total, zero)
    for i, name in enumerate(names):
        rows.append(
            {
                "agent": name,
                "rating": POINTS * (point[i] - point[zero]),
                "low": -np.inf if under[i] else low[i],
                "high": np.inf if over[i] else high[i],
                **shares[name],
            }
        )
    table = pd.DataFrame(rows, columns=list(RATING_COLUMNS))
    table.loc[(table["agent"] == anchor) | (len(ahead) < 2), ["low", "high"]] = np.nan
    table["note"] = [_note(row, anchor, len(ahead)) for row in table.to_dict("records")]
    return table.sort_values("rating", ascending=False, kind="stable", ignore_index=True)


def steps(table: pd.DataFrame, heads: pd.DataFrame) -> pd.DataFrame:
    """Win share of each agent of the ladder among copies of the next one below.

    Parameters
    ----------
    table : of `agent_ratings`
    heads : of `head_to_head`

    Returns
    -------
    pandas.DataFrame
        One row per step, from the top: stronger, weaker, the columns of `head_to_head`, and call:
        "above", "below" or "open", by where the interval lies relative to the fair share.
    """
    by_pair = {(row["row"], row["column"]): row for row in heads.to_dict("records")}
    names = list(table["agent"])
    rows = []
    for stronger, weaker in pairwise(names):
        if (stronger, weaker) in by_pair:
            row = by_pair[stronger, weaker]
            calls = {"stronger": stronger, "weaker": weaker, "call": _call(row)}
            rows.append({str(name): value for name, value in row.items()} | calls)
    return pd.DataFrame(rows, columns=list(STEP_COLUMNS))


def circles(heads: pd.DataFrame) -> list[Circle]:
    """Agents of whom each beats the next in a circle of three, on the evidence of intervals.

    One agent beats another if its interval among copies of the other lies above the fair share,
    and not the other way round as well.

    Parameters
    ----------
    heads : of `head_to_head`

    Returns
    -------
    list of (agent, the one it beats, the one that one beats)
    """
    above = {(r["row"], r["column"]) for r in heads.to_dict("records") if _call(r) == "above"}
    beats = {(one, other) for one, other in above if (other, one) not in above}
    names = list(dict.fromkeys(heads["row"]))
    return [
        (first, second, third)
        for trio in combinations(names, 3)
        for first, second, third in permutations(trio)
        if first == trio[0] and {(first, second), (second, third), (third, first)} <= beats
    ]


def _note(row: Mapping[Any, Any], anchor: str, replicates: int) -> str:
    """What a reader must know of a rating before using its interval."""
    if row["agent"] == anchor:
        return "the others are measured from here"
    if replicates < 2:
        return "one replicate only"
    notes = {
        "high": f"no upper limit: too rarely behind {anchor}, or those as strong",
        "low": f"no lower limit: too rarely ahead of {anchor}, or those as weak",
    }
    return "; ".join(note for end, note in notes.items() if np.isinf(row[end]))


def _call(row: Mapping[Any, Any]) -> str:
    if row["low"] > row["fair"]:
        return "above"
    return "below" if row["high"] < row["fair"] else "open"


def _pairings(games: pd.DataFrame, players: pd.DataFrame) -> pd.DataFrame:
    """Row and column agent of every arm."""
    frame = with_games(players, games, ["arm"], ["slot", "agent"])
    frame = frame[frame["slot"] < 2].astype({"arm": str, "agent": str})
    frame = frame.drop_duplicates(["arm", "slot"])
    wide = frame.pivot(index="arm", columns="slot", values="agent").reindex(frame["arm"].unique())
    return wide.reindex(columns=[0, 1]).set_axis(["row", "column"], axis=1).reset_index()


def _agents(pairings: pd.DataFrame) -> list[str]:
    """Agents in the order in which pairings name them, which is that of the experiment."""
    return list(dict.fromkeys(pairings[["row", "column"]].to_numpy().ravel()))


def _ahead(
    games: pd.DataFrame, players: pd.DataFrame, pairings: pd.DataFrame, names: list[str]
) -> FloatArray:
    """Comparisons by replicate, shape (replicates, agents, agents): how often i was ahead of j."""
    frame = with_games(players, games, ["arm", "replicate"], ["game_id", "slot", "rank"])
    frame = frame.sort_values(["game_id", "slot"], kind="stable")
    seats = int(frame["slot"].max()) + 1
    ranks = frame["rank"].to_numpy(int).reshape(-1, seats)
    first = frame.iloc[::seats]
    behind = (ranks[:, 1:] > ranks[:, :1]).sum(axis=1)
    wins = behind + 0.5 * (ranks[:, 1:] == ranks[:, :1]).sum(axis=1)
    replicate = np.unique(first["replicate"].to_numpy(), return_inverse=True)[1]
    places = pairings.set_index("arm").map(names.index)
    of_arm = places.reindex(first["arm"].astype(str)).to_numpy(int)
    ahead = np.zeros((replicate.max() + 1, len(names), len(names)))
    np.add.at(ahead, (replicate, of_arm[:, 0], of_arm[:, 1]), wins)
    np.add.at(ahead, (replicate, of_arm[:, 1], of_arm[:, 0]), seats - 1 - wins)
    return ahead


def _unseen(ahead: FloatArray) -> FloatArray:
    """Comparisons in a replicate of pairs that more games might change beyond any resample.

    These are the pairs between which the data set no finite difference, or all if nothing varies.

    Returns
    -------
    float array, shape (agents, agents), 0 for other pairs
    """
    total = ahead.sum(axis=0)
    is_open = _apart(total) | (not np.ptp(ahead, axis=0).any())
    found: FloatArray = is_open * (total + total.T) / len(ahead)
    return found


def _apart(wins: FloatArray) -> npt.NDArray[np.bool_]:
    """Pairs between which wins set no finite difference, shape (agents, agents)."""
    groups = components(wins)
    apart: npt.NDArray[np.bool_] = groups[:, None] != groups[None, :]
    return apart


def _resampled(
    ahead: FloatArray, unseen: FloatArray, zero: int, rng: np.random.Generator, resamples: int
) -> FloatArray:
    """Ratings from resampled replicates, shape (resamples, agents), that of agent `zero` 0.

    Pairs with unseen wins get an exponential number of replicates of them on both sides, of which
    the upper 2.5 % lie above 3.7: divided by n, the exact bound of 0 in n. All other pairs get half
    a comparison, with its spread, on both sides (as Jeffreys' prior): the few upsets between agents
    far apart vary more than resamples of them do. A rating to which a resample sets no limit is
    infinite.
    """
    size, total = len(ahead), ahead.sum(axis=0)
    sums = np.tensordot(rng.multinomial(size, np.full(size, 1 / size), resamples), ahead, axes=1)
    sums += rng.exponential(size=sums.shape) * unseen
    sums += rng.gamma(0.5, size=sums.shape) * ((total + total.T > 0) & (unseen == 0))
    found = np.empty(sums.shape[:2])
    start = bradley_terry(total + unseen)
    for i, wins in enumerate(sums):
        found[i] = POINTS * bradley_terry(wins, start)
        found[i] -= found[i, zero]
        is_over, is_under = _limitless(wins, zero)
        found[i, is_over] = np.inf
        found[i, is_under] = -np.inf
    return found


def _percentiles(drawn: FloatArray, tail: float) -> tuple[FloatArray, FloatArray]:
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return low, high


def _limitless(wins: FloatArray, zero: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Agents that wins set no limit above agent `zero`, and below it, each of shape (agents,)."""
    groups = components(wins)
    near = groups == groups[zero]
    if near.all():
        return ~near, ~near
    of_group = groups[:, None] == groups[None, :]
    beaten = of_group @ wins[near].any(axis=0)  # some of its group lost to one like the anchor
    beats = of_group @ wins[:, near].any(axis=1)
    return ~near & ~beaten, ~near & ~beats


def _shares(games: pd.DataFrame, players: pd.DataFrame) -> dict[str, dict[str, object]]:
    """Wins per place of every agent, over all its games."""
    frame = with_games(
        players, games, ["replicate", "players"], ["game_id", "agent", "win_share"]
    ).astype({"agent": str})
    frame = frame.assign(win_share=exact_shares(frame["win_share"]))
    played = frame.groupby("agent")["game_id"].nunique()
    return {
        cell.key["agent"]: {
            "games": int(played[cell.key["agent"]]),
            "replicates": cell.estimate.replicates,
            "share": cell.estimate.value,
            "share_low": cell.estimate.low,
            "share_high": cell.estimate.high,
            "fair": 1 / int(frame["players"].iloc[0]),
        }
        for cell in estimate_by(frame, "win_share", ["agent"], share)
    }
