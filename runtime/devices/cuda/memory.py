"""Device memory that is kept for the next allocation: the driver's own allocation waits for the device.

Everything on a device happens in the order of one stream, so memory that is given back can be handed out again at
once: whatever used it before was asked for before.
"""

from __future__ import annotations

from collections.abc import Callable

LARGE = 1 << 20
"""From here on sizes are rounded up to `STEP`, below to eighths of powers of two."""
STEP = 1 << 21
LEAST = 512


def rounded(nbytes: int) -> int:
    """The bytes that are allocated for `nbytes`: few sizes, so that one serves many requests."""
    if nbytes > LARGE:
        return -(-nbytes // STEP) * STEP
    step = max(LEAST, 1 << max(nbytes.bit_length() - 3, 0))
    return max(-(-nbytes // step) * step, LEAST)


class CachingAllocator:
    """Free blocks by size, and the sizes of those that are in use."""

    def __init__(self, make: Callable[[int], int | None], drop: Callable[[int], object]):
        """`make` gives an address, or None where there is no memory; `drop` gives a block back to the driver."""
        self._make = make
        self._drop = drop
        self._free: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}
        self.used = 0
        """Bytes in use."""
        self.kept = 0
        """Bytes that are kept for later."""

    def allocate(self, nbytes: int) -> int | None:
        """An address, or None where there is no memory even with everything kept given back."""
        size = rounded(nbytes)
        blocks = self._free.get(size)
        if blocks:
            address = blocks.pop()
            self.kept -= size
        else:
            block = self._make(size)
            if block is None and self.kept:
                self.trim()
                block = self._make(size)
            if block is None:
                return None
            address = block
        self._sizes[address] = size
        self.used += size
        return address

    def free(self, address: int) -> bool:
        """Takes a block back; False if it is none."""
        size = self._sizes.pop(address, None)
        if size is None:
            return False
        self.used -= size
        self.kept += size
        self._free.setdefault(size, []).append(address)
        return True

    def trim(self) -> None:
        """Gives everything that is kept back to the driver."""
        for blocks in self._free.values():
            for address in blocks:
                self._drop(address)
        self._free.clear()
        self.kept = 0
