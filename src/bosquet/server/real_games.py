"""Games played at a real table: what was laid into the page becomes a score sheet. Pure; runs in a worker process.

A real game may be counted at any time; it has winners once everything is placed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sized

import msgspec

from bosquet.core.errors import BosquetError, IllegalMove, listed, quoted
from bosquet.core.reading import expect_name
from bosquet.core.state import NOBODY
from bosquet.core.view import Entry, Sheet
from bosquet.games import schlossgarten, topas, topiary
from bosquet.server.messages import Counted, RealGame, RealSchlossgarten, RealTopas, RealTopiary


def count(real: RealGame) -> Counted:
    """The score sheet of a real game. Raises BosquetError, which names what can't be so."""
    match real:
        case RealTopiary():
            state = _garden(real)
            return Counted(sheet=topiary.sheet(state, ()), view=topiary.view(state, None))
        case RealTopas():
            return _topas(real)
        case RealSchlossgarten():
            return Counted(sheet=_schlossgarten(real), view=None)


# --- Topiary ---------------------------------------------------------------------------------------------------


def _garden(real: RealTopiary) -> topiary.State:
    """The state of what lies there: over once all visitors stand and all hands are full."""
    state = topiary.new_state({"players": real.players, "draft": False})
    state.removed = -1  # nobody says which type was left out
    state.up = _lay_tiles(state, real.garden)
    state.down = topiary.GARDEN ^ state.up
    _deal_hands(state, real)
    _check_tiles(real)
    _place_visitors(state, real)
    full = all(state.hand[seat].bit_count() == topiary.HAND for seat in range(real.players))
    if full and state.placed == real.players * topiary.VISITORS[real.players]:
        state.phase = topiary.OVER
        state.seat = NOBODY
    else:
        state.phase = topiary.LINE
    return state


def _lay_tiles(state: topiary.State, garden: dict[str, str]) -> int:
    """Lay the face-up tiles; the cells they cover."""
    up = 0
    for name, tile in garden.items():
        if name not in topiary.GRID.cell_of:
            raise BosquetError(f"garden: {quoted(name)} is no cell; the garden has the cells a1 to e5")
        cell = topiary.GRID.cell_of[name]
        state.tiles[cell] = expect_name(tile, topiary.TILE_OF, "tile", f"garden.{name}")
        up |= 1 << cell
    return up


def _deal_hands(state: topiary.State, real: RealTopiary) -> None:
    _check_seats(real.hands, real.players, "hands")
    for seat, hand in enumerate(real.hands):
        place = f"hands[{seat}]"
        if len(hand) > topiary.HAND:
            raise BosquetError(f"{place} has {len(hand)} tiles; after its turn a player holds {topiary.HAND}")
        for i, tile in enumerate(hand):
            state.hand[seat] |= 1 << expect_name(tile, topiary.TILE_OF, "tile", f"{place}[{i}]")


def _check_tiles(real: RealTopiary) -> None:
    """Every tile is there once, and with two or three players one type is not. 1.1, 2.1"""
    places = [(tile, f"garden.{cell}") for cell, tile in real.garden.items()]
    places += [(tile, f"hands[{seat}]") for seat, hand in enumerate(real.hands) for tile in hand]
    first: dict[str, str] = {}
    for tile, place in places:
        if tile in first:
            raise BosquetError(f"{tile} is there twice: in {first[tile]} and {place}; every tile is there once")
        first[tile] = place
    if real.players < 4 and len({tile[0] for tile in first}) == len(topiary.TYPES):
        raise BosquetError(
            f"there are tiles of all {len(topiary.TYPES)} types; with {real.players} players one type is left out"
        )


def _place_visitors(state: topiary.State, real: RealTopiary) -> None:
    most = topiary.VISITORS[real.players]
    by_line: dict[int, int] = {}
    for i, visitor in enumerate(real.visitors):
        place = f"visitors[{i}]"
        _check_seat(visitor.seat, real.players, place)
        line = expect_name(visitor.line, topiary.LINE_OF, "sight line", f"{place}.line")
        if line in by_line:
            raise BosquetError(f"{place}: visitors[{by_line[line]}] stands at {visitor.line} already; a line has one")
        by_line[line] = i
        state.visitors[visitor.seat] |= 1 << line
        if state.visitors[visitor.seat].bit_count() > most:
            raise BosquetError(
                f"{place}: seat {visitor.seat} has all its {most} visitors placed; "
                f"with {real.players} players each has {most}"
            )
    state.placed = len(by_line)
    state.free = topiary.ALL_LINES ^ sum(1 << line for line in by_line)


# --- Topas -----------------------------------------------------------------------------------------------------


def _topas(real: RealTopas) -> Counted:
    """The sheet of all placements, and the table as it lies; with a card chosen, the places where it may lie."""
    state = topas.new_state({"players": real.players, "expert": real.expert})
    topas.clear_table(state)
    state.drawn = topas.DECK  # the hands are not known: nobody draws
    plies = []
    for number, placement in enumerate(real.placements, 1):
        action = _placement(state, placement, number)
        if state.turn < 0:
            topas.lay(state, action)
        else:
            plies.append((state.copy(), action))
            _play(state, action)
    sizes = _hand_sizes(real.players, len(plies))
    if real.players == 1:
        sizes = [0 if state.turn < 0 or state.phase == topas.OVER else 1]
        state.drawn = len(real.placements) + sizes[0]
    else:
        state.drawn = min(topas.DECK, topas.HAND * real.players + len(real.placements))
    sheet = topas.sheet(state, plies)
    view = topas.view(state, None) if real.card is None else _offer(state, real.card)
    return Counted(sheet=sheet, view=msgspec.structs.replace(view, hand_sizes=sizes))


def _play(state: topas.State, action: int) -> None:
    """Lay a card. After the last of a column the table is empty: which card starts the next is not known yet. 5.1"""
    ends_column = state.players == 1 and state.turn + 1 == topas.TURNS
    if not ends_column:
        topas.play(state, action)
        return
    state.hand[0] = 0
    state.points[0] += topas.lay(state, action)
    if state.column + 1 == topas.COLUMNS:
        topas.end_column(state)
        return
    for laid in state.laid[: state.turn + 1]:
        state.gone |= 1 << topas.card_of(laid)
    state.columns[state.column] = state.points[0]
    state.column += 1
    state.points[0] = 0
    topas.clear_table(state)


def _placement(state: topas.State, placement: str, number: int) -> int:
    """The action of a placement, its card now in the hand of the seat to move."""
    try:
        if state.phase == topas.OVER:
            raise IllegalMove(f"{quoted(placement)}: {_over(state)}")
        card = _unused(state, placement.partition("@")[0])
        if state.turn < 0:
            return _start(placement, card)
        state.hand[state.seat] = 1 << card
        action = topas.parse(state, placement)
        moves = [0] * topas.MAX_MOVES
        if action not in moves[: topas.legal(state, moves)]:
            raise IllegalMove(f"{quoted(placement)}: {topas.objection(state, action)}")
    except BosquetError as error:
        raise IllegalMove(f"placement {number}: {error}") from None
    return action


def _unused(state: topas.State, name: str) -> int:
    """The card of a name, which does not lie on the table yet."""
    card = expect_name(name, topas.CARD_OF, "card", "the card")
    if card in (topas.card_of(action) for action in state.laid[: state.turn + 1]):
        raise IllegalMove(f"{name} lies on the table already; every card is there once")
    if state.gone >> card & 1:
        raise IllegalMove(f"{name} was laid in an earlier column; every card is there once")
    return card


def _over(state: topas.State) -> str:
    if state.players == 1:
        return f"the game is over; all {topas.COLUMNS} columns are laid"
    return f"the game is over; everybody has laid {topas.TURNS} cards"


def _start(placement: str, card: int) -> int:
    """The action of the card that starts the table. 2.1"""
    right = f"{topas.NAMES[card]}@0,0E"
    if placement != right:
        raise IllegalMove(f"{quoted(placement)}: the card that starts the table is written {quoted(right)}")
    return card * topas.PLACES + topas.EAST * topas.SQUARES


def _offer(state: topas.State, name: str) -> topas.TopasView:
    """The view of the seat to move with this one card in hand."""
    if state.phase == topas.OVER:
        raise BosquetError(f"card: {_over(state)}")
    try:
        card = _unused(state, name)
    except BosquetError as error:
        raise BosquetError(f"card: {error}") from None
    if state.turn < 0:
        start = topas.TopasMove(say=f"{name}@0,0E", cells=["0,0", "1,0"], points=0, rows=[])
        return msgspec.structs.replace(topas.view(state, None), hand=[name], moves=[start])
    state.hand[state.seat] = 1 << card
    return topas.view(state, state.seat)


def _hand_sizes(players: int, turns: int) -> list[int]:
    """How many cards everybody holds after so many turns: who lays one with the pile empty draws none. 3.5"""
    sizes = [topas.HAND] * players
    for turn in range(topas.DECK - 1 - topas.HAND * players, turns):
        sizes[turn % players] -= 1
    return sizes


# --- Schlossgarten ---------------------------------------------------------------------------------------------


def _schlossgarten(real: RealSchlossgarten) -> Sheet:
    """The tiles kept and the elements in the garden; winners once somebody has 21. 4.6, 5.1"""
    _check_kept(real)
    _check_elements(real)
    entries = [
        Entry(seat=seat, kind="tile", name=str(value), points=value, cells=[])
        for seat, values in enumerate(real.kept)
        for value in values
    ]
    entries += [
        Entry(seat=element.seat, kind="element", name=element.kind, points=int(element.kind[1]), cells=[])
        for element in real.elements
    ]
    entries.sort(key=lambda entry: entry.seat)
    scores = [sum(entry.points for entry in entries if entry.seat == seat) for seat in range(real.players)]
    best = max(scores)
    won = best >= schlossgarten.WINNING_POINTS
    winners = [seat for seat, points in enumerate(scores) if won and points == best]
    return Sheet(game=schlossgarten.NAME, entries=entries, scores=scores, winners=winners)


def _check_kept(real: RealSchlossgarten) -> None:
    """No more tiles of a value than the game has. 1.1"""
    _check_seats(real.kept, real.players, "kept")
    for value, number in sorted(Counter(value for values in real.kept for value in values).items()):
        there = schlossgarten.LANDSCAPE.count(value)
        if number > there:
            raise BosquetError(f"kept has {number} tiles of {value}; the game has {there}")


def _check_elements(real: RealSchlossgarten) -> None:
    """Everybody has one element of each kind and size. 1.3"""
    for i, element in enumerate(real.elements):
        _check_seat(element.seat, real.players, f"elements[{i}]")
    counts = Counter((element.seat, element.kind) for element in real.elements)
    if twice := [f"{kind} of seat {seat}" for (seat, kind), number in counts.items() if number > 1]:
        raise BosquetError(f"elements: {listed(twice)} there twice; everybody has one of each")


# --- Seats -----------------------------------------------------------------------------------------------------


def _check_seat(seat: int, players: int, place: str) -> None:
    if seat >= players:
        raise BosquetError(f"{place}: there is no seat {seat}; with {players} players seats are 0 to {players - 1}")


def _check_seats(given: Sized, players: int, place: str) -> None:
    if len(given) > players:
        raise BosquetError(f"{place} has {len(given)} entries; with {players} players it has at most {players}")
