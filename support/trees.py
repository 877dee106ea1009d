"""Values in lists, tuples, named tuples and dicts, within each other: trees. None is a part, and no leaf."""

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
    """Return the parts of a tree that are no lists, tuples, dicts or None, in order."""
    return leaves_like(value, value)


def map_leaves(value: Any, of: Callable[[Any], Any]) -> Any:
    """Return a tree with what `of` gives for each of its leaves."""
    return map_tree(value, lambda leaf: None if leaf is None else of(leaf))


def leaves_like(form: Any, value: Any) -> list[Any]:
    """Return the leaves of a tree in the order of another of the same form, whose dicts may have another order."""
    if isinstance(form, dict):
        keys = cast("dict[Any, Any]", form)
        return [leaf for key, part in keys.items() for leaf in leaves_like(part, value[key])]
    if isinstance(form, (list, tuple)):
        parts = cast("Sequence[Any]", form)
        return [leaf for part, own in zip(parts, value, strict=True) for leaf in leaves_like(part, own)]
    return [] if form is None else [value]


def shape_of_tree(value: Any) -> Any:
    """Return what two trees of the same form have alike."""
    return map_tree(value, lambda leaf: leaf is not None)
