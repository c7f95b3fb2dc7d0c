"""Reviews: people look at one finished game together, and are told what the one who leads shows.

The record and what was shown last are kept for some days. Who leads and what is pointed at is passed on and never
kept; pages work out all positions themselves.
"""
