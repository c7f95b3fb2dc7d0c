"""Baselines: environments of other libraries, each in its fastest configuration, under uniformly random play.

A step is a decision of a player and includes writing the observation and the legal actions; the time includes dealing
and chance events. Each maker returns a piece of work: whole games, or for Pgx some steps of a whole batch.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from importlib.util import find_spec
from random import random
from typing import Any, NamedTuple

from bosquet.lab.isolated import Piece, Team

PGX_STEPS = 2**16
"""Steps of one call of Pgx, in a compiled loop of fixed length, so that Python's overhead is negligible."""


def of_pgx(name: str, batch: int) -> Piece:
    """Return work on a batch of Pgx with its own auto-reset, compiled by XLA for one CPU thread.

    A call returns the whole state, so that XLA cannot optimize away observations and masks.
    """
    # Only NPROC limits XLA to one thread (jaxlib 0.10); with --xla_cpu_multi_thread_eigen=false and
    # intra_op_parallelism_threads=1 it uses one and a half cores.
    os.environ |= {"JAX_PLATFORMS": "cpu", "NPROC": "1"}
    import jax
    import pgx
    from jax import numpy as jnp
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step_all = jax.vmap(auto_reset(env.step, env.init))

    def draw(key: Any, masks: Any) -> Any:
        """Draw actions with one random number per game, the fastest way; `categorical` needs one per action."""
        counts = jnp.cumsum(masks, axis=-1, dtype=jnp.int32)
        rank = jnp.floor(jax.random.uniform(key, (batch,)) * counts[:, -1]).astype(jnp.int32)
        return jnp.argmax(counts > rank[:, None], axis=-1).astype(jnp.int32)

    def once(_: Any, carried: Any) -> Any:
        state, key = carried
        key, drawing, stepping = jax.random.split(key, 3)
        actions = draw(drawing, state.legal_action_mask)
        return step_all(state, actions, jax.random.split(stepping, batch)), key

    rounds = max(1, PGX_STEPS // batch)
    play = jax.jit(lambda carried: jax.lax.fori_loop(0, rounds, once, carried))
    keys = jax.random.split(jax.random.PRNGKey(0), batch)
    carried = (jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1))

    def piece() -> int:
        nonlocal carried
        carried = jax.block_until_ready(play(carried))
        return rounds * batch

    return piece


def of_open_spiel(name: str) -> Piece:
    """Return work on an OpenSpiel game through its Python interface; its observer writes observations in place.

    A game without an observation tensor writes its information state tensor. Chance outcomes must be equally likely.
    """
    import pyspiel

    importlib.import_module("open_spiel.python.games")
    observation = importlib.import_module("open_spiel.python.observation")
    game = pyspiel.load_game(name)
    recalling = None if game.get_type().provides_observation_tensor else pyspiel.IIGObservationType(perfect_recall=True)
    observer = observation.make_observation(game, recalling)

    def play() -> int:
        steps, state = 0, game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                observer.set_from(state, state.current_player())
                steps += 1
            state.apply_action(legal[int(random() * len(legal))])
        return steps

    return play


def of_pettingzoo(name: str) -> Piece:
    """Return work on a classic PettingZoo game, without the wrappers that check the caller: they halve the speed."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    env = importlib.import_module(f"pettingzoo.classic.{name}").raw_env()

    def play() -> int:
        steps = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(random() * len(legal))])
            steps += 1
        return steps

    return play


def of_rlcard(name: str) -> Piece:
    """Return work on an RLCard game; every step returns the next state with its observation and legal actions."""
    import rlcard

    env = rlcard.make(name)

    def play() -> int:
        steps, (state, _) = 0, env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(random() * len(legal))])
            steps += 1
        return steps

    return play


class Library(NamedTuple):
    """A library that provides baselines."""

    name: str
    modules: tuple[str, ...]
    packages: str
    """As pip installs them."""

    @property
    def installed(self) -> bool:
        """Return whether all its modules are installed."""
        return all(find_spec(module) for module in self.modules)


PGX = Library("Pgx", ("jax", "pgx"), "pgx")
OPEN_SPIEL = Library("OpenSpiel", ("pyspiel",), "open-spiel")
PETTINGZOO = Library("PettingZoo classic", ("pettingzoo", "pygame"), "'pettingzoo[classic]'")
RLCARD = Library("RLCard", ("rlcard",), "rlcard")


class Baseline(NamedTuple):
    """An environment of another library: `make(*arguments)` returns a piece of work."""

    library: Library
    what: str
    make: Callable[..., Piece]
    arguments: tuple[Any, ...]
    batch: int = 1

    def team(self, cores: list[int]) -> Team:
        """Return one process per core, each with a whole batch. No library is faster with its own threads."""
        return Team(self.what, self.make, self.arguments, [[core] for core in cores])


BASELINES: tuple[Baseline, ...] = (
    *(
        Baseline(PGX, f"Pgx {name}", of_pgx, (name, batch), batch)
        for name in ("connect_four", "hex", "sparrow_mahjong")
        for batch in (256, 4096)
    ),
    *(
        Baseline(OPEN_SPIEL, f"OpenSpiel {name}", of_open_spiel, (name,))
        for name in ("connect_four", "hearts", "python_tic_tac_toe", "python_kuhn_poker")
    ),
    *(
        Baseline(PETTINGZOO, f"PettingZoo {name}", of_pettingzoo, (name,))
        for name in ("connect_four_v3", "tictactoe_v3")
    ),
    *(Baseline(RLCARD, f"RLCard {name}", of_rlcard, (name,)) for name in ("leduc-holdem", "uno")),
)
