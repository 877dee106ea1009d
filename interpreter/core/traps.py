"""The traps of isa.md section 1: each function makes the error of one reason, with the operation, lane and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.instruction import ScalarOp
from hologram.dialects.atlas.lanes.programs import FuncOp, ProgramOp
from hologram.dialects.atlas.lanes.state import NO_CLASS, NO_NEIGHBOUR, NO_RESONANCE
from hologram.errors import TrapError, where_of
from hologram.interpreter.core.values import Array


def label(op: Operation) -> str:
    """The operation by its name, with its program's."""
    node: Operation | None = op
    while node is not None and not isinstance(node, ProgramOp | FuncOp):
        node = node.parent_op()
    return f"'{op.name}'" if node is None else f"@{node.sym_name.data}: '{op.name}'"


def operand_names(op: Operation) -> list[str]:
    """The operands' names: an instruction's own, otherwise what the text calls them."""
    if isinstance(op, ScalarOp):
        return list(op.INSTRUCTION.operands)
    return [_name(value, number) for number, value in enumerate(op.operands)]


def _name(value: SSAValue, number: int) -> str:
    return f"%{value.name_hint}" if value.name_hint else f"operand {number}"


def show_values(op: Operation, values: Sequence[Any]) -> str:
    """`a = 7, b = 0`."""
    return ", ".join(f"{name} = {value}" for name, value in zip(operand_names(op), values, strict=False))


def first(lanes: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The index of the first lane of a mask that trapped."""
    return tuple(int(i) for i in np.argwhere(np.broadcast_to(lanes, shape or (1,)))[0])[: len(shape)]


def pick(value: Array, index: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """One lane's element of an operand."""
    return np.broadcast_to(value, shape)[index]


def instruction(op: Operation, reason: str, lane: str, values: Sequence[Any]) -> TrapError:
    """A reference function trapped."""
    if reason == NO_CLASS:
        return no_class(op, lane, [int(np.asarray(v).astype(np.uint32)) for v in values])
    return division(op, reason, lane, values)


def no_class(op: Operation, lane: str, values: Sequence[Any]) -> TrapError:
    """A number that is no class."""
    message = f"{label(op)}: {NO_CLASS}{lane}; {show_values(op, values)}"
    return TrapError("trap-class", message, where=where_of(op), hint="classes go from 0 to 95")


def class_place(op: Operation, lane: str, values: Sequence[int]) -> TrapError:
    """A class, page or byte out of range."""
    message = f"{label(op)}: place out of class memory{lane}; {show_values(op, values)}"
    hint = "classes go from 0 to 95, pages from 0 to 47, bytes from 0 to 255"
    return TrapError("trap-class-place", message, where=where_of(op), hint=hint)


def tile_place(op: Operation, kind: str, number: int, end: int) -> TrapError:
    """A tile that reaches past class memory."""
    message = f"{label(op)}: {kind} out of the range of 0 to {end - 1}; {kind} = {number}"
    return TrapError("trap-class-tile", message, where=where_of(op))


def no_neighbour(op: Operation, lane: str, number: int, i: int) -> TrapError:
    """A neighbour's number at or past the degree."""
    message = f"{label(op)}: {NO_NEIGHBOUR}{lane}; class = {number}, i = {i}"
    return TrapError("trap-neighbour", message, where=where_of(op), hint="atlas.nbr.count says how many there are")


def no_resonance(op: Operation, lane: str, value: Any) -> TrapError:
    """A value that R has no place for."""
    message = f"{label(op)}: {NO_RESONANCE}{lane}: {value}"
    return TrapError("trap-resonance", message, where=where_of(op), hint="R holds finite values below 2^63")


def division(op: Operation, reason: str, lane: str, values: Sequence[Any]) -> TrapError:
    """An integer was divided by zero."""
    message = f"{label(op)}: {reason}{lane}; {show_values(op, values)}"
    return TrapError("trap-division", message, where=where_of(op))


def out_of_range(op: Operation, lane: str, index: Sequence[int], shape: Sequence[int]) -> TrapError:
    """An access outside an array."""
    what = f"index {show_index(index)} is out of range for an array of shape {show_index(shape)}{lane}"
    return _out_of_range(op, what)


def address_range(op: Operation, lane: str, offset: int, size: int, bytes: int) -> TrapError:
    """An access through a pointer outside of its object."""
    return _out_of_range(op, f"{size} bytes at offset {offset} are out of range for an object of {bytes} bytes{lane}")


def _out_of_range(op: Operation, what: str) -> TrapError:
    return TrapError("trap-out-of-range", f"{label(op)}: {what}", where=where_of(op))


def uninitialised(op: Operation, lane: str, index: Sequence[int], what: str = "array") -> TrapError:
    """A read of what was never written."""
    return _uninitialised(op, f"element {show_index(index)} of the {what} is read before it is written{lane}")


def uninitialised_at(op: Operation, lane: str, offset: int) -> TrapError:
    """A read through a pointer of what was never written."""
    return _uninitialised(op, f"the value at offset {offset} is read before it is written{lane}")


def _uninitialised(op: Operation, what: str) -> TrapError:
    return TrapError("trap-uninitialised", f"{label(op)}: {what}", where=where_of(op))


def misaligned(op: Operation, lane: str, address: int, alignment: int) -> TrapError:
    """An access at an address that is no multiple of the element's alignment."""
    what = f"address {address:#x} is not aligned to {alignment} bytes{lane}"
    return _misaligned(op, what, "give an aligned array; a copy is")


def misaligned_offset(op: Operation, lane: str, offset: int, alignment: int) -> TrapError:
    """An access through a pointer at an offset that is no multiple of the alignment."""
    return _misaligned(op, f"offset {offset} is not aligned to {alignment} bytes{lane}")


def _misaligned(op: Operation, what: str, hint: str | None = None) -> TrapError:
    return TrapError("trap-misaligned", f"{label(op)}: {what}", where=where_of(op), hint=hint)


def race(op: Operation, lane: str, other: str, index: Sequence[int], what: str) -> TrapError:
    """Two accesses of different lanes, one of them a write, that nothing orders."""
    return _race(op, f"element {show_index(index)}{lane}: {what} {other}")


def race_at(op: Operation, lane: str, other: str, offset: int, what: str) -> TrapError:
    """Two such accesses of which one is through a pointer."""
    return _race(op, f"the bytes at offset {offset}{lane}: {what} {other}")


def _race(op: Operation, what: str) -> TrapError:
    message = f"{label(op)}: data race on {what}"
    return TrapError("trap-race", message, where=where_of(op), hint="order the accesses of a block by atlas.bar.sync")


def barrier(op: Operation, lane: str, missing: str) -> TrapError:
    """A barrier that some lanes of the block do not reach."""
    message = f"{label(op)}: not all lanes of the block come to this barrier: it is reached{lane}, but not {missing}"
    return TrapError("trap-barrier", message, where=where_of(op))


def step_limit(op: Operation, limit: int) -> TrapError:
    """A program that runs on and on."""
    message = f"{label(op)}: stopped after {limit} steps"
    return TrapError("trap-step-limit", message, where=where_of(op), hint="does a lane wait for another one's store?")


def call_overflow(op: Operation, limit: int, lane: str = "") -> TrapError:
    """A call deeper than the call stack."""
    return TrapError(
        "trap-call-overflow",
        f"{label(op)}: calls are nested deeper than {limit} return addresses{lane}",
        where=where_of(op),
    )


def launch_size(op: Operation, sizes: Sequence[int]) -> TrapError:
    """A launch with a dimension below 1."""
    message = f"{label(op)}: every size of the grid and the block must be at least 1, found {show_index(sizes)}"
    return TrapError("trap-launch-size", message, where=where_of(op))


def launch_bytes(op: Operation, bytes: int) -> TrapError:
    """A launch with shared memory of a size that there is not."""
    message = f"{label(op)}: 2^31 or more shared bytes: {bytes % (1 << 64)}"
    return TrapError("trap-launch-bytes", message, where=where_of(op))


def gather_index(op: Operation, position: Sequence[int], value: int, size: int) -> TrapError:
    """A gather outside its source."""
    message = f"{label(op)}: index {value} at {show_index(position)} is out of range for size {size}"
    return TrapError("trap-gather-index", message, where=where_of(op))


def assertion(op: Operation, message: str) -> TrapError:
    """A failed `cf.assert` or `atlas.assert`."""
    return TrapError("trap-assert", f"{label(op)}: {message}", where=where_of(op))


def asserted(op: AssertOp, lane: str, args: Sequence[Any]) -> TrapError:
    """A failed `atlas.assert` from the values of its operands in the lane that failed."""
    _, *rest = args
    named = list(zip(operand_names(op)[1:], rest, strict=True))
    element = f" at element {rest[0]}" if op.lane is not None else ""
    named = named[1:] if element else named
    if op.message.data.count("{}") == len(named) > 0:
        return assertion(op, op.message.data.format(*(value for _, value in named)) + element + lane)
    values = ", ".join(f"{name} = {value}" for name, value in named)
    return assertion(op, f"{op.message.data}{element}{lane}" + (f"; {values}" if values else ""))


def show_index(index: Sequence[int]) -> str:
    """`(1, 2)`."""
    return "(" + ", ".join(str(int(i)) for i in index) + ")"
