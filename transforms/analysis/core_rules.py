"""Rules of upstream's memory and loop operations that xDSL's verifiers lack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import affine, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, MemRefType, StridedLayoutAttr, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.traits import NoMemoryEffect, Pure

from hologram.dialects.custom.affine_rows import bounds_of
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


def check_fill(op: Operation) -> None:
    """A fill has numbers of the type of the elements."""
    for value, out in zip(op.operands[:1], op.operands[1:], strict=False):
        element = getattr(out.type, "element_type", None)
        if element is not None and value.type != element:
            raise VerifyError("linalg-fill", f"'{op.name}' puts a {value.type} into a {out.type}")


def check_execute_region(op: Operation) -> None:
    """A region to execute has a block, which takes nothing."""
    first = op.regions[0].first_block
    if first is None or first.args:
        message = "'scf.execute_region' has a block at least, and the first has no arguments"
        raise VerifyError("execute-region", message)


def check_parallel(op: Operation) -> None:
    """A parallel loop has an axis at least, and steps that are known are positive."""
    assert isinstance(op, scf.ParallelOp)
    if not op.lowerBound:
        raise VerifyError("parallel-axes", "'scf.parallel' has an axis at least")
    for step in op.step:
        value = constant_of(step)
        if value is not None and value <= 0:
            raise VerifyError("parallel-step", f"the steps of 'scf.parallel' are positive, and this one is {value}")


# Affine indices

_SCOPES = ("func.func", "gpu.func", "gpu.launch", "llvm.func")
"""The operations in which what stands outside of loops is the same everywhere."""
_LOOPS = ("affine.for", "affine.parallel")
_OF_INDICES = ("affine.apply", "affine.delinearize_index", "affine.linearize_index", "affine.min", "affine.max")


def _around(value: SSAValue) -> Operation | None:
    """The operation in whose region a value is made."""
    owner = value.owner
    return owner.parent_op()


def is_symbol(value: SSAValue) -> bool:
    """Return whether a value is the same everywhere in its function, as far as its operation says."""
    around, owner = _around(value), value.owner
    if around is None or around.name in _SCOPES:
        return True
    if not isinstance(owner, Operation):
        return False
    if owner.name.endswith(".dim"):
        return True
    is_pure = owner.has_trait(Pure, value_if_unregistered=False) or owner.has_trait(
        NoMemoryEffect, value_if_unregistered=False
    )
    return is_pure and not owner.regions and all(map(is_symbol, owner.operands))


def is_dimension(value: SSAValue) -> bool:
    """Return whether a value is an index of affine loops, or made of such ones and of symbols by affine maps."""
    around, owner = _around(value), value.owner
    if not isinstance(owner, Operation):
        return is_symbol(value) or (around is not None and around.name in _LOOPS)
    return is_symbol(value) or (owner.name in _OF_INDICES and all(map(is_dimension, owner.operands)))


def check_affine(op: Operation) -> None:
    """Maps of affine operations have results, and take dimensions and symbols."""
    for map, operands in _maps(op):
        if not isinstance(map, AffineSet) and not map.results and op.name not in ("affine.load", "affine.store"):
            raise VerifyError("affine-results", f"a map of '{op.name}' has a result at least")
        for number, value in enumerate(operands):
            is_symbolic = number >= map.num_dims
            if op.name in ("affine.min", "affine.max"):
                continue  # They take any index.
            if op.name == "affine.apply":
                holds = not is_symbolic or not _is_index(value)
            else:
                holds = is_symbol(value) if is_symbolic else is_dimension(value)
            if not holds:
                word = "symbol" if is_symbolic else "dimension"
                raise VerifyError("affine-index", f"operand {number} of a map of '{op.name}' can't be used as a {word}")
    if isinstance(op, affine.IfOp) and any(b.args for region in op.regions for b in region.blocks):
        raise VerifyError("affine-if", f"the regions of '{op.name}' have no arguments")


def _is_index(value: SSAValue) -> bool:
    around = _around(value)
    return not isinstance(value.owner, Operation) and around is not None and around.name in _LOOPS


def _maps(op: Operation) -> list[tuple[AffineMap | AffineSet, Sequence[SSAValue]]]:
    """The maps of an operation, each with its operands."""
    match op:
        case affine.LoadOp() | affine.StoreOp():
            return [(op.map.data, op.indices)]
        case affine.ApplyOp():
            return [(op.map.data, op.mapOperands)]
        case affine.ForOp():
            return [(op.lowerBoundMap.data, op.lowerBoundOperands), (op.upperBoundMap.data, op.upperBoundOperands)]
        case affine.IfOp():
            return [(op.condition.data, op.args)]
        case _ if op.name == "affine.parallel":
            return [*bounds_of(op)]
        case _:
            map = cast("AffineMapAttr", op.properties["map"]).data
            return [(map, op.operands)]
