"""Write the reference pages that are made of the program into `reference/`. Sphinx calls this before it reads pages."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer.main
from msgspec import Meta, Struct
from rich.markup import render

from bosquet.cli import app
from bosquet.core.ending import How
from bosquet.server.http.message_types import message_types

FOLDER = Path(__file__).parent / "reference"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Result(Struct):
    """How a game ended. More keys are allowed."""

    scores: list[int]
    winners: list[int]


class Ending(Struct):
    """How a game ended other than by its rules; a void one has neither scores nor winners."""

    how: How
    resigned: list[int] = []
    scores: list[int] | None = None
    winners: list[int] | None = None


class Record(Struct):
    """A game, finished or running. Further keys are kept as they are."""

    format: Literal["bosquet/1"]
    game: str
    options: dict[str, int | bool | str]
    """`players`, and what the game has besides."""
    deal: dict[str, Any]
    """What was dealt; each game says what belongs there."""
    moves: Annotated[list[str], Meta(description="One text for each decision, in order.")]
    result: Result | None
    ending: Ending | None = None


def command_line() -> str:
    """Return the page of all commands and their options, with the texts as `--help` shows them."""
    group: Any = typer.main.get_command(app)
    parts = [
        "# Commands and options\n\nThis page is made of the program itself: `bosquet COMMAND --help` says the same.\n"
    ]
    parts.append("## `bosquet`\n\n" + _options(group))
    for name, command in group.commands.items():
        parts.append(f"## `bosquet {name}`\n\n{render(inspect.cleandoc(command.help)).plain}\n\n{_options(command)}")
    return "\n".join(parts)


def _options(command: Any) -> str:
    """Return the table of a command's arguments and options."""
    rows = []
    context = typer.Context(command)
    for parameter in command.get_params(context):
        if parameter is command.get_help_option(context):
            continue
        argument = parameter.param_type_name == "argument"
        names = (
            parameter.human_readable_name.upper()
            if argument
            else ", ".join([*parameter.opts, *parameter.secondary_opts])
        )
        flag = getattr(parameter, "is_flag", False)
        choices = getattr(parameter.type, "choices", None)
        value = "" if flag else ", ".join(f"`{choice}`" for choice in choices) if choices else parameter.type.name
        default, told = parameter.default, getattr(parameter, "show_default", False)
        default = ",".join(default) if isinstance(default, list) else default
        shown = "" if default is None or flag or callable(default) else f"`{getattr(default, 'value', default)}`"
        if parameter.secondary_opts:  # one name to turn it on, one to turn it off
            shown = f"`{(parameter.opts if default else parameter.secondary_opts)[0]}`"
        if isinstance(told, str):
            shown = told
        help_text = render(parameter.help or "").plain.replace("|", "\\|")
        rows.append(f"| `{names}` | {value} | {help_text} | {shown} |\n")
    return "| name | value | what it is | default |\n|---|---|---|---|\n" + "".join(rows) if rows else ""


def message_schemas() -> dict[str, Any]:
    """Return the JSON Schemas of all messages and their parts, by name."""
    _, parts = msgspec.json.schema_components(message_types(), ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": "Messages of bosquet", "$defs": dict(sorted(parts.items()))}


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema of a record."""
    return {"$schema": DIALECT, "title": "A record of bosquet"} | msgspec.json.schema(Record)


def message_page() -> str:
    """Return the page that lists all messages."""
    parts = [
        "# Messages\n\nEverything that goes between the page and the server. "
        "The [JSON Schemas](messages.schema.json) are under `$defs`;\n"
        "[the protocol](../protocol.md) says when each is sent.\n"
    ]
    for kind in message_types():
        parts.append(f"## {kind.__name__}\n\n{inspect.getdoc(kind)}\n\n{_fields(kind)}")
    return "\n".join(parts)


def _fields(kind: type[Struct]) -> str:
    """Return the table of a message's fields."""
    schema = msgspec.json.schema_components([kind], ref_template="{name}")[1][kind.__name__]
    required = schema.get("required", [])
    rows = [
        f"| `{name}` | {_type(part)} | {'yes' if name in required else 'no'} |\n"
        for name, part in schema.get("properties", {}).items()
    ]
    return "| field | type | required |\n|---|---|---|\n" + "".join(rows) if rows else "It has no fields.\n"


def _type(schema: dict[str, Any]) -> str:
    """Return a type of JSON Schema in words."""
    if "$ref" in schema:
        return f"`{schema['$ref']}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_type(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        return f"array of {_type(schema['items'])}" if schema.get("items") else "array"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return str(schema.get("type", "any"))


def pages() -> dict[str, str]:
    """Return the text of each file, by its name in `FOLDER`."""
    return {
        "commands.md": command_line(),
        "messages.md": message_page(),
        "messages.schema.json": json.dumps(message_schemas(), indent=1) + "\n",
        "record.schema.json": json.dumps(record_schema(), indent=1) + "\n",
    }


def write() -> None:
    """Write the files that are not there yet with the same text: two builds may run at once."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        file = FOLDER / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
