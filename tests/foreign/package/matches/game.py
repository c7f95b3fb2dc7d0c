"""The rules, the notation and the view of Matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from bosquet.core.errors import IllegalMove, quoted
from bosquet.core.inputs.reading import expect_only
from bosquet.core.nochance import apply_chance as apply_chance
from bosquet.core.nochance import chance_to_notation as chance_to_notation
from bosquet.core.nochance import sample_chance as sample_chance
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY, PUBLIC, Int8, Numbers, Options, StateRecord
from bosquet.core.view import Entry, Move, Sheet, View
from bosquet.kernels.jit import kernel

NAME = "matches"
TITLE = "Matches"
OPTIONS = {"players": (2, 3, 4)}

MATCHES = 21
ACTIONS = MAX_MOVES = 3  # action n takes n + 1 matches


class State(StateRecord):
    players: Annotated[Int8, PUBLIC]
    seat: Annotated[Int8, PUBLIC]
    left: Annotated[Int8, PUBLIC]
    """Matches on the table."""
    winner: Annotated[Int8, PUBLIC]
    """The seat that took the last one, or -1."""


# --- rules ---


def new_state(options: Options) -> State:
    state = State()
    state.players = options["players"]
    return state


@kernel
def deal(state: State, rng_state: Numbers) -> None:
    begin(state)


@kernel
def begin(state: State) -> None:
    state.seat = 0
    state.left = MATCHES
    state.winner = -1


@kernel
def legal(state: State, moves: Numbers) -> int:
    n = min(ACTIONS, state.left)
    for action in range(n):
        moves[action] = action
    return n


@kernel
def play(state: State, action: int) -> None:
    state.left -= action + 1
    if state.left == 0:
        state.winner = state.seat
        state.seat = NOBODY
    else:
        state.seat = (state.seat + 1) % state.players


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(state.players):
        points[seat] = 1 if seat == state.winner else 0


@kernel
def winners(state: State) -> int:
    return 1 << state.winner if state.winner >= 0 else 0


@kernel
def determinize_in_place(state: State, viewer: int, rng_state: Numbers) -> None:
    """Do nothing: nothing is hidden."""


@kernel
def is_irreversible(state: State, action: int) -> bool:
    return False


def result(state: State) -> dict[str, Any]:
    return {"scores": points_of(state), "winners": winning_seats(state)}


def points_of(state: State) -> list[int]:
    points = [0] * state.players
    scores(state, points)
    return points


def winning_seats(state: State) -> list[int]:
    return [state.winner] if state.winner >= 0 else []


# --- notation ---


def write_deal(state: State) -> dict[str, Any]:
    return {}


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    expect_only(deal, (), "deal")
    begin(state)


def deal_form(state: State) -> list[Any]:
    return []  # a deal has no parts


def to_notation(state: State, action: int) -> str:
    return f"take {action + 1}"


def parse(state: State, text: str) -> int:
    for action in range(ACTIONS):
        if text == to_notation(state, action):
            return action
    raise IllegalMove(f'{quoted(text)} is no move of Matches; moves are "take 1", "take 2" and "take 3"')


def illegal_reason(state: State, action: int) -> str:
    return f"only {state.left} matches are left"


def observed_action(state: State, action: int, viewer: int | None) -> str:
    return to_notation(state, action)


# --- view ---


class MatchesView(View, frozen=True, kw_only=True):
    left: int


def view(state: State, viewer: int | None) -> MatchesView:
    actions = [0] * MAX_MOVES
    n = legal(state, actions) if viewer is not None and viewer == state.seat else 0
    return MatchesView(
        game=NAME,
        options={"players": state.players},
        viewer=viewer,
        seat=state.seat if state.seat >= 0 else None,
        over=state.seat == NOBODY,
        phase="over" if state.seat == NOBODY else "take",
        scores=points_of(state),
        winners=winning_seats(state),
        left=state.left,
        moves=[Move(say=to_notation(state, action), cells=[]) for action in actions[:n]],
    )


def determinize(view: MatchesView, rng: Rng) -> State:
    state = new_state(view.options)
    state.left = view.left
    state.winner = view.winners[0] if view.winners else -1
    state.seat = NOBODY if view.seat is None else view.seat
    return state


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    winners = winning_seats(state)
    entries = [Entry(seat=seat, kind="match", name="the last one", points=1, cells=[]) for seat in winners]
    return Sheet(game=NAME, entries=entries, scores=points_of(state), winners=winners)
