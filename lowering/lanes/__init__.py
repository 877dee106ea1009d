"""From lane programs to the kernel level."""
