"""What the wings of a server share."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.metrics import Metrics
from bosquet.server.compute.compute import Compute
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.store import Store


@dataclass(frozen=True)
class Services:
    """What each wing of a server is given."""

    store: Store
    """The database."""
    nodes: Nodes
    """This node, and what it knows of the others."""
    compute: Compute
    """Other processes that work things out."""
    metrics: Metrics
