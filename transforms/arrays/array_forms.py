"""Builds array-level code for an instruction on tensors or on memrefs: the same calls give values or fill buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType, NoneAttr, TensorType, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from hologram.dialects.atlas.arrays.general import Kind, MapOp, ReduceOp, YieldOp, element_type, shape_of
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.scalar import CvtOp, MovImmOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType, dtype_of
from hologram.dialects.atlas.instructions.verbs import InstructionEmitter
from hologram.dialects.hologram.tensors import ReshapeOp
from hologram.dialects.shapes import is_memref, is_tensor
from hologram.dialects.verbs import Arith, Index, IndexArithmetic, Verb

Size: TypeAlias = Index
Compute: TypeAlias = "Callable[[Scalars, Sequence[SSAValue]], SSAValue]"
"""Emits the operations of one element from the elements of the operands; gives the result."""


class Scalars(InstructionEmitter):
    """A region of scalars that is being written."""

    def __init__(self, types: Sequence[Attribute]):
        self.block = Block(arg_types=types)
        self.core = Arith(self.block.add_op)
        """The verbs on values of any type of arith."""

    def op(self, op: Operation) -> SSAValue:
        """Emits an operation with one result."""
        self.block.add_op(op)
        return op.results[0]


class ArrayForms(IndexArithmetic):
    """Gives `emit`, in order, what stands for a named instruction; `free` frees the buffers made on the way."""

    def __init__(self, emit: Callable[[Operation], object], *, is_value_form: bool):
        self.emit = emit
        self.is_value_form = is_value_form
        self.core = Arith(emit)
        self._buffers: list[SSAValue] = []

    def op(self, op: Operation) -> SSAValue:
        """Emits an operation with one result."""
        self.emit(op)
        return op.results[0]

    # Sizes

    def index(self, value: Size) -> SSAValue:
        """A size as a value."""
        if isinstance(value, SSAValue):
            return value
        return self.op(arith.ConstantOp(IntegerAttr(value, IndexType())))

    def size(self, value: SSAValue, axis: int) -> Size:
        """A size of an array."""
        known = shape_of(value.type)[axis]
        if known != DYNAMIC_INDEX:
            return known
        return self.op((tensor.DimOp if is_tensor(value.type) else memref.DimOp)(value, self.index(axis)))

    def sizes(self, value: SSAValue) -> list[Size]:
        """All sizes of an array."""
        return [self.size(value, axis) for axis in range(len(shape_of(value.type)))]

    def emitted(self, verb: Verb, a: Size, b: Size) -> SSAValue:
        return self.core.binary(verb, self.index(a), self.index(b))

    def number(self, size: Size, dtype: DType) -> SSAValue:
        """A size as a float."""
        if isinstance(size, int):
            return self.op(MovImmOp.of(float(size), dtype))
        return self.op(CvtOp(DTYPES["i64"], dtype, self.op(arith.IndexCastOp(size, i64))))

    def check_multiple(self, size: Size, factor: int, text: str) -> None:
        """Traps unless a size is a multiple."""
        if isinstance(size, int) or factor == 1:
            return
        holds = self.core.compare("eq", self.core.rem(size, self.index(factor)), self.index(0))
        self.emit(AssertOp(holds, text, None, [size, self.index(factor)]))

    def check_equal(self, a: SSAValue, axis: int, b: SSAValue, along: int, text: str) -> None:
        """Traps unless two sizes are equal."""
        self._check(self.size(a, axis), self.size(b, along), text)

    def check_sizes(self, value: SSAValue, sizes: Sequence[Size], text: str) -> None:
        """Traps unless an array has these sizes."""
        for axis, size in enumerate(sizes):
            self._check(self.size(value, axis), size, text)

    def _check(self, actual: Size, expected: Size, text: str) -> None:
        if actual is expected or (isinstance(actual, int) and isinstance(expected, int)):
            return
        actual, expected = self.index(actual), self.index(expected)
        self.emit(AssertOp(self.core.compare("eq", actual, expected), text, None, [actual, expected]))

    # Arrays

    def temporary(self, sizes: Sequence[Size], dtype: DType) -> SSAValue:
        """An array to compute into: an empty tensor, or a buffer that is freed at the end."""
        shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes]
        dynamic = [s for s in sizes if not isinstance(s, int)]
        if self.is_value_form:
            return self.op(tensor.EmptyOp(dynamic, TensorType(dtype.ir, shape)))
        buffer = self.op(memref.AllocOp.get(dtype.ir, 64, shape, dynamic))
        self._buffers.append(buffer)
        return buffer

    def reshape(self, value: SSAValue, sizes: Sequence[Size]) -> SSAValue:
        """The same elements in row-major order under another shape; a buffer must lie densely (see `dense`)."""
        shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes]
        if list(shape_of(value.type)) == shape and DYNAMIC_INDEX not in shape:
            return value
        element = element_type(value.type)
        if is_tensor(value.type):
            dynamic = [s for s in sizes if not isinstance(s, int)]
            return self.op(ReshapeOp.create(operands=[value, *dynamic], result_types=[TensorType(element, shape)]))
        strides = [self.product(sizes[n + 1 :]) for n in range(len(sizes))]
        return self.op(
            memref.ReinterpretCastOp.from_dynamic(value, [0], list(sizes), strides, MemRefType(element, shape))
        )

    def is_dense(self, value: SSAValue) -> bool:
        """Return whether elements lie in row-major order."""
        return not is_memref(value.type) or isinstance(value.type.layout, NoneAttr)

    def dense(self, value: SSAValue) -> SSAValue:
        """The array, or a copy whose elements lie in row-major order."""
        return value if self.is_dense(value) else self.copy(value, self.like(value))

    def like(self, value: SSAValue) -> SSAValue:
        """A temporary of the shape and type of an array."""
        dtype = dtype_of(element_type(value.type))
        assert dtype is not None
        return self.temporary(self.sizes(value), dtype)

    def copy(self, source: SSAValue, out: SSAValue) -> SSAValue:
        """Copies element by element."""
        same = AffineMap.identity(len(shape_of(out.type)))
        return self.map([source], out, [same, same], lambda s, args: args[0])

    def widened(self, value: SSAValue, wide: DType, source: DType | None = None) -> SSAValue:
        """The array in another type; `source` is its own, if it is unsigned."""
        dtype = dtype_of(element_type(value.type)) if source is None else source
        if dtype is wide or dtype is None:
            return value
        same = AffineMap.identity(len(shape_of(value.type)))
        out = self.temporary(self.sizes(value), wide)
        return self.map([value], out, [same, same], lambda s, args: s.cvt(dtype, wide, args[0]))

    # Instructions

    def array(self, op: Operation, out: SSAValue) -> SSAValue:
        """Emits an array-level instruction; what it computed: a tensor, or the buffer."""
        self.emit(op)
        return op.results[0] if op.results else out

    def region(self, values: Sequence[SSAValue], compute: Compute, types: Sequence[Attribute] = ()) -> Block:
        """A region over elements of `values`, after values of `types`."""
        scalars = Scalars([*types, *(element_type(v.type) for v in values)])
        scalars.block.add_op(YieldOp(compute(scalars, scalars.block.args)))
        return scalars.block

    def map(self, ins: Sequence[SSAValue], out: SSAValue, maps: Sequence[AffineMap], compute: Compute) -> SSAValue:
        """An `atlas.map`; the maps are those of the ins, then the out's."""
        return self.array(MapOp(ins, [out], maps, self.region(ins, compute)), out)

    def sum(
        self, ins: Sequence[SSAValue], out: SSAValue, maps: Sequence[AffineMap], dtype: DType, compute: Compute,
        finish_ins: Sequence[SSAValue], finish: Compute,
    ) -> SSAValue:  # fmt: skip
        """An `atlas.reduce` by addition; the maps are those of the ins, the finish_ins, the out."""
        body, end = self.region(ins, compute), self.region(finish_ins, finish, [dtype.ir])
        return self.array(ReduceOp([(Kind.add, dtype)], ins, [out], maps, body, finish_ins, end), out)

    def free(self) -> None:
        """Frees the buffers."""
        for buffer in self._buffers:
            self.emit(memref.DeallocOp.get(buffer))


def axes(rank: int, *dims: int) -> AffineMap:
    """The map to some of `rank` dimensions."""
    return AffineMap(rank, 0, tuple(AffineExpr.dimension(d) for d in dims))
