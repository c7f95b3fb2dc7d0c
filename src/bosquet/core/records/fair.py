"""Verifiable deals.

The dealer commits to a secret before the players choose their nonces, and reveals it when the game is over. The deal
and every shuffle are computed from the secret and the nonces, so neither the dealer nor a player alone can choose them.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from bosquet.core.errors import RecordError, quoted
from bosquet.core.game import Game
from bosquet.core.inputs.reading import expect_key, expect_list, expect_object
from bosquet.core.records import duel
from bosquet.core.rng import Rng, seed_rng
from bosquet.core.spec import GameSpec, check_options

LABEL = "bosquet/fair/1"
KEY = "fair"
"""Key of a record that holds the secret, the commitment and the nonces."""

Nonces = Sequence[str | None]
"""One nonce per seat; None for a seat without a nonce, such as a bot."""


def fresh_secret() -> str:
    """Return an unpredictable secret of 64 hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return the commitment to a secret: its SHA-256 in hexadecimal digits."""
    return hashlib.sha256(f"{LABEL}/{secret}".encode()).hexdigest()


def seed(secret: str, nonces: Nonces) -> str:
    """Return the seed from which the deal and the shuffles of a game are drawn."""
    parts = [LABEL, "deal", secret, *("-" if nonce is None else nonce for nonce in nonces)]
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def bot_salt(secret: str) -> str:
    """Return what the chance of bots follows from besides the position, as secret as the secret.

    Without it their moves would tell what they hold: a player could try which hands lead to them.
    """
    return hashlib.sha256(f"{LABEL}/bots/{secret}".encode()).hexdigest()


def deal(
    spec: GameSpec,
    options: Mapping[str, Any],
    secret: str,
    nonces: Nonces,
    box: Any = None,
    open_as_in: Mapping[str, Any] | None = None,
) -> Game:
    """Deal a game. Its chance events must be made with `sample_chance`.

    In a later game of a duel, `open_as_in` is the deal of the first one, or the part of it that lies open. Raises
    OptionError.
    """
    checked = check_options(spec, options)
    state = spec.new_state(checked, box)
    spec.rules.deal(state, seed_rng(seed(secret, nonces), "deal"))
    return Game(spec, checked, state if open_as_in is None else spec.with_open_part(state, open_as_in))


def sample_chance(game: Game, secret: str, nonces: Nonces) -> str:
    """Draw and apply the chance event that is due; return its notation."""
    game.sample_chance(Rng(seed(secret, nonces), "chance", len(game.moves)))
    return game.moves[-1]


def statement(secret: str, nonces: Nonces) -> dict[str, Any]:
    """Return the `fair` part of a record."""
    return {"commitment": commitment(secret), "secret": secret, "nonces": list(nonces)}


def verify(game: Game) -> None:
    """Repeat the deal and the chance events of a recorded game. Raises RecordError where they differ.

    That what lies open in a later game of a duel is that of its first game, is checked by `duel.Follower`.
    """
    said = expect_object(expect_key(game.extra, KEY, "the record"), KEY)
    secret, nonces = _secret(said), _nonces(said, game.players)
    if (right := commitment(secret)) != said.get("commitment"):
        raise RecordError(f"fair.commitment is not that of the secret; it must be {right}")
    later = duel.of_record(game)
    open_as_in = game.deal if later is not None and later.game else None
    again = deal(game.spec, game.options, secret, nonces, game.spec.box_of(game.deal), open_as_in)
    for key, value in again.deal.items():
        if game.deal.get(key) != value:
            raise RecordError(f"deal.{key} is not what secret and nonces give")
    for ply, move in enumerate(game.moves):
        if again.chance_due:
            if (right := sample_chance(again, secret, nonces)) != move:
                raise RecordError(f"{quoted(move)} is not what secret and nonces give; it must be {quoted(right)}", ply)
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
