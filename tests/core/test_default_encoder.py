"""The encoder of a game without one of its own, on states declared here: who sees which bytes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np
import pytest

from bosquet.core.default_encoder import EXACT_BYTES, PRIVATE_BITS, DefaultEncoder
from bosquet.core.encoding import observation_size
from bosquet.core.state import OWN, PUBLIC, Field, Int8, Int16, Numbers, StateRecord

SEATS = 3


class Declared(StateRecord):
    players: Annotated[Int8, PUBLIC]
    seat: Annotated[Int8, PUBLIC]
    coins: Annotated[Int16, PUBLIC]
    hand: Annotated[list[int], Field("i2", SEATS), OWN]
    row: Annotated[list[int], Field("i1", 4), PUBLIC]
    pile: Annotated[list[int], Field("i1", 5)]


class Wide(Declared):
    hand: Annotated[list[int], Field("i8", SEATS), OWN]


def encoder(state: type[Declared]) -> DefaultEncoder:
    rules: Any = SimpleNamespace(OPTIONS={"players": (2, SEATS)}, State=state, legal=legal, ACTIONS=6)
    return DefaultEncoder(rules, max_decisions=20, max_chance_events=4, max_points=90)


def legal(state: Declared, moves: Numbers) -> int:
    """Write the legal actions; return how many there are."""
    moves[:2] = [2, 5]
    return 2


def declared(kind: type[Declared] = Declared) -> Declared:
    state = kind()
    state.players, state.seat, state.coins = SEATS, 1, -2
    state.hand, state.row, state.pile = [258, -1, 7], [1, 2, 3, -4], [9, 8, 7, 6, 5]
    return state


def observed(state: Declared, viewer: int) -> dict[str, list[int]]:
    """The numbers of each part."""
    made = encoder(type(state))
    parts = made.layout({"players": SEATS})
    out = [777] * observation_size(parts)
    made.observe(state, viewer, out)
    ends = np.cumsum([part.size for part in parts]).tolist()
    return {part.name: out[end - part.size : end] for part, end in zip(parts, ends, strict=True)}


@pytest.mark.parametrize("viewer", range(SEATS))
def test_a_seat_sees_the_public_bytes_and_its_own(viewer: int) -> None:
    found = observed(declared(), viewer)
    assert found == {
        **{f"moves {seat}": [int((viewer + seat) % SEATS == 1)] for seat in range(SEATS)},
        "viewer": [int(seat == viewer) for seat in range(SEATS)],
        "players": [SEATS],
        "seat": [1],
        "coins": [254, 255],
        "row": [1, 2, 3, 252],
        "hand": [[2, 1], [255, 255], [7, 0]][viewer],
    }


def test_nobody_is_to_move_at_a_chance_event() -> None:
    state = declared()
    state.seat = -1
    assert [observed(state, 0)[f"moves {seat}"] for seat in range(SEATS)] == [[0]] * SEATS


@pytest.mark.parametrize("viewer", range(SEATS))
def test_hidden_fields_and_hands_of_others_change_nothing(viewer: int) -> None:
    state = declared()
    state.pile = [0] * 5
    state.hand = [hand if seat == viewer else hand + 1 for seat, hand in enumerate(state.hand)]
    assert observed(state, viewer) == observed(declared(), viewer)


@pytest.mark.parametrize(("kind", "exact"), [(Declared, True), (Wide, False)])
def test_private_numbers_tell_hands_apart_in_48_bits(kind: type[Declared], exact: bool) -> None:
    """A number holds up to six bytes as they are; more are hashed."""
    state, made = declared(kind), encoder(kind)
    found = [made.private(state, seat) for seat in range(SEATS)]
    assert all(0 <= number < 1 << PRIVATE_BITS for number in found)
    assert len(set(found)) == SEATS
    own = [np.array([hand], kind.dtype["hand"].base).tobytes() for hand in state.hand]
    assert (len(own[0]) <= EXACT_BYTES) == exact
    assert (found == [int.from_bytes(hand, "big") for hand in own]) == exact


def test_actions_are_their_own_indices() -> None:
    state, made, moves = declared(), encoder(Declared), [0] * 6
    assert moves[: made.indices(state, moves)] == [2, 5]
    assert [made.index_of(state, action) for action in (2, 5)] == [made.action_at(state, index) for index in (2, 5)]
    assert not made.is_concealed(state, 2)


def test_bounds_are_those_of_the_game() -> None:
    made = encoder(Declared)
    bounds = [made.action_count, made.max_decisions, made.max_chance_events, made.max_points]
    assert [bound({"players": 2}) for bound in bounds] == [6, 20, 4, 90]
