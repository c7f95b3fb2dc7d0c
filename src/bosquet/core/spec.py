"""The description of a game: its modules, its settings, and what follows from them.

A game is a package with the modules `rules`, `notation` and `view`, and a `SPEC` that the entry point group
`bosquet.games` names. The package may also have these modules: `encoder` (observations and actions as arrays), `search`
(the game's part of the tree search), `learned_search` (the same with values learned by self-play, see
`search.learned_model`), `greedy` (the bot of that name: a class `Greedy`, a kernel `greedy_action`, or both),
`terminal` (drawing), `variants`, `real_game` (scores of games played with the real box), `reachable` (a kernel that
writes what can be reached with a card, see `engine.reaching`), `puzzles` (which turns puzzles ask for, see
`lab.puzzles`), `writing` (kernels that write views, moves and score sheets as JSON, see `core.rules.Writing`),
`position` (what a viewer knows as a state and as text, see `core.positions.position`), `attempts` (kernels
that list what can be tried where legal moves are not shown, and write why one is illegal, see `engine.attempting`),
`move_text` (a kernel that reads the notation of moves, see `core.text.reading_moves`),
`chance_text` (kernels that read chance events of records, for pages: `read_chance` and
`write_due`, see `engine.dealing`).
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, cast, get_type_hints

from bosquet.core.default_encoder import DefaultEncoder
from bosquet.core.encoding import Encoder
from bosquet.core.errors import OptionError, did_you_mean, quoted
from bosquet.core.inputs import deals
from bosquet.core.inputs.integers import whole_number
from bosquet.core.real_game import RealGames
from bosquet.core.rng import Rng, seed_rng
from bosquet.core.rules import KERNELS, Notation, Rules, Views
from bosquet.core.state import Options
from bosquet.core.view import View


@dataclass(frozen=True, kw_only=True, eq=False)
class GameSpec:
    """The description of a game: its modules and its settings."""

    package: str
    """Name of the package that holds the game's modules."""
    rules: Rules
    notation: Notation
    view: Views
    rules_in_short: str = ""
    """Summary of the rules for a player at a terminal, of a game without `help.json`; must fit on one screen."""
    option_help: Mapping[str, str] = field(default_factory=dict)
    """What each option does, as a phrase for `--help`, the terminal, and the page if it has no words of its own."""
    optional_in_records: tuple[str, ...] = ()
    """Options added after the first records; a record leaves them out where they have their default."""
    check_together: Callable[[Options], None] | None = None
    """Check the options together, each having an allowed value. Raises OptionError, which begins with an option."""
    open_keys: tuple[str, ...] = ()
    """Keys of a deal that say what lies open before the first move. The games of a duel share them."""
    box_keys: tuple[str, ...] = ()
    """Keys of a deal that say what is in the box. With them, `rules.new_state` takes a box: a mapping of these keys."""
    house_deck: Callable[[], list[list[str]]] | None = None
    """Return the rows of each card of the deck that is used if none is given, card 1 first, to be drawn."""
    pace: float = 1.0
    """Seconds that a bot takes for a decision when it plays with people."""
    levels: tuple[tuple[int, float], ...] = ((5, 0.0), (15, 0.0), (50, 0.0), (150, 0.0), (500, 0.0), (1500, 0.0))
    """[level - 1]: simulations per decision, and candidate dropout (the share of candidates it ignores).

    The default suits a game without a module `search`, where a single simulation is no better than a random move.
    """
    luck_bot: str = "level3"
    """Bot that replays a deal for the luck receipt. It must be reasonably strong, fast and not deterministic."""
    max_decisions: int = 1000
    """Upper bound on the decisions of a game. This and the next three are used only if the game has no encoder."""
    max_chance_events: int = 1000
    """Upper bound on the chance events after the deal."""
    min_points: int | None = None
    """No seat ends with fewer points than this, None if that is unknown."""
    max_points: int | None = None
    """No seat ends with more points than this, None if that is unknown."""
    chance_draws: tuple[int, ...] = ()
    """Outcomes of each draw of a chance event at most, such as `(6, 6)` for two dice.

    Environments in which every draw is a chance node need it; if it is empty, no event draws more than the deal does.
    """
    revealed: Callable[[Any], dict[str, str]] | None = None
    """Return what lies face down on the table of a state, by cell, for a replay that shows everything."""

    @property
    def name(self) -> str:
        """Return the name of the game, as in a record."""
        return self.rules.NAME

    @property
    def title(self) -> str:
        """Return the display name of the game."""
        return self.rules.TITLE

    @property
    def options(self) -> Mapping[str, tuple[Any, ...]]:
        """Map the name of each option to its values, the default first. `players` is one of the options."""
        return self.rules.OPTIONS

    def players_with(self, option: str) -> list[int]:
        """Return the numbers of players with which an option may have another value than its default."""
        found = []
        for players in self.options["players"]:
            with contextlib.suppress(OptionError):
                check_options(self, {"players": players, option: self.options[option][-1]})
                found.append(players)
        return found

    def new_state(self, options: Options, box: Any = None) -> Any:
        """Return a state with its options and its box set, ready for `deal`. None is the house box.

        Raises OptionError for an invalid box, and for any box if the game has none.
        """
        if box is None:
            return self.rules.new_state(options)
        if not self.box_keys:
            raise OptionError(f"{self.title} has no box to choose; leave it out")
        return cast(Callable[[Options, Any], Any], self.rules.new_state)(options, box)

    def box_of(self, deal: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the box of a deal, as `new_state` takes it; None if it is that of the house."""
        return {key: deal[key] for key in self.box_keys if key in deal} or None

    def with_open_part(self, state: Any, other: Mapping[str, Any]) -> Any:
        """Return a state that was dealt, changed so that what lies open is as in another deal.

        If the state was drawn uniformly, so is the result among the deals with this open part.
        """
        notation, rules = cast(Any, self.notation), cast(Any, self.rules)
        deal, changed = notation.write_deal(state), state.copy()
        if hasattr(notation, "deal_form"):
            deals.lay(changed, deals.with_open_part(deal, other, notation.deal_form(state), self.open_keys))
            rules.begin(changed)
        else:
            change = getattr(notation, "with_open_part", None)
            notation.read_deal(changed, change(deal, other) if change else {**deal, **self.open_part(other)})
        return changed

    def open_part(self, deal: Mapping[str, Any]) -> dict[str, Any]:
        """Return the part of a deal that lies open before the first move."""
        return {key: deal[key] for key in self.open_keys if key in deal}

    def normalized_box(self, options: Options, box: Any) -> dict[str, Any] | None:
        """Return a box in any form that `new_state` takes as the keys of a deal; None for the house box.

        Raises OptionError.
        """
        if box is None:
            return None
        state = self.new_state(options, box)
        self.rules.deal(state, seed_rng(0, "deal"))
        return self.box_of(self.notation.write_deal(state))

    def options_in_records(self, options: Options) -> dict[str, Any]:
        """Return the options as a record has them."""
        left_out = [
            name for name in self.optional_in_records if name in options and options[name] == self.options[name][0]
        ]
        return {name: value for name, value in options.items() if name not in left_out}

    @property
    def kernels(self) -> dict[str, Callable[..., Any]]:
        """Return the kernels of the rules by name, for code that works with every game."""
        return {name: getattr(self.rules, name) for name in KERNELS}

    @property
    def greedy_action(self) -> Callable[[Any, Any, Any], int] | None:
        """Return the kernel that plays like the bot `greedy`, or None if the game has none.

        `greedy_action(state, rng_state, moves)` returns the action of the seat to move, and reads nothing that is
        hidden from it. It overwrites `moves` (`MAX_MOVES` integers) and advances `rng_state`. A bot that plans several
        actions at once may keep its plan in `moves`, behind all that `legal` ever writes; so a game gives it the same
        array for all decisions, else it plans anew.
        """
        return getattr(self.module("greedy"), "greedy_action", None)

    @property
    def greedy_in_one_launch(self) -> bool:
        """Return whether a device may make several decisions of `greedy_action` in one launch."""
        return self.greedy_action is not None and getattr(self.module("greedy"), "MANY_ON_A_DEVICE", True)

    @functools.cached_property
    def encoder(self) -> Encoder:
        """Return the module `encoder`, or a `DefaultEncoder` derived from the visibility of the state's fields."""
        module = self.module("encoder")
        return (
            cast(Encoder, module)
            if module
            else DefaultEncoder(
                self.rules, self.max_decisions, self.max_chance_events, self.min_points, self.max_points
            )
        )

    @functools.cached_property
    def view_type(self) -> type[View]:
        """Return the class of the game's views: what the function `view` of its module says that it returns."""
        found = get_type_hints(self.view.view).get("return", View)
        if not (isinstance(found, type) and issubclass(found, View)):
            raise TypeError(f"`view` of {self.package}.view must say that it returns its subclass of View")
        return found

    @property
    def writes_views(self) -> bool:
        """Return whether the game has kernels that write its views; without them it makes typed data itself."""
        return self.module("writing") is not None

    def conceal(self, state: Any, viewer: int | None) -> Any:
        """Return the position of a seat, or a spectator (None): a state with what the viewer knows and nothing else.

        Hidden places hold what follows from that, so that counts are right, and every other byte is 0. The packed
        positions of states that look the same to the viewer are the same byte for byte.
        """
        module = self.module("position")
        if module is None:
            return self.view.determinize(self.view.view(state, viewer), Rng("position"))
        position = self.rules.State()
        module.conceal(state, -1 if viewer is None else viewer, position)
        return position

    def determinize(self, state: Any, viewer: int | None, rng: Rng) -> Any:
        """Return a state drawn uniformly from those that agree with all that a viewer of `state` has seen.

        It is made from the position of the viewer, so it depends on nothing else. Steps `rng`.
        """
        drawn = self.conceal(state, viewer)
        self.rules.determinize_in_place(drawn, -1 if viewer is None else viewer, rng.state)
        return drawn

    def offered_view(self, bare: View, rng: Rng) -> View:
        """Return the full view of a seat from one without its `OFFERS` and `AIDS`, which follow from the rest."""
        return self.view.view(self.view.determinize(bare, rng), bare.viewer)

    @property
    def lies_open(self) -> bool:
        """Return whether every field of a state is declared `PUBLIC`: then nothing is hidden from anybody."""
        state = self.rules.State
        return all(name in state.visibility and not state.visibility[name].owner_only for name in state.fields)

    @property
    def moves_are_open(self) -> bool:
        """Return whether every viewer may know all of every move."""
        return bool(getattr(self.view, "MOVES_ARE_OPEN", False))

    @property
    def real_game(self) -> RealGames | None:
        """Return the module that scores games played with the real box, or None if the game has none."""
        return cast(RealGames | None, self.module("real_game"))

    def module(self, name: str) -> ModuleType | None:
        """Return an optional module of the game, or None if it has no such module."""
        return optional_module(f"{self.package}.{name}")


@functools.cache
def optional_module(name: str) -> ModuleType | None:
    """Return a module by its full name, or None if its package has no such module."""
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def check_options(spec: GameSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a game, with defaults for those not in `given`. Raises OptionError."""
    for name in given:
        if name not in spec.options:
            near = did_you_mean(name, spec.options)
            raise OptionError(f"{spec.title} has no option {quoted(name)}; it has {', '.join(spec.options)}{near}")
    options = {}
    for name, values in spec.options.items():
        value = given.get(name, values[0])
        if (number := whole_number(value)) is not None:
            value = number
        if not any(type(value) is type(allowed) and value == allowed for allowed in values):
            shown = ", ".join(map(quoted, sorted(values, key=lambda v: (type(v).__name__, v))))
            raise OptionError(f"{name} is {quoted(value)}; {spec.title} takes {shown}{did_you_mean(value, values)}")
        options[name] = value
    if spec.check_together is not None:
        spec.check_together(options)
    return options
