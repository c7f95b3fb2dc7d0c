"""Deals with other boxes, of duels and with proofs: an engine makes, checks and refuses them as Python does."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bosquet
from bosquet.core.errors import OptionError, RecordError
from bosquet.core.game import Game
from bosquet.core.records import duel, fair, record
from bosquet.core.spec import check_options
from bosquet.games.schlossgarten.box import house_box, load_box
from bosquet.games.schlossgarten.constellations import house_rows, turned_rows
from tests.engine.helpers.engines import every_engine
from tests.engine.helpers.node import answers, check
from tests.engine.helpers.questions import SECRET, Question, turn
from tests.engine.helpers.questions import deal as dealt
from tests.helpers.cases import CASES

NONCES = ["1", None, "\u00e4/\U0001f333", ""]
SHUFFLED = random.Random(3).sample(house_rows(), 32)
SOUTH_AND_NORTH = [["a1", "b1", "c1"], ["g7", "f7", "e7"]]
STARTS = {"2": SOUTH_AND_NORTH, "4": [*SOUTH_AND_NORTH, ["a7", "a6", "a5"], ["g1", "g2", "g3"]]}
FILE = {
    "note": "ours",
    "cards": [{"id": 32 - i, "rows": rows, "more": i} for i, rows in enumerate(SHUFFLED)],
    "tiles": [20, 15, 14],
    "starts": STARTS,
}
DEAL = {"deck": SHUFFLED, "tiles": [49, 0, 0], "starts": STARTS["2"]}


def changed(given: Any, value: Any, *path: Any) -> Any:
    """Return a copy with another value at a place."""
    twin = copy.deepcopy(given)
    at = twin
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return twin


def wrong_boxes() -> Iterator[Any]:
    """Yield what looks like a box and is none."""
    value: Any
    yield from ([], [[]], {"note": 1}, {"deck": 1, "cards": 2}, {"decks": SHUFFLED}, {"starts": {"5": []}})
    for value in (None, 3, "x", [], {}, [["K"]], [1.5] * 3, SHUFFLED[:-1]):
        yield from (changed(DEAL, value, key) for key in DEAL)
        yield from (changed(FILE, value, key) for key in FILE if key != "note")
        yield changed(FILE, value, "cards", 5)
        yield from (changed(FILE, value, "cards", 5, key) for key in ("id", "rows"))
        yield from (changed(FILE, value, "starts", number) for number in STARTS)
    for rows in (
        [1],
        ["KGA", "KG"],
        ["KGA."],
        ["KGA..."],
        ["KGAK"],
        ["", ""],
        ["KG"],
        ["..", "K."],
        ["KGX"],
        ["\n"],
        ["🌳"],
    ):
        yield changed(DEAL, rows, "deck", 31)
        yield changed(FILE, rows, "cards", 0, "rows")
    yield from (changed(FILE, number, "cards", 7, "id") for number in (0, 33, 1, True, "1"))
    yield from (changed(DEAL, number, "tiles", 1) for number in (-1, 50, 1, True, None))
    for cell in ("a8", "", None, 1, "a1", "\u200b"):
        yield changed(DEAL, cell, "starts", 1, 2)
        yield changed(FILE, cell, "starts", "4", 3, 0)
    yield changed(DEAL, ["a1"], "starts", 0)


def box_error(box: Any) -> str | None:
    """Return what Python says of a box for two players."""
    try:
        bosquet.spec("schlossgarten").new_state(check_options(bosquet.spec("schlossgarten"), {}), box)
    except OptionError as error:
        return str(error)
    return None


def test_a_game_is_dealt_with_a_box_as_in_python() -> None:
    spec, asked = bosquet.spec("schlossgarten"), list[Question]()
    for players in (2, 3, 4):
        options = {"players": players}
        for box in (FILE, SHUFFLED, {}, *([DEAL] * (players == 2))):
            game = fair.deal(spec, options, SECRET, NONCES[:players], box)
            game.extra[fair.KEY] = fair.statement(SECRET, NONCES[:players])
            normalized = spec.normalized_box(check_options(spec, options), box)
            ask = dealt(options, NONCES[:players]) | {"box": box}
            asked += [
                Question("box", {"options": options, "box": box}, normalized),
                Question("deal", ask, turn(game, can_undo=False)),
                Question("deal", ask | {"box": normalized}, turn(game, can_undo=False)),
                Question("position", {"viewer": 0}, str(game.position(0))),
                Question("record", None, game.record()),
                Question("read", {"record": game.record()}, turn(game, can_undo=False)),
                Question("verify", {"record": game.record()}, None),
                Question("record", None, game.record()),
            ]
    check("schlossgarten", [asked])


def test_what_is_wrong_with_a_box_is_said_as_in_python() -> None:
    wrong = list(wrong_boxes())
    asked = [Question("box", {"options": {}, "box": box}, None) for box in wrong]
    asked += [Question("deal", dealt({}, ["1", "1"]) | {"box": box}, None) for box in wrong[:5]]
    (found,) = answers("schlossgarten", [asked])
    for box, answer in zip([*wrong, *wrong[:5]], found, strict=True):
        assert (answer.get("message") if answer else None) == box_error(box), box
    assert sum(box_error(box) is not None for box in wrong) > 100


def test_a_box_file_is_inspected_place_by_place_with_the_errors_of_python(tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    files = [box for box in wrong_boxes() if isinstance(box, dict) and ("cards" in box or "note" in box)]
    files += [FILE, {"tiles": [1, 2, 3]}, {"starts": changed(STARTS, "a8", "4", 3, 0)}]
    (found,) = answers("schlossgarten", [[Question("inspectBox", {"content": box}, None) for box in files]])
    for box, answer in zip(files, found, strict=True):
        file.write_text(json.dumps(box))
        error = (box_error(file) or "").removeprefix(f"{file}: ").removesuffix(" (positions in [] are counted from 0)")
        assert [one["message"] for one in answer["problems"]][:1] == ([error] if error else []), box
    several = changed(changed(changed(FILE, ["KG"], "cards", 4, "rows"), [1, 2, 3], "tiles"), "x", "starts", "4")
    (found,) = answers("schlossgarten", [[Question("inspectBox", {"content": several | {"decks": []}}, None)]])
    assert [(one["key"], one.get("at")) for one in found[0]["problems"]] == [
        ("", None),
        ("cards", 4),
        ("tiles", None),
        ("starts", 4),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_a_card_that_is_a_turned_other_is_found(seed: int) -> None:
    rng = random.Random(seed)
    rows = rng.sample(house_rows(), 32)
    expected = []
    for card in rng.sample(range(20, 32), 4):
        other, quarters = rng.randrange(20), rng.randrange(4)
        rows[card] = turned_rows(rows[other], quarters)
        expected.append({"card": card + 1, "other": other + 1, "quarters": quarters})
    content = {"cards": [{"id": i + 1, "rows": shown} for i, shown in enumerate(rows)]}
    (found,) = answers("schlossgarten", [[Question("inspectBox", {"content": content}, None)]])
    expected.sort(key=lambda twin: twin["card"])
    assert found[0] == {"problems": [], "twins": expected}


def test_the_box_of_the_house_is_a_box_file() -> None:
    (found,) = answers("schlossgarten", [[Question("houseBox", None, None)]])
    for players in (2, 3, 4):
        assert load_box(found[0], players) == house_box(players)


@every_engine
def test_what_is_wrong_with_an_option_is_said_as_in_python(name: str) -> None:
    known = bosquet.spec(name).options
    wrong = [
        {option: given}
        for option, values in known.items()
        for given in (str(values[-1]), "tru", "Fals", 7, None)
        if given not in values
    ]
    wrong += [{"player": 2}, {"nonsense": 2}]
    (found,) = answers(name, [[Question("deal", dealt(options, ["1", "1"]), None) for options in wrong]])
    for options, answer in zip(wrong, found, strict=True):
        with pytest.raises(OptionError) as error:
            check_options(bosquet.spec(name), options)
        assert answer == {"reason": "argument", "message": str(error.value)}, options


@every_engine
def test_a_game_without_boxes_takes_none(name: str) -> None:
    if bosquet.spec(name).box_keys:
        return
    (found,) = answers(name, [[Question("box", {"options": {}, "box": {}}, None)]])
    with pytest.raises(OptionError) as error:
        bosquet.new(name, box={})
    assert found[0] == {"reason": "argument", "message": str(error.value)}


def test_what_is_wrong_with_the_box_of_a_record_is_said_as_in_python() -> None:
    spec = bosquet.spec("schlossgarten")
    right = fair.deal(spec, {"players": 2}, SECRET, ["1", "1"], DEAL).record()
    wrong = [right | {"deal": right["deal"] | box} for box in wrong_boxes() if isinstance(box, dict)]
    wrong += [changed(right, 1, "deal", "landscape", 0), changed(right, 3, "deal", "landscape", 0)]
    (found,) = answers(spec.name, [[Question("read", {"record": given}, None) for given in wrong]])
    for given, answer in zip(wrong, found, strict=True):
        assert answer.get("message") == error_of(given), given["deal"]


def error_of(given: Any, *, proof: bool = False) -> str | None:
    """Return what is wrong with a record, or with the proof of its deal."""
    try:
        game = record.load(given, bosquet.spec)
        if proof:
            fair.verify(game)
    except RecordError as error:
        return str(error)
    return None


@every_engine
def test_what_lies_open_stays_in_a_duel(name: str) -> None:
    spec, asked = bosquet.spec(name), list[Question]()
    for options in [options for game, options in CASES if game == name]:
        nonces = NONCES[: options["players"]]
        first = fair.deal(spec, options, "ab" * 32, nonces)
        for number, shown in enumerate((first.deal, spec.open_part(first.deal), first.deal)):
            game = fair.deal(spec, options, f"{number}" * 32, nonces, open_as_in=shown)
            game.extra[fair.KEY] = fair.statement(f"{number}" * 32, nonces)
            ask = {"options": options, "secret": f"{number}" * 32, "nonces": nonces, "openAsIn": shown}
            asked += [Question("deal", ask, turn(game, can_undo=False)), Question("record", None, game.record())]
            if options["players"] > 1:
                game.extra[duel.KEY] = {"id": "x", "game": 1, "games": options["players"]}
                asked += [Question("verify", {"record": game.record()}, None)]
    check(name, [asked])


@every_engine
def test_what_is_wrong_with_the_open_part_is_refused(name: str) -> None:
    (key,) = bosquet.spec(name).open_keys
    shown: list[Any] = [{}, {key: 1}, {key: [1] * 49}, {key: "\n"}, {key: ["x"] * 10**5}, [], 3]
    asked = [Question("deal", dealt({}, ["1"] * players_of(name)) | {"openAsIn": other}, None) for other in shown]
    (found,) = answers(name, [asked])
    assert [answer["reason"] for answer in found] == ["record"] * len(shown)


def players_of(name: str) -> int:
    """Return the number of players with the default options."""
    return int(bosquet.spec(name).options["players"][0])


def fair_game(name: str, options: dict[str, Any], *, whole: bool) -> Game:
    """Return a game of random moves with its proof: over, or just after its first shuffle if it has one."""
    rng, nonces = random.Random(5), NONCES[: options["players"]]
    game = fair.deal(bosquet.spec(name), options, SECRET, nonces)
    game.extra = {fair.KEY: fair.statement(SECRET, nonces), "event": {"kept": [1.5, None]}}
    while not game.over:
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
            if not whole:
                break
        else:
            game.play(rng.choice(game.legal()))
    return game


def wrong_proofs(game: Game) -> Iterator[dict[str, Any]]:
    """Yield records of a game with something wrong in what proves its deal."""
    right = game.record()
    said, more = right[fair.KEY], {key: value for key, value in right.items() if key != fair.KEY}
    yield more
    nothing: list[Any] = [None, [], "x", {}]
    yield from (more | {fair.KEY: value} for value in nothing)
    for key in said:
        yield more | {fair.KEY: {name: value for name, value in said.items() if name != key}}
        for value in (*nothing, 3, ["1"] * game.players, [None] * game.players, [3] * game.players):
            yield more | {fair.KEY: said | {key: value}}
    other = "\U0001f333"
    yield more | {fair.KEY: fair.statement(other, said["nonces"])}
    for wrong in (1, {}, {"id": 3}, {"id": "x" * 101, "game": 0, "games": 2}, {"id": "x", "game": 0, "games": 5}):
        yield right | {duel.KEY: wrong}
    yield from (right | {duel.KEY: {"id": "x", "game": number, "games": game.players}} for number in (0, 1, -1, 9, "0"))
    yield right | {duel.KEY: {"id": "x", "game": 0}}
    chance = next((i for i, move in enumerate(game.moves) if move.startswith("pile")), None)
    if chance is not None:  # a shuffle that is possible, but not drawn
        first, second, *others = game.moves[chance].split()[1:]
        yield right | {"moves": [*game.moves[:chance], " ".join(["pile", second, first, *others])], "result": None}


@every_engine
def test_a_proof_is_checked_as_in_python(name: str) -> None:
    given: list[Any] = []
    for options in [options for game, options in CASES if game == name][-2:]:
        given.append(fair_game(name, options, whole=True).record())
    given += wrong_proofs(fair_game(name, options, whole=False))
    asked = [Question("verify", {"record": one}, None) for one in given]
    (found,) = answers(name, [asked])
    for one, answer in zip(given, found, strict=True):
        assert (answer["message"] if answer else None) == error_of(one, proof=True), one
    assert [answer for answer in found if answer is None]
    assert all(answer["reason"] == "record" for answer in found if answer)
