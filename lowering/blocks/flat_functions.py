"""Brings one kernel or device function into the flat form: its buffers get one dimension, its views go.

There a memref is a buffer of one dimension, a place in it, sizes and strides (`Flat`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    i8,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu
from hologram.dialects.arith import constant_of
from hologram.dialects.layouts import byte_size
from hologram.dialects.memref import GenericAtomicRMWOp, TransposeOp
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import Index
from hologram.errors import PassError
from hologram.lowering.blocks.flat_launches import Request
from hologram.lowering.processor.outline_parallel_loops import VIEWS
from hologram.lowering.rewriting import traps
from hologram.lowering.rewriting.helper_functions import RESONATE
from hologram.support.walking import operations

Lazy = Index | Callable[[], Index]
"""An index, or what gives it when it is needed."""


@dataclass(frozen=True)
class Flat:
    """A view of a flat buffer."""

    base: SSAValue
    offset: Lazy
    """In elements."""
    sizes: Sequence[Lazy]
    strides: Sequence[Lazy]

    def place(self, at: OpBuilder, indices: Sequence[SSAValue | int]) -> Index:
        """The number of an element in the buffer. What is known of it is added last: neighbours share the rest."""
        total, known = now(self.offset), 0
        for index, lazy in zip(indices, self.strides, strict=True):
            stride = now(lazy)
            begin, steps = _apart(index) if isinstance(stride, int) else (index, 0)
            total = at.add(total, at.mul(begin, stride))
            known += steps * stride if isinstance(stride, int) else 0
        return at.add(total, known)


def _apart(index: SSAValue | int) -> tuple[SSAValue | int, int]:
    """An index without the numbers that are added to it, and their sum."""
    known = 0
    while isinstance(index, SSAValue) and isinstance(index.owner, arith.AddiOp):
        if (added := constant_of(index.owner.rhs)) is None:
            break
        index, known = index.owner.lhs, known + added
    return index, known


def now(index: Lazy) -> Index:
    """The index itself."""
    return index() if callable(index) else index


def row_major(at: OpBuilder, sizes: Sequence[Lazy]) -> list[Lazy]:
    """The strides of elements that lie densely, the last dimension innermost."""
    strides: list[Lazy] = []
    stride: Index = 1
    for number, size in reversed(list(enumerate(sizes))):
        strides.append(stride)
        if number:
            stride = at.mul(stride, now(size))
    return strides[::-1]


def static_layout(type: MemRefType[Attribute]) -> tuple[int | None, Sequence[int | None] | None]:
    """The offset and the strides that a type says, None for what is dynamic; without strides it is dense."""
    layout = type.layout
    if not isinstance(layout, StridedLayoutAttr):
        return 0, None
    strides = [s.data if isinstance(s, IntAttr) else None for s in layout.strides.data]
    return layout.offset.data if isinstance(layout.offset, IntAttr) else None, strides


def mixed(static: Any, dynamic: Sequence[SSAValue]) -> list[Index]:
    """Numbers of an attribute, with operands for those that it leaves open."""
    given: Iterator[SSAValue] = iter(dynamic)
    return [next(given) if n == DYNAMIC_INDEX else n for n in cast("Sequence[int]", static.get_values())]


def groups_of(reassociation: Any) -> list[list[int]]:
    """The axes of each group of a reshape."""
    return [[cast("IntegerAttr[Any]", n).value.data for n in cast("ArrayAttr[Any]", g)] for g in reassociation]


# Views


def view_of(op: Operation, source: Flat, at: OpBuilder) -> Flat | None:
    """Return the flat form of the result of a view, or None for an operation that is none."""
    match op:
        case memref.CastOp() | memref.MemorySpaceCastOp() | memref.AssumeAlignmentOp():
            return source
        case memref.SubviewOp():
            return _subview(op, source, at)
        case TransposeOp():
            order = [cast("AffineDimExpr", r).position for r in op.permutation.data.results]
            return Flat(
                source.base, source.offset, [source.sizes[n] for n in order], [source.strides[n] for n in order]
            )
        case memref.CollapseShapeOp():
            return _collapse(op, source, at)
        case memref.ExpandShapeOp():
            return _expand(op, source, at)
        case memref.ReinterpretCastOp():
            (offset,) = mixed(op.static_offsets, op.offsets)
            strides = mixed(op.static_strides, op.strides)
            return Flat(source.base, offset, mixed(op.static_sizes, op.sizes), strides)
        case _:
            return None


def _subview(op: memref.SubviewOp, source: Flat, at: OpBuilder) -> Flat:
    offsets, sizes = mixed(op.static_offsets, op.offsets), mixed(op.static_sizes, op.sizes)
    steps = mixed(op.static_strides, op.strides)
    offset = source.place(at, offsets)
    strides = [at.mul(now(s), step) for s, step in zip(source.strides, steps, strict=True)]
    kept = _kept_axes(op)
    return Flat(source.base, offset, [sizes[n] for n in kept], [strides[n] for n in kept])


def _kept_axes(op: memref.SubviewOp) -> list[int]:
    """The axes of the source that the result has: those of size 1 that it lacks are dropped, the first ones first."""
    wanted = list(op.result.type.get_shape())
    sizes = list(cast("Sequence[int]", op.static_sizes.get_values()))
    drop = len(sizes) - len(wanted)
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        matches = len(kept) < len(wanted) and wanted[len(kept)] == size
        if drop and size == 1 and not (matches and len(sizes) - axis - 1 < drop):
            drop -= 1
        else:
            kept.append(axis)
    return kept


def _collapse(op: memref.CollapseShapeOp, source: Flat, at: OpBuilder) -> Flat:
    sizes: list[Lazy] = []
    strides: list[Lazy] = []
    shape = op.result.type.get_shape()
    for static, group in zip(shape, groups_of(op.reassociation), strict=True):
        size: Index = 1
        for axis in group if static == DYNAMIC_INDEX else ():
            size = at.mul(size, now(source.sizes[axis]))
        sizes.append(size if static == DYNAMIC_INDEX else static)
        strides.append(source.strides[group[-1]])
    return Flat(source.base, source.offset, sizes, strides)


def _expand(op: memref.ExpandShapeOp, source: Flat, at: OpBuilder) -> Flat:
    sizes = mixed(op.static_output_shape, op.output_shape)
    strides: list[Lazy] = [1] * len(sizes)
    for number, group in enumerate(groups_of(op.reassociation)):
        stride = now(source.strides[number])
        for axis in reversed(group):
            strides[axis] = stride
            stride = at.mul(stride, sizes[axis])
    return Flat(source.base, source.offset, sizes, strides)


PLAIN = (*traps.FUNCTIONS, RESONATE)
"""Functions whose buffers are always whole ones of fixed size."""
ACCESSES = {
    "memref.load": 0,
    "memref.store": 1,
    "vector.load": 0,
    "vector.store": 1,
    "memref.atomic_rmw": 1,
    "vector.maskedload": 0,
    "vector.maskedstore": 0,
    "vector.gather": 0,
    "vector.scatter": 0,
    GenericAtomicRMWOp.name: 0,
}
"""Operations on an element, and which operand the buffer is; the indices follow it."""


def flat_type(type: MemRefType[Attribute], size: int = DYNAMIC_INDEX, element: Attribute | None = None) -> Attribute:
    """The type of a flat buffer."""
    return MemRefType(element or type.element_type, [size], NoneAttr(), type.memory_space)


def _memref(value: SSAValue) -> MemRefType[Attribute]:
    return cast("MemRefType[Attribute]", value.type)


def _is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)


def seen_as(value: SSAValue) -> Attribute | None:
    """The one type that a buffer of bytes is viewed as, if that is the only way it is looked at."""
    if _memref(value).element_type != i8:
        return None
    kinds: set[Attribute] = set()
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            if isinstance(use.operation, memref.ViewOp):
                kinds.add(_memref(use.operation.result).element_type)
            elif use.operation.name in ("memref.cast", "memref.assume_alignment"):
                pending += use.operation.results
            else:
                return None
    return kinds.pop() if len(kinds) == 1 and i8 not in kinds else None


class FlatFunction:
    """The walk over one function. `signatures` are the arguments' types of all, as they were."""

    def __init__(self, op: gpu.FuncOp | func.FuncOp, signatures: Mapping[str, Sequence[Attribute]]):
        self.op = op
        self.signatures = signatures
        self.flats: dict[SSAValue, Flat] = {}
        self.requests: list[Request] = []
        self.views: list[Attribute | None] = []
        self.count = len(op.function_type.inputs)
        self.first: Operation | None = None
        self.gone: list[Operation] = []

    @property
    def entry(self) -> Block:
        """The block with the arguments."""
        return self.op.body.blocks[0]

    def flatten(self) -> tuple[list[Attribute | None], list[Request]]:
        """Does it. Gives what element each argument is seen as, and what callers pass behind the arguments."""
        self.first = self.entry.first_op
        arguments, own = list(self.entry.args[: self.count]), list(self.entry.args[self.count :])
        self.views = [None] * self.count
        for number, argument in enumerate(arguments):
            if _is_buffer(argument):
                self._argument(number, argument)
        for buffer in own:
            self._flatten(buffer, _memref(buffer), seen_as(buffer))
        for op in operations(self.op)[1:]:
            self._convert(op)
        for op in reversed(self.gone):
            Rewriter.erase_op(op)
        self._set_type()
        return self.views, self.requests

    def _set_type(self) -> None:
        total = self.count + len(self.requests)
        inputs = [a.type for a in self.entry.args[:total]]
        self.op.properties["function_type"] = FunctionType.from_lists(inputs, list(self.op.function_type.outputs))
        if (arg_attrs := self.op.arg_attrs) is not None:
            self.op.properties["arg_attrs"] = ArrayAttr([*arg_attrs, *[DictionaryAttr({})] * (total - len(arg_attrs))])

    # Buffers

    def _at_start(self) -> OpBuilder:
        assert self.first is not None
        return OpBuilder(self.first, self.op)

    def _argument(self, number: int, argument: SSAValue) -> None:
        type = _memref(argument)
        is_kernel = isinstance(self.op, gpu.FuncOp) and self.op.kernel is not None
        if is_kernel:
            self.views[number] = seen_as(argument)
        name = argument.name_hint or f"arg{number}"
        base = Rewriter.replace_value_with_new_type(argument, flat_type(type, element=self.views[number]))
        wanted = requests_of(number, type, offset=not is_kernel and self.op.sym_name.data not in PLAIN)
        given = {(r.what, r.axis): self._lazily(r, name) for r in wanted}
        if not is_kernel:
            for lazy in given.values():
                now(lazy)
        offset, strides = static_layout(type)
        first = given.get(("offset", 0), offset or 0)
        sizes = [given.get(("size", axis), n) for axis, n in enumerate(type.get_shape())]
        steps: list[Lazy] = (
            self._dense(sizes) if strides is None else [given.get(("stride", k), s or 0) for k, s in enumerate(strides)]
        )
        self.flats[base] = Flat(base, first, sizes, steps)

    def _lazily(self, request: Request, name: str) -> Callable[[], SSAValue]:
        """Adds the argument with what a request asks for when it is first needed."""

        @cache
        def ask() -> SSAValue:
            value = self.entry.insert_arg(IndexType(), self.count + len(self.requests))
            value.name_hint = f"{name}_{request.what}" + (f"_{request.axis}" if request.what != "offset" else "")
            self.requests.append(request)
            return value

        return ask

    def _dense(self, sizes: Sequence[Lazy]) -> list[Lazy]:
        """Row-major strides, multiplied at the function's start when they are needed."""
        steps: list[Lazy] = [1]
        for size in reversed(sizes[1:]):
            inner = steps[-1]
            if isinstance(inner, int) and isinstance(size, int):
                steps.append(inner * size)
            else:
                steps.append(self._product(inner, size))
        return steps[::-1] if sizes else []

    def _product(self, a: Lazy, b: Lazy) -> Callable[[], Index]:
        return cache(lambda: self._at_start().mul(now(a), now(b)))

    def _flatten(self, value: SSAValue, type: MemRefType[Attribute], element: Attribute | None = None) -> None:
        """Gives a buffer of fixed size one dimension, and elements of the type that it is seen as."""
        count = type.element_count()
        if element is not None:
            count //= byte_size(element) or 1
        sizes = list(type.get_shape())
        base = Rewriter.replace_value_with_new_type(value, flat_type(type, count, element))
        self.flats[base] = Flat(base, 0, sizes, self._dense(sizes))

    # Operations

    def _convert(self, op: Operation) -> None:
        match op:
            case memref.AllocaOp():
                self._alloca(op)
            case gpu.DynamicSharedMemoryOp():
                self.flats[op.result] = Flat(op.result, 0, [0], [1])
            case memref.GetGlobalOp():
                self._flatten(op.memref, _memref(op.memref))
            case func.CallOp():
                self._call(op)
            case memref.ViewOp():
                self._view(op)
            case memref.DimOp():
                self._dim(op)
            case memref.CopyOp():
                self._copy(op)
            case memref.ExtractStridedMetaDataOp():
                self._metadata(op)
            case memref.ExtractAlignedPointerAsIndexOp():
                self._address(op)
            case gpu.GlobalIdOp():
                self._global_id(op)
            case _ if op.name == "memref.prefetch":
                self.gone.append(op)
            case _ if op.name in ACCESSES:
                self._access(op, ACCESSES[op.name])
            case _ if op.name in VIEWS:
                flat = view_of(op, self._flat(op, op.operands[0]), OpBuilder(op))
                assert flat is not None
                self.flats[op.results[0]] = flat
                self.gone.append(op)
            case _:
                self._other(op)

    def _flat(self, op: Operation, value: SSAValue) -> Flat:
        if (flat := self.flats.get(value)) is None:
            raise PassError(
                op,
                "flatten-buffer-value",
                f"'{op.name}' uses a buffer here that a branch, a loop or a call chooses",
                hint="choose between values, not between buffers",
            )
        return flat

    def _other(self, op: Operation) -> None:
        """Refuse operations on buffers that have no flat form."""
        arguments = [a for r in op.regions for b in r.blocks for a in b.args]
        if any(map(_is_buffer, (*op.operands, *op.results, *arguments))):
            raise PassError(
                op,
                "flatten-buffer-op",
                f"'{op.name}' on a buffer has no form in a kernel",
                hint="kernels load and store elements, view buffers, and declare arrays of fixed size",
            )

    def _access(self, op: Operation, number: int) -> None:
        flat = self._flat(op, op.operands[number])
        at = OpBuilder(op)
        behind = number + 1 + len(flat.strides)
        place = at.index(flat.place(at, list(op.operands[number + 1 : behind])))
        op.operands = [*op.operands[:number], flat.base, place, *op.operands[behind:]]

    def _alloca(self, op: memref.AllocaOp) -> None:
        type = _memref(op.memref)
        if op.dynamic_sizes:
            raise PassError(
                op,
                "flatten-dynamic-stack",
                "a lane declares an array here whose size is not known before the launch",
                hint="give it a fixed size, or pass a buffer with a piece for each lane",
            )
        assert self.first is not None
        if op is self.first:
            # It stays where it is, and what is emitted at the start comes behind it.
            self.first = op.next_op
        else:
            op.detach()
            self.entry.insert_op_before(op, self.first)
        if isinstance(type.memory_space, NoneAttr):
            type = MemRefType(type.element_type, type.shape, type.layout, gpu.PRIVATE)
        self._flatten(op.memref, type, seen_as(op.memref))

    def _call(self, op: func.CallOp) -> None:
        name = op.callee.string_value()
        inputs = self.signatures.get(name)
        if inputs is None:
            return
        operands: list[SSAValue] = []
        behind: list[SSAValue] = []
        at = OpBuilder(op)
        for number, (value, type) in enumerate(zip(list(op.operands), inputs, strict=True)):
            if not isinstance(type, MemRefType):
                operands.append(value)
                continue
            flat = self._flat(op, value)
            operands.append(_passed(flat.base, cast("MemRefType[Attribute]", type), at))
            requests = requests_of(number, cast("MemRefType[Attribute]", type), offset=name not in PLAIN)
            behind += [at.index(_answer(flat, request)) for request in requests]
        op.operands = [*operands, *behind]

    def _view(self, op: memref.ViewOp) -> None:
        source = self._flat(op, op.source)
        type = _memref(op.result)
        at = OpBuilder(op)
        given = iter(op.sizes)
        sizes: list[Index] = [next(given) if n == DYNAMIC_INDEX else n for n in type.get_shape()]
        base, element = source.base, type.element_type
        shift = at.add(now(source.offset), op.byte_shift if constant_of(op.byte_shift) != 0 else 0)
        if _memref(base).element_type == element:
            flat = Flat(base, at.div(shift, byte_size(element) or 1), sizes, row_major(at, sizes))
        else:
            count = at.product(sizes)
            kind = flat_type(MemRefType(element, [1], NoneAttr(), _memref(base).memory_space))
            view = memref.ViewOp.create(operands=[base, at.index(shift), at.index(count)], result_types=[kind])
            flat = Flat(at.op(view), 0, sizes, row_major(at, sizes))
        self.flats[op.result] = flat
        self.gone.append(op)

    def _dim(self, op: memref.DimOp) -> None:
        axis = constant_of(op.index)
        flat = self._flat(op, op.source)
        if axis is None or axis >= len(flat.sizes):
            raise PassError(
                op, "flatten-dim", "a kernel asks for a size here by an axis that is not known", hint="use a constant"
            )
        op.result.replace_all_uses_with(OpBuilder(op).index(now(flat.sizes[axis])))
        self.gone.append(op)

    def _metadata(self, op: memref.ExtractStridedMetaDataOp) -> None:
        flat = self._flat(op, op.source)
        at = OpBuilder(op)
        self.flats[op.base_buffer] = Flat(flat.base, 0, [], [])
        metadata = [flat.offset, *flat.sizes, *flat.strides]
        for result, lazy in zip((op.offset, *op.sizes, *op.strides), metadata, strict=True):
            if result.uses:
                result.replace_all_uses_with(at.index(now(lazy)))
        self.gone.append(op)

    def _address(self, op: memref.ExtractAlignedPointerAsIndexOp) -> None:
        """The address of the first element; that of the buffer where the type says how far from it that is."""
        flat = self._flat(op, op.source)
        offset, _ = static_layout(_memref(op.source))
        op.operands = [flat.base]
        following = op.next_op
        if offset is None and now(flat.offset) != 0 and following is not None:
            at = OpBuilder(following, op)
            uses = list(op.aligned_pointer.uses)
            size = byte_size(_memref(flat.base).element_type) or 1
            total = at.index(at.add(op.aligned_pointer, at.mul(now(flat.offset), size)))
            for use in uses:
                use.operation.operands = [total if v is op.aligned_pointer else v for v in use.operation.operands]

    def _global_id(self, op: gpu.GlobalIdOp) -> None:
        at = OpBuilder(op)
        block, size, thread = (at.op(k(op.dimension)) for k in (gpu.BlockIdOp, gpu.BlockDimOp, gpu.ThreadIdOp))
        op.result.replace_all_uses_with(at.index(at.add(at.mul(block, size), thread)))
        self.gone.append(op)

    def _copy(self, op: memref.CopyOp) -> None:
        """Loops that copy element by element."""
        source, target = self._flat(op, op.source), self._flat(op, op.destination)
        at = OpBuilder(op)
        zero, one = at.index(0), at.index(1)
        indices: list[SSAValue] = []
        with ExitStack() as nest:
            for size in source.sizes:
                at, index = nest.enter_context(at.loop(zero, now(size), one))
                indices.append(index)
            value = at.load(source.base, source.place(at, indices))
            at.store(value, target.base, target.place(at, indices))
        self.gone.append(op)


def requests_of(number: int, type: MemRefType[Attribute], *, offset: bool) -> list[Request]:
    """Return requests for all that a function may need of an argument and that its type leaves open."""
    known, strides = static_layout(type)
    requests = [Request(number, "offset", 0)] if offset or known is None else []
    requests += [Request(number, "size", axis) for axis, n in enumerate(type.get_shape()) if n == DYNAMIC_INDEX]
    return requests + [Request(number, "stride", axis) for axis, n in enumerate(strides or ()) if n is None]


def _passed(base: SSAValue, wanted: MemRefType[Attribute], at: OpBuilder) -> SSAValue:
    """The base of a flat buffer as a function takes it: its size is not known there, and its memory may be any."""
    space = _memref(base).memory_space
    flat = MemRefType(wanted.element_type, [DYNAMIC_INDEX], NoneAttr(), space)
    if base.type != flat:
        base = at.op(memref.CastOp.get(base, flat))
    if space == wanted.memory_space:
        return base
    return at.op(memref.MemorySpaceCastOp(base, cast("MemRefType[Attribute]", flat_type(wanted))))


def _answer(flat: Flat, request: Request) -> Index:
    if request.what == "offset":
        return now(flat.offset)
    return now((flat.sizes if request.what == "size" else flat.strides)[request.axis])
