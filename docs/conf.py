"""How Sphinx builds the documentation: `uv run --group docs sphinx-build -W docs src/bosquet/server/docs`.

The reference of commands and messages is made of the program (`make_reference`). The Python reference is read from the
sources by sphinx-autoapi. Pages that lie beside the program are copied (`repository_pages`).
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote

from sphinx.application import Sphinx

HERE = Path(__file__).parent
WEB = HERE.parent / "web"

project = "bosquet"
author = "the authors of bosquet"
release = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser", "autoapi.extension"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["pictures", "theme"]

html_theme = "furo"
html_title = "bosquet"
html_favicon = "../web/public/icon.svg"
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/games.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
templates_path = ["theme/templates"]
html_search_scorer = str(HERE / "theme/search_scorer.js")

# The page's own colours and type. Fonts are there once the packages of the page are installed; without them readers see
# the next ones of their list.
FONTS = [
    "@fontsource/atkinson-hyperlegible/files/*-latin-?00-normal.woff2",
    "@fontsource/fraunces/files/*-latin-600-normal.woff2",
]
html_static_path = ["theme/static", str(WEB / "src/tokens.css")]
html_static_path += [str(file) for pattern in FONTS for file in sorted((WEB / "node_modules").glob(pattern))]
html_css_files = ["tokens.css", "bosquet.css"]
COLOURS = {
    "font-stack": "var(--text)",
    "font-stack--headings": "var(--display)",
    "color-foreground-primary": "var(--ink)",
    "color-foreground-secondary": "var(--soft)",
    "color-foreground-muted": "var(--soft)",
    "color-foreground-border": "var(--line)",
    "color-background-primary": "var(--paper)",
    "color-background-secondary": "var(--sunk)",
    "color-background-hover": "var(--sheet)",
    "color-background-hover--transparent": "transparent",
    "color-background-border": "var(--line)",
    "color-brand-primary": "var(--accent)",
    "color-brand-content": "var(--accent)",
    "color-brand-visited": "var(--accent)",
    "color-highlighted-background": "color-mix(in oklab, var(--glow) 40%, transparent)",
    "color-inline-code-background": "var(--sunk)",
    "color-code-background": "var(--sheet)",
    "color-card-background": "var(--sheet)",
    "color-card-border": "var(--line)",
}
html_theme_options = {"light_css_variables": COLOURS, "dark_css_variables": COLOURS}

myst_heading_anchors = 3
myst_enable_extensions = ["deflist", "fieldlist"]

default_role = "code"
highlight_language = "none"
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


sys.path.insert(0, str(HERE))  # of the modules beside this one


INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
"""What the theme writes into each page and the server's content security policy allows only as files."""
IMAGE = re.compile(r"""url\((["'])data:image/svg\+xml;charset=utf-8,(.*?)\1\)""", re.DOTALL)
"""The icons that its style sheets bring along, which the policy allows as files only, too."""


def setup(app: Sphinx) -> None:
    """Register what is done before pages are read, and with the finished ones."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", change_links)
    app.connect("build-finished", move_inline_parts)
    app.connect("build-finished", move_images)


def write_pages(app: Sphinx) -> None:
    """Write the pages that are made of the program, and those that lie beside it."""
    import make_reference
    import repository_pages

    make_reference.write()
    repository_pages.write()


def change_links(app: Sphinx, name: str, source: list[str]) -> None:
    """Let links of a guide to pages beside the program lead to their copies."""
    import repository_pages

    page = Path(app.env.doc2path(name))
    if page.suffix == ".md" and repository_pages.FOLDER not in page.parents:
        source[0] = repository_pages.relinked(source[0], page, page)


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
