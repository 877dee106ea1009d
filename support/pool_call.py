"""The compiler and the runtime agree here on calls that several threads may share. Imports nothing."""

from __future__ import annotations

POOL = "hologram_pool"
"""The module's pointer to `void(ptr body, ptr context, i64 begin, i64 end, i64 work)`, which sees that
`body(context, from, to)` is called for parts that make up the range; `work` is that of one iteration."""

SERIAL = "hologram_serial"
"""The function that it leads to at first: it calls `body` for the whole range."""

SERIAL_WORK = 400_000
"""Less work than this (in units of about ten picoseconds of one core: 4 us, or 16K additions of f32) is not worth a
second thread. Sharing takes the caller 0.3 to 0.5 us where workers are awake, and a part that ends late as much as it
is long. On two cores that others used too, 16K additions gained nothing by it and 256K took 18 us instead of 31."""
