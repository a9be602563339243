"""What kernels do with any game: steps, standings, result rows, and one match at a time.

The `slot` functions below are filled with the rules of the game being built: `begin`, `legal`,
`apply`, `stop` and `standing` by every game, the others by those for which what stands here is not
right. All entry points take
arrays (lists in plain mode) of records, since handing over single records from Python is slow.
"""

from __future__ import annotations

from typing import Any

from reefsim.core.kernel import Record, entry, inlined, kernel, slot
from reefsim.core.rng import MASK, next_word, seed_chance
from reefsim.core.work import count_decision, list_actions

# Columns of a game's and a player's row that every game has; the game's own follow.
GAME_BASE = ("turns", "rounds", "plies", "decisions", "cause", "ender", "tiebreak_depth")
PLAYER_BASE = ("slot", "score", "rank", "decisions", "options")
TURN_BASE = ("turn", "seat", "decisions", "options")
NUM_GAME_BASE, NUM_PLAYER_BASE = len(GAME_BASE), len(PLAYER_BASE)


@slot
def begin(s: Record, r: Record, w: Record, log: Any, seats: int) -> None:
    """Set up a game up to its first decision."""


@slot
def legal(s: Record, r: Record, w: Record) -> int:
    """Write the legal actions; returns their number."""
    return 0


@slot
def apply(s: Record, r: Record, w: Record, log: Any, action: int) -> None:
    """Carry out an action."""


@slot
def stop(s: Record, r: Record, w: Record, log: Any) -> None:
    """Close a game where it stands because an engine limit was reached."""


@slot
def standing(s: Record, r: Record, seat: int, i: int) -> int:
    """What decides the order of the seats: 0 the score, then the tie-breaks; more is better."""
    return 0


@slot
def num_standings() -> int:
    """How many such figures there are; without tie-breaks one."""
    return 1


@slot
def rounds(s: Record) -> int:
    """Rounds begun so far, if the seats take turns in order."""
    return (s.turn + s.seats - 1) // s.seats


@slot
def game_row(s: Record, r: Record, w: Record, row: Any, i: int) -> None:
    """Write the game's own columns of the table `games` from place i on."""


@slot
def player_row(s: Record, r: Record, w: Record, seat: int, row: Any, i: int) -> None:
    """Write the game's own columns of the table `players` from place i on."""


@slot
def blind(s: Record, r: Record, seat: int) -> None:
    """Turn a state into what a seat may know: hidden stocks are pooled, chance keys erased.

    Unless the game says otherwise, nothing but the chance to come is hidden.
    """
    for i in range(4):
        s.chance[i] = 0


@slot
def determinize(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Turn what a seat may know into a full state that fits it, with an agent's random numbers."""
    for i in range(4):
        s.chance[i] = next_word(agent) & MASK


@slot
def propose(s: Record, r: Record, w: Record) -> None:
    """Write the legal actions worth a look; players that look ahead consider no others."""
    legal(s, r, w)


@slot
def forbid(s: Record, w: Record, mask: int) -> None:
    """Drop the options in `w` that restrictions of the game forbid, by bits of `mask`."""


@slot
def skip(s: Record, r: Record, seat: int) -> bool:
    """Hand the turn back to a seat that just had it, as if the others had had theirs.

    They do in them what the game expects of them, if anything. Returns whether the seat has another
    turn; if not, the state stays as it is.
    """
    return False


@slot
def is_chancy(s: Record, action: int) -> bool:
    """Whether chance decides what an action leads to, while its seat may still have to decide.

    Players that look ahead judge such an action by many outcomes, and do not look beyond it. Where
    the position does not tell, `apply` raises `w.drawn` instead.
    """
    return False


@slot
def fingerprint(s: Record) -> int:
    """A number that tells positions of one turn apart, whatever the order of the actions in it.

    -1 is unlike every number, itself included: no two positions are taken for the same.
    """
    return -1


@slot
def evaluate(s: Record, r: Record, w: Record, weights: Any) -> bool:
    """Write into `w.worth` how much the position promises each seat, in points.

    Returns whether these are the final scores, though the game is not over yet.
    """
    for seat in range(s.seats):
        w.worth[seat] = standing(s, r, seat, 0)
    return False


@inlined
def step(s: Record, r: Record, w: Record, log: Any, action: int) -> None:
    """Count and carry out an action."""
    count_decision(w, s.seat, action)
    apply(s, r, w, log, action)


@kernel
def first_difference(s: Record, r: Record, p: int, q: int) -> int:
    """First standing in which two seats differ; `num_standings()` if they share every one."""
    n = num_standings()
    for i in range(n):
        if standing(s, r, p, i) != standing(s, r, q, i):
            return i
    return n


@kernel
def is_ahead(s: Record, r: Record, p: int, q: int) -> bool:
    """Whether seat p stands before seat q after every tie-break."""
    i = first_difference(s, r, p, q)
    return i < num_standings() and standing(s, r, p, i) > standing(s, r, q, i)


@kernel
def rank(s: Record, r: Record, seat: int) -> int:
    """1 + number of seats ahead."""
    ahead = 0
    for other in range(s.seats):
        if is_ahead(s, r, other, seat):
            ahead += 1
    return 1 + ahead


@kernel
def tiebreak_depth(s: Record, r: Record) -> int:
    """How deep the first place was decided: 0 on score, ..., `num_standings()` if shared."""
    depth = 0
    for p in range(s.seats):
        if rank(s, r, p) == 1:
            for q in range(s.seats):
                if q != p:
                    depth = max(depth, first_difference(s, r, p, q))
    return depth


@kernel
def write_results(s: Record, r: Record, w: Record, slots: Any, game: Any, players: Any) -> None:
    """Fill the row of a finished game and the rows of its seats."""
    game[0] = s.turn
    game[1] = rounds(s)
    game[2] = w.num_events
    game[3] = 0
    game[4] = s.cause
    game[5] = s.ender
    game[6] = tiebreak_depth(s, r)
    game_row(s, r, w, game, NUM_GAME_BASE)
    for seat in range(s.seats):
        row = players[seat]
        row[0] = slots[seat]
        row[1] = standing(s, r, seat, 0)
        row[2] = rank(s, r, seat)
        row[3] = w.seat_decisions[seat]
        row[4] = w.seat_legal[seat]
        game[3] += row[3]
        player_row(s, r, w, seat, row, NUM_PLAYER_BASE)


@kernel
def take_turn_row(w: Record, turns: Any, n: int) -> int:
    """Copy the row of the turn that ended to place `n`, if there is room; returns n + 1."""
    if n < len(turns):
        row = turns[n]
        for i in range(len(row)):
            row[i] = w.row[i]
    w.turn_over = 0
    return n + 1


@entry
def start_match(states: Any, rules: Any, works: Any, log: Any, seats: int) -> None:
    """Set up one game; its chance is keyed or scripted already."""
    begin(states[0], rules[0], works[0], log, seats)


@entry
def key_match(states: Any, root: Any, replicate: int, arm: int) -> None:
    """Key the chance of one game."""
    seed_chance(states[0], root, replicate, arm)


@entry
def list_match(states: Any, rules: Any, works: Any, actions: Any) -> int:
    """Write all legal actions of one game, in increasing order; returns their number."""
    legal(states[0], rules[0], works[0])
    return list_actions(works[0], actions)


@entry
def step_match(states: Any, rules: Any, works: Any, log: Any, action: int) -> None:
    """Apply one legal action to one game; `list_match` was called at this position."""
    step(states[0], rules[0], works[0], log, action)


@entry
def stop_match(states: Any, rules: Any, works: Any, log: Any) -> None:
    """Close one game where it stands."""
    stop(states[0], rules[0], works[0], log)


@entry
def rank_match(states: Any, rules: Any, works: Any, slots: Any, game: Any, players: Any) -> None:
    """Fill the result rows of one game."""
    write_results(states[0], rules[0], works[0], slots, game, players)


@entry
def view_match(states: Any, rules: Any, seat: int) -> None:
    """Turn one state into what a seat may know."""
    blind(states[0], rules[0], seat)


@entry
def fit_match(states: Any, rules: Any, seat: int, agents: Any) -> None:
    """Turn what a seat may know into a full state that fits it."""
    determinize(states[0], rules[0], seat, agents[0])
