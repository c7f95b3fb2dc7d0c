"""Tables in Markdown, and generated text in Markdown pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table; a row that is short gets empty cells."""
    lines = [line(columns), line(["---"] * len(columns)).replace(" ", "")]
    return lines + [line([*map(str, row), *[""] * (len(columns) - len(row))]) for row in rows]


def line(cells: Sequence[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def written(page: str, name: str, lines: Sequence[str]) -> str:
    """Return a page with these lines between `<!-- name -->` and `<!-- end of name -->`."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, rest = page.split(begin)
    text = "\n".join(lines).strip()
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}"
