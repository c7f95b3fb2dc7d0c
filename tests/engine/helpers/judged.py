"""Games with hints, what the coach says of them, and how bots fare with their deals, as questions to an engine."""

from __future__ import annotations

import random
from typing import Any

from msgspec import to_builtins

import bosquet
from bosquet.core.game import Game
from bosquet.core.positions.position import decision_rng
from bosquet.core.records import fair
from bosquet.lab import coach, luck
from tests.engine.helpers.questions import SECRET, Question, deal


def judged(name: str, options: dict[str, Any], seed: int, hinted: float, simulations: int) -> list[Question]:
    """Return a game with hints, what the coach says of some of its decisions, and how bots fare with its deal."""
    rng, asked = random.Random(seed), []
    nonces = [str(seed)] * options["players"]
    game = fair.deal(bosquet.spec(name), options, SECRET, nonces)
    while not game.over:
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
            continue
        if rng.random() < hinted:
            asked.append(hints(game, simulations))
        game.play(rng.choice(game.legal()))
        asked.append(Question("play", {"move": game.moves[-1]}, None))
    decisions = coach.decisions(game)
    asked.append(Question("decisions", None, len(decisions)))
    for number in rng.sample(range(len(decisions)), 1 + int(hinted * len(decisions))):
        found = to_builtins(coach.weigh(game, decisions[number], simulations))
        asked.append(Question("weigh", {"decision": number, "simulations": simulations}, found))
    played = [luck.replay(game, number) for number in range(2)]
    for number in range(2):
        found = to_builtins(luck.receipt(game, played[: number + 1]))
        asked.append(Question("luck", {"game": number}, found))
    return [Question("deal", deal(options, nonces), None), *asked]


def hints(game: Game, simulations: int) -> Question:
    """Return the question for hints, with the answer that a server gives."""
    assert game.seat is not None
    view = game.view(game.seat)
    choices = coach.best(view, decision_rng("hint", view), simulations)
    found = [
        {
            "moves": choice.moves,
            "data": to_builtins(choice.data),
            "win": None if game.players == 1 else choice.wins[game.seat],
            "points": choice.points[game.seat],
        }
        for choice in choices
    ]
    return Question("hints", {"simulations": simulations}, found)
