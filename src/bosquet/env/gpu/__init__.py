"""Batches of games on a GPU: the same kernels, compiled for it, and arrays that stay in its memory."""
