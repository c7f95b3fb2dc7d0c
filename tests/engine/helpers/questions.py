"""Games as lists of questions to an engine, each with the answer that Python gives."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import bosquet
from bosquet import bots
from bosquet.core import assistance
from bosquet.core.ending import Ending
from bosquet.core.game import Game
from bosquet.core.positions.position import decision_rng
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.core.view import to_json
from bosquet.engine import weights
from bosquet.search import Search, Settings

SECRET = "5e" * 32
ASSISTANCE = {
    "none": assistance.NONE,
    "aids": assistance.AIDS,
    "plain": assistance.PLAIN,
    "full": assistance.FULL,
}


class Question(NamedTuple):
    """A question to an engine, and the answer that it has to give."""

    name: str
    ask: Any
    answer: Any


def packed(state: Any) -> dict[str, str]:
    """Return a state as a question carries it."""
    return carried(state.pack().tobytes())


def carried(content: bytes) -> dict[str, str]:
    """Return bytes as a question carries them."""
    return {"bytes": base64.b64encode(content).decode()}


def weights_for(name: str, options: Mapping[str, Any]) -> Question:
    """Return the question that brings the weights of learned values for games with these options."""
    return Question("weights", {"content": carried(weights.search_weights(bosquet.spec(name), options))}, None)


def deal(options: Mapping[str, Any], nonces: Sequence[str | None]) -> dict[str, Any]:
    """Return a deal as a question has it."""
    return {"options": options, "secret": SECRET, "nonces": nonces}


def turn(game: Game, *, can_undo: bool) -> dict[str, Any]:
    """Return what an engine says of how a game stands."""
    return {
        "seat": game.seat,
        "over": game.over,
        "canUndo": can_undo,
        "plies": len(game.moves),
        "outcome": outcome(game) if game.over else None,
    }


def outcome(game: Game) -> dict[str, Any]:
    """Return what an engine says of how a game ended."""
    return {
        "scores": game.scores,
        "winners": game.winners,
        "ending": None if game.ending is None else game.ending._asdict(),
    }


def ended(game: Game, rng: random.Random) -> Question:
    """End a game before its end, or say of one that is over which seats had resigned; return the question."""
    resigned = sorted(rng.sample(range(game.players), rng.randrange(int(game.over), game.players)))
    how: Any = "played" if game.over else rng.choice(["agreed", "void", *["resigned"] * bool(resigned)])
    game.end(how, resigned)
    return Question("end", Ending(how, resigned)._asdict(), turn(game, can_undo=False))


def texts(game: Game) -> list[Question]:
    """Return the view of every viewer with every assistance, its position, and the score sheet."""
    asked: list[Question] = []
    for viewer in [None, *range(game.players)]:
        for name, level in ASSISTANCE.items():
            answer = game.view_json(viewer, level).decode()
            asked.append(Question("view", {"viewer": viewer, "assistance": name}, answer))
        if game.spec.module("position_text") is not None and (game.ending is None or game.result is not None):
            asked.append(Question("position", {"viewer": viewer}, str(game.position(viewer))))
    return [*asked, Question("sheet", None, to_json(game.score_sheet()).decode())]


def observed(game: Game, move: str) -> list[Question]:
    """Return a move about to be made, as every viewer may know it."""
    action = game.parse(move)
    return [
        Question(
            "observed",
            {"move": move, "viewer": viewer, "assistance": "full"},
            to_json(game.observed_action(action, viewer)).decode(),
        )
        for viewer in [None, *range(game.players)]
    ]


def told(text: str) -> Question:
    """Return the question what a text of a position is; the answer to what is none is its error."""
    try:
        position = bosquet.position(text)
    except bosquet.PositionError as error:
        return Question("tell", text, {"reason": "position", "message": str(error)})
    state = packed(position.state)["bytes"]
    return Question("tell", text, [position.viewer, state, str(position)])


class Searching:
    """Bots that search, one for each seat, whose moves an engine has to make; each decision has a seed."""

    def __init__(self, players: int, settings: Settings, rng: random.Random, *, learned: bool = False) -> None:
        self._bots = [Search(settings, learned=learned) for _ in range(players)]
        self._settings = settings
        self._learned = learned
        self._rng = rng

    def asked(self, game: Game) -> Question:
        """Return the question for the move of the seat to move."""
        assert game.seat is not None
        seed = str(self._rng.randrange(10**9))
        settings = settings_of(self._settings) | {"learned": self._learned}
        ask = {"seed": seed, "engines": self._settings.threads, "settings": settings}
        return Question("bot", ask, self._bots[game.seat].choose(game.view(game.seat), Rng(seed)))


def settings_of(settings: Settings) -> dict[str, Any]:
    """Return settings as an engine takes them."""
    given = {
        "simulations": settings.simulations,
        "candidateDropout": settings.candidate_dropout,
        "randomRollouts": settings.random_rollouts,
        "exploration": settings.exploration,
        "temperature": settings.temperature,
        "scale": settings.scale,
        "winWeight": settings.win_weight,
        "rounds": settings.rounds,
    }
    return {name: value for name, value in given.items() if value is not None}


def game_of(
    name: str,
    options: Mapping[str, Any],
    seed: int,
    *,
    search: Settings | None = None,
    searched: float = 0.7,
    looks: float = 0.2,
    ends: float = 0.0,
    learned: bool = False,
    box: Mapping[str, Any] | None = None,
    more: Callable[[Game, random.Random], list[Question]] | None = None,
) -> list[Question]:
    """Play a game in Python, and return it as questions.

    Moves are those of a search with these settings, of `greedy`, or random. `searched` is the share of the decisions
    that a search makes, `looks` that of the positions at which all viewers look; the end is one of them. `ends` is
    how likely a decision is not made, and the game ended before its end; `learned` is whether the search takes learned
    values. `more` makes more questions where all look. A game that is over is read from its record once more.
    """
    rng = random.Random(seed)
    spec = bosquet.spec(name)
    nonces = [str(seed)] * options["players"]
    game = fair.deal(spec, options, SECRET, nonces, box)
    game.extra[fair.KEY] = fair.statement(SECRET, nonces)
    asked = [weights_for(name, options)] if learned else []
    dealt = deal(options, nonces) | ({} if box is None else {"box": box})
    asked += [Question("deal", dealt, turn(game, can_undo=False)), *texts(game)]
    greedy = bots.make("greedy")
    searching = Searching(game.players, search or Settings(), rng, learned=learned)
    while not game.over:
        assert game.seat is not None
        if rng.random() < ends:
            break
        asked.append(Question("legal", None, game.legal()))
        seed_of_move = str(rng.randrange(10**9))
        move = greedy.choose(game.view(game.seat), Rng(seed_of_move))
        if spec.greedy_action is not None or spec.module("greedy") is None:
            asked.append(Question("greedy", {"seed": seed_of_move}, move))
        if rng.random() < looks:
            view = game.view(game.seat)
            bot = bots.make("random").choose(view, decision_rng(f"random/{fair.bot_salt(SECRET)}", view))
            asked.append(Question("named", {"bot": "random"}, bot))
        if rng.random() < 0.3:
            move = rng.choice(game.legal())
        if search and rng.random() < searched:
            asked.append(searching.asked(game))
            move = asked[-1].answer
        looked = rng.random() < looks
        asked += observed(game, move) if looked else []
        asked += more(game, rng) if looked and more else []
        game.play(move)
        can_undo = game.can_undo
        while game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
        asked.append(Question("play", {"move": move}, turn(game, can_undo=can_undo and game.can_undo)))
        asked += texts(game) if looked or game.over else []
    if ends and game.players > 1:
        asked += [ended(game, rng), *texts(game)]
    if not game.over:
        return asked
    record = game.record()
    return [*asked, Question("record", None, record), Question("read", {"record": record}, turn(game, can_undo=False))]
