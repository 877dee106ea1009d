"""Values in lists, tuples, named tuples and dicts, within each other: trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast


def map_tree(value: Any, of: Callable[[Any], Any]) -> Any:
    """Return a tree of lists, tuples and dicts with what `of` gives for each of its other parts."""
    if isinstance(value, dict):
        return {k: map_tree(v, of) for k, v in cast("dict[Any, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        parts = cast("Sequence[Any]", value)
        return like(parts, [map_tree(v, of) for v in parts])
    return of(value)


def like(value: Any, parts: Sequence[Any]) -> Any:
    """Return a list, tuple or named tuple like `value` of other parts."""
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


def leaves_of(value: Any) -> list[Any]:
    """Return the parts of a tree that are no lists, tuples or dicts, in order."""
    found: list[Any] = []
    map_tree(value, found.append)
    return found


def shape_of_tree(value: Any) -> Any:
    """Return what two trees of the same form have alike."""
    return map_tree(value, lambda _: None)
