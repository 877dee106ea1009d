"""Writes vectors of sixteen elements and lookups in a table's row (vectorize-lookups), vectors of words, which kernels
load and store (vectors-to-words), memory that a launch sizes, and views of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from xdsl.dialects.vector import BroadcastOp, ExtractOp
from xdsl.ir import Operation, SSAValue

from hologram.dialects.llvm import CallIntrinsicOp
from hologram.dialects.vector import FromElementsOp, LoadOp, StoreOp
from hologram.errors import PassError
from hologram.lowering.targets.text.kinds import LANES, element_kind, kind_of, lane_type, space_of
from hologram.lowering.targets.text.printer import RULES, Printer, Rule, guarded, index_text, read

_PERMUTATION = "llvm.x86.avx512.permvar.sf.512"
"""What permute-tables makes of a lookup."""
_LOOKUP = f"""\
float16 looked_up(float16 row, uint16 n)
{{
#ifdef __clang__
    // LLVM makes one permutation of this where a processor has it, and not of the builtin function.
    n &= 15u;
    return (float16)({", ".join(f"row[n.s{lane:x}]" for lane in range(LANES))});
#else
    return shuffle(row, n);
#endif
}}"""


def _of_lanes(name: str) -> Callable[[Rule], Rule]:
    """A rule of languages that have such vectors."""

    def register(write: Rule) -> Rule:
        return RULES.on(name)(lambda p, op: write(p, op) if p.language.has_lanes else p.unknown(op))

    return register


@_of_lanes("vector.load")
def write_load(p: Printer, op: LoadOp) -> None:
    """Neighbours, wherever they begin."""
    place = f"{p.value(op.base)} + {index_text(p, op.indices, op)}"
    read(p, op.result, element_kind(op.base.type, op), f"vload{LANES}(0, {place})")


@_of_lanes("vector.store")
def write_store(p: Printer, op: StoreOp) -> None:
    """Neighbours, wherever they begin."""
    place = f"{p.value(op.base)} + {index_text(p, op.indices, op)}"
    guarded(p, [f"vstore{LANES}({p.value(op.vector)}, 0, {place});"])


@RULES.on("vector.broadcast")
def write_broadcast(p: Printer, op: BroadcastOp) -> None:
    """The same in all lanes, or in all words."""
    if lane_type(op.vector.type) is None:
        _construct(p, op.vector, [op.source] * op.vector.type.element_count(), op)
    elif p.language.has_lanes:
        p.define(op.vector, f"({p.language.type(p.kind(op.vector))})({p.value(op.source)})")
    else:
        p.unknown(op)


@_of_lanes("llvm.call_intrinsic")
def write_permutation(p: Printer, op: CallIntrinsicOp) -> None:
    """Look up, for each lane, the element of a table's row that the lowest bits of its number say."""
    if op.intrin.data != _PERMUTATION:
        return p.unknown(op)
    row, places = map(p.value, op.args)
    (result,) = op.results
    p.define(result, f"{p.language.helper('looked_up', _LOOKUP)}({row}, {places})")


@RULES.on("vector.extract")
def write_extract(p: Printer, op: ExtractOp) -> None:
    """A word of a vector."""
    p.known(kind_of(op.vector.type, op), op)
    (place,) = [p.value(v) for v in op.dynamic_position] or op.static_position.get_values()
    p.define(op.result, f"{p.value(op.vector)}[{place}]")


@RULES.on("vector.from_elements")
def write_from_elements(p: Printer, op: FromElementsOp) -> None:
    """A vector of words."""
    _construct(p, op.dest, op.elements, op)


def _construct(p: Printer, vector: SSAValue, words: Sequence[SSAValue], op: Operation) -> None:
    kind = kind_of(vector.type, op)
    p.known(kind, op)
    p.define(vector, f"{p.language.type(kind)}({', '.join(map(p.value, words))})")


@RULES.on("gpu.dynamic_shared_memory")
def dynamic_shared(p: Printer, op: Any) -> None:
    """A parameter of the kernel."""
    assert p.shared is not None
    p.alias(op.result, p.shared)


@RULES.on("memref.view")
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
