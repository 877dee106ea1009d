"""Writes a module of the llvm dialect as LLVM IR text, in the syntax of LLVM 22: its functions and its globals.

The text is made directly, without a library: one walk to name values and constants, one to write instructions by a
table. Values keep their name hints. An initialiser of a global that is a region becomes one constant. The entry records
of the module's functions become the constant `@hologram_entries`, so that the text, and any object made from it, can
be loaded and launched on its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects import marks
from hologram.dialects.llvm.enums import UNNAMED_ADDRS, VISIBILITIES
from hologram.errors import PassError
from hologram.lowering.targets.llvm.text.attributes import function_attributes, parameter
from hologram.lowering.targets.llvm.text.instructions import (
    calling_convention,
    dictionaries,
    index_list,
    no_wrap_words,
    number,
    result_attributes,
)
from hologram.lowering.targets.llvm.text.types import bracketed, field_types, quoted, symbol
from hologram.lowering.targets.llvm.text.writer import CONSTANTS, Shared, Writer, zero_text
from hologram.support.registry import Registry

if TYPE_CHECKING:
    from hologram.dialects.gpu import ModuleOp as DeviceModule


def linkage_words(op: Operation) -> str:
    """Linkage, locality and visibility, each with a blank after it; external linkage is not said."""
    properties = op.properties
    linkage: str = cast("Any", properties["linkage"]).linkage.data if "linkage" in properties else "external"
    words = [linkage] if linkage != "external" else []
    if "dso_local" in properties:
        words.append("dso_local")
    if visibility := number(properties.get("visibility_")):
        words.append(VISIBILITIES[visibility])
    return "".join(f"{word} " for word in words)


def write_global(shared: Shared, op: Operation) -> str:
    """The line of one global."""
    properties = op.properties
    type = properties["global_type"]
    value = properties.get("value")
    block = op.regions[0].blocks.first
    words = linkage_words(op)
    if value is not None:
        initial = shared.constants.text(op, value, type)
    elif block is not None:
        initial = _Initializer(shared).value(block)
    elif words.startswith("extern_weak") or not words.startswith(("internal", "private", "common", "weak", "linkonce")):
        initial = None
        words = words if words.startswith("extern_weak") else f"external {words}"
    else:
        initial = "zeroinitializer" if words.startswith("common") else "undef"
    text = f"{symbol(cast('Any', properties['sym_name']).data)} = {words}"
    text += "thread_local " if "thread_local_" in properties else ""
    unnamed = UNNAMED_ADDRS[number(properties.get("unnamed_addr"))]
    text += f"{unnamed} " if unnamed else ""
    space = number(properties.get("addr_space"))
    text += f"addrspace({space}) " if space else ""
    text += "externally_initialized " if "externally_initialized" in properties else ""
    text += f"{'constant' if 'constant' in properties else 'global'} {shared.types(type)}"
    text += f" {initial}" if initial is not None else ""
    return text + _placement(op, ", ")


def _placement(op: Operation, separator: str) -> str:
    """Return the section and the alignment of a function or global, each with a separator before it."""
    section, alignment = op.properties.get("section"), number(op.properties.get("alignment"))
    text = f'{separator}section "{quoted(section.data.encode())}"' if isinstance(section, StringAttr) else ""
    return f"{text}{separator}align {alignment}" if alignment else text


_Parts: TypeAlias = "list[str | _Parts]"
"""The texts of an aggregate's fields; lists for aggregates in it."""


Expression: TypeAlias = "Callable[[_Initializer, Operation], str]"


def _no_constant(op: Operation) -> PassError:
    message = f"{op.name} can't be part of a constant, so not of the initialiser of a global"
    return PassError(op, "llvm-ir-initialiser", message)


_EXPRESSIONS = Registry[Expression](missing=_no_constant)


class _Initializer:
    """Works out the operations of an initialiser region as one constant."""

    def __init__(self, shared: Shared):
        self.shared = shared
        self.types = shared.types
        self.writer = Writer(shared)
        self.names = self.writer.names
        self.parts: dict[SSAValue, _Parts] = {}
        """The aggregates that are being put together."""

    def value(self, block: Block) -> str:
        """The text of what the region returns."""
        last = block.last_op
        assert last is not None, "the verifier lets no initialiser region be empty"
        for op in block.ops:
            self.types.place = op
            if op is last:
                break
            if (constant := CONSTANTS.find(type(op))) is not None:
                self.names[op.results[0]] = constant(self.writer, op)
            elif op.name == "llvm.insertvalue":
                self._insert(op)
            else:
                self.names[op.results[0]] = _EXPRESSIONS.of(op)(self, op)
        return self._text(last.operands[0])

    def typed(self, value: SSAValue) -> str:
        return f"{self.types(value.type)} {self._text(value)}"

    def _text(self, value: SSAValue) -> str:
        parts = self.parts.get(value)
        return self.names[value] if parts is None else self._joined(value.type, parts)

    def _joined(self, type: Attribute, parts: _Parts) -> str:
        inside = [f"{self.types(t)} {self._part(t, part)}" for t, part in zip(_fields(type), parts, strict=True)]
        return bracketed(", ".join(inside), type)

    def _part(self, type: Attribute, part: _Parts | str) -> str:
        return part if isinstance(part, str) else self._joined(type, part)

    def _insert(self, op: Operation) -> None:
        container, value = op.operands
        parts = self._opened(op, container)
        here, type = parts, container.type
        *path, last = cast("tuple[int, ...]", cast("Any", op.properties["position"]).get_values())
        for index in path:
            type = _fields(type)[index]
            part = here[index]
            if isinstance(part, str):
                part = here[index] = self._spread(op, type, part)
            here = part
        here[last] = self._text(value) if value not in self.parts else _copy(self.parts[value])
        self.parts[op.results[0]] = parts

    def _opened(self, op: Operation, container: SSAValue) -> _Parts:
        """The fields of an aggregate, to be changed."""
        if container in self.parts:
            return _copy(self.parts[container])
        return self._spread(op, container.type, self.names[container])

    def _spread(self, op: Operation, type: Attribute, text: str) -> _Parts:
        """The fields of an aggregate that is all alike."""
        if text not in ("undef", "poison", "zeroinitializer"):
            message = "only an aggregate that is undefined, poison or zero can be filled in the initialiser of a global"
            raise PassError(op, "llvm-ir-initialiser-aggregate", message)
        return [zero_text(t) if text == "zeroinitializer" else text for t in _fields(type)]


def _copy(parts: _Parts) -> _Parts:
    return [part if isinstance(part, str) else _copy(part) for part in parts]


def _fields(type: Attribute) -> Sequence[Attribute]:
    return field_types(type) or ()


# Constant expressions


@_EXPRESSIONS.on("llvm.ptrtoint", "llvm.inttoptr", "llvm.bitcast", "llvm.addrspacecast", "llvm.trunc")
def _conversion(i: _Initializer, op: Operation) -> str:
    word = op.name.removeprefix("llvm.")
    return f"{word} ({i.typed(op.operands[0])} to {i.types(op.results[0].type)})"


@_EXPRESSIONS.on("llvm.add", "llvm.sub", "llvm.xor")
def _sum(i: _Initializer, op: Operation) -> str:
    return f"{op.name.removeprefix('llvm.')} ({', '.join(i.typed(v) for v in op.operands)})"


@_EXPRESSIONS.on("llvm.getelementptr")
def _address(i: _Initializer, op: Operation) -> str:
    element = i.types(op.properties["elem_type"])
    return f"getelementptr{no_wrap_words(op)} ({element}, {i.typed(op.operands[0])}, {index_list(op, i.typed)})"


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
    parameters = dictionaries(op, "arg_attrs", len(type.inputs.data))
    parts = [f"{w.types(t)}{parameter(op, a, w.types)}" for t, a in zip(type.inputs.data, parameters, strict=True)]
    if names:
        parts = [f"{part} {name}" for part, name in zip(parts, names, strict=True)]
    if type.is_variadic:
        parts.append("...")
    name = symbol(cast("Any", properties["sym_name"]).data)
    head = f"{word} {linkage_words(op)}{calling_convention(op)}{result_attributes(w, op)}{w.types(type.output)} {name}"
    unnamed = UNNAMED_ADDRS[number(properties.get("unnamed_addr"))]
    head += f"({', '.join(parts)})" + (f" {unnamed}" if unnamed else "") + w.shared.group(function_attributes(op))
    head += _placement(op, " ")
    for kind in ("reqd_work_group_size", "work_group_size_hint"):
        if (sizes := properties.get(kind)) is not None:
            listed = ", ".join(f"i32 {n}" for n in cast("Any", sizes).get_values())
            head += f" !{kind} !{w.metadata.node(f'!{{{listed}}}')}"
    return head


# Entry records


def _entry(op: Operation) -> dict[str, Any] | None:
    record = op.attributes.get(marks.ENTRY)
    if record is None:
        return None
    try:
        entry: Any = json.loads(record.data) if isinstance(record, StringAttr) else None
    except ValueError as error:
        raise PassError(op, "llvm-ir-entry-json", f"hologram.entry does not hold JSON: {error}") from error
    if not isinstance(entry, dict):
        raise PassError(op, "llvm-ir-entry-record", "hologram.entry must be a string that holds a JSON object")
    return cast("dict[str, Any]", entry)


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
