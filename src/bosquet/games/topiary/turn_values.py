"""What each free line of Topiary is worth for a whole turn: the visitor, and the best tile that is put behind it.

The learned search takes its priors from this. How much each part weighs was fitted to the visits of searches
(docs/how-bots-think.md).
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, Numbers, StateRecord
from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import kernel

from .rules import (
    CELLS,
    HAND,
    LEFTOVER,
    LINE_CELLS,
    LINE_LENGTH,
    LINE_MASK,
    LINES,
    ONE_TYPE,
    SIZES,
    State,
)
from .search import RIVAL

LINE_COUNT = len(LINES)
FACE_DOWN = 24
"""Worth of a face-down tile in a line, in hundredths of a point."""
CHANGE = 70
"""How much what a tile changes weighs against what a visitor sees at once, in hundredths."""
SUMS = tuple(sum(size + 1 for size in range(SIZES) if mask >> size & 1) for mask in range(1 << SIZES))
"""[set of sizes]: the sum of them."""


class Lines(StateRecord):
    """What is seen from each line, and what tiles on face-down cells would change for the visitors that are there."""

    seen: Annotated[list[int], Field("i8", LINE_COUNT)]  # [line]: the tiles that are seen from there
    sizes: Annotated[list[int], Field("i8", LINE_COUNT)]  # [line]: the set of their sizes
    line_points: Annotated[list[int], Field("i8", LINE_COUNT)]
    change: Annotated[list[int], Field("i8", 4 * CELLS * SIZES)]  # [seat, cell, size]: points of the seat's visitors
    larger: Annotated[list[int], Field("i8", HAND + LEFTOVER)]  # [hope]: tiles that a tile in hand waits for
    hoped: Annotated[list[int], Field("i8", HAND + LEFTOVER)]  # [hope]: what it would score, in hundredths


@kernel
def value_lines(state: State, lines: Lines, found: Numbers, values: Numbers) -> int:
    """Write the free lines and what each is worth to the seat to move, in hundredths of a point; return how many."""
    for line in range(LINE_COUNT):
        look(state, lines, line)
    find_changes(state, lines)
    seat = state.seat
    together = seen_together(state, lines, seat)
    hopes = find_hopes(state, lines, seat, together)
    held = sizes_of(state.hand[seat])
    n = 0
    free = state.free
    while free:
        line = lowest_bit(free)
        free &= free - 1
        value = value_at_once(lines, line, together, hopes)
        down = LINE_MASK[line] & state.down
        if down:
            value += FACE_DOWN * count_bits(down) + CHANGE * best_change(state, lines, line, held) // 100
        found[n] = line
        values[n] = value
        n += 1
    return n


@kernel
def look(state: State, lines: Lines, line: int) -> None:
    """Write what a visitor on a line sees: the tiles, the set of their sizes, and its points."""
    seen = 0
    sizes = 0
    bonus = 0
    for i in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][i]
        if state.up >> cell & 1:
            tile = state.tiles[cell]
            size = tile % SIZES
            if 1 << size > sizes:
                alike = count_bits(seen >> (tile - size) & ONE_TYPE)
                bonus += 2 if alike == 1 else min(alike, 1)
                seen |= 1 << tile
                sizes |= 1 << size
    lines.seen[index(line)] = seen
    lines.sizes[index(line)] = sizes
    lines.line_points[index(line)] = SUMS[sizes] + bonus


@kernel
def find_changes(state: State, lines: Lines) -> None:
    """Write what a tile of each size on each face-down cell would change for the visitors of each seat, in points.

    Bonuses of types are left out. To be called after `look` for every line.
    """
    for i in range(state.players * CELLS * SIZES):
        lines.change[index(i)] = 0
    for seat in range(state.players):
        visitors = state.visitors[seat]
        while visitors:
            line = lowest_bit(visitors)
            visitors &= visitors - 1
            if LINE_MASK[line] & state.down:
                before = 0
                for i in range(LINE_LENGTH[line]):
                    cell = LINE_CELLS[line][i]
                    if state.up >> cell & 1:
                        before = max(before, 1 << state.tiles[cell] % SIZES)
                    elif state.down >> cell & 1:
                        for size in range(SIZES):
                            lines.change[index((seat * CELLS + cell) * SIZES + size)] += change_of(
                                lines.sizes[index(line)], before, size
                            )


@kernel
def change_of(sizes: int, before: int, size: int) -> int:
    """Return what a tile changes for a visitor that sees `sizes`; `before` is the largest of those nearer to it."""
    if 1 << size <= before:
        return 0
    after = sizes & ~(2 * before - 1 if before else 0)
    return size + 1 - SUMS[after & ((2 << size) - 1)]


@kernel
def seen_together(state: State, lines: Lines, seat: int) -> int:
    """Return the tiles that the visitors of a seat see together."""
    together = 0
    visitors = state.visitors[seat]
    while visitors:
        together |= lines.seen[index(lowest_bit(visitors))]
        visitors &= visitors - 1
    return together


@kernel
def find_hopes(state: State, lines: Lines, seat: int, together: int) -> int:
    """Write what the tiles in a hand wait for that do not score yet; return how many there are."""
    hopes = 0
    hand = state.hand[seat]
    while hand:
        tile = lowest_bit(hand)
        hand &= hand - 1
        larger = larger_than(tile)
        if together & larger == 0:
            lines.larger[index(hopes)] = larger
            lines.hoped[index(hopes)] = 100 * (tile % SIZES + 1)
            hopes += 1
    return hopes


@kernel
def larger_than(tile: int) -> int:
    """Return the larger tiles of the same type."""
    size = tile % SIZES + 1
    return (ONE_TYPE >> size << size) << (tile - size + 1)


@kernel
def sizes_of(tiles: int) -> int:
    """Return the set of the sizes of tiles."""
    sizes = 0
    while tiles:
        sizes |= tiles & ONE_TYPE
        tiles >>= SIZES
    return sizes


@kernel
def value_at_once(lines: Lines, line: int, together: int, hopes: int) -> int:
    """Return what a visitor on a line scores, and what the hand scores more by it, in hundredths of a point."""
    value = 100 * lines.line_points[index(line)]
    fresh = lines.seen[index(line)] & ~together
    if fresh:
        for i in range(hopes):
            if fresh & lines.larger[index(i)]:
                value += lines.hoped[index(i)]
    return value


@kernel
def best_change(state: State, lines: Lines, line: int, held: int) -> int:
    """Return the most that a tile of the sizes `held` changes on a face-down cell of a line, in hundredths of a point.

    That is for a new visitor on the line and for those that are there, the rivals' against it.
    """
    most = 0
    before = 0
    for i in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][i]
        if state.up >> cell & 1:
            before = max(before, 1 << state.tiles[cell] % SIZES)
        elif state.down >> cell & 1:
            left = held
            while left:
                size = lowest_bit(left)
                left &= left - 1
                change = 100 * change_of(lines.sizes[index(line)], before, size)
                for seat in range(state.players):
                    points = lines.change[index((seat * CELLS + cell) * SIZES + size)]
                    change += 100 * points if seat == state.seat else -RIVAL * points
                most = max(most, change)
    return most
