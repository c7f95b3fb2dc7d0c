"""The positions of the printed examples on the rules pages are those that the rules give."""

from __future__ import annotations

import pytest

from studies import examples


@pytest.mark.parametrize("name", examples.GAMES)
def test_the_examples_of_the_rules_page_are_new(name: str) -> None:
    stored = examples.target(name).read_text()
    assert stored == examples.examples(name), "write them anew: python -m studies.examples"


def test_the_examples_of_the_rules_page_come_out() -> None:
    visitors = [view.visitors for view in examples.TOPIARY.values()]
    assert [visitor.points for (visitor,) in visitors] == [12, 14 + 3, 3 + 4 + 5 + 2]
    rows = [sorted(row.gems for row in view.latest.rows) for view in examples.TOPAS.values() if view.latest]
    assert rows == [[5], [3, 6], [3, 4, 4], [7], [5, 6], [5, 7]]
    assert examples.TOPAS["example5"].scores == [14, 20, 23, 18]
