"""The opening position (CH-1)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import reset_work
from reefsim.games.charon_inc.cards import draw_from, lay_down, take_top
from reefsim.games.charon_inc.constants import (
    ALL_CARDS,
    BURY,
    CLEAR,
    DEAL,
    HIGHEST,
    MAX_LAYERS,
    MAX_SEATS,
    NONE,
    NUM_AREAS,
    NUM_COLORS,
    NUM_ORDINARY,
    NUM_REGIONS,
    NUM_SPOT_WORDS,
    P_ROW,
)
from reefsim.games.charon_inc.log import NO_SEAT, log_fact
from reefsim.games.charon_inc.reset import start_row_choice
from reefsim.games.charon_inc.seeding import seed_moon

SETUP_KEY = 0  # place of the set-up's key in `chance`


@kernel
def begin(s: Record, r: Record, w: Record, log: list[int], seats: int) -> None:
    """Set up a game up to its first decision (CH-1.1 to CH-1.9); `s.chance` is keyed already."""
    clear(s, w, seats)
    for color in range(NUM_ORDINARY):
        s.supply[color] = r.gems_per_color
    s.supply[CLEAR] = r.clear_gems
    seed_moon(s, r, w, log)
    s.pile = ALL_CARDS
    if r.twelves_aside:
        twelves = r.of_number[HIGHEST]
        s.pile &= ~twelves
        lay_down(s, r, twelves)
        s.out = twelves
        for seat in range(seats):
            s.seen[seat] = twelves
    s.pile_size = popcount(s.pile)
    buried = 0
    for i in range(r.buried_cards):
        card = draw_from(s, w, s.pile, SETUP_KEY, BURY, i, 0)
        s.pile &= ~(1 << card)
        s.pile_size -= 1
        buried |= 1 << card
        log_fact(s, w, log, BURY, NO_SEAT, card, 0)
    lay_down(s, r, buried)
    for seat in range(seats):
        for i in range(r.hand_first_round):
            card = draw_from(s, w, s.pile, SETUP_KEY, DEAL, seat, i)
            take_top(s, seat, card)
            log_fact(s, w, log, DEAL, seat, card, 0)
    start_row_choice(s, r, w, log)


@kernel
def clear(s: Record, w: Record, seats: int) -> None:
    """Everything that does not depend on rules or chance; the records may hold an earlier game."""
    reset_work(w)
    s.seats = seats
    s.at = 0
    s.seat = 0
    s.phase = P_ROW
    s.step = 0
    s.round_number = 0
    s.turn = 0
    s.row_built = 0
    s.exchanged = 0
    s.exchanges = 0
    s.over = 0
    s.cause = 0
    s.ender = NONE
    s.row = 0
    s.num_layers = 0
    s.pile = 0
    s.pile_size = 0
    s.out = 0
    for layer in range(MAX_LAYERS):
        s.layers[layer] = 0
        s.hidden_layer[layer] = 0
    for region in range(NUM_REGIONS):
        s.gem_color[region] = NONE
        s.gems[region] = 0
        for seat in range(MAX_SEATS):
            s.force[region][seat] = 0
    for color in range(NUM_ORDINARY):
        s.bag[color] = 0
    for word in range(NUM_SPOT_WORDS):
        s.taken[word] = 0
    for seat in range(MAX_SEATS):
        clear_seat(s, w, seat)
    w.unmined = 0
    w.dead_heats = 0


@kernel
def clear_seat(s: Record, w: Record, seat: int) -> None:
    """The same for what each seat has."""
    s.order[seat] = seat
    s.left[seat] = 0
    s.valid[seat] = 0
    s.hand[seat] = 0
    s.built[seat] = 0
    s.seen[seat] = 0
    s.unseen_takes[seat] = 0
    s.hidden_hand[seat] = 0
    s.fresh[seat] = 0
    s.num_fresh[seat] = 0
    s.chosen[seat] = NONE
    for word in range(NUM_SPOT_WORDS):
        s.own_spots[seat][word] = 0
    for color in range(NUM_COLORS):
        s.held[seat][color] = 0
    w.regions_won[seat] = 0
    w.gems_mined[seat] = 0
    w.clear_taken[seat] = 0
    w.gems_paid[seat] = 0
    w.row_builds[seat] = 0
    w.trades[seat] = 0
    w.synchrotrons[seat] = 0
    w.exchanges[seat] = 0
    w.ties[seat] = 0
    w.places[seat] = 0
    for area in range(NUM_AREAS):
        w.chose[seat][area] = 0
        w.worked[seat][area] = 0
