"""`bufferize`: tensors become memrefs; results become out-arguments, written where they are computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects.atlas.arrays import ArrayOp, MapOp, ReduceOp
from hologram.dialects.atlas.named import CopyOp, NamedOp
from hologram.dialects.hologram.tensors import ConstantOp, ReshapeOp
from hologram.errors import PassError, UsageError, did_you_mean
from hologram.lowering.convert_hologram_to_atlas import RESULTS
from hologram.transforms.shape_analysis import NAME

RESULT = "hologram.result"
LAYOUTS = ("identity", "strided")
ALIGNMENT = 64


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
        if self.layout not in LAYOUTS:
            raise UsageError(
                "bufferize-layout", f"there is no layout '{self.layout}'",
                hint=did_you_mean(self.layout, LAYOUTS) or "the layouts are identity and strided",
            )
        for function in list(op.walk()):
            if isinstance(function, func.FuncOp) and _uses_tensors(function):
                _Bufferizer(op, function, self.layout == "strided").run()


def _uses_tensors(function: func.FuncOp) -> bool:
    return any(isinstance(t, TensorType) for t in (*function.function_type.inputs, *function.function_type.outputs)) or any(
        isinstance(r.type, TensorType) for inner in function.walk() for r in inner.results
    )


def buffer_type(type: Attribute, *, strided: bool = False) -> Attribute:
    """The memref type of a tensor type; other types stay."""
    if not isinstance(type, TensorType):
        return type
    shape: Sequence[int] = type.get_shape()  # pyright: ignore
    layout = StridedLayoutAttr([None] * len(shape), 0) if strided and shape else None
    return MemRefType(type.element_type, shape, *([] if layout is None else [layout]))  # pyright: ignore


class _Bufferizer:
    """The work on one function: the buffer of each tensor, and the new block it is built in."""

    def __init__(self, module: ModuleOp, function: func.FuncOp, strided: bool):
        if len(function.body.blocks) != 1:
            raise PassError(
                function, "bufferize-blocks", f"function '{function.sym_name.data}' has no single block of tensor operations",
                hint="declarations and control flow over tensors have no buffers",
            )
        self.module = module
        self.function = function
        self.strided = strided
        self.old = function.body.blocks[0]
        self.block = Block()
        self.values: dict[SSAValue, SSAValue] = {}
        self.places: dict[SSAValue, SSAValue] = {}
        """Where a tensor that is not computed yet must go: a result, or a view into one."""
        self.allocated: list[memref.AllocOp] = []
        self.returned = self._return()

    def _return(self) -> func.ReturnOp:
        last = self.old.last_op
        if not isinstance(last, func.ReturnOp):
            raise PassError(self.function, "bufferize-return", f"function '{self.function.sym_name.data}' does not end in func.return")
        for value in last.arguments:
            if not isinstance(value.type, TensorType):
                raise PassError(last, "bufferize-scalar-result", f"a function over tensors can't return a {value.type}", hint="return a tensor of rank 0")
        return last

    def run(self) -> None:
        for arg in self.old.args:
            new = self.block.insert_arg(buffer_type(arg.type, strided=self.strided), len(self.block.args), arg.location)
            new.name_hint = arg.name_hint
            self.values[arg] = new
        self._add_results()
        later = self._hoist_sizes()
        self._assign_places()
        for op in later:
            self._convert(op)
        self._finish()

    def _add_results(self) -> None:
        taken: set[SSAValue] = set()
        self.outs: list[SSAValue] = []
        for value in self.returned.arguments:
            out = self.block.insert_arg(buffer_type(value.type, strided=self.strided), len(self.block.args))
            out.name_hint = value.name_hint
            self.outs.append(out)
            if value not in taken and isinstance(value.owner, Operation):
                self.places[value] = out
                taken.add(value)

    def _hoist_sizes(self) -> list[Operation]:
        """Moves what computes sizes from arguments to the top, so that every buffer can be made early."""
        later: list[Operation] = []
        for op in self.old.ops:
            simple = isinstance(op, tensor.DimOp) or op.results and all(isinstance(r.type, IndexType) for r in op.results)
            if simple and not op.regions and all(v in self.values for v in op.operands):
                self._convert(op)
            else:
                later.append(op)
        return later

    # Where values go

    def _assign_places(self) -> None:
        """From last to first: what a result, an insertion or a reshape consumes is computed in place."""
        for op in reversed(list(self.old.ops)):
            if isinstance(op, tensor.InsertSliceOp):
                whole = self._place(op.result)
                self.places.setdefault(op.result, whole)
                if len(list(op.dest.uses)) == 1:
                    self.places.setdefault(op.dest, whole)
                if self._computed_once(op.source):
                    self.places[op.source] = self._slice(whole, op)
            elif isinstance(op, ReshapeOp) and op.result in self.places and self._computed_once(op.x):
                view = self._reshape(self.places[op.result], op.x)
                if view is not None:
                    self.places[op.x] = view

    def _computed_once(self, value: SSAValue) -> bool:
        """Whether an array-level op computes `value` for one use, so that it may be computed anywhere."""
        return isinstance(value.owner, ArrayOp | tensor.InsertSliceOp) and len(list(value.uses)) == 1 and value not in self.places

    def _place(self, value: SSAValue) -> SSAValue:
        """The buffer to compute `value` in: its assigned place, or a new one."""
        found = self.places.get(value)
        return self._allocate(value) if found is None else found

    def _allocate(self, value: SSAValue) -> SSAValue:
        type = buffer_type(value.type)
        assert isinstance(type, MemRefType)
        sizes = self._dynamic_sizes(value)
        alloc = memref.AllocOp(sizes, [], type, IntegerAttr(ALIGNMENT, i64))
        if isinstance(value.owner, Operation):
            alloc.location = value.owner.location
        alloc.memref.name_hint = value.name_hint
        self.block.add_op(alloc)
        self.allocated.append(alloc)
        return alloc.memref

    def _dynamic_sizes(self, value: SSAValue) -> list[SSAValue]:
        """The dynamic sizes of a tensor, from the tensor.empty that gives its shape."""
        owner = value.owner
        match owner:
            case tensor.EmptyOp():
                return [self.values[v] for v in owner.dynamic_sizes]
            case ArrayOp():
                return self._dynamic_sizes(owner.outs[list(owner.results).index(value)])  # pyright: ignore
            case tensor.InsertSliceOp():
                return self._dynamic_sizes(owner.dest)
            case ReshapeOp():
                return [self.values[v] for v in owner.sizes]
            case _:
                raise PassError(
                    owner if isinstance(owner, Operation) else self.function, "bufferize-shape",
                    "the shape of a tensor that needs a buffer is not known before it is computed",
                )

    def _sizes(self, value: SSAValue) -> list[SSAValue | int]:
        dynamic = iter(self._dynamic_sizes(value))
        shape: Sequence[int] = value.type.get_shape()  # pyright: ignore
        return [next(dynamic) if n == DYNAMIC_INDEX else n for n in shape]

    # Operations

    def _add(self, op: Operation, source: Operation | None = None) -> Operation:
        if source is not None:
            op.location = source.location
        self.block.add_op(op)
        return op

    def _convert(self, op: Operation) -> None:
        match op:
            case func.ReturnOp() | tensor.EmptyOp():
                return
            case ArrayOp():
                self._array(op)
            case tensor.DimOp():
                new = memref.DimOp(self.values[op.source], self.values[op.index])
                self._define(op, self._add(new, op).results[0])
            case tensor.InsertSliceOp():
                self._insert_slice(op)
            case ReshapeOp():
                self._reshape_op(op)
            case ConstantOp():
                self._constant(op)
            case _:
                self._rebuild(op)

    def _define(self, op: Operation, value: SSAValue) -> None:
        self.values[op.results[0]] = value
        if value.name_hint is None:
            value.name_hint = op.results[0].name_hint

    def _rebuild(self, op: Operation) -> None:
        if op.regions or any(isinstance(v.type, TensorType) for v in (*op.operands, *op.results)):
            raise PassError(op, "bufferize-op", f"'{op.name}' on tensors has no buffer form", hint="run convert-hologram-to-atlas first")
        new = self._add(op.clone(self.values), op)
        for before, after in zip(op.results, new.results, strict=True):
            self.values[before] = after
            after.name_hint = before.name_hint

    def _array(self, op: ArrayOp) -> None:
        outs = [self._place(r) for r in op.results]
        ins = [self._read(v) for v in op.ins]
        new: ArrayOp
        match op:
            case MapOp():
                new = MapOp(ins, outs, op.maps, op.detach_region(op.body))
            case ReduceOp():
                finish = op.detach_region(op.finish)
                finish_ins = [self._read(v) for v in op.finish_ins]
                new = ReduceOp(op.combiners, ins, outs, op.maps, op.detach_region(op.body), finish_ins, finish)
            case _:
                assert isinstance(op, NamedOp)
                kept: dict[str, Any] = {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"}
                new = type(op)(ins, outs, **kept)
        new.attributes |= op.attributes
        self._add(new, op)
        for result, out in zip(op.results, outs, strict=True):
            self.values[result] = out

    def _read(self, value: SSAValue) -> SSAValue:
        """The buffer of an operand; of an uninitialised tensor, a new one."""
        if value not in self.values:
            self.values[value] = self._place(value)
        return self.values[value]

    def _insert_slice(self, op: tensor.InsertSliceOp) -> None:
        whole = self._place(op.result)
        known = self.values.get(op.dest)
        if known is not None and known is not whole:
            self._add(CopyOp([known], [whole]), op)
        source = self._read(op.source)
        if source is not self.places.get(op.source) or not isinstance(source.owner, memref.SubviewOp):
            self._add(CopyOp([source], [self._slice(whole, op)]), op)
        self.values[op.result] = whole

    def _slice(self, whole: SSAValue, op: tensor.InsertSliceOp) -> SSAValue:
        """The part of a buffer that an insertion writes."""
        def mixed(static: Any, dynamic: Sequence[SSAValue]) -> list[SSAValue | int]:
            given = iter(dynamic)
            return [self.values[next(given)] if n == DYNAMIC_INDEX else n for n in static.get_values()]

        offsets = mixed(op.static_offsets, op.offsets)
        sizes = mixed(op.static_sizes, op.sizes)
        strides = mixed(op.static_strides, op.strides)
        assert isinstance(whole.type, MemRefType)
        type = memref.SubviewOp.infer_result_type(whole.type, offsets, sizes, strides)
        view = memref.SubviewOp.get(whole, offsets, sizes, strides, type)
        self._add(view, op)
        return view.result

    def _reshape_op(self, op: ReshapeOp) -> None:
        source = self._read(op.x)
        place = self.places.get(op.result)
        view = self._reshape(source, op.result)
        if place is None and view is not None:
            self.values[op.result] = view
            return
        place = self._place(op.result)
        self.values[op.result] = place
        if self.places.get(op.x) is source and self._is_view_of(source, place):
            return
        if view is None:  # the elements are not in row-major order: gather them first
            packed = self._allocate(op.x)
            self._add(CopyOp([source], [packed]), op)
            view = self._reshape(packed, op.result)
            assert view is not None
        self._add(CopyOp([view], [place]), op)

    @staticmethod
    def _is_view_of(view: SSAValue, base: SSAValue) -> bool:
        return isinstance(view.owner, memref.ReinterpretCastOp) and view.owner.source is base

    def _reshape(self, buffer: SSAValue, target: SSAValue) -> SSAValue | None:
        """A view of a buffer in row-major order with the shape of `target`; None for another layout."""
        assert isinstance(buffer.type, MemRefType)
        if isinstance(buffer.type.layout, StridedLayoutAttr):
            return None
        sizes = self._sizes(target)
        strides: list[SSAValue | int] = []
        stride: SSAValue | int = 1
        for size in reversed(sizes):
            strides.insert(0, stride)
            stride = self._product(stride, size)
        type = buffer_type(target.type)
        view = memref.ReinterpretCastOp.from_dynamic(buffer, [0], sizes, strides, type)
        self._add(view, target.owner if isinstance(target.owner, Operation) else None)
        return view.result

    def _product(self, a: SSAValue | int, b: SSAValue | int) -> SSAValue | int:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        left, right = (self._index(v) if isinstance(v, int) else v for v in (a, b))
        return self._add(arith.MuliOp(left, right)).results[0]

    def _index(self, value: int) -> SSAValue:
        return self._add(arith.ConstantOp(IntegerAttr(value, IndexType()))).results[0]

    def _constant(self, op: ConstantOp) -> None:
        """A dense constant is a global of the module."""
        type = buffer_type(op.result.type)
        value = op.value
        assert isinstance(type, MemRefType) and isinstance(value, DenseIntOrFPElementsAttr)
        taken = {o.sym_name.data for o in self.module.body.ops if isinstance(o, memref.GlobalOp)}
        name = next(n for i in range(len(taken) + 1) if (n := f"constant_{i}") not in taken)
        glob = memref.GlobalOp.get(
            StringAttr(name), type, value, sym_visibility=StringAttr("private"), constant=UnitAttr(), alignment=ALIGNMENT
        )
        glob.location = op.location
        first = self.module.body.block.first_op
        assert first is not None
        self.module.body.block.insert_op_before(glob, first)
        self._define(op, self._add(memref.GetGlobalOp(name, type), op).results[0])

    # The end

    def _finish(self) -> None:
        for value, out in zip(self.returned.arguments, self.outs, strict=True):
            if self._read(value) is not out:
                self._add(CopyOp([self.values[value]], [out]), self.returned)
        self._free()
        self._add(func.ReturnOp(), self.returned)
        names = self._argument_attributes()
        region = self.function.body
        region.detach_block(self.old)
        region.add_block(self.block)
        self.function.properties["function_type"] = FunctionType.from_lists([a.type for a in self.block.args], [])
        self.function.properties["arg_attrs"] = ArrayAttr(names)
        self.function.properties.pop("res_attrs", None)
        self.function.attributes.pop(RESULTS, None)
        for op in reversed(list(self.old.ops)):
            op.detach()
            op.erase(safe_erase=False)

    def _argument_attributes(self) -> list[DictionaryAttr]:
        given = self.function.arg_attrs
        attrs = [dict(d.data) for d in given.data] if given is not None else [{} for _ in self.old.args]
        names = {a[NAME].data for a in attrs if isinstance(a.get(NAME), StringAttr)}  # pyright: ignore
        shapes = self.function.attributes.get(RESULTS)
        for i, out in enumerate(self.outs):
            name = out.name_hint or ("result" if len(self.outs) == 1 else f"result{i}")
            while name in names:
                name += "_out"
            names.add(name)
            text = shapes.data[i] if isinstance(shapes, ArrayAttr) else StringAttr(_static_shape(self, i))
            attrs.append({NAME: StringAttr(name), RESULT: text})  # pyright: ignore
        return [DictionaryAttr(a) for a in attrs]

    def _free(self) -> None:
        """Frees each allocated buffer after the last operation that uses it or a view of it."""
        position = {op: i for i, op in enumerate(self.block.ops)}
        ops = list(self.block.ops)
        for alloc in self.allocated:
            last, pending = position[alloc], [alloc.memref]
            while pending:
                for use in pending.pop().uses:
                    last = max(last, position[use.operation])
                    if isinstance(use.operation, memref.SubviewOp | memref.ReinterpretCastOp):
                        pending.append(use.operation.results[0])
            free = memref.DeallocOp.get(alloc.memref)
            free.location = alloc.location
            self.block.insert_op_after(free, ops[last])


def _static_shape(work: _Bufferizer, number: int) -> str:
    """The shape of a result in a module that no symbolic analysis has seen: static, or refused."""
    value = work.returned.arguments[number]
    shape: Sequence[int] = value.type.get_shape()  # pyright: ignore
    if DYNAMIC_INDEX in shape:
        raise PassError(
            work.returned, "bufferize-result-shape", "the shape of a dynamic result is not recorded",
            hint="convert-hologram-to-atlas records it as hologram.results on the function",
        )
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
