"""The intrinsics of the llvm dialect, `llvm.intr.*`: a row of a table each where a family shares a shape.

Beside the functions of numbers they copy and set memory, give hints, reduce vectors and access memory by masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from xdsl.dialects.builtin import (
    I1,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    SignlessIntegerConstraint,
    UnitAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.dialects.llvm import FastMathAttr, LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure

from hologram.dialects.families import operation_of
from hologram.dialects.llvm.arithmetic import NO_FASTMATH, FloatLike, IntegerLike, element_type
from hologram.dialects.llvm.bundles import (
    Bundles,
    bundle_properties,
    bundle_values,
    bundles_of,
    parse_bundles,
    print_bundles,
)
from hologram.dialects.llvm.memory import AliasedOp
from hologram.dialects.llvm.signature import SignatureOp
from hologram.dialects.llvm.types import LLVMStructType
from hologram.dialects.shapes import with_element
from hologram.dialects.syntax import print_typed

RESULT = -1
"""The result among the values whose types an intrinsic's name spells; operands go by number."""


class IntrinsicOp(IRDLOperation):
    """A function of values, or of the elements of vectors."""

    SPELLED: ClassVar[tuple[int, ...]] = (RESULT,)
    """The values whose types the intrinsic's name in LLVM IR spells."""

    def __init__(self, *operands: SSAValue, **properties: Attribute):
        types = (self.result_type(operands[0].type),)
        Operation.__init__(self, operands=operands, result_types=types, properties=properties)

    @staticmethod
    def result_type(type: Attribute) -> Attribute:
        """Return the type of the result, given that of the first operand."""
        return type


class PoisonIntrinsicOp(IntrinsicOp):
    """A function of an integer that may give poison for one operand."""

    FLAG: ClassVar[str] = "is_zero_poison"
    """The property that says whether it does."""

    def __init__(self, arg: SSAValue, gives_poison: bool = False):
        super().__init__(arg, **{self.FLAG: BoolAttr.from_bool(gives_poison)})


class OverflowOp(IntrinsicOp):
    """A sum, difference or product, and whether it wrapped, as a struct."""

    SPELLED: ClassVar[tuple[int, ...]] = (0,)

    @staticmethod
    def result_type(type: Attribute) -> Attribute:
        return LLVMStructType.from_type_list([type, with_element(type, i1)])


class ReduceOp(IntrinsicOp):
    """A vector's elements combined into one."""

    SPELLED: ClassVar[tuple[int, ...]] = (0,)
    result_type = staticmethod(element_type)


class FloatIntrinsicOp(IntrinsicOp):
    """A function of floats, with flags for the optimiser."""

    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    def __init__(self, *operands: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        super().__init__(*operands, fastmathFlags=fastmath)


class FloatPowerOp(FloatIntrinsicOp):
    """A function of a float and an integer."""

    SPELLED: ClassVar[tuple[int, ...]] = (RESULT, 1)


class FloatReduceOp(FloatIntrinsicOp):
    """A vector of floats combined into one."""

    SPELLED: ClassVar[tuple[int, ...]] = (0,)
    result_type = staticmethod(element_type)


class FloatAccumulateOp(FloatIntrinsicOp):
    """A vector of floats combined with a start value, in order unless `reassoc` is among the flags."""

    SPELLED: ClassVar[tuple[int, ...]] = (1,)


Family: TypeAlias = tuple[type[IntrinsicOp], Mapping[str, Any], Sequence[OpTrait]]
"""A base class, the definitions of its fields beside those of the base, and the traits beside `Pure`."""

_FORMAT: Mapping[str, Any] = {
    "assembly_format": "`(` operands `)` attr-dict `:` functional-type(operands, results)",
    "irdl_options": (ParsePropInAttrDict(),),
}
_ANY = VarConstraint("T", AnyAttr())


def _definitions(kind: Any, *operands: str, **more: Any) -> Mapping[str, Any]:
    """Return the definitions of operands and a result of one kind, with `more` between them or instead."""
    type = VarConstraint("T", kind)
    return {"res": result_def(type), **{name: operand_def(type) for name in operands}, **more}


_FLOAT: Family = FloatIntrinsicOp, _definitions(FloatLike, "arg", **_FORMAT), ()
_FLOATS: Family = FloatIntrinsicOp, _definitions(FloatLike, "lhs", "rhs", **_FORMAT), ()
_EXTREME: Family = *_FLOATS[:2], (Commutative(),)
_FUSED: Family = FloatIntrinsicOp, _definitions(FloatLike, "a", "b", "c", **_FORMAT), ()
_POWER: Family = (
    FloatPowerOp, _definitions(FloatLike, "val", power=operand_def(SignlessIntegerConstraint), **_FORMAT), ()
)  # fmt: skip
_INTEGER: Family = IntrinsicOp, _definitions(IntegerLike, "arg", **_FORMAT), ()
_INTEGERS: Family = IntrinsicOp, _definitions(IntegerLike, "lhs", "rhs", **_FORMAT), ()
_ORDERLESS: Family = *_INTEGERS[:2], (Commutative(),)
_FUNNEL: Family = IntrinsicOp, _definitions(IntegerLike, "a", "b", "c", **_FORMAT), ()
_OVERFLOW: Family = OverflowOp, _definitions(IntegerLike, "lhs", "rhs", res=result_def(LLVMStructType)), ()
_ZEROS: Family = PoisonIntrinsicOp, _definitions(IntegerLike, "arg", is_zero_poison=prop_def(BoolAttr)), ()
_REDUCTION: Mapping[str, Any] = {"arg": operand_def(VectorType.constr(_ANY)), "res": result_def(_ANY)}
_REDUCE: Family = ReduceOp, _REDUCTION, ()
_FLOAT_REDUCE: Family = FloatReduceOp, {**_REDUCTION, **_FORMAT}, ()
_ACCUMULATE: Family = FloatAccumulateOp, {"start_value": operand_def(_ANY), **_REDUCTION}, ()

_ROWS: Mapping[str, tuple[Family, str]] = {
    "fabs": (_FLOAT, "The value without its sign."),
    "sqrt": (_FLOAT, "The square root."),
    "sin": (_FLOAT, "The sine."),
    "cos": (_FLOAT, "The cosine."),
    "tan": (_FLOAT, "The tangent."),
    "asin": (_FLOAT, "The arc sine."),
    "acos": (_FLOAT, "The arc cosine."),
    "atan": (_FLOAT, "The arc tangent."),
    "sinh": (_FLOAT, "The hyperbolic sine."),
    "cosh": (_FLOAT, "The hyperbolic cosine."),
    "tanh": (_FLOAT, "The hyperbolic tangent."),
    "exp": (_FLOAT, "e to the power of the value."),
    "exp2": (_FLOAT, "2 to the power of the value."),
    "exp10": (_FLOAT, "10 to the power of the value."),
    "log": (_FLOAT, "The natural logarithm."),
    "log2": (_FLOAT, "The logarithm to base 2."),
    "log10": (_FLOAT, "The logarithm to base 10."),
    "floor": (_FLOAT, "The greatest integral value not above."),
    "ceil": (_FLOAT, "The least integral value not below."),
    "trunc": (_FLOAT, "The integral value towards zero."),
    "rint": (_FLOAT, "The nearest integral value, ties to even; may raise inexact."),
    "nearbyint": (_FLOAT, "The nearest integral value, ties to even."),
    "round": (_FLOAT, "The nearest integral value, ties away from zero."),
    "roundeven": (_FLOAT, "The nearest integral value, ties to even."),
    "copysign": (_FLOATS, "The first value with the sign of the second."),
    "pow": (_FLOATS, "The first value to the power of the second."),
    "atan2": (_FLOATS, "The angle of the point (second, first)."),
    "maxnum": (_EXTREME, "The greater; the other one if one is a quiet NaN; either zero of two."),
    "minnum": (_EXTREME, "The lesser; the other one if one is a quiet NaN; either zero of two."),
    "maximum": (_EXTREME, "The greater; NaN if either is; +0 above -0."),
    "minimum": (_EXTREME, "The lesser; NaN if either is; -0 below +0."),
    "fma": (_FUSED, "a * b + c, rounded once."),
    "fmuladd": (_FUSED, "a * b + c, rounded once or twice."),
    "ldexp": (_POWER, "val * 2**power."),
    "powi": (_POWER, "val to an integer power."),
    "smax": (_ORDERLESS, "The greater of two signed values."),
    "smin": (_ORDERLESS, "The lesser of two signed values."),
    "umax": (_ORDERLESS, "The greater of two unsigned values."),
    "umin": (_ORDERLESS, "The lesser of two unsigned values."),
    "sadd.sat": (_ORDERLESS, "The signed sum, held at the ends of the range."),
    "uadd.sat": (_ORDERLESS, "The unsigned sum, held at the end of the range."),
    "ssub.sat": (_INTEGERS, "The signed difference, held at the ends of the range."),
    "usub.sat": (_INTEGERS, "The unsigned difference, held at zero."),
    "sshl.sat": (_INTEGERS, "The signed shift to the left, held at the ends of the range."),
    "ushl.sat": (_INTEGERS, "The unsigned shift to the left, held at the end of the range."),
    **{
        f"{sign}{verb}.with.overflow": (_OVERFLOW, f"The {result} and whether it wrapped, {word}.")
        for verb, result in (("add", "sum"), ("sub", "difference"), ("mul", "product"))
        for sign, word in (("s", "signed"), ("u", "unsigned"))
    },
    "ctlz": (_ZEROS, "The number of zero bits above the highest one; of zero the width, or poison."),
    "cttz": (_ZEROS, "The number of zero bits below the lowest one; of zero the width, or poison."),
    "ctpop": (_INTEGER, "The number of bits that are one."),
    "bitreverse": (_INTEGER, "The bits reversed."),
    "bswap": (_INTEGER, "The bytes reversed."),
    "fshl": (_FUNNEL, "The high half of a:b shifted left by c modulo the width."),
    "fshr": (_FUNNEL, "The low half of a:b shifted right by c modulo the width."),
    **{
        f"vector.reduce.{name}": (family, f"{values} combined by {name}.")
        for family, values, names in (
            (_REDUCE, "All elements", "add mul and or xor smax smin umax umin"),
            (_FLOAT_REDUCE, "All elements", "fmax fmin fmaximum fminimum"),
            (_ACCUMULATE, "The start value and all elements", "fadd fmul"),
        )
        for name in names.split()
    },
}


def _operation(name: str, family: Family, meaning: str) -> type[Any]:
    """Make the class of the operation `llvm.intr.<name>`."""
    base, definitions, traits = family
    name = f"llvm.intr.{name}"
    return operation_of(base, name, meaning, Pure(), *traits, module=__name__, definitions=definitions)


INTRINSICS: Mapping[str, type[Any]] = {name: _operation(name, *row) for name, row in _ROWS.items()}
"""The operations of the table, by their names behind `llvm.intr.`."""


@irdl_op_definition
class AbsOp(PoisonIntrinsicOp):
    """The absolute value; of the least value itself, or poison."""

    name = "llvm.intr.abs"

    FLAG: ClassVar[str] = "is_int_min_poison"
    T: ClassVar = VarConstraint("T", IntegerLike)

    arg = operand_def(T)
    res = result_def(T)
    is_int_min_poison = prop_def(BoolAttr)

    traits = traits_def(Pure())


@irdl_op_definition
class IsFPClassOp(IRDLOperation):
    """A truth value: whether a float is of one of the classes that the bits of `bit` name."""

    name = "llvm.intr.is.fpclass"

    arg = operand_def(FloatLike)
    bit = prop_def(IntegerAttr)
    res = result_def(I1 | VectorType[I1])

    traits = traits_def(Pure())

    def __init__(self, arg: SSAValue, bit: int, result_type: Attribute = i1):
        Operation.__init__(
            self, operands=(arg,), result_types=(result_type,), properties={"bit": IntegerAttr(bit, i32)}
        )


# Memory


class _BytesOp(AliasedOp, SignatureOp):
    """Writes `len` bytes: those at a pointer, or a value."""

    is_volatile = prop_def(BoolAttr, prop_name="isVolatile")

    def __init__(self, dst: SSAValue, source: SSAValue, len: SSAValue, volatile: bool = False):
        properties: dict[str, Attribute] = {"isVolatile": BoolAttr.from_bool(volatile)}
        Operation.__init__(self, operands=(dst, source, len), properties=properties)


class CopyOp(_BytesOp):
    """Copies `len` bytes."""

    dst = operand_def(LLVMPointerType)
    src = operand_def(LLVMPointerType)
    len = operand_def(SignlessIntegerConstraint)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class MemcpyOp(CopyOp):
    """Copies `len` bytes between places that are the same or do not overlap."""

    name = "llvm.intr.memcpy"


@irdl_op_definition
class MemmoveOp(CopyOp):
    """Copies `len` bytes between places that may overlap."""

    name = "llvm.intr.memmove"


@irdl_op_definition
class MemsetOp(_BytesOp):
    """Sets `len` bytes to a value."""

    name = "llvm.intr.memset"

    dst = operand_def(LLVMPointerType)
    val = operand_def(SignlessIntegerConstraint)
    len = operand_def(SignlessIntegerConstraint)

    traits = traits_def(MemoryWriteEffect())


# Hints


@irdl_op_definition
class AssumeOp(IRDLOperation):
    """Says that a condition holds. Bundles say more: `align`, `nonnull`, `dereferenceable`, `separate_storage`."""

    name = "llvm.intr.assume"

    cond = operand_def(I1)
    op_bundle_operands = var_operand_def()
    op_bundle_sizes = prop_def(DenseArrayBase.constr(i32))
    op_bundle_tags = opt_prop_def(ArrayAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, cond: SSAValue, bundles: Bundles = ()):
        operands = (cond, *bundle_values(bundles))
        Operation.__init__(self, operands=operands, properties=bundle_properties(bundles))

    def bundles(self) -> Bundles:
        """The tag and values of each bundle."""
        return bundles_of(self)

    @classmethod
    def parse(cls, parser: Parser) -> AssumeOp:
        cond = parser.parse_unresolved_operand()
        bundles = parse_bundles(parser)
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(cond, parser.parse_type()), bundles)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        print_bundles(printer, self.bundles())
        print_typed(printer, {}, self.cond.type)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ExpectOp(IRDLOperation):
    """The value itself; says that it is probably the expected one."""

    name = "llvm.intr.expect"

    T: ClassVar = VarConstraint("T", SignlessIntegerConstraint)

    val = operand_def(T)
    expected = operand_def(T)
    res = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$val `,` $expected attr-dict `:` type($val)"

    def __init__(self, val: SSAValue, expected: SSAValue):
        Operation.__init__(self, operands=(val, expected), result_types=(val.type,))


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Says that an address will be used soon.

    `rw` is 0 to read, 1 to write; `hint` from 0 (once) to 3 (often); `cache` 1 for data.
    """

    name = "llvm.intr.prefetch"

    addr = operand_def(LLVMPointerType)
    rw = prop_def(IntegerAttr)
    hint = prop_def(IntegerAttr)
    cache = prop_def(IntegerAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, addr: SSAValue, rw: int = 0, hint: int = 3, cache: int = 1):
        properties: dict[str, Attribute] = {
            "rw": IntegerAttr(rw, i32),
            "hint": IntegerAttr(hint, i32),
            "cache": IntegerAttr(cache, i32),
        }
        Operation.__init__(self, operands=(addr,), properties=properties)


class _LifetimeOp(IRDLOperation):
    """Marks where a stack object starts or ends to live."""

    ptr = operand_def(LLVMPointerType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$ptr attr-dict `:` type($ptr)"

    def __init__(self, ptr: SSAValue):
        Operation.__init__(self, operands=(ptr,))


@irdl_op_definition
class LifetimeStartOp(_LifetimeOp):
    """The object's memory is undefined before this."""

    name = "llvm.intr.lifetime.start"


@irdl_op_definition
class LifetimeEndOp(_LifetimeOp):
    """The object is not used after this."""

    name = "llvm.intr.lifetime.end"


# Masked accesses


class _MaskedReadOp(IRDLOperation):
    mask = operand_def(VectorType[I1])
    pass_thru = opt_operand_def(AnyAttr())
    alignment = prop_def(IntegerAttr)
    res = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"

    def __init__(
        self, place: SSAValue, mask: SSAValue, result_type: Attribute, alignment: int, pass_thru: SSAValue | None = None
    ):
        Operation.__init__(
            self,
            operands=(place, mask) if pass_thru is None else (place, mask, pass_thru),
            result_types=(result_type,),
            properties={"alignment": IntegerAttr(alignment, i32)},
        )


@irdl_op_definition
class MaskedLoadOp(_MaskedReadOp):
    """Reads the elements of a vector whose mask is set; the others come from `pass_thru`, or are poison."""

    name = "llvm.intr.masked.load"

    data = operand_def(LLVMPointerType)
    nontemporal = opt_prop_def(UnitAttr)


@irdl_op_definition
class MaskedGatherOp(_MaskedReadOp):
    """Reads each element whose mask is set from an address of its own."""

    name = "llvm.intr.masked.gather"

    ptrs = operand_def(VectorType)


class _MaskedWriteOp(IRDLOperation):
    mask = operand_def(VectorType[I1])
    alignment = prop_def(IntegerAttr)

    traits = traits_def(MemoryWriteEffect())

    irdl_options = (ParsePropInAttrDict(),)

    def __init__(self, value: SSAValue, place: SSAValue, mask: SSAValue, alignment: int):
        properties = {"alignment": IntegerAttr(alignment, i32)}
        Operation.__init__(self, operands=(value, place, mask), properties=properties)


@irdl_op_definition
class MaskedStoreOp(_MaskedWriteOp):
    """Writes the elements of a vector whose mask is set."""

    name = "llvm.intr.masked.store"

    value = operand_def(VectorType)
    data = operand_def(LLVMPointerType)

    assembly_format = "$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($data)"


@irdl_op_definition
class MaskedScatterOp(_MaskedWriteOp):
    """Writes each element whose mask is set to an address of its own."""

    name = "llvm.intr.masked.scatter"

    value = operand_def(VectorType)
    ptrs = operand_def(VectorType)

    assembly_format = "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)"
