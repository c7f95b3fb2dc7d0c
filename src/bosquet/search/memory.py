"""The memory of a search: a tree of decisions, in one record of flat arrays that every search uses anew.

A *node* is a position as the searching seat may know it. An *edge* is a candidate that was considered there. An edge
leads to one node, or to one for each information-set key of the seat (the tile that it took, for example).
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, Int64, StateRecord

EDGES = 1 << 18
NODES = 1 << 16
DEPTH = 512
"""Decisions on one path through the tree."""
BRANCHING = 4096
"""Candidates of a node at most; further ones are left out."""
NONE = -1

Real = Annotated[float, Field("f8")]


class Tree(StateRecord):
    """Settings, tree and sums of a search. Edges 0 … `root_edge_count` - 1 leave the root, which is node 0."""

    # settings, see `search.Settings`; `scale` and `win_weight` make it a `core.objective.Objective`
    viewer: Int64
    perfect_information: Int64  # whether nothing is hidden from the viewer
    rounds: Int64  # decisions of every seat before a simulation is cut off; 0 plays to the end
    random_rollouts: Int64
    candidate_dropout: Int64  # candidates in a thousand that are left out at the root
    exploration: Real
    temperature: Real
    scale: Real
    win_weight: Real
    # actions that every simulation makes before anything is decided
    first_action_count: Int64
    first_actions: Annotated[list[int], Field("i8", DEPTH)]
    # the tree
    horizon: Int64  # decisions before a simulation is cut off
    edge_count: Int64
    node_count: Int64
    first_edge: Annotated[list[int], Field("i4", NODES)]  # [node]: its first edge, or NONE
    key: Annotated[list[int], Field("i8", NODES)]  # [node]: its information-set key
    sibling: Annotated[list[int], Field("i4", NODES)]  # [node]: the next node of the same edge, or NONE
    candidate: Annotated[list[int], Field("i8", EDGES)]
    mover: Annotated[list[int], Field("i1", EDGES)]  # [edge]: the seat that decides
    next_edge: Annotated[list[int], Field("i4", EDGES)]  # [edge]: the next edge of the same node, or NONE
    first_node: Annotated[list[int], Field("i4", EDGES)]  # [edge]: the first node it leads to, or NONE
    visits: Annotated[list[int], Field("i4", EDGES)]
    value_sum: Annotated[list[float], Field("f8", EDGES)]  # [edge]: sum of the values to its mover, 0 … 1 a visit
    # of the root's edges
    root_edge_count: Int64
    heuristic_value: Annotated[list[int], Field("i8", BRANCHING)]  # [edge]: in hundredths of a point
    win_sum: Annotated[list[float], Field("f8", 4 * BRANCHING)]  # [4 × edge + seat]: games won, a shared win in part
    point_sum: Annotated[list[float], Field("f8", 4 * BRANCHING)]  # [4 × edge + seat]: sum of final points
    # of all simulations together
    total_value: Annotated[list[float], Field("f8", 4)]  # [seat]
    total_wins: Annotated[list[float], Field("f8", 4)]
    total_points: Annotated[list[float], Field("f8", 4)]
    # of the running simulation
    path: Annotated[list[int], Field("i4", DEPTH)]  # its edges
    prior: Annotated[list[float], Field("f8", BRANCHING)]  # [candidate]: see `tree.prior_of`
    value: Annotated[list[float], Field("f8", 4)]  # [seat]: value of the leaf, 0 … 1
    win_share: Annotated[list[float], Field("f8", 4)]  # [seat]
    points: Annotated[list[int], Field("i8", 4)]  # [seat]: in hundredths
