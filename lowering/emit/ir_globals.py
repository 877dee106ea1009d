"""How globals of the llvm dialect are written as LLVM IR, initialisers in regions too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects.llvm.enums import GEP_USE_SSA_VAL, UNNAMED_ADDRS, VISIBILITIES
from hologram.dialects.llvm.memory import gep_flag_words
from hologram.errors import PassError
from hologram.lowering.emit.ir_instructions import number
from hologram.lowering.emit.ir_types import bracketed, field_types, quoted, symbol
from hologram.lowering.emit.ir_writer import CONSTANTS, Shared, Writer, zero_text


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
    if isinstance(section := properties.get("section"), StringAttr):
        text += f', section "{quoted(section.data.encode())}"'
    alignment = number(properties.get("alignment"))
    return text + (f", align {alignment}" if alignment else "")


_Parts: TypeAlias = "list[str | _Parts]"
"""The texts of an aggregate's fields; lists for aggregates in it."""


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
            if op.name in CONSTANTS:
                self.names[op.results[0]] = CONSTANTS[op.name](self.writer, op)
            elif op.name == "llvm.insertvalue":
                self._insert(op)
            elif op.name in _EXPRESSIONS:
                self.names[op.results[0]] = _EXPRESSIONS[op.name](self, op)
            else:
                message = f"{op.name} can't be part of a constant, so not of the initialiser of a global"
                raise PassError(op, "llvm-ir-initialiser", message)
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


def _conversion(i: _Initializer, op: Operation) -> str:
    word = op.name.removeprefix("llvm.")
    return f"{word} ({i.typed(op.operands[0])} to {i.types(op.results[0].type)})"


def _sum(i: _Initializer, op: Operation) -> str:
    return f"{op.name.removeprefix('llvm.')} ({', '.join(i.typed(v) for v in op.operands)})"


def _address(i: _Initializer, op: Operation) -> str:
    base, *dynamic = op.operands
    values = iter(dynamic)
    raw = cast("Any", op.properties["rawConstantIndices"]).get_values()
    indices = ", ".join(i.typed(next(values)) if n == GEP_USE_SSA_VAL else f"i32 {n}" for n in raw)
    words = "".join(f" {word}" for word in gep_flag_words(number(op.properties.get("noWrapFlags"))))
    return f"getelementptr{words} ({i.types(op.properties['elem_type'])}, {i.typed(base)}, {indices})"


_EXPRESSIONS: dict[str, Callable[[_Initializer, Operation], str]] = {
    "llvm.getelementptr": _address,
    "llvm.ptrtoint": _conversion,
    "llvm.inttoptr": _conversion,
    "llvm.bitcast": _conversion,
    "llvm.addrspacecast": _conversion,
    "llvm.trunc": _conversion,
    "llvm.add": _sum,
    "llvm.sub": _sum,
    "llvm.xor": _sum,
}
