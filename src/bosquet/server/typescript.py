"""The page's types, made of the messages: `python -m bosquet.server.typescript` writes them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from bosquet.games.schlossgarten import SchlossgartenView
from bosquet.games.topas import TopasView
from bosquet.games.topiary import TopiaryView
from bosquet.server import messages

TARGET = Path("web/src/lib/messages.ts")
HEADER = """\
// Made by `python -m bosquet.server.typescript` of src/bosquet/server/messages.py. Change it there.

"""
UNIONS = {"Ask": messages.Ask, "Tell": messages.Tell, "RealGame": messages.RealGame, "Study": messages.Study}
"""The unions that the page knows by a name."""
VIEWS = {"topiary": TopiaryView, "topas": TopasView, "schlossgarten": SchlossgartenView}
"""The view of each game; its `game` tells the page which one it is. A message holds any of them."""
GAMES = {view.__name__: game for game, view in VIEWS.items()}


def typescript() -> str:
    """The text of the page's module of types."""
    roots = [
        value
        for value in vars(messages).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value is not msgspec.Struct
    ]
    kinds: dict[str, inspect.StructType] = {}
    for root in [*roots, *VIEWS.values()]:
        _collect(inspect.type_info(root), kinds)
    parts = [_interface(kind) for name, kind in sorted(kinds.items()) if name != "View"]
    parts.append(f"export type View = {' | '.join(GAMES)};\n")
    parts += [f"export type {name} = {_shown(inspect.type_info(union))};\n" for name, union in UNIONS.items()]
    return HEADER + "\n".join(parts)


def _collect(kind: Any, found: dict[str, inspect.StructType]) -> None:
    """All structs that a type is made of."""
    if isinstance(kind, inspect.StructType):
        name = kind.cls.__name__
        if name not in found:
            found[name] = kind
            for field in kind.fields:
                _collect(field.type, found)
    elif isinstance(kind, inspect.UnionType):
        for part in kind.types:
            _collect(part, found)
    elif isinstance(kind, (inspect.ListType, inspect.VarTupleType)):
        _collect(kind.item_type, found)
    elif isinstance(kind, inspect.DictType):
        _collect(kind.value_type, found)


def _interface(kind: inspect.StructType) -> str:
    """A struct as an interface. A field that a sender may leave out is optional where it is sent by the page."""
    lines = [f"export interface {kind.cls.__name__} {{"]
    if kind.tag is not None:
        lines.append(f'  {kind.tag_field}: "{kind.tag}";')
    for field in kind.fields:
        optional = "?" if kind.forbid_unknown_fields and not field.required else ""
        shown = f'"{GAMES[kind.cls.__name__]}"' if field.name == "game" and kind.cls.__name__ in GAMES else None
        lines.append(f"  {field.encode_name}{optional}: {shown or _shown(field.type)};")
    return "\n".join([*lines, "}", ""])


def _shown(kind: Any) -> str:
    """A type in TypeScript."""
    match kind:
        case inspect.StructType():
            return str(kind.cls.__name__)
        case inspect.UnionType():
            return " | ".join(_shown(part) for part in kind.types)
        case inspect.ListType() | inspect.VarTupleType():
            inner = _shown(kind.item_type)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.DictType():
            return f"Record<{_shown(kind.key_type)}, {_shown(kind.value_type)}>"
        case inspect.LiteralType():
            return " | ".join(msgspec.json.encode(value).decode() for value in kind.values)
        case inspect.StrType():
            return "string"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType():
            return "unknown"
    raise TypeError(f"no TypeScript for {kind}")


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
