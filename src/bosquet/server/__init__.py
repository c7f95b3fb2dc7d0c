"""Tables for many people: a web server with its database, in folders. Each says what it is for.

A folder with a module `wing` is a wing: it answers requests, and hands over its routes, what it keeps of a guest, what
erases that, and its clean-up (`base/wing.py`). It is given `services`; `http` collects all wings. The other folders are
what the wings stand on.

A folder imports lower ones only; their order stands in `tests/contract/test_layers.py`. What a lower one needs of a
higher one is a hook that the higher one fills: `table/listeners.py`, `tables/visibility.py`.
"""
