"""Matches between bots, ratings, analysis of games, and benchmarks."""
