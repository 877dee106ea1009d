"""Takes a source to a kernel: sources, stages, caches, and functions that compile when they are called."""
