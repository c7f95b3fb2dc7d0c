"""The picture of the architecture, made from the imports: `python -m studies.pictures.architecture` writes it.

One half has the packages of `bosquet`, the other one the wings of its server. Each stands above all that it imports; a
line joins it to what it imports directly, unless that follows from other lines.
"""

from __future__ import annotations

import ast
from html import escape

from studies import DOCS
from studies.imports import SOURCE, Graph, between_folders, direct, floors, import_graph

FILE = DOCS / "pictures" / "architecture.svg"
WIDTH, HEIGHT = 116, 40
STEP = 74
"""Distance from one floor to the next."""
GAP = 14
TOP = 48
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #23301f; text-anchor: middle }
  .count { font-size: 11px; fill: #5d6b57 }
  .title { font-size: 15px; font-weight: 600 }
  rect { fill: #f1f5ec; stroke: #7d9270 }
  path { fill: none; stroke: #9aab8e }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4ecdd } .count { fill: #a3b39a }
    rect { fill: #26301f; stroke: #71865f } path { stroke: #5d7050 }
  }
"""


def purpose(package: str) -> str:
    """Return the first line of a package's docstring."""
    text = SOURCE.parent.joinpath(*package.split("."), "__init__.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def half(package: str, modules: Graph) -> tuple[list[str], int, int]:
    """Return the drawing of the packages in a package, its width and its height."""
    graph = between_folders(modules, package)
    floor = floors(graph)
    rows = [sorted(name for name in graph if floor[name] == level) for level in range(max(floor.values()), -1, -1)]
    width = max(map(len, rows)) * (WIDTH + GAP)
    place = {
        name: (width // 2 + (2 * at + 1 - len(row)) * (WIDTH + GAP) // 2, TOP + level * STEP)
        for level, row in enumerate(rows)
        for at, name in enumerate(row)
    }
    parts = [f'<text class="title" x="{width // 2}" y="24">{package}</text>']
    for name, others in direct(graph).items():
        x, y = place[name]
        for other in sorted(others):
            to_x, to_y = place[other]
            bend = f"{x} {y + STEP} {to_x} {to_y - STEP + HEIGHT}"
            parts.append(f'<path d="M{x} {y + HEIGHT} C{bend} {to_x} {to_y}"/>')
    for name, (x, y) in sorted(place.items()):
        count = sum(module.startswith(f"{package}.{name}.") for module in modules)
        parts.append(
            f"<g><title>{escape(purpose(f'{package}.{name}'))}</title>"
            f'<rect x="{x - WIDTH // 2}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
            f'<text x="{x}" y="{y + 18}">{name}</text>'
            f'<text class="count" x="{x}" y="{y + 33}">{count} modules</text></g>'
        )
    return parts, width, TOP + len(rows) * STEP


def picture() -> str:
    """Return the picture as SVG."""
    modules = import_graph()
    parts, left, height = [], GAP, 0
    for package in ("bosquet", "bosquet.server"):
        drawn, width, tall = half(package, modules)
        parts += [f'<g transform="translate({left} 0)">', *drawn, "</g>"]
        left, height = left + width + 2 * GAP, max(height, tall)
    about = "The packages of bosquet and the wings of its server, each above what it imports"
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left} {height}" role="img" aria-label="{about}">'
    return "\n".join([opening, f"<style>{STYLE}</style>", *parts, "</svg>", ""])


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
