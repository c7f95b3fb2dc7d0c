"""Kernels: functions in plain Python that are also compiled, with the compilers and the cache of what they made.

Nothing here knows games, states or the rest of the package.
"""
