"""Drawing in a terminal: what the drawings of all games share (lattice, colours, players)."""
