"""Nothing that a viewer may not see changes a byte of what it gets.

Two tables differ only in what one viewer has not seen: the second is dealt anew from the view of the first. As long as
the same things are told, everything sent must be the same: views, positions, refusals, reconnects, what was taken back.
"""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, get_args

import pytest

from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.action import Command
from bosquet.server.table.actions.move import Play
from bosquet.server.table.actions.undo import Undo
from bosquet.server.table.messages import Assistance
from bosquet.server.table.table import Table
from tests.contract.helpers.positions import determinized, every_ply
from tests.helpers.cases import every_size, every_size_briefly
from tests.server.helpers.listeners import Ear, table_of


def shared_moves(first: Game, second: Game, viewer: int | None) -> list[str]:
    """The moves that both tables allow and of which the viewer is told the same."""
    if first.seat != second.seat:
        return []
    both = set(second.legal())
    return [m for m in first.legal() if m in both and first.observed_move(m, viewer) == second.observed_move(m, viewer)]


async def attached(table: Table, guest: str) -> list[Ear]:
    """Two pages of a guest that have come to a table: one is sent views, the other, with its own engine, positions."""
    ears = [Ear(guest, engine=engine) for engine in (False, True)]
    for ear in ears:
        await table.attach(ear)
    return ears


def heard(ears: list[Ear]) -> list[list[bytes]]:
    """All that some pages were sent."""
    return [ear.heard for ear in ears]


async def asked(table: Table, guest: str, ask: Command) -> bytes:
    """What is said to somebody who asks: nothing, or why not."""
    try:
        await table.do(guest, ask)
    except Refusal as refusal:
        return f"{refusal.code}: {refusal}".encode()
    return b""


def stray_asks(viewer: int | None, number: int) -> list[Any]:
    """What a viewer may try that is not for it to do now, or no move at all."""
    seat = 0 if viewer is None else viewer
    texts = ["", "a1E", "take c3", "put T1", "B1G2@0,0N", "card 3", "stop", "pile 1 2", "K d2", "\0"]
    plays = [Play(seat=seat, number=n, move=text) for text in texts for n in (number, number + 1)]
    return [*plays, Play(seat=(seat + 1) % 2, number=number, move="a1E")]


async def compare(first: Game, second: Game, viewer: int | None, rng: Rng, assistance: Assistance) -> int:
    """Play on at both tables while the same is told; gives the number of moves that were compared."""
    tables = [table_of(game, assistance) for game in (first, second)]
    guest = "somebody" if viewer is None else str(viewer)
    ears = [await attached(table, guest) for table in tables]
    compared = 0
    for _ in range(12):
        games = tables[0].session.game, tables[1].session.game
        assert games[0] is not None
        assert games[1] is not None
        if games[0].view(viewer) != games[1].view(viewer):
            break  # the viewer has seen something new, which was dealt differently
        assert heard(ears[0]) == heard(ears[1])
        number = tables[0].session.number
        for ask in stray_asks(viewer, number):
            if ask.move not in games[0].legal() or games[0].seat != viewer:
                answers = [await asked(table, guest, ask) for table in tables]
                assert answers[0] == answers[1]
        again = [await attached(table, guest) for table in tables]
        for table, pages in zip(tables, again, strict=True):
            for page in pages:
                table.detach(page)
        assert heard(again[0]) == heard(again[1])
        moves = shared_moves(games[0], games[1], viewer)
        mover = games[0].seat
        if not moves or mover is None:
            break
        ask = Play(seat=mover, number=number, move=rng.choice(moves))
        answers = [await asked(table, str(mover), ask) for table in tables]
        assert answers == [b"", b""]
        compared += 1
        if rng.below(3) == 0 and tables[0].session.number == tables[1].session.number:
            undo = Undo(seat=mover, number=tables[0].session.number)
            taken_back = [await asked(table, str(mover), undo) for table in tables]
            if mover == viewer:
                assert taken_back[0] == taken_back[1]
            if taken_back[0] != taken_back[1]:
                break
    return compared


@every_size_briefly
def test_what_a_viewer_may_not_see_changes_no_byte(name: str, options: dict[str, Any]) -> None:
    shown = itertools.cycle(get_args(Assistance))
    rng = Rng(name, "secrets")
    compared = different = 0
    for seed in range(3):
        for i, game in enumerate(every_ply(name, options, seed, 80)):
            if i % (3 if name == "topas" else 9) != seed or game.over or game.chance_due:
                continue
            for viewer in [None, *range(game.players)]:
                other = determinized(game, viewer, rng)
                different += other.state.pack().tobytes() != game.state.pack().tobytes()
                compared += asyncio.run(compare(game, other, viewer, rng, next(shown)))
    assert compared > 20
    assert different > 20


@every_size
def test_the_record_and_the_secret_are_kept_until_the_end(name: str, options: dict[str, Any]) -> None:
    game = next(every_ply(name, options, 1))
    table = table_of(game)
    with pytest.raises(Refusal, match="when the game is over"):
        table.session.record()
    ear = Ear("somebody")
    asyncio.run(table.attach(ear))
    assert not any(table.session.secret.encode() in message for message in ear.heard)
    assert not any(b'"guest"' in message or b"somebody" in message for message in ear.heard)
