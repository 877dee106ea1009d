"""The entry record: an entry function's arguments, constraints and traps, as compact JSON for the runtime.

The order of the C function's parameters follows from the record: one bare pointer for each buffer, then for each
buffer its dynamic sizes and then its dynamic strides, then the scalars, then what the launch itself passes: the trap
record, class memory, the sums of R.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    BFloat16Type,
    DenseArrayBase,
    DictionaryAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import SymbolTable

from hologram.dialects import marks
from hologram.dialects.layouts import Layout, as_memref, layout_of
from hologram.dialects.llvm import LLVMPointerType
from hologram.errors import PassError
from hologram.lowering.rewriting.hidden_arguments import ORDER, TRAP, Hidden

DTYPES: Mapping[Attribute, str] = {
    Float16Type(): "f16",
    BFloat16Type(): "bf16",
    Float32Type(): "f32",
    Float64Type(): "f64",
    IndexType(): "index",
    IntegerType(1): "bool",
    **{IntegerType(bits): f"i{bits}" for bits in (8, 16, 32, 64)},
}
WIDE: Mapping[Attribute, str] = {IntegerType(64 << n): f"i{64 << n}" for n in range(1, 7)}
"""Integers of several limbs. As scalars they are passed by pointers to these: C has no such types."""
RECORDED = (marks.CONSTRAINTS, marks.LAUNCH, marks.SITES, marks.UNBOUNDED)
"""Attributes of functions that the record holds."""
FLOATS_OF_BYTES = ("f8E4M3FN", "f8E5M2")
"""Floats that are bytes to LLVM."""
UNBOUNDED_VERSION, DEVICE_VERSION, VERSION, FIRST_VERSION = 4, 3, 2, 1
"""Records of entries that take no more than a trap record are of the first version, which older runtimes know; those
with code for a device are of the third, and those that may run for long of the fourth."""

READS = {"memref.load", "vector.load", "vector.maskedload", "vector.gather", "llvm.load", "llvm.intr.masked.load"}
"""Operations that only read the memory of their memref or pointer operand."""
WRITES = {
    "memref.store": 1,
    "vector.store": 1,
    "vector.maskedstore": 0,
    "vector.scatter": 0,
    "llvm.store": 1,
    "llvm.intr.masked.store": 1,
    "memref.copy": 1,
    "vector.transfer_write": 1,
    "llvm.intr.memset": 0,
    "llvm.intr.memcpy": 0,
}
"""Operations that write through an operand, and that operand's number."""
ALSO_READ = {"memref.copy": 0, "vector.transfer_read": 0, "llvm.intr.memcpy": 1}
"""Operations that read through an operand."""
HARMLESS = {"memref.dim", "memref.rank"}
"""Operations that look at the shape only."""
ADDRESSES = {
    "memref.extract_aligned_pointer_as_index", "llvm.ptrtoint", "llvm.inttoptr", "arith.index_cast", "arith.addi",
    "arith.subi", "arith.select",
}  # fmt: skip
"""Operations whose results are, or lead to, addresses in the same memory."""
VIEWS = {
    "memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast",
    "memref.memory_space_cast", "memref.extract_strided_metadata", "memref.view", "memref.assume_alignment",
    "memref.transpose", "builtin.unrealized_conversion_cast", "llvm.getelementptr", "llvm.addrspacecast",
    "arith.select", "llvm.select",
}  # fmt: skip
"""Operations whose results are the same memory."""


@dataclass(frozen=True)
class Argument:
    """An argument of an entry function."""

    value: SSAValue
    attributes: Mapping[str, Attribute]
    layout: Layout | None
    """None for a scalar."""

    @property
    def element(self) -> Attribute:
        """The type of the elements, or of the scalar."""
        return self.value.type if self.layout is None else self.layout.type.element_type

    @property
    def access(self) -> str:
        """The access that the function makes: as an earlier pass says, or as its code shows."""
        declared = self.attributes.get(marks.ACCESS)
        return declared.data if isinstance(declared, StringAttr) else access_of(self.value)

    @property
    def hidden(self) -> Hidden | None:
        """The kind of hidden argument that it is, if the launch and not the caller passes it."""
        return next((kind for kind in ORDER if kind.attribute in self.attributes), None)


def is_entry(function: func.FuncOp) -> bool:
    """Return whether a function follows the launch ABI: it is public and has a body."""
    visibility = function.sym_visibility
    return bool(function.body.blocks) and (visibility is None or visibility.data == "public")


def arguments_of(function: func.FuncOp) -> list[Argument]:
    """The arguments of an entry function, checked."""
    given = function.arg_attrs.data if function.arg_attrs is not None else ()
    arguments: list[Argument] = []
    for index, value in enumerate(_entry_args(function)):
        attributes: Mapping[str, Attribute] = given[index].data if index < len(given) else {}
        layout = layout_of(memref) if (memref := as_memref(value.type)) is not None else None
        arguments.append(Argument(value, attributes, layout))
    for argument in arguments:
        _check(function, argument)
    _check_hidden(function, arguments)
    return arguments


def _entry_args(function: func.FuncOp) -> Sequence[SSAValue]:
    first = function.body.first_block
    return first.args if first is not None else ()


def _check_hidden(function: func.FuncOp, arguments: Sequence[Argument]) -> None:
    """Check that what the launch passes comes last, in the order of the launch ABI, and has the types of the ABI."""
    hidden = [(kind, a.value.type) for a in arguments if (kind := a.hidden) is not None]
    last = [a.hidden for a in arguments[len(arguments) - len(hidden) :]]
    if last != [kind for kind in ORDER if (kind, kind.type) in hidden]:
        wanted = ", ".join(f"{kind.attribute} of type {kind.type}" for kind in ORDER)
        raise PassError(
            function,
            "entry-hidden-argument",
            f"the arguments that the launch passes to @{function.sym_name.data} must be its last ones, each once, "
            f"and in this order: {wanted}",
        )


def _check(function: func.FuncOp, argument: Argument) -> None:
    kind = argument.value.type
    name = function.sym_name.data
    if function.function_type.outputs.data and argument.layout is None and not isinstance(kind, MemRefType):
        return  # No kernel but a plain function: it may pass what llvm can.
    if argument.element not in DTYPES and argument.element not in WIDE:
        raise PassError(
            function,
            "entry-argument-unsupported",
            f"@{name} has an argument of type {kind}, which a launch can't pass",
            hint=f"use memrefs and scalars of {', '.join(DTYPES.values())}, i128 to i4096; "
            "or make the function private",
        )
    _dtype(function, argument)


def _dtype(function: func.FuncOp, argument: Argument) -> str:
    plain = DTYPES.get(argument.element) or WIDE[argument.element]
    declared = argument.attributes.get(marks.TYPE)
    if declared is None:
        return plain
    name = declared.data if isinstance(declared, StringAttr) else str(declared)
    bytes_of_floats = plain == "i8" and name in FLOATS_OF_BYTES
    if name != plain and (name[:1], f"i{name[1:]}") != ("u", plain) and not bytes_of_floats:
        raise PassError(
            function,
            "entry-type-attribute",
            f'hologram.type = "{name}" doesn\'t describe an argument of type {argument.value.type}',
        )
    return name


# The record


def record(function: func.FuncOp, arguments: Sequence[Argument]) -> str:
    """The entry record of a function as compact JSON."""
    described: list[dict[str, Any]] = []
    taken: set[str] = set()
    for index, argument in enumerate(a for a in arguments if a.hidden is None):
        name = _name(argument, index, taken)
        described.append({"name": name, **_describe(function, argument)})
    names = [d["name"] for d in described]
    passed = {kind.name: a for a in arguments if (kind := a.hidden) is not None}
    beyond_trap = {name: a.access for name, a in passed.items() if name != TRAP.name}
    device = _device(function)
    unbounded = {"unbounded": True} if marks.UNBOUNDED in function.attributes else {}
    version = DEVICE_VERSION if device else VERSION if beyond_trap else FIRST_VERSION
    content: dict[str, Any] = {
        "version": UNBOUNDED_VERSION if unbounded else version,
        "name": function.sym_name.data,
        "symbol": function.sym_name.data,
        "arguments": described,
        "constraints": _strings(function.attributes.get(marks.CONSTRAINTS)),
        "trap": TRAP.name in passed,
        "sites": _strings(function.attributes.get(marks.SITES)),
        "launch": "call",
        **unbounded,
        **_shape(function, arguments, names),
        **beyond_trap,
        **device,
    }
    return json.dumps(content, separators=(",", ":"), ensure_ascii=True)


def _device(function: func.FuncOp) -> dict[str, Any]:
    """The part of the record on device code, as the module around says."""
    parent = function.parent_op()
    device = parent.attributes.get(marks.DEVICE) if parent is not None else None
    return {"device": json.loads(device.data)} if isinstance(device, StringAttr) else {}


def _shape(function: func.FuncOp, arguments: Sequence[Argument], names: Sequence[str]) -> dict[str, Any]:
    """The grid and block of a function that launches as it is told: each size as an argument's name or a number."""
    fixed = function.attributes.get(marks.LAUNCH)
    if not isinstance(fixed, DictionaryAttr):
        return {}
    size_attrs = [a.attributes.get(marks.SIZE) for a in arguments]
    size_args = {size.data: name for size, name in zip(size_attrs, names, strict=False) if isinstance(size, StringAttr)}
    shape: dict[str, Any] = {"shared": size_args.get("shared_bytes", 0)}
    for group in ("grid", "block"):
        known = fixed.data.get(group)
        sizes = [size_args.get(f"{group}_{axis}") for axis in "xyz"]
        shape[group] = list(cast("DenseArrayBase[I64]", known).get_values()) if known is not None else sizes
    return {"shape": shape}


def _describe(function: func.FuncOp, argument: Argument) -> dict[str, Any]:
    dtype = _dtype(function, argument)
    layout = argument.layout
    if layout is None:
        return {"kind": "scalar", "dtype": dtype}
    result = argument.attributes.get(marks.RESULT)
    return {
        "kind": "buffer",
        "dtype": dtype,
        "shape": list(layout.sizes),
        "strides": None if layout.identity else list(layout.strides),
        "access": argument.access,
        "result": result.data if isinstance(result, StringAttr) else None,
    }


def _name(argument: Argument, index: int, taken: set[str]) -> str:
    given = argument.attributes.get(marks.NAME)
    name = given.data if isinstance(given, StringAttr) else argument.value.name_hint or f"arg{index}"
    unique, count = name, 0
    while unique in taken:
        count += 1
        unique = f"{name}_{count}"
    taken.add(unique)
    return unique


def _strings(value: Attribute | None) -> list[str]:
    if not isinstance(value, ArrayAttr):
        return []
    items = cast("ArrayAttr[Attribute]", value).data
    return [s.data for s in items if isinstance(s, StringAttr)]


# How memory is used


def access_of(memory: SSAValue, launched: Callable[[Operation, int], str | None] | None = None) -> str:
    """`read`, `write` or `readwrite`: what the function does with a memref, through all views of it.

    `launched` tells it of an operation that launches, by the number of the operand; None if it is none.
    """
    reads = writes = False
    pending, seen = [memory], {memory}
    while pending:
        for use in pending.pop().uses:
            if launched is not None and (known := launched(use.operation, use.index)) is not None:
                onward, read, write = (), known != "write", known != "read"
            else:
                onward, read, write = _use(use.operation, use.index)
            reads, writes = reads or read, writes or write
            fresh = [v for v in onward if v not in seen]
            seen.update(fresh)
            pending += fresh
    return "readwrite" if reads and writes else "write" if writes else "read"


def _use(op: Operation, index: int) -> tuple[Sequence[SSAValue], bool, bool]:
    """The values that are the same memory, and whether `op` reads and writes it through operand `index`."""
    name = op.name
    if name == "memref.prefetch":
        return [], False, False
    if name in VIEWS:
        return [r for r in op.results if isinstance(r.type, MemRefType | LLVMPointerType)], False, False
    if name in ADDRESSES:
        return op.results, False, False
    if name in HARMLESS or (op.dialect_name() == "arith" and not isinstance(op.operands[index].type, MemRefType)):
        return (), False, False  # What else is computed of an address is none.
    if name in READS or (name in ALSO_READ and ALSO_READ[name] == index):
        return (), True, False
    if name in WRITES and WRITES[name] == index:
        return (), False, True
    if name in ("cf.br", "cf.cond_br"):
        return _branch_targets(op, index), False, False
    if isinstance(op, func.CallOp):
        return _callee_argument(op, index)
    return (), True, True


def _callee_argument(op: func.CallOp, index: int) -> tuple[Sequence[SSAValue], bool, bool]:
    """The argument that operand `index` of a call becomes; of a function elsewhere nothing is known."""
    callee = SymbolTable.lookup_symbol(op, op.callee)
    if not isinstance(callee, func.FuncOp) or not callee.body.blocks:
        return (), True, True
    returned = any(isinstance(type, MemRefType) for type in callee.function_type.outputs)
    return (_entry_args(callee)[index],), returned, returned


def _branch_targets(op: Operation, index: int) -> Sequence[SSAValue]:
    """The block argument that operand `index` of a branch becomes."""
    if op.name == "cf.cond_br":
        index -= 1
    for block in op.successors:
        if index < len(block.args):
            return (block.args[index],)
        index -= len(block.args)
    return ()


def strip(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """A function's attributes without those that the record now holds."""
    return {k: v for k, v in attributes.items() if k not in RECORDED}


def llvm_attributes(attributes: Mapping[str, Attribute]) -> DictionaryAttr:
    """The argument attributes that llvm understands."""
    return DictionaryAttr({k: v for k, v in attributes.items() if k.startswith("llvm.")})
