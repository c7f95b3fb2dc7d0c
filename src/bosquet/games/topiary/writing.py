"""What a viewer may know of a game of Topiary, and its score sheet, as JSON: kernels that write `view`'s types."""

from __future__ import annotations

from bosquet.core.assistance import FULL, PLAIN
from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    begin_row,
    begin_text,
    empty_list,
    end_list,
    end_object,
    end_text,
    flag,
    key,
    name,
    names,
    null,
    number,
    number_or_null,
    objects,
    put,
    put_row,
    seats,
    text,
    texts,
)
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .notation import LINE_NAMES, TILE_NAMES
from .position import PHASES
from .rules import (
    CELLS,
    DRAFT,
    DRAWN,
    FIRST_KEEP,
    FIRST_PUT,
    FIRST_TAKE,
    GRID,
    KINDS,
    LINE,
    LINE_CELLS,
    LINE_LENGTH,
    LINES,
    NAME,
    ONE_TYPE,
    OVER,
    PASS,
    PUT,
    SIZES,
    TYPES,
    VISITORS,
    State,
    hand_points,
    legal,
    score,
    seen_by,
    sees,
    visitor_points,
    winners,
)
from .view import TopiaryMove

LINE_COUNT = len(LINES)

GAME_TEXTS = texts(NAME)
"""The name of the game, or of its variant."""

PHASE_TEXTS = texts(*PHASES)

TYPE_TEXTS = texts(*TYPES)

REMOVED_TEXTS = texts(DRAWN, *TYPES)

TILE_TEXTS = texts(*TILE_NAMES)

CELL_TEXTS = texts(*GRID.names)

LINE_TEXTS = texts(*LINE_NAMES)

HEADING_TEXTS = texts(*(heading for _, heading in LINES))

LINE_MOVES = objects(
    *(
        TopiaryMove(say=text, kind="line", cells=[GRID.names[cell] for cell in GRID.ray(*line)], heading=line[1])
        for text, line in zip(LINE_NAMES, LINES, strict=True)
    )
)

TAKE_MOVES = objects(*(TopiaryMove(say=f"take {cell}", kind="take", cells=[cell]) for cell in GRID.names))

PASS_MOVE = objects(TopiaryMove(say="pass", kind="pass", cells=[]))

# --- View ------------------------------------------------------------------------------------------------------


@kernel
def write_view(state: State, viewer: int, assistance: int, moves: Numbers, out: Text) -> int:
    """Write the TopiaryView of a seat, or of a spectator (-1); return how many moves it lists, as `moves` does."""
    n = legal(state, moves) if (assistance >= PLAIN) & (viewer >= 0) & (viewer == state.seat) else 0
    over = state.phase == OVER
    begin_object(out, b"")
    name(out, b"game", GAME_TEXTS, 0)
    begin_object(out, b"options")
    number(out, b"players", state.players)
    flag(out, b"draft", state.draft)
    name(out, b"removed", REMOVED_TEXTS, state.named + 1)
    end_object(out)
    number_or_null(out, b"viewer", viewer)
    number_or_null(out, b"seat", state.seat)
    flag(out, b"over", over)
    name(out, b"phase", PHASE_TEXTS, state.phase)
    if over:
        write_scores(state, out)
        seats(out, b"winners", winners(state))
    else:
        null(out, b"scores")
        empty_list(out, b"winners")
    write_moves(state, moves, n, assistance, out)
    begin_list(out, b"garden")
    for cell in range(CELLS):
        if state.up >> cell & 1:
            name(out, b"", TILE_TEXTS, state.tiles[cell])
        elif state.down >> cell & 1:
            null(out, b"")
        else:
            text(out, b"", b"")
    end_list(out)
    begin_list(out, b"visitors")
    for line in range(LINE_COUNT):
        for seat in range(state.players):
            if state.visitors[seat] >> line & 1:
                begin_object(out, b"")
                write_sight(state, line, sees(state, line), out)
                number(out, b"seat", seat)
                name(out, b"cell", CELL_TEXTS, LINE_CELLS[line][0])
                name(out, b"heading", HEADING_TEXTS, line)
                end_object(out)
    end_list(out)
    begin_list(out, b"visitors_left")
    for seat in range(state.players):
        number(out, b"", VISITORS[state.players] - count_bits(state.visitors[seat]))
    end_list(out)
    name(out, b"removed", TYPE_TEXTS, state.removed)
    if viewer < 0:
        null(out, b"hand")
    else:
        names(out, b"hand", TILE_TEXTS, state.hand[viewer])
    begin_list(out, b"hand_sizes")
    for seat in range(state.players):
        number(out, b"", count_bits(state.hand[seat]))
    end_list(out)
    if over:
        write_tiles(b"hands", state.hand, state.players, out)
    else:
        null(out, b"hands")
    write_tiles(b"put", state.put, state.players, out)
    decided = (state.draft != 0) & ((state.phase != DRAFT) | (viewer >= state.seat))  # 2.4
    names(out, b"passed", TILE_TEXTS, state.passed[viewer] if viewer >= 0 else 0)
    names(out, b"received", TILE_TEXTS, state.passed[viewer + 1] if (viewer >= 0) & decided else 0)
    name(out, b"line", LINE_TEXTS, state.line)
    name(out, b"gap", CELL_TEXTS, state.gap)
    end_object(out)
    return n


@kernel
def write_scores(state: State, out: Text) -> None:
    """Write the current score of every seat. 3.5"""
    begin_list(out, b"scores")
    for seat in range(state.players):
        number(out, b"", score(state, seat))
    end_list(out)


@kernel
def write_tiles(key: bytes, tiles: Numbers, players: int, out: Text) -> None:
    """Write a list of tiles of every seat."""
    begin_list(out, key)
    for seat in range(players):
        names(out, b"", TILE_TEXTS, tiles[seat])
    end_list(out)


@kernel
def write_sight(state: State, line: int, tiles: int, out: Text) -> None:
    """Write the fields of a Sight of a visitor that sees some tiles. 4.2, 4.3"""
    name(out, b"line", LINE_TEXTS, line)
    write_seen(b"seen", state, line, tiles, out)
    begin_object(out, b"blocked")
    sizes, by = 0, 0
    for place in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][place]
        if state.up >> cell & 1:
            if tiles >> state.tiles[cell] & 1:
                sizes += state.tiles[cell] % SIZES + 1
                by = cell
            else:
                key(out, CELL_TEXTS, cell)
                name(out, b"", CELL_TEXTS, by)
    end_object(out)
    points = visitor_points(tiles)
    number(out, b"points", points)
    number(out, b"bonus", points - sizes)


@kernel
def write_seen(key: bytes, state: State, line: int, tiles: int, out: Text) -> None:
    """Write the cells along a line where some tiles lie face up, nearest first."""
    begin_list(out, key)
    for place in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][place]
        if (state.up >> cell & 1) & (tiles >> state.tiles[cell] & 1):
            name(out, b"", CELL_TEXTS, cell)
    end_list(out)


# --- Moves -----------------------------------------------------------------------------------------------------


@kernel
def write_moves(state: State, moves: Numbers, n: int, assistance: int, out: Text) -> None:
    """Write the first `n` of some actions as the seat to move may know them."""
    aided = (n > 0) & (assistance >= FULL)
    seen = seen_by(state, state.seat) if aided & (state.phase == LINE) else 0
    before = score(state, state.seat) if aided & (state.phase == PUT) else 0
    begin_list(out, b"moves")
    for i in range(n):
        write_move_from(state, moves[i], 1, aided, seen, before, out)
    end_list(out)


@kernel
def write_move(state: State, action: int, viewer: int, assistance: int, out: Text) -> None:
    """Write an action about to be made as a TopiaryMove; only its seat may know what it scores."""
    own = viewer == state.seat
    aided = assistance >= FULL
    write_move_from(state, action, own, aided, seen_by(state, state.seat), score(state, state.seat), out)


@kernel
def write_move_from(state: State, action: int, own: int, aided: int, seen: int, before: int, out: Text) -> None:
    """Write an action as its seat (`own`) or another viewer may know it.

    Its seat sees the tiles `seen` when it places a visitor, and has the score `before` when it puts a tile.
    """
    hand = state.hand[state.seat]
    if state.phase == LINE:
        begin_row(out, b"", LINE_MOVES, action)
        if aided:
            tiles = sees(state, action)
            if own:
                gain = hand_points(hand, seen | tiles) - hand_points(hand, seen)  # 4.4
                number(out, b"points", visitor_points(tiles) + gain)
            begin_object(out, b"sight")
            write_sight(state, action, tiles, out)
            end_object(out)
    elif state.phase == PUT:
        tile = action - FIRST_PUT
        begin_object(out, b"")
        begin_text(out, b"say")
        put(out, b"put ")
        put_row(out, TILE_TEXTS, tile)
        end_text(out)
        text(out, b"kind", b"put")
        name(out, b"piece", TILE_TEXTS, tile)
        names(out, b"cells", CELL_TEXTS, 1 << state.gap)
        if aided & own:
            number(out, b"points", score_with(state, tile) - before)
    elif state.phase == DRAFT:
        kept = kept_tiles(hand, action - FIRST_KEEP) if own else 0
        begin_object(out, b"")
        begin_text(out, b"say")
        put(out, b"keep")
        write_words(kept, out)
        end_text(out)
        text(out, b"kind", b"keep")
        empty_list(out, b"cells")
        if own:
            names(out, b"kept", TILE_TEXTS, kept)
    elif action == PASS:
        begin_row(out, b"", PASS_MOVE, 0)
        if aided:
            number(out, b"points", 0)
    else:
        begin_row(out, b"", TAKE_MOVES, action - FIRST_TAKE)
    end_object(out)


@kernel
def write_words(tiles: int, out: Text) -> None:
    """Write the names of some tiles, each after a space."""
    while tiles:
        put(out, b" ")
        put_row(out, TILE_TEXTS, lowest_bit(tiles))
        tiles &= tiles - 1


@kernel
def kept_tiles(hand: int, places: int) -> int:
    """Return the tiles at some places of a hand (bit masks). 2.4"""
    kept = 0
    while hand:
        if places & 1:
            kept |= hand & -hand
        places >>= 1
        hand &= hand - 1
    return kept


@kernel
def score_with(state: State, tile: int) -> int:
    """Return what the seat to move scores with a tile of its hand in the gap. `state` is as before afterwards."""
    seat = state.seat
    before = int(state.tiles[state.gap])
    state.hand[seat] ^= 1 << tile
    state.tiles[state.gap] = tile
    state.up ^= 1 << state.gap
    points = score(state, seat)
    state.up ^= 1 << state.gap
    state.tiles[state.gap] = before
    state.hand[seat] ^= 1 << tile
    return points


# --- Score sheet -----------------------------------------------------------------------------------------------


@kernel
def write_entries(state: State, action: int, out: Text) -> None:
    """Write an Entry for each visitor and each tile in hand at the end (-1); actions add none. 4.2-4.4"""
    if action < 0:
        for seat in range(state.players):
            lines = state.visitors[seat]
            while lines:
                write_visitor(state, seat, lowest_bit(lines), out)
                lines &= lines - 1
            seen = seen_by(state, seat)
            hand = state.hand[seat]
            while hand:
                write_held(state, seat, lowest_bit(hand), seen, out)
                hand &= hand - 1


@kernel
def write_totals(state: State, out: Text) -> None:
    """Write what follows the entries of a Sheet. 4.1, 4.5"""
    write_scores(state, out)
    seats(out, b"winners", winners(state) if state.phase == OVER else 0)
    empty_list(out, b"columns")


@kernel
def write_visitor(state: State, seat: int, line: int, out: Text) -> None:
    """Write the entry of a visitor: the tiles that it sees, and a bonus for each type of two tiles or more. 4.2, 4.3"""
    tiles = sees(state, line)
    begin_object(out, b"")
    number(out, b"seat", seat)
    text(out, b"kind", b"visitor")
    name(out, b"name", LINE_TEXTS, line)
    number(out, b"points", visitor_points(tiles))
    write_seen(b"cells", state, line, tiles, out)
    begin_list(out, b"parts")
    for place in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][place]
        tile = state.tiles[cell]
        if (state.up >> cell & 1) & (tiles >> tile & 1):
            begin_object(out, b"")
            text(out, b"kind", b"tile")
            name(out, b"name", TILE_TEXTS, tile)
            number(out, b"points", tile % SIZES + 1)
            write_seen(b"cells", state, line, 1 << tile, out)
            end_object(out)
    for kind in range(KINDS):
        alike = tiles & ONE_TYPE << kind * SIZES
        if count_bits(alike) > 1:
            begin_object(out, b"")
            text(out, b"kind", b"bonus")
            name(out, b"name", TYPE_TEXTS, kind)
            number(out, b"points", count_bits(alike))
            write_seen(b"cells", state, line, alike, out)
            end_object(out)
    end_list(out)
    text(out, b"combine", b"sum")
    null(out, b"piece")
    name(out, b"cell", CELL_TEXTS, LINE_CELLS[line][0])
    name(out, b"heading", HEADING_TEXTS, line)
    end_object(out)


@kernel
def write_held(state: State, seat: int, tile: int, seen: int, out: Text) -> None:
    """Write the entry of a tile in hand: the larger ones of its type that the seat's visitors see. 4.4"""
    larger = seen & ~((2 << tile) - 1) & ONE_TYPE << tile // SIZES * SIZES
    cells = 0
    for cell in range(CELLS):
        if (state.up >> cell & 1) & (larger >> state.tiles[cell] & 1):
            cells |= 1 << cell
    begin_object(out, b"")
    number(out, b"seat", seat)
    text(out, b"kind", b"hand")
    name(out, b"name", TILE_TEXTS, tile)
    number(out, b"points", hand_points(1 << tile, seen))
    names(out, b"cells", CELL_TEXTS, cells)
    empty_list(out, b"parts")
    text(out, b"combine", b"sum")
    name(out, b"piece", TILE_TEXTS, tile)
    null(out, b"cell")
    null(out, b"heading")
    end_object(out)


# --- Deal ------------------------------------------------------------------------------------------------------


@kernel
def write_deal(state: State, out: Text) -> None:
    """Write the deal of a state that has just been dealt, as a record has it. 2.1, 2.2"""
    leftover = state.passed[state.players] if state.draft else state.aside
    begin_object(out, b"")
    name(out, b"removed", TYPE_TEXTS, state.removed)
    begin_list(out, b"garden")
    for cell in range(CELLS):
        name(out, b"", TILE_TEXTS, state.tiles[cell])
    end_list(out)
    begin_list(out, b"hands")
    for seat in range(state.players):
        names(out, b"", TILE_TEXTS, state.hand[seat] & ~leftover)
    end_list(out)
    names(out, b"leftover", TILE_TEXTS, leftover)
    end_object(out)


# --- Face down -------------------------------------------------------------------------------------------------


@kernel
def write_revealed(state: State, out: Text) -> None:
    """Write the face-down tiles by cell."""
    begin_object(out, b"")
    for cell in range(CELLS):
        if state.down >> cell & 1:
            key(out, CELL_TEXTS, cell)
            name(out, b"", TILE_TEXTS, state.tiles[cell])
    end_object(out)
