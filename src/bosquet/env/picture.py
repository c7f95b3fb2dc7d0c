"""Convert a terminal drawing to an image: a grid of cells with one character each.

Letters use the font that comes with Pillow, the only one that is always available. Lines and shapes, which that font
lacks, are drawn here.
"""

from __future__ import annotations

import functools
import io
import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from rich.color import Color, blend_rgb
from rich.color_triplet import ColorTriplet
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME as THEME

from bosquet.core.system.extras import extra
from bosquet.drawing.lattice import JOINTS

with extra("gymnasium"):
    from PIL import Image, ImageDraw, ImageFont

COLUMNS, ROWS = 80, 40
WIDE, HIGH = 10, 20
"""Size of a cell in pixels."""
MARGIN = 10
"""Width of the margin in pixels."""
SHAPE = (ROWS * HIGH + 2 * MARGIN, COLUMNS * WIDE + 2 * MARGIN, 3)
"""Shape of every image."""
WIDER = (COLUMNS, 120, 160)
"""Widths to try, in columns: a drawing that is cut into bands at the first width may fit better at a wider one."""
FINE = 4
"""Oversampling factor of glyphs, for smooth edges."""
LETTER = 15 * FINE
BOLD = FINE // 2
DIM = 0.5

Point = tuple[float, float]


def picture(drawn: RenderableType) -> npt.NDArray[np.uint8]:
    """Return a drawing as an image of shape `SHAPE`, on white, scaled down if it is too large."""
    lines = max((_lines(drawn, columns) for columns in WIDER), key=_scale)
    size = (max(map(_length, lines)) * WIDE, len(lines) * HIGH)
    image = Image.new("RGB", size, THEME.background_color)
    for row, line in enumerate(lines):
        _draw_line(image, line, row * HIGH)
    scale = _scale(lines)
    if scale < 1:
        image = image.resize((int(size[0] * scale), int(size[1] * scale)), Image.Resampling.LANCZOS)
    frame = Image.new("RGB", (SHAPE[1], SHAPE[0]), THEME.background_color)
    frame.paste(image, (MARGIN, MARGIN))
    return np.array(frame)


def _lines(drawn: RenderableType, columns: int) -> list[list[Segment]]:
    console = Console(file=io.StringIO(), width=columns, highlight=False)
    return console.render_lines(drawn, pad=False)


def _length(line: Sequence[Segment]) -> int:
    return sum(segment.cell_length for segment in line)


def _scale(lines: Sequence[Sequence[Segment]]) -> float:
    """Return the scale at which lines fit into the image."""
    return min(1.0, COLUMNS / max(map(_length, lines)), ROWS / len(lines))


def _draw_line(image: Image.Image, line: Sequence[Segment], top: int) -> None:
    left = 0
    for text, style, _ in line:
        style = style or Style.null()
        ink, paper = _colours(style)
        for char in text:
            if paper != THEME.background_color:
                image.paste(paper, (left, top, left + WIDE, top + HIGH))
            if char != " ":
                image.paste(ink, (left, top), _glyph(char, bool(style.bold)))
            left += WIDE


@functools.cache
def _colours(style: Style) -> tuple[ColorTriplet, ColorTriplet]:
    """Return the foreground and the background colour."""
    ink = (style.color or Color.default()).get_truecolor(THEME)
    paper = (style.bgcolor or Color.default()).get_truecolor(THEME, foreground=False)
    if style.dim:
        ink = blend_rgb(ink, paper, DIM)
    return (paper, ink) if style.reverse else (ink, paper)


@functools.cache
def _glyph(char: str, bold: bool) -> Image.Image:
    """Return the coverage of each pixel of a cell by a character, 0-255."""
    mask = Image.new("L", (WIDE * FINE, HIGH * FINE))
    if char in DRAWN:
        DRAWN[char](ImageDraw.Draw(mask))
    elif char in JOINTS:
        _joint(ImageDraw.Draw(mask), JOINTS.index(char))
    else:
        mask = _letter(char, BOLD if bold else 0)
    return mask.resize((WIDE, HIGH), Image.Resampling.BOX)


def _letter(char: str, stroke: int) -> Image.Image:
    """Return a letter centred in its cell; a wide letter has a wider cell."""
    font = ImageFont.load_default(LETTER)
    wide = max(WIDE * FINE, math.ceil(font.getlength(char)) + 2 * stroke)
    mask = Image.new("L", (wide, HIGH * FINE))
    foot = (wide / 2, HIGH * FINE * 0.75)
    ImageDraw.Draw(mask).text(foot, char, fill=255, font=font, anchor="ms", stroke_width=stroke)
    return mask


def _place(x: float, y: float) -> Point:
    """Return a point of a glyph given relative to its middle, in widths of a cell: x to the right, y down."""
    return (WIDE * FINE * (0.5 + x), HIGH * FINE * 0.5 + WIDE * FINE * y)


def _joint(canvas: ImageDraw.ImageDraw, ways: int) -> None:
    """Draw lines, one pixel thick, from the middle up (1), right (2), down (4) and left (8)."""
    right, bottom = WIDE * FINE, HIGH * FINE
    x, y = right // 2, bottom // 2
    ends = (
        (x, 0, x + FINE, y + FINE),
        (x, y, right, y + FINE),
        (x, y, x + FINE, bottom),
        (0, y, x + FINE, y + FINE),
    )
    for i, (west, north, east, south) in enumerate(ends):
        if ways >> i & 1:
            canvas.rectangle([west, north, east - 1, south - 1], fill=255)


def _polygon(*points: Point) -> Callable[[ImageDraw.ImageDraw], None]:
    return lambda canvas: canvas.polygon([_place(*point) for point in points], fill=255)


def _disc(radius: float, hole: float = 0.0) -> Callable[[ImageDraw.ImageDraw], None]:
    def on(canvas: ImageDraw.ImageDraw) -> None:
        canvas.ellipse([_place(-radius, -radius), _place(radius, radius)], fill=255)
        if hole:
            canvas.ellipse([_place(-hole, -hole), _place(hole, hole)], fill=0)

    return on


def _arrow(x: int, y: int) -> Callable[[ImageDraw.ImageDraw], None]:
    """Return a function that draws an arrow in a direction."""
    length = math.hypot(x, y)
    ahead, aside = (x / length, y / length), (-y / length, x / length)

    def at(forth: float, off: float) -> Point:
        return _place(forth * ahead[0] + off * aside[0], forth * ahead[1] + off * aside[1])

    def on(canvas: ImageDraw.ImageDraw) -> None:
        canvas.line([at(-0.45, 0), at(0.2, 0)], fill=255, width=FINE)
        canvas.polygon([at(0.5, 0), at(0.1, 0.28), at(0.1, -0.28)], fill=255)

    return on


def _shade(share: float) -> Callable[[ImageDraw.ImageDraw], None]:
    return lambda canvas: canvas.rectangle([_place(-0.5, -1), _place(0.5, 1)], fill=int(255 * share))


def _bars(*bars: tuple[Point, Point]) -> Callable[[ImageDraw.ImageDraw], None]:
    def on(canvas: ImageDraw.ImageDraw) -> None:
        for start, end in bars:
            canvas.line([_place(*start), _place(*end)], fill=255, width=FINE)

    return on


def _star() -> list[Point]:
    """Return the ten corners of a five-pointed star."""
    return [
        (radius * math.sin(i * math.pi / 5), -radius * math.cos(i * math.pi / 5))
        for i, radius in enumerate((0.5, 0.2) * 5)
    ]


DRAWN: dict[str, Callable[[ImageDraw.ImageDraw], None]] = {
    "●": _disc(0.42),
    "○": _disc(0.42, 0.3),
    "∙": _disc(0.18),
    "▲": _polygon((0, -0.45), (0.48, 0.4), (-0.48, 0.4)),
    "■": _polygon((-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4)),
    "▪": _polygon((-0.25, -0.25), (0.25, -0.25), (0.25, 0.25), (-0.25, 0.25)),
    "◆": _polygon((0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0)),
    "◀": _polygon((-0.45, 0), (0.4, -0.45), (0.4, 0.45)),
    "★": _polygon(*_star()),
    "░": _shade(0.25),
    "▒": _shade(0.5),
    "×": _bars(((-0.3, -0.3), (0.3, 0.3)), ((-0.3, 0.3), (0.3, -0.3))),
    "–": _bars(((-0.5, 0), (0.5, 0))),
    "↑": _arrow(0, -1),
    "↗": _arrow(1, -1),
    "→": _arrow(1, 0),
    "↘": _arrow(1, 1),
    "↓": _arrow(0, 1),
    "↙": _arrow(-1, 1),
    "←": _arrow(-1, 0),
    "↖": _arrow(-1, -1),
}
