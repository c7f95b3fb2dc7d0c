"""Gymnasium environments: one seat of a game, with bots in the other seats.

>>> import gymnasium
>>> import bosquet
>>> import bosquet.env.gymnasium
>>> env = gymnasium.make(f"bosquet/{bosquet.GAMES[0].capitalize()}-v1", players=2, opponents=["greedy"])
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

Importing this module registers the games. In a process that has not imported it, Gymnasium does so for a name that has
the module in front, such as `bosquet.env.gymnasium:bosquet/NAME-v1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from bosquet.core.errors import IllegalMove, OptionError, quoted
from bosquet.core.inputs.integers import truth_value, whole_number
from bosquet.core.rng import SEED_LIMIT, Rng
from bosquet.core.system.extras import extra

with extra("gymnasium"):
    import gymnasium

from bosquet.core import installed
from bosquet.env.batch.opponents import check_opponents
from bosquet.env.bot_opponent import Opponent, check_names
from bosquet.env.compiled_game import CompiledGame, compiled_game
from bosquet.env.game_state import GameState
from bosquet.env.render import MODES, check_mode, modes_of, render
from bosquet.env.rewards import kind_of, rewards
from bosquet.env.spaces import (
    action_mask,
    action_space,
    array_space,
    check_reset_options,
    legal_index,
    observation_space,
    observed,
)

__all__ = ["OneSeat"]

ILLEGAL = ("raise", "random")


class OneSeat(gymnasium.Env[Any, Any]):
    """One seat of a game against bots, or a solitaire game.

    An observation is `{"observation": …, "action_mask": …}`, arrays of uint8 and int8 as returned by
    `spaces.observed`; without `mask` only the first of them. Info holds `action_mask`, the learner's `seat`, and at the
    end `scores`, the points of all seats, `rewards`, their rewards, and `winners`, the winning seats. The reward is
    given at the end (see `env.rewards`); games are never truncated.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012  (as in Gymnasium)

    def __init__(
        self,
        game: str,
        *,
        seat: int | Literal["random"] = 0,
        opponents: Sequence[str] | None = None,
        reward: str = "win",
        illegal: str = "raise",
        mask: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make an environment; `options` are those of the game, such as `players`. Raises OptionError.

        `seat` is the learner's seat, or `"random"` to draw one for every game. `opponents` are names of bots, your own
        among them (docs/your-bot.md), for the seats after it, in turn order, repeated until all seats are taken; by
        default random ones. One from outside that fails raises BotError. `reward` is `win` or `points`. An illegal
        action raises IllegalMove; with `illegal="random"` it is replaced by a random legal one. With `mask=False`,
        observations are arrays, and the mask is in the info. `render_mode` is `human` (printed at every decision),
        `ansi` or `rgb_array` (see `render.render`) and shows the learner's view; a variant has none.
        """
        self.compiled: CompiledGame = compiled_game(game, **options)
        players = self.compiled.players
        own_seat = None if seat == "random" else whole_number(seat)
        if seat != "random" and own_seat not in range(players):
            raise OptionError(f'seat is {quoted(seat)}; it must be a number from 0 to {players - 1}, or "random"')
        if illegal not in ILLEGAL:
            raise OptionError(f"illegal is {quoted(illegal)}; it must be one of {', '.join(ILLEGAL)}")
        if opponents is None:
            opponents = ["random"] * (players > 1)
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            raise OptionError(f'opponents is {quoted(opponents)}; it must be a list of names, like ["greedy"]')
        names = list(opponents)
        check_opponents(names, players)
        check_names(game, names)
        self._given_seat, self._names, self._illegal = own_seat, names, illegal
        kind_of(reward)  # raises OptionError for an unknown kind
        self.reward: str = reward
        self.render_mode: str | None = check_mode(render_mode, game)
        self.metadata = {**type(self).metadata, "render_modes": modes_of(game)}
        self._mask = truth_value("mask", mask)
        self.observation_space: Any = (observation_space if mask else array_space)(self.compiled)
        self.action_space: gymnasium.spaces.Discrete = action_space(self.compiled)
        self._game_state: GameState | None = None
        self._opponents: dict[int, Opponent] = {}

    @property
    def game_state(self) -> GameState:
        """Return the current game. Raises ResetNeeded before the first `reset`."""
        if self._game_state is None:
            raise gymnasium.error.ResetNeeded("no game has been dealt yet; call reset() first")
        return self._game_state

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a new game, and let the bots play until the learner is to move.

        A seed determines this game, the bots' moves included, and the games of all later resets without a seed. Raises
        OptionError for `options`, which are given when the environment is made.
        """
        check_reset_options(options)
        super().reset(seed=seed)
        number = int(self.np_random.integers(SEED_LIMIT)) if seed is None else seed
        players = self.compiled.players
        self._game_state = GameState(self.compiled, number)
        self.seat: int = Rng(number, "seat").below(players) if self._given_seat is None else self._given_seat
        self._substitute = Opponent("random", number, "illegal")
        others = [(self.seat + turn) % players for turn in range(1, players)]
        names = {other: self._names[i % len(self._names)] for i, other in enumerate(others)}
        self.close()
        self._opponents = {other: Opponent(name, number, "bot", other) for other, name in names.items()}
        self._shown_names = [names.get(other, "you") for other in range(players)]
        self._play_others()
        return self._look()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Apply the action with this index, and let the bots play until the learner is to move or the game is over.

        Raises IllegalMove, which names legal actions.
        """
        game_state = self.game_state
        game_state.play(self._taken(action))
        self._play_others()
        observation, info = self._look()
        if not game_state.over:
            return observation, 0.0, False, False, info
        scores, winners = game_state.scores(), game_state.winners()
        due = rewards(self.reward, scores, winners)
        info |= {"scores": scores, "rewards": due, "winners": winners}
        return observation, due[self.seat], True, False, info

    def close(self) -> None:
        """Leave the processes of bots from outside to later games."""
        for opponent in self._opponents.values():
            opponent.close()

    def action_masks(self) -> Any:
        """Return 1 for every legal action and 0 for all others, int8. sb3-contrib calls a method of this name."""
        return action_mask(self.game_state, self.seat)

    def render(self) -> Any:
        """Render the learner's view (see `render.render`). Without a render mode, warn and return None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; give one when the environment is made")
            return None
        return render(self.render_mode, self.game_state.view(self.seat), self._shown_names)

    def _taken(self, action: Any) -> int:
        """Return the legal action to apply. Raises IllegalMove."""
        try:
            return legal_index(self.game_state, action)
        except IllegalMove:
            if self.game_state.over or self._illegal == "raise":
                raise
        return self._substitute.choose(self.game_state)

    def _play_others(self) -> None:
        """Let the bots play until the learner is to move or the game is over."""
        game_state = self.game_state
        while game_state.seat >= 0 and game_state.seat != self.seat:
            game_state.play(self._opponents[game_state.seat].choose(game_state))

    def _look(self) -> tuple[Any, dict[str, Any]]:
        """Return observation and info of the learner; print the table if the render mode is `human`."""
        if self.render_mode == "human":
            self.render()
        observation = observed(self.game_state, self.seat)
        info = {"action_mask": observation["action_mask"].copy(), "seat": self.seat}
        return observation if self._mask else observation["observation"], info


def environment_id(game: str) -> str:
    """Return the name under which a game or a variant is registered, such as `bosquet/NameTiny-v1` for `name_tiny`."""
    title = "".join(word.capitalize() for word in game.split("_"))
    return f"bosquet/{title}-v{installed.spec_or_variant(game).encoder.VERSION}"


for _game in (*installed.names(), *installed.variants()):
    gymnasium.register(
        environment_id(_game),
        entry_point="bosquet.env.gymnasium:OneSeat",
        vector_entry_point="bosquet.env.vector:BosquetVectorEnv",
        kwargs={"game": _game},
    )
