"""What must hold of every position of a game, hidden parts included: nothing is lost, nothing is there twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bosquet.core import installed
from bosquet.games import schlossgarten, topas, topiary
from bosquet.kernels.bits import members


def topiary_census(state: Any) -> None:
    """Every tile but the removed type lies in the garden, in a hand or aside; every visitor stands at one line."""
    tiles = [state.tiles[cell] for cell in members(state.up | state.down)]
    tiles += [tile for seat in range(4) for tile in members(state.hand[seat])] + list(members(state.aside))
    assert sorted(tiles) == [
        tile for tile in range(topiary.rules.TILES) if tile // topiary.rules.SIZES != state.removed
    ]
    assert not state.up & state.down
    gap = 0 if state.gap < 0 else 1 << state.gap
    assert state.up | state.down | gap == topiary.rules.GARDEN
    lines = [line for seat in range(4) for line in members(state.visitors[seat])] + list(members(state.free))
    assert sorted(lines) == list(range(len(topiary.rules.LINES)))
    if state.draft:
        topiary_draft_census(state)


def topiary_draft_census(state: Any) -> None:
    """What the seats passed on in the draft can have been so. Ruling 2.4, told from the last seat down."""
    drafting = state.phase == topiary.rules.DRAFT
    done = range(state.seat + 1 if drafting else 0, state.players)
    size = (
        topiary.rules.TILES
        - (0 if state.removed < 0 else topiary.rules.SIZES)
        - topiary.rules.CELLS
        - 3 * state.players
    )
    for seat in done:
        passed, received = state.passed[seat], state.passed[seat + 1]
        assert passed.bit_count() == received.bit_count() == size
        kept = received & ~passed  # of what it was passed
        assert kept.bit_count() <= topiary.rules.HAND
        assert not kept & ~(state.hand[seat] | state.put[seat])
        lower = state.hand[state.seat] if drafting else state.aside
        for other in range(done.start, seat):
            lower |= state.hand[other] | state.put[other]
        assert not passed & ~lower
    if not drafting:
        assert state.passed[0] == state.aside
    else:
        assert not any(state.passed[: done.start])


def topas_census(state: Any) -> None:
    """Every card is laid, gone, in one hand or in the pile."""
    cards = [topas.rules.card_of(action) for action in state.laid[: state.turn + 1]]
    cards += list(members(state.gone)) + state.deck[state.drawn :]
    cards += [card for seat in range(4) for card in members(state.hand[seat])]
    assert sorted(cards) == list(range(topas.rules.DECK))


def schlossgarten_census(state: Any) -> None:
    """Every card is in one hand, played, discarded or in the pile; every tile lies up, is dug or kept once."""
    cards = [card for seat in range(4) for card in members(state.hand[seat])] + list(members(state.discard))
    cards += state.pile[state.pile_at : state.pile_end]
    if state.played >= 0:
        cards.append(state.played)
    assert sorted(cards) == list(range(len(state.pile)))
    places = [state.up, state.dug, *state.kept]
    assert sum(place.bit_count() for place in places) == schlossgarten.board.CELLS
    own = [state.own[seat] for seat in range(4)]
    assert sum(cells.bit_count() for cells in own) == (own[0] | own[1] | own[2] | own[3]).bit_count()
    for seat in range(4):
        sites = [site for site in state.element[6 * seat : 6 * seat + 6] if site >= 0]
        assert sum(schlossgarten.board.SITE_MASK[site] for site in sites) == own[seat]
        kept = state.kept[seat]
        assert sum(state.landscape[cell] for cell in members(kept)) == state.tile_points[seat]
    pawns = state.pawn[: 3 * state.players]
    assert len(set(pawns)) == len(pawns)
    assert not any(state.dug >> cell & 1 for cell in pawns)


CENSUS: dict[str, Callable[[Any], None]] = {
    "topiary": topiary_census,
    "topas": topas_census,
    "schlossgarten": schlossgarten_census,
}
"""A new game has its own; the test of determinizations fails without one."""


def census_of(name: str) -> Callable[[Any], None]:
    """What must hold of every position of a game; of a game that is not ours, nothing is known here."""
    if not installed.spec(name).package.startswith("bosquet."):
        return lambda state: None
    assert name in CENSUS, f"write what must hold of every position of {name} in tests/contract/helpers/census.py"
    return CENSUS[name]
