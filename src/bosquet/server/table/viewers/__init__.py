"""Those who are connected to a table: who they are (`presence.py`), and what each is sent (`broadcast.py`).

`viewpoints.py` settles as which seat a page sees the table. The game decides what is hidden from a seat: `conceal` in
`games/*/position.py`, and `write_view` in `games/*/writing.py`.
"""
