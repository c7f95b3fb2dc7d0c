"""The reference pages name all of the program, and what the documents show agrees with the schemas."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer.main
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient
from typer.core import TyperGroup

from bosquet.cli import app
from bosquet.server.http.message_types import message_types
from docs.make_reference import FOLDER, command_line, message_page, message_schemas, record_schema
from tests.helpers.records import RECORDS
from tests.server.helpers.people import Person, make_app

DOCS = FOLDER.parent
EXAMPLES = re.findall(r"```json (\w+)\n(.*?)```", (DOCS / "protocol.md").read_text(), re.DOTALL)
RECORDS_SHOWN = re.findall(r"```json\n(.*?)```", (DOCS / "records.md").read_text(), re.DOTALL)


def check_message(name: str, value: Any) -> None:
    schemas = message_schemas()
    assert name in schemas["$defs"]
    Draft202012Validator(schemas | {"$ref": f"#/$defs/{name}"}).validate(value)


def test_the_page_of_commands_names_all_with_their_options() -> None:
    page = command_line()
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    assert len(group.commands) > 10
    for name, command in group.commands.items():
        _, _, section = page.partition(f"\n## `bosquet {name}`\n")
        options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
        for option in set(options) - {"--help"}:
            assert option in section.partition("\n## ")[0], (name, option)
    assert "| `--draft` |  | Topiary: " in page


def test_the_page_of_messages_names_all_with_their_fields() -> None:
    page = message_page()
    assert len(message_types()) > 50
    for kind in message_types():
        _, _, section = page.partition(f"\n## {kind.__name__}\n")
        for field in msgspec.structs.fields(kind):
            assert f"| `{field.encode_name}` |" in section.partition("\n## ")[0], (kind, field)


def test_the_schemas_are_schemas() -> None:
    for schema in (message_schemas(), record_schema()):
        Draft202012Validator.check_schema(schema)


def test_the_record_schema_takes_records_and_nothing_else() -> None:
    validator = Draft202012Validator(record_schema())
    records = [*RECORDS.values(), *map(json.loads, RECORDS_SHOWN)]
    assert len(records) > 3
    for record in records:
        validator.validate(record)
        for key in ("format", "game", "options", "deal", "moves", "result"):
            assert not validator.is_valid({part: value for part, value in record.items() if part != key})
        assert not validator.is_valid(record | {"moves": [1]})


@pytest.mark.parametrize(("name", "text"), EXAMPLES)
def test_examples_of_the_protocol_agree_with_the_schemas(name: str, text: str) -> None:
    check_message(name, json.loads(text))


def test_what_the_server_sends_agrees_with_the_schemas(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path), base_url="http://testserver") as client:
        ann = Person(client)
        new = next(json.loads(text) for name, text in EXAMPLES if name == "NewTable")
        opened = ann.post("/api/tables", new).json()
        check_message("Opened", opened)
        check_message("Lobby", ann.get("/api/lobby").json())
        check_message("Problem", ann.get("/api/nothing").json())
        told = set()
        with ann.at(opened["table"]) as page:
            page.ask("nonsense")
            while "refused" not in told:
                message = page.hear()
                told.add(message["type"])
                names = [name for name, part in message_schemas()["$defs"].items() if is_told(part, message["type"])]
                assert names
                for name in names:
                    check_message(name, message)
        assert len(told) > 1


def is_told(schema: dict[str, Any], kind: str) -> bool:
    """Whether a schema is that of a message that the server sends with this type."""
    is_asked = schema.get("additionalProperties") is False
    return not is_asked and schema.get("properties", {}).get("type", {}).get("enum") == [kind]
