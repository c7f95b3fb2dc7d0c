"""What a search has counted."""

from __future__ import annotations

from bosquet.search.worker import Worker


def tallies(worker: Worker) -> list[tuple[int, int, float]]:
    """Candidate, visits and sum of values of every edge of the tree."""
    tree = worker.tree
    edges = range(int(tree.edge_count))
    return [(int(tree.candidate[edge]), int(tree.visits[edge]), float(tree.value_sum[edge])) for edge in edges]
