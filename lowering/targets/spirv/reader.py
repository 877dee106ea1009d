"""Reads a SPIR-V binary as a `spirv.module`: the inverse of `writer`, for structured compute programs."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    SymbolRefAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import OptPropertyDef, VarOperandDef

from hologram.dialects import spirv
from hologram.errors import InputError
from hologram.lowering.targets.spirv.binary import MAGIC, OPCODES, instructions, text_of
from hologram.lowering.targets.spirv.writer import Declared, number_of

Words = Sequence[int]
_NAMES = {number: name for name, number in OPCODES.items()}
_OPERATIONS: dict[tuple[int, int | None], type[spirv.SpirvOp]] = {
    (op.OPCODE, op.EXTENSION): op for op in spirv.OPERATIONS.values() if issubclass(op, spirv.SpirvOp)
}


def read_module(data: bytes, name: str = "module") -> spirv.ModuleOp:
    """The module in a binary, with a `vce_triple`."""
    if len(data) < 20 or len(data) % 4:
        _refuse("a SPIR-V binary is a number of words, at least five")
    words = struct.unpack(f"<{len(data) // 4}I", data)
    if words[0] != MAGIC:
        _refuse(f"a SPIR-V binary begins with {MAGIC:#x}, not {words[0]:#x}")
    try:
        return _Reader(words, name).read()
    except (KeyError, IndexError, ValueError, struct.error) as error:
        _refuse(f"the binary is broken, or uses what this dialect lacks: {error!r}")


def _refuse(message: str) -> NoReturn:
    raise InputError("spirv-binary", message, hint="spirv-val says what is wrong with a module")


@dataclass
class _Code:
    """A block of the binary."""

    label: int
    phis: list[Words] = field(default_factory=list[Words])
    body: list[tuple[int, Words]] = field(default_factory=list[tuple[int, Words]])
    merge: tuple[str, Words] | None = None

    @property
    def targets(self) -> Words:
        """The labels that the terminator goes to."""
        opcode, words = self.body[-1]
        name = _NAMES.get(opcode)
        return words[:1] if name == "Branch" else words[1:3] if name == "BranchConditional" else ()


class _Reader(Declared):
    """The walk over one binary."""

    def __init__(self, words: Words, name: str):
        super().__init__(words)
        self.name = name
        self.head: dict[str, list[Words]] = {}
        self.functions: list[tuple[Words, list[tuple[int, Words]]]] = []
        self.globals: list[Operation] = []

    def read(self) -> spirv.ModuleOp:
        """The module."""
        inside: list[tuple[int, Words]] | None = None
        for _, opcode, words in instructions(self.words):
            name = _NAMES.get(opcode, "")
            if name == "Function":
                inside = []
                self.functions.append((words, inside))
                self.symbols[words[1]] = self.names.get(words[1], f"f{words[1]}")
            elif name == "FunctionEnd":
                inside = None
            elif inside is not None:
                inside.append((opcode, words))
            else:
                self._declare(name, opcode, words)
        if inside is not None:
            raise ValueError("the last function has no end")
        functions = [_Function(self, words, code).read() for words, code in self.functions]
        body = Region(Block([*self.globals, *functions, *self._entries()]))
        module = spirv.ModuleOp(self.name, body, self._triple())
        model, memory = self.head["MemoryModel"][0]
        module.properties["addressing_model"] = spirv.AddressingModelAttr(_named(spirv.AddressingModelAttr, model))
        module.properties["memory_model"] = spirv.MemoryModelAttr(_named(spirv.MemoryModelAttr, memory))
        return module

    def _declare(self, name: str, opcode: int, words: Words) -> None:
        if name in ("Name", "String"):
            texts = self.names if name == "Name" else self.strings
            texts[words[0]] = text_of(words[1:])[0]
        elif name in ("Decorate", "MemberDecorate"):
            decorations = self.decorations if name == "Decorate" else self.members
            decorations.setdefault(words[0], []).append(words[1:])
        elif name == "ExtInstImport":
            self.glsl = words[0]
        elif name.startswith("Type"):
            self.declare_type(name, words)
        elif name.startswith("Constant") and name != "ConstantNull":
            self.declare_constant(name, words)
        elif name == "Variable":
            self._variable(words)
        elif name.startswith("SpecConstant"):
            self._spec_constant(name, words)
        elif name in ("Capability", "Extension", "MemoryModel", "EntryPoint", "ExecutionMode"):
            self.head.setdefault(name, []).append(words)
        elif name not in ("Source", "MemberName", "Line", "NoLine", "ModuleProcessed"):
            _refuse(f"instruction {name or opcode} has no operation in the spirv dialect here")

    def _variable(self, words: Words) -> None:
        number = words[1]
        name = self.symbols[number] = self.names.get(number, f"v{number}")
        pointer = self.pointers[number] = self.types[words[0]]
        place = self.decorated(number, "DescriptorSet"), self.decorated(number, "Binding")
        binding = None if place[0] is None or place[1] is None else (place[0][0], place[1][0])
        built_in = self.decorated(number, "BuiltIn")
        word = None if built_in is None else next(n for n, v in spirv.BUILT_INS.items() if v == built_in[0])
        variable = spirv.GlobalVariableOp(name, pointer, binding=binding, built_in=word)
        variable.attributes |= self.flags(number)
        self.globals.append(variable)

    def _spec_constant(self, name: str, words: Words) -> None:
        number, type = words[1], self.types[words[0]]
        value = number_of(type, words[2:]) if name == "SpecConstant" else IntegerAttr(int(name.endswith("True")), i1)
        self.spec[number] = type
        self.symbols[number] = self.names.get(number, f"s{number}")
        (spec_id,) = self.decorated(number, "SpecId") or (0,)
        self.globals.append(spirv.SpecConstantOp(self.symbols[number], value, spec_id))

    def _triple(self) -> spirv.TripleAttr:
        names = {value: name for name, value in spirv.CAPABILITIES.items()}
        capabilities = [names[w[0]] for w in self.head.get("Capability", [])]
        extensions = [text_of(w)[0] for w in self.head.get("Extension", [])]
        return spirv.TripleAttr.of(f"v1.{self.words[1] >> 8 & 0xFF}", capabilities, extensions)

    def _entries(self) -> list[Operation]:
        entries: list[Operation] = []
        for words in self.head.get("EntryPoint", []):
            _, size = text_of(words[2:])
            interface = [self.symbols[n] for n in words[2 + size :]]
            model = _named(spirv.ExecutionModelAttr, words[0])
            entries.append(spirv.EntryPointOp(self.symbols[words[1]], interface, model))
        for words in self.head.get("ExecutionMode", []):
            mode = _named(spirv.ExecutionModeAttr, words[1])
            entries.append(spirv.ExecutionModeOp(self.symbols[words[0]], mode, words[2:]))
        return entries


def _named(kind: type[spirv.EnumAttr], number: int) -> str:
    if (name := kind.from_number(number)) is None:
        _refuse(f"{number} is not in the enumeration #{kind.name}")
    return name


class _Function:
    """The walk over one function."""

    def __init__(self, module: _Reader, words: Words, code: Sequence[tuple[int, Words]]):
        self.module, self.words = module, words
        self.values: dict[int, SSAValue] = {}
        self.codes: dict[int, _Code] = {}
        self.parameters: list[Words] = []
        self.phis: dict[int, dict[int, list[int]]] = {}
        """For each block with phis, by the block before it, the values that it passes."""
        self.into = Block()
        self.label = 0
        self.place: LocationAttr | None = None
        self._split(code)

    def _split(self, code: Sequence[tuple[int, Words]]) -> None:
        current: _Code | None = None
        for opcode, words in code:
            name = _NAMES.get(opcode, "")
            if name == "FunctionParameter":
                self.parameters.append(words)
            elif name == "Label":
                current = self.codes[words[0]] = _Code(words[0])
            elif current is None:
                _refuse("a function begins with a label")
            elif name == "Phi":
                current.phis.append(words)
                for value, before in zip(words[2::2], words[3::2], strict=True):
                    self.phis.setdefault(current.label, {}).setdefault(before, []).append(value)
            elif name in ("SelectionMerge", "LoopMerge"):
                current.merge = name, words
            else:
                current.body.append((opcode, words))

    def read(self) -> spirv.FuncOp:
        """The function."""
        types = self.module.types
        entry = Block(arg_types=[types[w[0]] for w in self.parameters])
        for words, argument in zip(self.parameters, entry.args, strict=True):
            self._define(words[1], argument)
        region = Region()
        control = _named(spirv.FunctionControlAttr, self.words[2])
        function = spirv.FuncOp(self.module.symbols[self.words[1]], types[self.words[3]], region, control)
        labels = list(self.codes)
        self._fill(region, labels, {labels[0]: entry})
        return function

    def _define(self, number: int, value: SSAValue) -> None:
        self.values[number] = value
        name = self.module.names.get(number)
        value.name_hint = name if name is not None and SSAValue.is_valid_name(name) else None

    def _fill(self, region: Region, labels: Sequence[int], blocks: dict[int, Block]) -> None:
        """Puts the blocks of a construct into a region, those of inner ones into theirs."""
        taken: set[int] = set()
        for label in labels:
            if label in taken:
                continue
            block = self._block(label, blocks)
            region.add_block(block)
            self.into = block
            self._code(label, blocks, taken)

    def _block(self, label: int, blocks: dict[int, Block]) -> Block:
        if label not in blocks:
            code = self.codes[label]
            block = blocks[label] = Block(arg_types=[self.module.types[w[0]] for w in code.phis])
            for words, argument in zip(code.phis, block.args, strict=True):
                self._define(words[1], argument)
        return blocks[label]

    def _code(self, label: int, blocks: dict[int, Block], taken: set[int]) -> None:
        """The operations of a block; where it is a header, the construct, and then what follows its merge block."""
        while True:
            code = self.codes[label]
            taken.add(label)
            self.label = label
            for opcode, words in code.body[:-1]:
                if _NAMES.get(opcode) == "Line":
                    self.place = FileLineColLoc(StringAttr(self.module.strings[words[0]]), *map(IntAttr, words[1:3]))
                elif _NAMES.get(opcode) != "NoLine":
                    self._operation(opcode, words)
            if code.merge is not None and code.merge[0] == "SelectionMerge":
                label = self._selection(code, blocks, taken)
            elif (target := self._loop_header(code)) is not None and target not in taken:
                label = self._loop(self.codes[target], taken)
            else:
                self._terminator(*code.body[-1], blocks)
                return

    def _loop_header(self, code: _Code) -> int | None:
        target = code.targets[0] if len(code.targets) == 1 else None
        merge = None if target is None else self.codes[target].merge
        return target if merge is not None and merge[0] == "LoopMerge" else None

    def _inside(self, starts: Sequence[int], after: int) -> list[int]:
        """The blocks that are reached without passing `after`, in the order of the binary."""
        labels, pending = set[int](), [s for s in starts if s != after]
        while pending:
            label = pending.pop()
            if label in labels:
                continue
            labels.add(label)
            code = self.codes[label]
            inner = [code.merge[1][0]] if code.merge is not None else []
            pending += [n for n in (*code.targets, *inner) if n != after]
        return [label for label in self.codes if label in labels]

    def _selection(self, code: _Code, blocks: Mapping[int, Block], taken: set[int]) -> int:
        assert code.merge is not None
        after, control = code.merge[1][:2]
        outer, label = self.into, self.label
        header, merge, region = Block(), Block([spirv.MergeOp()]), Region()
        region.add_block(header)
        inner = {after: merge}
        self.into, self.label = header, label
        self._terminator(*code.body[-1], inner)
        inside = self._inside(code.targets, after)
        self._fill(region, inside, inner)
        region.add_block(merge)
        taken.update(inside)
        return self._leave(outer, spirv.SelectionOp(region, _named(spirv.SelectionControlAttr, control)), after)

    def _leave(self, outer: Block, op: Operation, after: int) -> int:
        if self.codes[after].phis:
            _refuse("values that meet behind a selection or loop go through variables in this dialect, not OpPhi")
        self.into = outer
        outer.add_op(op)
        return after

    def _loop(self, header: _Code, taken: set[int]) -> int:
        assert header.merge is not None
        after, back, control = header.merge[1][:3]
        outer = self.into
        entry, merge, region = Block(), Block([spirv.MergeOp()]), Region()
        inner = {after: merge}
        region.add_block(entry)
        self.into = entry
        entry.add_op(spirv.BranchOp(self._block(header.label, inner), self._passed(header.label)))
        inside = self._inside([header.label], after)
        inside = [n for n in inside if n != back] + [back]
        taken.add(header.label)
        self._fill(region, inside, inner)
        region.add_block(merge)
        taken.update(inside)
        return self._leave(outer, spirv.LoopOp(region, _named(spirv.LoopControlAttr, control)), after)

    def _passed(self, target: int) -> list[SSAValue]:
        return [self._value(n) for n in self.phis.get(target, {}).get(self.label, [])]

    def _terminator(self, opcode: int, words: Words, blocks: dict[int, Block]) -> None:
        name = _NAMES.get(opcode)
        if name == "Branch":
            self.into.add_op(spirv.BranchOp(self._block(words[0], blocks), self._passed(words[0])))
        elif name == "BranchConditional":
            condition = self._value(words[0])
            true, false = (self._block(n, blocks) for n in words[1:3])
            passed = [self._passed(n) for n in words[1:3]]
            self.into.add_op(spirv.BranchConditionalOp(condition, true, false, *passed))
        else:
            self._operation(opcode, words)

    def _value(self, number: int) -> SSAValue:
        if number in self.values:
            return self.values[number]
        module = self.module
        if number in module.constants:
            op: Operation = spirv.ConstantOp(module.constants[number], module.types[-number])
        else:
            is_spec = number in module.spec
            type = module.spec[number] if is_spec else module.pointers[number]
            symbol = {"spec_const" if is_spec else "variable": SymbolRefAttr(module.symbols[number])}
            op = spirv.build("mlir.referenceof" if is_spec else "mlir.addressof", (), (type,), symbol)
        # One for each use: what dominates all of them is not known yet.
        self.into.add_op(op)
        return op.results[0]

    def _operation(self, opcode: int, words: Words) -> None:
        name = _NAMES.get(opcode)
        if name == "Variable":
            start = self._value(words[3]) if len(words) > 3 else None
            return self._add(spirv.VariableOp(self.module.types[words[0]], start), words[1])
        if name == "FunctionCall":
            type = self.module.types[words[0]]
            arguments = [self._value(n) for n in words[3:]]
            types = [] if type is None else [type]
            return self._add(spirv.FunctionCallOp(self.module.symbols[words[2]], arguments, types), words[1])
        extension = words[3] if opcode == spirv.EXTENDED else None
        if (kind := _OPERATIONS.get((opcode, extension))) is None:
            _refuse(f"instruction {name or opcode} has no operation in the spirv dialect here")
        self._plain(kind, words)

    def _add(self, op: Operation, number: int) -> None:
        self.into.add_op(op)
        for result in op.results:
            self._define(number, result)

    def _plain(self, kind: type[spirv.SpirvOp], words: Words) -> None:
        definition = kind.get_irdl_definition()
        types = [self.module.types[words[0]]] if definition.results else []
        rest = list(words[2:] if types else words)
        if kind.EXTENSION is not None:
            rest = rest[2:]
        operands: dict[str, list[SSAValue]] = {}
        properties: dict[str, Attribute] = {}
        operand_defs = dict(definition.operands)
        for field_name in kind.words():
            if field_name in operand_defs:
                count = len(rest) if isinstance(operand_defs[field_name], VarOperandDef) else 1
                operands[field_name] = [self._value(rest.pop(0)) for _ in range(count)]
            elif rest or not isinstance(definition.properties[field_name], OptPropertyDef):
                properties[field_name] = self._property(definition.properties[field_name].constr, rest)
        given = [value for field_name, _ in definition.operands for value in operands.get(field_name, [])]
        op = kind.create(operands=given, result_types=types, properties=properties)
        if self.place is not None:
            op.location = self.place
        if types:
            op.attributes |= self.module.flags(words[1])
        self._add(op, words[1] if types else 0)

    def _property(self, constraint: Any, rest: list[int]) -> Attribute:
        kind = getattr(constraint, "attr", None)
        if isinstance(kind, type) and issubclass(kind, spirv.EnumAttr):
            number = rest.pop(0)
            if kind.IS_ID:
                number = cast(Any, self.module.constants[number]).value.data
            return kind(_named(kind, number))
        if kind is IntegerAttr or "IntegerAttr" in str(constraint)[:60]:
            return IntegerAttr(rest.pop(0), i32)
        numbers, rest[:] = list(rest), []
        return spirv.i32_array(numbers)
