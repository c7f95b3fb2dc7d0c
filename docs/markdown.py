"""Writes generated text into Markdown pages."""

from __future__ import annotations

from collections.abc import Sequence


def written(page: str, name: str, lines: Sequence[str]) -> str:
    """Return a page with these lines between `<!-- name -->` and `<!-- end of name -->`."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, rest = page.split(begin)
    text = "\n".join(lines).strip()
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}"
