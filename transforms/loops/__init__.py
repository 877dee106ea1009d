"""Passes over loops and constant tables at the kernel level."""
