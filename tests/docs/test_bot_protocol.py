"""docs/bot-protocol.md names every message with its fields, and the examples in it are messages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec

from bosquet.bots import outside, protocol
from bosquet.bots.program import MOST_BYTES, START_SECONDS

PAGE = (Path(__file__).parents[2] / "docs/bot-protocol.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE)
"""The messages of both tables with the text of their fields."""


def fields(direction: object, without: set[str]) -> list[tuple[str, set[str]]]:
    return [
        (str(message.__struct_config__.tag), set(message.__struct_fields__) - without)
        for message in get_args(direction)
    ]


def test_every_message_is_there_with_its_fields() -> None:
    documented = [(name, set(re.findall(r"`(\w+)`", text)) - {"players"}) for name, text in ROWS]
    expected = fields(protocol.ToBot, {"name"}) + fields(protocol.FromBot, {"bosquet"})
    assert sorted(documented) == sorted(expected)


def test_examples_are_messages() -> None:
    found = re.findall(r"^([<>]) ({.*})$", PAGE, re.MULTILINE)
    assert len(found) >= 6
    for side, text in found:
        msgspec.json.decode(text, type=protocol.ToBot if side == ">" else protocol.FromBot)


def test_limits_are_those_of_the_program() -> None:
    limits = outside.DEFAULT_LIMITS
    assert f"within {START_SECONDS:g} seconds" in PAGE
    assert f"`--bot-seconds` ({limits.seconds:g})" in PAGE
    assert f"`--bot-memory` ({limits.mebibytes} MiB)" in PAGE
    assert f"wrote more than {MOST_BYTES} bytes" in PAGE
    assert f"version {protocol.VERSION} of the protocol" in PAGE
