"""What the documents say is true of the code."""

from __future__ import annotations

import doctest
import json
import re
import tomllib
from pathlib import Path

import pytest

import bosquet
from docs.make_reference import FOLDER, pages

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted(
    path
    for folder in (".", "docs", "docs/rules", "studies", "studies/*", "benchmarks")
    for path in ROOT.glob(f"{folder}/*.md")
)
UNTESTED: dict[str, set[str]] = {
    "topiary": {"5.5"},  # a warning about a translation; 4.3 is what it comes to
    "topas": set(),
    "schlossgarten": set(),
}


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\*\*(\d\.\d)\*\*", text))


@pytest.mark.slow
def test_python_in_documents_runs() -> None:
    found = 0
    for path in DOCUMENTS:
        test = doctest.DocTestParser().get_doctest(path.read_text(), {}, path.name, str(path), 0)
        found += len(test.examples)
        assert doctest.DocTestRunner().run(test).failed == 0, path
    assert found > 5


def test_the_citation_names_version_and_licence_of_the_package() -> None:
    cited = dict(re.findall(r"^([a-z-]+): (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert cited["cff-version"] == "1.2.0"
    assert (cited["title"], cited["version"], cited["license"]) == tuple(
        package[key] for key in ("name", "version", "license")
    )


@pytest.mark.slow
def test_the_planner_for_authors_of_algorithms_runs_without_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSQUET_JIT", "0")
    text = (ROOT / "docs/algorithms.md").read_text()
    test = doctest.DocTestParser().get_doctest(text, {}, "algorithms", "algorithms.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_package_docstring_runs() -> None:
    result = doctest.testmod(bosquet)
    assert result.attempted > 3
    assert result.failed == 0


def test_records_in_documents_load() -> None:
    records = re.findall(r"```json\n(.*?)```", (ROOT / "docs/records.md").read_text(), re.DOTALL)
    assert records
    for record in records:
        bosquet.load(json.loads(record))


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_every_rule_that_the_code_cites_is_written_down_and_tested(name: str) -> None:
    rulings = numbers((ROOT / f"docs/rules/{name}.md").read_text())
    folder = ROOT / f"src/bosquet/games/{name}"
    source = "".join((folder / f"{module}.py").read_text() for module in ("rules", "notation", "view"))
    cited = set(re.findall(r"(?:# |[.,] |, )(\d\.\d)\b", source))
    assert len(cited & rulings) > 8
    assert {number for number in cited if number[0] in "123456"} <= rulings
    tests = (ROOT / f"tests/rulings/test_{name}.py").read_text()
    tested = {f"{a}.{b}" for a, b in re.findall(r"def test_(\d)_(\d)_", tests)}
    assert rulings - tested <= UNTESTED[name]


def test_every_link_of_the_documents_leads_somewhere() -> None:
    generated = {FOLDER / name for name in pages()}
    for path in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
            leads_to = (path.parent / target).resolve()
            assert leads_to.exists() or leads_to in generated, (path, target)
