"""All tables of a node: opening, finding and forgetting them, requests about them, and the connections of pages.

One table is in the folder `table`.
"""
