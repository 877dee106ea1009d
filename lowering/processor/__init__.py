"""Kernels on processors: lanes as loops, vectors and threads."""
