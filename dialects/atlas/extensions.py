"""The array-level extensions of isa.md section 3, family by family."""

from __future__ import annotations

from xdsl.ir import Operation

from hologram.dialects.atlas import search

OPS: list[type[Operation]] = [*search.OPS]
