"""Array-level instructions of the machine form as operations, one class a declaration of the atlas dialect.

An instruction names arrays (`buf0`, `temp0`) and reads scalars from registers (`uses`, in the order of the groups); its
settings are properties of the atlas operation's names, and what regions say there functions say here.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarOperand,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.arrays.base import ArrayOp
from hologram.dialects.atlas.arrays.form import ArrayForm, array_form
from hologram.dialects.atlas.dialect import Atlas
from hologram.dialects.machine.index_maps import is_plain
from hologram.dialects.machine.instruction import REGISTER, parse_types, print_types
from hologram.errors import VerifyError

REGISTER_NAME = "reg"
"""Stands among an instruction's operands for one that is a register."""


class ArrayInstructionOp(IRDLOperation):
    """The base: `machine.NAME outs(buf1) ins(buf0, %r) {settings} : (types) -> ()`."""

    FORM: ClassVar[ArrayForm]
    ATLAS: ClassVar[type[ArrayOp]]
    if TYPE_CHECKING:  # declared by each class
        uses: VarOperand

    def __init__(
        self,
        groups: Sequence[Sequence[str | SSAValue]],
        properties: Mapping[str, Attribute] | None = None,
    ):
        """`groups` are those of the form; each operand is an array's name or a register's value."""
        uses = [v for group in groups for v in group if isinstance(v, SSAValue)]
        names = {
            name: ArrayAttr([StringAttr(REGISTER_NAME if isinstance(v, SSAValue) else v) for v in group])
            for name, group in zip(self.FORM.groups, groups, strict=True)
        }
        super().__init__(operands=[uses], properties={**names, **(properties or {})})

    # What it works on

    def grouped(self) -> Iterator[tuple[str, list[str | SSAValue]]]:
        """The operands of each group, in the form's order."""
        uses = iter(self.uses)
        for group in self.FORM.groups:
            names = [cast("StringAttr", name).data for name in cast("ArrayAttr[Any]", self.properties[group])]
            yield group, [next(uses) if name == REGISTER_NAME else name for name in names]

    def functions(self) -> dict[str, str]:
        """The function that each of its regions became."""
        given = {s.name: self.properties.get(s.name) for s in self.FORM.settings if s.kind == "function"}
        return {k: v.root_reference.data for k, v in given.items() if isinstance(v, SymbolRefAttr)}

    def raised(self, values: Mapping[str, Sequence[SSAValue]], regions: Mapping[str, Region]) -> Operation:
        """The operation of the atlas dialect, on the values of each group."""
        definition = self.ATLAS.get_irdl_definition()
        kinds = {s.name: s.kind for s in self.FORM.settings}
        given = [n for n in definition.properties if n in self.properties and n != "operandSegmentSizes"]
        properties = {name: self.properties[name] for name in given}
        op = self.ATLAS.build(
            operands=[list(values[name]) for name, _ in definition.operands],
            result_types=[[]],
            properties=properties,
            attributes={name: UnitAttr() for name, kind in kinds.items() if kind == "mark" and name in self.properties},
            regions=[regions.get(name) or Region() for name, _ in definition.regions],
        )
        op.location = self.location
        return op

    # Verification

    def verify_(self) -> None:
        groups = [cast("ArrayAttr[Any]", self.properties[group]) for group in self.FORM.groups]
        named = [cast("StringAttr", name).data for group in groups for name in group]
        if named.count(REGISTER_NAME) != len(self.uses):
            raise VerifyError(
                "machine-array-operands",
                f"'{self.name}' names {named.count(REGISTER_NAME)} registers and reads {len(self.uses)}",
            )
        for setting in self.FORM.settings:
            given = self.properties.get(setting.name)
            if setting.kind in ("flag", "integer", "integers") and given is not None:
                self._verify_integers(setting.printed, given)
            if setting.kind == "flag" and given is not None and cast("IntegerAttr[Any]", given).value.data != 1:
                raise VerifyError("machine-array-flag", f"'{setting.printed}' of '{self.name}' is 1 or absent")
            if setting.kind == "maps" and given is not None:
                self._verify_maps(cast("ArrayAttr[AffineMapAttr]", given))

    def _verify_integers(self, name: str, given: Attribute) -> None:
        parts = list(cast("ArrayAttr[Any]", given)) if isinstance(given, ArrayAttr) else [given]
        if any(not isinstance(p, IntegerAttr) or p.get_type() != i64 for p in parts):
            raise VerifyError("machine-array-integer", f"'{name}' of '{self.name}' holds i64, found {given}")

    def _verify_maps(self, maps: ArrayAttr[AffineMapAttr]) -> None:
        for map in maps:
            if not is_plain(map.data):
                raise VerifyError(
                    "machine-array-map",
                    f"{map.data} can't be written in assembly",
                    hint="an indexing map has no symbols, no numbers past 2^62 and no deep expressions",
                )

    # Syntax

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        unresolved: list[Any] = []
        groups = {name: ArrayAttr(_parse_group(parser, name, unresolved)) for name in cls.FORM.groups}
        attributes = parser.parse_optional_attr_dict()
        operands, _ = parse_types(parser, unresolved)
        known = cls.get_irdl_definition().properties
        return cls.create(
            operands=operands,
            properties=groups | {k: v for k, v in attributes.items() if k in known},
            attributes={k: v for k, v in attributes.items() if k not in known},
        )

    def print(self, printer: Printer) -> None:
        def operand(given: str | SSAValue) -> None:
            if isinstance(given, str):
                printer.print_string(given)
            else:
                printer.print_ssa_value(given)

        for name, operands in self.grouped():
            if operands:
                printer.print_string(f" {name}(")
                printer.print_list(operands, operand)
                printer.print_string(")")
        properties = {k: v for k, v in self.properties.items() if k not in self.FORM.groups}
        printer.print_op_attributes(properties | self.attributes)
        print_types(printer, self)


def _parse_group(parser: Parser, name: str, unresolved: list[Any]) -> list[StringAttr]:
    if parser.parse_optional_keyword(name) is None:
        return []

    def operand() -> StringAttr:
        if (register := parser.parse_optional_unresolved_operand()) is not None:
            unresolved.append(register)
            return StringAttr(REGISTER_NAME)
        return StringAttr(parser.parse_identifier())

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, operand)


def _make(op: type[ArrayOp], form: ArrayForm) -> type[ArrayInstructionOp]:
    """The operation class of an array-level instruction."""
    definition = op.get_irdl_definition()
    namespace: dict[str, Any] = {
        "name": f"machine.{form.name}",
        "__doc__": (inspect.getdoc(op) or "").partition("\n\nExample")[0],
        "__module__": __name__,
        "__annotations__": {"FORM": ClassVar[ArrayForm], "ATLAS": ClassVar[type[ArrayOp]]},
        "FORM": form,
        "ATLAS": op,
        "uses": var_operand_def(REGISTER),
        **{name: prop_def(ArrayAttr[StringAttr]) for name in form.groups},
    }
    needed = {*([form.choice.name] if form.choice else []), *form.types[: form.needed_types]}
    needed |= {s.name for s in form.settings if not s.optional and not s.is_switch}
    others: dict[str, Any] = {"function": SymbolRefAttr, "mark": UnitAttr}
    kinds = {s.name: s.kind for s in form.settings}
    for name in (*([form.choice.name] if form.choice else []), *form.types, *kinds):
        held = others.get(kinds.get(name, ""))
        constraint: Any = definition.properties[name].constr if held is None else held
        namespace[name] = prop_def(constraint) if name in needed else opt_prop_def(constraint)
    class_name = "".join(part.capitalize() for part in form.name.split("_")) + "Op"
    return irdl_op_definition(type(class_name, (ArrayInstructionOp,), namespace))


def _table() -> dict[str, type[ArrayInstructionOp]]:
    declared = [op for op in Atlas.operations if issubclass(op, ArrayOp)]
    return {form.name: _make(op, form) for op in declared if (form := array_form(op)) is not None}


ARRAY_INSTRUCTIONS: dict[str, type[ArrayInstructionOp]] = _table()
"""The operation class of each array-level instruction, in the order of the atlas dialect."""

ARRAY_FORMS: dict[str, ArrayForm] = {name: op.FORM for name, op in ARRAY_INSTRUCTIONS.items()}
"""The form of each array-level instruction."""
