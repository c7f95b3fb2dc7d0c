"""The record that the search of Schlossgarten computes in."""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, Int64, StateRecord

from ..board import CELLS, MAX_PLAYERS, SITES

WORKS = CELLS + len(SITES)
"""A work is a number: a cell to be dug and left open, or CELLS + a site to build on (its last tile dug before)."""
ROOM = 4096
"""Maximum number of choices of figure and work that are kept."""
MOST_TARGETS = 2 * (MAX_PLAYERS - 1)
STANDS = 8 * CELLS * CELLS
"""Words for the stands with the same subjects hit: [shifted][king][gardener], a bit for each cell of the architect."""
ALL_STANDS = STANDS << MOST_TARGETS


class Workspace(StateRecord):
    """What is worked out about a position: first for candidates, then for turns that win at once."""

    # of `works`
    distance: Annotated[list[int], Field("i8", 3 * CELLS)]  # [CELLS × kind + cell]: steps of an own pawn at the least
    element: Annotated[list[int], Field("i8", CELLS)]  # [cell]: cells of the element that lies there
    excavation_value: Annotated[list[int], Field("i8", CELLS)]  # [cell]: value of leaving an excavation there open
    work_value: Annotated[list[int], Field("i8", WORKS)]  # [work]
    places: Annotated[list[int], Field("i8", WORKS)]  # [work]: cells where its worker may stand
    tile_to_dig: Annotated[list[int], Field("i8", WORKS)]  # [work]: the cell to be dug first, or NO_TILE
    ranked: Annotated[list[int], Field("i8", WORKS)]  # [rank]: keys of the works, the best first
    best_rank: Annotated[
        list[int], Field("i8", 2 * CELLS)
    ]  # [CELLS × (worker - 1) + cell]: rank of the best work there
    # of `choices`
    choice_keys: Annotated[list[int], Field("i8", ROOM)]  # [choice]: see `works.key_of`
    choices: Annotated[list[int], Field("i8", ROOM)]  # [choice]: its candidate
    # of `endings`
    winning_sites: Annotated[list[int], Field("i8", len(SITES))]  # sites to win on
    targets: Annotated[list[int], Field("i8", MOST_TARGETS)]  # the pawns that may be hit: 3 × seat + kind
    # of `stands`: what hits change, for the set of subjects hit that is looked at
    blocked: Int64  # cells of the others' pawns that were not hit
    jumpable: Int64  # those of them with a subject that may be jumped
    hittable: Int64  # those with a subject that may be hit
    staying: Annotated[list[int], Field("i8", 3)]  # [kind]: cells of the others' subjects that were not hit
    sent: Annotated[list[int], Field("i8", 3)]  # [kind]: cells where one that was hit may have been sent
    met: Annotated[list[int], Field("i8", ALL_STANDS)]  # [see `word_of`]: stands met so far
    frontier: Annotated[list[int], Field("i8", 2 * ALL_STANDS)]  # those to look at now, and those a step away
