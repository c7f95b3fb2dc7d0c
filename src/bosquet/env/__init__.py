"""The games as environments for machines that learn: docs/environments.md.

Everything here works with any game through its rules (`core/rules.py`) and its encoder (`core/encoding.py`).
"""
