"""Metrics of any game that read what an oracle says of its positions (`metrics.trace`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from reefsim.core.metric import Metric, Part
from reefsim.metrics import choice, story

if TYPE_CHECKING:
    from reefsim.metrics.trace import Trace

HURT = 0.02  # of the rivals' chances, that a turn aimed at one of them takes from it at least
_BROWNE = "after Browne 2008"
_LUDII = "Ludii (Evaluation/src/metrics)"


def _of_game(function: Callable[[Trace], float]) -> Callable[[Part], Any]:
    """Compute of a metric from a function of the trace of a game."""

    def compute(part: Part) -> Any:
        found = [float(function(trace)) for trace in part.traces.values()]
        return part.by_id(list(part.traces), found)

    return compute


def _of_seat(function: Callable[[Trace], Any]) -> Callable[[Part], Any]:
    """Compute of a metric from a function of a trace that gives a value per seat."""

    def compute(part: Part) -> Any:
        keys = [(game_id, seat) for game_id in part.traces for seat in range(part.seats)]
        found = [float(value) for trace in part.traces.values() for value in function(trace)]
        return part.by_id_and_seat(keys, found)

    return compute


def _steps(trace: Trace) -> int:
    return len(trace.chance) - 1


def _share_of_steps(count: float, trace: Trace) -> float:
    return count / _steps(trace) if _steps(trace) else float("nan")


def lead_changes(trace: Trace) -> int:
    """Lead changes that are no noise of the oracle: by two standard errors."""
    return story.lead_changes(trace.chance, trace.threshold)


def _killer_move(trace: Trace) -> float:
    return story.killer_move(trace.chance, trace.movers).gain


def _permanence(trace: Trace) -> float:
    turns = trace.by_turn()
    return story.permanence(turns.chance, turns.movers, float(turns.threshold.max()))


def _interaction(trace: Trace) -> float:
    turns = trace.by_turn()
    return choice.interaction(turns.chance, turns.movers)


def leader_won(trace: Trace, share: float) -> float:
    """What the seat with most points at a share of the game won; NaN if two led."""
    row = story.at_share(trace.points, share)
    best = np.flatnonzero(row == row.max())
    return float(trace.chance[-1, best[0]]) if len(best) == 1 else float("nan")


def rank_agreement(trace: Trace, share: float) -> float:
    """Rank correlation (Spearman) of points at a share of the game with points at the end.

    Returns
    -------
    -1 to 1; NaN if all seats are equal at either time
    """
    import scipy.stats

    then, end = story.at_share(trace.points, share), trace.points[-1]
    if np.ptp(then) == 0 or np.ptp(end) == 0:
        return float("nan")
    return float(scipy.stats.spearmanr(then, end).statistic)


def gap_growth(trace: Trace) -> float:
    """Autocorrelation, from turn to turn, of the growth of the first seat's lead in points.

    Returns
    -------
    correlation of the changes of (first - second) with those a turn later; above 0 leads grow by
    themselves; NaN with less than three changes or without any
    """
    points = np.sort(trace.by_turn().points, axis=1)
    growth = np.diff(points[:, -1] - points[:, -2])
    if len(growth) < 3 or np.ptp(growth[:-1]) == 0 or np.ptp(growth[1:]) == 0:
        return float("nan")
    return float(np.corrcoef(growth[:-1], growth[1:])[0, 1])


def deficits(trace: Trace, share: float = 0.5) -> Any:
    """Points that each seat is behind the best other one at a share of the game.

    Returns
    -------
    float array, shape (seats,); negative for who leads
    """
    row = story.at_share(trace.points, share)
    return np.array([np.delete(row, seat).max() - row[seat] for seat in range(len(row))])


def targeting(trace: Trace) -> choice.Targeting:
    """Whom turns hit: the rival whose share of the rivals' chances falls most, by 2 % or more.

    Shares among the rivals, because whatever a seat gains is taken mostly from the leader, whom it
    may not have touched. Who leads and who is last is read off the chances before the turn.
    """
    turns = trace.by_turn()
    rows = np.flatnonzero(turns.movers >= 0)
    movers = turns.movers[rows]
    before, after = (_among_rivals(turns.chance[at], movers) for at in (rows, rows + 1))
    losses = before - after
    losses[np.arange(len(rows)), movers] = -np.inf
    victims = losses.argmax(axis=1)
    hurt = losses.max(axis=1, initial=-np.inf) >= HURT
    return choice.targeting(movers[hurt], victims[hurt], turns.chance[rows][hurt])


def _among_rivals(chance: Any, movers: Any) -> Any:
    """Chances of the others as shares of what the mover leaves them; 0 if it leaves nothing."""
    rivals = chance.copy()
    rivals[np.arange(len(movers)), movers] = 0
    left = rivals.sum(axis=1, keepdims=True)
    return np.divide(rivals, left, out=np.zeros_like(rivals), where=left > 0)


def _targeting(name: str) -> Callable[[Trace], float]:
    def found(trace: Trace) -> float:
        # with two seats there is but one rival to hit
        return getattr(targeting(trace), name) if trace.chance.shape[1] > 2 else float("nan")

    return found


def _judged(trace: Trace) -> dict[str, Any]:
    """What is known of the decisions whose actions were all judged."""
    known = np.isfinite(trace.decisions["best"])
    return {name: column[known] for name, column in trace.decisions.items()}


def _mean_of(function: Callable[[dict[str, Any]], Any]) -> Callable[[Trace], float]:
    def found(trace: Trace) -> float:
        judged = _judged(trace)
        return float(np.mean(function(judged))) if len(judged["best"]) else float("nan")

    return found


def _stakes(judged: dict[str, Any]) -> Any:
    return judged["best"] - judged["worst"]


def _swing(trace: Trace) -> float:
    judged = _judged(trace)
    return float(judged["swing"].max()) if len(judged["best"]) else float("nan")


def _story(
    name: str,
    meaning: str,
    formula: str,
    function: Callable[[Trace], float],
    *,
    unit: str = "chance",
    kind: Any = "number",
    family: str = "story",
    source: str = "own",
) -> Metric:
    return Metric(
        name, kind, unit, meaning, formula, family,
        source=source, compute=_of_game(function), oracle=True,
    )  # fmt: skip


def _choice(
    name: str,
    meaning: str,
    formula: str,
    function: Callable[[Trace], float],
    *,
    unit: str = "decisions",
    kind: Any = "share",
    family: str = "choice",
) -> Metric:
    return _story(name, meaning, formula, function, unit=unit, kind=kind, family=family)


_AT = {"25": 0.25, "50": 0.5, "75": 0.75}

FROM_TRACES: tuple[Metric, ...] = (
    _story(
        "drama_mean", "how far the winner was behind, where it was",
        "mean over positions with E_w < E_L of sqrt(E_L - E_w)",
        lambda t: story.drama(t.chance, t.winners).mean, unit="root of chance", source=_BROWNE,
    ),
    _story(
        "drama_max", "how far the winner was behind at most",
        "max sqrt(E_L - E_w)",
        lambda t: story.drama(t.chance, t.winners).max, unit="root of chance", source=_BROWNE,
    ),
    _story(
        "mean_gap", "how far the winner was behind, over the whole game",
        "mean over all positions before the end of E_L - E_w",
        lambda t: story.mean_gap(t.chance, t.winners), source=_LUDII,
    ),
    _story(
        "lead_changes", "times the lead passed to another seat",
        "changes of the leader; a new one exceeds the old by two standard errors of the oracle",
        lead_changes, unit="changes", source=_BROWNE,
    ),
    _story(
        "lead_change_rate", "lead changes per position", "lead_changes / M",
        lambda t: _share_of_steps(lead_changes(t), t), unit="changes", source=_BROWNE,
    ),
    _story(
        "lead_changes_by_turn", "times the lead had passed to another seat when a turn was over",
        "lead_changes over the positions between turns",
        lambda t: lead_changes(t.by_turn()), unit="changes",
    ),
    _story(
        "uncertainty", "how open the game was", "mean over positions before the end of H(E)/ln n",
        lambda t: story.uncertainty(t.chance), unit="share", kind="share", source=_BROWNE,
    ),
    _story(
        "uncertainty_end", "how open the last third of the game was",
        "uncertainty of the last third",
        lambda t: story.uncertainty(t.chance, 1 / 3), unit="share", kind="share", source=_BROWNE,
    ),
    _story(
        "decisiveness_threshold", "the best chance of a seat that did not win",
        "T = max of E_p over losers and positions",
        lambda t: story.decisiveness_threshold(t.chance, t.winners), kind="share", source=_LUDII,
    ),
    _story(
        "decisiveness", "share of the game left when the winner passed what any loser ever had",
        "(M - first n with E_w > T) / M",
        lambda t: story.decisiveness(t.chance, t.winners),
        unit="share of game", kind="share", source=_LUDII,
    ),
    _story(
        "clinch_share", "share of the game after which the winner led for good",
        "(1 + last n with L != w) / M",
        lambda t: _share_of_steps(story.clinch(t.chance, t.winners), t),
        unit="share of game", kind="share",
    ),
    _story(
        "stability", "how much the chances of the seats vary over the game",
        "mean over seats of Var E_p", lambda t: story.stability(t.chance),
        unit="squared chance", source=_LUDII,
    ),
    _story(
        "killer_move", "the most a seat gained by one action",
        "max of E_p(n) - E_p(n-1) by the mover", _killer_move, source=_BROWNE,
    ),
    _story(
        "permanence", "how much of what a turn gained was left when the seat's next turn began",
        "1 - mean over gains of min(1, max(0, loss) / gain), over the positions between turns",
        _permanence, unit="share", kind="share", source=_BROWNE,
    ),
    _story(
        "winner_lowest", "the lowest chance the winner had", "min of E_w",
        lambda t: story.lowest_of_winner(t.chance, t.winners), kind="share",
    ),
    _story(
        "comeback", "share of games whose winner was last in points at half of the game",
        "winner among those with least points after M/2 actions",
        lambda t: story.was_last(t.points, t.winners), unit="games", kind="share",
    ),
    Metric(
        "deficit_half", "number", "points", "points behind the best other seat at half of the game",
        "largest other points - own points after M/2 actions", "runaway", per="seat",
        compute=_of_seat(deficits), oracle=True,
    ),
    *(
        _story(
            f"leader_share_{text}",
            f"win share of the seat that leads in points after {text} % of the game",
            f"what the one with most points after M * {share} actions won; undefined if two led",
            lambda t, share=share: leader_won(t, share),  # type: ignore[misc]
            unit="win share", kind="share", family="runaway",
        )
        for text, share in _AT.items()
    ),
    *(
        _story(
            f"rank_agreement_{text}",
            f"agreement of the order by points after {text} % of the game with the last one",
            f"Spearman correlation of points after M * {share} actions with those at the end",
            lambda t, share=share: rank_agreement(t, share),  # type: ignore[misc]
            unit="correlation", family="runaway",
        )
        for text, share in _AT.items()
    ),
    _story(
        "gap_growth", "whether a lead grows by itself",
        "autocorrelation of the changes of (first - second) points from turn to turn",
        gap_growth, unit="correlation", family="runaway",
    ),
    _choice(
        "stakes", "how much the choice of an action matters",
        "mean over decisions of max Q - min Q", _mean_of(_stakes), unit="chance", kind="number",
    ),
    _choice(
        "sharpness", "how much better the best action is than the next",
        "mean over decisions of Q(1) - Q(2)",
        _mean_of(lambda d: d["best"] - d["second"]), unit="chance", kind="number",
    ),
    _choice(
        "forced_share", "share of decisions with one action far above all others",
        f"Q(1) - Q(2) > {choice.FORCED}",
        _mean_of(lambda d: d["best"] - d["second"] > choice.FORCED),
    ),
    _choice(
        "free_share", "share of decisions in which all actions are equally good",
        "max Q = min Q", _mean_of(lambda d: _stakes(d) <= 1e-9),
    ),
    _choice(
        "meaningful_share", "share of decisions with much at stake and more than one good action",
        f"max Q - min Q >= {choice.AT_STAKE} and two actions within {choice.NEAR_BEST} of the best",
        _mean_of(lambda d: (_stakes(d) >= choice.AT_STAKE - 1e-9) & (d["near"] >= 2)),
    ),
    _choice(
        "effective_choices", "how many equally good actions a decision is worth",
        f"mean over decisions of exp H(softmax(Q / {choice.TEMPERATURE}))",
        _mean_of(lambda d: d["effective"]), unit="actions", kind="number",
    ),
    _choice(
        "kingmaking_share", "share of games in which a seat without a chance decided who wins",
        "a decision with max Q_own <= .02 whose equally good actions change a rival's chance by "
        ".20 or more and the favorite",
        lambda t: float(_swing(t) > 0) if np.isfinite(_swing(t)) else float("nan"),
        unit="games", family="interaction",
    ),
    _choice(
        "kingmaking_swing", "the most that a seat without a chance moved a rival's chance",
        "largest swing of a kingmaking decision, 0 without one", _swing,
        unit="chance", kind="number", family="interaction",
    ),
    _choice(
        "interaction", "how much a turn shifts chances among the others",
        "mean over turns of the sum over others of |dE_q|, less |dE_own|; 0 with two seats",
        _interaction, unit="chance", kind="number", family="interaction",
    ),
    *(
        _choice(
            f"targeting_{text}",
            f"share of turns that hurt a rival which hit {who} most{more}",
            f"turns by which a rival's share of the rivals' chances falls by {HURT} or more",
            _targeting(field), unit="turns", family="interaction",
        )
        for text, field, who, more in (
            ("leader", "leader", "the leading rival", ""),
            ("last", "last", "the last rival", ""),
            ("next", "next_seat", "the seat after", ""),
            ("leader_by_lot", "leader_expected", "the leading rival", ", if it were by lot"),
            ("last_by_lot", "last_expected", "the last rival", ", if it were by lot"),
            ("next_by_lot", "next_expected", "the seat after", ", if it were by lot"),
        )
    ),
)  # fmt: skip
