"""Why a move is illegal: what the refusals of Schlossgarten say is so in the position."""

from __future__ import annotations

from collections import Counter

from bosquet import bots
from bosquet.core.game import new_game
from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.games.schlossgarten.board import BUILD, CELLS, ELEMENTS, FIRST_BUILD, GRID, MOVE, SITE_MASK, SITES, WORK
from bosquet.games.schlossgarten.notation import illegal_reason
from bosquet.games.schlossgarten.rules import standing
from bosquet.games.schlossgarten.walking import move_action
from bosquet.kernels.bits import members


def beside(one: int, other: int) -> bool:
    (x, y), (u, v) = divmod(one, GRID.width), divmod(other, GRID.width)
    return one != other and abs(x - u) <= 1 and abs(y - v) <= 1


def test_what_a_refusal_says_of_a_building_site_or_a_refuge_is_so() -> None:
    said: Counter[str] = Counter()
    rules, bot = spec("schlossgarten").rules, bots.make("greedy")
    for seed in range(4):
        game = new_game(spec("schlossgarten"), {"players": 2}, seed=seed)
        rng = Rng(seed)
        while not game.over and len(game.moves) < 400:
            state, seat = game.state, game.seat
            assert seat is not None
            moves = [0] * rules.MAX_MOVES
            legal = set(moves[: rules.legal(state, moves)])
            if state.phase in (WORK, BUILD):
                stands = set(state.pawn)
                elements = [SITE_MASK[site] for site in state.element if site >= 0]
                for worker in members(standing(state)):
                    for site, cells in enumerate(SITE_MASK):
                        action = FIRST_BUILD + (worker - 1) * len(SITES) + site
                        if action in legal:
                            continue
                        reason = illegal_reason(state, action)
                        said[reason.key] += 1
                        of_site = set(members(cells))
                        at = state.pawn[3 * seat + worker]
                        named = GRID.names.index(reason.about["cell"]) if "cell" in reason.about else -1
                        match reason.key:
                            case "site_up":
                                assert named in of_site
                                assert state.up >> named & 1
                            case "site_pawn":
                                assert named in of_site & stands
                            case "site_whole":
                                assert any(one & cells and (one & ~cells or one == cells) for one in elements)
                            case "site_dug":
                                assert not cells & ~sum(elements)
                            case "site_far":
                                assert not any(beside(at, cell) for cell in of_site)
                            case other:
                                assert other in ("built", "digger_builds")
            if state.phase == MOVE and state.steps:
                for owner in {0, 1} - {seat}:
                    for cell in state.pawn[3 * owner + 1 : 3 * owner + 3]:
                        own = [SITE_MASK[site] for site in state.element[ELEMENTS * owner :][:ELEMENTS] if site >= 0]
                        for refuge in range(CELLS):
                            reason = illegal_reason(state, move_action(0, cell, refuge))
                            if reason.key == "no_refuge":
                                said["no_refuge"] += 1
                                assert refuge in state.pawn or not sum(own) >> refuge & 1
            leaves = state.phase == BUILD and rng.below(2)  # excavations, for others to build on
            game.play("end" if leaves else bot.choose(game.view(seat), rng))
    assert {"site_up", "site_pawn", "site_whole", "site_far", "built", "no_refuge"} <= said.keys()
