"""`hologram-opt`."""
