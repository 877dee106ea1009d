"""Archives of programs: building them of sources, loading kernels of them, checking them and showing what they hold."""
