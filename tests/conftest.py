"""Compiled rules run with bounds checking in the tests; numba reads this when it is first imported."""

import os

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
