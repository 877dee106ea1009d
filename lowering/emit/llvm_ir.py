"""Writes a module of the llvm dialect as LLVM IR text, in the syntax of LLVM 22.

The text is made directly, without a library: one walk to name values and constants, one to write instructions by a
table. Values keep their name hints. The entry records of the module's functions become the constant
`@hologram_entries`, so that the text, and any object made from it, can be loaded and launched on its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Operation

from hologram.dialects.llvm.enums import UNNAMED_ADDRS
from hologram.errors import PassError
from hologram.lowering.emit import ir_calls, ir_instructions
from hologram.lowering.emit.ir_attributes import function_attributes, parameter
from hologram.lowering.emit.ir_calls import calling_convention
from hologram.lowering.emit.ir_globals import linkage_words, write_global
from hologram.lowering.emit.ir_instructions import number
from hologram.lowering.emit.ir_types import quoted, symbol
from hologram.lowering.emit.ir_writer import Shared, Writer

if TYPE_CHECKING:
    from hologram.dialects.gpu import ModuleOp as DeviceModule

__all__ = ["ENTRIES", "emit_llvm_ir", "ir_calls", "ir_instructions"]

ENTRIES = "hologram_entries"
"""The symbol of the constant with the entry records."""


def emit_llvm_ir(module: ModuleOp | DeviceModule, *, triple: str = "", data_layout: str = "") -> str:
    """LLVM IR for a module, or a gpu.module, that holds nothing but functions and globals of the llvm dialect.

    `triple` and `data_layout` default to the module's attributes `llvm.target_triple` and `llvm.data_layout`; without
    either the text says nothing of a target.
    """
    shared = Shared(symbols=_symbols(module))
    globals_: list[str] = []
    declarations: list[str] = []
    functions: list[list[str]] = []
    entries: list[Any] = []
    for op in module.body.ops:
        shared.types.place = op
        if op.name == "llvm.func":
            if op.regions[0].blocks.first is None:
                declarations.append(_header(Writer(shared), op, "declare", []))
            else:
                functions.append(_function(shared, op))
            if (record := _entry(op)) is not None:
                entries.append(record)
                functions += _packed(shared, op, record)
        elif op.name == "llvm.mlir.global":
            globals_.append(write_global(shared, op))
        else:
            raise PassError(
                op,
                "llvm-ir-top-level",
                f"{op.name} can't be written as LLVM IR: a module holds llvm.func and llvm.mlir.global",
                hint="run convert-to-llvm first",
            )
    if entries:
        globals_.append(_entries(entries))
    head = [_target(module, triple, data_layout), _definitions(shared), globals_, declarations]
    parts = [*head, *functions, _groups(shared), _nodes(shared)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _symbols(module: ModuleOp | DeviceModule) -> frozenset[str]:
    names = (op.properties.get("sym_name") for op in module.body.ops)
    return frozenset(name.data for name in names if isinstance(name, StringAttr))


def _target(module: ModuleOp | DeviceModule, triple: str, data_layout: str) -> list[str]:
    lines: list[str] = []
    for word, given, name in (
        ("datalayout", data_layout, "llvm.data_layout"),
        ("triple", triple, "llvm.target_triple"),
    ):
        own = module.attributes.get(name)
        text = given or (own.data if isinstance(own, StringAttr) else "")
        if text:
            lines.append(f'target {word} = "{quoted(text.encode())}"')
    return lines


def _definitions(shared: Shared) -> list[str]:
    return [f"{name} = type {text}" for name, text in shared.types.definitions.items()]


def _groups(shared: Shared) -> list[str]:
    return [f"attributes #{index} = {{ {text} }}" for text, index in shared.groups.items()]


def _nodes(shared: Shared) -> list[str]:
    return [f"!{index} = {text}" for index, text in enumerate(shared.metadata.nodes)]


# Functions


def _function(shared: Shared, op: Operation) -> list[str]:
    """The lines of one function that has a body."""
    region = op.regions[0]
    entry = region.blocks.first
    writer = Writer(shared)
    names = [writer.define(arg) for arg in entry.args] if entry is not None else []
    head = _header(writer, op, "define", names)
    writer.body(region)
    return [f"{head} {{", *writer.lines, "}"]


def _header(w: Writer, op: Operation, word: str, names: Sequence[str]) -> str:
    properties = op.properties
    type: Any = properties["function_type"]
    returned = _attributes(op, "res_attrs", 1)[0]
    result = (parameter(op, returned, w.types).lstrip() + " ") if returned is not None and returned.data else ""
    parameters = _attributes(op, "arg_attrs", len(type.inputs.data))
    parts = [f"{w.types(t)}{parameter(op, a, w.types)}" for t, a in zip(type.inputs.data, parameters, strict=True)]
    if names:
        parts = [f"{part} {name}" for part, name in zip(parts, names, strict=True)]
    if type.is_variadic:
        parts.append("...")
    name = symbol(cast("Any", properties["sym_name"]).data)
    head = (
        f"{word} {linkage_words(op)}{calling_convention(op)}{result}{w.types(type.output)} {name}({', '.join(parts)})"
    )
    unnamed = UNNAMED_ADDRS[number(properties.get("unnamed_addr"))]
    head += f" {unnamed}" if unnamed else ""
    head += w.shared.group(function_attributes(op))
    if isinstance(section := properties.get("section"), StringAttr):
        head += f' section "{quoted(section.data.encode())}"'
    alignment = number(properties.get("alignment"))
    head += f" align {alignment}" if alignment else ""
    for kind in ("reqd_work_group_size", "work_group_size_hint"):
        if (sizes := properties.get(kind)) is not None:
            listed = ", ".join(f"i32 {n}" for n in cast("Any", sizes).get_values())
            head += f" !{kind} !{w.metadata.node(f'!{{{listed}}}')}"
    return head


def _attributes(op: Operation, name: str, count: int) -> Sequence[DictionaryAttr | None]:
    given = op.properties.get(name)
    if not isinstance(given, ArrayAttr):
        return [None] * count
    return cast("ArrayAttr[DictionaryAttr]", given).data


# Entry records


def _entry(op: Operation) -> dict[str, Any] | None:
    record = op.attributes.get("hologram.entry")
    if record is None:
        return None
    try:
        found: Any = json.loads(record.data) if isinstance(record, StringAttr) else None
    except ValueError as error:
        raise PassError(op, "llvm-ir-entry-json", f"hologram.entry does not hold JSON: {error}") from error
    if not isinstance(found, dict):
        raise PassError(op, "llvm-ir-entry-record", "hologram.entry must be a string that holds a JSON object")
    return cast("dict[str, Any]", found)


def _packed(shared: Shared, op: Operation, record: dict[str, Any]) -> list[list[str]]:
    """The packed form of an entry, which the record then names: its one parameter points to 64-bit words, a parameter
    of the entry in each. All entries have the same C type in this form, so one compiled launcher serves them all.
    """
    properties = cast("Any", op.properties)
    name = f"hologram_call_{properties['sym_name'].data}"
    if name in shared.symbols or op.regions[0].blocks.first is None:
        return []
    record["packed"] = name
    types = [shared.types(t) for t in properties["function_type"].inputs.data]
    lines = [f"define void {symbol(name)}(ptr %words) {{"]
    for i, type in enumerate(types):
        lines.append(f"  %at{i} = getelementptr i64, ptr %words, i64 {i}")
        lines.append(f"  %value{i} = load {type}, ptr %at{i}")
    values = ", ".join(f"{type} %value{i}" for i, type in enumerate(types))
    # A second copy of the kernel would cost compile time and win nothing.
    call = f"  call {calling_convention(op)}void {symbol(properties['sym_name'].data)}({values}) noinline"
    return [[*lines, call, "  ret void", "}"]]


def _entries(records: Sequence[Any]) -> str:
    data = json.dumps(records, separators=(",", ":")).encode() + b"\0"
    return f'@{ENTRIES} = constant [{len(data)} x i8] c"{quoted(data)}"'
