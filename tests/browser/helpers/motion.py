"""Where things are while they move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page

from tests.browser.helpers.schlossgarten import decide
from tests.browser.helpers.tables import number, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse
from tests.browser.helpers.topiary import choose_by_mouse

WATCH = """() => {
    // A browser that can't be asked for motion is given the times of tokens.css.
    const {style} = document.documentElement;
    for (const [token, time] of [["--brief", "200ms"], ["--calm", "320ms"]]) style.setProperty(token, time);
    const seen = new WeakSet(), places = new WeakMap();
    window.motions = [];
    const box = node => { const {x, y, width, height} = node.getBoundingClientRect(); return [x, y, width, height]; };
    const look = () => {
        for (const animation of document.getAnimations()) {
            const node = animation.effect?.target, pseudo = animation.effect?.pseudoElement;
            const {duration, delay} = animation.effect?.getTiming() ?? {};
            if (seen.has(animation) || !node || pseudo || !(duration > 0)) continue;
            seen.add(animation);
            const now = animation.currentTime;
            const boxes = [0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 0.999].map(part => {
                animation.currentTime = delay + part * duration;
                return box(node);
            });
            animation.currentTime = now;
            const classes = [...node.classList].filter(one => !one.startsWith("svelte-"));
            const label = node.closest("[aria-label]")?.getAttribute("aria-label") ?? "";
            const name = [node.tagName, ...classes, label].join(" ");
            const moves = animation.effect.getKeyframes().some(frame => "transform" in frame);
            window.motions.push({name, boxes, moves, from: places.get(node) ?? null});
        }
        for (const node of document.querySelectorAll(".pawn, .ground")) places.set(node, box(node));
        requestAnimationFrame(look);
    };
    for (const animation of document.getAnimations()) {
        // Where it came from is not known.
        if (animation.effect?.getTiming().iterations !== Infinity) seen.add(animation);
    }
    requestAnimationFrame(look);
}"""
"""Notes each thing that begins to move, or moves on and on, and its boxes at some moments of that motion."""

Box = tuple[float, float, float, float]
NEAR = 0.75
"""How far from where it comes to lie something may begin, in its own larger size."""


def watch(page: Page) -> None:
    """Note what moves from now on; again after each load."""
    page.evaluate(WATCH)


def motions(page: Page) -> list[dict[str, Any]]:
    """What has moved since."""
    found: list[dict[str, Any]] = page.evaluate("window.motions")
    return found


def astray(motion: dict[str, Any]) -> str | None:
    """What is wrong with a motion; None where each of its boxes is near its end, or on the way there."""
    boxes: list[Box] = [tuple(box) for box in motion["boxes"]]
    end = boxes[-1]
    size = max(end[2], end[3], 24)
    start = tuple(motion["from"]) if motion["from"] else None
    for box in boxes:
        if _far(box, end) <= NEAR * size:
            continue
        if start is None or not _between(box, start, end, size):
            return f"{motion['name']}: {[round(n) for n in box]} on the way to {[round(n) for n in end]}, from {start}"
    return None


def _middle(box: tuple[float, ...]) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _far(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return max(abs(a - b) for a, b in zip(_middle(one), _middle(other), strict=True))


def _between(box: tuple[float, ...], start: tuple[float, ...], end: tuple[float, ...], size: float) -> bool:
    return all(
        min(a, b) - NEAR * size <= at <= max(a, b) + NEAR * size
        for at, a, b in zip(_middle(box), _middle(start), _middle(end), strict=True)
    )


def _topas(page: Page) -> None:
    """Turn a card, and lay it as it was."""
    choose_card(page)
    for _ in range(4):
        page.keyboard.press("r")
    lay_by_mouse(page)


def _schlossgarten(page: Page) -> None:
    """Walk a step where a pawn can, else decide."""
    pawns = page.get_by_role("gridcell", name="can be picked")
    if page.get_by_role("button", name="Stop moving").count() and pawns.count():
        pawns.first.click()
        free = page.get_by_role("gridcell", name="step here")
        if free.count():
            free.first.click()
            return
    decide(page, by_keyboard=False)


def unseen(seen: list[dict[str, Any]], wanted: Sequence[str]) -> list[str]:
    """Return the patterns of names that nothing which moves has."""
    names = {motion["name"] for motion in seen if motion["moves"]}
    return [pattern for pattern in wanted if not any(re.match(pattern, name) for name in names)]


PLAY = {"topiary": choose_by_mouse, "topas": _topas, "schlossgarten": _schlossgarten}
"""One thing that is done, by game."""


def play_watched(page: Page, game: str, least: int, wanted: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Do some things at a table, more if not all that is wanted has moved yet, and return what has moved."""
    page.wait_for_selector("[data-number]")
    watch(page)
    for i in range(3 * least):
        if not wait_for_turn(page) or (i >= least and not unseen(motions(page), wanted)):
            break
        before = number(page)
        PLAY[game](page)
        wait_for_more(page, before)
        page.wait_for_timeout(500)
    return motions(page)
