"""From tensors to array-level instructions, and from those to buffers."""
