"""`convert-hologram-to-atlas`: tensor operations become array-level instructions in value form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass

from hologram.dialects import marks
from hologram.dialects.atlas.arrays import general, named
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.declaration import Composer, Instruction, from_outside
from hologram.dialects.atlas.instructions.types import DTYPES, DType, working_type
from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.hologram.base import TensorOp, dtype_in, integers, shape_of
from hologram.dialects.hologram.folding import splat_in
from hologram.dialects.shapes import DYNAMIC, element_type, is_dense, is_tensor
from hologram.dialects.sizes import Atom, Requirement, Size
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.plugins.tables import Row
from hologram.support.walking import operations
from hologram.transforms.analysis.shape_analysis import ShapeAnalysis, argument_names, given_by, handed_to

RULES = Rules()
Body = Callable[[Sequence[SSAValue]], SSAValue]
"""Emits the operations of one element from the elements of the operands."""


class TensorRewriter(Rewriter):
    """The walk's state with the symbolic shapes of the source module."""

    def __init__(self, rules: Rules | None = None) -> None:
        super().__init__(RULES if rules is None else rules)
        self.analysis = ShapeAnalysis()
        self.constraints: dict[str, None] = {}
        """What must hold of the sizes of the current function's arguments, in order."""

    def convert(self, op: Operation) -> None:
        if isinstance(op, TensorOp):
            self.check(op)
        super().convert(op)

    def size(self, size: Size) -> SSAValue:
        """An index value of a symbolic size, computed once a block."""
        return self.once(("size", size), lambda: size.evaluate(self._leaf, self._number, self._combine))

    def _number(self, value: int) -> SSAValue:
        return self.once(
            ("index", value), lambda: self.emit(arith.ConstantOp(IntegerAttr(value, IndexType()))).results[0]
        )

    def _leaf(self, atom: Atom) -> SSAValue:
        value, axis = cast("tuple[SSAValue, int | None]", atom.key)
        if axis is None:
            return self.value(value)
        place = axis
        return self.once(
            ("dim", value, place), lambda: self.emit(tensor.DimOp(self.value(value), self._number(place))).result
        )

    def _combine(self, kind: str, left: SSAValue, right: SSAValue) -> SSAValue:
        op = {"+": arith.AddiOp, "*": arith.MuliOp, "//": arith.FloorDivSIOp}[kind]
        return self.emit(op(left, right)).results[0]

    def dynamic_sizes(self, result: SSAValue) -> list[SSAValue]:
        """The sizes of a tensor where its type has none."""
        sizes = self.analysis.sizes(result)
        return [self.size(s) for s, n in zip(sizes, shape_of(result), strict=True) if n == DYNAMIC]

    def empty(self, result: SSAValue) -> SSAValue:
        """A tensor.empty of the shape of `result`, and of what its type becomes."""
        return self.emit(tensor.EmptyOp(self.dynamic_sizes(result), self.type(result.type))).tensor

    def scalars(self, types: Sequence[Attribute], body: Body) -> Block:
        """A region of scalars that yields `body(arguments)`."""
        block = Block(arg_types=types)
        outer = self.insertion_block
        self.move_to(block)
        self.emit(general.YieldOp(body(block.args)))
        self.move_to(outer)
        return block

    def check(self, op: TensorOp) -> None:
        """Collects what must hold of the arguments' sizes; refuses what can't be told from them."""
        self._record(op, self.analysis.requirements(op))

    def equal(self, op: Operation, value: SSAValue, other: SSAValue) -> None:
        """Collects what must hold of the sizes of two tensors that must be equal."""
        pairs = zip(self.analysis.sizes(value), self.analysis.sizes(other), strict=True)
        self._record(op, self.analysis.unmet(op, [Requirement(a, "==", b) for a, b in pairs]))

    def _record(self, op: Operation, requirements: Iterable[Requirement]) -> None:
        for requirement in requirements:
            if requirement.text is None:
                raise PassError(
                    op,
                    "shape-unknown",
                    f"the sizes of '{op.name}' depend on computed values and can't be checked before the run",
                    hint="derive sizes from the shapes of arguments or from index arguments",
                )
            self.constraints[requirement.text] = None


@RULES.on(func.FuncOp)
def convert_function(rw: TensorRewriter, op: func.FuncOp) -> None:
    """A function, with what its arguments' sizes must satisfy and the shapes of its results."""
    rw.constraints = dict.fromkeys(_recorded(op, marks.CONSTRAINTS))
    if not op.body.blocks:
        rw.rebuild(op)
        return
    for block in op.body.blocks:
        rw.analysis.visit(block)
    names = argument_names(op)
    # What an earlier run recorded stays: sizes can't be told any more from what it left.
    results = _recorded(op, marks.RESULTS)
    returned = op.body.blocks[0].last_op
    if not results and isinstance(returned, func.ReturnOp) and any(is_tensor(v.type) for v in returned.arguments):
        results = [_shape_text(rw, returned, v) for v in returned.arguments]
    rw.rebuild(op)
    new = rw.insertion_block.last_op
    assert isinstance(new, func.FuncOp)
    given = op.arg_attrs.data if op.arg_attrs is not None else [DictionaryAttr({}) for _ in names]
    new.properties["arg_attrs"] = ArrayAttr(
        [DictionaryAttr(dict(attrs.data) | {marks.NAME: StringAttr(n)}) for attrs, n in zip(given, names, strict=True)]
    )
    if rw.constraints:
        new.attributes[marks.CONSTRAINTS] = ArrayAttr([StringAttr(text) for text in rw.constraints])
    if results:
        new.attributes[marks.RESULTS] = ArrayAttr([StringAttr(text) for text in results])


@RULES.on(scf.YieldOp, scf.ConditionOp)
def convert_end(rw: TensorRewriter, op: scf.YieldOp | scf.ConditionOp) -> None:
    """What a step hands on has the sizes of what the loop carries, and the branches of a choice give equal ones."""
    for value, wanted in zip(given_by(op), handed_to(op), strict=True):
        if is_tensor(value.type):
            rw.equal(op, value, wanted)
    rw.rebuild(op)


def _recorded(op: func.FuncOp, name: str) -> list[str]:
    """The texts in an attribute of a function."""
    attribute = op.attributes.get(name)
    if not isinstance(attribute, ArrayAttr):
        return []
    texts = cast("ArrayAttr[Attribute]", attribute)
    return [text.data for text in texts if isinstance(text, StringAttr)]


def _shape_text(rw: TensorRewriter, op: Operation, value: SSAValue) -> str:
    if not is_tensor(value.type):
        raise PassError(
            op,
            "scalar-result",
            f"a function can't return a value of type {value.type} beside tensors",
            hint="return a tensor of rank 0",
        )
    texts = [s.text for s in rw.analysis.sizes(value)]
    if None in texts:
        raise PassError(
            op,
            "result-shape-unknown",
            "the shape of a result depends on computed values",
            hint="derive sizes from the shapes of arguments or from index arguments",
        )
    return f"({', '.join(t for t in texts if t is not None)}{',' if len(texts) == 1 else ''})"


# Element-wise


def _first(elements: Sequence[SSAValue]) -> SSAValue:
    return elements[0]


def _map(rw: TensorRewriter, op: TensorOp, ins: Sequence[SSAValue], maps: Sequence[AffineMap], body: Body) -> None:
    """Replaces `op` by an atlas.map whose body is built by `body(*elements)`."""
    out = rw.empty(op.results[0])
    block = rw.scalars([element_type(v.type) for v in ins], body)
    new_maps = [*maps, AffineMap.identity(len(shape_of(op.results[0])))]
    rw.replace(op, general.MapOp(ins, [out], new_maps, block))


def _pointwise(rw: TensorRewriter, op: TensorOp, body: Body) -> None:
    """Replace an operation by an atlas.map from the elements of all operands at one place."""
    ins = [rw.value(v) for v in op.operands]
    _map(rw, op, ins, [AffineMap.identity(len(shape_of(op.results[0])))] * len(ins), body)


class _Emitter(Composer):
    """Emits the instructions of a composition on elements."""

    def __init__(self, rw: Rewriter, dtype: DType):
        super().__init__(dtype)
        self.rw = rw

    def apply(self, instruction: Instruction, dtype: DType, operands: Sequence[Any]) -> SSAValue:
        return self.rw.emit(scalar.INSTRUCTIONS[instruction.name](dtype, *operands)).results[0]

    def compare(self, condition: str, a: Any, b: Any) -> SSAValue:
        given = (self.number(v) if isinstance(v, int | float) else v for v in (a, b))
        return self.rw.emit(scalar.SetccOp(condition, self.dtype, *given)).result

    def number(self, value: float) -> SSAValue:
        return self.rw.emit(scalar.MovImmOp.of(value, self.dtype)).result

    def is_predicate(self, value: Any) -> bool:
        return value.type == i1


def _elementwise(rw: TensorRewriter, op: elementwise.InstructionOp) -> None:
    declared = op.INSTRUCTION

    def body(elements: Sequence[SSAValue]) -> SSAValue:
        values = list(elements)
        if declared.name not in scalar.INSTRUCTIONS:
            return declared.composed(_Emitter(rw, op.dtype), *values)
        kinds = zip(values, declared.operands.values(), strict=True)
        values = [_amount(rw, value, op.dtype) if kind == "u32" else value for value, kind in kinds]
        return rw.emit(scalar.INSTRUCTIONS[declared.name](op.dtype, *values)).results[0]

    _pointwise(rw, op, body)


def _amount(rw: TensorRewriter, value: SSAValue, dtype: DType) -> SSAValue:
    """A shift amount as u32: only its value modulo the width counts, which divides 2^32."""
    if value.type == i32:
        return value
    return rw.emit(scalar.CvtOp(DTYPES[f"u{dtype.bits}"], DTYPES["u32"], value)).result


RULES.on(*elementwise.ROWS, elementwise.SelectOp)(_elementwise)


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.tensor:
        RULES.on(elementwise.OUTSIDE[instruction.name])(_elementwise)


from_outside(_from_outside)


@RULES.on(elementwise.CompareOp)
def _compare(rw: TensorRewriter, op: elementwise.CompareOp) -> None:
    _pointwise(rw, op, lambda elements: rw.emit(scalar.SetccOp(op.condition.data, op.dtype, *elements)).result)


@RULES.on(elementwise.SelectOp)
def _select(rw: TensorRewriter, op: elementwise.SelectOp) -> None:
    _pointwise(rw, op, lambda elements: rw.emit(scalar.SelOp(op.dtype, *elements)).results[0])


@RULES.on(elementwise.CastOp)
def _cast(rw: TensorRewriter, op: elementwise.CastOp) -> None:
    _pointwise(rw, op, lambda elements: _converted(rw, op.dtype, op.target, elements[0]))


@RULES.on(elementwise.BitcastOp)
def _bitcast(rw: TensorRewriter, op: elementwise.BitcastOp) -> None:
    _pointwise(rw, op, lambda elements: rw.emit(scalar.CvtBitsOp(op.dtype, op.target, elements[0])).result)


# Making and moving


@RULES.on(tensors.ConstantOp, arith.ConstantOp)
def _constant(rw: TensorRewriter, op: tensors.ConstantOp | arith.ConstantOp) -> None:
    if not is_tensor(op.result.type) or not is_dense(op.value):
        rw.rebuild(op)
        return
    splat = splat_in(op.value)
    if splat is None or not scalar.is_number(splat):
        rw.replace(op, tensors.ConstantOp(op.value))
        return
    out = rw.emit(tensor.EmptyOp([], op.result.type)).tensor
    block = rw.scalars([], lambda _: rw.emit(scalar.MovImmOp(splat)).result)
    rw.replace(op, general.MapOp([], [out], [AffineMap.identity(len(shape_of(op.result)))], block))


@RULES.on(tensors.FillOp)
def _fill(rw: TensorRewriter, op: tensors.FillOp) -> None:
    rank, made = len(shape_of(op.result)), op.value.owner
    if isinstance(made, arith.ConstantOp) and scalar.is_number(made.value) and dtype_in(op.value) is not None:
        number = made.value
        # A number that is known is no operand, of which fusion allows so many.
        _map(rw, op, [], [], lambda _: rw.emit(scalar.MovImmOp(number)).result)
        return
    _map(rw, op, [rw.value(op.value)], [AffineMap(rank, 0, ())], _first)


@RULES.on(tensors.IotaOp)
def _iota(rw: TensorRewriter, op: tensors.IotaOp) -> None:
    dtype, axis = dtype_in(op.result), op.axis.value.data
    assert dtype is not None
    # Floats come from the narrowest integers that surely count so far.
    short = 0 <= shape_of(op.result)[axis] < 1 << 31
    counted = dtype if dtype.is_integer else DTYPES["i32" if short else "u64"]
    indices = rw.once(("iota", counted.name), lambda: rw.emit(general.IotaOp(counted)).result)
    place = AffineMap(len(shape_of(op.result)), 0, (AffineDimExpr(axis),))
    _map(rw, op, [indices], [place], lambda elements: _converted(rw, counted, dtype, elements[0]))


@RULES.on(tensors.DimOp)
def _dim(rw: TensorRewriter, op: tensors.DimOp) -> None:
    rw.define(op.result, rw.size(rw.analysis.sizes(op.result)[0]))


@RULES.on(tensors.BroadcastOp)
def _broadcast(rw: TensorRewriter, op: tensors.BroadcastOp) -> None:
    exprs = [
        AffineConstantExpr(0) if size == 1 else AffineDimExpr(axis)
        for axis, size in zip(op.result_axes, shape_of(op.x), strict=True)
    ]
    rank = len(shape_of(op.result))
    _map(rw, op, [rw.value(op.x)], [AffineMap(rank, 0, tuple(exprs))], _first)


@RULES.on(tensors.TransposeOp)
def _transpose(rw: TensorRewriter, op: tensors.TransposeOp) -> None:
    order = integers(op.permutation)
    exprs = tuple(AffineDimExpr(order.index(axis)) for axis in range(len(order)))
    _map(rw, op, [rw.value(op.x)], [AffineMap(len(order), 0, exprs)], _first)


@RULES.on(tensors.SliceOp)
def _slice(rw: TensorRewriter, op: tensors.SliceOp) -> None:
    """A bare dimension would say that the loop runs over the whole axis, so one that stops early is written as such."""
    x_sizes = rw.analysis.sizes(op.x)
    exprs: list[AffineExpr] = []
    for axis, (start, stride, size) in enumerate(
        zip(integers(op.starts), integers(op.strides), rw.analysis.sizes(op.result), strict=True)
    ):
        dim = AffineDimExpr(axis)
        moved = dim * stride + start
        exprs.append(general.within(dim) if moved == dim and size != x_sizes[axis] else moved)
    _map(rw, op, [rw.value(op.x)], [AffineMap(len(exprs), 0, tuple(exprs))], _first)


@RULES.on(tensors.ReshapeOp)
def _reshape(rw: TensorRewriter, op: tensors.ReshapeOp) -> None:
    """Stays, with every dynamic size given: bufferisation makes it a view."""
    operands = [rw.value(op.x), *rw.dynamic_sizes(op.result)]
    rw.replace(op, tensors.ReshapeOp.create(operands=operands, result_types=[op.result.type]))


@RULES.on(tensors.ConcatOp)
def _concat(rw: TensorRewriter, op: tensors.ConcatOp) -> None:
    """Each part is inserted into the result; bufferisation lets it be computed there."""
    axis = op.axis.value.data
    whole: SSAValue = rw.empty(op.result)
    start = Size.of(0)
    for part in op.parts:
        sizes = rw.analysis.sizes(part)
        offsets: list[int | SSAValue] = [0] * len(sizes)
        offsets[axis] = _number(rw, start)
        counts = [rw.size(s) if n == DYNAMIC else n for s, n in zip(sizes, shape_of(part), strict=True)]
        whole = rw.emit(_insert(rw.value(part), whole, offsets, counts)).result
        start = start + sizes[axis]
    rw.define(op.result, whole)


def _number(rw: TensorRewriter, size: Size) -> int | SSAValue:
    constant = size.constant
    return rw.size(size) if constant is None else constant


def _insert(
    source: SSAValue, dest: SSAValue, offsets: Sequence[int | SSAValue], sizes: Sequence[int | SSAValue]
) -> tensor.InsertSliceOp:
    def split(values: Sequence[int | SSAValue]) -> tuple[list[int], list[SSAValue]]:
        static = [v if isinstance(v, int) else DYNAMIC for v in values]
        return static, [v for v in values if not isinstance(v, int)]

    static_offsets, dynamic_offsets = split(offsets)
    static_sizes, dynamic_sizes = split(sizes)
    strides = [1] * len(sizes)
    return tensor.InsertSliceOp.get(
        source, dest, static_sizes, static_offsets, strides, dynamic_offsets, dynamic_sizes, [], dest.type
    )


@RULES.on(tensors.GatherOp)
def _gather(rw: TensorRewriter, op: tensors.GatherOp) -> None:
    ins = [rw.value(op.x), rw.value(op.indices)]
    rw.replace(op, named.GatherOp(ins, [rw.empty(op.result)], axis=op.axis))


# Reductions and products


@RULES.on(tensors.ReduceOp)
def _reduce(rw: TensorRewriter, op: tensors.ReduceOp) -> None:
    rank, axes, dtype = len(shape_of(op.x)), integers(op.axes), op.dtype
    kind = op.combiner
    wide = working_type(kind.value, dtype)
    body = rw.scalars([dtype.ir], lambda args: _converted(rw, dtype, wide, args[0]))
    finish = None if wide is dtype else rw.scalars([wide.ir], lambda args: _converted(rw, wide, dtype, args[0]))
    kept = tuple(AffineDimExpr(d) for d in range(rank) if d not in axes)
    maps = [AffineMap.identity(rank), AffineMap(rank, 0, kept)]
    out = rw.empty(op.result)
    rw.replace(op, general.ReduceOp([(kind, wide)], [rw.value(op.x)], [out], maps, body, finish=finish))


def _converted(rw: TensorRewriter, source: DType, target: DType, x: SSAValue) -> SSAValue:
    return x if source is target else rw.emit(scalar.CvtOp(source, target, x)).result


@RULES.on(tensors.SoftmaxOp)
def _softmax(rw: TensorRewriter, op: tensors.SoftmaxOp) -> None:
    rw.replace(op, named.SoftmaxOp([rw.value(op.x)], [rw.empty(op.result)], axis=op.axis))


@RULES.on(tensors.MatmulOp)
def _matmul(rw: TensorRewriter, op: tensors.MatmulOp) -> None:
    rw.replace(op, GemmOp([rw.value(op.a), rw.value(op.b)], [rw.empty(op.result)]))


@dataclass(frozen=True)
class ConvertHologramToAtlasPass(ModulePass):
    """Turns tensor operations into array-level `atlas` instructions on tensors, with `tensor.empty` for their shapes.

    What the sizes of the arguments must satisfy goes into the function's `hologram.constraints`, the shapes of its
    results into `hologram.results`. Reshapes, concatenations (as `tensor.insert_slice`) and dense constants stay for
    bufferisation.

    Before::

        %c = hologram.add %a, %b : tensor<?xf32>

    After::

        %e = tensor.empty(%n) : tensor<?xf32>
        %c = atlas.map ins(%a, %b : ...) outs(%e : ...) maps [...] {
        ^bb0(%x: f32, %y: f32):
          %s = atlas.add f32 %x, %y
          atlas.yield %s : f32
        }
    """

    name = "convert-hologram-to-atlas"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if any(_is_tensor_code(inner) for inner in operations(op)):
            convert_module(op, RULES, TensorRewriter())


def _is_tensor_code(op: Operation) -> bool:
    if isinstance(op, func.FuncOp):
        return any(is_tensor(t) for t in op.function_type.outputs)
    return isinstance(op, TensorOp | tensors.ConstantOp)
