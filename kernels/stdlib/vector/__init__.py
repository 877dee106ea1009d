"""Kernels on vectors, element by element."""
