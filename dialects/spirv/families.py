"""Operations that differ in name, number and types alone: arithmetic, comparisons, bits, conversions, GLSL's set.

A row is a name, the instruction's number, and traits; a family says how many operands there are and what their types
must be. `spirv.FAdd %a, %b : f32` is upstream's text as well as ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AnyAttr, VarConstraint, operand_def, result_def, traits_def
from xdsl.traits import Commutative, OpTrait, Pure

from hologram.dialects.families import member
from hologram.dialects.spirv.operation import EXTENDED, SpirvOp
from hologram.dialects.spirv.types import is_bool, is_float, is_integer
from hologram.errors import VerifyError

_KINDS: Mapping[str, Callable[[Attribute], bool]] = {
    "float": is_float,
    "integer": is_integer,
    "bool": is_bool,
    "number": lambda type: is_float(type) or is_integer(type),
    "any": lambda type: True,
}


class FamilyOp(SpirvOp):
    """A member of a family: all operands are of one kind."""

    KIND: ClassVar[str] = "any"

    def verify_(self) -> None:
        for operand in self.operands[-1:]:
            if not _KINDS[self.KIND](operand.type):
                raise VerifyError(
                    "spirv-operand-kind", f"{self.name} takes operands of kind {self.KIND}, not {operand.type}"
                )


class UnaryOp(FamilyOp):
    """One operand, and a result of its type."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    WORDS: ClassVar[tuple[str, ...]] = ("operand",)
    operand = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operand `:` type($operand) attr-dict"


class BinaryOp(FamilyOp):
    """Two operands and a result of one type."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    WORDS: ClassVar[tuple[str, ...]] = ("operand1", "operand2")
    operand1 = operand_def(T)
    operand2 = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operand1 `,` $operand2 attr-dict `:` type($result)"


class TernaryOp(FamilyOp):
    """Three operands and a result of one type."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    WORDS: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    x = operand_def(T)
    y = operand_def(T)
    z = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$x `,` $y `,` $z attr-dict `:` type($result)"


class TestOp(FamilyOp):
    """One operand, and a truth value for each of its elements."""

    WORDS: ClassVar[tuple[str, ...]] = ("operand",)
    operand = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def verify_(self) -> None:
        super().verify_()
        _same_shape(self, self.operand.type, self.result.type, "bool")


class CompareOp(FamilyOp):
    """Two operands of one type, and a truth value for each pair of their elements."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    WORDS: ClassVar[tuple[str, ...]] = ("operand1", "operand2")
    operand1 = operand_def(T)
    operand2 = operand_def(T)
    result = result_def()
    traits = traits_def(Pure())

    def verify_(self) -> None:
        super().verify_()
        _same_shape(self, self.operand1.type, self.result.type, "bool")


class ShiftOp(FamilyOp):
    """Two operands, whose second may be of another integer type; the result has the type of the first."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    WORDS: ClassVar[tuple[str, ...]] = ("operand1", "operand2")
    operand1 = operand_def(T)
    operand2 = operand_def()
    result = result_def(T)
    traits = traits_def(Pure())


class ConvertOp(FamilyOp):
    """One operand, and its value in another type of as many elements."""

    RESULT: ClassVar[str] = "any"
    WORDS: ClassVar[tuple[str, ...]] = ("operand",)
    operand = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def verify_(self) -> None:
        super().verify_()
        if self.RESULT != "any":
            _same_shape(self, self.operand.type, self.result.type, self.RESULT)


def _same_shape(op: Operation, source: Attribute, target: Attribute, kind: str) -> None:
    shapes = [type.get_shape() if isinstance(type, VectorType) else () for type in (source, target)]
    if shapes[0] != shapes[1] or not _KINDS[kind](target):
        raise VerifyError(
            "spirv-result-kind",
            f"{op.name} gives as many elements of kind {kind} as its operand has, not {target} of {source}",
        )


_COMMUTES = (Commutative(),)
_Row = tuple[str, int, str] | tuple[str, int, str, tuple[OpTrait, ...]]

_FAMILIES: Mapping[type[FamilyOp], tuple[_Row, ...]] = {
    # name, number, kind of the operands, traits
    UnaryOp: (
        ("SNegate", 126, "integer"), ("FNegate", 127, "float"), ("Not", 200, "integer"), ("BitReverse", 204, "integer"),
        ("BitCount", 205, "integer"), ("LogicalNot", 168, "bool"),
    ),
    BinaryOp: (
        ("IAdd", 128, "integer", _COMMUTES), ("FAdd", 129, "float", _COMMUTES), ("ISub", 130, "integer"),
        ("FSub", 131, "float"), ("IMul", 132, "integer", _COMMUTES), ("FMul", 133, "float", _COMMUTES),
        ("UDiv", 134, "integer"), ("SDiv", 135, "integer"), ("FDiv", 136, "float"), ("UMod", 137, "integer"),
        ("SRem", 138, "integer"), ("SMod", 139, "integer"), ("FRem", 140, "float"), ("FMod", 141, "float"),
        ("LogicalEqual", 164, "bool", _COMMUTES), ("LogicalNotEqual", 165, "bool", _COMMUTES),
        ("LogicalOr", 166, "bool", _COMMUTES), ("LogicalAnd", 167, "bool", _COMMUTES),
        ("BitwiseOr", 197, "integer", _COMMUTES), ("BitwiseXor", 198, "integer", _COMMUTES),
        ("BitwiseAnd", 199, "integer", _COMMUTES),
    ),
    ShiftOp: (
        ("ShiftRightLogical", 194, "integer"), ("ShiftRightArithmetic", 195, "integer"),
        ("ShiftLeftLogical", 196, "integer"),
    ),
    TestOp: (("IsNan", 156, "float"), ("IsInf", 157, "float")),
    CompareOp: (
        ("IEqual", 170, "integer", _COMMUTES), ("INotEqual", 171, "integer", _COMMUTES),
        ("UGreaterThan", 172, "integer"), ("SGreaterThan", 173, "integer"), ("UGreaterThanEqual", 174, "integer"),
        ("SGreaterThanEqual", 175, "integer"), ("ULessThan", 176, "integer"), ("SLessThan", 177, "integer"),
        ("ULessThanEqual", 178, "integer"), ("SLessThanEqual", 179, "integer"), ("FOrdEqual", 180, "float", _COMMUTES),
        ("FUnordEqual", 181, "float", _COMMUTES), ("FOrdNotEqual", 182, "float", _COMMUTES),
        ("FUnordNotEqual", 183, "float", _COMMUTES), ("FOrdLessThan", 184, "float"), ("FUnordLessThan", 185, "float"),
        ("FOrdGreaterThan", 186, "float"), ("FUnordGreaterThan", 187, "float"), ("FOrdLessThanEqual", 188, "float"),
        ("FUnordLessThanEqual", 189, "float"), ("FOrdGreaterThanEqual", 190, "float"),
        ("FUnordGreaterThanEqual", 191, "float"),
    ),
}  # fmt: skip

_CONVERSIONS = (
    ("ConvertFToU", 109, "float", "integer"), ("ConvertFToS", 110, "float", "integer"),
    ("ConvertSToF", 111, "integer", "float"), ("ConvertUToF", 112, "integer", "float"),
    ("UConvert", 113, "integer", "integer"), ("SConvert", 114, "integer", "integer"),
    ("FConvert", 115, "float", "float"), ("ConvertUToPtr", 120, "integer", "any"), ("Bitcast", 124, "any", "any"),
)  # fmt: skip

_EXTENDED: Mapping[type[FamilyOp], tuple[tuple[str, int, str], ...]] = {
    # The instructions of GLSL.std.450
    UnaryOp: (
        ("Round", 1, "float"), ("RoundEven", 2, "float"), ("FAbs", 4, "float"), ("SAbs", 5, "integer"),
        ("FSign", 6, "float"), ("SSign", 7, "integer"), ("Floor", 8, "float"), ("Ceil", 9, "float"),
        ("Fract", 10, "float"), ("Sin", 13, "float"), ("Cos", 14, "float"), ("Tan", 15, "float"),
        ("Asin", 16, "float"), ("Acos", 17, "float"), ("Atan", 18, "float"), ("Sinh", 19, "float"),
        ("Cosh", 20, "float"), ("Tanh", 21, "float"), ("Exp", 27, "float"), ("Log", 28, "float"),
        ("Exp2", 29, "float"), ("Log2", 30, "float"), ("Sqrt", 31, "float"), ("InverseSqrt", 32, "float"),
        ("FindILsb", 73, "integer"), ("FindSMsb", 74, "integer"), ("FindUMsb", 75, "integer"),
    ),
    BinaryOp: (
        ("Pow", 26, "float"), ("FMin", 37, "float"), ("UMin", 38, "integer"), ("SMin", 39, "integer"),
        ("FMax", 40, "float"), ("UMax", 41, "integer"), ("SMax", 42, "integer"),
    ),
    TernaryOp: (
        ("FClamp", 43, "float"), ("UClamp", 44, "integer"), ("SClamp", 45, "integer"), ("Fma", 50, "float"),
    ),
}  # fmt: skip


def _make(base: type[Any], name: str, fields: Mapping[str, Any], traits: tuple[OpTrait, ...] = ()) -> type[Operation]:
    class_name = name.rpartition(".")[2] + "Op"
    return member(base, class_name, {"name": f"spirv.{name}", **fields}, traits)


def _operations() -> list[type[Operation]]:
    found: list[type[Operation]] = []
    for base, rows in _FAMILIES.items():
        for name, number, kind, *traits in rows:
            found.append(_make(base, name, {"OPCODE": number, "KIND": kind}, *traits))
    for name, number, kind, result in _CONVERSIONS:
        found.append(_make(ConvertOp, name, {"OPCODE": number, "KIND": kind, "RESULT": result}))
    for base, rows in _EXTENDED.items():
        for name, number, kind in rows:
            found.append(_make(base, f"GL.{name}", {"OPCODE": EXTENDED, "EXTENSION": number, "KIND": kind}))
    return found


OPERATIONS = _operations()
"""All members of the families."""
