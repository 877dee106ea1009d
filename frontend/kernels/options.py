"""The arguments of the decorator of kernels, in files that are run and in those that are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from hologram.errors.arguments import described


def wrong_option(name: str, given: Any) -> str | None:
    """Return what is wrong with an argument of the decorator, if something is."""
    of, what = (int, "a number or several") if name == "block" else (str, "a text or several")
    parts = cast("Sequence[Any]", given) if isinstance(given, tuple | list) else [given]
    if not all(isinstance(p, of) and not isinstance(p, bool) for p in parts):
        return f"'{name}' of a kernel is {what}, not {described(given)}"
    if name == "block" and not (0 < len(parts) <= 3 and all(0 < n < 1 << 31 for n in parts)):
        return f"a block has one to three sizes of at least 1, not {given!r}"
    return f"a launch has three axes at most, not {len(parts)}" if name == "lanes" and len(parts) > 3 else None


def texts(given: str | Sequence[str]) -> tuple[str, ...]:
    """One text or several."""
    return (given,) if isinstance(given, str) else tuple(given)
