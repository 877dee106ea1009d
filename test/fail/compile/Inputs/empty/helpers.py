"""A file without kernels."""


def kernel() -> None:
    """A function that is not a kernel."""
