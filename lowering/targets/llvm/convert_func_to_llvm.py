"""func to llvm: private functions as they are, public ones as entries with the launch ABI and their record.

A call whose range may be split packs what it passes into a struct, and goes through a pointer to a pool. The pointer is
the module's own, `@hologram_pool`. At first it leads to a function of the module that runs the whole range at once, so
an object file needs nothing beside it. A runtime that has threads puts another function there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import SymbolTable

from hologram.dialects import marks
from hologram.dialects.layouts import Layout, as_memref, byte_size, element_alignment
from hologram.dialects.llvm import GlobalOp, LLVMArrayType, LLVMPointerType, LLVMStructType
from hologram.errors import PassError
from hologram.lowering.rewriting import entry_record, traps
from hologram.lowering.rewriting.conversion import Rewriter, Rules, RulesPass
from hologram.lowering.rewriting.hidden_arguments import TRAP, position
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_cf_to_llvm import emit_call, emit_return, go_on_if
from hologram.lowering.targets.llvm.types import LLVM_TYPES, layout_or_error
from hologram.support.pool_call import POOL, SERIAL

LEADING = 3
"""The operands before the captures: begin, end, the work of one iteration."""


def check_parallel_call(op: func.CallOp, callee: func.FuncOp | None) -> None:
    """Raises a PassError unless the callee can be called for parts of a range."""
    if (
        callee is None
        or not callee.body.blocks
        or callee.sym_visibility != StringAttr("private")
        or callee.function_type.outputs.data
        or [*callee.function_type.inputs][:LEADING] != [IndexType()] * LEADING
    ):
        raise PassError(
            op,
            "parallel-call-callee",
            f"@{op.callee.string_value()} can't be called with the attribute {marks.PARALLEL}",
            hint="that takes a private function with a body, whose first arguments are the begin and the end of a "
            "range and the work of one iteration, of type index, and which returns nothing",
        )


def call_through_pool(rw: Rewriter, callee: str, operands: Sequence[SSAValue]) -> None:
    """Emit the call of `callee` for the range of its first operands, by way of the pool."""
    begin, end, work, *captures = operands
    context = _pack(rw, captures)
    body = f"{callee}_range"
    rw.declare(SERIAL, lambda: _serial(rw))
    rw.declare(POOL, _pool)
    types = [v.type for v in captures]
    rw.declare(body, lambda: _range_function(rw, body, callee, types))
    pool = ll.load(rw, ll.address_of(rw, POOL), ll.pointer())
    ll.call(rw, pool, [ll.address_of(rw, body), context, begin, end, work], ())


def _pack(rw: Rewriter, captures: Sequence[SSAValue]) -> SSAValue:
    """Emit words with the captures on the stack, and return their address."""
    *places, count = _places([v.type for v in captures])
    context = ll.reserve(rw, LLVMArrayType(count, i64), 64)
    for place, value in zip(places, captures, strict=True):
        ll.store(rw, ll.gep(rw, context, i64, place), value)
    return context


def _places(types: Sequence[Attribute]) -> list[int]:
    """The word at which a value of each type stands, aligned to its size, and the number of words. The type of a struct
    would be written out with all fields at each access."""
    places = [0]
    for type in types:
        words = -(-_bytes(type) // 8)
        aligned = min(1 << (words - 1).bit_length(), 8)
        places[-1] = -(-places[-1] // aligned) * aligned
        places.append(places[-1] + words)
    return places


def _bytes(type: Attribute) -> int:
    if isinstance(type, LLVMStructType):
        return sum(max(_bytes(field), 8) for field in type.types.data)
    return byte_size(type) or 8


# Symbols


def _range_function(rw: Rewriter, name: str, callee: str, types: Sequence[Attribute]) -> Operation:
    """Make `void(ptr context, i64 begin, i64 end)`, which unpacks the context and calls `callee`."""
    block = Block(arg_types=[ll.pointer(), i64, i64])
    context, begin, end = block.args
    places = _places(types)[:-1]
    with rw.at(block, rw.source):
        zero = ll.constant_i64(rw, 0)
        captures = [ll.load(rw, ll.gep(rw, context, i64, n), type) for n, type in zip(places, types, strict=True)]
        call = ll.call(rw, callee, [begin, end, zero, *captures], ())
        # LLVM would inline it anyway, but simplify all of it before and once more behind that.
        call.properties["always_inline"] = UnitAttr()
        emit_return(rw, ())
    return _function(name, block)


def _serial(rw: Rewriter) -> Operation:
    """Make the function that runs the whole range."""
    block = Block(arg_types=[ll.pointer(), ll.pointer(), i64, i64, i64])
    body, context, begin, end, _ = block.args
    with rw.at(block, rw.source):
        ll.call(rw, body, [context, begin, end], ())
        emit_return(rw, ())
    return _function(SERIAL, block)


def _function(name: str, block: Block) -> Operation:
    # Its address is taken, so nothing is saved by inlining it, and it would be compiled twice.
    properties: dict[str, Attribute] = {"linkage": ll.LinkageAttr("internal"), "no_inline": UnitAttr()}
    return ll.function(name, [a.type for a in block.args], None, Region(block), properties)


def _pool() -> Operation:
    """Make the pointer. It is weak, so that several objects can be linked into one program, and share it."""
    kind: LLVMPointerType = ll.pointer()
    address = ll.build("mlir.addressof", (), (kind,), {"global_name": SymbolRefAttr(StringAttr(SERIAL))})
    block = Block([address, ll.build("return", address.results)])
    return GlobalOp(kind, POOL, "weak", initializer=Region(block))


def _continues(rw: Rewriter) -> Operation:
    """Make the function that says whether a lane shall go on: as long as the first word of the trap record is 0.

    If the word is -1, it asks the function whose address follows the record of the launch ABI (`launch_watch.h`).
    """
    start, ask, call = Block(arg_types=[ll.pointer()]), Block(), Block()
    yes, no = Block(), Block()
    (record,) = start.args
    llvm = ll.Llvm(rw)
    volatile: dict[str, Attribute] = {**ll.NOT_ATOMIC, "volatile_": UnitAttr()}
    with rw.at(start, rw.source):
        word = ll.load(rw, record, i64, volatile)
        is_zero = llvm.compare("eq", word, ll.constant_i64(rw, 0))
        likely = ll.emit(rw, "intr.expect", (is_zero, llvm.constant(1, i1)), i1)
        ll.branch(rw, likely, yes, ask)
        rw.move_to(ask)
        ll.branch(rw, llvm.compare("eq", word, ll.constant_i64(rw, -1)), call, no)
        rw.move_to(call)
        function = ll.load(rw, ll.gep(rw, record, i64, 8), ll.pointer(), volatile)
        left = ll.call(rw, function, [record], [i64]).results[0]
        ll.branch(rw, llvm.compare("eq", left, ll.constant_i64(rw, 0)), yes, no)
        for block, result in ((yes, 1), (no, 0)):
            rw.move_to(block)
            emit_return(rw, [llvm.constant(result, i1)])
    properties: dict[str, Attribute] = {"linkage": ll.LinkageAttr("internal"), "always_inline": UnitAttr()}
    return ll.function(traps.CONTINUES, [ll.pointer()], i1, Region([start, ask, call, yes, no]), properties)


RULES = Rules(LLVM_TYPES)


@RULES.on(func.FuncOp)
def convert_function(rw: Rewriter, op: func.FuncOp) -> None:
    for type in (*op.function_type.inputs, *op.function_type.outputs):
        if as_memref(type) is not None:
            layout_or_error(rw, type)
    ll.check_name(op, op.sym_name.data)
    if entry_record.is_entry(op):
        return _convert_entry(rw, op)
    if op.sym_name.data == traps.CONTINUES and not op.body.blocks:
        rw.emit(_continues(rw))
        return None
    inputs = rw.all_types(op.function_type.inputs)
    properties: dict[str, Attribute] = {}
    if op.sym_visibility is not None:
        properties["sym_visibility"] = op.sym_visibility
    if op.body.blocks:
        properties["linkage"] = ll.LinkageAttr("internal")
    if (attributes := _private_attributes(rw, op)) is not None:
        properties["arg_attrs"] = attributes
    body = rw.region(op.body)
    rw.emit(ll.function(op.sym_name.data, inputs, ll.result_type(rw, op), body, properties, op.attributes))


def _private_attributes(rw: Rewriter, op: func.FuncOp) -> Attribute | None:
    """Return llvm's attributes of the arguments; those of a memref belong to its pointer."""
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
_LIMBS_ACCESS = {**ll.NOT_ATOMIC, "alignment": ll.number(8)}


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
        attributes[marks.ENTRY] = StringAttr(entry_record.record(op, arguments))
    rw.emit(ll.function(op.sym_name.data, parameters.types, ll.result_type(rw, op), body, properties, attributes))


def _make_entry(
    rw: Rewriter, arguments: Sequence[entry_record.Argument], parameters: _Parameters, old: Block, new: Block
) -> None:
    """Give the entry block its arguments in launch order, and define what the old ones became."""

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
            become = [ll.load(rw, become[0], value.type, _LIMBS_ACCESS)]
        rw.define(value, *become)
    for arg, fresh in ((a, parts[a][0]) for a in old.args):
        fresh.name_hint = fresh.name_hint or arg.name_hint


def _pointer_attributes(argument: entry_record.Argument, layout: Layout) -> DictionaryAttr:
    """Return what holds of a buffer that is passed: none overlap, all are aligned, and a null one has no elements."""
    attributes: dict[str, Attribute] = {"llvm.noalias": UnitAttr()}
    if all(size is not None and size > 0 for size in layout.sizes):
        attributes["llvm.nonnull"] = UnitAttr()
    attributes["llvm.align"] = IntegerAttr(element_alignment(layout.element) or 1, i64)
    return DictionaryAttr({**attributes, **entry_record.llvm_attributes(argument.attributes).data})


# Calls and returns


@RULES.on(func.ReturnOp)
def convert_return(rw: Rewriter, op: func.ReturnOp) -> None:
    emit_return(rw, rw.all_values(op.arguments))


@RULES.on(func.CallOp)
def convert_call(rw: Rewriter, op: func.CallOp) -> None:
    operands = [(old, list(rw.values(old))) for old in op.arguments]
    callee = _callee(op)
    if marks.PARALLEL in op.attributes:
        check_parallel_call(op, callee)
        call_through_pool(rw, op.callee.string_value(), [v for _, values in operands for v in values])
    else:
        _convert_plain_call(rw, op, callee, operands)
    record = None if callee is None else position(callee, TRAP)
    if record is not None and marks.GOES_ON not in op.attributes:
        _leave_if_trapped(rw, op, operands[record][1][0])


def _convert_plain_call(
    rw: Rewriter, op: func.CallOp, callee: func.FuncOp | None, operands: Sequence[tuple[SSAValue, list[SSAValue]]]
) -> None:
    ordered = [v for _, values in operands for v in values]
    if callee is not None and entry_record.is_entry(callee):
        ordered = _launch_order(rw, entry_record.arguments_of(callee), operands)
    emit_call(rw, op, ordered)


def _leave_if_trapped(rw: Rewriter, op: func.CallOp, record: SSAValue) -> None:
    """Leave a caller whose callee trapped and returned early: it must not use what it got. A word below 0 asks."""
    go_on_if(rw, op, ll.Llvm(rw).compare("sle", ll.load(rw, record, i64), ll.constant_i64(rw, 0)))


def _callee(op: func.CallOp) -> func.FuncOp | None:
    callee = SymbolTable.lookup_symbol(op, op.callee)
    return callee if isinstance(callee, func.FuncOp) else None


def _launch_order(
    rw: Rewriter, arguments: Sequence[entry_record.Argument], operands: Sequence[tuple[SSAValue, list[SSAValue]]]
) -> list[SSAValue]:
    """Return the operands of a call of an entry in the order of its parameters."""
    pairs = [(a, old, values) for a, (old, values) in zip(arguments, operands, strict=True)]
    buffers = [values for a, _, values in pairs if a.layout is not None and a.hidden is None]
    scalars = [_passed(rw, old, values[0]) for a, old, values in pairs if a.layout is None]
    hidden = [values[0] for a, _, values in pairs if a.hidden is not None]
    dynamic = [v for values in buffers for v in values[1:]]
    return [*(values[0] for values in buffers), *dynamic, *scalars, *hidden]


def _passed(rw: Rewriter, old: SSAValue, value: SSAValue) -> SSAValue:
    """Return a scalar as an entry takes it: booleans as bytes, wide integers by a pointer."""
    if old.type == i1:
        return ll.bool_to_byte(rw, value)
    if old.type not in entry_record.WIDE:
        return value
    place = ll.reserve(rw, old.type, 8)
    ll.store(rw, place, value, _LIMBS_ACCESS)
    return place


@dataclass(frozen=True)
class ConvertFuncToLLVMPass(RulesPass):
    """Turns functions, calls and returns into llvm's.

    A public function becomes an entry: a C function that takes one bare pointer for each memref, then the dynamic
    sizes and strides, then the scalars (docs of the launch ABI), with its description as JSON in `hologram.entry`.

    Before: `func.func @f(%n: index, %a: memref<?xf32>) { return }`

    After: `llvm.func @f(%a: !llvm.ptr {llvm.noalias, ...}, %d: i64, %n: i64) attributes {hologram.entry = "..."}`
    """

    name = "convert-func-to-llvm"
    TABLE = RULES
