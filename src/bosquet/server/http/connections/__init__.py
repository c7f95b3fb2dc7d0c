"""Connections below the application: how many, how large and how slow what they carry may be."""
