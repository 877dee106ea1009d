"""Tensors become array-level instructions, and those work on buffers."""
