"""Dealing that can be checked: the same secret and nonces give the same game, anything else is found out."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import bosquet
from bosquet.core.game import Game
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from tests.helpers.cases import every_size, is_dealt_by_chance
from tests.helpers.command_line import cli
from tests.helpers.rows import each_row

SECRET = "5" * 64
OTHER = "6" * 64


def fairly_dealt(name: str, options: dict[str, Any]) -> tuple[Game, list[str | None]]:
    nonces: list[str | None] = [None if seat % 2 else f"{seat:032x}" for seat in range(options["players"])]
    return fair.deal(bosquet.spec(name), options, SECRET, nonces), nonces


def fair_record(name: str, options: dict[str, Any], plies: int = 60) -> dict[str, Any]:
    game, nonces = fairly_dealt(name, options)
    rng = Rng(name)
    while not game.over and len(game.moves) < plies:
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
        else:
            game.play(rng.choice(game.legal()))
    return game.record() | {fair.KEY: fair.statement(SECRET, nonces)}


@every_size
def test_a_fair_deal_is_verified_and_another_is_found_out(name: str, options: dict[str, Any]) -> None:
    record = fair_record(name, options)
    fair.verify(bosquet.load(record))
    again, nonces = fairly_dealt(name, options)
    assert again.deal == record["deal"]
    if not is_dealt_by_chance(name, options):
        return
    for secret, added in ((OTHER, nonces), (SECRET, ["a" * 32, *nonces[1:]]), (SECRET, [*nonces[:-1], "b" * 32])):
        assert fair.deal(bosquet.spec(name), options, secret, added).deal != record["deal"]
        said = record | {fair.KEY: fair.statement(secret, added)}
        with pytest.raises(bosquet.RecordError, match="is not what secret and nonces give"):
            fair.verify(bosquet.load(said))


def test_a_promise_that_is_not_kept_is_found_out() -> None:
    record = fair_record("topas", {"players": 2})
    record[fair.KEY]["commitment"] = fair.commitment(OTHER)
    with pytest.raises(bosquet.RecordError, match="is not that of the secret"):
        fair.verify(bosquet.load(record))


@each_row(
    ("said", "message"),
    [
        (None, "fair"),
        ([], "must be an object"),
        ({}, "secret"),
        ({"secret": 5}, "must be text"),
        ({"secret": SECRET}, "nonces"),
        ({"secret": SECRET, "nonces": [None]}, "it must have 2"),
        ({"secret": SECRET, "nonces": [None, 5]}, "text or null"),
        ({"secret": SECRET, "nonces": [None, None]}, "commitment"),
    ],
)
def test_a_statement_that_is_none_says_what_is_wrong(said: Any, message: str) -> None:
    record = fair_record("topas", {"players": 2}) | {fair.KEY: said}
    if said is None:
        del record[fair.KEY]
    with pytest.raises(bosquet.RecordError, match=message):
        fair.verify(bosquet.load(record))


def test_every_shuffle_is_verified() -> None:
    """The pile of Schlossgarten is shuffled when it is empty: after 31 turns of two."""
    options = {"players": 2}
    game, nonces = fairly_dealt("schlossgarten", options)
    while not any(move.startswith("pile") for move in game.moves):
        if game.chance_due:
            fair.sample_chance(game, SECRET, nonces)
        else:
            calm = [move for move in game.legal() if move.split()[0] in ("stop", "end", "card")]
            game.play(calm[0])
    record = game.record() | {fair.KEY: fair.statement(SECRET, nonces)}
    fair.verify(bosquet.load(record))
    at = next(i for i, move in enumerate(record["moves"]) if move.startswith("pile"))
    first, *cards = record["moves"][at].split()
    swapped = copy.deepcopy(record)
    swapped["moves"][at] = " ".join([first, cards[-1], *cards[1:-1], cards[0]])
    swapped["moves"] = swapped["moves"][: at + 1]
    with pytest.raises(bosquet.RecordError, match=f"ply {at}"):
        fair.verify(bosquet.load(swapped))


def test_the_command_line_verifies(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    good = fair_record("topiary", {"players": 2})
    bad = good | {fair.KEY: fair.statement(OTHER, good[fair.KEY]["nonces"])}
    file.write_text(json.dumps(good) + "\n")
    done = cli("replay", file, "--verify-deal")
    assert (done.returncode, done.stdout) == (0, "1 records, all right, dealt as promised\n")
    file.write_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n")
    done = cli("replay", file, "--verify-deal")
    assert done.returncode == 1
    assert done.stderr.startswith(f"{file}:2: deal.")
    assert "Traceback" not in done.stderr


def test_secrets_are_never_the_same() -> None:
    assert len({fair.fresh_secret() for _ in range(50)}) == 50
    assert len(fair.fresh_secret()) == 64
