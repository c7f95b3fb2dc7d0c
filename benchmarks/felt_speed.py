"""Measures how quickly tables in the page begin, and answer while each game is played by mouse in a slowed Chromium.

    python -m benchmarks.felt_speed [--game topas] [--presses 15] [--turns 6] [--repeat 3] [--slower 4]

INP is the longest time from an input to the next frame, by the event timing of the browser, which counts in steps of
8 ms and leaves out what takes less than 16; CLS is the sum of layout shifts without an input just before; a task keeps
the page from answering. Each game is played several times from the same opening; of each figure the best one
counts, since others use the machine, and the row without slowing says what the machine adds.

First comes the time from a press on *Play now* or *Learn by playing* to the frame with the first move that can be
pressed, in a Chromium that is not slowed. Each press is in a browser that has never been here, once the card was
pointed at and all is loaded that it then loads; the visitor begins. With `--turns 0` this is all.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

import bosquet
from tests.browser.conftest import CHROMIUM, DESKTOP, FLAGS
from tests.browser.helpers import schlossgarten, topiary
from tests.browser.helpers.tables import number, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, squares
from tests.helpers.services import serving

WAYS = ("Play now", "Learn by playing")
FIRST_MOVES = {
    "topiary": "[data-line] .near",
    "topas": ".dock.playing button:enabled",
    "schlossgarten": "button[aria-label^='Card ']:enabled",
}
"""What is pressed first on each board."""
PRESS_AIM = 100
PRESS = """([game, way, move]) => new Promise(done => {
    Math.random = () => 0;  // draws the lot
    const start = performance.now();
    const watch = new MutationObserver(() => {
        if (!document.querySelector(`[data-number] ${move}`)) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    });
    watch.observe(document.body, {attributes: true, childList: true, subtree: true});
    const buttons = [...document.querySelectorAll(`article[data-game=${game}] button`)];
    buttons.find(({textContent}) => textContent === way).click();
})"""
AIMS = {"INP ms": 200, "CLS": 0.1, "longest task ms": 200}
OBSERVE = """
window.felt = {begun: Infinity, inputs: {}, shifts: [], tasks: [], frames: []};
const nameOf = (node) => `${node?.nodeName ?? "-"}.${node?.className?.baseVal ?? node?.className ?? ""}`;
const watch = (type, take, more = {}) => new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.startTime >= felt.begun) take(entry);
}).observe({type, ...more});
watch("event", ({interactionId, duration, name, target}) => {
    if (interactionId && duration > (felt.inputs[interactionId]?.ms ?? 0))
        felt.inputs[interactionId] = {ms: duration, what: `${name} ${nameOf(target)}`};
}, {durationThreshold: 16});
watch("layout-shift", ({value, hadRecentInput, sources}) => {
    if (!hadRecentInput) felt.shifts.push({value, what: sources.map(({node}) => nameOf(node))});
});
watch("longtask", ({duration}) => felt.tasks.push(duration));
watch("long-animation-frame", ({duration, renderStart, startTime, styleAndLayoutStart, scripts}) => felt.frames.push({
    ms: Math.round(duration), drawn: Math.round(startTime + duration - renderStart),
    layout: Math.round(startTime + duration - styleAndLayoutStart),
    scripts: scripts.map((one) => [Math.round(one.duration), Math.round(one.forcedStyleAndLayoutDuration),
        one.invoker, one.sourceFunctionName, one.sourceURL.split("/").at(-1), one.sourceCharPosition].join(" ")),
}));
"""


class Felt(NamedTuple):
    """What a player feels of the speed of a page."""

    inp: float
    shift: float
    task: float


def pressed(browser: Browser, address: str, game: str, way: str) -> float:
    """Return milliseconds from a press to the frame with the first move, in which nothing may be loaded."""
    context = browser.new_context(base_url=address, viewport=DESKTOP, locale="en-GB", service_workers="block")
    page = context.new_page()
    with page.expect_response(re.compile(f"/engines/{game}")):
        page.goto("/")
        page.locator(f"article[data-game={game}]").hover()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    loaded: list[str] = []
    page.on("request", lambda asked: loaded.append(asked.url))
    taken: float = page.evaluate(PRESS, [game, way, FIRST_MOVES[game]])
    assert not [url for url in loaded if "/api/lobby" not in url], loaded
    context.close()
    return taken


def decide(page: Page, game: str) -> None:
    """Make one decision as a player does by mouse."""
    before = number(page)
    if game == "topas":
        choose_card(page)
        squares(page).first.hover()
        page.wait_for_timeout(400)  # a press right after the view has moved under the pointer is ignored
        squares(page).first.click()
    elif game == "topiary":
        topiary.choose_by_mouse(page)
    else:
        schlossgarten.decide(page, by_keyboard=False)
    wait_for_more(page, before)


def felt(browser: Browser, address: str, game: str, turns: int, slower: float, *, verbose: bool) -> Felt:
    """Play some decisions at a new table of the page, and return what was felt from the first one on."""
    context = browser.new_context(base_url=address, viewport=DESKTOP, locale="en-GB", service_workers="block")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    page.goto(f"/here/{game}")
    page.wait_for_selector("[data-number]")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    wait_for_turn(page)
    page.wait_for_timeout(1000)
    page.evaluate("felt.begun = performance.now()")  # loading is another figure
    for _ in range(turns):
        if not wait_for_turn(page):
            break
        decide(page, game)
    page.wait_for_timeout(500)
    found = page.evaluate("felt")
    context.close()
    inputs, shifts = list(found["inputs"].values()), found["shifts"]
    if verbose:
        worst = sorted(inputs, key=lambda one: -one["ms"])[:3], sorted(shifts, key=lambda one: -one["value"])[:3]
        for line in (*worst, *sorted(found["frames"], key=lambda one: -one["ms"])[:4]):
            print(f"  {line}")
    return Felt(
        max([16.0, *(one["ms"] for one in inputs)]), sum(one["value"] for one in shifts), max([0.0, *found["tasks"]])
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=bosquet.GAMES, action="append")
    parser.add_argument("--presses", type=int, default=15)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--slower", type=float, default=4.0)
    parser.add_argument("--verbose", action="store_true", help="print what was slowest, and what moved")
    given = parser.parse_args()
    expect.set_options(timeout=60_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        games = given.game or bosquet.GAMES
        print(f"{'from press to first move':32}{'median ms':>12}{'worst ms':>12}")
        for game, way in itertools.product(games, WAYS):
            taken = [pressed(browser, address, game, way) for _ in range(given.presses)]
            print(f"{f'{game}, {way}':32}{statistics.median(taken):12.0f}{max(taken):12.0f}")
        print(f"{'the aim':32}{PRESS_AIM:12}")
        if given.turns:
            print(f"{'':24}" + "".join(f"{name:>18}" for name in AIMS))
        for game in games if given.turns else ():
            for slower in (1.0, given.slower):
                runs = [
                    felt(browser, address, game, given.turns, slower, verbose=given.verbose)
                    for _ in range(given.repeat)
                ]
                best = Felt(*(min(column) for column in zip(*runs, strict=True)))
                print(f"{f'{game}, {slower:g} times slower':24}{best.inp:18.0f}{best.shift:18.3f}{best.task:18.0f}")
        browser.close()
    if given.turns:
        print(f"{'the aim':24}" + "".join(f"{aim:>18}" for aim in AIMS.values()))
    print(f"load of the machine, mean of 5 minutes: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
