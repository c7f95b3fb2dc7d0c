"""The learned player of Topas alone, which looks ahead over the cards that may come, and how it is trained."""

from .learned import PLAYS, Player, plays, stored_weights

__all__ = ["PLAYS", "Player", "plays", "stored_weights"]
