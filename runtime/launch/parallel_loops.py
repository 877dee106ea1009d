"""Parallel loops of loaded code: the first that is worth several threads makes the pool of this process.

Code calls through a pointer of its own, `hologram_pool`, which is made to lead to a function of the launcher
(`native/c/parallel_loop.h`). That calls the pool, or what runs loops on their caller's thread alone, as soon as a loop
has asked which.
"""

from __future__ import annotations

import ctypes
from typing import Any

from hologram.runtime import native
from hologram.runtime.devices.module import CpuModule
from hologram.runtime.launch import launcher
from hologram.runtime.launch.watch import watch
from hologram.runtime.native import LAUNCH, PARALLEL_CONFIG, RUN_PARALLEL, RUN_SERIALLY
from hologram.support import forks
from hologram.support.pool_call import POOL, SERIAL_WORK


def attach(module: CpuModule, image: bytes) -> None:
    """Lets the parallel loops of a loaded module use the pool: by themselves they run on their caller's thread.

    `image` is what was loaded.
    """
    address = module.find(POOL) if POOL.encode() in image else None
    if address is not None and native.is_available(LAUNCH):
        ctypes.c_size_t.from_address(address).value = loop_function().address


class _LoopFunction:
    """The function that parallel loops call, and the struct that it reads; both stay as long as the process."""

    def __init__(self) -> None:
        code = launcher.code()
        self.address = code.address(RUN_PARALLEL)
        self._serially = code.address(RUN_SERIALLY)
        self._find = ctypes.CFUNCTYPE(None)(self.find_run)
        find = native.address_of(self._find)
        self._words: Any = (ctypes.c_size_t * 4).from_address(code.address(PARALLEL_CONFIG))
        self._words[:] = 0, find, SERIAL_WORK, 0
        self._watches = False

    def _forget(self) -> None:
        """Let loops that ran alone ask again: there is another number of threads."""
        if self._words[0] == self._serially:
            self._words[0] = 0

    def find_run(self) -> None:
        """Choose what runs loops; one that is worth several threads calls this, and must run whatever happens here."""
        try:
            self._words[0] = self._choose()
        except KeyboardInterrupt:
            # Nothing can be raised here: it is once more, where the kernel was called.
            self._words[3] = 1

    def _choose(self) -> int:
        from hologram.runtime import threads

        if not self._watches:
            threads.on_change(self._forget)
            self._watches = True
        if threads.get_num_threads() == 1:
            return self._serially
        from hologram.runtime.devices.cpu.pool import pool

        workers = pool()
        if workers is None:
            return self._serially
        workers.tell(watch().wait if launcher.fitting() else None)
        return workers.run


@forks.once
def loop_function() -> _LoopFunction:
    """The one of this process."""
    return _LoopFunction()
