"""Parallel loops of loaded code: the first that is worth several threads makes the pool of this process.

Code calls through a pointer of its own, `hologram_pool`, which is made to lead to a door (`own_code.pool_door`). Behind
it stands the pool, or what runs loops on their caller's thread alone, once a loop has asked for it.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from hologram.pool_call import POOL, SERIAL_WORK
from hologram.runtime import launcher
from hologram.runtime.devices.module import CpuModule
from hologram.runtime.own_code import ALONE, DOOR, DOOR_CONFIG


def attach(module: CpuModule, image: bytes) -> None:
    """Lets the parallel loops of a loaded module use the pool. `image` is what was loaded."""
    address = module.find(POOL) if POOL.encode() in image else None
    if address is not None:
        ctypes.c_size_t.from_address(address).value = door().address


class _Door:
    """The door, which stands as long as the process."""

    def __init__(self) -> None:
        code = launcher.code()
        self.address = code.address(DOOR)
        self._alone = code.address(ALONE)
        self._ask = ctypes.CFUNCTYPE(None)(self.find_out)
        asked = ctypes.cast(self._ask, ctypes.c_void_p).value or 0
        self._words: Any = (ctypes.c_size_t * 4).from_address(code.address(DOOR_CONFIG))
        self._words[:] = 0, asked, SERIAL_WORK, 0
        self._watches = False

    def _shut(self) -> None:
        """With another number of threads, loops that ran alone ask again."""
        if self._words[0] == self._alone:
            self._words[0] = 0

    def find_out(self) -> None:
        """What a loop calls that is worth several threads. It must run whatever happens here."""
        try:
            self._words[0] = self._behind()
        except KeyboardInterrupt:
            # Nothing can be raised here: it is once more, where the kernel was called.
            self._words[3] = 1

    def _behind(self) -> int:
        from hologram.runtime import threads

        if not self._watches:
            threads.on_change(self._shut)
            self._watches = True
        if threads.get_num_threads() == 1:
            return self._alone
        from hologram.runtime.devices.cpu_pool import pool

        found = pool()
        return self._alone if found is None else found.run


@functools.cache
def door() -> _Door:
    """The one of this process."""
    return _Door()
