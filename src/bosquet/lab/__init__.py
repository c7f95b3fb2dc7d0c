"""Matches and measurements: many games at once."""
