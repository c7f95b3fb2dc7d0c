"""The page's types, made of the messages by `python -m bosquet.server.http.typescript`.

Only the checks of the page read them (`web/check` makes them first): types leave nothing in a built page, so the file
is not in git.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from bosquet.core import installed
from bosquet.core.real_game import Counted
from bosquet.core.spec import GameSpec
from bosquet.lab.coach import Decision
from bosquet.lab.luck import Spread
from bosquet.server.http.message_types import message_types
from bosquet.server.table.actions import Ask
from bosquet.server.table.messages import Tell

TARGET = Path(__file__).parents[4] / "web/types/messages.ts"
HEADER = """\
// Made by `python -m bosquet.server.http.typescript` from the messages of the server and the games. Change them there.

"""
UNIONS = {"Ask": Ask, "Tell": Tell}
"""The unions that the page knows by a name."""


def page_games() -> list[GameSpec]:
    """Return the games that the page is built with: those of this package."""
    return [spec for spec in map(installed.spec, installed.names()) if spec.package.startswith("bosquet.")]


def _view_of(spec: GameSpec) -> type:
    """Return the struct that the view of a game is."""
    view: type = get_type_hints(spec.view.view)["return"]
    return view


class Types:
    """The types of the messages, and those that the games add to them."""

    def __init__(self, specs: list[GameSpec]) -> None:
        self.specs = specs
        self.views: dict[type, GameSpec] = {_view_of(spec): spec for spec in specs}
        """The view of each game; its `game` tells the page which one it is. A message holds any of them."""
        self.real_games: dict[type, str] = {
            module.RealGame: f"Real{spec.name.capitalize()}" for spec in specs if (module := spec.real_game) is not None
        }

    def text(self) -> str:
        """Return the text of the page's module of types."""
        reached = [module.ReachableFigures for spec in self.specs if (module := spec.module("reachable")) is not None]
        found: dict[str, inspect.StructType] = {}
        for root in [*message_types(), Counted, Decision, Spread, *self.views, *self.real_games, *reached]:
            self._collect(inspect.type_info(root), found)
        parts = [self._interface(kind) for name, kind in sorted(found.items()) if name != "View"]
        parts.append(f"export type GameName = {' | '.join(_quoted(spec.name) for spec in self.specs)};\n")
        parts.append(f"export type View = {' | '.join(view.__name__ for view in self.views)};\n")
        parts.append(f"export type RealGame = {' | '.join(self.real_games.values())};\n")
        parts += [f"export type {name} = {self._shown(inspect.type_info(union))};\n" for name, union in UNIONS.items()]
        return HEADER + "\n".join(parts)

    def _name(self, kind: inspect.StructType) -> str:
        """Return the name of a struct."""
        return self.real_games.get(kind.cls, kind.cls.__name__)

    def _collect(self, kind: Any, found: dict[str, inspect.StructType]) -> None:
        """Collect all structs that a type is made of."""
        if isinstance(kind, inspect.StructType):
            name = self._name(kind)
            if name not in found:
                found[name] = kind
                for field in kind.fields:
                    self._collect(field.type, found)
        elif isinstance(kind, inspect.UnionType):
            for part in kind.types:
                self._collect(part, found)
        elif isinstance(kind, (inspect.ListType, inspect.VarTupleType)):
            self._collect(kind.item_type, found)
        elif isinstance(kind, inspect.DictType):
            self._collect(kind.value_type, found)

    def _interface(self, kind: inspect.StructType) -> str:
        """Return a struct as an interface. A field that its sender may leave out is optional."""
        lines = [f"export interface {self._name(kind)} {{"]
        if kind.tag is not None:
            lines.append(f"  {kind.tag_field}: {_quoted(kind.tag)};")
        for field in kind.fields:
            may_lack = kind.forbid_unknown_fields or kind.cls.__struct_config__.omit_defaults
            optional = "?" if may_lack and not field.required else ""
            view_of = self.views.get(kind.cls) if field.name == "game" else None
            shown = self._shown(field.type) if view_of is None else _quoted(view_of.name)
            lines.append(f"  {field.encode_name}{optional}: {shown};")
        return "\n".join([*lines, "}", ""])

    def _shown(self, kind: Any) -> str:
        """Return a type in TypeScript."""
        match kind:
            case inspect.Metadata():
                return (kind.extra or {}).get("typescript") or self._shown(kind.type)
            case inspect.StructType():
                return self._name(kind)
            case inspect.UnionType():
                return " | ".join(self._shown(part) for part in kind.types)
            case inspect.ListType() | inspect.VarTupleType():
                inner = self._shown(kind.item_type)
                return f"({inner})[]" if " | " in inner else f"{inner}[]"
            case inspect.DictType():
                return f"Record<{self._shown(kind.key_type)}, {self._shown(kind.value_type)}>"
            case inspect.LiteralType():
                return " | ".join(map(_quoted, kind.values))
            case inspect.StrType():
                return "string"
            case inspect.IntType() | inspect.FloatType():
                return "number"
            case inspect.BoolType():
                return "boolean"
            case inspect.NoneType():
                return "null"
            case inspect.AnyType() | inspect.RawType():
                return "unknown"
        raise TypeError(f"no TypeScript for {kind}")


def _quoted(value: object) -> str:
    """Return a literal value in TypeScript."""
    return msgspec.json.encode(value).decode()


def typescript() -> str:
    """Return the text of the page's module of types."""
    return Types(page_games()).text()


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(typescript(), encoding="utf-8")
