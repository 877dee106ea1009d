"""`bufferize`: tensors become memrefs; results become out-arguments, written where they are computed.

A chain of `tensor.insert_slice` that fills an empty tensor part by part, which a concatenation becomes, has its parts
computed in place. The arguments of a buffer function keep their names in attributes, and those that were results their
shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from hologram.dialects import marks
from hologram.dialects.atlas.arrays.general import ArrayOp, MapOp, YieldOp
from hologram.dialects.hologram.tensors import ConstantOp, ReshapeOp
from hologram.dialects.shapes import DYNAMIC, is_memref, is_tensor, shape_of
from hologram.dialects.sizes import Size, distinct_name
from hologram.errors import PassError, UsageError, did_you_mean
from hologram.lowering.arrays.bufferize_control import Slot, convert_for, convert_if, convert_while, plan
from hologram.support.walking import operations
from hologram.transforms.analysis.shape_analysis import ShapeAnalysis, argument_names, carried_from


def mixed(static: DenseArrayBase[I64], dynamic: Sequence[SSAValue]) -> list[SSAValue | int]:
    """Static numbers, with the dynamic values where they belong."""
    given = iter(dynamic)
    return [next(given) if n == DYNAMIC else n for n in static.get_values()]


def uses(value: SSAValue) -> int:
    """Return how many operands a value is."""
    return sum(1 for _ in value.uses)


def inserts_nothing(op: tensor.InsertSliceOp) -> bool:
    """Return whether the part is known to be empty, as it starts at the end of an axis or behind it: a view can't do
    that."""
    starts = mixed(op.static_offsets, op.offsets)
    return any(
        isinstance(a, int) and n != DYNAMIC and a >= n for a, n in zip(starts, shape_of(op.result.type), strict=True)
    )


def inserts_before(op: tensor.InsertSliceOp) -> list[tensor.InsertSliceOp]:
    """The insertions of a block that end in `op`, each into the result of the one before, which nothing else reads."""
    chain = [op]
    while isinstance(before := chain[0].dest.owner, tensor.InsertSliceOp) and uses(before.result) == 1:
        if before.parent is not op.parent:
            break
        chain.insert(0, before)
    return chain


def fills_without_overlap(chain: Sequence[tensor.InsertSliceOp], analysis: ShapeAnalysis) -> bool:
    """Return whether the parts go one behind the other into a tensor that holds nothing yet.

    Then they may be computed right in their places, in any order.
    """
    if not isinstance(chain[0].dest.owner, tensor.EmptyOp):
        return False
    spans = [_spans(op, analysis) for op in chain]
    rank = len(spans[0])
    if any(s is None for span in spans for s in span) or any(len(span) != rank for span in spans):
        return False
    return len(chain) == 1 or any(_ascends([span[axis] for span in spans]) for axis in range(rank))


def _spans(op: tensor.InsertSliceOp, analysis: ShapeAnalysis) -> list[tuple[Size, Size] | None]:
    """Return for each axis where the part starts and how long it is; None where it leaves gaps."""

    def sizes(values: Sequence[SSAValue | int]) -> list[Size]:
        return [Size.of(v) if isinstance(v, int) else analysis.sizes(v)[0] for v in values]

    starts = sizes(mixed(op.static_offsets, op.offsets))
    counts = sizes(mixed(op.static_sizes, op.sizes))
    strides = mixed(op.static_strides, op.strides)
    return [(a, n) if s == 1 else None for a, n, s in zip(starts, counts, strides, strict=True)]


def _ascends(spans: Sequence[tuple[Size, Size] | None]) -> bool:
    """Return whether each span is known to start where the one before ends, or behind."""
    known = [s for s in spans if s is not None]
    return all((b - (a + n)).natural for (a, n), (b, _) in zip(known[:-1], known[1:], strict=True))


def argument_attributes(
    function: func.FuncOp, returned: func.ReturnOp, outs: Sequence[SSAValue], names: Sequence[str]
) -> list[DictionaryAttr]:
    """Return what a function over tensors says of its arguments, called `names`, and of its results, which become
    `outs`."""
    given = function.arg_attrs
    old = [DictionaryAttr({}) for _ in names] if given is None else given.data
    attributes = [DictionaryAttr({**d.data, marks.NAME: StringAttr(n)}) for d, n in zip(old, names, strict=True)]
    taken = list(names)
    recorded = function.attributes.get(marks.RESULTS)
    shapes = cast("ArrayAttr[StringAttr]", recorded) if isinstance(recorded, ArrayAttr) else None
    promised = function.res_attrs
    for i, out in enumerate(outs):
        own = DictionaryAttr({}).data if promised is None else promised.data[i].data
        name = own.get(marks.NAME)
        hint = out.name_hint or ("result" if len(outs) == 1 else f"result{i}")
        taken.append(distinct_name(name.data if isinstance(name, StringAttr) else hint, taken))
        text = _static_shape(returned, i) if shapes is None else shapes.data[i]
        attributes.append(DictionaryAttr({**own, marks.NAME: StringAttr(taken[-1]), marks.RESULT: text}))
    return attributes


def _static_shape(op: func.ReturnOp, number: int) -> StringAttr:
    """The shape of a result in a module that no symbolic analysis has seen: static, or refused."""
    shape = shape_of(op.arguments[number].type)
    if DYNAMIC in shape:
        raise PassError(
            op,
            "bufferize-result-shape",
            "the shape of a dynamic result is not recorded",
            hint="convert-hologram-to-atlas records it as hologram.results on the function",
        )
    return StringAttr(f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})")


LAYOUTS = ("identity", "strided")
ALIGNMENT = 64
_VIEWS = (memref.SubviewOp, memref.ReinterpretCastOp)
_CONTROL = (scf.ForOp, scf.WhileOp, scf.IfOp)
_SIZES = (arith.ConstantOp, arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.IndexCastOp, tensor.DimOp)


def check_layout(name: str) -> None:
    """Refuses a layout that there is not."""
    if name not in LAYOUTS:
        hint = did_you_mean(name, LAYOUTS) or "the layouts are identity and strided"
        raise UsageError("bufferize-layout", f"there is no layout '{name}'", hint=hint)


@dataclass(frozen=True)
class BufferizePass(ModulePass):
    """Turns functions over tensors into functions over memrefs that return nothing: each result is an argument at the
    end, with the attribute `hologram.result`. A value is computed right into its result, or into its place in a
    concatenation or reshape; other values get a buffer that is freed after its last use.

    `layout=strided` gives the arguments dynamic strides instead of the identity layout.

    Before::

        func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
          %e = tensor.empty(%n) : tensor<?xf32>
          %r = atlas.map ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) ...
          func.return %r : tensor<?xf32>
        }

    After::

        func.func @f(%a: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(a[0],)"}) {
          atlas.map ins(%a : memref<?xf32>) outs(%r : memref<?xf32>) ...
          func.return
        }
    """

    name = "bufferize"

    layout: str = "identity"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_layout(self.layout)
        for function in operations(op):
            if isinstance(function, func.FuncOp) and _uses_tensors(function):
                Bufferizer(op, function, self.layout == "strided").run()


def _uses_tensors(function: func.FuncOp) -> bool:
    signature = (*function.function_type.inputs, *function.function_type.outputs)
    inside = (r.type for inner in operations(function) for r in inner.results)
    return any(map(is_tensor, signature)) or any(map(is_tensor, inside))


def buffer_type(type: Attribute, *, strided: bool = False) -> Attribute:
    """The memref type of a tensor type; other types stay."""
    if not is_tensor(type):
        return type
    shape = type.get_shape()
    if strided and shape:
        return MemRefType(type.element_type, shape, StridedLayoutAttr([None] * len(shape), 0))
    return MemRefType(type.element_type, shape)


class Bufferizer:
    """The work on one function: the buffer of each tensor, and the new block it is built in."""

    def __init__(self, module: ModuleOp, function: func.FuncOp, strided: bool):
        if len(function.body.blocks) != 1:
            raise PassError(
                function,
                "bufferize-blocks",
                f"function '{function.sym_name.data}' has no single block of tensor operations",
                hint="declarations and control flow over tensors have no buffers",
            )
        self.module = module
        self.function = function
        self.strided = strided
        self.old = function.body.blocks[0]
        self.blocks = [Block()]
        """The blocks that are built, from the function's own to the innermost of loops and choices."""
        self.analysis = ShapeAnalysis()
        self.values: dict[SSAValue, SSAValue] = {}
        self.places: dict[SSAValue, SSAValue] = {}
        """Where a tensor that is not computed yet must go: a result, or a view into one."""
        self.computed_in_place: set[SSAValue] = set()
        """The parts of concatenations that are computed where they belong."""
        self.slots: dict[Operation, list[Slot | None]] = {}
        """The buffers of loops that are not converted yet."""
        self.hoisted: set[Operation] = set()
        """What computes sizes in loops and choices, and stands before them by now."""
        self.allocated: list[memref.AllocOp] = []
        self.outs: list[SSAValue] = []
        self.returned = self._return()

    @property
    def block(self) -> Block:
        """The innermost block that is built."""
        return self.blocks[-1]

    def _return(self) -> func.ReturnOp:
        last = self.old.last_op
        if not isinstance(last, func.ReturnOp):
            name = self.function.sym_name.data
            raise PassError(self.function, "bufferize-return", f"function '{name}' does not end in func.return")
        for value in last.arguments:
            if not is_tensor(value.type):
                raise PassError(
                    last,
                    "bufferize-scalar-result",
                    f"a function over tensors can't return a value of type {value.type}",
                    hint="return a tensor of rank 0",
                )
        return last

    def run(self) -> None:
        """Replaces the function's body and type."""
        for arg in self.old.args:
            new = self.block.insert_arg(buffer_type(arg.type, strided=self.strided), len(self.block.args), arg.location)
            new.name_hint = arg.name_hint
            self.values[arg] = new
        names = argument_names(self.function)
        self._add_results()
        self._hoist_sizes()
        self.convert_block(self.old)
        self._finish(names)

    def convert_block(self, block: Block) -> None:
        """Converts the operations of a block into the innermost one that is built."""
        self.assign_places(block)
        for op in block.ops:
            if op not in self.hoisted:
                self._convert(op)

    def _add_results(self) -> None:
        for value in self.returned.arguments:
            type = buffer_type(value.type, strided=self.strided)
            out = self.block.insert_arg(type, len(self.block.args), self.returned.location)
            out.name_hint = value.name_hint
            self.outs.append(out)
            if isinstance(value.owner, Operation):
                self.places.setdefault(value, out)

    def _hoist_sizes(self) -> None:
        """Moves what computes scalars from arguments to the top, so that every buffer can be made early: in loops and
        choices what computes sizes alone, as it may not fail there."""
        for op in operations(self.function):
            scalars = bool(op.results) and not any(is_tensor(r.type) for r in op.results)
            movable = scalars and not op.regions and (isinstance(op, tensor.DimOp) or is_side_effect_free(op))
            is_outer = op.parent is self.old
            if not is_outer and not (isinstance(op, _SIZES) and isinstance(op.parent_op(), _CONTROL)):
                continue
            if movable and all(v in self.values for v in op.operands):
                self._convert(op)
                self.hoisted.add(op)

    # Where values go

    def assign_places(self, block: Block) -> None:
        """Compute in place, from last to first, what a result, an insertion, a reshape or a loop consumes."""
        for op in reversed(list(block.ops)):
            if isinstance(op, tensor.InsertSliceOp):
                self._assign_insertion(op)
            elif isinstance(op, ReshapeOp) and op.result in self.places and self.computed_once(op.x):
                view = self._reshape(self.places[op.result], op.x) if self._sizes(op.x) is not None else None
                if view is not None:
                    self.places[op.x] = view
            elif isinstance(op, _CONTROL):
                plan(self, op)

    def _assign_insertion(self, op: tensor.InsertSliceOp) -> None:
        """The whole goes on from one insertion to the next; a part is computed in it if no other write can meet it."""
        if op.result not in self.places and self._sizes(op.result) is None:
            return
        whole = self.places[op.result] = self.place(op.result)
        if uses(op.dest) == 1:
            self.places.setdefault(op.dest, whole)
        is_known = all(v in self.values for v in (*op.offsets, *op.sizes))
        if inserts_nothing(op) or not is_known or not self.computed_once(op.source):
            return
        if isinstance(op.source.owner, Operation) and op.source.owner.parent is not op.parent:
            return  # It stands before a loop, and is computed by now.
        if fills_without_overlap(self._chain(op), self.analysis):
            self.places[op.source] = self._slice(whole, op)
            self.computed_in_place.add(op.source)

    @staticmethod
    def _chain(op: tensor.InsertSliceOp) -> list[tensor.InsertSliceOp]:
        """The whole chain of insertions that `op` is a part of."""
        last = op
        while uses(last.result) == 1:
            (use,) = last.result.uses
            if not isinstance(use.operation, tensor.InsertSliceOp) or use.operation.dest is not last.result:
                break
            if use.operation.parent is not op.parent:
                break
            last = use.operation
        return inserts_before(last)

    def computed_once(self, value: SSAValue) -> bool:
        """Return whether an operation computes `value` for one use, so that it may be computed anywhere."""
        is_computed = isinstance(value.owner, (ArrayOp, tensor.InsertSliceOp, *_CONTROL))
        return is_computed and uses(value) == 1 and value not in self.places

    @staticmethod
    def buffer_type(type: Attribute) -> Attribute:
        """The type of a buffer that is made for a tensor."""
        return buffer_type(type)

    def place(self, value: SSAValue) -> SSAValue:
        """The buffer to compute `value` in: its assigned place, or a new one."""
        buffer = self.places.get(value)
        return self.allocate(value) if buffer is None else buffer

    def allocate(self, value: SSAValue) -> SSAValue:
        type, sizes = buffer_type(value.type), self._sizes(value)
        assert is_memref(type)
        if sizes is None:
            op = value.owner if isinstance(value.owner, Operation) else self.function
            hint = "give it a static shape, or the shape of an argument"
            message = f"the sizes of '{op.name}', a {value.type}, are not known before it is computed"
            raise PassError(op, "bufferize-sizes", message, hint=hint)
        dynamic = [v for v in sizes if not isinstance(v, int)]
        # Outside of loops, where the sizes are known there.
        known = max((self.blocks.index(_block_of(v)) for v in dynamic), default=0)
        alloc = memref.AllocOp(dynamic, [], type, IntegerAttr(ALIGNMENT, i64))
        alloc.memref.name_hint = value.name_hint
        if isinstance(value.owner, Operation):
            alloc.attributes[marks.OWNER] = StringAttr(value.owner.name)
        self.add(alloc, value.owner if isinstance(value.owner, Operation) else self.function, self.blocks[known])
        self.allocated.append(alloc)
        return alloc.memref

    def _sizes(self, value: SSAValue) -> list[SSAValue | int] | None:
        """The sizes of a tensor, from the operands that give its shape or from its buffer; None if not known yet."""
        shape = shape_of(value.type)
        dynamic = iter(self._shape_operands(value))
        sizes = [next(dynamic) if n == DYNAMIC else n for n in shape]
        return None if None in sizes else [v for v in sizes if v is not None]

    def _shape_operands(self, value: SSAValue) -> Sequence[SSAValue | None]:
        """The dynamic sizes of a tensor in order, None for those that are not computed yet."""
        while isinstance(owner := value.owner, ArrayOp | tensor.InsertSliceOp) or carried_from(value) is not None:
            if isinstance(owner, ArrayOp):
                value = owner.outs[owner.results.index(value)]
            else:
                value = owner.dest if isinstance(owner, tensor.InsertSliceOp) else carried_from(value) or value
        if isinstance(owner, tensor.EmptyOp):
            return [self.values.get(v) for v in owner.dynamic_sizes]
        if isinstance(owner, ReshapeOp):
            return [self.values.get(v) for v in owner.sizes]
        if isinstance(owner, tensor.CastOp) and (sizes := self._sizes(owner.source)) is not None:
            dropped = [n for n, shown in zip(sizes, shape_of(value.type), strict=True) if shown == DYNAMIC]
            return [self._index(n, self.blocks[0]) if isinstance(n, int) else n for n in dropped]
        buffer = self.values.get(value)
        axes = [axis for axis, n in enumerate(shape_of(value.type)) if n == DYNAMIC]
        if buffer is None:
            return [None for _ in axes]
        into = _block_of(buffer)
        return [self.add(memref.DimOp(buffer, self._index(axis, into)), None, into).results[0] for axis in axes]

    # Operations

    def add(self, op: Operation, source: Operation | None = None, block: Block | None = None) -> Operation:
        """Puts an operation at the end of a block, by default the innermost, for what stands at `source`."""
        op.location = (self.function if source is None else source).location
        (block or self.block).add_op(op)
        return op

    def _convert(self, op: Operation) -> None:
        match op:
            case func.ReturnOp() | scf.YieldOp() | scf.ConditionOp() | tensor.EmptyOp():
                return
            case tensor.CastOp() if isinstance(op.source.owner, tensor.EmptyOp):
                return  # It has no elements either. `canonicalize` makes it of an empty one of constant sizes.
            case ArrayOp():
                self._array(op)
            case tensor.DimOp():
                new = memref.DimOp(self.read(op.source), self.values[op.index])
                self._define(op, self.add(new, op).results[0])
            case tensor.InsertSliceOp():
                self._insert_slice(op)
            case ReshapeOp():
                self._reshape_op(op)
            case ConstantOp():
                self._constant(op)
            case tensor.ExtractOp():
                indices = [self.values[v] for v in op.indices]
                load = memref.LoadOp.get(self.read(op.tensor), indices)
                if not indices:
                    load.attributes[marks.READ] = UnitAttr()
                self._define(op, self.add(load, op).results[0])
            case scf.ForOp():
                convert_for(self, op)
            case scf.WhileOp():
                convert_while(self, op)
            case scf.IfOp():
                convert_if(self, op)
            case tensor.CastOp():
                place = self.place(op.dest)
                self.copy(self.read(op.source), place, op)
                self._define(op, place)
            case Operation(name="bufferization.to_tensor"):
                place = self.place(op.results[0])
                self.copy(self.values[op.operands[0]], place, op)
                self._define(op, place)
            case Operation(name="bufferization.materialize_in_destination") if not op.results:
                self.copy(self.read(op.operands[0]), self.values[op.operands[1]], op)
            case _:
                self._rebuild(op)

    def copy(self, source: SSAValue, target: SSAValue, op: Operation) -> None:
        """Copies element by element, as the map that `generalize-atlas` makes of a copy: schedules take no other."""
        assert is_memref(source.type)
        block = Block(arg_types=[source.type.element_type])
        end = YieldOp(*block.args)
        end.location = op.location
        block.add_op(end)
        maps = [AffineMap.identity(source.type.get_num_dims())] * 2
        self.add(MapOp([source], [target], maps, block), op)

    def _define(self, op: Operation, value: SSAValue) -> None:
        self.values[op.results[0]] = value
        if value.name_hint is None:
            value.name_hint = op.results[0].name_hint

    def _rebuild(self, op: Operation) -> None:
        if op.regions or any(is_tensor(v.type) for v in (*op.operands, *op.results)):
            raise PassError(
                op,
                "bufferize-op",
                f"'{op.name}' on tensors has no buffer form",
                hint="run convert-hologram-to-atlas first"
                if op.name.startswith("hologram.")
                else "operations on tensors are those of hologram: hologram.add, hologram.constant and so on",
            )
        new = self.add(op.clone(self.values), op)
        for before, after in zip(op.results, new.results, strict=True):
            self.values[before] = after
            after.name_hint = before.name_hint

    def _array(self, op: ArrayOp) -> None:
        """The same instruction on buffers; its destinations are the last operands."""
        ins = [self.read(v) for v in op.operands[: -len(op.outs)]]
        outs = [self.place(r) for r in op.results] if op.is_value_form else [self.values[v] for v in op.outs]
        regions = [self._adopt(op, region) for region in list(op.regions)]
        properties, attributes = dict(op.properties), dict(op.attributes)
        new = type(op).create(operands=[*ins, *outs], properties=properties, attributes=attributes, regions=regions)
        self.add(new, op)
        self.values.update(zip(op.results, outs, strict=False))

    def _adopt(self, op: Operation, region: Region) -> Region:
        """The region of an operation, for another one: what it uses from outside follows."""
        region = op.detach_region(region)
        for inner in operations(region):
            inner.operands = [self.values.get(v, v) for v in inner.operands]
        return region

    def read(self, value: SSAValue) -> SSAValue:
        """The buffer of an operand; of an uninitialised tensor, a new one."""
        if value not in self.values:
            self.values[value] = self.place(value)
        return self.values[value]

    def _insert_slice(self, op: tensor.InsertSliceOp) -> None:
        if len(shape_of(op.source.type)) != len(shape_of(op.result.type)):
            raise PassError(op, "bufferize-insert-rank", "a part must have the rank of the tensor it is inserted into")
        whole = self.place(op.result)
        known = self.values.get(op.dest)
        if known is not None and known is not whole:
            self.copy(known, whole, op)
        if op.source not in self.computed_in_place and not inserts_nothing(op):
            self.copy(self.read(op.source), self._slice(whole, op), op)
        self.values[op.result] = whole

    def _slice(self, whole: SSAValue, op: tensor.InsertSliceOp) -> SSAValue:
        """The part of a buffer that an insertion writes."""

        def converted(values: list[SSAValue | int]) -> list[SSAValue | int]:
            return [v if isinstance(v, int) else self.values[v] for v in values]

        offsets = converted(mixed(op.static_offsets, op.offsets))
        sizes = converted(mixed(op.static_sizes, op.sizes))
        strides = converted(mixed(op.static_strides, op.strides))
        assert is_memref(whole.type)
        type = memref.SubviewOp.infer_result_type(whole.type, offsets, sizes, strides)
        return self.add(memref.SubviewOp.get(whole, offsets, sizes, strides, type), op).results[0]

    def _reshape_op(self, op: ReshapeOp) -> None:
        if len(op.sizes) != shape_of(op.result.type).count(DYNAMIC):
            raise PassError(
                op,
                "bufferize-reshape",
                "a reshape needs a size for each dynamic axis of its result here",
                hint="convert-hologram-to-atlas works out the size that may be left out",
            )
        source = self.read(op.x)
        place = self.places.get(op.result)
        if place is not None and self._is_view_of(source, place):
            self.values[op.result] = place
            return
        view = self._reshape(source, op.result)
        if view is None:  # the elements are not in row-major order: gather them first
            packed = self.allocate(op.x)
            self.copy(source, packed, op)
            view = self._reshape(packed, op.result)
            assert view is not None
        if place is not None:
            self.copy(view, place, op)
        self.values[op.result] = view if place is None else place

    @staticmethod
    def _is_view_of(view: SSAValue, base: SSAValue) -> bool:
        return isinstance(view.owner, memref.ReinterpretCastOp) and view.owner.source is base

    def _reshape(self, buffer: SSAValue, target: SSAValue) -> SSAValue | None:
        """A view of a buffer in row-major order with the shape of `target`; None for another layout."""
        assert is_memref(buffer.type)
        if isinstance(buffer.type.layout, StridedLayoutAttr):
            return None
        sizes = self._sizes(target)
        assert sizes is not None
        strides: list[SSAValue | int] = []
        stride: SSAValue | int = 1
        for size in reversed(sizes):
            strides.insert(0, stride)
            stride = self._product(stride, size)
        type = buffer_type(target.type)
        view = memref.ReinterpretCastOp.from_dynamic(buffer, [0], sizes, strides, type)
        return self.add(view, target.owner if isinstance(target.owner, Operation) else None).results[0]

    def _product(self, a: SSAValue | int, b: SSAValue | int) -> SSAValue | int:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a == 1:
            return b
        left, right = (self._index(v) if isinstance(v, int) else v for v in (a, b))
        return self.add(arith.MuliOp(left, right)).results[0]

    def _index(self, value: int, block: Block | None = None) -> SSAValue:
        return self.add(arith.ConstantOp(IntegerAttr(value, IndexType())), None, block).results[0]

    def _constant(self, op: ConstantOp) -> None:
        """A dense constant is a global of the module."""
        type = buffer_type(op.result.type)
        assert is_memref(type)
        taken = {o.sym_name.data for o in self.module.body.ops if isinstance(o, memref.GlobalOp)}
        name = next(n for i in range(len(taken) + 1) if (n := f"constant_{i}") not in taken)
        glob = memref.GlobalOp.get(
            StringAttr(name),
            type,
            op.value,
            sym_visibility=StringAttr("private"),
            constant=UnitAttr(),
            alignment=ALIGNMENT,
        )
        glob.location = op.location
        first = self.module.body.block.first_op
        assert first is not None
        self.module.body.block.insert_op_before(glob, first)
        self._define(op, self.add(memref.GetGlobalOp(name, type), op).results[0])

    # The end

    def _finish(self, names: list[str]) -> None:
        for value, out in zip(self.returned.arguments, self.outs, strict=True):
            if self.read(value) is not out:
                self.copy(self.values[value], out, self.returned)
        self._free()
        self.add(func.ReturnOp(), self.returned)
        attributes = argument_attributes(self.function, self.returned, self.outs, names)
        region = self.function.body
        region.detach_block(self.old)
        region.add_block(self.block)
        self.function.properties["function_type"] = FunctionType.from_lists(list(self.block.arg_types), [])
        self.function.properties["arg_attrs"] = ArrayAttr(attributes)
        self.function.properties.pop("res_attrs", None)
        self.function.attributes.pop(marks.RESULTS, None)
        for op in reversed(list(self.old.ops)):
            Rewriter.erase_op(op, safe_erase=False)

    def _free(self) -> None:
        """Frees each allocated buffer after the last operation that uses it, a view of it, or what a loop gives for
        it."""
        positions: dict[Block, dict[Operation, int]] = {}
        for alloc in self.allocated:
            block = _block_of(alloc.memref)
            position = positions.setdefault(block, {op: i for i, op in enumerate(block.ops)})
            last: Operation = alloc
            pending, seen = [alloc.memref], set[SSAValue]()
            while pending:
                for use in pending.pop().uses:
                    user = block.find_ancestor_op_in_block(use.operation)
                    assert user is not None
                    last = max(last, user, key=position.__getitem__)
                    aliases = [r for r in user.results if is_memref(r.type)] if isinstance(user, _CONTROL) else []
                    if isinstance(use.operation, _VIEWS):
                        aliases.append(use.operation.results[0])
                    pending += [v for v in aliases if v not in seen]
                    seen.update(aliases)
            free = memref.DeallocOp.get(alloc.memref)
            free.location = alloc.location
            block.insert_op_after(free, last)


def _block_of(value: SSAValue) -> Block:
    """The block that a value is defined in."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    assert block is not None
    return block
