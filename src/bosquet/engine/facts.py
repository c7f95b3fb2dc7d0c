"""What a page must know of a game besides its kernels: a section of the module, as JSON, made from the game's `SPEC`.

    title, options       as in `GameSpec`; the default of an option first
    refused              combinations of options that are not allowed, and why
    optional_in_records  as in `GameSpec`
    bots                 the settings of every bot that searches, and how many engines it takes
    coach, luck          as in `lab.coach` and `lab.luck`
    by_options           what differs with the options, for every combination of them

    deals                the forms of deals (`core.inputs.deals`), of a game whose records a page reads
    box                  the form of its boxes (`core.inputs.boxes`)
    open_keys            as in `GameSpec`
    real                 the form of games with the real box (`core.real_game`); empty where the engine counts none
    reasons              why a move is illegal: sentences by the keys that the engine writes
    fields               the types of the fields of the state that a deal gives

A combination is written as the values of the options, as JSON.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from bosquet.bots import champion, learned, levels
from bosquet.core.errors import OptionError
from bosquet.core.inputs import boxes
from bosquet.core.inputs.deals import Form
from bosquet.core.real_game import Form as RealForm
from bosquet.core.real_game import count_kernel, form_of
from bosquet.core.rng import seed_rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.lab import coach, luck, verdicts
from bosquet.lab.chances import fitted
from bosquet.search import Settings
from bosquet.search.learned_weights import model_with_weights


def facts(spec: GameSpec) -> dict[str, Any]:
    """Return what a page must know of a game."""
    allowed, refused = [], {}
    for options in combinations(spec):
        try:
            allowed.append(check_options(spec, options))
        except OptionError as error:
            refused[key(options)] = str(error)
    forms = deal_forms(spec)
    return {
        "title": spec.title,
        "options": {name: list(values) for name, values in spec.options.items()},
        "refused": refused,
        "optional_in_records": list(spec.optional_in_records),
        "bots": {
            **{f"level{level}": _settings(levels.settings(spec.name, level)) for level in range(1, levels.COUNT + 1)},
            champion.NAME: _settings(champion.settings(spec.name)),
        },
        "coach": {
            "simulations": coach.SIMULATIONS,
            "closer": coach.CLOSER,
            "candidates": coach.CANDIDATES,
            "costliest": coach.COSTLIEST,
            "reasons": verdicts.KINDS,
        },
        "luck": {"bot": spec.luck_bot, "games": luck.GAMES},
        "deals": forms,
        "reasons": dict(getattr(spec.notation, "SENTENCES", {})),
        "fields": dealt_fields(spec),
        "box": box_form(spec),
        "open_keys": list(spec.open_keys),
        "real": real_form(spec),
        "by_options": {key(options): found for options in allowed if (found := _by_options(spec, options, forms))},
    }


def facts_text(spec: GameSpec) -> bytes:
    """Return the same as JSON."""
    return msgspec.json.encode(facts(spec))


def combinations(spec: GameSpec) -> Iterator[dict[str, Any]]:
    """Yield every combination of options, also those that are not allowed."""
    for values in itertools.product(*spec.options.values()):
        yield dict(zip(spec.options, values, strict=True))


def key(options: dict[str, Any]) -> str:
    """Return the name of a combination of all options."""
    return msgspec.json.encode(list(options.values())).decode()


def _settings(settings: Settings) -> dict[str, Any]:
    """Return the settings of a search as the page has them, without those that are left to the game."""
    given = {
        "simulations": settings.simulations,
        "candidateDropout": settings.candidate_dropout,
        "seconds": settings.seconds,
        "stopEarly": settings.stop_early,
    }
    return {"engines": settings.threads, "settings": {name: value for name, value in given.items() if value}}


def has_deal_form(spec: GameSpec) -> bool:
    """Return whether a page may read and write deals of records of a game."""
    writes = hasattr(spec.module("writing"), "write_deal")
    return writes and hasattr(spec.rules, "begin") and hasattr(spec.notation, "deal_form")


def deal_forms(spec: GameSpec) -> list[Form]:
    """Return the different forms of deals of a game, that of the default options first."""
    found: list[Form] = []
    for options in combinations(spec) if has_deal_form(spec) else ():
        with contextlib.suppress(OptionError):
            form = deal_form(spec, check_options(spec, options))
            found += [] if form in found else [form]
    return found


def deal_form(spec: GameSpec, options: dict[str, Any]) -> Form:
    """Return the form of a deal with these options, with the box of the house."""
    form: Form = cast(Any, spec.notation).deal_form(spec.new_state(options))
    return form


def dealt_fields(spec: GameSpec) -> dict[str, str]:
    """Return the fields of the state that a deal gives, and the codes of their types."""
    fields = spec.rules.State.fields
    forms: list[Form | boxes.Form] = [*deal_forms(spec), box_form(spec)]
    return {part.field: fields[part.field].code for form in forms for part in form}


def box_form(spec: GameSpec) -> boxes.Form:
    """Return the form of the boxes of a game; empty if it has none that a page reads."""
    form: boxes.Form = getattr(spec.module("box"), "FORM", ()) if has_deal_form(spec) else ()
    return form


def real_form(spec: GameSpec) -> RealForm:
    """Return the form of real games that the engine of a game counts; empty if it counts none."""
    module = spec.real_game
    return form_of(module.RealGame) if module is not None and count_kernel(module) else {}


def _by_options(spec: GameSpec, options: dict[str, Any], forms: list[Form]) -> dict[str, Any]:
    """Return what a page must know of games with these options, without what it is in most."""
    fit, model = fitted(spec.name, options), model_with_weights(spec.name, options)
    found = {
        "sharpness": fit and fit.sharpness,
        "learned": model is not None,
        "learned_hints": model is not None and model.gives_better_hints(options),
        "deal": forms.index(deal_form(spec, options)) if forms else 0,
        "result": [name for name in _result(spec, options) if name not in ("scores", "winners")],
        "looks_ahead": learned.looks_ahead(spec.name, options) and champion.AHEAD,
    }
    return {name: value for name, value in found.items() if value}


def _result(spec: GameSpec, options: dict[str, Any]) -> dict[str, Any]:
    """Return what a result has, as of a game that was just dealt."""
    state = spec.new_state(options)
    spec.rules.deal(state, seed_rng(0))
    return spec.rules.result(state)
