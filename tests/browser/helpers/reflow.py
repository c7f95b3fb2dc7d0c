# ruff: noqa: E501
"""Whether a page can be read with large text and at high zoom (WCAG 1.4.4 and 1.4.10): what a browser measures."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import CDPSession, Page


class Reading(NamedTuple):
    """How somebody reads: the window in CSS pixels, the font size of the browser, and what the page's root says."""

    width: int
    height: int
    font: int = 16
    root: str = ""


READINGS = [
    Reading(1280, 800, font=32),
    Reading(1280, 800, root="200%"),
    Reading(390, 844, font=32),
    Reading(390, 844, root="200%"),
    Reading(320, 256),  # a window of 1280 x 1024 at 400 %
    Reading(320, 640),
]
"""A browser whose font size is doubled also doubles the `rem` of media queries; a style sheet of one's own does not."""

MEASURE = """() => {
  const width = innerWidth, found = [];
  const name = one => {
    const classes = [...(one.classList ?? [])].filter(each => !each.startsWith("svelte-")).map(each => "." + each).join("");
    return one.tagName.toLowerCase() + classes;
  };
  const path = one => (one.parentElement ? name(one.parentElement) + " > " : "") + name(one);
  const tell = (what, one, more = "") => {
    const line = `${what}: ${path(one)} “${(one.textContent ?? "").trim().slice(0, 30)}”${more}`;
    if (!found.includes(line)) found.push(line);
  };
  const modal = document.querySelector("dialog:modal") ?? document.body;
  const styles = new Map();
  const style = one => styles.get(one) ?? (styles.set(one, getComputedStyle(one)), styles.get(one));
  const ancestors = one => { const all = []; for (let each = one; each; each = each.parentElement) all.push(each); return all; };
  const board = one => one.closest("svg, .felt, .garden, .window");
  const hidden = one => !one.checkVisibility({opacityProperty: true, visibilityProperty: true})
    || ancestors(one).some(each => style(each).clipPath !== "none" || each.matches(".unseen, .skip"));
  const lifted = one => ancestors(one).find(each => ["fixed", "sticky"].includes(style(each).position)) ?? null;
  const scroller = one => ancestors(one).slice(1).find(each => each !== document.body && each !== document.documentElement
    && ["auto", "scroll"].includes(style(each).overflowX) && each.scrollWidth > each.clientWidth + 1);

  if (document.documentElement.scrollWidth > width) found.push(`scrolls sideways: ${document.documentElement.scrollWidth} > ${width}`);

  /** What is left of a box inside all that clips it. */
  const seen = (one, {left, right, top, bottom}) => {
    for (const each of ancestors(one)) {
      if (style(each).overflowX === "visible") continue;
      const frame = each.getBoundingClientRect();
      [left, right, top, bottom] = [Math.max(left, frame.left), Math.min(right, frame.right), Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return {left, right, top, bottom};
  };

  const texts = [], controls = [];
  const walk = document.createTreeWalker(modal, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || !one || ["SCRIPT", "STYLE", "OPTION", "TITLE"].includes(one.tagName) || board(one) || one.matches(".last-move") || hidden(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter(box => box.width > 1 && box.height > 1);
    for (const box of lines) texts.push({one, box, shown: seen(one, box)});
    if (lines.length > 2 && node.data.trim().length < 3 * lines.length) tell("taken apart into letters", one);
  }
  for (const one of modal.querySelectorAll("button, a[href], input, select, textarea, summary")) {
    const box = one.getBoundingClientRect();
    if (!board(one) && !hidden(one) && box.width > 1) controls.push({one, box, shown: seen(one, box)});
  }

  for (const {one, box} of [...texts, ...controls]) {
    const within = scroller(one);
    if (within && !within.closest("[data-wide]") && !within.querySelector("table")) tell("scrolls sideways within " + path(within), one);
    if (!within && (box.left < -1 || box.right > width + 1)) tell("off the screen", one, ` ${Math.round(box.left)}–${Math.round(box.right)} of ${width}`);
    for (const each of ancestors(one)) {
      if (["hidden", "clip"].includes(style(each).overflowX) || ["hidden", "clip"].includes(style(each).overflowY)) {
        const frame = each.getBoundingClientRect();
        if (style(each).overflowX !== "visible" && (box.right > frame.right + 2 || box.left < frame.left - 2)
          || style(each).overflowY !== "visible" && style(each).overflowY !== "auto" && (box.bottom > frame.bottom + 4 || box.top < frame.top - 4))
          tell("cut off by " + name(each), one);
      }
    }
  }

  const apart = (one, other) => !one.contains(other) && !other.contains(one) && !(one.closest("label") && one.closest("label") === other.closest("label"));
  const over = (things, others, slack) => {
    for (const {one, shown: box} of things) for (const {one: two, shown: other} of others) {
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (across <= slack || down <= slack || one === two || !apart(one, two)) continue;
      if (lifted(one) === lifted(two) && scroller(one) === scroller(two)) tell("over another", one, ` and ${path(two)} “${(two.textContent ?? "").trim().slice(0, 20)}”`);
    }
  };
  over(controls, controls, 2);
  over(texts, texts, 5);
  over(texts, controls, 5);

  scrollTo(0, 0);
  const kept = [...document.querySelectorAll("body *")].filter(each => ["fixed", "sticky"].includes(style(each).position)
    && each.checkVisibility() && lifted(each.parentElement) === null && !each.closest("dialog"));
  for (const each of kept) {
    const {height, width: across} = each.getBoundingClientRect();
    if (height > innerHeight * 0.6 && across > innerWidth * 0.5 && style(each).overflowY !== "auto") tell("keeps most of the screen", each, ` ${Math.round(height)} of ${innerHeight}`);
  }
  return found;
}"""


def read_as(page: Page, session: CDPSession, reading: Reading) -> None:
    """Give a page the window and the size of text of a reader."""
    page.set_viewport_size({"width": reading.width, "height": reading.height})
    session.send("Page.setFontSizes", {"fontSizes": {"standard": reading.font}})
    page.evaluate("size => { document.documentElement.style.fontSize = size; scrollTo(0, 0); }", reading.root)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def unreadable(page: Page) -> list[str]:
    """What scrolls sideways, is cut off, or lies over something else."""
    found: list[str] = page.evaluate(MEASURE)
    return found
