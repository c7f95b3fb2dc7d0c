"""The games in PettingZoo: every seat is an agent, and they move in the order of the game (AEC).

>>> from bosquet.env import pettingzoo
>>> env = pettingzoo.env("topiary", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any

from bosquet.core.chance import fresh_seed
from bosquet.env.extras import extra

with extra("pettingzoo"):
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from bosquet.env.machine import machine
from bosquet.env.render import MODES, check_mode, render
from bosquet.env.rewards import kind_of, rewards
from bosquet.env.spaces import action_space, legal_index, observation_space, observed
from bosquet.env.world import World

__all__ = ["env", "raw_env"]


def env(game: str, **settings: Any) -> AECEnv:
    """A game in the wrappers of PettingZoo's own classic games; `settings` are those of `raw_env`.

    An illegal action ends the game, as there: with a warning, -1 for its agent and 0 for all others.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(gymnasium.utils.EzPickle, AECEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo's name for it)
    """A game whose agents are its seats, `seat_0`, `seat_1`, …

    An observation is `{"observation": …, "action_mask": …}` as `spaces.observed` has it, uint8 and int8; the mask is
    zeros for whoever is not to move. All rewards come at the end, see `env.rewards`; then each agent's info holds
    `scores`, the points of all seats, and `winners`, the winning seats.
    """

    def __init__(self, game: str, *, reward: str = "win", render_mode: str | None = None, **options: Any) -> None:
        """Set a game up; `options` are those of its rules, `players` and others. Raises OptionError.

        `reward` is `win` or `points`. `render_mode` is `human` (printed after every move), `ansi` or `rgb_array`, see
        `render.render`: the table as a spectator sees it.
        """
        gymnasium.utils.EzPickle.__init__(self, game, reward=reward, render_mode=render_mode, **options)
        AECEnv.__init__(self)
        self.machine = machine(game, **options)
        kind_of(reward)  # refuses one that there is not
        self.reward = reward
        self.render_mode = check_mode(render_mode)
        self.metadata = {
            "name": f"{game}_v{self.machine.encoder.VERSION}",
            "render_modes": list(MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.machine.players)]
        self.observation_spaces = {agent: observation_space(self.machine) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.machine) for agent in self.possible_agents}
        self._seed, self._games = fresh_seed(), 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        A seed settles it, and the games of all later resets without one. `options` is not used.
        """
        if seed is not None:
            self._seed, self._games = seed, 0
        self.world = World(self.machine, self._seed, self._games)
        self._games += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.world.seat]
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        return observed(self.world, self.possible_agents.index(agent))

    def step(self, action: Any) -> None:
        """Make the move with this index; None once the game is over. Raises IllegalMove, which names the remedy."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.world.play(legal_index(self.world, action))
        if self.world.over:
            self._end()
        else:
            self.agent_selection = self.agents[self.world.seat]
        self._show()

    def render(self) -> Any:
        """The table as a spectator sees it: see `render.render`. Nothing, with a warning, without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; give one when the environment is made")
            return None
        return render(self.render_mode, self.world.view(None), self.possible_agents)

    def close(self) -> None:
        """Nothing is held open."""

    def _end(self) -> None:
        """Give all agents their rewards."""
        scores, winners = self.world.scores(), self.world.winners()
        self.rewards = dict(zip(self.agents, rewards(self.reward, scores, winners), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"scores": list(scores), "winners": list(winners)} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def _show(self) -> None:
        """Print the table where people look on."""
        if self.render_mode == "human":
            self.render()
