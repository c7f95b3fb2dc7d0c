"""The rules in short, for a player who asks with `?`. The whole rules are in docs/rules."""

from __future__ import annotations

TOPIARY = """\
Topiary in short

Place a visitor at a free line: first cell and heading, like c1N or a1NE. It
looks straight across the garden. Then you may take one hidden tile of that
line into your hand (take c2), and must put one tile of your hand face up in
its place (put T1). Or leave the tiles alone (pass).

The game ends when all visitors stand. Then each visitor looks down its line
and sees every tile that is larger than all nearer ones; hidden tiles hide
nothing. It scores the sizes it sees, and for a type of which it sees two or
more, 1 more for each of them.

A tile left in your hand scores its size if one of your visitors sees a larger
tile of its type. Most points win; a tie goes to the better hand.

Draft variant: the spare tiles go round from the last seat to the first; each
keeps three of what it has (keep T1 W2 P5) and passes on the rest."""

TOPAS = """\
Topas in short

Lay one card of your hand so that one of its halves touches a card on the
table: the card, the square of its first half, the way to its second, like
B1G2@3,-1N. Squares are x,y: x grows to the east, y to the north.

A row is two or more halves of one colour side by side, in a straight line.
You score the gems of every row that your card belongs to, up to four rows.
No row may hold more than seven gems: such a placement is not allowed.

Expert: the rows are multiplied. Then you draw a card while the pile lasts.
After seven turns each, most points win.

Alone: lay seven cards as they come, note the points, clear the table, four
times. The lowest of the four columns is your result. 40 is good, 50 is
fantastic."""

SCHLOSSGARTEN = """\
Schlossgarten in short

Play one of your two cards (card 17). Move your king K, gardener G and
architect A, five steps in all (K d2). You may jump over a neighbouring
gardener or architect. You may enter a cell with another player's gardener or
architect if its owner has a free element cell to send it to (G e3 hit b6).
Within your own element a pawn shifts for nothing. Then stop.

If your king with one gardener and one architect stands as the card shows,
turned any way (one of the two may be another player's), one of your two may
work: dig a tile next to it (G dig c4), then build an element of its kind
(G build 3 c4 d4 d5) on excavations and on whole elements. Or end.

Gardener: hedge 1, long hedge 2, maze 3. Architect: fountain 1, pool 2,
terrace 3. You keep the tiles you build on and score their points, and 1 for
each cell of your elements. What is built over goes back to its owner.
21 points win at once."""

RULES_IN_SHORT = {"topiary": TOPIARY, "topas": TOPAS, "schlossgarten": SCHLOSSGARTEN}
