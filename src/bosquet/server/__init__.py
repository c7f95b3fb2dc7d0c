"""Tables for many people: a web server with its database, in wings. Each folder is one, and says what it is for.

A wing that answers requests has a module `wing` with what it hands over: routes, what it keeps of a guest, what erases
that, its clean-up (`base/wing.py`). It is given `services`. `http` collects all of them.

A wing imports lower ones only; their order stands in `tests/contract/test_layers.py`. What a lower wing needs of a
higher one is a hook that the higher one fills: `table/listeners.py`, `tables/visibility.py`.
"""
