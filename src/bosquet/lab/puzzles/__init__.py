"""Puzzles: positions from games between bots in which one turn is clearly the best.

`puzzle` says what a puzzle is and whether an answer is right, `files` reads and writes files of them, and `grades` says
how hard they are. `making` finds them: `best` finds turns after which the seat is expected to end furthest ahead of the
best other seat, `wins` finds turns that win at once. `turns` reads from a game's module `puzzles` which turns are asked
for.
"""
