"""func to llvm: private functions as they are, public ones as entries with the launch ABI and their record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import SymbolTable

from hologram.dialects.llvm import LLVMStructType
from hologram.errors import PassError
from hologram.lowering import entry_record, traps
from hologram.lowering import llvm_build as ll
from hologram.lowering.conversion import Rewriter, Rules, convert_module
from hologram.lowering.convert_cf_to_llvm import emit_return, go_on_if
from hologram.lowering.hidden_arguments import TRAP, position
from hologram.lowering.llvm_types import LLVM_TYPES, Layout, as_memref, element_alignment, layout_or_error
from hologram.lowering.outline_parallel_loops import CALL
from hologram.lowering.parallel_calls_to_llvm import call_through_pool, check_parallel_call

RULES = Rules(LLVM_TYPES)


def _output(rw: Rewriter, function: func.FuncOp) -> Attribute | None:
    """The llvm result type: none, one, or a struct of several."""
    types = [t for o in function.function_type.outputs for t in rw.types(o)]
    if len(types) > 1:
        return LLVMStructType.from_type_list(types)
    return types[0] if types else None


@RULES.on(func.FuncOp)
def convert_function(rw: Rewriter, op: func.FuncOp) -> None:
    for type in (*op.function_type.inputs, *op.function_type.outputs):
        if as_memref(type) is not None:
            layout_or_error(rw, type)
    if entry_record.is_entry(op):
        return _convert_entry(rw, op)
    inputs = [t for i in op.function_type.inputs for t in rw.types(i)]
    properties: dict[str, Attribute] = {}
    if op.sym_visibility is not None:
        properties["sym_visibility"] = op.sym_visibility
    if op.body.blocks:
        properties["linkage"] = ll.LinkageAttr("internal")
    if (attributes := _private_attributes(rw, op)) is not None:
        properties["arg_attrs"] = attributes
    body = rw.region(op.body)
    rw.emit(ll.function(op.sym_name.data, inputs, _output(rw, op), body, properties, op.attributes))


def _private_attributes(rw: Rewriter, op: func.FuncOp) -> Attribute | None:
    """llvm's attributes of the arguments; those of a memref belong to its pointer."""
    if op.arg_attrs is None:
        return None
    expanded: list[Attribute] = []
    for type, given in zip(op.function_type.inputs, op.arg_attrs, strict=True):
        expanded.append(entry_record.llvm_attributes(given.data))
        expanded += [DictionaryAttr({})] * (len(rw.types(type)) - 1)
    return ArrayAttr(expanded)


# Entries

_LIMBS = DictionaryAttr({"llvm.nonnull": UnitAttr(), "llvm.align": IntegerAttr(8, i64)})
"""What holds of the pointer to a wide integer that is passed."""
_LIMBS_ACCESS = {**ll.NOT_ATOMIC, "alignment": ll.alignment(8)}


@dataclass
class _Parameters:
    """The parameters of an entry in launch order."""

    types: list[Attribute]
    attributes: list[Attribute]


def _convert_entry(rw: Rewriter, op: func.FuncOp) -> None:
    arguments = entry_record.arguments_of(op)
    if any(as_memref(o) is not None for o in op.function_type.outputs):
        raise PassError(
            op,
            "entry-memref-result",
            f"@{op.sym_name.data} is public and returns a memref, which the launch ABI can't",
            hint="pass the result as an argument, or make the function private",
        )
    parameters = _Parameters([], [])
    body = rw.region(op.body, entry=lambda old, new: _make_entry(rw, arguments, parameters, old, new))
    properties: dict[str, Attribute] = {"arg_attrs": ArrayAttr(parameters.attributes)}
    attributes = entry_record.strip(op.attributes)
    if not op.function_type.outputs.data:
        attributes["hologram.entry"] = StringAttr(entry_record.record(op, arguments))
    rw.emit(ll.function(op.sym_name.data, parameters.types, _output(rw, op), body, properties, attributes))


def _make_entry(
    rw: Rewriter, arguments: Sequence[entry_record.Argument], parameters: _Parameters, old: Block, new: Block
) -> None:
    """Gives the entry block its arguments in launch order, and says what the old ones became."""

    def add(type: Attribute, attributes: DictionaryAttr) -> SSAValue:
        parameters.types.append(type)
        parameters.attributes.append(attributes)
        return new.insert_arg(type, len(new.args))

    parts: dict[SSAValue, list[SSAValue]] = {}
    buffers = [(a, a.layout) for a in arguments if a.layout is not None and a.hidden is None]
    for argument, layout in buffers:
        parts[argument.value] = [add(rw.types(argument.value.type)[0], _pointer_attributes(argument, layout))]
    nothing = DictionaryAttr({})
    for argument, layout in buffers:
        parts[argument.value] += [add(i64, nothing) for _ in range(layout.dynamic)]
    scalars = [a for a in arguments if a.layout is None]
    for argument in scalars:
        kind = rw.type(argument.value.type)
        if kind in entry_record.WIDE:
            parts[argument.value] = [add(ll.pointer(), _LIMBS)]
            continue
        given = entry_record.llvm_attributes(argument.attributes)
        parts[argument.value] = [add(i8 if kind == i1 else kind, given)]
    for hidden in (a for a in arguments if a.hidden is not None):
        assert hidden.layout is not None
        parts[hidden.value] = [add(rw.types(hidden.value.type)[0], _pointer_attributes(hidden, hidden.layout))]
    for value, become in parts.items():
        if value.type == i1:
            become = [ll.byte_to_bool(rw, become[0])]
        if value.type in entry_record.WIDE:
            become = [ll.emit(rw, "load", become, value.type, _LIMBS_ACCESS)]
        rw.define(value, *become)
    for arg, fresh in ((a, parts[a][0]) for a in old.args):
        fresh.name_hint = fresh.name_hint or arg.name_hint


def _pointer_attributes(argument: entry_record.Argument, layout: Layout) -> DictionaryAttr:
    """What holds of every buffer that is passed: buffers don't overlap and are aligned; a null one has no elements."""
    attributes: dict[str, Attribute] = {"llvm.noalias": UnitAttr()}
    if all(size is not None and size > 0 for size in layout.sizes):
        attributes["llvm.nonnull"] = UnitAttr()
    attributes["llvm.align"] = IntegerAttr(element_alignment(layout.element) or 1, i64)
    return DictionaryAttr({**attributes, **entry_record.llvm_attributes(argument.attributes).data})


# Calls and returns


@RULES.on(func.ReturnOp)
def convert_return(rw: Rewriter, op: func.ReturnOp) -> None:
    emit_return(rw, [v for old in op.arguments for v in rw.values(old)])


@RULES.on(func.CallOp)
def convert_call(rw: Rewriter, op: func.CallOp) -> None:
    operands = [(old, list(rw.values(old))) for old in op.arguments]
    callee = _callee(op)
    if CALL in op.attributes:
        check_parallel_call(op, callee)
        call_through_pool(rw, op.callee.string_value(), [v for _, values in operands for v in values])
    else:
        _convert_plain_call(rw, op, callee, operands)
    record = None if callee is None else position(callee, TRAP)
    if record is not None and traps.GOES_ON not in op.attributes:
        _leave_if_trapped(rw, op, operands[record][1][0])


def _convert_plain_call(
    rw: Rewriter, op: func.CallOp, callee: func.FuncOp | None, operands: Sequence[tuple[SSAValue, list[SSAValue]]]
) -> None:
    ordered = [v for _, values in operands for v in values]
    if callee is not None and entry_record.is_entry(callee):
        ordered = _launch_order(rw, entry_record.arguments_of(callee), operands)
    groups = [rw.types(r.type) for r in op.results]
    flat = [t for group in groups for t in group]
    result = [LLVMStructType.from_type_list(flat)] if len(flat) > 1 else flat
    call = ll.call(rw, op.callee.string_value(), ordered, result)
    values = ll.unpack(rw, call.results[0], flat) if len(flat) > 1 else list(call.results)
    for old, group in zip(op.results, groups, strict=True):
        rw.define(old, *values[: len(group)])
        values = values[len(group) :]


def _leave_if_trapped(rw: Rewriter, op: func.CallOp, record: SSAValue) -> None:
    """A function that trapped has returned early; so does its caller, which must not use what it got."""
    word = ll.emit(rw, "load", (record,), i64, ll.NOT_ATOMIC)
    go_on_if(rw, op, ll.compare(rw, ll.EQ, word, ll.constant_i64(rw, 0)))


def _callee(op: func.CallOp) -> func.FuncOp | None:
    found = SymbolTable.lookup_symbol(op, op.callee)
    return found if isinstance(found, func.FuncOp) else None


def _launch_order(
    rw: Rewriter, arguments: Sequence[entry_record.Argument], operands: Sequence[tuple[SSAValue, list[SSAValue]]]
) -> list[SSAValue]:
    """The operands of a call of an entry in the order of its parameters."""
    pairs = [(a, old, values) for a, (old, values) in zip(arguments, operands, strict=True)]
    buffers = [values for a, _, values in pairs if a.layout is not None and a.hidden is None]
    scalars = [_passed(rw, old, values[0]) for a, old, values in pairs if a.layout is None]
    hidden = [values[0] for a, _, values in pairs if a.hidden is not None]
    dynamic = [v for values in buffers for v in values[1:]]
    return [*(values[0] for values in buffers), *dynamic, *scalars, *hidden]


def _passed(rw: Rewriter, old: SSAValue, value: SSAValue) -> SSAValue:
    """A scalar as an entry takes it: booleans as bytes, wide integers by a pointer."""
    if old.type == i1:
        return ll.bool_to_byte(rw, value)
    if old.type not in entry_record.WIDE:
        return value
    one = rw.emit_at_entry(ll.build("mlir.constant", (), (i64,), {"value": IntegerAttr(1, i64)}))
    properties: dict[str, Attribute] = {"elem_type": old.type, "alignment": ll.alignment(8)}
    place = rw.emit_at_entry(ll.build("alloca", one.results, (ll.pointer(),), properties)).results[0]
    ll.emit_effect(rw, "store", (value, place), _LIMBS_ACCESS)
    return place


@dataclass(frozen=True)
class ConvertFuncToLLVMPass(ModulePass):
    """Turns functions, calls and returns into llvm's.

    A public function becomes an entry: a C function that takes one bare pointer for each memref, then the dynamic
    sizes and strides, then the scalars (docs of the launch ABI), with its description as JSON in `hologram.entry`.

    Before: `func.func @f(%n: index, %a: memref<?xf32>) { return }`

    After: `llvm.func @f(%a: !llvm.ptr {llvm.noalias, ...}, %d: i64, %n: i64) attributes {hologram.entry = "..."}`
    """

    name = "convert-func-to-llvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, RULES)
