"""Operations that differ in name, number and types alone: arithmetic, comparisons, bits, conversions, GLSL's set.

A family says how many operands there are and which types are equal; a row of the table adds the kinds of operands and
result, and the numbers of the instructions. `spirv.FAdd %a, %b : f32` is upstream's text as well as ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AnyAttr, VarConstraint, operand_def, result_def, traits_def
from xdsl.traits import Commutative, Pure

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
    """A member of a family: its operands are of one kind, and the result has as many elements of another."""

    KIND: ClassVar[str] = "any"
    RESULT: ClassVar[str] = "any"

    def verify_(self) -> None:
        for operand in self.operands[-1:]:
            if not _KINDS[self.KIND](operand.type):
                raise VerifyError(
                    "spirv-operand-kind", f"{self.name} takes operands of kind {self.KIND}, not {operand.type}"
                )
        source, target, kind = self.operands[0].type, self.results[0].type, self.RESULT
        shapes = [type.get_shape() if isinstance(type, VectorType) else () for type in (source, target)]
        if kind != "any" and (shapes[0] != shapes[1] or not _KINDS[kind](target)):
            raise VerifyError(
                "spirv-result-kind",
                f"{self.name} gives as many elements of kind {kind} as its operand has, not {target} of {source}",
            )


_T = VarConstraint("T", AnyAttr())


def _family(meaning: str, operands: str, result: bool, form: str | None = None) -> type[FamilyOp]:
    """Make the base of a family: operands written `name=` have one type, which the result has too if `result` holds."""
    definitions: dict[str, Any] = {
        name.rstrip("="): operand_def(_T) if name.endswith("=") else operand_def() for name in operands.split()
    }
    definitions["result"] = result_def(_T) if result else result_def()
    fields = {"__doc__": meaning, "__module__": __name__, "traits": traits_def(Pure())}
    return type("FamilyOp", (FamilyOp,), {**fields, **definitions, **({"assembly_format": form} if form else {})})


_UNARY = _family("One operand, and a result of its type.", "operand=", True, "$operand `:` type($operand) attr-dict")
_BINARY = _family(
    "Two operands and a result of one type.", "operand1= operand2=", True,
    "$operand1 `,` $operand2 attr-dict `:` type($result)",
)  # fmt: skip
_TERNARY = _family(
    "Three operands and a result of one type.", "x= y= z=", True, "$x `,` $y `,` $z attr-dict `:` type($result)"
)
_SHIFT = _family(
    "Two operands, whose second may be of another integer type; the result has the type of the first.",
    "operand1= operand2", True,
)  # fmt: skip
_COMPARE = _family(
    "Two operands of one type, and a truth value for each pair of their elements.", "operand1= operand2=", False
)
_CONVERT = _family("One operand, and its value in another type of as many elements.", "operand", False)


_FAMILIES: tuple[tuple[type[FamilyOp], str, str, Mapping[str, int]], ...] = (
    # family, kind of the operands, kind of the result, numbers; those of GL are numbers in the set GLSL.std.450
    (_UNARY, "integer", "any", {
        "SNegate": 126, "Not": 200, "BitReverse": 204, "BitCount": 205, "GL.SAbs": 5, "GL.SSign": 7, "GL.FindILsb": 73,
        "GL.FindSMsb": 74, "GL.FindUMsb": 75,
    }),
    (_UNARY, "float", "any", {
        "FNegate": 127, "GL.Round": 1, "GL.RoundEven": 2, "GL.FAbs": 4, "GL.FSign": 6, "GL.Floor": 8, "GL.Ceil": 9,
        "GL.Fract": 10, "GL.Sin": 13, "GL.Cos": 14, "GL.Tan": 15, "GL.Asin": 16, "GL.Acos": 17, "GL.Atan": 18,
        "GL.Sinh": 19, "GL.Cosh": 20, "GL.Tanh": 21, "GL.Exp": 27, "GL.Log": 28, "GL.Exp2": 29, "GL.Log2": 30,
        "GL.Sqrt": 31, "GL.InverseSqrt": 32,
    }),
    (_UNARY, "bool", "any", {"LogicalNot": 168}),
    (_BINARY, "integer", "any", {
        "IAdd": 128, "ISub": 130, "IMul": 132, "UDiv": 134, "SDiv": 135, "UMod": 137, "SRem": 138, "SMod": 139,
        "BitwiseOr": 197, "BitwiseXor": 198, "BitwiseAnd": 199, "GL.UMin": 38, "GL.SMin": 39, "GL.UMax": 41,
        "GL.SMax": 42,
    }),
    (_BINARY, "float", "any", {
        "FAdd": 129, "FSub": 131, "FMul": 133, "FDiv": 136, "FRem": 140, "FMod": 141, "GL.Pow": 26, "GL.FMin": 37,
        "GL.FMax": 40,
    }),
    (_BINARY, "bool", "any", {
        "LogicalEqual": 164, "LogicalNotEqual": 165, "LogicalOr": 166, "LogicalAnd": 167,
    }),
    (_TERNARY, "integer", "any", {"GL.UClamp": 44, "GL.SClamp": 45}),
    (_TERNARY, "float", "any", {"GL.FClamp": 43, "GL.Fma": 50}),
    (_SHIFT, "integer", "any", {"ShiftRightLogical": 194, "ShiftRightArithmetic": 195, "ShiftLeftLogical": 196}),
    (_COMPARE, "integer", "bool", {
        "IEqual": 170, "INotEqual": 171, "UGreaterThan": 172, "SGreaterThan": 173, "UGreaterThanEqual": 174,
        "SGreaterThanEqual": 175, "ULessThan": 176, "SLessThan": 177, "ULessThanEqual": 178, "SLessThanEqual": 179,
    }),
    (_COMPARE, "float", "bool", {
        "FOrdEqual": 180, "FUnordEqual": 181, "FOrdNotEqual": 182, "FUnordNotEqual": 183, "FOrdLessThan": 184,
        "FUnordLessThan": 185, "FOrdGreaterThan": 186, "FUnordGreaterThan": 187, "FOrdLessThanEqual": 188,
        "FUnordLessThanEqual": 189, "FOrdGreaterThanEqual": 190, "FUnordGreaterThanEqual": 191,
    }),
    (_CONVERT, "float", "bool", {"IsNan": 156, "IsInf": 157}),
    (_CONVERT, "float", "integer", {"ConvertFToU": 109, "ConvertFToS": 110}),
    (_CONVERT, "integer", "float", {"ConvertSToF": 111, "ConvertUToF": 112}),
    (_CONVERT, "integer", "integer", {"UConvert": 113, "SConvert": 114}),
    (_CONVERT, "float", "float", {"FConvert": 115}),
    (_CONVERT, "integer", "any", {"ConvertUToPtr": 120}),
    (_CONVERT, "any", "any", {"Bitcast": 124}),
)  # fmt: skip
_COMMUTATIVE = frozenset(
    "IAdd FAdd IMul FMul LogicalEqual LogicalNotEqual LogicalOr LogicalAnd BitwiseOr BitwiseXor BitwiseAnd IEqual"
    " INotEqual FOrdEqual FUnordEqual FOrdNotEqual FUnordNotEqual".split()
)


def _make(base: type[FamilyOp], name: str, number: int, kind: str, result: str) -> type[Operation]:
    code = {"OPCODE": EXTENDED, "EXTENSION": number} if name.startswith("GL.") else {"OPCODE": number}
    fields = {"name": f"spirv.{name}", "KIND": kind, "RESULT": result, **code}
    traits = (Commutative(),) if name in _COMMUTATIVE else ()
    return member(base, f"{name.removeprefix('GL.')}Op", fields, traits)


def _members(base: type[FamilyOp], *results: str) -> list[str]:
    """The names in a family, of those with such a kind of result."""
    rows = ((result, numbers) for family, _, result, numbers in _FAMILIES if family is base)
    return [name for result, numbers in rows if result in results for name in numbers]


SHIFTS = _members(_SHIFT, "any")
COMPARISONS = _members(_COMPARE, "bool")
TESTS = _members(_CONVERT, "bool")
"""Questions about one value."""
CONVERSIONS = _members(_CONVERT, "integer", "float", "any")

OPERATIONS = [
    _make(base, name, number, kind, result)
    for base, kind, result, numbers in _FAMILIES
    for name, number in numbers.items()
]
"""All members of the families."""
