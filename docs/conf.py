"""How Sphinx builds the documentation: `uv run --group docs sphinx-build -W docs src/bosquet/server/docs`.

The reference of commands and messages is made of the program (`make_reference`). The Python reference is read from the
sources by sphinx-autoapi.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import unquote

from sphinx.application import Sphinx

project = "bosquet"
author = "the authors of bosquet"
extensions = ["myst_parser", "autoapi.extension"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["pictures"]

html_theme = "furo"
html_title = "bosquet"
html_favicon = "../web/public/icon.svg"
html_show_sourcelink = False
html_copy_source = False
html_static_path: list[str] = []

myst_heading_anchors = 3
myst_enable_extensions = ["deflist", "fieldlist"]

default_role = "code"
autoapi_dirs = ["../src/bosquet"]
autoapi_root = "reference/python"
autoapi_add_toctree_entry = False
autoapi_keep_files = False
autoapi_member_order = "bysource"
autoapi_options = ["members", "undoc-members", "show-module-summary"]
# What is public: the package itself, what games share, and environments. The rest is the program.
PROGRAM = ("bots", "cli", "games", "lab", "server", "terminal")
autoapi_ignore = [f"*/bosquet/{folder}/*" for folder in PROGRAM] + ["*/bosquet/__main__.py"]
suppress_warnings = ["autoapi.python_import_resolution"]  # of names that come from the program


INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
"""What the theme writes into each page and the server's content security policy allows only as files."""
IMAGE = re.compile(r"""url\((["'])data:image/svg\+xml;charset=utf-8,(.*?)\1\)""", re.DOTALL)
"""The icons that its style sheets bring along, which the policy allows as files only, too."""


def setup(app: Sphinx) -> None:
    """Register what is done before pages are read, and with the finished ones."""
    app.connect("builder-inited", write_reference)
    app.connect("build-finished", move_inline_parts)
    app.connect("build-finished", move_images)


def write_reference(app: Sphinx) -> None:
    """Write the pages that are made of the program."""
    sys.path.insert(0, str(app.srcdir))
    import make_reference

    make_reference.write()


def move_inline_parts(app: Sphinx, error: Exception | None) -> None:
    """Move scripts and styles of each page into files beside the others."""
    names: dict[str, str] = {}
    for page in () if error else Path(app.outdir).rglob("*.html"):
        root = "../" * len(page.relative_to(app.outdir).parent.parts)

        def linked(found: re.Match[str], root: str = root) -> str:
            kind, text = found.groups()
            suffix = "js" if kind == "script" else "css"
            name = names.setdefault(text, f"_static/inline-{len(names)}.{suffix}")
            link = f'<script src="{root}{name}"></script>', f'<link rel="stylesheet" href="{root}{name}">'
            return link[kind == "style"]

        page.write_text(INLINE.sub(linked, page.read_text()))
    for text, name in names.items():
        (Path(app.outdir) / name).write_text(text)


def move_images(app: Sphinx, error: Exception | None) -> None:
    """Move images of the style sheets into files beside them."""
    for sheet in () if error else Path(app.outdir).rglob("*.css"):
        names: dict[str, str] = {}

        def linked(found: re.Match[str], names: dict[str, str] = names, stem: str = sheet.stem) -> str:
            name = names.setdefault(unquote(found[2]), f"{stem}-{len(names)}.svg")
            return f'url("{name}")'

        sheet.write_text(IMAGE.sub(linked, sheet.read_text()))
        for image, name in names.items():
            (sheet.parent / name).write_text(image)
