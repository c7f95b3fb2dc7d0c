"""Batches with opponents: kernels, levels and functions; and games that wait."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet import bots
from bosquet.core import installed
from bosquet.core.game import Game
from bosquet.core.rng import Rng, draw
from bosquet.env.batch import Batch
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.conformance import check_batch
from bosquet.kernels.jit import available
from tests.helpers.cases import every_size
from tests.helpers.rows import each_row

ARRAYS = ("observations", "masks", "seats", "rewards", "done", "scores", "winners")


def same(one: Batch, other: Batch) -> None:
    for name in ARRAYS:
        assert (getattr(one, name) == getattr(other, name)).all(), name


class GreedyByView:
    """`greedy` through views, with the chance of the game, as the kernel of a batch draws it."""

    def __init__(self) -> None:
        self.bot = bots.make("greedy")  # of all seats: a plan is for one turn

    def move(self, game: Game, rng_state: list[int]) -> str:
        rng = Rng(0)
        rng.state = rng_state
        assert game.seat is not None
        return self.bot.choose(game.view(game.seat), rng)


@pytest.mark.parametrize("name", bosquet.GAMES)
@pytest.mark.parametrize("learner", [0, 1])
def test_greedy_opponents_make_the_moves_of_the_bot(name: str, learner: int) -> None:
    batch = bosquet.batch(name, 1, seed=6, threads=1, learner=learner, opponents="greedy", players=3)
    spec, by_view = batch.compiled.spec, GreedyByView()
    for _ in range(4000):
        state = batch.compiled.plain(batch.states, 0)
        game = Game(spec, batch.compiled.options, state)
        words = [int(word) for word in batch._rng_state[0]]
        assert game.seat == learner
        action = int(batch.sample()[0])
        game.apply(batch.compiled.encoder.action_at(state, action))
        while not game.over and game.seat != learner:
            game.play(by_view.move(game, words))
        batch.step(np.array([action]))
        assert batch.done[0] == game.over
        if game.over:
            assert batch.scores[0].tolist() == game.scores
            assert np.flatnonzero(batch.winners[0]).tolist() == game.winners
            return
        assert batch.compiled.plain(batch.states, 0) == game.state
    raise AssertionError("no game ended")


def test_a_policy_plays_the_other_seats() -> None:
    """A function that takes the last legal action; a batch without a learner is followed by hand."""
    asked = []

    def last_legal(observations: Any, masks: Any, seats: Any, games: Any) -> Any:
        asked.append(len(games))
        assert (seats != 0).all()
        assert (observations == free.observations[games]).all()
        free.step(np.where(np.isin(np.arange(5), games), last(free.masks), 0), where=games)
        return last(masks)

    def last(masks: Any) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)

    free = bosquet.batch("topiary", 5, seed=2, threads=1, players=3)
    batch = bosquet.batch("topiary", 5, seed=2, threads=1, players=3, learner=0, opponents=last_legal)
    ended = 0
    while ended < 5:
        actions = last(batch.masks)
        free.step(actions)
        batch.step(actions)
        assert (batch.observations == free.observations).all()
        assert (batch.seats == 0).all()
        ended += int(batch.done.sum())
        assert (np.abs(batch.rewards).sum(1) > 0).tolist() == batch.done.tolist()
    assert sum(asked) > 100


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["topas", pytest.param("schlossgarten", marks=pytest.mark.slow)])
def test_levels_play_the_other_seats(name: str) -> None:
    """The first decision of the level is that of the bot; two batches with the same seed play the same."""
    batch, again = (bosquet.batch(name, 2, seed=3, threads=1, learner=1, opponents="level1") for _ in range(2))
    free = bosquet.batch(name, 2, seed=3, threads=1)
    state = free.compiled.plain(free.states, 1)
    rng = Rng(0)
    rng.state = [int(draw(free._rng_state[1])) for _ in range(4)]
    move = bots.make("level1").choose(Game(free.compiled.spec, free.compiled.options, state).view(0), rng)
    index = free.compiled.encoder.index_of(state, free.compiled.spec.notation.parse(state, move))
    free.step(np.where([False, True], index, 0), where=[1])
    if free.seats[1] == 1:
        assert (free.observations[1] == batch.observations[1]).all()
    for _ in range(4):
        same(batch, again)
        assert (batch.seats == 1).all()
        actions = batch.sample().copy()
        batch.step(actions)
        again.step(actions)


@every_size
def test_batches_with_opponents_are_as_documented(name: str, options: dict[str, Any]) -> None:
    with bosquet.batch(
        name,
        3,
        seed=1,
        threads=1,
        learner=0,
        opponents="greedy" if options["players"] > 1 else None,
        **options,
    ) as b:
        check_batch(b, 30)


def test_games_that_are_not_named_wait() -> None:
    batch, alone = (bosquet.batch("topas", 4, seed=5, threads=1, players=1) for _ in range(2))
    for _ in range(27):
        actions = batch.sample().copy()
        batch.step(actions)
        alone.step(actions)
    before = batch.save()
    wrong = np.full(4, -1)
    wrong[[0, 2]] = batch.sample()[[0, 2]]
    batch.step(wrong, where=[2, 0])  # what is given for the others is not looked at
    assert batch.done.tolist() == [True, False, True, False]
    assert (batch.observations[[1, 3]] == alone.observations[[1, 3]]).all()
    assert not batch.rewards[[1, 3]].any()
    batch.step(batch.sample(), where=np.array([False, True, False, True]))
    assert batch.done.tolist() == [False, True, False, True]
    assert not batch.rewards[[0, 2]].any()
    batch.restore(before)
    same(batch, alone)
    with pytest.raises(ValueError, match="of game 2 is not legal"):
        batch.step(np.full(4, -1), where=[2])
    same(batch, alone)


@every_size
def test_states_can_be_loaded(name: str, options: dict[str, Any]) -> None:
    source = bosquet.batch(name, 3, seed=1, threads=1, **options)
    for _ in range(9):
        source.step(source.sample())
    batch = bosquet.batch(name, 3, seed=2, threads=1, **options)
    batch.load_states(source.states)
    assert (batch.observations == source.observations).all()
    assert (batch.masks == source.masks).all()
    assert (batch.seats == source.seats).all()
    game = bosquet.new(name, seed=4, **options)
    untouched = batch.observations[[0, 2]].copy()
    batch.load_states([game.state], where=[1])
    assert batch.compiled.plain(batch.states, 1) == game.state
    assert (batch.observations[[0, 2]] == untouched).all()
    batch.step(batch.sample())


def test_loaded_states_advance_to_the_learner() -> None:
    batch = bosquet.batch("topiary", 2, seed=1, threads=1, learner=1, opponents="greedy")
    game = bosquet.new("topiary", seed=3)
    batch.load_states([game.state] * 2)
    assert (batch.seats == 1).all()
    assert (batch.parts["left 1"] == 7).all()


def test_states_of_something_else_are_refused() -> None:
    batch = bosquet.batch("topas", 2, seed=1, threads=1)
    over = bosquet.new("topas", seed=1)
    while not over.over:
        over.play(over.legal()[0])
    other = bosquet.new("topas", players=3, seed=1)
    for states, words in [
        ([bosquet.new("topiary", seed=1).state] * 2, "must be 2 states of Topas"),
        ([bosquet.new("topas", seed=1).state], "must be 2 states"),
        ([over.state] * 2, "state 0 is that of a game that is over"),
        ([bosquet.new("topas", seed=1).state, other.state], "state 1 is .*: its players is 3, here it is 2"),
        (7, "must be 2 states"),
    ]:
        with pytest.raises(bosquet.OptionError, match=words):
            batch.load_states(states)


@each_row(
    ("game", "mine", "others", "words"),
    [
        ("topiary", {}, {"draft": True}, "its draft is 1, here it is 0; load it into a batch"),
        ("topiary", {"draft": True}, {}, "its draft is 0, here it is 1"),
        ("topiary", {}, {"removed": "W"}, "its named is 1, here it is -1"),
        ("topas", {}, {"expert": True}, "its expert is 1, here it is 0"),
        ("topas", {"players": 1}, {"players": 4}, "its players is 4, here it is 1"),
        ("schlossgarten", {}, {"work": "each"}, "its each_works is 1"),
        ("schlossgarten", {}, {"overbuild": "elements"}, "its overbuild is 1"),
    ],
)
def test_states_of_other_options_are_refused_before_anything_changes(
    game: str, mine: dict[str, Any], others: dict[str, Any], words: str
) -> None:
    """Compiled code would read and write beside the arrays, which are sized by the options."""
    batch = bosquet.batch(game, 2, seed=1, threads=1, **mine)
    other = bosquet.batch(game, 2, seed=2, threads=1, **others)
    right, wrong = batch.states[0], other.states[0]
    before = batch.save()
    plain = [batch.compiled.plain(one.states, 0) for one in (batch, other)]
    mixed = [plain, np.array(plain, object), np.array([right, wrong]) if available() else plain]
    for states, place in [*((states, "state 1") for states in mixed), (other.states, "state 0")]:
        with pytest.raises(bosquet.OptionError, match=f"{place} is .*{words}"):
            batch.load_states(states)
    after = batch.save()
    assert [batch.compiled.dump(saved.states, 1) for saved in (before, after)] == [
        batch.compiled.dump(before.states, 1)
    ] * 2


def test_states_from_another_box_are_refused() -> None:
    house = bosquet.batch("schlossgarten", 1, seed=1, threads=1)
    own = Batch(CompiledGame(house.compiled.spec, {}, {"tiles": [1, 1, 47]}), 1, seed=1, threads=1)
    state = bosquet.new("schlossgarten", seed=1, box={"tiles": [1, 1, 47]}).state
    own.load_states([state])
    for batch, states in ((house, [state]), (house, own.states), (own, house.states)):
        with pytest.raises(bosquet.OptionError, match="other options or another box: its tiles is"):
            batch.load_states(states)


@each_row("seat", [-3, 2, 9])
def test_states_of_no_seat_are_refused(seat: int) -> None:
    batch = bosquet.batch("topiary", 1, seed=1, threads=1)
    state = bosquet.new("topiary", seed=1).state
    state.seat = seat
    with pytest.raises(bosquet.OptionError, match=f"state 0 has the seat {seat} to move; seats are 0 to 1"):
        batch.load_states([state])
    state.seat = 1000
    with pytest.raises(bosquet.OptionError, match="does not fit its field"):
        batch.load_states([state])


@each_row(
    ("game", "field", "number", "words"),
    [
        ("topas", "seat", -1, "only the deal is chance"),  # sampled chance for ever
        ("topiary", "seat", -1, "only the deal is chance"),
        ("topas", "bottom", -3000, "its bottom has the number -3000, which is from -64 to 64"),
        ("topas", "phase", 9, "its phase has the number 9"),
        ("topas", "deck", 36, "its deck has the number 36, which is from 0 to 35"),
        ("topiary", "line", 48, "its line has the number 48"),
        ("schlossgarten", "played", 77, "its played has the number 77, which is from -1 to 31"),
        ("schlossgarten", "pawn", -2, "its pawn has the number -2"),
    ],
)
def test_states_with_numbers_of_no_game_are_refused(game: str, field: str, number: int, words: str) -> None:
    """Compiled code would not end, or read and write beside its arrays."""
    batch = bosquet.batch(game, 2, seed=1, threads=1)
    states = [batch.compiled.plain(batch.states, i) for i in range(2)]
    value = getattr(states[1], field)
    if isinstance(value, list):
        value[0] = number
    else:
        setattr(states[1], field, number)
    before = batch.observations.copy()
    with pytest.raises(bosquet.OptionError, match=f"state 1 is that of no game: .*{words}"):
        batch.load_states(states)
    assert (batch.observations == before).all()


@every_size
def test_every_number_of_a_game_is_within_its_range(name: str, options: dict[str, Any]) -> None:
    load_as_they_are(name, options)


def test_every_number_of_a_variant_is_within_its_range() -> None:
    for name in installed.variants():
        load_as_they_are(name, {})


def load_as_they_are(name: str, options: dict[str, Any]) -> None:
    batch, other = (bosquet.batch(name, 8, seed=seed, threads=1, **options) for seed in (1, 2))
    for _ in range(60):
        batch.step(batch.sample())
        other.load_states(batch.states)
        assert (other.observations == batch.observations).all()


def test_one_state_is_loaded_into_many_games_without_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the planner of docs/algorithms.md does; every game gets a copy of its own."""
    monkeypatch.setenv("BOSQUET_JIT", "0")
    game = bosquet.batch("topiary", 1, seed=1)
    trial = bosquet.batch("topiary", 3, seed=2)
    trial.load_states(np.repeat(game.states, trial.n))
    assert (trial.observations == game.observations[0]).all()
    trial.determinize(int(game.seats[0]), [1, 2, 3])
    trial.step(trial.sample())
    assert len({id(state) for state in trial._states}) == 3
    assert trial._states[0] != trial._states[1]


def test_a_batch_can_be_pickled() -> None:
    batch = bosquet.batch(
        "topiary", 3, seed=1, threads=1, learner=0, opponents="greedy", reward="points", keep_last=True
    )
    for _ in range(25):
        batch.step(batch.sample())
    twin = pickle.loads(pickle.dumps(batch))
    for _ in range(25):
        same(batch, twin)
        assert (batch.last == twin.last).all()
        actions = batch.sample().copy()
        assert (twin.sample() == actions).all()
        batch.step(actions)
        twin.step(actions)


@pytest.mark.parametrize(
    ("game", "given", "words"),
    [
        ("topas", "nobody", "must be .random., .greedy., a level, a search, or a function"),
        ("topas", ["greedy"], "opponents is"),
        ("topas", "search:many", "is no search"),
    ],
)
def test_opponents_that_do_not_exist_are_refused(game: str, given: Any, words: str) -> None:
    with pytest.raises(bosquet.OptionError, match=words):
        bosquet.batch(game, 1, learner=0, opponents=given)


def test_what_a_function_returns_is_checked() -> None:
    for wrong, words in [(lambda *_: [0.5], "whole numbers"), (lambda *_: [9999], "an opponent chose the action 9999")]:
        with pytest.raises(ValueError, match=words):
            bosquet.batch("topas", 1, learner=1, opponents=wrong)


class Failing:
    """Takes the first legal action, until it is told to fail."""

    def __init__(self, fail: Any = None) -> None:
        self.fail = fail

    def __call__(self, observations: Any, masks: Any, seats: Any, games: Any) -> Any:
        if self.fail is not None:
            return self.fail()
        return masks.argmax(1)


def interrupted() -> Any:
    raise KeyboardInterrupt


def broken() -> Any:
    raise RuntimeError("no weights")


@each_row(
    ("fail", "words"),
    [
        (interrupted, r"\(KeyboardInterrupt\)"),
        (broken, r"\(RuntimeError: no weights\)"),
        (lambda: np.array([-1, -1]), "an opponent chose the action -1 in game 0"),
        (lambda: 0.5, "opponents returned an array"),
    ],
)
def test_a_step_that_opponents_stopped_is_not_gone_on_with(fail: Any, words: str) -> None:
    """The next action of the learner would be taken for another seat."""
    policy = Failing()
    batch, twin = (
        bosquet.batch("topas", 2, seed=1, threads=1, learner=0, opponents=opponents)
        for opponents in (policy, Failing())
    )
    saved = batch.save()
    policy.fail = fail
    with pytest.raises((KeyboardInterrupt, RuntimeError, ValueError)):
        batch.step(batch.sample())
    policy.fail = None
    for use in (
        lambda: batch.step(batch.masks.argmax(1)),
        batch.sample,
        batch.save,
        lambda: batch.observe(0),
        lambda: batch.clone_from(0),
        lambda: batch.determinize(0),
        lambda: pickle.dumps(batch),
    ):
        with pytest.raises(bosquet.BosquetError, match=f"a step did not come to its end.*{words}.*`restore`"):
            use()
    batch.restore(saved)
    for _ in range(9):
        same(batch, twin)
        actions = batch.sample().copy()
        assert (twin.sample() == actions).all()
        batch.step(actions)
        twin.step(actions)


def test_a_stopped_batch_goes_on_once_all_games_that_wait_were_replaced() -> None:
    policy = Failing()
    batch = bosquet.batch("topas", 3, seed=1, threads=1, learner=0, opponents=policy)
    saved, states = batch.save(), [batch.compiled.plain(batch.states, i) for i in range(3)]
    changes: list[Callable[[Any], None]] = [
        lambda where: batch.restore(saved, where),
        lambda where: batch.load_states(states if where is None else [states[i] for i in where], where),
        lambda where: batch.reset(5, where=where),
    ]
    for change, where in itertools.product(changes, [None, [1, 2]]):
        policy.fail = broken
        with pytest.raises(RuntimeError):
            batch.step(batch.masks.argmax(1), where=[1, 2])
        policy.fail = None
        change([0, 2])
        with pytest.raises(bosquet.BosquetError, match="did not come to its end"):
            batch.step(batch.masks.argmax(1))
        change(where)
        assert (batch.seats == 0).all()
        batch.step(batch.masks.argmax(1))


def test_an_illegal_action_of_the_learner_does_not_stop_a_batch_with_opponents() -> None:
    batch = bosquet.batch("topas", 2, seed=1, threads=1, learner=0, opponents=Failing())
    with pytest.raises(ValueError, match="of game 0 is not legal"):
        batch.step([-1, -1])
    batch.step(batch.sample())
