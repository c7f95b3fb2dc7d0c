"""The engines of the games, as pages use them, against Python: in Node, and in browsers."""
