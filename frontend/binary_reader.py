"""Reads the values of the binary container, and refuses what can't be."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from hologram.errors import InputError, Where

KeyT = TypeVar("KeyT")
ItemT = TypeVar("ItemT")
LARGEST_VARINT = 1 << 64


class Reader:
    """Reads values between two offsets."""

    def __init__(self, data: bytes, start: int, end: int, name: str):
        self.data = data
        self.at = start
        self.end = end
        self.name = name

    def refuse(self, reason: str) -> NoReturn:
        """Raises the error of a value that can't be."""
        raise InputError("binary-value", f"at byte {self.at}: {reason}", where=Where(self.name))

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count > self.end - self.at:
            self.refuse("the section ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def varint(self) -> int:
        """A number of base-128 digits, below 2^64."""
        value = shift = 0
        while True:
            digit = self.byte()
            value |= (digit & 0x7F) << shift
            if value >= LARGEST_VARINT:
                self.refuse("a number of more than 64 bits")
            if digit < 0x80:
                return value
            shift += 7

    def count(self) -> int:
        """The number of things that follow, each at least a byte long."""
        count = self.varint()
        if count > self.end - self.at:
            self.refuse(f"{count} things can't follow in {self.end - self.at} bytes")
        return count

    def string(self) -> str:
        """A text."""
        try:
            return self.take(self.count()).decode()
        except UnicodeDecodeError:
            self.refuse("a name that is no UTF-8")

    def pick(self, table: dict[KeyT, ItemT], key: KeyT, what: str) -> ItemT:
        """What a number stands for."""
        if key not in table:
            self.refuse(f"there is no {what} {key}")
        return table[key]

    def many(self, read: Callable[[], ItemT]) -> list[ItemT]:
        """A count, then so many things."""
        return [read() for _ in range(self.count())]

    def finish(self) -> None:
        """Nothing is left over."""
        if self.at != self.end:
            self.refuse(f"{self.end - self.at} bytes are left over")


__all__ = ["Reader"]
