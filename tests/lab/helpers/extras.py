"""Packages that are not always installed."""

from __future__ import annotations

import importlib.util

import pytest


def missing(module: str) -> bool:
    """Whether a module is not installed."""
    return importlib.util.find_spec(module) is None


needs_ray = pytest.mark.skipif(missing("ray"), reason="Ray is not installed: uv run --extra cluster pytest")
needs_matplotlib = pytest.mark.skipif(
    missing("matplotlib"), reason="Matplotlib is not installed: uv run --extra plot pytest"
)
