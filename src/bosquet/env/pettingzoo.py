"""PettingZoo environments (AEC): every seat is an agent.

>>> import bosquet
>>> from bosquet.env import pettingzoo
>>> env = pettingzoo.env(bosquet.GAMES[0], players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bosquet.core.errors import OptionError, quoted
from bosquet.core.inputs.integers import at_least, whole_number
from bosquet.core.rng import derived_seed, fresh_seed
from bosquet.core.system.extras import extra

with extra("pettingzoo"):
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from bosquet.env.bot_opponent import Opponent, check_names
from bosquet.env.compiled_game import Bytes, CompiledGame, compiled_game
from bosquet.env.game_state import GameState
from bosquet.env.named import Named
from bosquet.env.render import check_mode, modes_of, render
from bosquet.env.rewards import kind_of, rewards
from bosquet.env.spaces import action_space, array_space, check_reset_options, legal_index, observation_space, observed

__all__ = ["env", "raw_env"]

TEST_OPTIONS = {"options": 1}
"""The options that PettingZoo's `api_test` gives to every environment, to see that `reset` takes some."""


def env(game: str, **settings: Any) -> AECEnv[str, dict[str, Any], Any]:
    """Return a game in the wrappers that PettingZoo uses for its classic games; `settings` are those of `raw_env`.

    An illegal action ends the game with a warning and a reward of -1 for its agent and 0 for all others.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv[str, dict[str, Any], Any]):  # type: ignore[misc]  # noqa: N801  (PettingZoo's name for it)
    """A game whose agents are its seats, `seat_0`, `seat_1`, …, without those that bots play.

    An observation is `{"observation": …, "action_mask": …}`, arrays of uint8 and int8 as returned by `spaces.observed`.
    The mask of an agent that is not to move is all zeros. Rewards are given at the end (see `env.rewards`); the info of
    each agent then holds `scores`, the points of all seats, `rewards`, their rewards, and `winners`, the winning seats.
    A copy or a pickle goes on with the same game.
    """

    def __init__(
        self,
        game: str,
        *,
        opponents: Mapping[int, str] | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make an environment; `options` are those of the game, such as `players`. Raises OptionError.

        `opponents` are names of bots by seat, your own among them (docs/your-bot.md), for instance `{1: "greedy"}`; one
        from outside that fails raises BotError. `reward` is `win` or `points`. `render_mode` is `human` (printed after
        every move), `ansi` or `rgb_array` (see `render.render`) and shows a spectator's view.
        """
        AECEnv.__init__(self)
        self.compiled: CompiledGame = compiled_game(game, **options)
        kind_of(reward)  # raises OptionError for an unknown kind
        self.reward: str = reward
        self.render_mode: str | None = check_mode(render_mode, game)
        self.metadata: dict[str, Any] = {
            "name": f"{game}_v{self.compiled.encoder.VERSION}",
            "render_modes": modes_of(game),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self._bots = _checked_opponents(opponents, game, self.compiled.players)
        seats = [seat for seat in range(self.compiled.players) if seat not in self._bots]
        self._seats: Named[int] = Named.of("agent", {f"seat_{seat}": seat for seat in seats})
        self._opponents: dict[int, Opponent] = {}
        self.possible_agents: list[str] = list(self._seats)
        self.observation_spaces: Named[gymnasium.spaces.Dict] = Named.of(
            "agent", {agent: observation_space(self.compiled) for agent in self.possible_agents}
        )
        self.action_spaces: Named[gymnasium.spaces.Discrete] = Named.of(
            "agent", {agent: action_space(self.compiled) for agent in self.possible_agents}
        )
        self.state_space: gymnasium.spaces.Box = array_space(self.compiled, self.compiled.players)
        self._seed, self._games = fresh_seed(), 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """Return the space of an agent's observations. Raises NoSuchName, a KeyError."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Return the space of an agent's actions. Raises NoSuchName, a KeyError."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        A seed, a whole number from 0, determines this game and the games of all later resets without a seed. Raises
        OptionError for `options`, which are given when the environment is made.
        """
        if options != TEST_OPTIONS:
            check_reset_options(options)
        if seed is not None:
            self._seed, self._games = at_least(0, "seed", seed), 0
        number = derived_seed(self._seed, self._games) if self._games else self._seed
        self.game_state: GameState = GameState(self.compiled, number)
        self.close()
        self._opponents = {seat: Opponent(name, number, "bot", seat) for seat, name in self._bots.items()}
        self._games += 1
        self.agents: list[str] = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection: str = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent. Raises NoSuchName, a KeyError."""
        return observed(self.game_state, self._seats[agent])

    def state(self) -> Bytes:
        """Return what all seats see, uint8, shape `(players * observation_size,)`, seat 0 first.

        It is for critics that are central: it holds what each seat hides from the others, but not the coming chance.
        """
        return np.concatenate([self.game_state.observation(seat) for seat in range(self.compiled.players)])

    def step(self, action: Any) -> None:
        """Apply the action with this index; None once the game is over. Raises IllegalMove."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.game_state.play(legal_index(self.game_state, action))
        self._go_on()

    def render(self) -> Any:
        """Render a spectator's view (see `render.render`). Without a render mode, warn and return None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; give one when the environment is made")
            return None
        names = [self._bots.get(seat, f"seat_{seat}") for seat in range(self.compiled.players)]
        return render(self.render_mode, self.game_state.view(None), names)

    def close(self) -> None:
        """Leave the processes of bots from outside to later games."""
        for opponent in self._opponents.values():
            opponent.close()

    def _go_on(self) -> None:
        """Let the bots play until an agent is to move or the game is over."""
        while (seat := self.game_state.seat) in self._opponents:
            self.game_state.play(self._opponents[seat].choose(self.game_state))
        if self.game_state.over:
            self._end()
        else:
            self.agent_selection = f"seat_{seat}"
        self._show()

    def _end(self) -> None:
        """Give all agents their rewards."""
        scores, winners = self.game_state.scores(), self.game_state.winners()
        due = rewards(self.reward, scores, winners)
        self.rewards = {agent: due[self._seats[agent]] for agent in self.agents}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {
            agent: {"scores": list(scores), "rewards": list(due), "winners": list(winners)} for agent in self.agents
        }
        self.agent_selection = self.agents[0]

    def _show(self) -> None:
        """Print the table if the render mode is `human`."""
        if self.render_mode == "human":
            self.render()


def _checked_opponents(given: Mapping[int, str] | None, game: str, players: int) -> dict[int, str]:
    """Return the names of bots by seat. Raises OptionError."""
    if given is not None and not isinstance(given, Mapping):
        raise OptionError(f'opponents is {quoted(given)}; it must be names by seat, like {{1: "greedy"}}')
    found = {whole_number(seat): name for seat, name in (given or {}).items()}
    if not set(found) < set(range(players)):
        raise OptionError(f"opponents take seats of 0 to {players - 1}, and leave one to an agent at least")
    check_names(game, list(found.values()))
    return {seat: name for seat, name in found.items() if seat is not None}
