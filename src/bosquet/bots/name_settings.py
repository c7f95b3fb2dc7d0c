"""The settings in the name of a bot: `search:250:threads=2` is a search with 250 simulations in two threads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from bosquet.core.errors import OptionError, did_you_mean, quoted

S = TypeVar("S", bound=msgspec.Struct)


def given_in(words: Sequence[str]) -> dict[str, str]:
    """Return the settings in words such as `threads=2`. Raises OptionError for one without a value or given twice."""
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise OptionError(f"{quoted(word)} is no setting, which is written as key=value")
        if key in given:
            raise OptionError(f"`{key}` is given twice")
        given[key] = value
    return given


def converted(given: Mapping[str, str], kind: type[S]) -> S:
    """Return settings of a kind. Raises OptionError for an unknown setting or a wrong value."""
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$.")
        if unknown := re.search(r"unknown field (`.*`)", reason):
            near = did_you_mean(unknown[1].strip("`"), kind.__struct_fields__)
            raise OptionError(f"there is no setting {unknown[1]}{near}") from None
        key = place.rstrip("`")
        expected = reason.removeprefix("Expected ").removesuffix(", got `str`")
        raise OptionError(f"`{key}` is {quoted(given[key])}, expected {expected}") from None
