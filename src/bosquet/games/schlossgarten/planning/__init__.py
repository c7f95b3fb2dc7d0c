"""Plans of turns, for `greedy`, the search and puzzles: what pawns reach, and what the workers do there."""
