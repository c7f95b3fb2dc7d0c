"""What a seat may know of Tide, and where its points come from."""

from __future__ import annotations

from collections.abc import Iterable

from bosquet.core.rng import Rng
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view import Entry, Move, Sheet, View
from bosquet.kernels.bits import mask_of, members
from tide.notation import CARD_NAMES, CARD_OF, COLUMNS, GRID, cards_of, to_notation
from tide.rules import (
    CARDS,
    CELLS,
    FIRST_DROP,
    LINES,
    MAX_MOVES,
    NAME,
    NO_CARD,
    State,
    determinize_in_place,
    legal,
    new_state,
    play,
    points_of,
    winners,
)


class TideView(View, frozen=True, kw_only=True):
    """What a seat may know of a game of Tide."""

    board: dict[str, str]
    """Cell to card."""
    owners: dict[str, int]
    """Cell to the seat that laid its card."""
    hand: list[str] | None
    """The viewer's cards; None for a spectator."""
    hand_sizes: list[int]
    pile: int
    """Cards left in the pile."""
    gone: list[str]
    """Cards dropped or taken by the tide."""
    round: int
    washed: str | None
    """The column that the tide came up last."""
    moves: list[Move]


def view(state: State, viewer: int | None) -> TideView:
    """Return all that a seat, or a spectator, may know."""
    over = state.seat == NOBODY
    laid = [cell for cell in range(CELLS) if state.card[cell] != NO_CARD]
    return TideView(
        game=NAME,
        options={"players": state.players},
        viewer=viewer,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase="over" if over else "tide" if state.seat == CHANCE else "lay",
        scores=[points_of(state, seat) for seat in range(state.players)],
        winners=list(members(winners(state))) if over else [],
        board={GRID.names[cell]: CARD_NAMES[state.card[cell]] for cell in laid},
        owners={GRID.names[cell]: state.owner[cell] for cell in laid},
        hand=None if viewer is None else cards_of(state.hand[viewer]),
        hand_sizes=state.held[: state.players],
        pile=CARDS - state.drawn,
        gone=cards_of(state.gone),
        round=state.round,
        washed=None if state.washed < 0 else COLUMNS[state.washed],
        moves=_moves(state) if viewer is not None and viewer == state.seat else [],
    )


def _moves(state: State) -> list[Move]:
    actions = [0] * MAX_MOVES
    return [move_data(state, action, state.seat) for action in actions[: legal(state, actions)]]


def move_data(state: State, action: int, viewer: int | None) -> Move:
    """Return an action about to be made as data; everybody may know all of it."""
    after = state.copy()
    play(after, action)
    gain = None if after.seat == CHANCE else points_of(after, state.seat) - points_of(state, state.seat)
    text = to_notation(state, action)
    if action >= FIRST_DROP:
        return Move(say=text, kind="drop", piece=CARD_NAMES[action - FIRST_DROP], cells=[], points=gain)
    return Move(say=text, piece=CARD_NAMES[action // CELLS], cells=[GRID.names[action % CELLS]], points=gain)


def determinize(view: TideView, rng: Rng) -> State:
    """Return a state that agrees with all that the viewer has seen, uniformly among those."""
    state = new_state(view.options)
    state.seat = NOBODY if view.over else CHANCE if view.seat is None else view.seat
    state.round = view.round
    state.drawn = CARDS - view.pile
    state.washed = -1 if view.washed is None else COLUMNS.index(view.washed)
    for cell, name in enumerate(GRID.names):
        state.card[cell] = CARD_OF[view.board[name]] if name in view.board else NO_CARD
        state.owner[cell] = view.owners.get(name, 0)
    if view.viewer is not None:
        state.hand[view.viewer] = mask_of(CARD_OF[name] for name in view.hand or [])
    state.gone = mask_of(CARD_OF[name] for name in view.gone)
    known = state.gone | mask_of(CARD_OF[name] for name in view.board.values())
    known |= state.hand[0] | state.hand[1] | state.hand[2] | state.hand[3]
    unseen = [card for card in range(CARDS) if not known >> card & 1]
    for seat, size in enumerate(view.hand_sizes):
        state.held[seat] = size
        if seat != view.viewer:
            state.hand[seat] = mask_of(unseen.pop() for _ in range(size))
    for place, card in enumerate(unseen):
        state.pile[state.drawn + place] = card
    determinize_in_place(state, -1 if view.viewer is None else view.viewer, rng.state)
    return state


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Return the score sheet: an entry for every row and column with a card."""
    entries = []
    for number, line in enumerate(LINES):
        laid = [cell for cell in line if state.card[cell] != NO_CARD]
        if laid:
            highest = max(laid, key=lambda cell: state.card[cell])
            entries.append(
                Entry(
                    seat=state.owner[highest],
                    kind="row" if number < len(LINES) // 2 else "column",
                    name=CARD_NAMES[state.card[highest]],
                    points=len(laid),
                    cells=[GRID.names[cell] for cell in laid],
                )
            )
    return Sheet(
        game=NAME,
        entries=entries,
        scores=[points_of(state, seat) for seat in range(state.players)],
        winners=list(members(winners(state))) if state.seat == NOBODY else [],
    )
