"""Dicts by name, whose error for another name says which names there are."""

from __future__ import annotations

from typing import Never, TypeVar

from bosquet.core.errors import NoSuchName, listed, quoted

T = TypeVar("T")


class Named(dict[str, T]):
    """A dict whose keys are names of `what`, such as `"agent"`. Raises NoSuchName, a KeyError, for another name."""

    what: str = "name"

    @classmethod
    def of(cls, what: str, values: dict[str, T]) -> Named[T]:
        """Return a dict with these names."""
        named = cls(values)
        named.what = what
        return named

    def __missing__(self, name: object) -> Never:
        raise NoSuchName(f"there is no {self.what} {quoted(name)}; there are {listed(list(self), 100)}")
