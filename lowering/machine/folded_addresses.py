"""Finds the pointers that the addresses of machine instructions can take the place of.

An address of machine code is an object or a pointer, a register with a number of bytes, and a constant. A pointer that
`lea` or `bound.map` makes, and that is nothing but the place of accesses, needs no register: each access computes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Operation, SSAValue, Use

from hologram.dialects.atlas.instructions.form import form_of
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.verbs import number_of
from hologram.dialects.atlas.lanes.class_memory import BoundMapOp
from hologram.dialects.atlas.lanes.programs import LeaOp
from hologram.dialects.machine.address import CLASS_BYTES, CLASSES, PAGE_BYTES, PHI
from hologram.dialects.shapes import is_memref


@dataclass(frozen=True)
class Folded:
    """The address of an operation: where it starts, which is a memref, a pointer, or a class; what is added."""

    base: SSAValue | None
    name: str = ""
    """A class (`c21`), or `phi`, without a base."""
    parts: tuple[SSAValue, ...] = ()
    """Class, page and byte for `phi`."""
    index: SSAValue | None = None
    offset: int = 0

    @property
    def values(self) -> list[SSAValue]:
        """What registers hold of it."""
        base = [] if self.base is None or is_memref(self.base.type) else [self.base]
        return [*base, *self.parts, *([] if self.index is None else [self.index])]


@dataclass
class Folding:
    """The addresses of operations, and the operations that are not needed for that."""

    addresses: dict[Operation, Folded] = field(default_factory=dict[Operation, Folded])
    dropped: set[Operation] = field(default_factory=set[Operation])

    def used(self, op: Operation) -> Sequence[SSAValue]:
        """The values that an operation takes."""
        if op in self.dropped:
            return ()
        if (folded := self.addresses.get(op)) is None:
            return op.operands
        return [*(v for v in op.operands if v is not _place(op)), *folded.values]

    def results(self, op: Operation) -> Sequence[SSAValue]:
        """The values that an operation gives."""
        return () if op in self.dropped else op.results


def fold_addresses(ops: Iterable[Operation]) -> Folding:
    """The folding of a program or function, whose operations these are."""
    all = list(ops)
    folding = Folding()
    waiting = [op for op in all if _place(op) is not None and not _is_folded_away(op)]
    while waiting:
        op = waiting.pop()
        folded = folding.addresses[op] = _address_of(op)
        # A pointer in the middle of a chain that is too long for one address.
        middle = None if folded.base is None else folded.base.owner
        if isinstance(middle, LeaOp) and middle not in folding.addresses:
            waiting.append(middle)
    kept = {v.owner for folded in folding.addresses.values() for v in folded.values}
    for op in all:
        if _is_folded_away(op) and op not in folding.addresses and op not in kept:
            folding.dropped.add(op)
    needed = {v for op in all for v in folding.used(op)}
    folding.dropped |= {o for o in all if isinstance(o, MovImmOp) and o.result.uses and o.result not in needed}
    return folding


def _place(op: Operation) -> SSAValue | None:
    """The memref or pointer of an address without an index of its own; `lea` of a memref may have one."""
    form = form_of(type(op))
    if form is None or not any(f.kind == "address" for f in form.fields):
        return None
    given: Any = op
    if isinstance(op, LeaOp):
        return op.base
    return None if given.indices else given.memref


def _is_folded_away(op: Operation) -> bool:
    """Return whether a pointer is made for addresses alone."""
    if not isinstance(op, LeaOp | BoundMapOp):
        return False
    return bool(op.result.uses) and all(map(_is_place, op.result.uses))


def _is_place(use: Use) -> bool:
    return _place(use.operation) is use.operation.operands[use.index] and use.operation.operands[use.index] not in [
        v for n, v in enumerate(use.operation.operands) if n != use.index
    ]


def _address_of(op: Operation) -> Folded:
    """The address of an operation, as far back as one address goes."""
    base = _place(op)
    assert base is not None
    index: SSAValue | None = None
    offset: int | None = None
    own = op if isinstance(op, LeaOp) else None
    while True:
        if own is None:
            if not isinstance(base.owner, LeaOp) or not _is_folded_away(base.owner):
                break
            own = base.owner
        added = own.indices[0] if own.indices else None
        number = None if added is None else _signed(added)
        if added is None:
            pass
        elif number is not None and offset is None:
            offset = number
        elif index is None:
            index = added
        else:
            break
        base, own = own.operands[0], None
    name, parts, more = _class_of(base)
    if name:
        return Folded(None, name, parts, index, more + (offset or 0))
    return Folded(base, "", (), index, offset or 0)


def _signed(value: SSAValue) -> int | None:
    """A constant number of bytes that is small enough to be added to another."""
    number = number_of(value)
    if number is None:
        return None
    number -= (number >> 63) << 64
    return number if abs(number) < 1 << 62 else None


def _class_of(base: SSAValue) -> tuple[str, tuple[SSAValue, ...], int]:
    """The class that a pointer into class memory starts from, and how far; `phi` and registers if it is not known."""
    owner = base.owner
    if not isinstance(owner, BoundMapOp) or not _is_folded_away(owner):
        return "", (), 0
    parts = (owner.c, owner.page, owner.byte)
    c, page, byte = map(number_of, parts)
    if c is None or page is None or byte is None:
        return PHI, parts, 0
    if c >= CLASSES or page >= CLASS_BYTES // PAGE_BYTES or byte >= PAGE_BYTES:
        return PHI, parts, 0
    return f"c{c}", (), page * PAGE_BYTES + byte
