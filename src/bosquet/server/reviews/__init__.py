"""Reviews: people look at one finished game together, and are told what the one who leads shows.

The record is kept for some days. Who leads, what is shown and what is pointed at is passed on and never kept; pages
work out all positions themselves.
"""
