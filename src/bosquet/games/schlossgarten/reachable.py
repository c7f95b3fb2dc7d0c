"""The figures of a card that can be formed with the steps that are left, and what they are good for, as JSON.

Every way to walk is tried, all three pawns in any order, but without hits: where a hit is needed, or where one would
open a shorter way, it is the player's to find. Stands are integers as in `paths`; they lie in the parts of the
workspace in which `endings` keeps those that it looks at. A figure is the cells of its pawns as in a stand, and the
number of the stand above them.
"""

from __future__ import annotations

from msgspec import Struct

from bosquet.core.assistance import FULL
from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    begin_text,
    end_list,
    end_object,
    end_text,
    name,
    number,
)
from bosquet.kernels.jit import kernel

from .board import (
    ARCHITECT,
    CARD,
    CELLS,
    FIRST_BUILD,
    FIRST_DIG,
    GARDENER,
    MOVE,
    ROTATIONS,
    SITE_MASK,
    SITE_SIZE,
    STEPS,
    State,
    covered,
    figure_cell,
    pawns,
    subjects,
)
from .constellations import CARDS, OFFSETS
from .planning.paths import MOVE_BITS, PLACES, SHIFTED_AT, put_own, stand_of
from .planning.stands import word_of
from .planning.workspace import ALL_STANDS, STANDS, Workspace
from .rules import builds, digs, gain_of
from .view import SchlossgartenMove
from .walking import move_pawn, pawn_moves
from .writing_moves import CELL_TEXTS, PAWN_TEXTS, SITE_CELLS, put_move, write_move

MOST = 24
"""Maximum number of figures that are shown, the best first."""
ORIGINS = ALL_STANDS
"""Where `frontier` has, for each stand, the one before it and the move from there."""
SITE_BITS, ORDER_BITS = 9, 9
"""A site is sorted by its points, then by when it was found: bits of the number of a site, and of the latter."""
MOST_POINTS = 63
DIGS, BUILDS = 1024, 1040
"""Parts of `moves` in which digs and builds are listed, after the sites or moves at its beginning."""


class Work(Struct):
    """What a subject in a figure could do: dig one of these, build one of these sites."""

    pawn: str
    digs: list[str]
    builds: list[list[str]]


class Figure(Struct):
    """A figure that can be formed: where its pawns stand, the steps there, and what it gives."""

    pawns: dict[str, str]
    foreign: list[str]
    """The marks whose pawn is another player's."""
    path: list[str]
    """Moves, in order."""
    data: list[SchlossgartenMove]
    """The same moves as data."""
    works: list[Work]
    points: int
    """The most that building there scores at once."""


class ReachableFigures(Struct):
    """The figures of a card that can be formed now."""

    card: int
    figures: list[Figure]


@kernel
def write_reachable(state: State, card: int, moves: Numbers, workspace: Workspace, out: Text) -> None:
    """Write the figures of a card that the seat to move can form now, each with a shortest path, most points first.

    Writes nothing where the card is not in its hand, or not the one that it has played, and after the moves of its
    pawns. Overwrites `state`, and uses no more than the seat sees.
    """
    if not can_form(state, card):
        return
    if state.phase == CARD:
        state.steps = STEPS
    state.played = card - 1
    start = stand_of(state, 0)
    n = find_figures(state, moves, workspace)
    for i in range(n):
        path = list_path(workspace.choices[i] >> SHIFTED_AT, moves, workspace)
        points = points_of(state, workspace.choices[i] + 0, moves, workspace)
        workspace.choice_keys[i] = ((MOST_POINTS - points) << 8 | path) << 8 | i
    sort(workspace.choice_keys, n)
    begin_object(out, b"")
    number(out, b"card", card)
    begin_list(out, b"figures")
    for i in range(min(n, MOST)):
        write_figure(state, start, workspace.choices[workspace.choice_keys[i] & 255] + 0, moves, workspace, out)
    end_list(out)
    end_object(out)


@kernel
def can_form(state: State, card: int) -> bool:
    """Return whether the seat to move may still form a figure of a card in its turn."""
    if (card < 1) | (card > CARDS):
        return False
    if state.phase == CARD:
        return state.hand[state.seat] >> card - 1 & 1 != 0
    return (state.phase == MOVE) & (state.played == card - 1)


@kernel
def sort(keys: Numbers, n: int) -> None:
    """Sort the first n numbers, the least first."""
    for i in range(1, n):
        key = keys[i] + 0
        at = i
        while at > 0 and keys[at - 1] > key:
            keys[at] = keys[at - 1]
            at -= 1
        keys[at] = key


# --- Stands and figures --------------------------------------------------------------------------------------------


@kernel
def find_figures(state: State, moves: Numbers, workspace: Workspace) -> int:
    """Write every figure that own pawns can form, with the first stand where it does; return how many. 3.2-3.4, 4.1

    Stands are met by fewest steps, then fewest moves.
    """
    for i in range(STANDS):
        workspace.met[i] = 0
    n = 0
    first = 0
    end = add_stand(stand_of(state, 0), -1, workspace, 0)
    while first < end:
        at = first
        while at < end:  # grows by shifts, which are free
            n = add_figures(state, at, workspace, n)
            end = expand(state, at, 0, moves, workspace, end)
            at += 1
        last = end
        for before in range(first, last):
            end = expand(state, before, 1, moves, workspace, end)
        first = last
    return n


@kernel
def expand(state: State, at: int, steps: int, moves: Numbers, workspace: Workspace, end: int) -> int:
    """Add the stands that a move from a stand leads to, a shift or one that takes a step; return how many there are."""
    stand = workspace.frontier[at] + 0
    put_own(state, stand)
    left = state.steps + 0
    occupied = pawns(state)
    folk = subjects(state, GARDENER) | subjects(state, ARCHITECT)
    n = 0
    for kind in range(3):
        n = pawn_moves(state, kind, occupied, folk, 0, moves, n)  # without hits
    for i in range(n):
        put_own(state, stand)
        move_pawn(state, moves[i])
        if left - state.steps == steps:
            end = add_stand(stand_of(state, 0), at << MOVE_BITS | moves[i], workspace, end)
    return end


@kernel
def add_stand(stand: int, origin: int, workspace: Workspace, end: int) -> int:
    """Add a stand, unless one with the same cells and shifts was met; return how many there are."""
    word = word_of(0, stand >> SHIFTED_AT & 7, stand & 63, stand >> 6 & 63)
    architect = 1 << (stand >> 12 & 63)
    if workspace.met[word] & architect:
        return end
    workspace.met[word] |= architect
    workspace.frontier[end] = stand
    workspace.frontier[ORIGINS + end] = origin
    return end + 1


@kernel
def add_figures(state: State, at: int, workspace: Workspace, n: int) -> int:
    """Add to n figures those that stand at a stand, one foreign subject at most; return how many there are. 4.1"""
    put_own(state, workspace.frontier[at])
    first = 3 * state.seat
    gardeners, architects = subjects(state, GARDENER), subjects(state, ARCHITECT)
    king = state.pawn[first] + 0
    pattern = state.pattern[state.played]
    for turn in range(ROTATIONS):
        gardener = figure_cell(king, turn, pattern // OFFSETS)
        architect = figure_cell(king, turn, pattern % OFFSETS)
        if (gardener >= 0) & (architect >= 0):
            own = (gardener == state.pawn[first + GARDENER]) | (architect == state.pawn[first + ARCHITECT])
            if own & (gardeners >> gardener & architects >> architect & 1 != 0):
                n = add_figure(king | gardener << 6 | architect << 12, at, workspace, n)
    return n


@kernel
def add_figure(cells: int, at: int, workspace: Workspace, n: int) -> int:
    """Add a figure to n others, unless it was found; return how many there are."""
    for i in range(n):
        if workspace.choices[i] & PLACES == cells:
            return n
    workspace.choices[n] = at << SHIFTED_AT | cells
    return n + 1


@kernel
def list_path(at: int, moves: Numbers, workspace: Workspace) -> int:
    """Write the moves that lead to a stand; return how many."""
    n = 0
    stand = at
    while workspace.frontier[ORIGINS + stand] >= 0:
        n += 1
        stand = workspace.frontier[ORIGINS + stand] >> MOVE_BITS
    for i in range(n - 1, -1, -1):
        moves[i] = workspace.frontier[ORIGINS + at] & (1 << MOVE_BITS) - 1
        at = workspace.frontier[ORIGINS + at] >> MOVE_BITS
    return n


# --- What they are good for ----------------------------------------------------------------------------------------


@kernel
def workers_in(state: State, figure: int) -> int:
    """Return which own subjects stand in a figure, as a mask of kinds."""
    workers = 0
    for kind in range(GARDENER, ARCHITECT + 1):
        if state.pawn[3 * state.seat + kind] == figure >> 6 * kind & 63:
            workers |= 1 << kind
    return workers


@kernel
def points_of(state: State, figure: int, moves: Numbers, workspace: Workspace) -> int:
    """Return the most that building in a figure scores at once; puts the pawns there."""
    put_own(state, workspace.frontier[figure >> SHIFTED_AT])
    workers = workers_in(state, figure)
    points = 0
    for worker in range(GARDENER, ARCHITECT + 1):
        if workers >> worker & 1:
            if list_sites(state, worker, workers, moves):
                points = max(points, MOST_POINTS - (moves[0] >> SITE_BITS + ORDER_BITS))
    return points


@kernel
def list_sites(state: State, worker: int, workers: int, moves: Numbers) -> int:
    """Write the sites on which a worker can build at once or after a dig, those that score most first. 4.2-4.4

    Returns how many. `workers` are the own subjects in the figure. `state` is left as it was.
    """
    n = add_sites(state, worker, moves, 0)
    for digger in range(GARDENER, ARCHITECT + 1):
        if (workers >> digger & 1 != 0) & ((state.each_works != 0) | (digger == worker)):
            end = digs(state, digger, moves, DIGS)
            for i in range(DIGS, end):
                tile = 1 << (moves[i] - FIRST_DIG) % CELLS
                state.up ^= tile
                state.dug ^= tile
                n = add_sites(state, worker, moves, n)
                state.up ^= tile
                state.dug ^= tile
    sort(moves, n)
    return n


@kernel
def add_sites(state: State, worker: int, moves: Numbers, n: int) -> int:
    """Add to n sites those on which a worker can build now; return how many there are."""
    end = builds(state, worker, moves, BUILDS)
    built = covered(state)
    for i in range(BUILDS, end):
        site = (moves[i] - FIRST_BUILD) % len(SITE_MASK)
        is_new = True
        for j in range(n):
            if moves[j] & (1 << SITE_BITS) - 1 == site:
                is_new = False
        if is_new:
            points = gain_of(state, SITE_MASK[site], built)
            moves[n] = ((MOST_POINTS - points) << ORDER_BITS | n) << SITE_BITS | site
            n += 1
    return n


# --- Text ----------------------------------------------------------------------------------------------------------


@kernel
def write_figure(state: State, start: int, figure: int, moves: Numbers, workspace: Workspace, out: Text) -> None:
    """Write a figure, with the moves from where the pawns start; `Figure` has its type."""
    at = figure >> SHIFTED_AT
    put_own(state, workspace.frontier[at])
    workers = workers_in(state, figure)
    begin_object(out, b"")
    begin_object(out, b"pawns")
    name(out, b"K", CELL_TEXTS, figure & 63)
    name(out, b"G", CELL_TEXTS, figure >> 6 & 63)
    name(out, b"A", CELL_TEXTS, figure >> 12 & 63)
    end_object(out)
    begin_list(out, b"foreign")
    for kind in range(GARDENER, ARCHITECT + 1):
        if workers >> kind & 1 == 0:
            name(out, b"", PAWN_TEXTS, kind)
    end_list(out)
    write_path(state, start, list_path(at, moves, workspace), moves, out)
    begin_list(out, b"works")
    for worker in range(GARDENER, ARCHITECT + 1):
        if workers >> worker & 1:
            write_work(state, worker, workers, moves, out)
    end_list(out)
    number(out, b"points", points_of(state, figure, moves, workspace))
    end_object(out)


@kernel
def write_path(state: State, start: int, n: int, moves: Numbers, out: Text) -> None:
    """Write the n moves from a stand, which are made."""
    begin_list(out, b"path")
    for i in range(n):
        begin_text(out, b"")
        put_move(moves[i], out)
        end_text(out)
    end_list(out)
    put_own(state, start)
    begin_list(out, b"data")
    for i in range(n):
        write_move(state, moves[i], state.seat, FULL, out)
        move_pawn(state, moves[i])
    end_list(out)


@kernel
def write_work(state: State, worker: int, workers: int, moves: Numbers, out: Text) -> None:
    """Write what a worker can do where it stands; `Work` has its type."""
    begin_object(out, b"")
    name(out, b"pawn", PAWN_TEXTS, worker)
    end = digs(state, worker, moves, DIGS)
    begin_list(out, b"digs")
    for i in range(DIGS, end):
        name(out, b"", CELL_TEXTS, (moves[i] - FIRST_DIG) % CELLS)
    end_list(out)
    n = list_sites(state, worker, workers, moves)
    begin_list(out, b"builds")
    for i in range(n):
        site = moves[i] & (1 << SITE_BITS) - 1
        begin_list(out, b"")
        for j in range(SITE_SIZE[site]):
            name(out, b"", CELL_TEXTS, SITE_CELLS[site][j])
        end_list(out)
    end_list(out)
    end_object(out)
