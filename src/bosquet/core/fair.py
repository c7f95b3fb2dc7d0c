"""Dealing that anybody can check afterwards.

The dealer commits to a secret before the players add their nonces, and reveals it when the game is over. The deal and
every shuffle follow from secret and nonces: nobody, the dealer included, can choose them alone.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from bosquet.core.chance import Chance, lanes_of
from bosquet.core.errors import RecordError, quoted
from bosquet.core.game import Game, check_options
from bosquet.core.reading import expect_key, expect_list, expect_object
from bosquet.core.rules import Rules

LABEL = "bosquet/fair/1"
KEY = "fair"
"""The key of a record under which secret, commitment and nonces stand."""

Nonces = Sequence[str | None]
"""A nonce a seat; None for a seat that added nothing, as bots do."""


def fresh_secret() -> str:
    """A secret nobody can guess: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is shown of a secret beforehand: its SHA-256, in hexadecimal digits."""
    return hashlib.sha256(f"{LABEL}/{secret}".encode()).hexdigest()


def seed(secret: str, nonces: Nonces) -> str:
    """What the deal and the shuffles of a game are made of."""
    parts = [LABEL, "deal", secret, *("-" if nonce is None else nonce for nonce in nonces)]
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def deal(rules: Rules, options: Mapping[str, Any], secret: str, nonces: Nonces, deck: Any = None) -> Game:
    """Deal a game. Its moves of chance are made by `roll`. Raises OptionError."""
    state = rules.new_state(check_options(rules, options), deck)
    rules.deal(state, lanes_of(seed(secret, nonces), "deal"))
    return Game(rules, check_options(rules, options), state)


def roll(game: Game, secret: str, nonces: Nonces) -> str:
    """Make the move of chance that is due, and give its notation."""
    game.roll(Chance(seed(secret, nonces), "chance", len(game.moves)))
    return game.moves[-1]


def statement(secret: str, nonces: Nonces) -> dict[str, Any]:
    """What a record says of its dealing."""
    return {"commitment": commitment(secret), "secret": secret, "nonces": list(nonces)}


def verify(game: Game) -> None:
    """Deal a game of a record again, and make its moves of chance again. Raises RecordError where they differ."""
    said = expect_object(expect_key(game.extra, KEY, "the record"), KEY)
    secret, nonces = _secret(said), _nonces(said, game.players)
    if (right := commitment(secret)) != said.get("commitment"):
        raise RecordError(f"fair.commitment is not that of the secret; it would be {right}")
    again = deal(game.rules, game.options, secret, nonces, game.deal.get("deck"))
    for key, value in again.deal.items():
        if game.deal.get(key) != value:
            raise RecordError(f"deal.{key} is not what secret and nonces give")
    for ply, move in enumerate(game.moves):
        if again.chance_due:
            if (right := roll(again, secret, nonces)) != move:
                raise RecordError(f"{quoted(move)} is not what secret and nonces give; that is {quoted(right)}", ply)
        else:
            again.play(move)


def _secret(said: Mapping[str, Any]) -> str:
    secret = expect_key(said, "secret", KEY)
    if not isinstance(secret, str):
        raise RecordError("fair.secret must be text")
    return secret


def _nonces(said: Mapping[str, Any], players: int) -> list[str | None]:
    nonces = expect_list(expect_key(said, "nonces", KEY), players, "fair.nonces")
    for i, nonce in enumerate(nonces):
        if nonce is not None and not isinstance(nonce, str):
            raise RecordError(f"fair.nonces[{i}] is {quoted(nonce)}; it must be text or null")
    return list(nonces)
