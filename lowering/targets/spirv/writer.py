"""Writes a `spirv.module` as a SPIR-V binary, and reads what a binary declares before its functions: types, constants,
names and decorations. `reader` is the inverse.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    TensorType,
    UnitAttr,
    VectorType,
    f16,
    f32,
    f64,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects import spirv
from hologram.errors import PassError, where_of
from hologram.errors.limits import LONGEST_NAME
from hologram.lowering.targets.spirv.binary import GLSL, MAGIC, encoded, instruction, text_words
from hologram.support.walking import operations

_INTERFACE = ("StorageBuffer", "PushConstant", "Uniform", "PhysicalStorageBuffer")
"""Storage classes whose structs are blocks."""


def write_module(module: spirv.ModuleOp) -> bytes:
    """The binary of a module that has a `vce_triple`."""
    return _Writer(module).write()


class _Ids:
    """Numbers for what instructions refer to, and the sections of what is declared once."""

    def __init__(self) -> None:
        self.count = 0
        self.names: list[int] = []
        self.decorations: list[int] = []
        self.globals: list[int] = []
        self._types: dict[Attribute, int] = {}
        self._constants: dict[tuple[int, tuple[int, ...]], int] = {}
        self._blocks: set[int] = set()

    def new(self, name: str | None = None) -> int:
        """A new number, with a name for debuggers."""
        self.count += 1
        if name is not None:
            self.names += instruction("Name", self.count, *text_words(name[:LONGEST_NAME]))
        return self.count

    def decorate(self, target: int, decoration: str, *words: int) -> None:
        """Adds a decoration."""
        self.decorations += instruction("Decorate", target, spirv.DECORATIONS[decoration], *words)

    def _declare(self, name: str, *words: int) -> int:
        number = self.new()
        self.globals += instruction(name, number, *words)
        return number

    def type(self, type: Attribute | None) -> int:
        """The number of a type; None is void."""
        key = cast(Attribute, type)
        if (known := self._types.get(key)) is None:
            known = self._types[key] = self._make_type(type)
        return known

    def _make_type(self, type: Attribute | None) -> int:
        match type:
            case None:
                return self._declare("TypeVoid")
            case IntegerType():
                width = type.bitwidth
                return self._declare("TypeBool") if width == 1 else self._declare("TypeInt", width, 0)
            case VectorType():
                return self._declare("TypeVector", self.type(spirv.element_of(type)), *type.get_shape())
            case spirv.ImageType():
                return self._declare("TypeImage", self.type(type.element), *type.numbers)
            case spirv.PointerType():
                return self._pointer(type)
            case spirv.ArrayType() | spirv.RuntimeArrayType():
                return self._array(type)
            case spirv.StructType():
                return self._struct(type)
            case FunctionType():
                result = self.type(type.outputs.data[0] if type.outputs.data else None)
                return self._declare("TypeFunction", result, *map(self.type, type.inputs))
            case _:
                return self._declare("TypeFloat", 8 * spirv.size_of(type))

    def _pointer(self, type: spirv.PointerType) -> int:
        pointee, place = self.type(type.pointee), type.storage_class.data
        if place in _INTERFACE and isinstance(type.pointee, spirv.StructType) and pointee not in self._blocks:
            self._blocks.add(pointee)
            self.decorate(pointee, "Block")
        return self._declare("TypePointer", spirv.STORAGE_CLASSES[place], pointee)

    def _array(self, type: spirv.ArrayType | spirv.RuntimeArrayType) -> int:
        element = self.type(type.element)
        if isinstance(type, spirv.ArrayType):
            number = self._declare("TypeArray", element, self.integer(type.count.data))
        else:
            number = self._declare("TypeRuntimeArray", element)
        if type.stride.data:
            self.decorate(number, "ArrayStride", type.stride.data)
        return number

    def _struct(self, type: spirv.StructType) -> int:
        number = self._declare("TypeStruct", *map(self.type, type.members))
        for index, offset in enumerate(type.offsets):
            self._decorate_member(number, index, "Offset", offset.data)
        for index, decorations in enumerate(type.member_decorations):
            for decoration in decorations:
                self._decorate_member(number, index, decoration.data)
        for decoration in type.decorations:
            if decoration.data == "Block":
                self._blocks.add(number)
            self.decorate(number, decoration.data)
        return number

    def _decorate_member(self, target: int, index: int, decoration: str, *words: int) -> None:
        self.decorations += instruction("MemberDecorate", target, index, spirv.DECORATIONS[decoration], *words)

    def integer(self, value: int) -> int:
        """The number of a constant of 32 bits."""
        return self._scalar(i32, value)

    def constant(self, value: Attribute, type: Attribute) -> int:
        """The number of a constant of a type."""
        if isinstance(value, IntegerAttr | FloatAttr):
            return self._scalar(cast(Any, value).type, value.value.data)
        assert isinstance(value, DenseIntOrFPElementsAttr)
        is_array = isinstance(type, spirv.ArrayType)
        element = type.element if is_array else spirv.element_of(type)
        parts = [self._scalar(element, v) for v in value.get_values()]
        count = type.count.data if is_array else cast("VectorType[Attribute]", type).get_shape()[0]
        whole = list(parts * count if len(parts) == 1 else parts)
        return self._constant("ConstantComposite", type, whole)

    def _scalar(self, type: Attribute, value: Any) -> int:
        kind, words = _scalar_form(type, value)
        return self._constant(kind, type, words)

    def _constant(self, kind: str, type: Attribute, words: Sequence[int]) -> int:
        number = self.type(type)
        key = number, (0 if kind != "ConstantTrue" else 1, *words)
        if (known := self._constants.get(key)) is None:
            known = self._constants[key] = self.new()
            self.globals += instruction(kind, number, known, *words)
        return known


def _scalar_form(type: Attribute, value: Any) -> tuple[str, list[int]]:
    """The instruction and the words of a scalar constant."""
    if spirv.is_bool(type):
        return ("ConstantTrue" if value else "ConstantFalse"), []
    return "Constant", literal(type, value)


def literal(type: Attribute, value: Any) -> list[int]:
    """The words of a number of a type; narrow integers are extended by their sign, as the form wants."""
    size = spirv.size_of(type)
    if not isinstance(type, IntegerType):
        data = struct.pack({2: "<e", 4: "<f", 8: "<d"}[size], value)
        return list(struct.unpack("<I" if size <= 4 else "<2I", data.ljust(4, b"\0")))
    bits = value & (1 << 8 * size) - 1
    return [bits] if size <= 4 else [bits & 0xFFFFFFFF, bits >> 32]


class _Writer(_Ids):
    """The walk over one module."""

    def __init__(self, module: spirv.ModuleOp):
        super().__init__()
        self.module = module
        self.symbols: dict[str, int] = {}
        self.values: dict[SSAValue, int] = {}
        self.labels: dict[Block, int] = {}
        self.label = 0
        self.code: list[list[int]] = []
        self.variables: list[list[int]] = []
        self.phis: dict[Block, list[list[int]]] = {}
        self.strings: list[int] = []
        self.files: dict[str, int] = {}
        self.line: tuple[str, int, int] | None = None
        self.glsl = 0

    def write(self) -> bytes:
        """The whole binary."""
        triple = self.module.vce_triple
        if triple is None:
            raise PassError(
                self.module,
                "spirv-no-triple",
                "the module does not say which version and capabilities it needs",
                hint="convert-gpu-to-spirv gives it a vce_triple",
            )
        ops = list(self.module.body.block.ops)
        if any(op.name.startswith("spirv.GL.") for op in operations(self.module)):
            self.glsl = self.new()
        for op in ops:
            if isinstance(op, spirv.GlobalVariableOp):
                self._global(op)
            elif isinstance(op, spirv.SpecConstantOp):
                self._spec_constant(op)
        functions = [op for op in ops if isinstance(op, spirv.FuncOp)]
        for op in functions:
            self.symbols[op.sym_name.data] = self.new(op.sym_name.data)
        body = [word for op in functions for word in self._function(op)]
        words = [*self._head(triple, ops), *self.strings, *self.names, *self.decorations, *self.globals, *body]
        minor = int(triple.version.data.removeprefix("v1."))
        words = [MAGIC, 0x10000 | minor << 8, 0, self.count + 1, 0, *words]
        return struct.pack(f"<{len(words)}I", *words)

    def _head(self, triple: spirv.TripleAttr, ops: Iterable[Operation]) -> list[int]:
        head: list[int] = []
        for capability in triple.capabilities:
            head += instruction("Capability", spirv.CAPABILITIES[capability.data])
        for extension in triple.extensions:
            head += instruction("Extension", *text_words(extension.data))
        if self.glsl:
            head += instruction("ExtInstImport", self.glsl, *text_words(GLSL))
        head += instruction("MemoryModel", self.module.addressing_model.number, self.module.memory_model.number)
        modes: list[int] = []
        for op in ops:
            if isinstance(op, spirv.EntryPointOp):
                name = op.fn.root_reference.data
                interface = [self.symbols[s.root_reference.data] for s in op.interface]
                head += instruction(
                    "EntryPoint", op.execution_model.number, self.symbols[name], *text_words(name), *interface
                )
            elif isinstance(op, spirv.ExecutionModeOp):
                values = [v.value.data for v in op.values]
                modes += instruction(
                    "ExecutionMode", self.symbols[op.fn.root_reference.data], op.execution_mode.number, *values
                )
        return head + modes

    def _flags(self, op: Operation, number: int) -> None:
        for name, attribute in op.attributes.items():
            if isinstance(attribute, UnitAttr) and name in spirv.FLAGS:
                self.decorate(number, spirv.FLAGS[name])

    def _global(self, op: spirv.GlobalVariableOp) -> None:
        pointer = cast(spirv.PointerType, op.type)
        type = self.type(pointer)
        number = self.symbols[op.sym_name.data] = self.new(op.sym_name.data)
        self.globals += instruction("Variable", type, number, spirv.STORAGE_CLASSES[pointer.storage_class.data])
        if op.built_in is not None:
            self.decorate(number, "BuiltIn", spirv.BUILT_INS[op.built_in.data])
        if op.descriptor_set is not None and op.binding is not None:
            self.decorate(number, "DescriptorSet", op.descriptor_set.value.data)
            self.decorate(number, "Binding", op.binding.value.data)
        self._flags(op, number)

    def _spec_constant(self, op: spirv.SpecConstantOp) -> None:
        value = cast(Any, op.default_value)
        type = self.type(value.get_type())
        number = self.symbols[op.sym_name.data] = self.new(op.sym_name.data)
        kind, words = _scalar_form(value.get_type(), value.value.data)
        self.globals += instruction(f"Spec{kind}", type, number, *words)
        spec_id = op.attributes.get("spec_id")
        if isinstance(spec_id, IntegerAttr):
            self.decorate(number, "SpecId", spec_id.value.data)

    # Functions

    def _function(self, op: spirv.FuncOp) -> Iterable[int]:
        self.code, self.line = [], None
        type = op.function_type
        result = self.type(type.outputs.data[0] if type.outputs.data else None)
        number = self.symbols[op.sym_name.data]
        start = [instruction("Function", result, number, op.function_control.number, self.type(type))]
        for argument in op.body.blocks[0].args:
            self.values[argument] = self.new(argument.name_hint)
            start.append(instruction("FunctionParameter", self.type(argument.type), self.values[argument]))
        first, *others = op.body.blocks
        self._begin(self._label(first))
        label, self.code = self.code, []
        self.variables = [self._variable(v) for v in operations(op) if isinstance(v, spirv.VariableOp)]
        self._block(first)
        for block in others:
            self._begin(self._label(block))
            self._block(block)
        self.code.append(instruction("FunctionEnd"))
        for each in self.code:
            each[0] = len(each) << 16 | each[0] & 0xFFFF  # Those that were added to have grown.
        return (word for part in (start, label, self.variables, self.code) for each in part for word in each)

    def _variable(self, op: spirv.VariableOp) -> list[int]:
        start = [] if op.initializer is None else [self._value(op.initializer)]
        number = self.values[op.pointer] = self.new(op.pointer.name_hint)
        return instruction("Variable", self.type(op.pointer.type), number, op.storage_class.number, *start)

    def _label(self, block: Block) -> int:
        if block not in self.labels:
            self.labels[block] = self.new()
        return self.labels[block]

    def _begin(self, label: int) -> None:
        self.label = label
        self.code.append(instruction("Label", label))

    def _block(self, block: Block, merge: Sequence[int] = ()) -> None:
        """The operations of a block, with the merge instruction of a header before the terminator."""
        if block.parent is not None and block is not block.parent.first_block:
            self.code += self._phis_of(block)
        for op in block.ops:
            if op is block.last_op and merge:
                self.code.append(list(merge))
            self._operation(op)

    def _phis_of(self, block: Block) -> list[list[int]]:
        if block not in self.phis:
            phis = self.phis[block] = list[list[int]]()
            for argument in block.args:
                self.values[argument] = self.new(argument.name_hint)
                phis.append(instruction("Phi", self.type(argument.type), self.values[argument]))
        return self.phis[block]

    def _value(self, value: SSAValue) -> int:
        if (known := self.values.get(value)) is not None:
            return known
        owner = value.owner
        if isinstance(owner, spirv.ConstantOp):
            return self.constant(owner.value, value.type)
        assert isinstance(owner, spirv.AddressOfOp | spirv.ReferenceOfOp), value
        name = owner.variable if isinstance(owner, spirv.AddressOfOp) else owner.spec_const
        return self.symbols[name.root_reference.data]

    def _operation(self, op: Operation) -> None:
        match op:
            case spirv.ConstantOp() | spirv.AddressOfOp() | spirv.ReferenceOfOp() | spirv.VariableOp():
                return  # Known by the first use, or at the start of the function.
            case spirv.SelectionOp():
                self._selection(op)
            case spirv.LoopOp():
                self._loop(op)
            case spirv.BranchOp():
                self._branch(op.target, op.target_operands)
                self.code.append(instruction("Branch", self._label(op.target)))
            case spirv.BranchConditionalOp():
                self._branch(op.true_target, op.true_operands)
                self._branch(op.false_target, op.false_operands)
                targets = self._label(op.true_target), self._label(op.false_target)
                weights = [w.value.data for w in op.branch_weights or ()]
                self.code.append(instruction("BranchConditional", self._value(op.condition), *targets, *weights))
            case spirv.FunctionCallOp():
                type = self.type(None if op.return_value is None else op.return_value.type)
                arguments = [self._value(v) for v in op.arguments]
                number = self.new()
                self.values |= dict.fromkeys(op.results, number)
                callee = self.symbols[op.callee.root_reference.data]
                self.code.append(instruction("FunctionCall", type, number, callee, *arguments))
            case spirv.SpirvOp():
                self._plain(op)
            case _:
                raise PassError(op, "spirv-foreign-op", f"'{op.name}' has no binary form")

    def _branch(self, target: Block, operands: Sequence[SSAValue]) -> None:
        for phi, operand in zip(self._phis_of(target), operands, strict=True):
            phi += [self._value(operand), self.label]

    def _plain(self, op: spirv.SpirvOp) -> None:
        self._mark_line(op)
        words = [word for name in op.words() for word in self._words(getattr(op, name))]
        head: list[int] = []
        if op.results:
            (result,) = op.results
            type = self.type(result.type)
            number = self.values[result] = self.new(result.name_hint)
            head = [type, number]
            self._flags(op, number)
        if op.EXTENSION is not None:
            head += [self.glsl, op.EXTENSION]
        self.code.append(encoded(op.OPCODE, [*head, *words]))

    def _words(self, field: Any) -> list[int]:
        if field is None:
            return []
        if isinstance(field, SSAValue):
            return [self._value(cast(SSAValue, field))]
        if isinstance(field, spirv.EnumAttr):
            return [self.integer(field.number) if field.IS_ID else field.number]
        if isinstance(field, IntegerAttr):
            return [field.value.data]
        parts = cast("ArrayAttr[Attribute] | Sequence[SSAValue]", field)
        return [word for part in parts for word in self._words(part)]

    def _mark_line(self, op: Operation) -> None:
        where = where_of(op)
        place = None if where is None else (where.file, where.line, where.column)
        if place is None or place == self.line:
            return
        self.line = place
        if place[0] not in self.files:
            self.files[place[0]] = self.new()
            self.strings += instruction("String", self.files[place[0]], *text_words(place[0]))
        self.code.append(instruction("Line", self.files[place[0]], *place[1:]))

    def _selection(self, op: spirv.SelectionOp) -> None:
        header, *cases, merge = op.body.blocks
        after = self._label(merge)
        self._block(header, instruction("SelectionMerge", after, op.selection_control.number))
        self._rest(cases, after)

    def _rest(self, blocks: Iterable[Block], after: int) -> None:
        for block in blocks:
            self._begin(self._label(block))
            self._block(block)
        self._begin(after)
        self.line = None

    def _loop(self, op: spirv.LoopOp) -> None:
        entry, header, *body, merge = op.body.blocks
        after, back = self._label(merge), self._label(body[-1])
        self._block(entry)
        self._begin(self._label(header))
        self._block(header, instruction("LoopMerge", after, back, op.loop_control.number))
        self._rest(body, after)


Words = Sequence[int]
_FLAGS = {spirv.DECORATIONS[name]: attribute for attribute, name in spirv.FLAGS.items()}


class Declared:
    """The declarations of a binary before its functions."""

    def __init__(self, words: Words):
        self.words = words
        self.types: dict[int, Any] = {}
        self.constants: dict[int, Attribute] = {}
        self.symbols: dict[int, str] = {}
        self.pointers: dict[int, spirv.PointerType] = {}
        self.spec: dict[int, Attribute] = {}
        self.names: dict[int, str] = {}
        self.strings: dict[int, str] = {}
        self.decorations: dict[int, list[Words]] = {}
        self.members: dict[int, list[Words]] = {}
        self.glsl: int | None = None

    def decorated(self, number: int, name: str) -> Words | None:
        """The words of a decoration."""
        wanted = spirv.DECORATIONS[name]
        return next((w[1:] for w in self.decorations.get(number, ()) if w[0] == wanted), None)

    def flags(self, number: int) -> dict[str, Attribute]:
        """The unit attributes that stand for decorations."""
        return {_FLAGS[w[0]]: UnitAttr() for w in self.decorations.get(number, ()) if w[0] in _FLAGS}

    def declare_type(self, name: str, words: Words) -> None:
        """Adds a type."""
        number, rest = words[0], words[1:]
        types = self.types
        match name:
            case "TypeVoid":
                types[number] = None
            case "TypeBool":
                types[number] = i1
            case "TypeInt":
                types[number] = IntegerType(rest[0])
            case "TypeFloat":
                types[number] = {16: f16, 32: f32, 64: f64}[rest[0]]
            case "TypeVector":
                types[number] = VectorType(types[rest[0]], [rest[1]])
            case "TypeImage":
                types[number] = spirv.ImageType.of_numbers(types[rest[0]], rest[1:])
            case "TypeArray":
                count = cast(Any, self.constants[rest[1]]).value.data
                types[number] = spirv.ArrayType.of(count, types[rest[0]], self._stride(number))
            case "TypeRuntimeArray":
                types[number] = spirv.RuntimeArrayType.of(types[rest[0]], self._stride(number))
            case "TypeStruct":
                types[number] = self._struct(number, rest)
            case "TypePointer":
                storage = next(n for n, v in spirv.STORAGE_CLASSES.items() if v == rest[0])
                types[number] = spirv.PointerType.to(types[rest[1]], storage)
            case _:
                results = [] if types[rest[0]] is None else [types[rest[0]]]
                types[number] = FunctionType.from_lists([types[n] for n in rest[1:]], results)

    def _stride(self, number: int) -> int:
        return (self.decorated(number, "ArrayStride") or (0,))[0]

    def _struct(self, number: int, members: Words) -> spirv.StructType:
        offset, block = spirv.DECORATIONS["Offset"], spirv.DECORATIONS["Block"]
        names = {value: name for name, value in spirv.DECORATIONS.items()}
        given = self.members.get(number, [])
        offsets = [w[2] for n in range(len(members)) for w in given if w[0] == n and w[1] == offset]
        others = [[names[w[1]] for w in given if w[0] == n and w[1] != offset] for n in range(len(members))]
        # Block follows from the storage class of the pointers to it.
        own = [names[w[0]] for w in self.decorations.get(number, ()) if w[0] != block]
        return spirv.StructType.of([self.types[m] for m in members], offsets, others, own)

    def declare_constant(self, name: str, words: Words) -> None:
        """Adds a constant."""
        type, number, rest = self.types[words[0]], words[1], words[2:]
        if name in ("ConstantTrue", "ConstantFalse"):
            self.constants[number] = IntegerAttr(int(name == "ConstantTrue"), i1)
        elif name == "Constant":
            self.constants[number] = number_of(type, rest)
        else:
            parts = [cast(Any, self.constants[n]).value.data for n in rest]
            array = isinstance(type, spirv.ArrayType)
            shaped = TensorType(type.element, [type.count.data]) if array else type
            self.constants[number] = DenseIntOrFPElementsAttr.from_list(cast(Any, shaped), parts)
        self.types[-number] = type


def number_of(type: Attribute, words: Words) -> Attribute:
    """A number of a type."""
    size = spirv.size_of(type)
    bits = words[0] | (words[1] << 32 if len(words) > 1 else 0)
    if isinstance(type, IntegerType):
        width = type.bitwidth
        bits &= (1 << width) - 1
        return IntegerAttr(bits - (1 << width) if bits >> width - 1 else bits, cast("IntegerType", type))
    data = struct.pack("<Q", bits)[:size]
    (value,) = struct.unpack({2: "<e", 4: "<f", 8: "<d"}[size], data)
    return FloatAttr(value, cast(Any, type))
