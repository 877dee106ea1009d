"""How vectors of sixteen elements come and go, and how a table's row is looked up (vectorize-lookups)."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.vector import BroadcastOp

from hologram.dialects.llvm import CallIntrinsicOp
from hologram.dialects.vector import LoadOp, StoreOp
from hologram.lowering.emit.kernels.kinds import LANES, element_kind
from hologram.lowering.emit.kernels.printer import Printer, Rule, guarded, index_text, read, rule

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
        return rule(name)(lambda p, op: write(p, op) if p.language.has_lanes else p.unknown(op))

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


@_of_lanes("vector.broadcast")
def write_broadcast(p: Printer, op: BroadcastOp) -> None:
    """The same in all lanes."""
    p.define(op.vector, f"({p.language.type(p.kind(op.vector))})({p.value(op.source)})")


@_of_lanes("llvm.call_intrinsic")
def write_permutation(p: Printer, op: CallIntrinsicOp) -> None:
    """Of a row of a table, for each lane the element that the lowest bits of its number say."""
    if op.intrin.data != _PERMUTATION:
        return p.unknown(op)
    row, places = map(p.value, op.args)
    (result,) = op.results
    p.define(result, f"{p.language.helper('looked_up', _LOOKUP)}({row}, {places})")
