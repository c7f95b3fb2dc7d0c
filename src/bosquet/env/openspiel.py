"""OpenSpiel games. Importing this module registers each as `bosquet_` and its name.

>>> import bosquet.env.openspiel
>>> import pyspiel
>>> game = pyspiel.load_game(f"bosquet_{bosquet.GAMES[0]}(players=2)")

Parameters are the options of the game, and::

    chance    "sampled" (the outcomes of chance nodes are the four bytes of a seed), or
              "explicit" (every draw of the rules is a chance node)
    deals     0, or the number of fixed, equally likely deals, so that the deal is a single small chance node
    returns   "win" or "points", see `env.rewards`

Variants, such as the tiny ones (`bosquet.games.variants()`), with few `deals` are small enough to visit every state.

A name with a version, `bosquet_NAME_v1`, is the same game; it fails to load once the game's version differs.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import bosquet.core.game
from bosquet.core import installed
from bosquet.core.errors import BosquetError, OptionError, listed, quoted
from bosquet.core.system.extras import extra
from bosquet.env.chance_game import HIDDEN, ChanceGame, ChanceModel
from bosquet.env.compiled_game import NOBODY, CompiledGame, compiled_game
from bosquet.env.histories import PRIVATE_BITS
from bosquet.env.rewards import KINDS, reward_bounds, rewards

with extra("openspiel"):
    import pyspiel

PREFIX = "bosquet_"
ADAPTER_OPTIONS: dict[str, tuple[Any, ...]] = {"chance": ("sampled", "explicit"), "returns": KINDS}
"""Parameters besides the game's options and `deals`, with their values, the default first."""


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its options. Each registered name has its own subclass."""

    name: ClassVar[str]
    short_name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any]) -> None:
        """Make a game from the parameters in the module docstring. Raises OptionError."""
        name = self.name
        own = {key: params[key] for key in installed.spec_or_variant(name).options if key in params}
        for key, values in ADAPTER_OPTIONS.items():
            if params.get(key, values[0]) not in values:
                raise OptionError(f"{key} is {quoted(params[key])}; it must be one of {listed(list(values))}")
        self.compiled: CompiledGame = compiled_game(name, **own)
        self.chance_model: ChanceModel = ChanceModel(
            self.compiled, params.get("chance") == "explicit", params.get("deals", 0)
        )
        self.returns: str = params.get("returns", KINDS[0])
        super().__init__(_game_type(name, self.short_name, self.chance_model), self._info(), dict(params))

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (str(self),)

    def _info(self) -> pyspiel.GameInfo:
        players, encoder, options = self.compiled.players, self.compiled.encoder, self.compiled.options
        low, high = reward_bounds(self.returns, players, encoder.min_points(options), encoder.max_points(options))
        return pyspiel.GameInfo(
            num_distinct_actions=self.compiled.actions,
            max_chance_outcomes=self.chance_model.max_outcomes,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=encoder.max_decisions(options),
        )

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound on the chance nodes of a game."""
        return self.chance_model.max_choices

    def new_initial_state(self) -> State:
        """Return the state before the deal."""
        return State(self)

    def state_of(self, played: bosquet.core.game.Game) -> State:
        """Return the state of a game with these options. Its history holds only the decisions, not the deal."""
        state = self.new_initial_state()
        chance_game = state.chance_game
        for before, action in played.plies():
            if chance_game.due:
                chance_game.go_on(before)
            state.apply_action(self.compiled.encoder.index_of(before, action))
        if chance_game.due and not played.chance_due:
            chance_game.go_on(played.state)
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Return an observer of what one seat knows, or None for other kinds of observation."""
        if params:
            raise OptionError(f"an observer has no parameters; there are {listed(list(params))}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return Observer(self.compiled, kind.perfect_recall)
        return None

    @functools.cached_property
    def view(self) -> Observer:
        """Return an observer of what a seat sees now."""
        return Observer(self.compiled, recall=False)


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a game. Its history begins with the deal, or is empty at a state from `resample_from_infostate`."""

    def __init__(self, game: Game) -> None:
        """Make the state before the deal."""
        super().__init__(game)
        # The only attribute: OpenSpiel copies and serializes all of them.
        self.chance_game: ChanceGame = ChanceGame(game.chance_model)

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()  # type: ignore[no-any-return]

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's CHANCE or TERMINAL."""
        seat = self.chance_game.seat
        return seat if seat != NOBODY else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.chance_game.seat == NOBODY

    def is_chance_node(self) -> bool:
        """Return whether a chance outcome is due."""
        return self.chance_game.due > 0

    def legal_actions(self, *player: int) -> list[int]:
        """Return the legal actions of a seat; empty if it is not to move. Overridden since the call via C++ is slow."""
        seat = self.chance_game.seat
        if seat >= 0 and player in ((), (seat,)):
            return self._legal_actions(seat)
        return super().legal_actions(*player)  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> list[int]:
        return self.chance_game.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node; all are equally likely."""
        return _uniform(self.chance_game.due)

    def _apply_action(self, action: int) -> None:
        chance_game = self.chance_game
        if chance_game.due:
            chance_game.choose(action)
        else:
            chance_game.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        chance_game = self.chance_game
        if chance_game.due or not chance_game.game_state:
            return f"chance {action}"
        return chance_game.game_state.to_notation(action)

    def returns(self) -> list[float]:
        """Return the rewards of all seats, 0 until the game is over."""
        game: Game = self.get_game()
        game_state = self.chance_game.game_state
        if not game_state or self.chance_game.seat != NOBODY:
            return [0.0] * game.compiled.players
        return rewards(game.returns, game_state.scores(), game_state.winners())

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> State:
        """Return a state that a seat cannot distinguish from this one, uniform over what it does not see.

        The state holds nothing that is hidden from the seat: its history is empty, and the information that only other
        seats had is removed.
        """
        twin: State = self.get_game().new_initial_state()
        twin.chance_game = self.chance_game.resampled(player_id, probability_sampler())
        return twin

    def __str__(self) -> str:
        chance_game = self.chance_game
        if not chance_game.game_state:
            return f"before the deal, chosen {chance_game.chosen}"
        view: Observer = self.get_game().view
        lines = [view.string_from(self, seat) for seat in range(chance_game.chance_model.compiled.players)]
        whole = hashlib.sha256(chance_game.chance_model.compiled.dump(chance_game.game_state.states)).hexdigest()
        return "\n".join([*lines, f"chosen {chance_game.chosen}, state {whole}"])


class Observer:
    """What one seat knows of a state, as a tensor and as text; see `pyspiel.State`."""

    def __init__(self, compiled: CompiledGame, recall: bool) -> None:
        """Make an observer; with `recall` of the information state, which adds past actions and private information."""
        self.recall = recall
        parts = [("player", (compiled.players,)), *((part.name, part.shape) for part in compiled.layout)]
        if recall:
            length = compiled.encoder.max_decisions(compiled.options)
            parts += [("actions", (length,)), ("private", (length, 3))]
        sizes = [int(np.prod(shape)) for _, shape in parts]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for (name, shape), size in zip(parts, sizes, strict=True):
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size
        self._seen = self.tensor[compiled.players : compiled.players + compiled.observation_size]
        self._labels = [
            part.name + (str(list(map(int, place))).replace(" ", "") if part.size > 1 else "")
            for part in compiled.layout
            for place in np.ndindex(*part.shape)
        ]

    def set_from(self, state: State, player: int) -> None:
        """Write what a seat knows into `tensor`; all zeros before the deal.

        Per decision, `actions` has 0 if it has not been made yet, 1 if the seat did not see the action, else the action
        plus 2; `private` has what was private to the seat at its own decisions, in numbers of 16 bits. Raises
        OptionError for a seat that there is not.
        """
        chance_game, tensor = state.chance_game, self.tensor
        if not chance_game.game_state:
            chance_game.chance_model.compiled.check_seat(player)
            tensor.fill(0)
            return
        seen = chance_game.game_state.observation(player)
        tensor.fill(0)
        tensor[player] = 1
        self._seen[:] = seen
        if self.recall and chance_game.past:
            self._check_length(chance_game)
            actions, privates = np.array(chance_game.observed_decisions(player), np.int64).T
            self.dict["actions"][: len(actions)] = actions + 2
            privates = np.maximum(privates, 0)
            for place in range(3):
                bits = privates >> place * PRIVATE_BITS
                self.dict["private"][: len(actions), place] = bits & ((1 << PRIVATE_BITS) - 1)

    def _check_length(self, chance_game: ChanceGame) -> None:
        """Raise BosquetError if the game has more decisions than its encoder says."""
        most, title = len(self.dict["actions"]), chance_game.chance_model.compiled.spec.title
        if len(chance_game.past) > most:
            raise BosquetError(f"{title} goes on after {most} decisions; its max_decisions must be larger")

    def string_from(self, state: State, player: int) -> str:
        """Return what a seat knows as text: every non-zero number of its observation, with the name of its part."""
        chance_game = state.chance_game
        if not chance_game.game_state:
            return ""
        seen = chance_game.game_state.observation(player)
        places = np.flatnonzero(seen)
        labels = self._labels
        words = [f"player {player}:"]
        for place, number in zip(places.tolist(), seen[places].tolist(), strict=True):
            words.append(labels[place] if number == 1 else f"{labels[place]}={number}")
        if self.recall:
            words.append("told:")
            for action, private in chance_game.observed_decisions(player):
                words.append(f"{action}" if private == HIDDEN else f"{action}/{private:x}")
        return " ".join(words)


@functools.cache
def _uniform(n: int) -> list[tuple[int, float]]:
    return [(outcome, 1 / n) for outcome in range(n)]


def _game_type(name: str, short_name: str, chance_model: ChanceModel | None = None) -> pyspiel.GameType:
    """Return the type of a game, or of a game with given options."""
    spec = installed.spec_or_variant(name)
    defaults = {key: values[0] for key, values in (dict(spec.options) | ADAPTER_OPTIONS).items()}
    players = spec.options["players"]
    kind = pyspiel.GameType
    alone = chance_model is not None and chance_model.compiled.players == 1
    certain = chance_model is not None and chance_model.is_deterministic
    return kind(
        short_name=short_name,
        long_name=spec.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC if certain else kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            kind.Information.PERFECT_INFORMATION if spec.lies_open else kind.Information.IMPERFECT_INFORMATION
        ),
        utility=kind.Utility.GENERAL_SUM if alone else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults | {"deals": 0},
    )


def load(text: str) -> Game:
    """Return OpenSpiel's `load_game(text)`. Pickles refer to this function, so that unpickling registers the games."""
    return pyspiel.load_game(text)  # type: ignore[no-any-return]


def _register() -> None:
    for name in (*installed.names(), *installed.variants()):
        plain = PREFIX + name
        for short_name in (plain, f"{plain}_v{installed.spec_or_variant(name).encoder.VERSION}"):
            # A class, not an instance: OpenSpiel releases it only after the Python interpreter has ended.
            kind = type(short_name, (Game,), {"name": name, "short_name": short_name})
            pyspiel.register_game(_game_type(name, short_name), kind)


_register()
