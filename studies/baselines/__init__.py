"""The tables of baselines in docs/environments.md; see `__main__`."""
