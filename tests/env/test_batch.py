"""Batches: every game in them is a game by the rules, whatever the threads, and their arrays are what they say.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core.errors import OptionError
from bosquet.core.game import Game
from bosquet.core.records.record import dump
from bosquet.core.rng import Rng, seed_rng
from bosquet.core.state import CHANCE
from bosquet.env.batch import Batch
from bosquet.env.rewards import rewards
from bosquet.kernels.jit import available
from tests.helpers.cases import every_size
from tests.helpers.rows import each_row

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
DELAYS = 6 * MORE
"""How many interrupts come at different times in what is done to a batch."""
AGAIN = 1.0
"""Seconds after which an interrupt that was ignored comes again."""
ARRAYS = ("observations", "masks", "seats", "rewards", "done", "scores")


def state_of(batch: Batch, i: int) -> Any:
    return batch.compiled.plain(batch.states, i)


def game_of(batch: Batch, i: int) -> Game:
    """The same state as a game of the uncompiled rules, which draws chance events as the batch does."""
    game = Game(batch.compiled.spec, batch.compiled.options, state_of(batch, i), rng=Rng(0))
    assert game.rng is not None
    game.rng.state = [int(word) for word in batch._rng_state[i]]
    return game


def check_shown(batch: Batch, i: int) -> None:
    """What is written for a game is what the encoder says of its state."""
    state, encoder = state_of(batch, i), batch.compiled.encoder
    moves = [0] * batch.compiled.spec.rules.MAX_MOVES
    observation = np.zeros(batch.compiled.observation_size, np.uint8)
    encoder.observe(state, state.seat, observation)
    assert (batch.observations[i] == observation).all()
    assert batch.seats[i] == state.seat
    n = batch.compiled.spec.rules.legal(state, moves)
    expected = sorted(encoder.index_of(state, move) for move in moves[:n])
    assert np.flatnonzero(batch.masks[i]).tolist() == expected
    assert sorted(batch.legal_actions[i, : batch.legal_counts[i]].tolist()) == expected


@every_size
def test_steps_are_those_of_the_rules(name: str, options: dict[str, Any]) -> None:
    """Every game is followed by a plain one: same states, same ends, same rewards."""
    n = 3 * MORE
    batch = bosquet.batch(name, n, seed=4, threads=1, reward="points", keep_last=True, **options)
    followers, ended = [game_of(batch, i) for i in range(n)], 0
    while ended < n:
        actions = batch.sample().copy()
        indices = [
            batch.compiled.encoder.action_at(game.state, int(a)) for game, a in zip(followers, actions, strict=True)
        ]
        for game, action in zip(followers, indices, strict=True):
            game.play(game.spec.notation.to_notation(game.state, action))
        batch.step(actions)
        for i, game in enumerate(followers):
            assert batch.done[i] == game.over
            if game.over:
                ended += 1
                assert batch.scores[i].tolist() == game.scores
                assert batch.rewards[i].tolist() == pytest.approx(rewards("points", game.scores, game.winners))
                for seat in range(game.players):
                    last = np.zeros(batch.compiled.observation_size, np.uint8)
                    batch.compiled.encoder.observe(game.state, seat, last)
                    assert (batch.last[i, seat] == last).all()
                followers[i] = game_of(batch, i)
            else:
                assert not batch.rewards[i].any()
                assert state_of(batch, i) == game.state
            if i == 0:
                check_shown(batch, i)
        if name == "schlossgarten" and MORE == 1 and min(state_of(batch, i).turn for i in range(n)) > 40:
            break  # random play of it is long


@every_size
def test_games_do_not_depend_on_threads_or_the_size_of_the_batch(name: str, options: dict[str, Any]) -> None:
    one = bosquet.batch(name, 6, seed=9, threads=1, **options)
    two = bosquet.batch(name, 9, seed=9, threads=3, **options)
    steps = 60 if available() else 10
    for _ in range(steps):
        for array in ARRAYS:
            assert (getattr(one, array) == getattr(two, array)[:6]).all()
        one.step(one.sample())
        two.step(two.sample())
    two.close()
    again = bosquet.batch(name, 6, seed=8, threads=1, **options)
    again.reset(9)
    for _ in range(steps):
        again.step(again.sample())
    assert (again.observations == one.observations).all()


def test_a_long_game_rolls_its_own_chance() -> None:
    """A game of Schlossgarten is shuffled anew many times; the plain game comes to the same end."""
    batch = bosquet.batch("schlossgarten", 1, seed=3, threads=1, players=4)
    game = game_of(batch, 0)
    while not game.over:
        actions = batch.sample()
        action = batch.compiled.encoder.action_at(game.state, int(actions[0]))
        game.play(game.spec.notation.to_notation(game.state, action))
        batch.step(actions)
        assert game.state.seat != CHANCE
    assert batch.done[0]
    assert batch.scores[0].tolist() == game.scores
    assert any(move.startswith("pile") for move in game.moves)


@every_size
def test_a_batch_without_masks_lists_the_same_actions(name: str, options: dict[str, Any]) -> None:
    masked = bosquet.batch(name, 5, seed=9, threads=1, **options)
    listed = bosquet.batch(name, 5, seed=9, threads=2, masks=False, **options)
    assert listed.masks.shape == (0, masked.actions)
    for _ in range(60 if available() else 10):
        for batch in (masked, listed):
            for i, (row, n) in enumerate(zip(batch.legal_actions, batch.legal_counts, strict=True)):
                assert sorted(row[:n].tolist()) == np.flatnonzero(masked.masks[i]).tolist()
        assert (masked.observations == listed.observations).all()
        actions = masked.sample().copy()
        assert (listed.sample() == actions).all()
        masked.step(actions)
        listed.step(actions)
    for shown in (listed.legal_actions, listed.legal_counts, masked.legal_counts):
        assert not shown.flags.writeable
    wrong = listed.sample().copy()
    wrong[4] = next(a for a in range(listed.actions) if not masked.masks[4, a])
    with pytest.raises(ValueError, match="of game 4 is not legal"):
        listed.step(wrong)
    listed.close()


def test_play_makes_the_steps_that_samples_would_make() -> None:
    one, other = (bosquet.batch("topiary", 5, seed=2, threads=1) for _ in range(2))
    one.play(40)
    for _ in range(40):
        other.step(other.sample())
    assert same(snapshot(one), snapshot(other))


def test_play_with_greedy_makes_the_moves_of_the_bot() -> None:
    batch = bosquet.batch("topiary", 3, seed=2, threads=1)
    followers = [game_of(batch, i) for i in range(3)]
    words = [[int(word) for word in row] for row in batch._sampling_rng_state]
    batch.play(1, "greedy")
    greedy, moves = bosquet.spec("topiary").greedy_action, [0] * 100
    assert greedy is not None
    for i, game in enumerate(followers):
        game.play(game.spec.notation.to_notation(game.state, greedy(game.state, words[i], moves)))
        assert game.state == state_of(batch, i)


@pytest.mark.parametrize(("steps", "policy"), [(-1, "random"), (1, "level1"), (1.5, "random")])
def test_play_refuses_other_numbers_and_policies(steps: Any, policy: str) -> None:
    with pytest.raises(OptionError, match=r"steps is|policy is"):
        bosquet.batch("topiary", 2).play(steps, policy)


def test_a_policy_is_given_masks() -> None:
    with pytest.raises(OptionError, match="masks is False; opponents that are a policy are given masks"):
        bosquet.batch("topiary", 2, masks=False, learner=0, opponents=lambda observations, masks, seats, games: seats)


@every_size
def test_others_play_for_themselves(name: str, options: dict[str, Any]) -> None:
    learner = options["players"] - 1
    batch = bosquet.batch(name, 4, seed=2, learner=learner, **options)
    steps = 200 if available() else 5
    for _ in range(steps):
        assert (batch.seats == learner).all()
        batch.step(batch.sample())
    check_shown(batch, 0)
    batch.close()


@each_row("wrong", [-1, 114, 10**9, 60])
def test_an_illegal_action_changes_nothing(wrong: int) -> None:
    batch = bosquet.batch("topiary", 5, seed=1)
    before = {array: getattr(batch, array).copy() for array in ARRAYS}
    actions = batch.sample().copy()
    actions[3] = wrong
    with pytest.raises(
        ValueError, match=r"action .* of game 3 is not legal; legal are the first \d+ of legal_actions\[3\]"
    ):
        batch.step(actions)
    assert all((before[array] == getattr(batch, array)).all() for array in ARRAYS)
    batch.step(batch.sample())
    batch.close()


@each_row("actions", [[1.0] * 5, [1] * 4, 3, [[1] * 5], ["a"] * 5])
def test_actions_of_another_form_are_refused(actions: Any) -> None:
    batch = bosquet.batch("topiary", 5, seed=1, threads=1)
    with pytest.raises(ValueError, match="they must be 5 whole numbers"):
        batch.step(actions)


@each_row(
    ("settings", "words"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 2.5}, "n is 2.5"),
        ({"threads": 0}, "threads is 0"),
        ({"masks": "x"}, 'masks is "x"; it must be True or False'),
        ({"keep_last": 1}, "keep_last is 1; it must be True or False"),
        ({"opponents": "greedy"}, 'opponents is "greedy", but all seats learn; leave it out'),
        ({"opponents": "random"}, "all seats learn"),
        ({"learner": 2}, "seats are 0 to 1"),
        ({"reward": "gold"}, 'reward is "gold"'),
        ({"players": 7}, "players is 7"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"colour": 1}, "no option"),
    ],
)
def test_settings_that_are_wrong_are_named(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        bosquet.batch("topiary", **settings)
    with pytest.raises(bosquet.OptionError, match="there is no game"):
        bosquet.batch("chess")


@pytest.mark.slow
@pytest.mark.compiled
def test_arrays_stay_the_same_and_go_to_others_without_a_copy() -> None:
    batch = bosquet.batch("topas", 4, seed=1, threads=2)
    arrays = {array: getattr(batch, array) for array in ARRAYS}
    shared = {array: np.from_dlpack(kept) for array, kept in arrays.items()}
    gems = batch.parts["gems"]
    for _ in range(30):
        batch.step(batch.sample())
    for array, kept in arrays.items():
        assert getattr(batch, array) is kept
        assert np.shares_memory(shared[array], kept)
    assert np.shares_memory(gems, batch.observations)
    assert gems.shape == (4, 4, 34, 34)
    assert (gems.astype(int).sum(axis=(1, 2, 3)) > 0).all()
    batch.close()


def first_legal(observations: Any, masks: Any, seats: Any, games: Any) -> Any:
    return masks.argmax(1)


@each_row(("opponents", "threads"), [("random", 1), (first_legal, 3), ("search:1", 1)])
def test_a_step_does_not_change_what_was_sampled(opponents: Any, threads: int) -> None:
    """Who logs observations and actions after the step logs the actions that were taken."""
    with bosquet.batch("topas", 6, seed=1, threads=threads, learner=1, opponents=opponents) as batch:
        for _ in range(4):
            actions = batch.sample()
            before = actions.copy()
            batch.step(actions)
            assert (actions == before).all()
            batch.step(batch.legal_actions[:, 0].copy())
            assert (actions == before).all()
            assert batch.sample() is actions


def test_sampling_is_uniform() -> None:
    """Over many draws from one position every legal action comes about equally often."""
    batch = bosquet.batch("topiary", 1, seed=6, threads=1)
    legal = np.flatnonzero(batch.masks[0])
    drawn = np.bincount([int(batch.sample()[0]) for _ in range(200 * len(legal))], minlength=batch.actions)
    assert drawn.sum() == drawn[legal].sum()
    chi_square = ((drawn[legal] - 200) ** 2 / 200).sum()
    assert chi_square < 3 * len(legal)


# --- threads, ends and what callers may pass ---


def run_script(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own, which is killed if it hangs."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(text), encoding="utf-8")
    return subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=100)


@pytest.mark.slow
@pytest.mark.compiled
def test_threads_that_fell_asleep_are_woken() -> None:
    one = bosquet.batch("topiary", 9, seed=2, threads=1)
    with bosquet.batch("topiary", 9, seed=2, threads=3) as three:
        for pause in (0, 0, 0.05, 0, 0.02, 0):
            time.sleep(pause)
            one.step(one.sample())
            three.step(three.sample())
            assert (one.observations == three.observations).all()
            actions = three.sample().copy()
            assert (one.sample() == actions).all()
            actions[7] = np.flatnonzero(~three.masks[7])[0]
            with pytest.raises(ValueError, match="of game 7 is not legal"):
                three.step(actions)
            assert (one.observations == three.observations).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_steps_a_batch_with_threads(tmp_path: Path) -> None:
    done = run_script(
        tmp_path,
        """
        import os, signal, warnings
        import bosquet
        warnings.simplefilter("ignore")
        batch = bosquet.batch("topiary", 8, seed=1, threads=2)
        batch.step(batch.sample())
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            batch.step(batch.sample())
            os._exit(int(batch.observations.sum()) % 200)
        batch.step(batch.sample())
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == int(batch.observations.sum()) % 200
        print("both stepped")
        """,
    )
    assert done.stdout == "both stepped\n", done.stderr


@pytest.mark.compiled
def test_a_batch_that_is_dropped_leaves_no_threads_and_no_arrays() -> None:
    for _ in range(3):
        before = threading.enumerate()  # those of other tests may end meanwhile
        batch = bosquet.batch("topiary", 8, seed=1, threads=3)
        batch.step(batch.sample())
        started = [thread for thread in threading.enumerate() if thread not in before]
        assert len(started) == 2
        observations = weakref.ref(batch.observations)
        del batch
        gc.collect()
        assert observations() is None
        for thread in started:
            thread.join(10)
            assert not thread.is_alive()


@pytest.mark.compiled
@each_row("threads", [1, 2])
def test_a_closed_batch_refuses_steps(threads: int) -> None:
    with bosquet.batch("topiary", 8, seed=1, threads=threads) as batch:
        actions = batch.sample()
        batch.step(actions)
    for use in (lambda: batch.step(batch.sample()), lambda: batch.reset(1), lambda: batch.__enter__()):
        with pytest.raises(bosquet.BosquetError, match="the batch is closed"):
            use()
    batch.close()  # a second time changes nothing


@pytest.mark.compiled
def test_states_are_read_only() -> None:
    """States that somebody wrote would not go with masks and observations, and illegal actions would pass."""
    batch = bosquet.batch("topas", 2, seed=1, threads=1)
    with pytest.raises(ValueError, match="read-only"):
        batch.states["seat"][0] = 1
    with pytest.raises(ValueError, match="read-only"):
        batch.states[0] = batch.states[1]
    with pytest.raises(AttributeError):
        batch.states = batch.states  # type: ignore[misc]


def test_states_are_copies_without_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSQUET_JIT", "0")
    batch = bosquet.batch("topiary", 2, seed=1)
    batch.states[0].seat = 7
    assert [state.seat for state in batch.states] == batch.seats.tolist()


def test_numpy_integers_are_whole_numbers() -> None:
    two = np.int64(2)
    one = bosquet.batch("topiary", n=two, seed=two, threads=np.int32(1), players=two, learner=np.int8(1))
    other = bosquet.batch("topiary", n=2, seed=2, threads=1, players=2, learner=1)
    assert (one.observations == other.observations).all()
    one.reset(np.uint8(3))
    other.reset(3)
    assert (one.observations == other.observations).all()
    game = bosquet.new("topiary", players=two, seed=np.int64(7))
    assert game.record() == bosquet.new("topiary", players=2, seed=7).record()
    assert json.loads(dump(game)) == game.record()
    for wrong in (True, np.True_, np.float64(2), 2.0, "2"):
        with pytest.raises(bosquet.OptionError):
            bosquet.new("topiary", players=wrong)
        with pytest.raises(bosquet.OptionError):
            bosquet.new("topiary", seed=wrong)  # type: ignore[arg-type]
        with pytest.raises(bosquet.OptionError):
            bosquet.batch("topiary", n=wrong)  # type: ignore[arg-type]


def step(batch: Batch) -> None:
    batch.step(batch.legal_actions[:, 0])


CHANGES: dict[str, Callable[[Batch], object]] = {
    "step": step,
    "step of some": lambda batch: batch.step(batch.legal_actions[:, 0], where=range(0, batch.n, 2)),
    "sample": lambda batch: batch.sample(),
    "reset": lambda batch: batch.reset(5),
    "reset of some": lambda batch: batch.reset(5, where=[0, 3]),
    "determinize": lambda batch: batch.determinize(1, range(batch.n)),
    "load": lambda batch: batch.load_states(batch.states),
    "clone": lambda batch: batch.clone_from(2),
    "observe": lambda batch: batch.observe(1),
}

with_timers = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers that interrupt")


@pytest.mark.compiled
@with_timers
@each_row("threads", [1, 2, 3])
def test_an_interrupt_comes_before_or_after_what_is_done_to_a_batch(threads: int) -> None:
    for (name, change), number in itertools.product(CHANGES.items(), range(DELAYS)):
        with batches(threads, change) as (batch, twin):
            for _ in range(changes_until_interrupted(batch, change, number)):
                change(twin)
            if whole_of(batch) != whole_of(twin):
                change(twin)
            for _ in range(2):
                assert whole_of(batch) == whole_of(twin), name
                step(batch)
                step(twin)


@pytest.mark.compiled
@with_timers
@each_row("threads", [1, 2])
def test_interrupted_play_has_made_whole_steps(threads: int) -> None:
    """As between `sample` and `step`, actions may have been drawn that are not made."""
    for number in range(DELAYS):
        with batches(threads, lambda batch: batch.play(1)) as (batch, twin):
            twin.play(changes_until_interrupted(batch, lambda batch: batch.play(1), number))
            if not same(snapshot(batch), snapshot(twin)):
                twin.play(1)
            assert same(snapshot(batch), snapshot(twin))
            step(batch)


@contextmanager
def batches(threads: int, change: Callable[[Batch], object]) -> Iterator[tuple[Batch, Batch]]:
    """Yield a batch with threads and one without; all that a change needs is compiled."""
    for used in (1, threads):
        with bosquet.batch("topiary", 300, seed=1, threads=used) as batch:
            change(batch)
            step(batch)
    with (
        bosquet.batch("topiary", 300, seed=1, threads=threads) as batch,
        bosquet.batch("topiary", 300, seed=1, threads=1) as twin,
    ):
        yield batch, twin


def changes_until_interrupted(batch: Batch, change: Callable[[Batch], object], number: int) -> int:
    """Change a batch until an interrupt comes, each `number` after another time; return how often it was changed.

    It may have been changed once more when the interrupt came.
    """
    made = 0

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        # It comes again where Python has ignored it, as in a callback of the garbage collector.
        signal.setitimer(signal.ITIMER_REAL, 0.0005 + 0.00037 * number, AGAIN)
        while True:
            change(batch)
            made += 1
    except KeyboardInterrupt:
        return made
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def whole_of(batch: Batch) -> bytes:
    """Return everything that a batch shows, and its coming chance."""
    shown = [getattr(batch, array).tobytes() for array in (*ARRAYS, "winners", "legal_counts")]
    return pickle.dumps((shown, batch.save()))


# --- for planners: games that are dealt again, saved and brought back; what other seats see ---


def snapshot(batch: Batch) -> list[Any]:
    return [*(getattr(batch, array).copy() for array in ARRAYS), [state_of(batch, i) for i in range(batch.n)]]


def same(one: list[Any], other: list[Any], rows: Any = slice(None)) -> bool:
    """Whether two snapshots are equal in some games."""
    states = [np.array(snapshot[-1], object)[rows].tolist() for snapshot in (one, other)]
    return states[0] == states[1] and all((a[rows] == b[rows]).all() for a, b in zip(one[:-1], other[:-1], strict=True))


def steps(batch: Batch, number: int) -> None:
    for _ in range(number):
        batch.step(batch.sample())


@every_size
def test_saved_games_come_back_with_their_chance(name: str, options: dict[str, Any]) -> None:
    """Games go on from there as they did: same draws, same chance, same ends."""
    batch = bosquet.batch(name, 6, seed=3, threads=1, keep_last=True, **options)
    number = 80 if available() else 12
    steps(batch, number)
    saved, before = batch.save(), snapshot(batch)
    steps(batch, number)
    later = snapshot(batch)
    assert not same(before, later)
    batch.restore(saved)
    assert same(before, snapshot(batch))
    steps(batch, number)
    assert same(later, snapshot(batch))
    twin = bosquet.batch(name, 6, seed=8, threads=2, keep_last=True, **options)
    twin.restore(pickle.loads(pickle.dumps(saved)))
    steps(twin, number)
    assert same(later, snapshot(twin))
    check_shown(twin, 2)
    twin.close()


@each_row(
    ("where", "rows"),
    [
        ([1, 3], [1, 3]),
        ([4, 0, 1], [0, 1, 4]),
        ([False, True, False, False, True], [1, 4]),
        ([], []),
        (range(5), range(5)),
    ],
)
def test_some_games_are_dealt_again_or_brought_back(where: Any, rows: list[int]) -> None:
    batch = bosquet.batch("topiary", 5, seed=3, threads=1)
    others = [i for i in range(5) if i not in rows]
    saved, start = batch.save(), snapshot(batch)
    steps(batch, 9)
    before = snapshot(batch)
    batch.restore(saved, where)
    assert same(start, snapshot(batch), rows)
    assert same(before, snapshot(batch), others)
    steps(batch, 2)
    before = snapshot(batch)
    batch.reset(3, where=where)
    assert same(start, snapshot(batch), rows)
    assert same(before, snapshot(batch), others)
    check_shown(batch, 1)
    steps(batch, 30)


def test_each_game_may_have_a_seed_of_its_own() -> None:
    batch = bosquet.batch("schlossgarten", 5, seed=3, threads=1)
    batch.reset(where=[3, 1], seeds=[70, np.int64(9)])
    for i, seed in ((3, 70), (1, 9)):
        alone = bosquet.batch("schlossgarten", 1, threads=1)
        alone.reset(seeds=[seed])
        assert state_of(batch, i) == state_of(alone, 0)
    for _ in range(40):
        action = batch.sample().copy()
        assert action[1] == alone.sample()[0]
        batch.step(action)
        alone.step(action[1:2])
    assert state_of(batch, 1) == state_of(alone, 0)


@every_size
def test_any_seat_can_be_observed(name: str, options: dict[str, Any]) -> None:
    batch = bosquet.batch(name, 5, seed=3, threads=2, **options)
    steps(batch, 7)
    assert (batch.observe(batch.seats) == batch.observations).all()
    for seat in range(batch.players):
        seen = batch.observe(seat)
        for i in range(5):
            expected = np.zeros(batch.compiled.observation_size, np.uint8)
            batch.compiled.encoder.observe(state_of(batch, i), seat, expected)
            assert (seen[i] == expected).all()
    batch.close()


def test_a_game_is_cloned() -> None:
    batch = bosquet.batch("schlossgarten", 5, seed=3, threads=1)
    steps(batch, 20)
    before = snapshot(batch)
    batch.clone_from(np.int64(2), [4, 0])
    assert same(before, snapshot(batch), [1, 2, 3])
    for _ in range(60):
        assert state_of(batch, 0) == state_of(batch, 2) == state_of(batch, 4)
        assert (batch.masks[0] == batch.masks[4]).all()
        action = batch.sample().copy()
        action[[0, 4]] = action[2]
        batch.step(action)
    batch.clone_from(0)
    assert all(state_of(batch, i) == state_of(batch, 0) for i in range(5))


@every_size
def test_what_a_seat_cannot_see_is_replaced(name: str, options: dict[str, Any]) -> None:
    """As the rules do it with the same random numbers; what the seat sees stays."""
    batch = bosquet.batch(name, 4, seed=3, threads=1, **options)
    steps(batch, 5)
    batch.clone_from(0)
    batch.observations[2] = 0
    seat = int(batch.seats[0])
    seen, before = batch.observe(seat), snapshot(batch)
    batch.determinize(seat, [5, 6, 5], where=[1, 2, 3])
    assert same(before, snapshot(batch), [0])
    assert (batch.observe(seat) == seen).all()
    assert (batch.observations == seen[0]).all()
    assert state_of(batch, 1) == state_of(batch, 3)
    for i, seed in ((1, 5), (2, 6)):
        expected = before[-1][i].copy()
        batch.compiled.spec.rules.determinize_in_place(expected, seat, seed_rng(seed, "determinize"))
        assert state_of(batch, i) == expected
    assert state_of(batch, 1) != state_of(batch, 2)
    batch.determinize(batch.seats)
    assert (batch.observe(seat) == seen).all()
    batch.determinize(seat, np.arange(4))
    assert (batch.observe(seat) == seen).all()


@each_row(
    ("use", "words"),
    [
        (lambda batch: batch.observe(2), "seats are 0 to 1"),
        (lambda batch: batch.observe([0, 1, 7]), "^seat is 7; seats are 0 to 1$"),
        (lambda batch: batch.determinize([0, -1, 0]), "^seat is -1; seats are 0 to 1$"),
        (lambda batch: batch.observe([0, 1]), "one for each of the 3 games"),
        (lambda batch: batch.observe(0.5), "must be a seat"),
        (lambda batch: batch.reset(where=[3]), "names game 3; games are 0 to 2"),
        (lambda batch: batch.reset(where=[-1]), "names game -1"),
        (lambda batch: batch.reset(where=[1, 1]), "different indices"),
        (lambda batch: batch.reset(where=[True]), "different indices of games, or 3 truth values"),
        (lambda batch: batch.reset(where=[0.5]), "different indices"),
        (lambda batch: batch.reset(seeds=[1, 2]), "it must be 3 whole numbers"),
        (lambda batch: batch.reset(seeds=[1, 2, "x"]), r'seeds\[2\] is "x"; it must be 3 whole numbers'),
        (lambda batch: batch.reset(seeds=[1.5, 2, 3]), r"seeds\[0\] is 1.5"),
        (lambda batch: batch.parts["nope"], 'there is no part "nope"; there are type, size, '),
        (lambda batch: batch.reset(seeds=7), "seeds is 7; it must be 3 whole numbers, one for each game"),
        (lambda batch: batch.reset(seeds=np.array(7)), "it must be 3 whole numbers"),
        (lambda batch: batch.determinize(0, 5), "seeds is 5; it must be 3"),
        (lambda batch: batch.reset(seeds=7, where=[]), "it must be 0 whole numbers"),
        (lambda batch: batch.reset(7, seeds=[1, 2, 3]), "not both"),
        (lambda batch: batch.restore(bosquet.batch("topiary", 4, threads=1).save()), "another size"),
        (lambda batch: batch.restore(bosquet.batch("topas", 3, threads=1).save()), "another game"),
        (lambda batch: batch.restore(batch.states), "saved by a batch"),
        (lambda batch: batch.clone_from(3), "games are 0 to 2"),
        (lambda batch: batch.clone_from(True), "game is true"),
        (lambda batch: batch.determinize(2), "seats are 0 to 1"),
        (lambda batch: batch.determinize(0, [1, 2]), "it must be 3 whole numbers"),
    ],
)
def test_what_a_planner_asks_wrongly_changes_nothing(use: Callable[[Batch], Any], words: str) -> None:
    batch = bosquet.batch("topiary", 3, seed=1, threads=1)
    before = snapshot(batch)
    with pytest.raises(OptionError, match=words):
        use(batch)
    assert same(before, snapshot(batch))
    batch.close()
    with pytest.raises(bosquet.BosquetError, match="the batch is closed"):
        batch.restore(batch.save())


def test_games_that_wait_for_another_seat_than_the_learner_are_not_brought_back() -> None:
    with (
        bosquet.batch("topas", 4, seed=1) as everybody,
        bosquet.batch("topas", 4, seed=2, learner=1) as second,
    ):
        saved, before = everybody.save(), snapshot(second)
        with pytest.raises(OptionError, match="game 0 was saved when seat 0 was to move, here the learner is seat 1"):
            second.restore(saved)
        assert same(before, snapshot(second))
        second.load_states(saved.states)
        assert (second.seats == 1).all()
        everybody.step(everybody.sample())
        second.restore(everybody.save(), [2])
        assert (second.observations[2] == everybody.observations[2]).all()
