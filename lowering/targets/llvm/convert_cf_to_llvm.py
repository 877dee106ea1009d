"""cf to llvm: branches, switches, and assertions as early returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from xdsl.dialects import cf, func
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    UnrealizedConversionCastOp,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects.llvm import LLVMFunctionType, LLVMStructType, LLVMVoidType
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules, RulesPass
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.types import LLVM_TYPES

RULES = Rules(LLVM_TYPES)
ANNOTATION = "llvm.loop_annotation"
"""The attribute of a branch back that says what LLVM shall know of its loop."""


@RULES.on(cf.BranchOp)
def convert_branch(rw: Rewriter, op: cf.BranchOp) -> None:
    target = op.successors[0]
    jump = ll.jump(rw, rw.block(target), rw.forward(target, op.arguments))
    if (annotation := op.attributes.get(ANNOTATION)) is not None:
        jump.properties["loop_annotation"] = annotation


@RULES.on(cf.ConditionalBranchOp)
def convert_conditional_branch(rw: Rewriter, op: cf.ConditionalBranchOp) -> None:
    yes, no = op.successors
    condition = rw.value(op.cond)
    yes_operands = rw.forward(yes, op.then_arguments)
    no_operands = rw.forward(no, op.else_arguments)
    ll.branch(rw, condition, rw.block(yes), rw.block(no), yes_operands, no_operands)


@RULES.on(cf.SwitchOp)
def convert_switch(rw: Rewriter, op: cf.SwitchOp) -> None:
    flag = rw.value(op.flag)
    default, *cases = op.successors
    default_operands = rw.forward(default, op.default_operands)
    rest = iter(op.case_operands)
    counts = [int(count) for count in op.case_operand_segments.iter_values()]
    case_operands = [rw.forward(b, tuple(islice(rest, n))) for b, n in zip(cases, counts, strict=True)]
    flat = [v for operands in case_operands for v in operands]
    properties: dict[str, Attribute] = {
        "case_operand_segments": ll.words(*map(len, case_operands)),
        "operandSegmentSizes": ll.words(1, len(default_operands), len(flat)),
    }
    if op.case_values is not None:
        properties["case_values"] = _case_values(op.case_values)
    successors = [rw.block(b) for b in op.successors]
    rw.emit(ll.build("switch", (flag, *default_operands, *flat), (), properties, successors))


def _case_values(values: DenseIntOrFPElementsAttr) -> Attribute:
    if not isinstance(values.get_element_type(), IndexType):
        return values
    return DenseIntOrFPElementsAttr(VectorType(i64, values.get_shape()), values.data)


def need_blocks(rw: Rewriter, op: Operation) -> None:
    """Refuse an operation that becomes several blocks where only one can be: inside structured control flow."""
    parent = op.parent_op()
    if parent is None or parent.name in ("func.func", "llvm.func", "gpu.func"):
        return
    if rw.rules.find(type(parent)) is not None:
        return  # Its rule takes its blocks apart.
    raise PassError(
        op,
        "blocks-in-structure",
        f"{op.name} becomes several blocks, which {parent.name} can't hold",
        hint="run convert-scf-to-cf before",
    )


@RULES.on(cf.AssertOp)
def convert_assert(rw: Rewriter, op: cf.AssertOp) -> None:
    """Return from the function at once where the condition fails: what failed has been recorded before."""
    go_on_if(rw, op, rw.value(op.arg))


def go_on_if(rw: Rewriter, op: Operation, condition: SSAValue) -> None:
    """Leave the function unless `condition` holds; what follows goes to a new block."""
    need_blocks(rw, op)
    ll.leave_unless(rw, condition, shared_ending(rw, lambda: _return_early(rw, op)))


def shared_ending(rw: Rewriter, leave: Callable[[], None]) -> Block:
    """Return the block at the end of the function where all assertions that fail go; `leave` ends it."""
    region = rw.insertion_block.parent
    assert region is not None

    def make() -> Block:
        here = rw.insertion_block
        block = rw.new_block(after=rw.last_block())
        rw.move_to(block)
        leave()
        rw.move_to(here)
        return block

    return rw.once("an assertion fails", make, scope=region)


def _return_early(rw: Rewriter, op: Operation) -> None:
    function = op.parent_op()
    name = function.name if function is not None else "builtin.module"
    if isinstance(function, func.FuncOp):
        types = rw.all_types(function.function_type.outputs)
        if rw.rules.find(func.FuncOp) is not None:
            return emit_return(rw, [ll.emit(rw, "mlir.zero", (), t) for t in types])
        rw.emit(func.ReturnOp(*(_zero_of(rw, r) for r in function.function_type.outputs)))
    elif name == "llvm.func" and function is not None:
        kind = function.properties["function_type"]
        assert isinstance(kind, LLVMFunctionType)
        result = kind.output
        emit_return(rw, [] if isinstance(result, LLVMVoidType) else [ll.emit(rw, "mlir.zero", (), result)])
    else:
        assert function is not None
        _leave_kernel(rw, function)


def _zero_of(rw: Rewriter, type: Attribute) -> SSAValue:
    """Emit a zero of an unconverted type."""
    zeros = [ll.emit(rw, "mlir.zero", (), t) for t in rw.types(type)]
    if len(zeros) == 1 and zeros[0].type == type:
        return zeros[0]
    return rw.emit(UnrealizedConversionCastOp.create(operands=zeros, result_types=[type])).results[0]


def _leave_kernel(rw: Rewriter, function: Operation) -> None:
    if rw.rules.find(type(function)) is not None:
        return emit_return(rw, [])
    leave = next(b.last_op for r in function.regions for b in r.blocks if b.last_op and b.last_op.name == "gpu.return")
    rw.emit(type(leave).create())


def emit_call(rw: Rewriter, op: func.CallOp, operands: Sequence[SSAValue]) -> None:
    """Emit the call of a function that gives several results as one structure."""
    flat = rw.all_types(op.result_types)
    result = [LLVMStructType.from_type_list(flat)] if len(flat) > 1 else flat
    call = ll.call(rw, op.callee.string_value(), operands, result)
    rw.define_all(op.results, ll.unpack(rw, call.results[0], flat) if len(flat) > 1 else call.results)


def emit_return(rw: Rewriter, values: Sequence[SSAValue]) -> None:
    """Emit the return of any number of values; several as one struct."""
    if len(values) > 1:
        values = [ll.pack(rw, values)]
    rw.emit(ll.build("return", values))


@dataclass(frozen=True)
class ConvertControlFlowToLLVMPass(RulesPass):
    """Turns branches, switches and assertions into llvm's.

    Before: `cf.assert %ok, "message"`

    After::

        llvm.cond_br %ok, ^continue, ^fail
      ^fail:
        llvm.return
    """

    name = "convert-cf-to-llvm"
    TABLE = RULES
