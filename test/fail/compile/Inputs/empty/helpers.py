"""No kernel here."""


def kernel() -> None:
    """Not one of ours."""
