"""Branches and calls of the llvm dialect."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeVar, cast

from xdsl.dialects import llvm as stock
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerType,
    SignlessIntegerConstraint,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i32,
)
from xdsl.dialects.llvm import FastMathAttr, TailCallKindAttr
from xdsl.dialects.llvm import TailCallKind as Tail
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from hologram.dialects.custom.forms import parse_target, print_target
from hologram.dialects.llvm.arithmetic import NO_FASTMATH
from hologram.dialects.llvm.attributes import CallingConventionAttr, LoopAnnotationAttr
from hologram.dialects.llvm.bundles import bundle_values
from hologram.dialects.llvm.calls import (
    Call,
    parse_call,
    parse_callee,
    parse_vararg,
    print_call,
    print_callee,
    print_vararg,
)
from hologram.dialects.llvm.enums import CALLING_CONVENTIONS
from hologram.dialects.llvm.memory import AliasedOp
from hologram.dialects.llvm.properties import array, given, take_properties
from hologram.dialects.llvm.signature import FunctionOp, SignatureOp
from hologram.dialects.llvm.types import LLVMFunctionType
from hologram.dialects.syntax import print_values
from hologram.errors import VerifyError

Created = TypeVar("Created", bound=IRDLOperation)

C_CALL = CallingConventionAttr("ccc")
NO_TAIL_CALL = TailCallKindAttr(Tail.NONE)


def _i32s(values: Sequence[int]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i32, values)


NO_BUNDLES = _i32s(())


def verify_successor(number: int, block: Block, operands: Sequence[SSAValue]) -> None:
    expected, given = [a.type for a in block.args], [v.type for v in operands]
    if expected != given:
        wants = ", ".join(map(str, expected)) or "nothing"
        gets = ", ".join(map(str, given)) or "nothing"
        raise VerifyError("llvm-successor-types", f"successor {number} takes {wants}, but is given {gets}")


@irdl_op_definition
class BrOp(IRDLOperation):
    """Goes to a block."""

    name = "llvm.br"

    dest_operands = var_operand_def()
    loop_annotation = opt_prop_def(LoopAnnotationAttr)
    dest = successor_def()

    traits = traits_def(IsTerminator())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict"

    def __init__(self, dest: Block, *operands: SSAValue, loop_annotation: LoopAnnotationAttr | None = None):
        Operation.__init__(
            self, operands=operands, successors=(dest,), properties=given(loop_annotation=loop_annotation)
        )

    def verify_(self) -> None:
        verify_successor(0, self.dest, self.dest_operands)


@irdl_op_definition
class CondBrOp(IRDLOperation):
    """Goes to one of two blocks."""

    name = "llvm.cond_br"

    condition = operand_def(IntegerType(1))
    true_dest_operands = var_operand_def()
    false_dest_operands = var_operand_def()
    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))
    loop_annotation = opt_prop_def(LoopAnnotationAttr)
    true_dest = successor_def()
    false_dest = successor_def()

    traits = traits_def(IsTerminator())

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$condition (`weights` `(` $branch_weights^ `)`)? `,`"
        " $true_dest (`(` $true_dest_operands^ `:` type($true_dest_operands) `)`)? `,`"
        " $false_dest (`(` $false_dest_operands^ `:` type($false_dest_operands) `)`)? attr-dict"
    )

    def __init__(
        self,
        condition: SSAValue,
        true_dest: Block,
        true_operands: Sequence[SSAValue],
        false_dest: Block,
        false_operands: Sequence[SSAValue],
        branch_weights: Sequence[int] | None = None,
        loop_annotation: LoopAnnotationAttr | None = None,
    ):
        properties = given(
            operandSegmentSizes=_i32s((1, len(true_operands), len(false_operands))),
            branch_weights=None if branch_weights is None else _i32s(branch_weights),
            loop_annotation=loop_annotation,
        )
        Operation.__init__(
            self,
            operands=(condition, *true_operands, *false_operands),
            successors=(true_dest, false_dest),
            properties=properties,
        )

    def verify_(self) -> None:
        verify_successor(0, self.true_dest, self.true_dest_operands)
        verify_successor(1, self.false_dest, self.false_dest_operands)


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """Goes to the block of the case that equals a value, or to the default."""

    name = "llvm.switch"

    value = operand_def(SignlessIntegerConstraint)
    default_operands = var_operand_def()
    case_operands = var_operand_def()
    case_values = opt_prop_def(DenseIntOrFPElementsAttr)
    case_operand_segments = prop_def(DenseArrayBase.constr(i32))
    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))
    default_destination = successor_def()
    case_destinations = var_successor_def()

    traits = traits_def(IsTerminator())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        value: SSAValue,
        default: Block,
        default_operands: Sequence[SSAValue],
        cases: Sequence[tuple[int, Block, Sequence[SSAValue]]],
    ):
        """Each case is its value, block and operands."""
        flat = [v for _, _, operands in cases for v in operands]
        properties: dict[str, Attribute] = {
            "operandSegmentSizes": _i32s((1, len(default_operands), len(flat))),
            "case_operand_segments": _i32s([len(operands) for _, _, operands in cases]),
        }
        if cases:
            type = VectorType(value.type, [len(cases)])
            properties["case_values"] = DenseIntElementsAttr.from_list(type, [case for case, _, _ in cases])  # pyright: ignore
        Operation.__init__(
            self,
            operands=(value, *default_operands, *flat),
            successors=(default, *[block for _, block, _ in cases]),
            properties=properties,
        )

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        flag = parser.resolve_operand(value, parser.parse_type())
        parser.parse_punctuation(",")
        default, default_operands = parse_target(parser)
        cases = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_case(parser))
        attributes = parser.parse_optional_attr_dict()
        op = cls(flag, default, default_operands, cases)
        if "branch_weights" in attributes:
            op.properties["branch_weights"] = attributes.pop("branch_weights")
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_values(printer, [self.value])
        printer.print_string(", ")
        print_target(printer, self.default_destination, self.default_operands)
        printer.print_string(" [")
        for number, (value, block, operands) in enumerate(self.cases()):
            printer.print_string(f"{',' if number else ''} {value}: ")
            print_target(printer, block, operands)
        printer.print_string(" ]")
        weights = {} if self.branch_weights is None else {"branch_weights": self.branch_weights}
        printer.print_op_attributes(self.attributes | weights)

    def cases(self) -> list[tuple[int, Block, Sequence[SSAValue]]]:
        """The value, block and operands of each case."""
        values: Sequence[int] = () if self.case_values is None else cast("Any", self.case_values).get_values()
        rest = iter(self.case_operands)
        operands = [tuple(islice(rest, int(count))) for count in self.case_operand_segments.get_values()]
        return list(zip(values, self.case_destinations, operands, strict=True))

    def verify_(self) -> None:
        values = 0 if self.case_values is None else len(self.case_values)
        if not values == len(self.case_destinations) == len(self.case_operand_segments):
            raise VerifyError(
                "llvm-switch-cases", f"{values} case values for {len(self.case_destinations)} case blocks"
            )
        verify_successor(0, self.default_destination, self.default_operands)
        for number, (_, block, operands) in enumerate(self.cases()):
            verify_successor(number + 1, block, operands)


def _parse_case(parser: Parser) -> tuple[int, Block, Sequence[SSAValue]]:
    value = parser.parse_integer()
    parser.parse_punctuation(":")
    return value, *parse_target(parser)


# Calls


def _symbol(callee: str | SymbolRefAttr | SSAValue) -> SymbolRefAttr | None:
    """Return the name of what is called, None of a pointer."""
    if isinstance(callee, str):
        return SymbolRefAttr(StringAttr(callee))
    return callee if isinstance(callee, SymbolRefAttr) else None


def _created(kind: type[Created], call: Call, properties: dict[str, Attribute]) -> Created:
    """A call that was parsed."""
    values = bundle_values(call.bundles)
    return kind.create(
        operands=[*call.operands, *values],
        result_types=call.outputs,
        properties={"operandSegmentSizes": _i32s((len(call.operands), len(values))), **call.properties, **properties},
        attributes=call.attributes,
    )


@irdl_op_definition
class CallOp(AliasedOp, FunctionOp):
    """Calls a function by name, or through a pointer that is then the first operand.

    Example::

        %r = llvm.call fastcc @f(%a) : (f32) -> f32
    """

    name = "llvm.call"

    callee_operands = var_operand_def()
    op_bundle_operands = var_operand_def()
    var_callee_type = opt_prop_def(LLVMFunctionType)
    callee = opt_prop_def(SymbolRefAttr)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)
    CConv = prop_def(CallingConventionAttr | stock.CallingConventionAttr, default_value=C_CALL)
    TailCallKind = prop_def(TailCallKindAttr, default_value=NO_TAIL_CALL)
    op_bundle_sizes = prop_def(DenseArrayBase.constr(i32), default_value=NO_BUNDLES)
    op_bundle_tags = opt_prop_def(ArrayAttr)
    result = opt_result_def(AnyAttr())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        callee: str | SymbolRefAttr | SSAValue,
        args: Sequence[SSAValue] = (),
        result_type: Attribute | None = None,
        *,
        cconv: str = "ccc",
        fastmath: FastMathAttr = NO_FASTMATH,
        tail: Tail = Tail.NONE,
        var_callee_type: LLVMFunctionType | None = None,
        arg_attrs: Sequence[DictionaryAttr] | None = None,
        res_attrs: Sequence[DictionaryAttr] | None = None,
    ):
        operands = (callee, *args) if isinstance(callee, SSAValue) else tuple(args)
        properties = given(
            operandSegmentSizes=_i32s((len(operands), 0)),
            op_bundle_sizes=NO_BUNDLES,
            CConv=C_CALL if cconv == "ccc" else CallingConventionAttr(cconv),
            TailCallKind=NO_TAIL_CALL if tail == Tail.NONE else TailCallKindAttr(tail),
            fastmathFlags=fastmath,
            callee=_symbol(callee),
            var_callee_type=var_callee_type,
            arg_attrs=array(arg_attrs),
            res_attrs=array(res_attrs),
        )
        results = () if result_type is None else (result_type,)
        Operation.__init__(self, operands=operands, result_types=results, properties=properties)

    def print(self, printer: Printer) -> None:
        if self.CConv.convention.data != "ccc":
            printer.print_string(f" {self.CConv.convention.data}")
        if self.TailCallKind != NO_TAIL_CALL:
            printer.print_string(f" {self.TailCallKind.data.value}")
        printer.print_string(" ")
        args = print_callee(printer, self)
        print_vararg(printer, self)
        hidden = {"callee", "var_callee_type", "CConv", "TailCallKind"}
        hidden |= {"fastmathFlags"} if self.fastmathFlags == NO_FASTMATH else set()
        print_call(printer, self, args, hidden, None if self.callee is not None else self.callee_operands[0])

    @classmethod
    def parse(cls, parser: Parser) -> CallOp:
        cconv = parser.parse_optional_keyword_in(CALLING_CONVENTIONS) or "ccc"
        tail = parser.parse_optional_keyword_in([kind.value for kind in Tail]) or "none"
        callee, names = parse_callee(parser)
        vararg = parse_vararg(parser)
        call = parse_call(parser, names, is_through=callee is None)
        properties: dict[str, Attribute] = {
            "CConv": CallingConventionAttr(cconv),
            "TailCallKind": TailCallKindAttr(Tail(tail)),
            "fastmathFlags": NO_FASTMATH,
            **take_properties(cls, call.attributes),
            **given(callee=callee, var_callee_type=vararg),
        }
        return _created(cls, call, properties)


@irdl_op_definition
class CallIntrinsicOp(SignatureOp):
    """Calls an LLVM intrinsic by its name, for those that have no operation. Types may be left out of the name.

    Example::

        %r = llvm.call_intrinsic "llvm.maximumnum"(%a, %b) : (f32, f32) -> f32
    """

    name = "llvm.call_intrinsic"

    args = var_operand_def()
    op_bundle_operands = var_operand_def()
    intrin = prop_def(StringAttr)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)
    op_bundle_sizes = prop_def(DenseArrayBase.constr(i32), default_value=NO_BUNDLES)
    op_bundle_tags = opt_prop_def(ArrayAttr)
    results_ = opt_result_def(AnyAttr())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        intrin: str,
        args: Sequence[SSAValue],
        result_type: Attribute | None = None,
        fastmath: FastMathAttr = NO_FASTMATH,
    ):
        Operation.__init__(
            self,
            operands=args,
            result_types=() if result_type is None else (result_type,),
            properties={
                "intrin": StringAttr(intrin),
                "fastmathFlags": fastmath,
                "op_bundle_sizes": NO_BUNDLES,
                "operandSegmentSizes": _i32s((len(args), 0)),
            },
        )

    def verify_(self) -> None:
        if not self.intrin.data.startswith("llvm."):
            raise VerifyError(
                "llvm-intrinsic-name", f"an intrinsic's name starts with 'llvm.', '{self.intrin.data}' does not"
            )

    @classmethod
    def parse(cls, parser: Parser) -> CallIntrinsicOp:
        intrin = parser.parse_str_literal()
        names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        call = parse_call(parser, names)
        properties: dict[str, Attribute] = {
            "intrin": StringAttr(intrin),
            "fastmathFlags": NO_FASTMATH,
            **take_properties(cls, call.attributes),
        }
        return _created(cls, call, properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.intrin.data)
        with printer.in_parens():
            printer.print_list(self.args, printer.print_ssa_value)
        hidden = ("intrin", *(("fastmathFlags",) if self.fastmathFlags == NO_FASTMATH else ()))
        print_call(printer, self, self.args, hidden)
