"""Score a game of Topas that was played with the real box, and list the legal placements of the next card."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from bosquet.core.errors import BosquetError, IllegalMove, quoted
from bosquet.core.reading import expect_name
from bosquet.core.real_game import Counted

from . import notation, rules, view


class RealGame(Struct, forbid_unknown_fields=True, tag="topas", tag_field="game"):
    """The placements of a real game of Topas, in order; the first card starts the table.

    With one player, eight cards make a column, and the first of them starts its table.
    """

    players: Annotated[int, Meta(ge=1, le=4)]
    expert: bool
    placements: Annotated[list[str], Meta(max_length=32)]
    """Notation: card, square of its first half, heading of its second."""
    card: Annotated[str, Meta(max_length=8)] | None = None
    """The card to be laid next; `view.moves` then holds its legal placements."""


def count(real: RealGame) -> Counted:
    """Score a real game. Its view holds the table, and the legal placements of `card` if one is given.

    Raises BosquetError, which names what is impossible.
    """
    state = rules.new_state({"players": real.players, "expert": real.expert})
    rules.clear_table(state)
    state.drawn = rules.DECK  # hands are not known, so no cards are drawn
    plies = []
    for number, placement in enumerate(real.placements, 1):
        action = _placement(state, placement, number)
        if state.turn < 0:
            rules.lay(state, action)
        else:
            plies.append((state.copy(), action))
            _play(state, action)
    sizes = _hand_sizes(real.players, len(plies))
    if real.players == 1:
        sizes = [0 if state.turn < 0 or state.phase == rules.OVER else 1]
        state.drawn = len(real.placements) + sizes[0]
    else:
        state.drawn = min(rules.DECK, rules.HAND * real.players + len(real.placements))
    sheet = view.sheet(state, plies)
    shown = view.view(state, None) if real.card is None else _offer(state, real.card)
    return Counted(sheet=sheet, view=msgspec.structs.replace(shown, hand_sizes=sizes))


def _play(state: rules.State, action: int) -> None:
    """Lay a card. After the last card of a column, clear the table: its next first card is not known yet. 5.1"""
    ends_column = state.players == 1 and state.turn + 1 == rules.TURNS
    if not ends_column:
        rules.play(state, action)
        return
    state.hand[0] = 0
    state.points[0] += rules.lay(state, action)
    if state.column + 1 == rules.COLUMNS:
        rules.end_column(state)
        return
    for laid in state.laid[: state.turn + 1]:
        state.gone |= 1 << rules.card_of(laid)
    state.columns[state.column] = state.points[0]
    state.column += 1
    state.points[0] = 0
    rules.clear_table(state)


def _placement(state: rules.State, placement: str, number: int) -> int:
    """Return the action of a placement; its card is put into the hand of the seat to move."""
    try:
        if state.phase == rules.OVER:
            raise IllegalMove(f"{quoted(placement)}: {_over(state)}")
        card = _unused(state, placement.partition("@")[0])
        if state.turn < 0:
            return _start(placement, card)
        state.hand[state.seat] = 1 << card
        action = notation.parse(state, placement)
        moves = [0] * rules.MAX_MOVES
        if action not in moves[: rules.legal(state, moves)]:
            raise IllegalMove(f"{quoted(placement)}: {notation.illegal_reason(state, action)}")
    except BosquetError as error:
        raise IllegalMove(f"placement {number}: {error}") from None
    return action


def _unused(state: rules.State, name: str) -> int:
    """Return the card with this name. Raises IllegalMove if it has been laid already."""
    card = expect_name(name, notation.CARD_OF, "card", "the card")
    if card in (rules.card_of(action) for action in state.laid[: state.turn + 1]):
        raise IllegalMove(f"{name} lies on the table already; every card is there once")
    if state.gone >> card & 1:
        raise IllegalMove(f"{name} was laid in an earlier column; every card is there once")
    return card


def _over(state: rules.State) -> str:
    if state.players == 1:
        return f"the game is over; all {rules.COLUMNS} columns are laid"
    return f"the game is over; every player has laid {rules.TURNS} cards"


def _start(placement: str, card: int) -> int:
    """Return the action of the card that starts the table. 2.1"""
    right = f"{rules.NAMES[card]}@0,0E"
    if placement != right:
        raise IllegalMove(f"{quoted(placement)}: the card that starts the table is written {quoted(right)}")
    return card * rules.PLACES + rules.EAST * rules.SQUARES


def _offer(state: rules.State, name: str) -> view.TopasView:
    """Return the view of the seat to move with only this card in hand."""
    if state.phase == rules.OVER:
        raise BosquetError(f"card: {_over(state)}")
    try:
        card = _unused(state, name)
    except BosquetError as error:
        raise BosquetError(f"card: {error}") from None
    if state.turn < 0:
        start = view.TopasMove(say=f"{name}@0,0E", piece=name, cells=["0,0", "1,0"], heading="E", points=0, rows=[])
        return msgspec.structs.replace(view.view(state, None), hand=[name], moves=[start])
    state.hand[state.seat] = 1 << card
    return view.view(state, state.seat)


def _hand_sizes(players: int, turns: int) -> list[int]:
    """Return the hand size of each seat after this many turns; no card is drawn when the pile is empty. 3.5"""
    sizes = [rules.HAND] * players
    for turn in range(rules.DECK - 1 - rules.HAND * players, turns):
        sizes[turn % players] -= 1
    return sizes
