"""The learned player of Topas alone, which looks ahead over the cards that may come, and how it is trained."""

from .learned import FIELDS, PLAYS, Player, Workspace, choose_ahead, plays, stored_weights

__all__ = ["FIELDS", "PLAYS", "Player", "Workspace", "choose_ahead", "plays", "stored_weights"]
