"""Guards of accesses: of elements of memory and tensors, of vectors, masked, gathered and scattered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IndexType, MemRefType, VectorType, i1
from xdsl.ir import Operation, SSAValue

from hologram.dialects.layouts import as_vector
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import width_of
from hologram.errors import PassError
from hologram.transforms.analysis.index_bounds import constant
from hologram.transforms.guards.guards import GUARDS, INDEX, Guards, memref_type, none_of
from hologram.transforms.guards.refusals import FLAG


@GUARDS.on("memref.load", "memref.store", "memref.atomic_rmw", "memref.generic_atomic_rmw", "memref.prefetch")
def guard_element(guards: Guards, op: Any) -> None:
    """Every index is in the range of its axis."""
    guards.layout(op, op.memref)
    for axis, index in enumerate(op.indices):
        guards.inside(op, op.memref, axis, index)


@GUARDS.on("tensor.extract")
def guard_extract(guards: Guards, op: Any) -> None:
    """Every index is in the range of its axis: once the tensor is in memory, nothing else says so."""
    for axis, index in enumerate(op.indices):
        guards.inside(op, op.tensor, axis, index)


def _around(guards: Guards, op: Operation, base: SSAValue, indices: Sequence[SSAValue]) -> None:
    """Guards all indices but the last."""
    guards.layout(op, base)
    if isinstance(memref_type(base).element_type, VectorType):
        _cannot(op, "it is on a memref of vectors")
    for axis, index in enumerate(indices[:-1]):
        guards.inside(op, base, axis, index)


def _cannot(op: Operation, why: str) -> NoReturn:
    raise PassError(op, "guard-vector", f"'{op.name}' can't be guarded: {why}", hint=FLAG)


def _lanes(op: Operation, value: SSAValue) -> int:
    type = as_vector(value.type)
    if type is None or type.get_num_dims() > 1:
        _cannot(op, f"only vectors of one dimension can be checked, and this is a {value.type}")
    return type.get_shape()[0] if type.get_shape() else 1


def _check_data(op: Operation, base: SSAValue, data: SSAValue, *others: SSAValue) -> None:
    """The elements are those of the memref, and each vector has as many."""
    type = as_vector(data.type)
    if type is None or type.element_type != memref_type(base).element_type:
        _cannot(op, f"elements of {data.type} are not those of {base.type}")
    if any(_lanes(op, other) != _lanes(op, data) for other in others):
        _cannot(op, f"its vectors have other lengths than {data.type}")


@GUARDS.on("vector.load", "vector.store")
def guard_vector(guards: Guards, op: Any) -> None:
    """All elements of the vector are there; what is promised of the address is not believed."""
    op.properties.pop("alignment", None)
    lanes = _lanes(op, op.results[0] if op.results else op.vector)
    _check_data(op, op.base, op.results[0] if op.results else op.vector)
    _around(guards, op, op.base, op.indices)
    if op.indices:
        guards.inside(op, op.base, len(op.indices) - 1, op.indices[-1], lanes)
    elif lanes != 1:
        _cannot(op, f"it accesses {lanes} elements of a memref that has one")


@GUARDS.on("vector.maskedload", "vector.maskedstore")
def guard_masked(guards: Guards, op: Any) -> None:
    """The elements that the mask has are there."""
    _check_data(op, op.base, op.operands[-1], op.mask, *op.results)
    _around(guards, op, op.base, op.indices)
    if not op.indices:
        _cannot(op, "it is on a memref without axes")
    _masked(guards, op, op.base, op.indices[-1], op.mask, _lanes(op, op.mask))


def _masked(guards: Guards, op: Operation, base: SSAValue, index: SSAValue, mask: SSAValue, lanes: int) -> None:
    axis = len(memref_type(base).get_shape()) - 1
    if guards.bounds.proves_inside(op, index, guards.bounds.size(base, axis), lanes):
        return
    at = OpBuilder(op)
    size = guards.size(at, base, axis)
    # Held near the memref, so that no difference wraps.
    held = at.core.smax(at.core.smin(index, size), -lanes)
    kind = VectorType(i1, (lanes,))
    below, above = (
        at.op(vector.CreateMaskOp([count], kind)) for count in (at.core.sub(0, held), at.core.sub(size, held))
    )
    outside = at.core.either(below, at.core.complement(above))
    text = f"{op.name}: an element that the mask has, from index {{}} on, is out of range for size {{}}"
    guards.check(at, none_of(at, at.core.both(mask, outside)), text, index, size)


@GUARDS.on("vector.gather", "vector.scatter")
def guard_lanes(guards: Guards, op: Any) -> None:
    """The element of each lane that the mask has is in the row."""
    lanes = _lanes(op, op.mask)
    _check_data(op, op.base, op.operands[-1], op.mask, op.indices, *op.results)
    _around(guards, op, op.base, op.offsets)
    if not op.offsets:
        _cannot(op, "it is on a memref without axes")
    at = OpBuilder(op)
    size = guards.size(at, op.base, len(op.offsets) - 1)
    start = op.offsets[-1]
    fits = guards.both(at, [guards.at_most(at, at.index(0), start), guards.at_most(at, start, size)])
    guards.demand(at, fits, f"{op.name}: offset {{}} is out of range for size {{}}", start, size)
    wide = VectorType(INDEX, (lanes,))
    places = op.indices
    if width_of(op.indices.type.element_type) > 64:
        _cannot(op, f"its indices of type {op.indices.type} are wider than an index")
    if not isinstance(op.indices.type.element_type, IndexType):
        places = at.op(arith.IndexCastOp(op.indices, wide))
    low, high = (at.op(vector.BroadcastOp(v, wide)) for v in (at.core.sub(0, start), at.core.sub(size, start)))
    outside = at.core.either(at.core.compare("slt", places, low), at.core.compare("sge", places, high))
    text = f"{op.name}: an index that the mask has, behind offset {{}}, is out of range for size {{}}"
    guards.check(at, none_of(at, at.core.both(op.mask, outside)), text, start, size)


@GUARDS.on("vector.transfer_read", "vector.transfer_write")
def guard_transfer(guards: Guards, op: Any) -> None:
    """Elements out of bounds are left out where the operation says so; elsewhere they trap."""
    if not isinstance(op.source.type, MemRefType):
        return
    lanes = _lanes(op, op.results[0] if op.results else op.vector)
    data = op.results[0] if op.results else op.vector
    _check_data(op, op.source, data, *([] if op.mask is None else [op.mask]))
    _around(guards, op, op.source, op.indices)
    if not op.indices:
        _cannot(op, "it is on a memref without axes")
    if not all(bool(b.value.data) for b in op.in_bounds):
        guards.natural(op, op.indices[-1], f"{op.name}: index {{}} is below 0")
        at = OpBuilder(op)
        size = guards.size(at, op.source, len(op.indices) - 1)
        guards.demand(
            at,
            guards.at_most(at, op.indices[-1], size),
            f"{op.name}: index {{}} is past size {{}}",
            op.indices[-1],
            size,
        )
    elif op.mask is not None:
        _masked(guards, op, op.source, op.indices[-1], op.mask, lanes)
    else:
        guards.inside(op, op.source, len(op.indices) - 1, op.indices[-1], lanes)


@GUARDS.on("vector.extract", "vector.insert")
def guard_position(guards: Guards, op: Any) -> None:
    """A position that is known at run time only is in the vector."""
    source = op.vector if op.name == "vector.extract" else op.dest
    type = as_vector(source.type)
    assert type is not None
    given = iter(op.dynamic_position)
    for axis, place in enumerate(op.static_position.iter_values()):
        size = type.get_shape()[axis]
        if 0 <= place < size:
            continue
        position = next(given, None)
        if position is None:
            raise PassError(
                op,
                "guard-vector-position",
                f"'{op.name}' is at position {place} of a {type}",
                hint="name one that it has",
            )
        if guards.bounds.proves_inside(op, position, constant(size)):
            continue
        at = OpBuilder(op)
        limit = at.core.constant(size, position.type)
        fits = at.core.compare("ult", position, limit)
        guards.check(at, fits, f"{op.name}: position {{}} is out of range for size {{}}", position, limit)


@GUARDS.on("vector.shuffle")
def guard_shuffle(guards: Guards, op: Any) -> None:
    """Every element of the result is one of the operands."""
    if any(int(m) < 0 for m in op.mask.iter_values()):
        raise PassError(
            op, "guard-shuffle", "'vector.shuffle' leaves elements undefined", hint="take an element for each"
        )
