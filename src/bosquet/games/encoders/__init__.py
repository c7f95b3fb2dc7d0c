"""How each game looks to learning machines: a module a game, with what `core/encoding.py` lists."""
