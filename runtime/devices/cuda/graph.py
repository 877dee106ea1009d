"""Launches that are recorded: what host code asks for once, as a graph of the driver's, which starts it again at less
than half of what a launch costs.

Host code runs while a stream of its own records, and nothing is done. Programs that allocate memory as they run are not
recorded: what they were given would be another's by the time the graph runs.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from hologram.runtime.devices.cuda.driver import SUCCESS
from hologram.runtime.devices.cuda.host import RECORD, REPLAY, Context
from hologram.runtime.devices.protocol import Recording

Ask = Callable[..., int]
"""Calls the driver by a function's name, and gives its status."""
NON_BLOCKING, RELAXED = 1, 2
"""Of streams: it does not wait for the one that all threads share. Of recording: other streams may do anything."""
Words = ctypes.c_void_p * 4


def record(
    ask: Ask, drop: Callable[[int], None], functions: Mapping[str, int], host: Context, function: int, words: Any
) -> Recording | None:
    """Record what `function` asks for, given `words`; None if that can't be done. `drop` takes the graph in the end."""
    stream = ctypes.c_void_p()
    if ask("cuStreamCreate", ctypes.byref(stream), NON_BLOCKING) != SUCCESS:
        return None
    try:
        graph = _graph(ask, functions, host, stream, function, words)
    finally:
        ask("cuStreamDestroy_v2", stream)
    if graph is None:
        return None
    made, count = graph
    found = Recording(functions[REPLAY], Words(ctypes.addressof(host), made, count))
    weakref.finalize(found, drop, made).atexit = False
    return found


def _graph(
    ask: Ask, functions: Mapping[str, int], host: Context, stream: ctypes.c_void_p, function: int, words: Any
) -> tuple[int, int] | None:
    """A graph that can be launched, and how many launches it has."""
    if ask("cuStreamBeginCapture_v2", stream, RELAXED) != SUCCESS:
        return None
    before, graph, made = host.launches, ctypes.c_void_p(), ctypes.c_void_p()
    given = Words(ctypes.addressof(host), stream.value, function, ctypes.addressof(words))
    # It holds the interpreter's lock, so no other thread launches while the program has the other stream.
    ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(functions[RECORD])(ctypes.addressof(given))
    count, host.launches = host.launches - before, before
    if ask("cuStreamEndCapture", stream, ctypes.byref(graph)) != SUCCESS or not graph:
        return None
    if host.status == SUCCESS and count:
        ask("cuGraphInstantiateWithFlags", ctypes.byref(made), graph, 0)
    ask("cuGraphDestroy", graph)
    return (made.value, count) if made.value else None
