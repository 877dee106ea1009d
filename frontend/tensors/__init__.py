"""Tensor functions: Python over tensors, run once to see what it computes, and compiled for arrays of any size."""
