"""What a search remembers: a tree of decisions, in one record of flat arrays that is used again for every search.

A *node* is a position as the searching seat may know it. An *edge* is a plan that was thought of there. An edge leads
to one node, or to several where the seat notices something on the way (a tile it took).
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, Int64, StateRecord

EDGES = 1 << 18
NODES = 1 << 16
DEPTH = 512
"""Decisions on one way through the tree."""
ROOT_EDGES = 128
NONE = -1

Real = Annotated[float, Field("f8")]


class Tree(StateRecord):
    """Settings, tree and tallies of a search. Edge 0 … `root_edges` - 1 leave the root, which is node 0."""

    # settings, see `search.Settings`
    viewer: Int64
    open_world: Int64  # whether nothing is hidden from the viewer
    first_actions: Int64  # so many actions of `line` are made before anything is decided
    horizon: Int64
    random_playouts: Int64
    overlook: Int64  # so many plans of a thousand are not thought of at the root
    exploration: Real
    temperature: Real
    scale: Real
    win_weight: Real
    # the tree
    edges: Int64
    nodes: Int64
    first_edge: Annotated[list[int], Field("i4", NODES)]  # [node]: its first edge, or NONE
    notice: Annotated[list[int], Field("i8", NODES)]  # [node]: what the seat noticed on the way here
    sibling: Annotated[list[int], Field("i4", NODES)]  # [node]: the next node of the same edge, or NONE
    plan: Annotated[list[int], Field("i8", EDGES)]
    mover: Annotated[list[int], Field("i1", EDGES)]  # [edge]: the seat that decides
    next_edge: Annotated[list[int], Field("i4", EDGES)]  # [edge]: the next edge of the same node, or NONE
    first_node: Annotated[list[int], Field("i4", EDGES)]  # [edge]: the first node it leads to, or NONE
    visits: Annotated[list[int], Field("i4", EDGES)]
    value: Annotated[list[float], Field("f8", EDGES)]  # [edge]: sum of what its mover got, 0 … 1 a visit
    path: Annotated[list[int], Field("i4", DEPTH)]  # edges of the running simulation
    # of the root's edges
    root_edges: Int64
    looks: Annotated[list[int], Field("i8", ROOT_EDGES)]  # [edge]: what its plan looks worth, in hundredths of a point
    wins: Annotated[list[float], Field("f8", 4 * ROOT_EDGES)]  # [4 × edge + seat]: games won, a shared win in part
    points: Annotated[list[float], Field("f8", 4 * ROOT_EDGES)]  # [4 × edge + seat]: sum of final points
    # what is made first in every simulation, and how it ended, all simulations together
    line: Annotated[list[int], Field("i8", DEPTH)]
    total: Annotated[list[float], Field("f8", 4)]  # [seat]: sum of what it got
    total_wins: Annotated[list[float], Field("f8", 4)]
    total_points: Annotated[list[float], Field("f8", 4)]
    # of the running simulation
    outlooks: Annotated[list[float], Field("f8", ROOT_EDGES)]  # [plan]: how likely it is to be good, see `prior`
    outcome: Annotated[list[float], Field("f8", 4)]  # [seat]: what it got, 0 … 1
    share: Annotated[list[float], Field("f8", 4)]  # [seat]: its share of the win
    count: Annotated[list[int], Field("i8", 4)]  # [seat]: points, in hundredths
