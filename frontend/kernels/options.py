"""The arguments of the decorator of kernels, in files that are run and in those that are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast


def wrong_option(name: str, given: Any) -> str | None:
    """Return what is wrong with an argument of the decorator, if something is."""
    of, what = (int, "a number or several") if name == "block" else (str, "a text or several")
    parts = cast("Sequence[Any]", given) if isinstance(given, tuple | list) else [given]
    if all(isinstance(p, of) and not isinstance(p, bool) for p in parts):
        return None
    return f"'{name}' of a kernel is {what}, not {given!r}"


def texts(given: str | Sequence[str]) -> tuple[str, ...]:
    """One text or several."""
    return (given,) if isinstance(given, str) else tuple(given)
