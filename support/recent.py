"""A table that keeps what was used last. Imports nothing of ours."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class Recent(Generic[KeyT, ValueT]):
    """At most `limit` values by key; the one that was used longest ago goes first. Threads may share it."""

    def __init__(self, limit: int):
        self.limit = limit
        self._values: OrderedDict[KeyT, ValueT] = OrderedDict()

    def get(self, key: KeyT) -> ValueT | None:
        """Return the value of a key, which is used by that; None if there is none."""
        value = self._values.get(key)
        if value is not None:
            try:
                self._values.move_to_end(key)
            except KeyError:  # Another thread has just put it out.
                return value
        return value

    def put(self, key: KeyT, value: ValueT) -> ValueT:
        """Keep a value, which is used by that, and return it."""
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self.limit:
            try:
                self._values.popitem(last=False)
            except KeyError:
                break
        return value

    def clear(self) -> None:
        """Forget all."""
        self._values.clear()

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[ValueT]:
        """The values, those first that were used last."""
        return iter([*reversed(self._values.values())])

    def __len__(self) -> int:
        return len(self._values)
