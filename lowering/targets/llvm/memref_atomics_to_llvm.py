"""Atomic read-modify-write of memref elements: one instruction where there is one, else a compare-exchange loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, i1, i64
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import memref
from hologram.dialects.layouts import byte_size, integer_width
from hologram.dialects.llvm import LLVMStructType
from hologram.dialects.verbs import is_float
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_cf_to_llvm import need_blocks
from hologram.lowering.targets.llvm.types import LLVM_TYPES, View, index_value, view

RULES = Rules(LLVM_TYPES)

MONOTONIC, ACQ_REL = 2, 6


@dataclass(frozen=True)
class Order:
    """The memory accesses that an atomic step orders beside itself, and those who see the order."""

    ordering: int = ACQ_REL
    scope: str | None = None
    """LLVM's name of those who see it in order; None: everybody."""

    def properties(self, **names: int) -> dict[str, Attribute]:
        """Return the properties of an operation, for the orderings it names."""
        scope: dict[str, Attribute] = {} if self.scope is None else {"syncscope": StringAttr(self.scope)}
        return scope | {name: IntegerAttr(number, i64) for name, number in names.items()}


STRONG = Order()
ADDF = 0

INSTRUCTIONS = {
    0: 11, 1: 1, 2: 3, 3: 0, 4: 19, 5: 13, 6: 7, 7: 9, 8: 20, 9: 14, 10: 8, 11: 10, 14: 5, 15: 6,
}  # fmt: skip
"""Upstream's arith kind (addf, addi, andi, assign, maximumf, maxnumf, maxs, maxu, ...) to llvm.atomicrmw's number."""
LOOPS = {ADDF: "fadd", 12: "fmul", 13: "mul"}
"""Kinds that no instruction has, on some target."""
OF_FLOATS = {ADDF, 4, 5, 8, 9, 12}
OF_ANY = 3
"""assign"""


@RULES.on(xdsl_memref.AtomicRMWOp)
def convert_atomic(rw: Rewriter, op: xdsl_memref.AtomicRMWOp) -> None:
    lower_atomic(rw, op, STRONG, INSTRUCTIONS)


def lower_atomic(rw: Rewriter, op: xdsl_memref.AtomicRMWOp, order: Order, instructions: Mapping[int, int]) -> None:
    """Emit one instruction for the kinds that `instructions` has, else a loop."""
    place = view(rw, op.memref)
    value = rw.value(op.value)
    address = place.address(rw, [index_value(rw, i) for i in op.indices])
    kind = op.kind.value.data
    if kind not in LOOPS and kind not in instructions:
        raise PassError(op, "memref-atomic-kind", f"memref.atomic_rmw has no kind {kind}")
    if place.layout.holds_bools:
        raise PassError(
            op,
            "memref-atomic-bool",
            "memref.atomic_rmw on i1 has no lowering to llvm",
            hint="use memref.generic_atomic_rmw, or elements of i8",
        )
    element = place.layout.element
    is_whole = integer_width(element) in (None, 8 * (byte_size(element) or 0))
    if kind != OF_ANY and is_float(element) != (kind in OF_FLOATS) or not is_whole:
        message = f"memref.atomic_rmw of kind {kind} is not for elements of {element}"
        hint = "kinds are for floats or for integers, of 8, 16, 32 or 64 bits"
        raise PassError(op, "memref-atomic-element", message, hint=hint)
    if kind in instructions:
        properties = order.properties(bin_op=instructions[kind], ordering=order.ordering)
        rw.replace(op, ll.build("atomicrmw", (address, value), (value.type,), properties))
        return
    need_blocks(rw, op)
    word = LOOPS[kind]
    flags = ll.FAST if word.startswith("f") else ll.flags(word)

    def update(old: SSAValue) -> SSAValue:
        return ll.emit(rw, word, (old, value), old.type, flags)

    rw.define(op.result, _exchange(rw, place, address, update, order))


@RULES.on(memref.GenericAtomicRMWOp)
def convert_generic_atomic(rw: Rewriter, op: memref.GenericAtomicRMWOp) -> None:
    lower_generic_atomic(rw, op, STRONG)


def lower_generic_atomic(rw: Rewriter, op: memref.GenericAtomicRMWOp, order: Order) -> None:
    """Emit a loop around what the operation's region makes of an element."""
    place = view(rw, op.memref)
    address = place.address(rw, [index_value(rw, i) for i in op.indices])
    need_blocks(rw, op)
    body = op.atomic_body.block
    leave = body.last_op
    assert isinstance(leave, memref.AtomicYieldOp)

    def update(old: SSAValue) -> SSAValue:
        rw.inline(body, (old,))
        return rw.value(leave.result)

    rw.define(op.result, _exchange(rw, place, address, update, order))


def _exchange(
    rw: Rewriter, place: View, address: SSAValue, update: Callable[[SSAValue], SSAValue], order: Order
) -> SSAValue:
    """Emit a loop that tries until nobody else changed the element meanwhile; return the element from before.

    It compares bits, not floats: -0 and 0 differ, and a NaN is equal to itself.
    """
    element = place.layout.element
    bits = IntegerType(8 * (byte_size(element) or 1))
    first = ll.load(rw, address, bits)
    again = rw.new_block((bits,))
    end = rw.new_block(after=again)
    ll.jump(rw, again, (first,))
    rw.move_to(again)
    raw = again.args[0]
    before = place.from_memory(rw, _bits(rw, raw, element))
    desired = _bits(rw, place.to_memory(rw, update(before)), bits)
    pair = LLVMStructType.from_type_list([bits, i1])
    orders = order.properties(success_ordering=order.ordering, failure_ordering=MONOTONIC)
    tried = ll.emit(rw, "cmpxchg", (address, raw, desired), pair, orders)
    current, done = ll.unpack(rw, tried, [bits, i1])
    ll.branch(rw, done, end, again, (), (current,))
    rw.move_to(end)
    return before


def _bits(rw: Rewriter, value: SSAValue, type: Attribute) -> SSAValue:
    """Emit the same bits as another type."""
    return value if value.type == type else ll.emit(rw, "bitcast", (value,), type)
