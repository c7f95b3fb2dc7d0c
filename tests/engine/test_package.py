"""The package of the engines for JavaScript, used in Node as its README says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import bosquet
from tests.engine.helpers.package import COMPILER, example, installed, run

MOST_KB = 230
"""What the package may weigh, packed."""
TYPED = """
import { newDeal, open, type Turn } from "bosquet-engine";
const engine = await open("topas");
const turn: Turn = await engine.ask("deal", newDeal(2));
const legal: string[] = await engine.ask("legal", null);
// @ts-expect-error
await engine.ask("lgeal", null);
export { legal, turn };
"""
MISSING = "the compiler that the package is made with is not installed; web/check does that"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILER.exists(), reason=MISSING)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of somebody's, in which nothing but the package is installed."""
    folder = tmp_path_factory.mktemp("project")
    assert installed(folder).stat().st_size < MOST_KB * 1000
    return folder


def test_a_bot_plays_as_the_readme_says(project: Path) -> None:
    (project / "bot.js").write_text(example("js"))
    scores, plies = run(project, "bot.js").splitlines()
    assert re.fullmatch(r"\[ \d+, \d+ \]", scores)
    assert int(plies) > 0


def test_its_record_is_one_of_ours(project: Path) -> None:
    program = example("js").replace("console.log(record.moves.length)", "console.log(JSON.stringify(record))")
    (project / "record.js").write_text(program)
    game = bosquet.load(json.loads(run(project, "record.js").splitlines()[-1]))
    assert game.over


def test_its_types_are_found(project: Path) -> None:
    (project / "typed.ts").write_text(TYPED)
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom"]
    run(project, COMPILER, *options, "typed.ts")
