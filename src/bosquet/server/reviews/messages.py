"""Messages about reviews: opening one over HTTP, and what is said in it over its WebSocket."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from bosquet.server.base.messages import Name
from bosquet.server.table.messages import Refused

Cell = Annotated[str, Meta(pattern=r"^[A-Za-z0-9,-]+\Z", max_length=24)]


class OpenReview(Struct, forbid_unknown_fields=True):
    """Look at a finished game together with others."""

    record: dict[str, Any]


class ReviewOpened(Struct):
    """The review that was opened; all who know its address may come."""

    review: str


class Review(Struct):
    """The game that a review is about."""

    record: dict[str, Any]


class KeptReview(Struct):
    """A review that a guest has opened."""

    review: str
    opened: str


class ReviewedPlace(Struct, forbid_unknown_fields=True):
    """What the page that leads shows. It means something to pages alone, which check it with the rules of the game."""

    seed: Annotated[str, Meta(max_length=64)]
    """Draws what is not known there."""
    path: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=300)]
    """The moves that are tried from there."""
    plies: Annotated[int, Meta(ge=0, le=100_000)] = 0
    """How many plies of the record come before them."""
    position: Annotated[str, Meta(max_length=12_000)] | None = None
    """The position as a seat knows it, if they start there instead of at the record, in which everything is open."""


class LeadReview(Struct, tag="lead", forbid_unknown_fields=True):
    """Lead from now on, with what the page shows."""

    name: Name
    place: ReviewedPlace


class ShowReview(Struct, tag="show", forbid_unknown_fields=True):
    """Show something else. It is ignored from a page that does not lead any more."""

    place: ReviewedPlace


class PointReview(Struct, tag="point", forbid_unknown_fields=True):
    """Point at a cell of the board; none to point at nothing."""

    name: Name
    cell: Cell | None = None


AskReview = LeadReview | ShowReview | PointReview


class ReviewState(Struct, tag="review"):
    """Who leads, and what is shown."""

    people: int
    """Pages that are there."""
    leader: str | None
    """The name of the one who leads; None if nobody does."""
    mine: bool
    """Whether that is this page."""
    place: ReviewedPlace | None
    """What was shown last; None before anything was."""


class ReviewPointed(Struct, tag="pointed"):
    """Somebody points at a cell."""

    name: str
    cell: Cell | None


TellReview = ReviewState | ReviewPointed | Refused
