"""Kernels that write text, and read it: JSON, and the words of moves and positions."""
