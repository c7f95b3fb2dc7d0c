"""Measures `legal()` and `view()` from Python, uncached: `uv run python benchmarks/python_api.py`."""

import statistics
import time

import bosquet

for name in bosquet.GAMES:
    legal, view = [], []
    for seed in range(20):
        game, rng = bosquet.new(name, seed=seed), bosquet.Rng(seed)
        while not game.over and len(game.moves) < 100:
            begin = time.perf_counter()
            moves = game.legal()  # the first call after a move: nothing is remembered
            middle = time.perf_counter()
            game.view(game.seat)
            view.append(time.perf_counter() - middle)
            legal.append(middle - begin)
            game.play(rng.choice(moves))
    print(
        f"{name:<14} legal() {1e6 * statistics.median(legal):7.1f} µs, largest tenth "
        f"{1e6 * statistics.quantiles(legal, n=10)[-1]:7.1f} µs; view() {1e6 * statistics.median(view):8.1f} µs"
    )
