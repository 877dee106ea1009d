"""How vectors of words are written, which kernels load and store (vectors-to-words)."""

from __future__ import annotations

from xdsl.dialects.vector import ExtractOp

from hologram.dialects.vector import FromElementsOp
from hologram.lowering.emit.kernels.kinds import kind_of
from hologram.lowering.emit.kernels.printer import Printer, rule


@rule("vector.extract")
def write_extract(p: Printer, op: ExtractOp) -> None:
    """A word of a vector."""
    p.known(kind_of(op.vector.type, op), op)
    (place,) = [p.value(v) for v in op.dynamic_position] or op.static_position.get_values()
    p.define(op.result, f"{p.value(op.vector)}[{place}]")


@rule("vector.from_elements")
def write_from_elements(p: Printer, op: FromElementsOp) -> None:
    """A vector of words."""
    kind = kind_of(op.dest.type, op)
    p.known(kind, op)
    p.define(op.dest, f"{p.language.type(kind)}({', '.join(p.value(v) for v in op.elements)})")
