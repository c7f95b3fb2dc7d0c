"""The rules, the notation and the view of Toll.

In turn everybody walks one, two or three squares round a road, out of a bog only one, and gets the points of the square
they come to, which may be below 0. After each round a storm changes the sign of one square. Most points win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from bosquet.core.errors import IllegalMove, RecordError, quoted
from bosquet.core.inputs.reading import expect_integer, expect_key, expect_list, expect_only
from bosquet.core.rng import Rng, below
from bosquet.core.state import CHANCE, NOBODY, PUBLIC, Field, Int8, Int16, Numbers, Options, StateRecord
from bosquet.core.view import Entry, Move, Sheet, View
from bosquet.kernels.bits import members
from bosquet.kernels.jit import kernel

NAME = "toll"
TITLE = "Toll"
OPTIONS = {"players": (2, 1, 3, 4)}

ROUNDS = 320
SQUARES = 12
SIZES = (7, 2, 5, 3, 1, 4, 6, 2, 3, 5, 1, 4)
MOST_A_SQUARE = 7
BOGS = (5, 9)
ACTIONS = MAX_MOVES = 3


class State(StateRecord):
    """Everything lies open; what is not known yet is how the storms will go."""

    players: Annotated[Int8, PUBLIC]
    seat: Annotated[Int8, PUBLIC]
    round: Annotated[Int16, PUBLIC]
    turned: Annotated[Int8, PUBLIC]
    """The square that the last storm turned, or -1."""
    value: Annotated[list[int], Field("i1", SQUARES), PUBLIC]
    place: Annotated[list[int], Field("i1", 4), PUBLIC]
    points: Annotated[list[int], Field("i2", 4), PUBLIC]


def new_state(options: Options) -> State:
    """Return a state with its options set, to be dealt."""
    state = State()
    state.players = options["players"]
    return state


@kernel
def deal(state: State, rng_state: Numbers) -> None:
    """Draw the signs of the squares."""
    for square in range(SQUARES):
        state.value[square] = SIZES[square] if below(rng_state, 2) else -SIZES[square]
    begin(state)


@kernel
def begin(state: State) -> None:
    """Put everybody on the first square."""
    for seat in range(4):
        state.place[seat] = 0
        state.points[seat] = 0
    state.round = 0
    state.turned = -1
    state.seat = 0


@kernel
def in_bog(square: int) -> bool:
    """Return whether a square is a bog."""
    return (square == BOGS[0]) | (square == BOGS[1])


@kernel
def legal(state: State, moves: Numbers) -> int:
    """Write every legal action into `moves`, return how many: action n walks n + 1 squares."""
    n = 1 if in_bog(state.place[state.seat]) else ACTIONS
    for action in range(n):
        moves[action] = action
    return n


@kernel
def play(state: State, action: int) -> None:
    """Make a legal action."""
    seat = state.seat
    state.place[seat] = (state.place[seat] + action + 1) % SQUARES
    state.points[seat] += state.value[state.place[seat]]
    state.seat = seat + 1
    if state.seat == state.players:
        state.seat = CHANCE


@kernel
def sample_chance(state: State, rng_state: Numbers) -> None:
    """Let a storm turn a square. Steps `rng_state`."""
    storm(state, below(rng_state, SQUARES))


@kernel
def storm(state: State, square: int) -> None:
    """Change the sign of a square, and begin the next round."""
    state.value[square] = -state.value[square]
    state.turned = square
    state.round += 1
    state.seat = 0 if state.round < ROUNDS else NOBODY


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the points of every seat into `points`."""
    for seat in range(state.players):
        points[seat] = state.points[seat]


@kernel
def winners(state: State) -> int:
    """Return the seats with the most points, as a mask."""
    best = state.points[0]
    for seat in range(state.players):
        best = max(best, state.points[seat])
    seats = 0
    for seat in range(state.players):
        if state.points[seat] == best:
            seats |= 1 << seat
    return seats


@kernel
def determinize_in_place(state: State, viewer: int, rng_state: Numbers) -> None:
    """Do nothing: nothing is hidden."""


def result(state: State) -> dict[str, Any]:
    """Return points and winners of a game that is over."""
    return {"scores": state.points[: state.players], "winners": list(members(winners(state)))}


def is_irreversible(state: State, action: int) -> bool:
    """Return whether a storm follows, which nobody takes back."""
    return bool(state.seat + 1 == state.players)


# --- notation ---


def write_deal(state: State) -> dict[str, Any]:
    """Return the deal: the squares."""
    return {"road": list(state.value)}


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Begin with the squares of a record."""
    expect_only(deal, ("road",), "deal")
    road = expect_list(expect_key(deal, "road", "deal"), SQUARES, "deal.road")
    for square, size in enumerate(SIZES):
        value = expect_integer(road[square], -size, size, f"deal.road[{square}]")
        if abs(value) != size:
            raise RecordError(f"deal.road[{square}] is {value}; it must be {size} or {-size}")
        state.value[square] = value
    begin(state)


def to_notation(state: State, action: int) -> str:
    """Return the notation of an action."""
    return f"walk {action + 1}"


def parse(state: State, text: str) -> int:
    """Return the action that a notation means."""
    for action in range(ACTIONS):
        if text == to_notation(state, action):
            return action
    raise IllegalMove(f'{quoted(text)} is no move of Toll; moves are "walk 1", "walk 2" and "walk 3"')


def illegal_reason(state: State, action: int) -> str:
    """Return why an action is not legal now."""
    return "out of a bog you walk one square"


def observed_action(state: State, action: int, viewer: int | None) -> str:
    """Return an action as a viewer may know it: all of it."""
    return to_notation(state, action)


def chance_to_notation(state: State) -> str:
    """Return the notation of the chance event that was just made."""
    return f"storm {state.turned + 1}"


def apply_chance(state: State, text: str) -> None:
    """Let the storm turn the square that is written so."""
    for square in range(SQUARES):
        if text == f"storm {square + 1}":
            storm(state, square)
            return
    raise IllegalMove(f'{quoted(text)}: a storm is due, "storm 1" to "storm {SQUARES}"')


# --- view ---


class TollView(View, frozen=True, kw_only=True):
    """Everything, for everybody."""

    round: int
    turned: int | None
    road: list[int]
    places: list[int]


def view(state: State, viewer: int | None) -> TollView:
    """Return all that a seat, or a spectator, may know."""
    over = state.seat == NOBODY
    actions = [0] * MAX_MOVES
    moves = [move_data(state, action, viewer) for action in actions[: legal(state, actions)]] if state.seat >= 0 else []
    return TollView(
        game=NAME,
        options={"players": state.players},
        viewer=viewer,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase="over" if over else "storm" if state.seat == CHANCE else "walk",
        scores=state.points[: state.players],
        winners=list(members(winners(state))) if over else [],
        moves=moves if viewer is not None and viewer == state.seat else [],
        round=state.round,
        turned=None if state.turned < 0 else state.turned,
        road=list(state.value),
        places=state.place[: state.players],
    )


def move_data(state: State, action: int, viewer: int | None) -> Move:
    """Return an action with the points of the square to which it goes."""
    square = (state.place[state.seat] + action + 1) % SQUARES
    return Move(say=to_notation(state, action), cells=[], points=state.value[square])


def determinize(view: TollView, rng: Rng) -> State:
    """Return the state of a view."""
    state = new_state(view.options)
    state.seat = NOBODY if view.over else CHANCE if view.seat is None else view.seat
    state.round = view.round
    state.turned = -1 if view.turned is None else view.turned
    state.value = list(view.road)
    state.place[: state.players] = view.places
    state.points[: state.players] = view.scores or []
    return state


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Return the score sheet: what everybody got, and what they paid."""
    got = [[0, 0] for _ in range(state.players)]
    for before, action in plies:
        value = before.value[(before.place[before.seat] + action + 1) % SQUARES]
        got[before.seat][value < 0] += value
    entries = [
        Entry(seat=seat, kind=kind, name="the road", points=points, cells=[])
        for seat, both in enumerate(got)
        for kind, points in zip(("got", "paid"), both, strict=True)
    ]
    return Sheet(
        game=NAME,
        entries=entries,
        scores=state.points[: state.players],
        winners=list(members(winners(state))) if state.seat == NOBODY else [],
    )
