"""The reference pages are those of the program, and what the documents show agrees with the schemas."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from docs.reference.make import HERE, message_schemas, pages, record_schema
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from tests.helpers.records import RECORDS
from tests.server.helpers.people import Person, make_app

DOCS = HERE.parent
EXAMPLES = re.findall(r"```json (\w+)\n(.*?)```", (DOCS / "protocol.md").read_text(), re.DOTALL)
RECORDS_SHOWN = re.findall(r"```json\n(.*?)```", (DOCS / "records.md").read_text(), re.DOTALL)


def check_message(name: str, value: Any) -> None:
    schemas = message_schemas()
    assert name in schemas["$defs"]
    Draft202012Validator(schemas | {"$ref": f"#/$defs/{name}"}).validate(value)


@pytest.mark.parametrize("name", pages())
def test_a_page_that_is_made_of_the_program_is_up_to_date(name: str) -> None:
    assert (HERE / name).read_text() == pages()[name], "write it anew: python -m docs.reference.make"


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
