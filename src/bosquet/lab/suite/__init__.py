"""Evaluation of a bot by one number: a frozen suite of matches, and result files that others verify by replay."""
