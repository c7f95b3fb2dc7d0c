"""The engine of a game: its kernels as a module of WebAssembly, so that a page plays it without a server.

`python -m bosquet.engine` makes the modules. The kernels here are those that a page calls; they name no game, and are
bound to the kernels of one (`engine.build`).
"""
