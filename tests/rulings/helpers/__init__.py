"""Deals and turns for tests of rulings."""
