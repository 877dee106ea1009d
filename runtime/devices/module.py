"""Code that is loaded into this process, whichever linker did it."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod

from hologram.errors import InputError
from hologram.runtime import entry as records

OBJECT_MAGIC = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\x64\x86", b"\x64\xaa")
"""How object files begin: ELF, Mach-O, and COFF for two processors."""


class CpuModule(ABC):
    """Loaded code; it stays mapped as long as this object lives."""

    @abstractmethod
    def find(self, symbol: str) -> int | None:
        """Return the address of `symbol`, or None if the module has no such symbol."""

    @abstractmethod
    def entries(self) -> bytes:
        """The text of the entry records."""

    def address(self, symbol: str) -> int:
        """Return the address of `symbol`."""
        address = self.find(symbol)
        if address is None:
            message = f"the entry record names the function '{symbol}', which the module has not"
            raise InputError("object-symbol", message, hint=records.STALE)
        return address

    def data(self, symbol: str, nbytes: int | None) -> bytes:
        """The bytes of a constant; without a number, those before a zero byte."""
        address = self.address(symbol)
        return ctypes.string_at(address) if nbytes is None else ctypes.string_at(address, nbytes)
