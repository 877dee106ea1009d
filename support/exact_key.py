"""Keys of values that code is made for."""

from __future__ import annotations

from numbers import Number
from typing import Any


def exact_key(value: Any) -> Any:
    """What tells a value from those that Python calls equal: 1 from 1.0 and True, 0.0 from -0.0; in tuples too."""
    kind: Any = value.__class__
    parts = value
    if isinstance(value, tuple):
        return kind, *map(exact_key, parts)
    return kind, repr(value) if isinstance(value, Number) else value
