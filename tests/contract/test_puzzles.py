"""Puzzles: those that are shipped are sound, and making them gives the same again."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Collection
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from bosquet.core.errors import BosquetError
from bosquet.core.installed import names, spec
from bosquet.core.rng import Rng
from bosquet.kernels.jit import SWITCH
from bosquet.lab.lock import lock
from bosquet.lab.puzzles import best, grades, making
from bosquet.lab.puzzles.files import STOCK, read, stock
from bosquet.lab.puzzles.puzzle import GRADES, Grade, Puzzle, judge
from bosquet.lab.puzzles.turns import Turn, alike, ladder_of, margin_of, notation, turns
from bosquet.lab.puzzles.wins import MARGIN, is_win
from bosquet.lab.puzzles.writing import regrade, write

EVERY = 24
"""Of the shipped puzzles, the quick run looks at one in this number."""
SHIPPED = [puzzle for game in names() for puzzle in stock(game)]


def test_every_game_with_puzzles_ships_a_small_file_without_repetitions() -> None:
    games = [game for game in names() if spec(game).module("puzzles") is not None]
    assert sorted(games) == ["schlossgarten", "topas", "topiary"]
    sizes = [len(gzip.compress((files(spec(game).package) / STOCK).read_bytes())) for game in games]
    assert sum(sizes) < 450_000, "as a wheel has them"
    assert len({puzzle.id for puzzle in SHIPPED}) == len(SHIPPED)
    assert all(len(stock(game)) >= 61 for game in games), "as many as there are days that can be asked for"
    for game in games:
        counts = Counter(puzzle.grade for puzzle in stock(game))
        assert all(counts[grade] >= 25 for grade in GRADES), f"{game}: a puzzle comes again within 25 days"


def test_a_shipped_puzzle_knows_no_more_than_its_seat() -> None:
    for puzzle in SHIPPED[::EVERY]:
        known = puzzle.read()
        assert known.viewer == known.seat == puzzle.seat
        assert str(known) == puzzle.position
        assert str(puzzle.begun().position(puzzle.seat)) == puzzle.position, "what is hidden is only drawn"


def test_a_grade_is_that_of_the_weakest_bot_that_finds_the_answer_as_all_stronger_ones_do() -> None:
    for puzzle in SHIPPED:
        assert set(puzzle.found_by) == {grades.TRIVIAL, *ladder_of(puzzle.game)}, puzzle.id
        assert all(share * grades.TRIES % 1 == 0 for share in puzzle.found_by.values()), puzzle.id
        assert puzzle.found_by[grades.TRIVIAL] < grades.FOUND, puzzle.id
        finds = [puzzle.found_by[bot] >= grades.FOUND for bot in ladder_of(puzzle.game)]
        assert puzzle.grade == ("easy" if all(finds) else "medium" if all(finds[1:]) else "hard"), puzzle.id


@pytest.mark.parametrize(
    ("finds", "grade"),
    [("246", "easy"), ("46", "medium"), ("6", "hard"), ("", "hard"), ("2", "hard"), ("26", "hard"), ("24", "hard")],
)
def test_what_a_bot_finds_by_chance_is_not_easy(finds: str, grade: Grade) -> None:
    assert grades.grade_of([grades.FOUND if bot in finds else 0.125 for bot in "246"]) == grade


def test_the_strongest_bot_does_not_try_before_an_answer_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = SHIPPED[0]
    weak, strong, _ = ladder_of(puzzle.game)
    right, wrong = puzzle.best.moves, puzzle.second.moves
    found = {"greedy": 0, weak: 2, strong: 2}
    tried = Counter[str]()

    def made_by(_: grades.Tries, bot: str, attempt: int) -> tuple[list[str], bool]:
        tried[bot] += 1
        return (right if attempt < found[bot] else wrong), False

    monkeypatch.setattr(grades.Tries, "_made_by", made_by)
    assert grades.Tries(puzzle).guessed(puzzle.answers) == "easy"
    assert tried == {"greedy": 7, weak: 2, strong: 2}, "no more tries than the grade takes"
    found[weak] = 1
    assert grades.Tries(puzzle).guessed(puzzle.answers) == "medium"
    found[strong] = 1
    assert grades.Tries(puzzle).guessed(puzzle.answers) == "hard"
    found["greedy"] = 2
    assert grades.Tries(puzzle).guessed(puzzle.answers) is None


def test_tries_do_not_depend_on_the_answer() -> None:
    puzzle = next(one for one in SHIPPED if one.task == "best" and one.found_by[grades.TRIVIAL] > 0)
    tries = grades.Tries(msgspec.structs.replace(puzzle, answers=[]))
    assert tries.share(grades.TRIVIAL, puzzle.answers) == puzzle.found_by[grades.TRIVIAL]
    assert tries.share(grades.TRIVIAL, []) == 0.0


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", ["topas", "topiary", "schlossgarten"])
def test_compiled_code_and_plain_python_find_the_same_turns_alike(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(one for one in stock(game) if one.task == "best").begun().state
    compiled = alike(game, state)
    monkeypatch.setenv(SWITCH, "0")
    assert compiled == alike(game, state)


@pytest.mark.parametrize("game", ["topas", "topiary", "schlossgarten"])
def test_a_first_look_names_whole_turns_where_a_search_chooses_their_moves_one_by_one(game: str) -> None:
    puzzle = max((one for one in stock(game) if one.task == "best"), key=lambda one: one.margin)
    state = puzzle.begun().state
    same = alike(game, state)
    asked: list[list[list[str]]] = []

    def is_wanted(turns: list[Turn]) -> bool:
        asked.append([notation(game, state, turn) for turn in turns])
        return True

    looked = best._first_look(game, state, same, Rng("a first look"), is_wanted)
    assert looked is not None
    assert looked[0] in same
    assert asked == [puzzle.answers]


def whole(puzzle: Puzzle, moves: list[str]) -> list[bool | None]:
    """Return what is judged after each move of a turn."""
    game = puzzle.begun()
    judged = []
    for number, move in enumerate(moves, 1):
        game.play(move)
        judged.append(judge(puzzle, game, moves[:number]))
    return judged


def position_after(puzzle: Puzzle, moves: list[str]) -> str:
    game = puzzle.begun()
    for move in moves:
        game.play(move)
    return str(game.position(None))


@pytest.mark.parametrize(
    "looked_at", [SHIPPED[::EVERY], pytest.param(SHIPPED, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_a_shipped_puzzle_has_one_answer_with_a_margin_and_the_second_best_is_wrong(looked_at: list[Puzzle]) -> None:
    for puzzle in looked_at:
        assert puzzle.begun().seat == puzzle.seat
        assert puzzle.best.moves in puzzle.answers, puzzle.id
        for answer in puzzle.answers:
            assert whole(puzzle, answer) == [None] * (len(answer) - 1) + [True], puzzle.id
        assert whole(puzzle, puzzle.second.moves) == [None] * (len(puzzle.second.moves) - 1) + [False], puzzle.id
        if puzzle.task == "win":
            assert puzzle.margin >= MARGIN
        else:
            assert len({position_after(puzzle, answer) for answer in puzzle.answers}) == 1, puzzle.id
            assert puzzle.margin >= max(margin_of(puzzle.game), best.ERRORS * puzzle.error)
        assert puzzle.turns > 1


def test_a_turn_that_wins_at_once_is_told_from_others() -> None:
    """Otherwise a second turn that wins would count as the second best, and the puzzle would be left out."""
    puzzle = next(puzzle for puzzle in SHIPPED if puzzle.task == "win")

    def wins(moves: list[str]) -> bool:
        game, actions = puzzle.begun(), list[int]()
        state = game.state
        for move in moves:
            actions.append(game.spec.notation.parse(game.state, move))
            game.play(move)
        return is_win(puzzle.game, state, tuple(actions))

    assert all(wins(answer) for answer in puzzle.answers)
    assert not wins(puzzle.second.moves)


@pytest.mark.compiled
@pytest.mark.slow
def test_the_grades_are_those_of_the_levels_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / STOCK
    for game in ("schlossgarten", "topas", "topiary"):
        shipped = (files(spec(game).package) / STOCK).read_bytes().splitlines(keepends=True)[:3]
        ungraded = [msgspec.json.decode(line) | {"found_by": {}, "grade": "easy"} for line in shipped[1:]]
        file.write_bytes(shipped[0] + b"".join(msgspec.json.encode(line) + b"\n" for line in ungraded))
        assert len(list(regrade(file))) == len(ungraded)
        assert read(file) == stock(game)[: len(ungraded)]


def test_a_turn_is_judged_when_it_is_complete_however_long_the_answer_is() -> None:
    longer = next(one for one in SHIPPED if one.task == "best" and len(one.second.moves) == 2)
    shorter = msgspec.structs.replace(longer, answers=[["an answer of one move"]])
    assert whole(shorter, longer.second.moves) == [None, False]


@pytest.mark.parametrize("game", ["topas", "topiary"])
def test_the_answer_is_among_the_legal_turns_once(game: str) -> None:
    puzzle = stock(game)[0]
    played = puzzle.begun()
    found = []
    for turn in turns(played.state, game):
        state, said = played.state, []
        for action in turn:
            said.append(played.spec.notation.to_notation(state, action))
            played.spec.rules.play(state, action)
        found.append(said)
    assert found.count(puzzle.best.moves) == found.count(puzzle.second.moves) == 1
    assert len(found) == puzzle.turns


def leads_again(puzzle: Puzzle, batches: int, seed: str) -> list[float]:
    """Return the expected leads after the best turn and after the second best, simulated from another seed."""
    played = puzzle.begun()
    found = []
    for result in (puzzle.best, puzzle.second):
        state, turn = played.state, list[int]()
        for move in result.moves:
            turn.append(played.spec.notation.parse(state, move))
            played.spec.rules.play(state, turn[-1])
        rng = Rng("again", seed, puzzle.id)
        drawn = played.spec.determinize(played.state, puzzle.seat, rng)
        found.append(best._batches(puzzle.game, drawn, tuple(turn), batches, rng).lead)
    return found


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", ["topas", "topiary"])
def test_other_seeds_and_less_search_agree(game: str) -> None:
    for puzzle in stock(game)[:3]:
        leads = leads_again(puzzle, 3, "another seed")
        assert leads[0] - leads[1] > puzzle.margin / 3, puzzle.id


def test_turns_that_lead_to_the_same_position_are_one_answer() -> None:
    puzzle = next(one for one in stock("schlossgarten") if one.task == "best")
    state = puzzle.begun().state
    found = alike(puzzle.game, state)
    assert len(found) == puzzle.turns
    assert sorted(turn for same in found.values() for turn in same) == sorted(turns(state, puzzle.game))
    assert [
        notation(puzzle.game, state, turn)
        for turn in next(same for same in found.values() if notation(puzzle.game, state, same[0]) == puzzle.answers[0])
    ] == puzzle.answers


def test_there_are_no_other_ways_to_win_than_those_kept() -> None:
    for puzzle in stock("schlossgarten")[:1]:
        assert len(turns(puzzle.begun().state, puzzle.game)) == len(puzzle.answers)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_same_settings_make_the_same_file_also_after_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one run has found in a game the other one is told; one game is looked at twice."""
    look, looked = making._of_game, dict[tuple[int, tuple[Grade, ...]], making.Found]()

    def remembered(game: str, seed: int, index: int, wanted: Collection[Grade]) -> making.Found:
        key = index, tuple(wanted)
        if key not in looked:
            looked[key] = look(game, seed, index, wanted)
        return looked[key]

    monkeypatch.setattr(making, "_of_game", remembered)
    straight, stopped = tmp_path / "straight.jsonl", tmp_path / "stopped.jsonl"
    for _ in write(straight, ["topas"], 1, 1):
        pass
    for _, found in write(stopped, ["topas"], 1, 1):
        if found.puzzle is not None:
            break
    assert len(read(stopped)) == 1
    with open(stopped, "ab") as file:
        file.write(b'{"id": "cut')  # as a killed run leaves it
    for _ in write(stopped, ["topas"], 1, 1):
        pass
    assert straight.read_bytes() == stopped.read_bytes()
    (index, wanted), found = next((key, found) for key, found in looked.items() if found.puzzle is not None)
    assert look("topas", 1, index, wanted) == found
    assert Counter(puzzle.grade for puzzle in read(straight)) == dict.fromkeys(GRADES, 1)
    with pytest.raises(BosquetError, match="another seed"):
        next(write(straight, ["topas"], 1, 5))


def test_a_file_that_another_run_writes_is_left_alone(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "puzzles.jsonl"
    path.write_bytes(b"what the other run has made so far\n")
    with open(path, "ab") as file:
        lock(file, path, "file")
        with pytest.raises(BosquetError, match=r"puzzles.jsonl: another run uses this file; wait for it"):
            next(write(path, ["topas"], 2, 1))
    assert path.read_bytes() == b"what the other run has made so far\n"


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    for text, error in [
        (b"", "empty"),
        (b"{", "no file of puzzles"),
        (b'{"format":"x","games":[],"seed":1}', "format"),
    ]:
        file.write_bytes(text)
        with pytest.raises(BosquetError, match=error):
            read(file)
    file.write_bytes(b'{"format":"bosquet-puzzles/1","games":[],"seed":1}\n{"id":3}\n')
    with pytest.raises(BosquetError, match="line 2"):
        read(file)
