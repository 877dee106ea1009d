"""`hologram-compile`."""
