"""`hologram-run`."""
