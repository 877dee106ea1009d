"""How memory that a launch sizes is written, and views of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hologram.errors import PassError
from hologram.lowering.emit.kernels.kinds import element_kind, space_of
from hologram.lowering.emit.kernels.printer import Printer, rule


@rule("gpu.dynamic_shared_memory")
def dynamic_shared(p: Printer, op: Any) -> None:
    """A parameter of the kernel."""
    assert p.shared is not None
    p.alias(op.result, p.shared)


@rule("memref.view")
def view(p: Printer, op: Any) -> None:
    """A pointer, or the buffer with what stands before in bytes."""
    result = op.results[0]
    space, kind = space_of(result.type), element_kind(result.type, op)
    p.known(kind, op)
    if p.language.functions_take_memory:
        p.declare(result, p.language.view(p, p.value(op.operands[0]), p.value(op.operands[1]), space, kind))
        return
    q, offset = p.parameters.get(op.operands[0]), p.value(op.operands[1])
    if q is None or q.space != "global":
        raise PassError(
            op,
            "device-refuses-views",
            f"{op.name} looks at memory as another type, which {p.language.name} can do with buffers of a launch alone",
            hint="declare an array of each type",
        )
    p.alias(result, p.value(op.operands[0]))
    before = offset if q.bytes_before is None else f"({q.bytes_before} + {offset})"
    p.parameters[result] = replace(q, kind=kind, bytes_before=before)
