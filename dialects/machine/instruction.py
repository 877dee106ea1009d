"""Machine instructions as operations: one class for each form that the atlas dialect declares, without a list here.

An instruction reads registers (`uses`) and writes registers (`defs`), in the order of its form's operands; what is no
register is a property of the operand's name. `INSTRUCTIONS` has the classes by the instruction's name.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    BaseAttr,
    IRDLOperation,
    VarOperand,
    VarOpResult,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.dialect import Atlas
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.atlas.instructions.form import LETTERS, Field, Form, form_of
from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.scalar import is_number
from hologram.dialects.atlas.instructions.types import DTYPES, DType, DTypeAttr
from hologram.dialects.atlas.lanes.programs import SPECIAL_REGISTERS
from hologram.dialects.machine.address import PHI, POINTER, AddressAttr, parse_base
from hologram.dialects.machine.registers import PredType, Register, RegType, register_type
from hologram.errors import VerifyError, did_you_mean, parse_error
from hologram.plugins.tables import Row

SPECIAL_TYPES = {name: "u64" if name == "gid" else "u32" for name in SPECIAL_REGISTERS}
"""The type of each special register."""

REGISTER = BaseAttr(RegType) | BaseAttr(PredType)
"""The type of every value of the machine form."""


def field_type(form: Form, field: Field, properties: Mapping[str, Any], index: int | None = None) -> Register:
    """The type of the register (or registers) of a field, under the types, modifiers and immediates in `properties`."""
    if field.value == "ptr":
        return RegType(index)
    times = 1
    if field.value == "T" and form.vector in properties:
        times = int(properties[form.vector].data[1:])
    if field.times:
        times = properties[field.times].value.data
    dtype = properties[LETTERS[field.value]].dtype if field.value in LETTERS else DTYPES[field.value]
    return register_type(dtype, index, times)


class InstructionOp(IRDLOperation):
    """The base of machine instructions: `%d = machine.NAME [modifiers] [types] operands : (types) -> (types)`."""

    FORM: ClassVar[Form]
    if TYPE_CHECKING:  # declared by each class
        uses: VarOperand
        defs: VarOpResult

    def __init__(
        self,
        uses: Sequence[SSAValue | Operation] = (),
        defs: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        *,
        types: Sequence[DType | str] = (),
    ):
        """`types` are the type suffixes in order; `properties` holds modifiers, addresses and immediates by name."""
        names = dict(zip(self.FORM.types, types, strict=False))
        dtypes = {k: DTypeAttr.of(DTYPES[t] if isinstance(t, str) else t) for k, t in names.items()}
        super().__init__(operands=[list(uses)], result_types=[list(defs)], properties=dtypes | dict(properties or {}))

    # What the form's operands are here

    def dtype(self, letter: str = "T") -> DType:
        """The instruction's type (`T`), or that of its source (`S`)."""
        return cast("DTypeAttr", self.properties[LETTERS[letter]]).dtype

    def modifier(self, name: str) -> str:
        """The choice of a modifier, empty if it is absent."""
        given = self.properties.get(name)
        return given.data if isinstance(given, StringAttr) else ""

    def registers(self, field: Field) -> int:
        """Return the number of operands (or results) that belong to a field."""
        if field.kind == "address":
            return cast("AddressAttr", self.properties[field.name]).registers
        return 1 if field.kind == "register" else 0

    def register_type(self, field: Field) -> Register:
        """The unassigned type of the register of a field."""
        return field_type(self.FORM, field, self.properties)

    def operand(self, name: str) -> SSAValue:
        """The value of a register operand, by the name in its form."""
        return self.uses_of(name)[0]

    def uses_of(self, name: str) -> Sequence[SSAValue]:
        """The operands of a field by name: one for a register, those of its registers for an address."""
        at = 0
        for field in self.FORM.fields:
            count = 0 if field.is_result else self.registers(field)
            if field.name == name:
                return self.uses[at : at + count]
            at += count
        raise KeyError(name)

    # Verification

    def verify_(self) -> None:
        for name, allowed in self.FORM.types.items():
            dtype = cast("DTypeAttr", self.properties[name]).dtype
            if dtype.name not in allowed:
                raise VerifyError(
                    "machine-type", f"'{self.name}' is not defined for {dtype.name}",
                    hint="it takes " + ", ".join(n for n in DTYPES if n in allowed),
                )  # fmt: skip
        for modifier in self.FORM.modifiers:
            if (choice := self.modifier(modifier.name)) not in modifier.choices:
                choices = [c for c in modifier.choices if c]
                raise VerifyError(
                    "machine-modifier", f"'{self.name}' has no {modifier.name} '{choice}'",
                    hint=did_you_mean(choice, choices) or f"it takes {' '.join(choices)}",
                )  # fmt: skip
        self._verify_immediates()
        self._verify_registers()

    def _verify_immediates(self) -> None:
        checks = {
            "immediate": self._verify_immediate,
            "constant": self._verify_constant,
            "special": self._verify_special,
            "address": self._verify_address,
        }
        for field in self.FORM.fields:
            if field.kind in checks:
                checks[field.kind](field, self.properties[field.name])

    def _verify_immediate(self, field: Field, given: Attribute) -> None:
        if not isinstance(given, IntegerAttr) or given.get_type() != i64 or given.value.data < 0:
            raise VerifyError(
                "machine-immediate", f"'{field.name}' of '{self.name}' is a number from 0 up, found {given}"
            )

    def _verify_constant(self, field: Field, given: Attribute) -> None:
        dtype = self.dtype()
        if not is_number(given) or given.get_type() != dtype.ir:
            raise VerifyError(
                "machine-constant", f"'{self.name}' of {dtype.name} takes a number of type {dtype.ir}, found {given}"
            )

    def _verify_special(self, field: Field, given: Attribute) -> None:
        name, dtype = self.modifier(field.name), self.dtype().name
        if SPECIAL_TYPES.get(name) != dtype:
            raise VerifyError(
                "machine-special", f"there is no special register '%{name}' of type {dtype}",
                hint=f"those of {dtype} are {' '.join(n for n, t in SPECIAL_TYPES.items() if t == dtype)}",
            )  # fmt: skip

    def _verify_address(self, field: Field, given: Attribute) -> None:
        space = cast("AddressAttr", given).space
        if space is not None and space not in field.spaces:
            raise VerifyError(
                "machine-address-space",
                f"'{self.name}' reaches {' and '.join(field.spaces)} memory, found {space} memory",
            )

    def _verify_registers(self) -> None:
        fields = self.FORM.fields
        expected = [self.register_type(f) for f in fields if f.kind == "register" and f.is_result]
        self._verify_list("writes", expected, self.result_types)
        wanted: list[Register] = []
        for field in fields:
            if field.kind == "register" and not field.is_result:
                wanted.append(self.register_type(field))
            elif field.kind == "address":
                wanted += [RegType()] * self.registers(field)
        self._verify_list("reads", wanted, self.operand_types)

    def _verify_list(self, verb: str, expected: Sequence[Register], actual: Sequence[Attribute]) -> None:
        def kinds(types: Sequence[Attribute]) -> list[tuple[type[Attribute], int]]:
            return [(type(t), cast("Register", t).width) for t in types]

        if kinds(expected) != kinds(actual):
            raise VerifyError(
                "machine-registers",
                f"'{self.name}' {verb} ({', '.join(map(str, expected))}), found ({', '.join(map(str, actual))})",
            )

    # Syntax

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        for modifier in cls.FORM.modifiers:
            for choice in modifier.choices:
                if choice and parser.parse_optional_keyword(choice) is not None:
                    properties[modifier.name] = StringAttr(choice)
                    break
        for name in cls.FORM.types:
            properties[name] = DTypeAttr.of(parse_dtype(parser))
        uses: list[Any] = []
        written = [f for f in cls.FORM.fields if not f.is_result]
        for number, field in enumerate(written):
            if number:
                parser.parse_punctuation(",")
            _parse_field(parser, field, properties, uses)
        attributes = parser.parse_optional_attr_dict()
        operands, results = parse_types(parser, uses)
        return cls.create(operands=operands, result_types=results, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        words = [m for modifier in self.FORM.modifiers if (m := self.modifier(modifier.name))]
        words += [cast("DTypeAttr", self.properties[name]).dtype.name for name in self.FORM.types]
        printer.print_string("".join(f" {word}" for word in words))
        written = [f for f in self.FORM.fields if not f.is_result]
        for number, field in enumerate(written):
            printer.print_string(", " if number else " ")
            self._print_field(printer, field)
        printer.print_op_attributes(self.attributes)
        print_types(printer, self)

    def _print_field(self, printer: Printer, field: Field) -> None:
        given = self.properties.get(field.name)
        match field.kind:
            case "register":
                printer.print_ssa_value(self.operand(field.name))
            case "address":
                _print_address(printer, cast("AddressAttr", given), self.uses_of(field.name))
            case "immediate":
                printer.print_string(str(cast("IntegerAttr[Any]", given).value.data))
            case "constant":
                assert given is not None
                printer.print_attribute(given)
            case "text":
                printer.print_string_literal(cast("StringAttr", given).data)
            case _:
                printer.print_string(cast("StringAttr", given).data)


def _parse_field(parser: Parser, field: Field, properties: dict[str, Attribute], uses: list[Any]) -> None:
    match field.kind:
        case "register":
            uses.append(parser.parse_unresolved_operand())
        case "address":
            properties[field.name] = _parse_address(parser, uses)
        case "immediate":
            properties[field.name] = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
        case "constant":
            properties[field.name] = parser.parse_attribute()
        case "text":
            properties[field.name] = StringAttr(parser.parse_str_literal())
        case _:
            properties[field.name] = StringAttr(parser.parse_identifier())


def _parse_address(parser: Parser, uses: list[Any]) -> AddressAttr:
    """Parses `[buf0 + %index + 64]`, `[%pointer - 8]`, `[phi(%class, %page, %byte)]`."""
    parser.parse_punctuation("[")
    pointer = parser.parse_optional_unresolved_operand()
    base = parse_base(parser) if pointer is None else POINTER
    if pointer is not None:
        uses.append(pointer)
    if base == PHI:
        uses += parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    has_index, offset = False, 0
    while parser.parse_optional_punctuation("+") is not None:
        if (index := parser.parse_optional_unresolved_operand()) is not None:
            uses.append(index)
            has_index = True
        else:
            offset = parser.parse_integer(allow_boolean=False)
    parser.parse_punctuation("]")
    return AddressAttr(base, has_index, offset)


def _print_address(printer: Printer, address: AddressAttr, uses: Sequence[SSAValue]) -> None:
    printer.print_string("[")
    if address.base.data == POINTER:
        printer.print_ssa_value(uses[0])
    else:
        printer.print_string(address.base.data)
    if address.base.data == PHI:
        printer.print_string("(")
        printer.print_list(uses[:3], printer.print_ssa_value)
        printer.print_string(")")
    if address.has_index:
        printer.print_string(" + ")
        printer.print_ssa_value(uses[-1])
    if address.bytes:
        printer.print_string(f" + {address.bytes}")
    printer.print_string("]")


def parse_types(parser: Parser, operands: Sequence[Any]) -> tuple[list[SSAValue], list[Attribute]]:
    """Parses `: (types) -> (types)`, absent if there are neither operands nor results."""
    start = parser.pos
    if parser.parse_optional_punctuation(":") is None:
        if operands:
            parse_error(parser, "machine-types-missing", "the types of the registers are missing: : (...) -> (...)")
        return [], []
    types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    parser.parse_punctuation("->")
    results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return list(parser.resolve_operands(operands, types, start)), list(results)


def print_types(printer: Printer, op: Operation) -> None:
    """Prints what `parse_types` reads."""
    if not op.operands and not op.results:
        return
    printer.print_string(" : (")
    printer.print_list(op.operand_types, printer.print_attribute)
    printer.print_string(") -> (")
    printer.print_list(op.result_types, printer.print_attribute)
    printer.print_string(")")


def make_instruction(form: Form, doc: str) -> type[InstructionOp]:
    """The operation class of a form."""
    namespace: dict[str, Any] = {
        "name": f"machine.{form.name}",
        "__doc__": doc,
        "__module__": __name__,
        "__annotations__": {"FORM": ClassVar[Form]},
        "FORM": form,
        **{name: prop_def(DTypeAttr) for name in form.types},
        **{
            modifier.name: opt_prop_def(StringAttr) if "" in modifier.choices else prop_def(StringAttr)
            for modifier in form.modifiers
        },
    }
    for f in form.fields:
        if f.kind == "address":
            namespace[f.name] = prop_def(AddressAttr)
        elif f.kind != "register":
            namespace[f.name] = prop_def(StringAttr if f.kind in ("special", "pool", "text") else AnyAttr())
    namespace |= {"uses": var_operand_def(REGISTER), "defs": var_result_def(REGISTER)}
    class_name = "".join(part.capitalize() for part in form.name.replace(".", "_").split("_")) + "Op"
    return irdl_op_definition(type(class_name, (InstructionOp,), namespace))


INSTRUCTIONS: dict[str, type[InstructionOp]] = {}
"""The operation class of each instruction, in the order of the atlas dialect; then those of plug-ins."""
FORMS: dict[str, Form] = {}
"""The form of each instruction."""
REGION_INSTRUCTIONS: set[str] = {"mov"}
"""The instructions that a function may have which stands for the region of an array-level one: scalar ones."""


def _add(op: type[Operation]) -> None:
    if (form := form_of(op)) is None:
        return
    doc = inspect.getdoc(op) or ""
    INSTRUCTIONS[form.name] = make_instruction(form, doc.partition("\n\nExample")[0])
    FORMS[form.name] = form
    if op.__module__.endswith((".scalar", ".conversions")):
        REGION_INSTRUCTIONS.add(form.name)


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.is_instruction:
        _add(scalar.INSTRUCTIONS[instruction.name])


for _op in Atlas.operations:
    _add(_op)
from_outside(_from_outside)
