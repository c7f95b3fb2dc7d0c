"""The views, moves, score sheets and deals of Matches as JSON, for its engine in the page."""

from __future__ import annotations

from typing import Any

from bosquet.core.assistance import PLAIN
from bosquet.core.state import NOBODY, Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    empty_list,
    end_list,
    end_object,
    flag,
    name,
    null,
    number,
    number_or_null,
    seats,
    text,
    texts,
)
from bosquet.kernels.jit import kernel
from matches.game import ACTIONS, State, legal, winners

MOVES = texts(*(f"take {action + 1}" for action in range(ACTIONS)))


@kernel
def write_view(state: State, viewer: int, assistance: int, moves: Numbers, out: Text) -> int:
    n = legal(state, moves) if (assistance >= PLAIN) & (viewer >= 0) & (viewer == state.seat) else 0
    begin_object(out, b"")
    text(out, b"game", b"matches")
    begin_object(out, b"options")
    number(out, b"players", state.players)
    end_object(out)
    number_or_null(out, b"viewer", viewer)
    number_or_null(out, b"seat", state.seat)
    flag(out, b"over", state.seat == NOBODY)
    if state.seat == NOBODY:
        text(out, b"phase", b"over")
    else:
        text(out, b"phase", b"take")
    write_scores(state, out)
    begin_list(out, b"moves")
    for i in range(n):
        write_move(state, moves[i], viewer, assistance, out)
    end_list(out)
    number(out, b"left", state.left)
    end_object(out)
    return n


@kernel
def write_scores(state: State, out: Text) -> None:
    begin_list(out, b"scores")
    for seat in range(state.players):
        number(out, b"", 1 if seat == state.winner else 0)
    end_list(out)
    seats(out, b"winners", winners(state))


@kernel
def write_move(state: State, action: int, viewer: int, assistance: int, out: Text) -> None:
    begin_object(out, b"")
    name(out, b"say", MOVES, action)
    empty_list(out, b"cells")
    end_object(out)


@kernel
def write_entries(state: State, action: int, out: Text) -> None:
    if (action < 0) & (state.winner >= 0):
        begin_object(out, b"")
        number(out, b"seat", state.winner)
        text(out, b"kind", b"match")
        text(out, b"name", b"the last one")
        number(out, b"points", 1)
        empty_list(out, b"cells")
        empty_list(out, b"parts")
        text(out, b"combine", b"sum")
        null(out, b"piece")
        null(out, b"cell")
        null(out, b"heading")
        end_object(out)


@kernel
def write_totals(state: State, out: Text) -> None:
    write_scores(state, out)
    empty_list(out, b"columns")


@kernel
def write_deal(state: Any, out: Text) -> None:
    begin_object(out, b"")
    end_object(out)
