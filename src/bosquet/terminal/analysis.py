"""Draw the coach's report and the luck receipt at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from bosquet.drawing.palette import QUIET, SEATS, mark
from bosquet.drawing.tables import Rows
from bosquet.lab.coach import Choice, Decision, Reason, Report
from bosquet.lab.luck import Spread

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60
REASONS = {
    "given_away": "{points} fewer at once",
    "opened": "{points} more for the others",
    "unscored": "{points} fewer to come",
}


def draw_report(report: Report, names: Sequence[str]) -> RenderableType:
    """Return a drawing of a report: win probabilities over the game, losses of each seat, costliest decisions."""
    return Group(*_course(report, names), _losses(report, names), *_costliest(report, names))


def draw_choices(choices: Sequence[Choice], seat: int, name: str) -> RenderableType:
    """Return a table of the best choices in a game that still runs."""
    alone = len(choices[0].points) == 1
    table = Rows(["best"], ["points"] if alone else ["win", "points"])
    for choice in choices:
        win = [] if alone else [f"{100 * choice.wins[seat]:.0f} %"]
        table.add(_moves(choice), *win, f"{choice.points[seat]:.1f}")
    return Group(Text(f"{mark(seat)} {name} is to move", SEATS[seat]), table)


def draw_receipt(spreads: Sequence[Spread], names: Sequence[str]) -> RenderableType:
    """Return a table that compares each seat's score with those of bots on the same deal."""
    games = len(spreads[0].points)
    columns = ["points", "bots' mean", "bots' range", "better than", "seat won"]
    table = Rows(["seat"], columns, f"Luck: the same deal, played {games} times by bots")
    for spread in spreads:
        table.add(
            Text(f"{mark(spread.seat)} {names[spread.seat]}", style=SEATS[spread.seat]),
            str(spread.yours),
            f"{spread.mean:.1f}",
            f"{spread.points[0]}{'–' if spread.points[0] >= 0 else ' to '}{spread.points[-1]}",
            f"{100 * spread.beaten:.0f} %",
            f"{100 * spread.won:.0f} %",
        )
    return table


def _course(report: Report, names: Sequence[str]) -> list[Text]:
    """Return a line for each seat: its win probability after each decision, in eighths."""
    if len(names) == 1 or not report.decisions:
        return []
    lines = [Text("Chance to win, over the game", style="bold")]
    longest = max(map(len, names))
    for seat, name in enumerate(names):
        wins = [decision.made.wins[seat] for decision in report.decisions]
        parts = min(WIDTH, len(wins))
        means = [_mean(wins[i * len(wins) // parts : (i + 1) * len(wins) // parts]) for i in range(parts)]
        bars = "".join(BARS[min(int(win * len(BARS)), len(BARS) - 1)] for win in means)
        lines.append(Text(f"{mark(seat)} {name:<{longest}}  {bars}  {100 * wins[-1]:.0f} %", style=SEATS[seat]))
    return lines


def _losses(report: Report, names: Sequence[str]) -> Rows:
    table = Rows(["seat"], ["decisions", "win chance lost", "points of lead lost", "best found"], "What decisions cost")
    for seat, name in enumerate(names):
        own = [decision for decision in report.decisions if decision.seat == seat]
        table.add(
            Text(f"{mark(seat)} {name}", style=SEATS[seat]),
            str(len(own)),
            f"{100 * sum(decision.loss for decision in own):.0f} %" if len(names) > 1 else "–",
            f"{sum(max(0.0, decision.loss_points) for decision in own):.1f}",
            f"{100 * _mean([float(decision.reason is None) for decision in own]):.0f} %",
        )
    return table


def _costliest(report: Report, names: Sequence[str]) -> list[RenderableType]:
    lines: list[RenderableType] = []
    for rank, i in enumerate(report.costliest, 1):
        decision = report.decisions[i]
        name = names[decision.seat]
        lines.append(Text(f"{rank}. ply {decision.ply}, {name}: {_moves(decision.made)}", style=SEATS[decision.seat]))
        lines.append(Text(f"   better: {_moves(decision.best[0])}"))
        lines.append(Text(f"   {cost(decision)}", style=QUIET))
    return lines or [Text("No decision cost anything that could be measured", style=QUIET)]


def cost(decision: Decision) -> str:
    """Return a sentence that says what a decision lost and why."""
    assert decision.reason is not None
    if len(decision.made.points) == 1:
        return f"{decision.best[0].points[0]:.1f} points expected instead of {decision.made.points[0]:.1f}"
    best, made = (choice.wins[decision.seat] for choice in (decision.best[0], decision.made))
    seen = f"{100 * best:.0f} % to win instead of {100 * made:.0f} %"
    return f"{seen}: {why(decision.reason)}; in hindsight {100 * decision.hindsight:+.0f} %"


def why(reason: Reason) -> str:
    """Return a reason in words."""
    return REASONS[reason.kind].format(points=f"{reason.points:g} point{'' if reason.points == 1 else 's'}")


def _moves(choice: Choice) -> str:
    return ", ".join(choice.moves)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0
