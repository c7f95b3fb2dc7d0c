"""Puzzles: positions from games between bots in which one turn is clearly the best.

`puzzle` says what one is and whether an answer is right, `files` keeps them in files, and `grades` says how hard they
are. `making` finds them: `best` the turn after which the seat is expected to end furthest ahead of the best other seat,
`wins` a turn that wins at once. Which turns are asked for, the module `puzzles` of a game says (`turns`).
"""
