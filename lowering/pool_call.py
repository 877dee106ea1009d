"""What the compiler and the runtime agree on for calls that several threads may share. Imports nothing."""

from __future__ import annotations

POOL = "hologram_pool"
"""The module's pointer to `void(ptr body, ptr context, i64 begin, i64 end, i64 work)`, which sees that
`body(context, from, to)` is called for parts that make up the range; `work` is that of one iteration."""

SERIAL = "hologram_serial"
"""The function that it leads to at first: it calls `body` for the whole range."""

SERIAL_WORK = 400_000
"""Less work than this (in units of about ten picoseconds of one core: 4 us) is not worth a second thread. Handing a job
to a thread that is awake takes about half a microsecond, and what the thread then writes comes from another cache."""
