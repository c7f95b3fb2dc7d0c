"""Bring pages that lie beside the program, such as those of `studies/`, into the documentation.

They are copied to `repository/`, in folders as in the repository. Links are written as they work in a checkout, and
changed here to where their targets are in the documentation. A link to a file that is not in it becomes plain text.
"""

from __future__ import annotations

import os.path
import re
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
FOLDER = DOCS / "repository"
COPIED = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/*.md", "studies/**/*.md"]
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:)([^)#\s]+)(#[^)\s]*)?\)")
"""Image or not, text, path and anchor of a link to a file."""


def pages() -> list[Path]:
    """Return the pages that are copied."""
    return sorted(page for pattern in COPIED for page in ROOT.glob(pattern))


def relinked(text: str, page: Path, to: Path) -> str:
    """Return the text of a page of the repository with links that work where it is in the documentation."""
    copied = pages()

    def changed(found: re.Match[str]) -> str:
        image, words, path, anchor = found.groups()
        target = Path(os.path.normpath(page.parent / path))
        if target in copied:
            target = _place(target)
        elif not target.is_relative_to(DOCS):
            return words
        return f"{image}[{words}]({os.path.relpath(target, to.parent).replace(os.sep, '/')}{anchor or ''})"

    return LINK.sub(changed, text)


def write() -> None:
    """Write the copies that are not there yet with the same text, and remove those of pages that are gone."""
    texts = {_place(page): relinked(page.read_text(encoding="utf-8"), page, _place(page)) for page in pages()}
    for place, text in texts.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            place.write_text(text, encoding="utf-8")
    for file in FOLDER.rglob("*.md"):
        if file not in texts:
            file.unlink(missing_ok=True)


def _place(page: Path) -> Path:
    """Return where a page of the repository is in the documentation."""
    return FOLDER / page.relative_to(ROOT)
