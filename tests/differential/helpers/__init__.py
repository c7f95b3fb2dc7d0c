"""What both implementations of a game are played with."""
