"""What is given back by `free`, or at the end of a `with` statement."""

from __future__ import annotations

from typing import Self


class Freeable:
    """Something that holds memory until it is freed."""

    __slots__ = ()

    def free(self) -> None:
        """Gives its memory back. Doing so again does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.free()
