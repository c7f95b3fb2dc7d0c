"""The version, the description and the authors of the package are the same wherever they stand."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import bosquet

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_file_names_the_same_version() -> None:
    lock = json.loads(read("web/package-lock.json"))
    newest = re.search(r"^## (\S+) – (unreleased|\d{4}-\d\d-\d\d)$", read("CHANGELOG.md"), re.MULTILINE)
    cited = re.search(r"^version: (\S+)$", read("CITATION.cff"), re.MULTILINE)
    assert newest is not None
    assert cited is not None
    found = {
        "CITATION.cff": cited[1],
        "CHANGELOG.md": newest[1],
        "web/package.json": json.loads(read("web/package.json"))["version"],
        "web/package-lock.json": lock["version"],
        "the page in web/package-lock.json": lock["packages"][""]["version"],
        "what is installed": version("bosquet"),
        "bosquet.__version__": bosquet.__version__,
    }
    assert found == dict.fromkeys(found, PROJECT["version"])


def test_a_released_version_is_cited_with_its_day() -> None:
    released = re.search(r"^## \S+ – (\d{4}-\d\d-\d\d)$", read("CHANGELOG.md"), re.MULTILINE)
    newest_is_out = "– unreleased" not in read("CHANGELOG.md")
    assert ("date-released:" in read("CITATION.cff")) == (released is not None and newest_is_out)


def test_authors_are_those_who_are_cited() -> None:
    cited = re.findall(r"^  - name: \"(.+)\"$", read("CITATION.cff"), re.MULTILINE)
    assert [author["name"] for author in PROJECT["authors"]] == cited


def test_classifiers_name_what_is_there() -> None:
    languages = {"de": "German", "en": "English", "es": "Spanish", "fr": "French"}
    classified = {name.rpartition(" ")[2] for name in PROJECT["classifiers"] if name.startswith("Natural Language")}
    assert classified == {languages[code] for code in json.loads(read("web/src/words/app.json"))["about"]}
    least = PROJECT["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {least}" in PROJECT["classifiers"]
    assert len(set(PROJECT["classifiers"])) == len(PROJECT["classifiers"])
