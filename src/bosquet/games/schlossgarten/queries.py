"""What a seat may have worked out at a table: the figures of a card that it can form."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from bosquet.core.errors import BosquetError
from bosquet.core.rules import Query

from .reachable import Figure, reachable_figures
from .view import SchlossgartenView


class ReachableRequest(Struct, forbid_unknown_fields=True):
    """Which figures of this card can I form with the steps I have?"""

    card: Annotated[int, Meta(ge=1, le=32)]


class ReachableFigures(Struct):
    """The figures of a card that can be formed now."""

    card: int
    figures: list[Figure]


def check_reachable(view: SchlossgartenView, request: ReachableRequest) -> None:
    """Check that it is the viewer's turn, before the work, and that the card is its own. Raises BosquetError."""
    if view.viewer is None or view.seat != view.viewer or view.phase not in ("card", "move"):
        raise BosquetError("figures are looked for in one's own turn, before the work")
    if request.card not in [*(view.hand or []), view.played]:
        raise BosquetError(f"card {request.card} is not in your hand")


def work_out_reachable(view: SchlossgartenView, request: ReachableRequest) -> ReachableFigures:
    """Return the figures of a card. Raises BosquetError."""
    return ReachableFigures(card=request.card, figures=reachable_figures(view, request.card))


QUERIES = {
    "reachable": Query(
        argument=ReachableRequest, answer=ReachableFigures, check=check_reachable, work=work_out_reachable
    )
}
