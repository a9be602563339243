"""Metrics of any game that come straight from the tables `games`, `players` and `events`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reefsim.core.metric import Metric, Part

CLOSE = 3  # points: a game is close if the winner's margin is at most this
_LUDII = "Ludii (Evaluation/src/metrics)"


def _column(table: str, name: str) -> Callable[[Part], Any]:
    return lambda part: getattr(part, table)[name]


def exact_shares(logged: Any) -> Any:
    """Win shares 1/k in double precision, of those in the logs, which are in single precision.

    Parameters
    ----------
    logged : column of `players`: 1/k for each of the k winners, else 0

    Returns
    -------
    float array, shape (rows,)
    """
    share = np.asarray(logged, np.float64)
    winners = np.round(np.divide(1.0, share, out=np.full_like(share, np.inf), where=share > 0))
    return np.where(np.isnan(share), np.nan, 1.0 / winners)


def shares_won(part: Part) -> Any:
    """Win shares: float array, shape (games, seats)."""
    return exact_shares(part.seat_by_seat("win_share"))


def _won_by(seat: int) -> Callable[[Part], Any]:
    return lambda part: part.in_order(part.once(shares_won)[:, seat])


def scores(part: Part) -> Any:
    """Scores of every game, best first: float array, shape (games, seats)."""
    return -np.sort(-part.seat_by_seat("score").astype(float), axis=1)


def _ender_wins(part: Part) -> Any:
    """Win share of the seat that ended the game; undefined where a limit did."""
    ender = part.games["ender"].to_numpy(float, na_value=np.nan)
    ended = ~np.isnan(ender)
    seat = np.where(ended, ender, 0).astype(int)
    won = part.once(shares_won)[np.arange(len(seat)), seat]
    return part.in_order(np.where(ended, won, np.nan))


def spread_of(best_first: Any) -> dict[str, Any]:
    """How far apart the scores of games lie.

    Parameters
    ----------
    best_first : float array, shape (games, seats), in points, best score first

    Returns
    -------
    dict of float arrays, shape (games,): margin (first less second), gap_ratio (margin in shares
    of the first score), sd (with n - 1) and cv (sd over the mean); undefined ones are NaN

    Examples
    --------
    >>> {name: float(v[0].round(6)) for name, v in spread_of(np.array([[31., 28, 19]])).items()}
    {'margin': 3.0, 'gap_ratio': 0.096774, 'sd': 6.244998, 'cv': 0.240192}
    """
    first, mean = best_first[:, 0], best_first.mean(axis=1)
    margin = first - best_first[:, 1]
    sd = best_first.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(first > 0, margin / first, np.nan)
        cv = np.where(mean > 0, sd / mean, np.nan)
    return {"margin": margin, "gap_ratio": ratio, "sd": sd, "cv": cv}


def _spreads(part: Part) -> dict[str, Any]:
    return spread_of(part.once(scores))


def _spread(name: str) -> Callable[[Part], Any]:
    return lambda part: part.in_order(part.once(_spreads)[name])


def _options(part: Part) -> Any:
    """Legal actions per decision, over all seats of a game."""
    decisions = part.seat_by_seat("decisions")
    options = part.players["mean_options"].to_numpy(np.float64, na_value=0).reshape(decisions.shape)
    legal = (np.nan_to_num(options) * decisions).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return part.in_order(legal / decisions.sum(axis=1))


def _decisions(part: Part) -> Any:
    """Rows of `events` that are decisions, with the number of legal actions as floats."""
    found = part.events[part.events["n_legal"].notna()]
    return found.assign(n_legal=found["n_legal"].astype("float64")).groupby("game_id")["n_legal"]


_PLAYED = {"players": ("win_share",)}
_SCORES = {"players": ("score",)}
_DECISIONS = {"events": ("n_legal",)}

FROM_TABLES: tuple[Metric, ...] = (
    # balance
    Metric(
        "first_seat_share", "share", "win share", "win share of seat 0, a shared win counts 1/k",
        "players.win_share at seat 0", "balance",
        compute=_won_by(0), reads=_PLAYED,
    ),
    Metric(
        "last_seat_share", "share", "win share", "win share of the last seat",
        "players.win_share at the last seat", "balance",
        compute=_won_by(-1), reads=_PLAYED,
    ),
    Metric(
        "seat_share", "share", "win share", "win share of each seat",
        "players.win_share", "balance", per="seat",
        compute=lambda part: part.in_seat_order(part.once(shares_won).ravel()), reads=_PLAYED,
    ),
    Metric(
        "score", "number", "points", "final score of a seat",
        "players.score", "balance", per="seat", compute=_column("players", "score"), reads=_SCORES,
    ),
    Metric(
        "rank", "number", "places", "place of a seat, 1 + seats ahead after every tie-break",
        "players.rank", "balance", per="seat",
        compute=_column("players", "rank"), reads={"players": ("rank",)},
    ),
    Metric(
        "margin_others", "number", "points", "score of a seat less the mean of the others'",
        "score - mean of the other scores", "balance", per="seat",
        compute=_column("players", "margin_others"), reads={"players": ("margin_others",)},
    ),
    Metric(
        "first_seat_margin", "number", "points", "score of seat 0 less the mean of the others'",
        "margin_others at seat 0", "balance",
        compute=lambda part: part.in_order(part.seat_by_seat("margin_others")[:, 0]),
        reads={"players": ("margin_others",)},
    ),
    # length
    Metric(
        "length_plies", "number", "events", "events of a game, chance and the end included",
        "games.plies", "length",
        compute=_column("games", "plies"), reads={"games": ("plies",)},
    ),
    Metric(
        "length_decisions", "number", "decisions", "actions taken in a game",
        "games.decisions", "length",
        compute=_column("games", "decisions"), reads={"games": ("decisions",)},
    ),
    Metric(
        "length_turns", "number", "turns", "player turns of a game",
        "games.turns", "length",
        compute=_column("games", "turns"), reads={"games": ("turns",)},
    ),
    Metric(
        "length_rounds", "number", "rounds", "rounds of a game, a begun round counts",
        "games.rounds", "length",
        compute=_column("games", "rounds"), reads={"games": ("rounds",)},
    ),
    Metric(
        "end_cause", "category", "cause", "what ended the game",
        "games.end_cause", "length",
        compute=_column("games", "end_cause"), reads={"games": ("end_cause",)},
    ),
    Metric(
        "truncated_share", "share", "games", "share of games stopped by a limit",
        "games.truncated", "length",
        compute=_column("games", "truncated"), reads={"games": ("truncated",)},
    ),
    Metric(
        "ender_share", "share", "win share", "win share of the seat that ended the game",
        "players.win_share at games.ender; undefined where a limit ended the game", "length",
        compute=_ender_wins, reads={"games": ("ender",), **_PLAYED},
    ),
    # spread
    Metric(
        "margin_points", "number", "points", "score of the best seat less that of the second",
        "first - second", "spread", compute=_spread("margin"), reads=_SCORES,
    ),
    Metric(
        "gap_ratio", "number", "ratio", "the winner's margin in shares of the best score",
        "(first - second) / first", "spread", compute=_spread("gap_ratio"), reads=_SCORES,
    ),
    Metric(
        "score_sd", "number", "points", "standard deviation of the scores of a game",
        "sd over seats, with n - 1", "spread", compute=_spread("sd"), reads=_SCORES,
    ),
    Metric(
        "score_cv", "number", "ratio", "standard deviation of the scores over their mean",
        "sd / mean", "spread", compute=_spread("cv"), reads=_SCORES,
    ),
    Metric(
        "winning_score", "number", "points", "best score of a game",
        "first", "spread",
        compute=lambda part: part.in_order(part.once(scores)[:, 0]), reads=_SCORES,
    ),
    Metric(
        "close_share", "share", "games", f"share of games decided by {CLOSE} points or less",
        f"first - second <= {CLOSE}", "spread",
        compute=lambda part: part.in_order(part.once(_spreads)["margin"] <= CLOSE),
        reads=_SCORES,
    ),
    Metric(
        "tiebreak_depth", "number", "tie-breaks", "tie-breaks that the first place needed",
        "games.tiebreak_depth", "spread",
        compute=_column("games", "tiebreak_depth"), reads={"games": ("tiebreak_depth",)},
    ),
    Metric(
        "shared_win_share", "share", "games", "share of games that no tie-break decided",
        "largest players.win_share < 1", "spread",
        compute=lambda part: part.in_order(part.once(shares_won).max(axis=1) < 1),
        reads=_PLAYED,
    ),
    # choice
    Metric(
        "branching", "number", "actions", "legal actions per decision",
        "sum of legal actions / decisions", "choice",
        compute=_options, reads={"players": ("decisions", "mean_options")},
    ),
    Metric(
        "branching_median", "number", "actions", "legal actions of the median decision",
        "median of events.n_legal over decisions", "choice",
        compute=lambda part: _decisions(part).median(), reads=_DECISIONS,
    ),
    Metric(
        "branching_p95", "number", "actions", "legal actions that 95 % of decisions do not exceed",
        "95 % quantile of events.n_legal over decisions", "choice",
        compute=lambda part: _decisions(part).quantile(0.95), reads=_DECISIONS,
    ),
    Metric(
        "decision_factor", "number", "actions", "legal actions per decision that leaves a choice",
        "mean of events.n_legal where it is 2 or more", "choice", source=_LUDII,
        compute=lambda part: _decisions(part).agg(lambda n: n[n >= 2].mean()), reads=_DECISIONS,
    ),
    Metric(
        "decision_share", "share", "decisions", "share of actions for which there was a choice",
        "decisions with events.n_legal >= 2 / decisions", "choice", source=_LUDII,
        compute=lambda part: _decisions(part).agg(lambda n: (n >= 2).mean()), reads=_DECISIONS,
    ),
    Metric(
        "decisions_per_turn", "number", "decisions", "actions taken per turn",
        "games.decisions / games.turns", "choice",
        compute=lambda part: part.games["decisions"] / part.games["turns"].where(lambda n: n > 0),
        reads={"games": ("decisions", "turns")},
    ),
    Metric(
        "decisions", "number", "decisions", "actions a seat took",
        "players.decisions", "choice", per="seat",
        compute=_column("players", "decisions"), reads={"players": ("decisions",)},
    ),
    Metric(
        "options", "number", "actions", "legal actions per decision of a seat",
        "players.mean_options", "choice", per="seat",
        compute=_column("players", "mean_options"), reads={"players": ("mean_options",)},
    ),
)  # fmt: skip
