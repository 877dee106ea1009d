"""`convert-hologram-to-atlas`: tensor operations become array-level instructions in value form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from hologram.dialects.atlas import arrays, named, scalar
from hologram.dialects.atlas.types import DTYPES, DType
from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.hologram.base import TensorOp, element_of, integers, shape_of
from hologram.dialects.hologram.sizes import Atom, Size
from hologram.errors import PassError
from hologram.lowering.conversion import Rewriter, Rules, convert_module
from hologram.transforms.shape_analysis import NAME, ShapeAnalysis, argument_names

CONSTRAINTS = "hologram.constraints"
RESULTS = "hologram.results"
RULES = Rules()


class TensorRewriter(Rewriter):
    """The walk's state with the symbolic shapes of the source module."""

    def __init__(self) -> None:
        super().__init__(RULES)
        self.analysis = ShapeAnalysis()

    def size(self, size: Size) -> SSAValue:
        """An index value of a symbolic size, computed once a block."""
        return self.once(("size", size), lambda: size.evaluate(self._leaf, self._number, self._combine))

    def _number(self, value: int) -> SSAValue:
        return self.once(
            ("index", value), lambda: self.emit(arith.ConstantOp(IntegerAttr(value, IndexType()))).results[0]
        )

    def _leaf(self, atom: Atom) -> SSAValue:
        value, axis = atom.key  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
        if axis is None:
            return self.value(value)  # pyright: ignore[reportUnknownArgumentType]
        make: Callable[[], SSAValue] = lambda: self.emit(tensor.DimOp(self.value(value), self._number(axis))).result  # noqa: E731 # pyright: ignore
        return self.once(("dim", value, axis), make)

    def _combine(self, kind: str, left: SSAValue, right: SSAValue) -> SSAValue:
        op = {"+": arith.AddiOp, "*": arith.MuliOp, "//": arith.FloorDivSIOp}[kind]
        return self.emit(op(left, right)).results[0]

    def empty(self, result: SSAValue, type: Attribute | None = None) -> SSAValue:
        """A tensor.empty of the shape of `result` (and of `type`, if it is given)."""
        type = result.type if type is None else type
        sizes = self.analysis.sizes(result)
        dynamic = [self.size(s) for s, n in zip(sizes, shape_of(result), strict=True) if n == DYNAMIC_INDEX]
        return self.emit(tensor.EmptyOp(dynamic, type)).tensor

    def check(self, op: TensorOp) -> None:
        """Collects what must hold of the arguments' sizes; refuses what can't be told from them."""
        for requirement in self.analysis.requirements(op):
            if requirement.text is None:
                raise PassError(
                    op, "shape-unknown", f"the sizes of '{op.name}' depend on computed values and can't be checked before the run",
                    hint="derive sizes from the shapes of arguments or from index arguments",
                )
            self.constraints[requirement.text] = None

    constraints: dict[str, None]


@RULES.on(func.FuncOp)
def _function(rw: Rewriter, op: func.FuncOp) -> None:
    assert isinstance(rw, TensorRewriter)
    rw.constraints = {}
    if not op.body.blocks:
        rw.rebuild(op)
        return
    names = argument_names(op)
    results: list[Attribute] = []
    returned = op.body.blocks[0].last_op
    if isinstance(returned, func.ReturnOp) and any(isinstance(v.type, TensorType) for v in returned.arguments):
        results = [StringAttr(_shape_text(rw, returned, v)) for v in returned.arguments]
    rw.rebuild(op)
    new = rw.insertion_block.last_op
    assert isinstance(new, func.FuncOp)
    given = op.arg_attrs.data if op.arg_attrs is not None else [DictionaryAttr({}) for _ in names]
    new.properties["arg_attrs"] = ArrayAttr(
        [DictionaryAttr(dict(attrs.data) | {NAME: StringAttr(n)}) for attrs, n in zip(given, names, strict=True)]
    )
    if rw.constraints:
        new.attributes[CONSTRAINTS] = ArrayAttr([StringAttr(text) for text in rw.constraints])
    if results:
        new.attributes[RESULTS] = ArrayAttr(results)


def _shape_text(rw: TensorRewriter, op: Operation, value: SSAValue) -> str:
    if not isinstance(value.type, TensorType):
        raise PassError(op, "scalar-result", f"a function can't return a {value.type} beside tensors", hint="return a tensor of rank 0")
    texts = [s.text for s in rw.analysis.sizes(value)]
    if None in texts:
        raise PassError(
            op, "result-shape-unknown", "the shape of a result depends on computed values",
            hint="derive sizes from the shapes of arguments or from index arguments",
        )
    return f"({', '.join(t for t in texts if t is not None)}{',' if len(texts) == 1 else ''})"


# Element-wise


def _identity_maps(count: int, rank: int) -> list[AffineMap]:
    return [AffineMap.identity(rank)] * count


def _map(
    rw: TensorRewriter, op: TensorOp, ins: Sequence[SSAValue], maps: Sequence[AffineMap], body: Callable[..., SSAValue]
) -> None:
    """Replaces `op` by an atlas.map whose body is built by `body(*elements)`."""
    rw.check(op)
    out = rw.empty(op.results[0])
    block = Block(arg_types=[arrays.element_type(v.type) for v in ins])
    outer = rw.insertion_block
    rw.move_to(block)
    rw.emit(arrays.YieldOp(body(*block.args)))
    rw.move_to(outer)
    new_maps = [*maps, AffineMap.identity(len(shape_of(op.results[0])))]
    rw.replace(op, arrays.MapOp(ins, [out], new_maps, block))


def _elementwise(rw: Rewriter, op: elementwise.ElementwiseOp) -> None:
    assert isinstance(rw, TensorRewriter)
    instruction = scalar.INSTRUCTIONS[op.INSTRUCTION.name]

    def body(*elements: SSAValue) -> SSAValue:
        values = list(elements)
        if list(op.INSTRUCTION.operands.values())[-1] == "u32":
            values[1] = _amount(rw, values[1], op.dtype)
        return rw.emit(instruction(op.dtype, *values)).results[0]

    ins = [rw.value(v) for v in op.operands]
    _map(rw, op, ins, _identity_maps(len(ins), len(shape_of(op.results[0]))), body)


def _amount(rw: Rewriter, value: SSAValue, dtype: DType) -> SSAValue:
    """A shift amount as u32: only its value modulo the width counts, which divides 2^32."""
    if value.type == i32:
        return value
    return rw.emit(scalar.CvtOp(DTYPES[f"u{dtype.bits}"], DTYPES["u32"], value)).result


for _op in elementwise.ROWS:
    RULES.on(_op)(_elementwise)


@RULES.on(elementwise.CompareOp)
def _compare(rw: Rewriter, op: elementwise.CompareOp) -> None:
    assert isinstance(rw, TensorRewriter)

    def body(a: SSAValue, b: SSAValue) -> SSAValue:
        return rw.emit(scalar.SetccOp(op.condition.data, op.dtype, a, b)).result

    _map(rw, op, [rw.value(op.a), rw.value(op.b)], _identity_maps(2, len(shape_of(op.result))), body)


@RULES.on(elementwise.SelectOp)
def _select(rw: Rewriter, op: elementwise.SelectOp) -> None:
    assert isinstance(rw, TensorRewriter)

    def body(p: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return rw.emit(scalar.SelOp(op.dtype, p, a, b)).result

    _map(rw, op, [rw.value(v) for v in (op.p, op.a, op.b)], _identity_maps(3, len(shape_of(op.result))), body)


@RULES.on(elementwise.CastOp)
def _cast(rw: Rewriter, op: elementwise.CastOp) -> None:
    assert isinstance(rw, TensorRewriter)

    def body(x: SSAValue) -> SSAValue:
        return rw.emit(scalar.CvtOp(op.dtype, op.target, x)).result

    _map(rw, op, [rw.value(op.x)], _identity_maps(1, len(shape_of(op.result))), body)


# Making and moving


@RULES.on(tensors.ConstantOp)
def _constant(rw: Rewriter, op: tensors.ConstantOp) -> None:
    assert isinstance(rw, TensorRewriter)
    value = op.value
    if not isinstance(value, DenseIntOrFPElementsAttr) or not value.is_splat() or 0 in shape_of(op.result):
        rw.rebuild(op)
        return
    rank = len(shape_of(op.result))
    out = rw.emit(tensor.EmptyOp([], op.result.type)).tensor
    splat: Attribute = next(iter(value.iter_attrs()))
    constant = scalar.MovImmOp(splat)
    block = Block([constant, arrays.YieldOp(constant.result)])
    rw.replace(op, arrays.MapOp([], [out], [AffineMap.identity(rank)], block))


@RULES.on(tensors.FillOp)
def _fill(rw: Rewriter, op: tensors.FillOp) -> None:
    assert isinstance(rw, TensorRewriter)
    rank = len(shape_of(op.result))
    _map(rw, op, [rw.value(op.value)], [AffineMap(rank, 0, ())], lambda x: x)


@RULES.on(tensors.DimOp)
def _dim(rw: Rewriter, op: tensors.DimOp) -> None:
    assert isinstance(rw, TensorRewriter)
    rw.define(op.result, rw.size(rw.analysis.sizes(op.result)[0]))


@RULES.on(tensors.BroadcastOp)
def _broadcast(rw: Rewriter, op: tensors.BroadcastOp) -> None:
    assert isinstance(rw, TensorRewriter)
    exprs = [
        AffineConstantExpr(0) if size == 1 else AffineDimExpr(axis)
        for axis, size in zip(op.result_axes, shape_of(op.x), strict=True)
    ]
    rank = len(shape_of(op.result))
    _map(rw, op, [rw.value(op.x)], [AffineMap(rank, 0, tuple(exprs))], lambda x: x)


@RULES.on(tensors.TransposeOp)
def _transpose(rw: Rewriter, op: tensors.TransposeOp) -> None:
    assert isinstance(rw, TensorRewriter)
    order = integers(op.permutation)
    exprs = tuple(AffineDimExpr(order.index(axis)) for axis in range(len(order)))
    _map(rw, op, [rw.value(op.x)], [AffineMap(len(order), 0, exprs)], lambda x: x)


@RULES.on(tensors.SliceOp)
def _slice(rw: Rewriter, op: tensors.SliceOp) -> None:
    assert isinstance(rw, TensorRewriter)
    starts, strides = integers(op.starts), integers(op.strides)
    exprs = tuple(AffineDimExpr(i) * s + o for i, (o, s) in enumerate(zip(starts, strides, strict=True)))
    _map(rw, op, [rw.value(op.x)], [AffineMap(len(exprs), 0, exprs)], lambda x: x)


@RULES.on(tensors.ReshapeOp)
def _reshape(rw: Rewriter, op: tensors.ReshapeOp) -> None:
    """Stays, with every dynamic size given: bufferisation makes it a view."""
    assert isinstance(rw, TensorRewriter)
    rw.check(op)
    sizes = rw.analysis.sizes(op.result)
    dynamic = [rw.size(s) for s, n in zip(sizes, shape_of(op.result), strict=True) if n == DYNAMIC_INDEX]
    rw.replace(op, tensors.ReshapeOp.create(operands=[rw.value(op.x), *dynamic], result_types=[op.result.type]))


@RULES.on(tensors.ConcatOp)
def _concat(rw: Rewriter, op: tensors.ConcatOp) -> None:
    """Each part is inserted into the result; bufferisation lets it be computed there."""
    assert isinstance(rw, TensorRewriter)
    rw.check(op)
    axis = op.axis.value.data
    whole: SSAValue = rw.empty(op.result)
    start = Size.of(0)
    for part in op.parts:
        sizes = rw.analysis.sizes(part)
        offsets: list[int | SSAValue] = [0] * len(sizes)
        offsets[axis] = _number(rw, start)
        whole = rw.emit(_insert(rw.value(part), whole, offsets, [_number(rw, s) for s in sizes])).result
        start = start + sizes[axis]
    rw.define(op.result, whole)


def _number(rw: TensorRewriter, size: Size) -> int | SSAValue:
    constant = size.constant
    return rw.size(size) if constant is None else constant


def _insert(
    source: SSAValue, dest: SSAValue, offsets: Sequence[int | SSAValue], sizes: Sequence[int | SSAValue]
) -> tensor.InsertSliceOp:
    def split(values: Sequence[int | SSAValue]) -> tuple[list[int], list[SSAValue]]:
        static = [v if isinstance(v, int) else DYNAMIC_INDEX for v in values]
        return static, [v for v in values if not isinstance(v, int)]

    static_offsets, dynamic_offsets = split(offsets)
    static_sizes, dynamic_sizes = split(sizes)
    return tensor.InsertSliceOp.get(
        source, dest, static_sizes, static_offsets or [], [1] * len(sizes), dynamic_offsets, dynamic_sizes, [], dest.type
    )


@RULES.on(tensors.GatherOp)
def _gather(rw: Rewriter, op: tensors.GatherOp) -> None:
    assert isinstance(rw, TensorRewriter)
    ins = [rw.value(op.x), rw.value(op.indices)]
    rw.replace(op, named.GatherOp(ins, [rw.empty(op.result)], axis=op.axis))


# Reductions and products

_KINDS = {
    tensors.ReduceKind.sum: arrays.Kind.add,
    tensors.ReduceKind.product: arrays.Kind.mul,
    tensors.ReduceKind.min: arrays.Kind.min_nan,
    tensors.ReduceKind.max: arrays.Kind.max_nan,
}


@RULES.on(tensors.ReduceOp)
def _reduce(rw: Rewriter, op: tensors.ReduceOp) -> None:
    assert isinstance(rw, TensorRewriter)
    rank, axes, dtype = len(shape_of(op.x)), integers(op.axes), op.dtype
    kind = _KINDS[op.kind.data]
    wide = DTYPES["f32"] if dtype.name in ("f16", "bf16") and kind in (arrays.Kind.add, arrays.Kind.mul) else dtype
    element = element_of(op.x)
    body = Block(arg_types=[element])
    finish = None
    value: SSAValue = body.args[0]
    if wide is not dtype:
        widened = scalar.CvtOp(dtype, wide, value)
        body.add_op(widened)
        value = widened.result
        finish = Block(arg_types=[wide.ir])
        narrowed = scalar.CvtOp(wide, dtype, finish.args[0])
        finish.add_ops([narrowed, arrays.YieldOp(narrowed.result)])
    body.add_op(arrays.YieldOp(value))
    kept = tuple(AffineDimExpr(d) for d in range(rank) if d not in axes)
    maps = [AffineMap.identity(rank), AffineMap(rank, 0, kept)]
    out = rw.empty(op.result)
    rw.replace(op, arrays.ReduceOp([(kind, wide)], [rw.value(op.x)], [out], maps, body, finish=finish))


@RULES.on(tensors.SoftmaxOp)
def _softmax(rw: Rewriter, op: tensors.SoftmaxOp) -> None:
    assert isinstance(rw, TensorRewriter)
    rw.replace(op, named.SoftmaxOp([rw.value(op.x)], [rw.empty(op.result)], axis=op.axis))


@RULES.on(tensors.MatmulOp)
def _matmul(rw: Rewriter, op: tensors.MatmulOp) -> None:
    assert isinstance(rw, TensorRewriter)
    rw.check(op)
    rw.replace(op, named.GemmOp([rw.value(op.a), rw.value(op.b)], [rw.empty(op.result)]))


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
        if any(isinstance(inner, TensorOp | tensors.ConstantOp) for inner in op.walk()):
            convert_module(op, RULES, TensorRewriter())
