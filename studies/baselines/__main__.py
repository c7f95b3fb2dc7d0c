"""The baselines of README.md: bots, learners, responses to levels, and algorithms on the tiny variants.

    uv run --extra torch --extra sb3 --group test --with dm-tree python -m studies.baselines FOLDER
        [--games 400] [--minutes 6] [--only bots|learners|responses|variants] [--finished]

Every result is kept in FOLDER: stopped or killed, the same command goes on. A result of other arguments is replaced.
The tables are written between the marks of the page. With `--finished` nothing is run; give the same arguments.
Libraries are imported where the table that needs them is made.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import bosquet
from bosquet.bots.levels import COUNT
from bosquet.core.installed import spec
from bosquet.lab.ratings import Estimate
from studies import markdown
from studies.baselines import matches
from studies.baselines.results import Results
from studies.markdown import written

PAGE = Path(__file__).with_name("README.md")


def bots(results: Results, games: int) -> Iterator[Sequence[object]]:
    """Yield the rows of the table of bots."""
    for game in bosquet.GAMES:
        for bot in matches.names(game):
            found = results.get(
                f"{game}-{bot.replace(':', '_')}",
                tuple[Estimate, Estimate],
                functools.partial(matches.result, results.folder / f"matches-{games}"),
                game,
                bot,
                games,
            )
            if found:
                wins, ahead = found
                yield (
                    spec(game).title,
                    f"`{bot}`",
                    percent(wins),
                    f"{ahead.value:+.1f} [{ahead.low:.1f}, {ahead.high:.1f}]",
                )


def policies(results: Results, minutes: float, deals: int) -> Iterator[Sequence[object]]:
    """Yield the rows of the table of policies without search."""
    from studies.baselines import learners

    runs: dict[str, tuple[Callable[..., learners.Learned], str | None]] = {
        "PPO by self-play, `examples/train_policy.py`": (learners.example, None),
        "PPO against `greedy`, the same": (learners.example, matches.RIVAL),
        "MaskablePPO of sb3-contrib against `greedy`": (learners.maskable_ppo, matches.RIVAL),
    }
    for game in bosquet.GAMES:
        for number, (name, (run, rival)) in enumerate(runs.items()):
            if rival and spec(game).greedy_action is None:
                continue  # batches have no such opponent
            found = results.get(f"{game}-learner-{number}", learners.Learned, run, game, minutes, deals, rival)
            if found:
                yield spec(game).title, name, *learning(found), percent(found.wins)


def responses(results: Results, minutes: float, deals: int) -> Iterator[Sequence[object]]:
    """Yield the rows of the table of learners that are trained against one bot.

    Against a level they begin with what the learner against the level below has learned.
    """
    from studies.baselines.responses import Response, response

    for game in bosquet.GAMES:
        weights: list[float] | None = None
        for number, bot in enumerate([matches.RIVAL, *(f"level{level}" for level in range(1, COUNT + 1))]):
            name = f"{game}-response-{bot}"
            found = results.get(name, Response, response, game, bot, number, minutes, deals, weights)
            if found is None:
                break
            weights = found.weights if number else None
            wins = (percent(estimate) for estimate in (found.prior, found.ahead, found.wins))
            yield spec(game).title, f"`{bot}`", *learning(found), *wins


def learning(found: Any) -> tuple[str, str]:
    """Return how much was learned from, and in what time."""
    return f"{found.decisions:,}", f"{found.minutes:.1f}"


def algorithms(results: Results) -> Iterator[Sequence[object]]:
    """Yield the rows of the table of the tiny variants."""
    from studies.baselines import variants

    for variant in variants.VARIANTS:
        for number, name in enumerate(variants.ALGORITHMS):
            found = results.get(
                f"{variant}-{number}",
                variants.Measured,
                variants.measured,
                variant,
                name,
            )
            if found:
                yield f"`{variant}`", name, found.effort, f"{found.minutes:.1f}", f"{found.exploitability:.3f}"


def percent(wins: Estimate) -> str:
    """Return a share with its interval."""
    return f"{100 * wins.value:.1f} % [{100 * wins.low:.1f}, {100 * wins.high:.1f}]"


def main() -> None:
    """Run what has not been run, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=400, help="of each bot (400)")
    parser.add_argument("--minutes", type=float, default=6.0, help="of each learner (6)")
    parser.add_argument("--only", choices=("bots", "learners", "responses", "variants"))
    parser.add_argument("--finished", action="store_true", help="run nothing, use what is there")
    given = parser.parse_args()
    results = Results(given.folder, given.finished)
    deals = given.games // 2
    parts: dict[str, tuple[list[str], Callable[[], Iterator[Sequence[object]]]]] = {
        "bots": (["game", "bot", "wins against `greedy`", "points ahead"], lambda: bots(results, given.games)),
        "learners": (
            ["game", "policy", "decisions", "minutes", "wins against `greedy`"],
            lambda: policies(results, given.minutes, deals),
        ),
        "responses": (
            ["game", "against", "decisions", "minutes", "best prior", "looking ahead", "learned"],
            lambda: responses(results, given.minutes, deals),
        ),
        "variants": (
            ["variant", "algorithm", "effort", "minutes", "exploitability"],
            lambda: algorithms(results),
        ),
    }
    page = PAGE.read_text(encoding="utf-8")
    for name, (columns, rows) in parts.items():
        if given.only in (None, name):
            page = written(page, f"baselines: {name}", markdown.table(columns, rows()))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
