"""Nodes, in one loop or as processes, and people who play at them."""
