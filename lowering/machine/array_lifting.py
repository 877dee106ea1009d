"""Lifts array-level programs of machine code: they become functions of array-level operations on memrefs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas.arrays.base import YieldOp
from hologram.dialects.atlas.instructions.instruction import CONTRACT
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DTypeAttr
from hologram.dialects.atlas.lanes.branches import BraOp, CallOp, FuncOp, RetOp
from hologram.dialects.machine.array_instruction import ArrayInstructionOp
from hologram.dialects.machine.array_program import ArraysOp, TempOp, axis_of
from hologram.dialects.machine.directives import ArrayTypeAttr
from hologram.lowering.machine.headers import described, memref_of
from hologram.support.walking import operations
from hologram.transforms.canonical.contract_fma import MAY_CONTRACT


def lift_arrays(module: ModuleOp, lifted: Mapping[str, Operation]) -> None:
    """Replaces the array-level programs of a module. `lifted` has its functions, already of the atlas dialect, by name;
    those that only stood for regions are removed."""
    programs = [op for op in module.body.block.ops if isinstance(op, ArraysOp)]
    regions: dict[str, None] = {}
    for program in programs:
        new = _ArraysLifter(program, lifted, regions).lift()
        new.location = program.location
        Rewriter.replace_op(program, new, [])
    called = {op.callee.root_reference.data for op in operations(module) if isinstance(op, CallOp)}
    for name in regions:
        if name not in called:
            Rewriter.erase_op(lifted[name])


class _ArraysLifter:
    """Lifts one program."""

    def __init__(self, program: ArraysOp, lifted: Mapping[str, Operation], regions: dict[str, None]):
        self.program = program
        self.lifted = lifted
        self.regions = regions
        self.arrays: dict[str, SSAValue] = {}
        self.values: dict[SSAValue, SSAValue] = {}
        """What each register's value became."""
        self.block = Block()

    def lift(self) -> func.FuncOp:
        """The function."""
        types = self._begin()
        for op in self.program.body.block.ops:
            match op:
                case TempOp():
                    self._temporary(op)
                case ArrayInstructionOp():
                    self._instruction(op)
                case _:
                    constant = MovImmOp(cast("Any", op.properties["value"]))
                    self.values[op.results[0]] = self._emit(op, constant).result
        for name, array in self.arrays.items():
            if name.startswith("temp"):
                self._emit(self.program, memref.DeallocOp.get(array))
        self._emit(self.program, func.ReturnOp())
        function = func.FuncOp(self.program.symbol, (types, []), Region(self.block))
        function.arg_attrs = described(self.program.parameters, self.program.body.block.args)
        return function

    def _begin(self) -> list[Attribute]:
        types: list[Attribute] = []
        registers = iter(self.program.body.block.args)
        for parameter in self.program.parameters:
            is_array = isinstance(parameter, ArrayTypeAttr)
            types.append(memref_of(parameter, None, None) if is_array else cast("DTypeAttr", parameter).dtype.ir)
            value = self.block.insert_arg(types[-1], len(self.block.args))
            if is_array:
                self.arrays[f"buf{len(self.arrays)}"] = value
            else:
                self.values[next(registers)] = value
        return types

    def _emit(self, source: Operation, op: Any) -> Any:
        op.location = source.location
        self.block.add_op(op)
        return op

    def _temporary(self, op: TempOp) -> None:
        sizes: list[SSAValue] = []
        for size in op.shape:
            named = axis_of(size) if isinstance(size, str) else None
            if named is not None:
                axis = self._emit(op, arith.ConstantOp(IntegerAttr(named[1], IndexType())))
                sizes.append(self._emit(op, memref.DimOp(self.arrays[named[0]], axis)).result)
        temporaries = sum(name.startswith("temp") for name in self.arrays)
        alloc = self._emit(op, memref.AllocOp(sizes, [], op.type, alignment=None))
        self.arrays[f"temp{temporaries}"] = alloc.memref

    def _instruction(self, op: ArrayInstructionOp) -> None:
        values = {
            group: [self.arrays[v] if isinstance(v, str) else self.values[v] for v in operands]
            for group, operands in op.grouped()
        }
        functions = op.functions()
        self.regions |= dict.fromkeys(functions.values())
        regions = {name: region_of(cast("FuncOp", self.lifted[f])) for name, f in functions.items()}
        raised = self._emit(op, op.raised(values, regions))
        if CONTRACT in raised.attributes:
            for inner in operations(raised):
                if isinstance(inner, MAY_CONTRACT):
                    inner.attributes[CONTRACT] = UnitAttr()


def region_of(function: FuncOp) -> Region:
    """Return the body of a function without control flow as the region of an array-level operation."""
    region = function.body.clone()
    block = region.blocks[0]
    while isinstance(last := block.last_op, BraOp):
        following = last.successors[0]
        values = list(last.operands)
        Rewriter.erase_op(last)
        Rewriter.inline_block(following, InsertPoint.at_end(block), values)
    assert isinstance(last, RetOp)
    Rewriter.replace_op(last, YieldOp(*last.operands))
    return region
