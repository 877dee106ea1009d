"""Upstream's own tests as judges: pieces of them that the real mlir-opt was given before, with what it said."""
