"""Topiary (Danny Devine, 2017), 2-4 players. Rulings: docs/rules/topiary.md; a comment cites the ruling (`# 3.2`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec

from bosquet.core.bits import count_bits, lowest_bit, mask_of, members
from bosquet.core.chance import Chance, below, draw_member, shuffle
from bosquet.core.errors import IllegalMove, OptionError, RecordError, listed, quoted
from bosquet.core.grid import HEADINGS, Grid
from bosquet.core.jit import kernel
from bosquet.core.nochance import play_roll as play_roll
from bosquet.core.nochance import roll as roll
from bosquet.core.nochance import say_roll as say_roll
from bosquet.core.reading import (
    expect_each_once,
    expect_key,
    expect_list,
    expect_names,
    expect_only,
)
from bosquet.core.rules import Options
from bosquet.core.state import NOBODY, Field, Int8, Int64, Numbers, StateRecord
from bosquet.core.view import Entry, Move, Part, Sheet, View

# --- 1 Parts ---------------------------------------------------------------------------------------------------

TYPES = "TWSEPHOL"  # 1.1
KINDS = len(TYPES)
SIZES = 5
TILES = KINDS * SIZES
GRID = Grid(5)  # 1.2
CELLS = GRID.size
CENTRE = CELLS // 2
GARDEN = (1 << CELLS) - 1
VISITORS = (0, 0, 8, 6, 5)  # 1.3, by number of players
HAND = 3
LEFTOVER = 4  # at most
ALL_TYPES = 4  # 2.1: with so many players no type is removed

# 3.1: a sight line comes into the garden at its first cell and crosses two cells or more.
LINES = tuple(
    (cell, heading)
    for cell in range(CELLS)
    for heading, (east, north) in HEADINGS.items()
    if GRID.step(cell, -east, -north) < 0 and len(GRID.ray(cell, heading)) > 1
)
LINE_CELLS = tuple((GRID.ray(cell, heading) + (-1,) * GRID.width)[: GRID.width] for cell, heading in LINES)
LINE_LENGTH = tuple(len(GRID.ray(cell, heading)) for cell, heading in LINES)
LINE_MASK = tuple(sum(1 << c for c in GRID.ray(cell, heading)) for cell, heading in LINES)
ALL_LINES = (1 << len(LINES)) - 1

# 4.2, 4.3: what the seen tiles of one type score, by the mask of their sizes.
TYPE_POINTS = tuple(
    sum(size + 1 for size in range(SIZES) if mask >> size & 1) + (mask.bit_count() if mask.bit_count() > 1 else 0)
    for mask in range(1 << SIZES)
)
ONE_TYPE = (1 << SIZES) - 1

DRAFT, LINE, TAKE, PUT, OVER = range(5)


class State(StateRecord):
    """Sets of cells, lines and tiles are masks; tile = type × 5 + size - 1."""

    players: Int8
    draft: Int8
    seat: Int8
    phase: Int8
    removed: Int8  # type, or -1
    placed: Int8  # visitors placed so far
    line: Int8  # of the running turn, or -1
    gap: Int8  # cell of the running turn, or -1
    tiles: Annotated[
        list[int], Field("i1", TILES)
    ]  # [cell]: tile lying there; beyond the garden: used by the deal only
    up: Int64  # cells with a face-up tile
    down: Int64  # cells with a face-down tile
    free: Int64  # lines without a visitor
    aside: Int64  # tiles set aside
    visitors: Annotated[list[int], Field("i8", 4)]  # [seat]: lines
    hand: Annotated[list[int], Field("i8", 4)]  # [seat]: tiles
    passed: Annotated[list[int], Field("i8", 5)]  # [seat]: tiles passed on in the draft; [players]: the leftover
    put: Annotated[list[int], Field("i8", 4)]  # [seat]: tiles put into the garden


MAX_MOVES = 64
FIRST_TAKE = len(LINES)
PASS = FIRST_TAKE + CELLS
FIRST_PUT = PASS + 1
FIRST_KEEP = FIRST_PUT + TILES
ACTIONS = FIRST_KEEP + (1 << HAND + LEFTOVER)

# --- 2 Deal ----------------------------------------------------------------------------------------------------


@kernel
def deal(state: State, lanes: Numbers) -> None:
    """Deal a new game. Reads the options of `state`, overwrites all else, steps `lanes`."""
    state.removed = -1 if state.players == ALL_TYPES else below(lanes, KINDS)  # 2.1
    n = 0
    for tile in range(TILES):
        if tile // SIZES != state.removed:
            state.tiles[n] = tile
            n += 1
    shuffle(lanes, state.tiles, n)  # 2.2
    begin(state)


@kernel
def begin(state: State) -> None:
    """Start with `state.tiles` as dealt: garden, hands seat by seat, leftover."""
    n = TILES if state.removed < 0 else TILES - SIZES
    place = CELLS
    for seat in range(4):
        state.visitors[seat] = 0
        state.put[seat] = 0
        state.hand[seat] = 0
        if seat < state.players:
            for _ in range(HAND):
                state.hand[seat] |= 1 << state.tiles[place]
                place += 1
    for seat in range(5):
        state.passed[seat] = 0
    state.aside = 0
    for i in range(place, n):
        state.aside |= 1 << state.tiles[i]
    for i in range(CELLS, TILES):
        state.tiles[i] = 0
    state.up = 1 << CENTRE
    state.down = GARDEN ^ state.up
    state.free = ALL_LINES
    state.placed = 0
    state.line = -1
    state.gap = -1
    state.seat = 0  # 2.3
    state.phase = LINE
    if state.draft:  # 2.4
        state.seat = state.players - 1
        state.hand[state.seat] |= state.aside
        state.passed[state.players] = state.aside
        state.aside = 0
        state.phase = DRAFT


# --- 3 Turn ----------------------------------------------------------------------------------------------------


@kernel
def legal(state: State, moves: Numbers) -> int:
    """Write every legal action into `moves`, return how many."""
    n = 0
    if state.phase == LINE:  # 3.1
        free = state.free
        while free:
            moves[n] = lowest_bit(free)
            n += 1
            free &= free - 1
    elif state.phase == TAKE:  # 3.3
        takeable = LINE_MASK[state.line] & state.down
        while takeable:
            moves[n] = FIRST_TAKE + lowest_bit(takeable)
            n += 1
            takeable &= takeable - 1
        moves[n] = PASS
        n += 1
    elif state.phase == PUT:
        hand = state.hand[state.seat]
        while hand:
            moves[n] = FIRST_PUT + lowest_bit(hand)
            n += 1
            hand &= hand - 1
    elif state.phase == DRAFT:  # 2.4
        for kept in range(1 << count_bits(state.hand[state.seat])):
            if count_bits(kept) == HAND:
                moves[n] = FIRST_KEEP + kept
                n += 1
    return n


@kernel
def play(state: State, action: int) -> None:
    """Make a legal action."""
    seat = state.seat
    if state.phase == LINE:
        state.visitors[seat] |= 1 << action
        state.free ^= 1 << action
        state.placed += 1
        state.line = action
        if LINE_MASK[action] & state.down:
            state.phase = TAKE
        else:
            end_turn(state)
    elif state.phase == TAKE:
        if action == PASS:
            end_turn(state)
        else:
            cell = action - FIRST_TAKE
            state.hand[seat] |= 1 << state.tiles[cell]
            state.tiles[cell] = 0
            state.down ^= 1 << cell
            state.gap = cell
            state.phase = PUT
    elif state.phase == PUT:
        tile = action - FIRST_PUT
        state.hand[seat] ^= 1 << tile
        state.put[seat] |= 1 << tile
        state.tiles[state.gap] = tile
        state.up |= 1 << state.gap
        end_turn(state)
    else:
        keep(state, action - FIRST_KEEP)


@kernel
def keep(state: State, places: int) -> None:
    """Keep the tiles at these places of the hand, pass the rest on. 2.4"""
    seat = state.seat
    rest = state.hand[seat]
    kept = 0
    while rest:
        if places & 1:
            kept |= rest & -rest
        places >>= 1
        rest &= rest - 1
    passed = state.hand[seat] ^ kept
    state.hand[seat] = kept
    state.passed[seat] = passed
    if seat:
        state.seat = seat - 1
        state.hand[seat - 1] |= passed
    else:
        state.aside = passed
        state.phase = LINE


@kernel
def end_turn(state: State) -> None:
    """Pass the turn on, or end the game. 2.3, 4.1"""
    state.line = -1
    state.gap = -1
    if state.placed == state.players * VISITORS[state.players]:
        state.phase = OVER
        state.seat = NOBODY
    else:
        state.phase = LINE
        state.seat = state.seat + 1 if state.seat + 1 < state.players else 0


# --- 4 Score ---------------------------------------------------------------------------------------------------


@kernel
def sees(state: State, line: int) -> int:
    """The tiles that a visitor at this line sees. 4.2"""
    seen = 0
    tallest = -1
    for i in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][i]
        if state.up >> cell & 1:
            tile = state.tiles[cell]
            if tile % SIZES > tallest:
                seen |= 1 << tile
                tallest = tile % SIZES
    return seen


@kernel
def visitor_points(seen: int) -> int:
    """What a visitor scores that sees these tiles. 4.2, 4.3"""
    points = 0
    while seen:
        points += TYPE_POINTS[seen & ONE_TYPE]
        seen >>= SIZES
    return points


@kernel
def hand_points(hand: int, seen: int) -> int:
    """What tiles in hand score whose owner's visitors together see these tiles. 4.4"""
    points = 0
    while hand:
        tile = lowest_bit(hand)
        hand &= hand - 1
        size = tile % SIZES + 1
        larger = (seen >> (tile - size + 1) & ONE_TYPE) >> size
        if larger:
            points += size
    return points


@kernel
def sights(state: State, seat: int) -> tuple[int, int]:
    """What the visitors of a seat score, and the tiles that they see together. 4.2, 4.3"""
    points = 0
    seen = 0
    lines = state.visitors[seat]
    while lines:
        tiles = sees(state, lowest_bit(lines))
        lines &= lines - 1
        points += visitor_points(tiles)
        seen |= tiles
    return points, seen


@kernel
def score(state: State, seat: int) -> int:
    """What a seat would score if the game ended now. 3.5"""
    points, seen = sights(state, seat)
    return points + hand_points(state.hand[seat], seen)


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the open count of every seat into `points`."""
    for seat in range(state.players):
        points[seat] = score(state, seat)


@kernel
def winners(state: State) -> int:
    """The one winning seat of a game that is over, as a mask. 4.5"""
    best = 0
    best_points = -1
    best_hand = -1
    for seat in range(state.players):
        points, seen = sights(state, seat)
        hand = hand_points(state.hand[seat], seen)
        points += hand
        if (points > best_points) | ((points == best_points) & (hand >= best_hand)):
            best = seat
            best_points = points
            best_hand = hand
    return 1 << best


@kernel
def seen_by(state: State, seat: int) -> int:
    """The tiles that any visitor of a seat sees."""
    return sights(state, seat)[1]


def result(state: State) -> dict[str, Any]:
    """Points and winner of a game that is over."""
    points = [0] * 4
    scores(state, points)
    return {"scores": points[: state.players], "winners": list(members(winners(state)))}


# --- Options, deals, notation ----------------------------------------------------------------------------------

NAME = "topiary"
TITLE = "Topiary"
OPTIONS = {"players": (2, 3, 4), "draft": (False, True)}

TILE_NAMES = [f"{letter}{size}" for letter in TYPES for size in range(1, SIZES + 1)]
TILE_OF = {name: tile for tile, name in enumerate(TILE_NAMES)}
LINE_NAMES = [GRID.names[cell] + heading for cell, heading in LINES]  # 3.2
LINE_OF = {name: line for line, name in enumerate(LINE_NAMES)}
PHASES = ("draft", "line", "take", "put", "over")


def tiles_of(mask: int) -> list[str]:
    """The names of a set of tiles, in the order of 1.1."""
    return [TILE_NAMES[tile] for tile in members(mask)]


def new_state(options: Options, deck: Any = None) -> State:
    """A state with its options set, to be dealt."""
    if deck is not None:
        raise OptionError("Topiary has no deck to choose; leave it out")
    state = State()
    state.players = options["players"]
    state.draft = int(options["draft"])
    return state


def write_deal(state: State) -> dict[str, Any]:
    """The deal of a state that has just been dealt."""
    leftover = state.passed[state.players] if state.draft else state.aside
    return {
        "removed": None if state.removed < 0 else TYPES[state.removed],
        "garden": [TILE_NAMES[tile] for tile in state.tiles[:CELLS]],
        "hands": [tiles_of(state.hand[seat] & ~leftover) for seat in range(state.players)],
        "leftover": tiles_of(leftover),
    }


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Begin with the deal of a record."""
    expect_only(deal, ("removed", "garden", "hands", "leftover"), "deal")
    removed = expect_key(deal, "removed", "deal")
    if state.players == ALL_TYPES:
        if removed is not None:
            raise RecordError(f"deal.removed is {quoted(removed)}; with four players it must be null")
    elif not isinstance(removed, str) or len(removed) != 1 or removed not in TYPES:
        raise RecordError(f"deal.removed is {quoted(removed)}; it must be one of the types {TYPES}")
    state.removed = -1 if removed is None else TYPES.index(removed)
    tiles = [tile for tile in range(TILES) if tile // SIZES != state.removed]
    hands = expect_list(expect_key(deal, "hands", "deal"), state.players, "deal.hands")
    left = len(tiles) - CELLS - HAND * state.players
    dealt = expect_names(expect_key(deal, "garden", "deal"), CELLS, TILE_OF, "tile", "deal.garden")
    for seat, hand in enumerate(hands):
        dealt += expect_names(hand, HAND, TILE_OF, "tile", f"deal.hands[{seat}]")
    dealt += expect_names(expect_key(deal, "leftover", "deal"), left, TILE_OF, "tile", "deal.leftover")
    expect_each_once(dealt, tiles, TILE_NAMES, "tiles")
    state.tiles[: len(dealt)] = dealt
    begin(state)


def say(state: State, action: int) -> str:
    """The notation of an action. 3.2, 3.3, 2.4"""
    if action < FIRST_TAKE:
        return LINE_NAMES[action]
    if action < PASS:
        return f"take {GRID.names[action - FIRST_TAKE]}"
    if action == PASS:
        return "pass"
    if action < FIRST_KEEP:
        return f"put {TILE_NAMES[action - FIRST_PUT]}"
    hand = tiles_of(state.hand[state.seat])
    return " ".join(["keep", *(hand[place] for place in members(action - FIRST_KEEP))])


def parse(state: State, text: str) -> int:
    """The action that a notation means."""
    word, *names = text.split(" ")
    if text in LINE_OF:
        return LINE_OF[text]
    if text == "pass":
        return PASS
    if word == "take" and len(names) == 1 and names[0] in GRID.cell_of:
        return FIRST_TAKE + GRID.cell_of[names[0]]
    if word == "put" and len(names) == 1 and names[0] in TILE_OF:
        return FIRST_PUT + TILE_OF[names[0]]
    if word == "keep" and len(names) == HAND and all(name in TILE_OF for name in names):
        tiles = [TILE_OF[name] for name in names]
        if tiles == sorted(set(tiles)):
            hand = list(members(state.hand[state.seat]))
            if strangers := [name for name in names if TILE_OF[name] not in hand]:
                raise IllegalMove(f"{quoted(text)}: {listed(strangers)} is not in the hand")
            return FIRST_KEEP + mask_of(hand.index(tile) for tile in tiles)
        raise IllegalMove(f"{quoted(text)}: three different tiles, in the order of the types {TYPES}, then of size")
    raise IllegalMove(
        f'{quoted(text)} is no move of Topiary; moves are written "c1N", "take c2", "pass", "put T1", "keep T1 W2 P5"'
    )


def objection(state: State, action: int) -> str:
    """Why an action is not legal now."""
    wanted = {
        DRAFT: "the draft is on: keep three tiles",
        LINE: "a visitor is to be placed on a free line",
        TAKE: "take a face-down tile of the line, or pass",
        PUT: "a tile of the hand is to be put into the gap",
    }[state.phase]
    if action < FIRST_TAKE and state.phase == LINE:
        return "this line is taken"
    if FIRST_TAKE <= action < PASS and state.phase == TAKE:
        cell = action - FIRST_TAKE
        if not LINE_MASK[state.line] >> cell & 1:
            return f"{GRID.names[cell]} is not in the line {LINE_NAMES[state.line]}"
        return f"the tile at {GRID.names[cell]} lies face up"
    if FIRST_PUT <= action < FIRST_KEEP and state.phase == PUT:
        return f"{TILE_NAMES[action - FIRST_PUT]} is not in the hand"
    return wanted


def told(state: State, action: int, viewer: int | None) -> str:
    """An action as a viewer may know it: what others keep in the draft stays hidden."""
    if state.phase == DRAFT and viewer != state.seat:
        return "keep"
    return say(state, action)


def reveals(state: State, action: int) -> bool:
    """Whether the action shows somebody something: a tile taken, put, or passed on."""
    return state.phase != LINE and action != PASS


# --- View ------------------------------------------------------------------------------------------------------


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor at a line sees now."""

    line: str
    seen: list[str]
    """Cells whose tiles it sees, nearest first."""
    blocked: dict[str, str]
    """Cells of face-up tiles that it does not see, each with the cell of the nearest tile that hides it."""
    points: int
    bonus: int
    """The part of the points that is for types seen twice or more."""


class Visitor(Sight, frozen=True, kw_only=True):
    """A visitor in the garden."""

    seat: int


class TopiaryMove(Move, frozen=True, kw_only=True):
    """A legal move; for a line, `sight` is what a visitor there would see now."""

    sight: Sight | None = None


class TopiaryView(View, frozen=True, kw_only=True):
    """What a seat may know of a game of Topiary."""

    garden: list[str | None]
    """Cells a1 b1 … e5: the face-up tile, None face down, "" the gap of the running turn."""
    visitors: list[Visitor]
    visitors_left: list[int]
    removed: str | None
    hand: list[str] | None
    """The viewer's tiles; None for a spectator."""
    hand_sizes: list[int]
    hands: list[list[str]] | None
    """Everybody's tiles, once the game is over."""
    put: list[list[str]]
    """The tiles that each seat has put into the garden."""
    passed: list[str]
    """The tiles that the viewer passed on in the draft."""
    received: list[str]
    """The tiles that were passed to the viewer in the draft."""
    line: str | None
    gap: str | None
    moves: list[TopiaryMove]


def sight_fields(state: State, line: int) -> dict[str, Any]:
    """The fields of a Sight. 4.2, 4.3"""
    seen, blocked = [], {}
    tallest, by = -1, ""
    sizes = 0
    for cell in LINE_CELLS[line][: LINE_LENGTH[line]]:
        if state.up >> cell & 1:
            size = state.tiles[cell] % SIZES
            if size > tallest:
                tallest, by = size, GRID.names[cell]
                seen.append(by)
                sizes += size + 1
            else:
                blocked[GRID.names[cell]] = by
    points = visitor_points(sees(state, line))
    return {
        "line": LINE_NAMES[line],
        "seen": seen,
        "blocked": blocked,
        "points": points,
        "bonus": points - sizes,
    }


def view(state: State, viewer: int | None) -> TopiaryView:
    """All that a seat, or a spectator, may know."""
    over = state.phase == OVER
    players = range(state.players)
    points = [0] * 4
    scores(state, points)
    mine = None if viewer is None else state.hand[viewer]
    return TopiaryView(
        game=NAME,
        options={"players": state.players, "draft": bool(state.draft)},
        viewer=viewer,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase=PHASES[state.phase],
        scores=points[: state.players] if over else None,
        winners=list(members(winners(state))) if over else [],
        garden=[_garden_entry(state, cell) for cell in range(CELLS)],
        visitors=[
            Visitor(seat=seat, **sight_fields(state, line))
            for line in range(len(LINES))
            for seat in players
            if state.visitors[seat] >> line & 1
        ],
        visitors_left=[VISITORS[state.players] - count_bits(state.visitors[seat]) for seat in players],
        removed=None if state.removed < 0 else TYPES[state.removed],
        hand=None if mine is None else tiles_of(mine),
        hand_sizes=[count_bits(state.hand[seat]) for seat in players],
        hands=[tiles_of(state.hand[seat]) for seat in players] if over else None,
        put=[tiles_of(state.put[seat]) for seat in players],
        passed=[] if viewer is None else tiles_of(state.passed[viewer]),
        received=[] if viewer is None else tiles_of(_received(state, viewer)),
        line=None if state.line < 0 else LINE_NAMES[state.line],
        gap=None if state.gap < 0 else GRID.names[state.gap],
        moves=_view_moves(state) if viewer is not None and viewer == state.seat else [],
    )


def _garden_entry(state: State, cell: int) -> str | None:
    if state.up >> cell & 1:
        return TILE_NAMES[state.tiles[cell]]
    return None if state.down >> cell & 1 else ""


def _received(state: State, viewer: int) -> int:
    """The tiles passed to a seat in the draft, from its own decision on. 2.4"""
    if not state.draft or (state.phase == DRAFT and viewer < state.seat):
        return 0
    return state.passed[viewer + 1]


def _view_moves(state: State) -> list[TopiaryMove]:
    moves = [0] * MAX_MOVES
    n = legal(state, moves)
    return [_view_move(state, action) for action in moves[:n]]


def _view_move(state: State, action: int) -> TopiaryMove:
    text = say(state, action)
    if state.phase == LINE:
        cells = [GRID.names[cell] for cell in LINE_CELLS[action][: LINE_LENGTH[action]]]
        sight = Sight(**sight_fields(state, action))
        hand, seen = state.hand[state.seat], seen_by(state, state.seat)
        gain = hand_points(hand, seen | sees(state, action)) - hand_points(hand, seen)
        return TopiaryMove(say=text, cells=cells, points=sight.points + gain, sight=sight)
    if state.phase == PUT:
        after = state.copy()
        play(after, action)
        gain = score(after, state.seat) - score(state, state.seat)
        return TopiaryMove(say=text, cells=[GRID.names[state.gap]], points=gain)
    if action == PASS:
        return TopiaryMove(say=text, cells=[], points=0)
    return TopiaryMove(say=text, cells=[GRID.names[action - FIRST_TAKE]] if state.phase == TAKE else [])


# --- Redeal ----------------------------------------------------------------------------------------------------


def redeal(view: TopiaryView, chance: Chance) -> State:
    """A state that agrees with all the viewer has seen, uniform over the places of the unseen tiles."""
    state = _open_state(view)
    known = mask_of(TILE_OF[name] for name in view.garden if name)
    for seat, hand in enumerate(view.hands or []):
        state.hand[seat] = mask_of(TILE_OF[name] for name in hand)
    if view.viewer is not None:
        state.hand[view.viewer] = mask_of(TILE_OF[name] for name in view.hand or [])
        state.passed[view.viewer] = mask_of(TILE_OF[name] for name in view.passed)
        if view.received:
            state.passed[view.viewer + 1] = mask_of(TILE_OF[name] for name in view.received)
    known |= state.hand[0] | state.hand[1] | state.hand[2] | state.hand[3]
    unseen = [tile for tile in range(TILES) if tile // SIZES != state.removed and not known >> tile & 1]
    for seat in range(state.players):
        if not state.hand[seat]:
            state.hand[seat] = mask_of(unseen.pop() for _ in range(view.hand_sizes[seat]))
    for cell in members(state.down):
        state.tiles[cell] = unseen.pop()
    state.aside = mask_of(unseen)
    resample(state, -1 if view.viewer is None else view.viewer, chance.lanes)
    return state


ASIDE = 4
"""Where a hidden tile may lie besides the hands 0-3: aside."""


@kernel
def resample(state: State, viewer: int, lanes: Numbers) -> None:
    """Lay the unseen tiles anew, uniformly among the ways that agree with the draft. Mutates `state`, steps `lanes`.

    What the viewer passed on in the draft was kept by one of the seats that got it, or set aside. What the others
    passed on is chosen anew, to agree with all this. 2.4
    """
    unseen = state.aside
    room = count_bits(state.aside) << 8 * ASIDE  # 8 bits a place: the tiles to be laid there
    for seat in range(state.players):
        if (seat != viewer) & (state.phase != OVER):
            unseen |= state.hand[seat]
            room |= count_bits(state.hand[seat]) << 8 * seat
            state.hand[seat] = 0
    state.aside = 0
    cells = state.down
    while cells:
        unseen |= 1 << state.tiles[lowest_bit(cells)]
        cells &= cells - 1
    if (state.draft != 0) & (viewer >= 0):
        passed = state.passed[viewer] & unseen
        room = lay_passed(state, viewer, passed, room, lanes)
        unseen ^= passed
    for seat in range(state.players):
        for _ in range(room >> 8 * seat & 255):
            tile = draw_member(lanes, unseen)
            unseen ^= 1 << tile
            state.hand[seat] |= 1 << tile
    cells = state.down
    while cells:
        tile = draw_member(lanes, unseen)
        unseen ^= 1 << tile
        state.tiles[lowest_bit(cells)] = tile
        cells &= cells - 1
    state.aside |= unseen
    if state.draft:
        lay_draft(state, viewer, lanes)


@kernel
def lay_passed(state: State, viewer: int, passed: int, room: int, lanes: Numbers) -> int:
    """Lay the unseen tiles that the viewer passed on into hands and aside; return the room that is left. 2.4

    Nobody kept more than three. Every way to lay these out leaves equally many for the rest, so drawing until one fits
    is uniform.
    """
    first = state.seat if state.phase == DRAFT else 0
    while True:
        left = room
        fits = True
        for seat in range(viewer):
            state.hand[seat] &= ~passed
        state.aside = 0
        tiles = passed
        while tiles:
            places = left >> 8 * ASIDE & 255
            for seat in range(first, viewer):
                places += left >> 8 * seat & 255
            at = below(lanes, places)
            place = first
            while (place < viewer) & (at >= (left >> 8 * place & 255)):
                at -= left >> 8 * place & 255
                place += 1
            if place < viewer:
                state.hand[place] |= tiles & -tiles
            else:
                place = ASIDE
                state.aside |= tiles & -tiles
            left -= 1 << 8 * place
            tiles &= tiles - 1
        if state.phase != DRAFT:
            for seat in range(viewer):
                kept = (state.hand[seat] | state.put[seat]) & state.passed[viewer]
                fits &= count_bits(kept) <= HAND
        if fits:
            return left


@kernel
def lay_draft(state: State, viewer: int, lanes: Numbers) -> None:
    """Choose what the other seats may have passed on in the draft, agreeing with what the viewer saw. 2.4

    From the last to have passed upwards: what a seat had got it kept or passed on.
    """
    first = 0
    end = state.aside  # where the last tiles passed on lie
    if state.phase == DRAFT:
        first = state.seat + 1
        end = state.hand[state.seat]
    size = (TILES if state.removed < 0 else TILES - SIZES) - CELLS - HAND * state.players
    for seat in range(first, state.players + 1):
        if (viewer < 0) | ((seat != viewer) & (seat != viewer + 1)):
            mine = state.passed[viewer] if seat < viewer else 0
            had = end
            if seat > first:
                kept = draw_set(lanes, state.hand[seat - 1] | state.put[seat - 1], HAND, mine)
                had = state.passed[seat - 1] | kept
            state.passed[seat] = draw_set(lanes, had, size, mine)


@kernel
def draw_set(lanes: Numbers, mask: int, size: int, must: int) -> int:
    """A uniform subset of a set, of a given size, with the members of `must` that are in it."""
    chosen = mask & must
    for _ in range(size - count_bits(chosen)):
        chosen |= 1 << draw_member(lanes, mask & ~chosen)
    return chosen


def _open_state(view: TopiaryView) -> State:
    """What everybody sees, as a state without the hidden tiles."""
    state = new_state(view.options)
    state.seat = NOBODY if view.seat is None else view.seat
    state.phase = PHASES.index(view.phase)
    state.removed = -1 if view.removed is None else TYPES.index(view.removed)
    state.line = -1 if view.line is None else LINE_OF[view.line]
    state.gap = -1 if view.gap is None else GRID.cell_of[view.gap]
    for cell, name in enumerate(view.garden):
        if name is None:
            state.down |= 1 << cell
        elif name:
            state.up |= 1 << cell
            state.tiles[cell] = TILE_OF[name]
    for visitor in view.visitors:
        state.visitors[visitor.seat] |= 1 << LINE_OF[visitor.line]
    state.free = ALL_LINES & ~(state.visitors[0] | state.visitors[1] | state.visitors[2] | state.visitors[3])
    state.placed = len(view.visitors)
    state.put = [mask_of(TILE_OF[name] for name in put) for put in view.put] + [0] * (4 - state.players)
    return state


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Which visitor saw which tile, which bonus, which tile in hand. 4.2-4.4"""
    points = [0] * 4
    scores(state, points)
    entries = []
    for seat in range(state.players):
        entries += [_visitor_entry(state, seat, line) for line in members(state.visitors[seat])]
        entries += [_hand_entry(state, seat, tile) for tile in members(state.hand[seat])]
    return Sheet(
        game=NAME,
        entries=entries,
        scores=points[: state.players],
        winners=list(members(winners(state))) if state.phase == OVER else [],
    )


def _visitor_entry(state: State, seat: int, line: int) -> Entry:
    cell_of_tile = {state.tiles[cell]: GRID.names[cell] for cell in GRID.ray(*LINES[line]) if state.up >> cell & 1}
    seen = list(members(sees(state, line)))
    seen.sort(key=lambda tile: tile % SIZES)  # nearest first
    parts = [
        Part(kind="tile", name=TILE_NAMES[tile], points=tile % SIZES + 1, cells=[cell_of_tile[tile]]) for tile in seen
    ]
    for kind, letter in enumerate(TYPES):
        alike = [cell_of_tile[tile] for tile in seen if tile // SIZES == kind]
        if len(alike) > 1:
            parts.append(Part(kind="bonus", name=letter, points=len(alike), cells=alike))
    points = visitor_points(sees(state, line))
    cells = [cell_of_tile[tile] for tile in seen]
    return Entry(seat=seat, kind="visitor", name=LINE_NAMES[line], points=points, cells=cells, parts=parts)


def _hand_entry(state: State, seat: int, tile: int) -> Entry:
    larger = [other for other in members(seen_by(state, seat)) if other // SIZES == tile // SIZES and other > tile]
    cells = [GRID.names[cell] for cell in members(state.up) if state.tiles[cell] in larger]
    points = hand_points(1 << tile, seen_by(state, seat))
    return Entry(seat=seat, kind="hand", name=TILE_NAMES[tile], points=points, cells=cells)
