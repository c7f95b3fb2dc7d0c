"""The games in OpenSpiel: importing this module registers them as `bosquet_topiary` and so on.

>>> import bosquet.env.openspiel
>>> import pyspiel
>>> game = pyspiel.load_game("bosquet_topiary(players=2,draft=False)")

Parameters are the options of the game, and:

    chance    "sampled" (the outcomes of chance nodes are the four bytes of a seed), or
              "explicit" (every draw of the rules is a chance node)
    deals     0, or the number of fixed, equally likely deals of which one is played: a small chance node
    returns   "win" or "points", see `env.rewards`

`bosquet_topiary_tiny` and `bosquet_topas_tiny` are small enough to visit every state, with few `deals`.

A name with a version, like `bosquet_topiary_v1`, is the same game, and fails to load once its behaviour has changed.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import bosquet.core.game
from bosquet import games
from bosquet.core.errors import OptionError, listed, quoted
from bosquet.env.course import UNTOLD, Course, Setting
from bosquet.env.extras import extra
from bosquet.env.machine import NOBODY, Machine, machine
from bosquet.env.rewards import KINDS, rewards
from bosquet.games import editions

with extra("openspiel"):
    import pyspiel

PREFIX = "bosquet_"
ADAPTER_OPTIONS: dict[str, tuple[Any, ...]] = {"chance": ("sampled", "explicit"), "returns": KINDS}
"""Parameters beside the game's own options and `deals`, with their values, the first one by default."""

PRIVATE_BITS = 16
"""What was private to a seat stands in the tensor as three numbers of so many bits: a float32 holds them exactly."""


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its options. Each game that OpenSpiel knows by a name is a class of its own."""

    name: ClassVar[str]
    short_name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any]) -> None:
        """Parameters as the module has them. Raises OptionError."""
        name = self.name
        own = {key: params[key] for key in editions.rules(name).OPTIONS if key in params}
        for key, values in ADAPTER_OPTIONS.items():
            if params.get(key, values[0]) not in values:
                raise OptionError(f"{key} is {quoted(params[key])}; it must be one of {listed(list(values))}")
        deals = params.get("deals", 0)
        if deals < 0:
            raise OptionError(f"deals is {deals}; it must be 0 or more")
        self.machine = machine(name, **own)
        self.setting = Setting(self.machine, params.get("chance") == "explicit", deals)
        self.returns: str = params.get("returns", KINDS[0])
        super().__init__(_game_type(name, self.short_name, self.machine), self._info(), dict(params))

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (str(self),)

    def _info(self) -> pyspiel.GameInfo:
        players, encoder, options = self.machine.players, self.machine.encoder, self.machine.options
        if players == 1:
            low, high = 0.0, float(encoder.max_points(options))
        elif self.returns == "points":
            high = float(encoder.max_points(options))
            low = -high
        else:
            low, high = -1.0 / (players - 1), 1.0
        return pyspiel.GameInfo(
            num_distinct_actions=self.machine.actions,
            max_chance_outcomes=self.setting.max_outcomes,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=encoder.max_decisions(options),
        )

    def max_chance_nodes_in_history(self) -> int:
        """No game has more chance nodes than this."""
        return self.setting.max_choices

    def new_initial_state(self) -> State:
        """The state before the deal."""
        return State(self)

    def state_of(self, played: bosquet.core.game.Game) -> State:
        """The state that a game of these options has reached; its history has the decisions only, not the deal."""
        state = self.new_initial_state()
        course = state.course
        for before, action in played.plies():
            if course.due:
                course.go_on(before)
            state.apply_action(self.machine.encoder.index_of(before, action))
        if course.due and not played.chance_due:
            course.go_on(played.state)
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """An observer of what one seat knows; None for other kinds of observation."""
        if params:
            raise OptionError(f"an observer has no parameters; there are {listed(list(params))}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return Observer(self.machine, kind.perfect_recall)
        return None

    @functools.cached_property
    def view(self) -> Observer:
        """What a seat sees now."""
        return Observer(self.machine, recall=False)


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a game. Its history is that of the choices made since it began: the deal, or a resampling."""

    def __init__(self, game: Game) -> None:
        """The state before the deal."""
        super().__init__(game)
        self.course = Course(game.setting)  # OpenSpiel copies and serializes all attributes: there is this one

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()  # type: ignore[no-any-return]

    def current_player(self) -> int:
        """The seat to move, or CHANCE or TERMINAL as OpenSpiel numbers them."""
        seat = self.course.seat
        return seat if seat != NOBODY else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.course.seat == NOBODY

    def is_chance_node(self) -> bool:
        """Whether chance is to choose."""
        return self.course.due > 0

    def legal_actions(self, *player: int) -> list[int]:
        """The legal actions of the seat to move, or of another: none. Much quicker than asking through C++."""
        seat = self.course.seat
        if seat >= 0 and player in ((), (seat,)):
            return self._legal_actions(seat)
        return super().legal_actions(*player)  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> list[int]:
        world = self.course.world
        return world.legal() if world else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node: all are equally likely."""
        return _uniform(self.course.due)

    def _apply_action(self, action: int) -> None:
        course = self.course
        if course.due:
            course.choose(action)
        else:
            course.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        course = self.course
        if course.due or not course.world:
            return f"chance {action}"
        return course.world.say(action)

    def returns(self) -> list[float]:
        """What every seat gets in the end; until then 0."""
        game: Game = self.get_game()
        world = self.course.world
        if not world or self.course.seat != NOBODY:
            return [0.0] * game.machine.players
        return rewards(game.returns, world.scores(), world.winners())

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> State:
        """A state that a seat can't tell from this one, uniform over what it doesn't see.

        Nothing of what is hidden from the seat is left in it: its history is empty, and what only others knew of the
        past is forgotten.
        """
        twin: State = self.get_game().new_initial_state()
        twin.course = self.course.resampled(player_id, probability_sampler())
        return twin

    def __str__(self) -> str:
        course = self.course
        if not course.world:
            return f"before the deal, chosen {course.chosen}"
        view: Observer = self.get_game().view
        lines = [view.string_from(self, seat) for seat in range(course.setting.machine.players)]
        whole = hashlib.sha256(course.setting.machine.dump(course.world.states)).hexdigest()
        return "\n".join([*lines, f"chosen {course.chosen}, state {whole}"])


class Observer:
    """What one seat knows of a state, as a tensor and as text; see `pyspiel.State`."""

    def __init__(self, machine: Machine, recall: bool) -> None:
        """With `recall`, the information state: also the actions so far as the seat knows them, and what it saw."""
        self.recall = recall
        parts = [("player", (machine.players,)), *((part.name, part.shape) for part in machine.layout)]
        if recall:
            length = machine.encoder.max_decisions(machine.options)
            parts += [("actions", (length,)), ("private", (length, 3))]
        sizes = [int(np.prod(shape)) for _, shape in parts]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for (name, shape), size in zip(parts, sizes, strict=True):
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size
        self._seen = self.tensor[machine.players : machine.players + machine.observation_size]
        self._labels = [
            part.name + (str(list(map(int, place))).replace(" ", "") if part.size > 1 else "")
            for part in machine.layout
            for place in np.ndindex(*part.shape)
        ]

    def set_from(self, state: State, player: int) -> None:
        """Write what a seat knows into `tensor`; zeros before the deal.

        Of every decision so far, `actions` has 0 if there was none, 1 if the seat was not told the action, else the
        action plus 2; `private` what was private to the seat at a decision of its own, 16 bits after 16.
        """
        course, tensor = state.course, self.tensor
        tensor.fill(0)
        if not course.world:
            return
        tensor[player] = 1
        self._seen[:] = course.world.observation(player)
        if self.recall and course.past:
            actions, privates = np.array(course.told(player), np.int64).T
            self.dict["actions"][: len(actions)] = actions + 2
            privates = np.maximum(privates, 0)
            for place in range(3):
                bits = privates >> place * PRIVATE_BITS
                self.dict["private"][: len(actions), place] = bits & ((1 << PRIVATE_BITS) - 1)

    def string_from(self, state: State, player: int) -> str:
        """What a seat knows, as text: every number of its observation that is not 0, with the name of its part."""
        course = state.course
        if not course.world:
            return ""
        seen = course.world.observation(player)
        places = np.flatnonzero(seen)
        labels = self._labels
        words = [f"player {player}:"]
        for place, number in zip(places.tolist(), seen[places].tolist(), strict=True):
            words.append(labels[place] if number == 1 else f"{labels[place]}={number}")
        if self.recall:
            words.append("told:")
            for action, private in course.told(player):
                words.append(f"{action}" if private == UNTOLD else f"{action}/{private:x}")
        return " ".join(words)


@functools.cache
def _uniform(n: int) -> list[tuple[int, float]]:
    return [(outcome, 1 / n) for outcome in range(n)]


def _game_type(name: str, short_name: str, machine: Machine | None = None) -> pyspiel.GameType:
    """The type of a game, or of one with its options."""
    rules = editions.rules(name)
    defaults = {key: values[0] for key, values in (dict(rules.OPTIONS) | ADAPTER_OPTIONS).items()}
    players = rules.OPTIONS["players"]
    kind = pyspiel.GameType
    return kind(
        short_name=short_name,
        long_name=rules.TITLE,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if machine and machine.players == 1 else kind.Utility.ZERO_SUM,
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
    """The game that OpenSpiel's `load_game` gives; other processes find it by this function."""
    return pyspiel.load_game(text)  # type: ignore[no-any-return]


def _register() -> None:
    for name in (*games.NAMES, *editions.EDITIONS):
        plain = PREFIX + name
        for short_name in (plain, f"{plain}_v{editions.encoder(name).VERSION}"):
            # A class: OpenSpiel lets go of it only after Python has ended, and that must not be its end.
            kind = type(short_name, (Game,), {"name": name, "short_name": short_name})
            pyspiel.register_game(_game_type(name, short_name), kind)


_register()
