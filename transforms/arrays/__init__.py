"""Passes over array-level instructions and tensors."""
