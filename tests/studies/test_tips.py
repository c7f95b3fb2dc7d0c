"""Tips are what the findings say, and hold in the positions that show them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import bosquet
from studies import tips

ROOT = Path(__file__).parents[2]
FINDINGS = (ROOT / "docs/findings.md").read_text(encoding="utf-8")
NUMBER = 5


def _section(title: str) -> str:
    """Return what stands under a heading, up to the next one, in one line."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", FINDINGS, re.MULTILINE | re.DOTALL)
    assert found, title
    return " ".join(found[1].split())


@pytest.mark.parametrize("name", tips.TIPS)
def test_each_tip_comes_from_the_findings_and_holds_where_it_is_shown(name: str) -> None:
    assert len(tips.TIPS[name]) == NUMBER
    words = json.loads((tips.PAGE / name / "words.json").read_text(encoding="utf-8"))
    assert {f"tips.{tip.name}" for tip in tips.TIPS[name]} == {key for key in words if key.startswith("tips.")}
    for tip in tips.TIPS[name]:
        assert " ".join(tip.quote.split()) in _section(tip.section), tip.name
        shown = tips.shown(tip)
        assert shown.view.game == name
        assert set(tip.held) <= set(getattr(shown.view, "hand", None) or ())
        assert tip.holds(shown.view, shown.better, shown.worse), tip.name


def test_a_tip_with_its_moves_exchanged_does_not_hold() -> None:
    for tip in (tip for of_game in tips.TIPS.values() for tip in of_game if tip.worse):
        shown = tips.shown(tip)
        assert not tip.holds(shown.view, shown.worse, shown.better), tip.name


@pytest.mark.parametrize("name", tips.TIPS)
def test_the_tips_of_the_page_are_new(name: str) -> None:
    assert tips.target(name).read_text() == tips.tips(name), "write them anew: python -m studies.tips"


def test_a_move_that_is_not_legal_is_refused() -> None:
    tip = tips.TOPAS[0]._replace(better=("B3Y1@40,40W",))
    with pytest.raises(ValueError, match="not legal"):
        tips.shown(tip)


def test_every_game_with_findings_has_tips() -> None:
    assert set(tips.TIPS) == set(bosquet.GAMES)
