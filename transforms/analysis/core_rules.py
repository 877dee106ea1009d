"""Rules of upstream's memory and loop operations that xDSL's verifiers lack."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, StridedLayoutAttr, UnrankedMemRefType
from xdsl.ir import Attribute, Operation

from hologram.dialects.layouts import layout_of
from hologram.errors import VerifyError
from hologram.transforms.analysis.index_bounds import constant_of

_MemRef: TypeAlias = MemRefType[Any] | UnrankedMemRefType[Any]


def check_cast(op: Operation) -> None:
    """A cast keeps elements and memory space; sizes, strides and offsets stay, become known, or become unknown."""
    assert isinstance(op, memref.CastOp)
    source, result = cast("_MemRef", op.source.type), cast("_MemRef", op.dest.type)
    if not _fit(source, result):
        message = f"{source} can't be cast to {result}: sizes, strides and offsets are equal, or one of them is unknown"
        raise VerifyError("memref-cast", message)


def _fit(source: _MemRef, result: _MemRef) -> bool:
    if (source.element_type, _space(source)) != (result.element_type, _space(result)):
        return False
    if isinstance(source, UnrankedMemRefType) or isinstance(result, UnrankedMemRefType):
        return type(source) is not type(result)
    if source.get_num_dims() != result.get_num_dims() or not _alike(source.get_shape(), result.get_shape()):
        return False
    if source.layout == result.layout:
        return True
    first, second = layout_of(source), layout_of(result)
    if first is None or second is None:
        return False
    strides = [(x, y) for n, x, y in zip(first.sizes, first.strides, second.strides, strict=True) if n != 1]
    return _alike([_offset(source)], [_offset(result)]) and all(_alike([x], [y]) for x, y in strides)


def _offset(type: MemRefType[Any]) -> int | None:
    """The offset of a strided layout; None if it is not known."""
    return type.layout.get_offset() if isinstance(type.layout, StridedLayoutAttr) else 0


def _alike(first: Any, second: Any) -> bool:
    unknown = (None, DYNAMIC_INDEX)
    return all(a in unknown or b in unknown or a == b for a, b in zip(first, second, strict=True))


def _space(type: _MemRef) -> Attribute | None:
    """The memory space; number 0 is the same as none."""
    space: Any = type.memory_space
    return None if str(space) in ("none", "0 : i64") else space


def check_copy(op: Operation) -> None:
    """A copy is between memrefs of the same elements and sizes."""
    assert isinstance(op, memref.CopyOp)
    source, target = cast("_MemRef", op.source.type), cast("_MemRef", op.destination.type)
    if isinstance(source, UnrankedMemRefType) or isinstance(target, UnrankedMemRefType):
        return
    alike = source.get_num_dims() == target.get_num_dims() and _alike(source.get_shape(), target.get_shape())
    if source.element_type != target.element_type or not alike:
        raise VerifyError("memref-copy", f"{source} can't be copied to {target}: elements or sizes differ")


def check_parallel(op: Operation) -> None:
    """A parallel loop has an axis at least, and steps that are known are positive."""
    assert isinstance(op, scf.ParallelOp)
    if not op.lowerBound:
        raise VerifyError("parallel-axes", "'scf.parallel' has an axis at least")
    for step in op.step:
        value = constant_of(step)
        if value is not None and value <= 0:
            raise VerifyError("parallel-step", f"the steps of 'scf.parallel' are positive, and this one is {value}")
