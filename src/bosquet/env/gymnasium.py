"""The games in Gymnasium: one seat, against bots in the others.

>>> import gymnasium
>>> import bosquet.env.gymnasium
>>> env = gymnasium.make("bosquet/Topiary-v1", players=2, opponents=["greedy"])
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from bosquet.core.chance import SEED_LIMIT, Chance
from bosquet.core.errors import IllegalMove, OptionError, quoted
from bosquet.env.extras import extra

with extra("gymnasium"):
    import gymnasium

from bosquet import bots, games
from bosquet.env.machine import machine
from bosquet.env.opponent import Opponent
from bosquet.env.render import MODES, check_mode, render
from bosquet.env.rewards import kind_of, rewards
from bosquet.env.spaces import action_mask, action_space, legal_index, observation_space, observed
from bosquet.env.world import World

__all__ = ["OneSeat"]

ILLEGAL = ("raise", "random")


class OneSeat(gymnasium.Env[dict[str, Any], Any]):
    """One seat of a game against bots, or a solitaire.

    An observation is `{"observation": …, "action_mask": …}` as `spaces.observed` has it, uint8 and int8. Info holds
    `action_mask` once more and `seat`, the own one; at the end `scores`, the points of all seats, and `winners`, the
    winning seats, too. The reward comes at the end, see `env.rewards`; no game is truncated.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012  (as in Gymnasium)

    def __init__(
        self,
        game: str,
        *,
        seat: int | Literal["random"] = 0,
        opponents: Sequence[str] = ("random",),
        reward: str = "win",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Set a game up; `options` are those of its rules, `players` and others. Raises OptionError.

        `seat` is the own one, or `"random"` for another in every game. `opponents` are names of bots for the seats
        after the own, in turn order, repeated until all are taken. `reward` is `win` or `points`. An action that is
        not legal raises IllegalMove, or with `illegal="random"` a random legal one is taken in its place.
        `render_mode` is `human` (printed at every decision), `ansi` or `rgb_array`, see `render.render`: the table as
        the own seat sees it.
        """
        self.machine = machine(game, **options)
        players = self.machine.players
        if seat != "random" and seat not in range(players):
            raise OptionError(f'seat is {quoted(seat)}; it must be a number from 0 to {players - 1}, or "random"')
        if illegal not in ILLEGAL:
            raise OptionError(f"illegal is {quoted(illegal)}; it must be one of {', '.join(ILLEGAL)}")
        if isinstance(opponents, str) or not opponents:
            raise OptionError(f'opponents is {quoted(opponents)}; it must be a list of names, like ["greedy"]')
        for name in opponents:
            bots.make(name)
        self._given_seat, self._names, self._illegal = seat, list(opponents), illegal
        kind_of(reward)  # refuses one that there is not
        self.reward = reward
        self.render_mode = check_mode(render_mode)
        self.observation_space = observation_space(self.machine)
        self.action_space = action_space(self.machine)
        self._world: World | None = None

    @property
    def world(self) -> World:
        """The game that runs. Raises ResetNeeded before the first."""
        if self._world is None:
            raise gymnasium.error.ResetNeeded("no game has been dealt yet; call reset() first")
        return self._world

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a new game, and let the others play until the own seat is to move.

        A seed settles it, bots and all, and the games of all later resets without one. `options` is not used.
        """
        super().reset(seed=seed)
        number = int(self.np_random.integers(SEED_LIMIT)) if seed is None else seed
        players = self.machine.players
        self._world = World(self.machine, number)
        self.seat = Chance(number, "seat").below(players) if self._given_seat == "random" else self._given_seat
        self._substitute = Opponent("random", number, "illegal")
        others = [(self.seat + turn) % players for turn in range(1, players)]
        names = {other: self._names[i % len(self._names)] for i, other in enumerate(others)}
        self._opponents = {other: Opponent(name, number, "bot", other) for other, name in names.items()}
        self._shown_names = [names.get(other, "you") for other in range(players)]
        self._play_others()
        return self._look()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make the move with this index, and let the others play until the own seat is to move, or the game is over.

        Raises IllegalMove, which names the remedy.
        """
        world = self.world
        world.play(self._taken(action))
        self._play_others()
        observation, info = self._look()
        if not world.over:
            return observation, 0.0, False, False, info
        scores, winners = world.scores(), world.winners()
        info |= {"scores": scores, "winners": winners}
        return observation, rewards(self.reward, scores, winners)[self.seat], True, False, info

    def action_masks(self) -> Any:
        """1 at the index of every legal action, an int8 array; the name under which sb3-contrib asks for it."""
        return action_mask(self.world, self.seat)

    def render(self) -> Any:
        """The table as the own seat sees it: see `render.render`. Nothing, with a warning, without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; give one when the environment is made")
            return None
        return render(self.render_mode, self.world.view(self.seat), self._shown_names)

    def _taken(self, action: Any) -> int:
        """The legal action that is taken for what was asked."""
        try:
            return legal_index(self.world, action)
        except IllegalMove:
            if self.world.over or self._illegal == "raise":
                raise
        return self._substitute.choose(self.world)

    def _play_others(self) -> None:
        """Let the bots play until the own seat is to move, or the game is over."""
        world = self.world
        while world.seat >= 0 and world.seat != self.seat:
            world.play(self._opponents[world.seat].choose(world))

    def _look(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Observation and info of the own seat; the table is printed where people look on."""
        if self.render_mode == "human":
            self.render()
        observation = observed(self.world, self.seat)
        return observation, {"action_mask": observation["action_mask"].copy(), "seat": self.seat}


for _game in games.NAMES:
    gymnasium.register(
        f"bosquet/{_game.capitalize()}-v{games.encoder(_game).VERSION}",
        entry_point="bosquet.env.gymnasium:OneSeat",
        vector_entry_point="bosquet.env.vector:BosquetVectorEnv",
        kwargs={"game": _game},
    )
