"""Options that several commands have."""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperOption

from bosquet.core.errors import OptionError
from bosquet.core.installed import names, spec

GameName = StrEnum("GameName", {name: name for name in names()})  # type: ignore[misc]

OWN_DEFAULT = "the game's own"
"""Stands for the default number of players, which each game has."""

GAME_OPTIONS = "Options of the games (a game takes those that name it)"

GREEDY = ["greedy"]
"""Who plays if no bots are named. An option with a list of names may be repeated, which makes the list longer."""

GameArgument = Annotated[GameName, typer.Argument(help="Which game.", show_default=False)]
PlayersOption = Annotated[int | None, typer.Option("--players", "-n", help="How many seats.", show_default=OWN_DEFAULT)]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="The same seed deals the same games.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
FileArgument = Annotated[Path, typer.Argument(help="A record, or JSON Lines of records.", show_default=False)]
RecordsOption = Annotated[
    Path | None, typer.Option("--records", help="Write a record a line to this file.", show_default=False)
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that are there.")]
BaseOption = Annotated[
    str, typer.Option("--base", metavar="PATH", help="The folder of the host where it lies, as /games/.")
]
WorkersOption = Annotated[int | None, typer.Option("--workers", min=1, help="Processes.", show_default="one a core")]
RayOption = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; `local` starts one.", show_default=False),
]
BotSecondsOption = Annotated[
    float, typer.Option("--bot-seconds", min=0.001, help="Time for a decision of a bot from outside.")
]
BotMemoryOption = Annotated[
    int, typer.Option("--bot-memory", min=16, metavar="MIB", help="Memory of a bot from outside, on Linux.")
]
BotLogOption = Annotated[
    Path | None,
    typer.Option("--bot-log", metavar="FILE", help="Keep in FILE what bots of your own print.", show_default=False),
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", help="The folder of the tables.", show_default="the user's data folder"),
]


def complete_bots(incomplete: str) -> list[tuple[str, str]]:
    """Return what may stand for the last bot of a list, for completion in a shell."""
    from bosquet.bots.catalogue import CATALOGUE

    before, comma, last = incomplete.rpartition(",")
    return [(before + comma + name, what) for name, what in CATALOGUE.items() if name.startswith(last)]


class GameCommand(TyperCommand):
    """A command that also takes the options of all games; the game that is played refuses those that it lacks."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters of the command, then the options of games, then `--help`."""
        own = super().get_params(ctx)
        for parameter in own:
            if getattr(parameter, "show_default", None) == OWN_DEFAULT:
                parameter.show_default = _default_players()  # type: ignore[attr-defined]
        help_at = len(own) - (self.get_help_option(ctx) in own)
        return [*own[:help_at], *_game_options(), *own[help_at:]]


def _default_players() -> str:
    """Return the default number of players, and the games that have another one."""
    defaults = {game.title: game.options["players"][0] for game in map(spec, names())}
    usual = Counter(defaults.values()).most_common(1)[0][0]
    others = [f"{title}: {players}" for title, players in defaults.items() if players != usual]
    return "; ".join([str(usual), *others])


def shown_options(game: str, options: Mapping[str, Any]) -> str:
    """Return the options that have not their default, as they are appended to a title."""
    defaults = {name: values[0] for name, values in spec(game).options.items()} | {"players": options["players"]}
    others = {name: value for name, value in options.items() if value != defaults[name]}
    return "".join(f", {name}" if value is True else f", {name} {value}" for name, value in others.items())


GIVEN = "bosquet.options"
BOX = "bosquet.box"


def given_options(context: typer.Context, players: int | None) -> dict[str, Any]:
    """Return the options of the game that were given."""
    given: dict[str, Any] = dict(context.meta.get(GIVEN, {}))
    return given if players is None else given | {"players": players}


def given_box(context: typer.Context) -> str | None:
    """Return the path of the box file that was given."""
    box: str | None = context.meta.get(BOX)
    return box


def described_box(context: typer.Context, box: Mapping[str, Any] | None) -> dict[str, str] | None:
    """Return the file name and a digest of a box given as the keys of a deal; None for that of the house."""
    import msgspec

    if box is None:
        return None
    digest = hashlib.sha256(msgspec.json.encode(box, order="deterministic")).hexdigest()
    return {"file": Path(given_box(context) or "").name, "digest": digest[:12]}


def shown_box(box: Mapping[str, str] | None) -> str:
    """Return the box as it is appended to a title."""
    return "" if box is None else f", box {box['file']} ({box['digest']})"


@functools.cache
def _game_options() -> list[TyperOption]:
    """Return an option for each option of a game but `players`, and for the box file of games that have one."""
    found: dict[str, TyperOption] = {}
    specs = [spec(name) for name in names()]
    for game in specs:
        for name, values in game.options.items():
            if name != "players":
                flag = isinstance(values[0], bool)
                words = escape(f"{game.title}: {game.option_help.get(name, name)}.")
                if name in found:
                    words = f"{found[name].help} {words}"
                found[name] = TyperOption(
                    param_decls=[f"--{name.replace('_', '-')}", name],
                    is_flag=flag,
                    type=None if flag else type(values[0]),
                    metavar=None if flag else f"<{'|'.join(map(str, values))}>",
                    help=words,
                    expose_value=False,
                    rich_help_panel=GAME_OPTIONS,
                    callback=_keep_option,
                    default=None,
                )
    with_box = ", ".join(game.title for game in specs if game.box_keys)
    if with_box:
        found["box"] = TyperOption(
            param_decls=["--box"],
            help=f"{with_box}: a file that says what is in the box.",
            metavar="FILE",
            multiple=True,  # so that a second one is refused
            expose_value=False,
            rich_help_panel=GAME_OPTIONS,
            callback=_keep_box,
            default=None,
        )
    return list(found.values())


def _keep_option(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> None:
    if value is not None and parameter.name is not None:
        context.meta.setdefault(GIVEN, {})[parameter.name] = value


def _keep_box(context: typer.Context, parameter: typer.CallbackParam, value: list[str] | None) -> None:
    if value is not None and len(value) > 1:
        raise OptionError(f"{len(value)} boxes are given; give one --box")
    context.meta[BOX] = value[0] if value else None
