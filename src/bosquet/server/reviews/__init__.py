"""Reviews: people look at one finished game together, and see what the person who leads shows.

The record and what was shown last are kept for some days. Who leads and what is pointed at is only passed on. Pages
work out all positions themselves.
"""
