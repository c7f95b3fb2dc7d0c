"""The tables of baselines in README.md; see `__main__`."""
