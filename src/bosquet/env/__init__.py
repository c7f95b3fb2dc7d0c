"""The games as reinforcement-learning environments (docs/environments.md).

Everything here works with any game through its `GameSpec` (`core/spec.py`) and its encoder (`core/encoding.py`).
"""
