"""Lane programs become the kernel level."""
