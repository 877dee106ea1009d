"""`linalg.map` and `linalg.reduce`: their bodies are written out, or are one operation, which is written in front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, ShapedType, i64
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import IRDLOperation, SameVariadicOperandSize, irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.operands import parse_numbers, parse_operands, print_numbers, print_operands
from hologram.dialects.linalg.loops import YieldOp, check_results, element_type, tensor_types
from hologram.errors import VerifyError


class _Combine(LinalgStructuredOperation):
    """An operation whose body says how elements are put together."""

    OUTPUT_FIRST: ClassVar[bool]
    """Whether a body of one operation takes the elements of the outputs, before those of the inputs; or does not."""

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        alone = _parse_alone(parser)
        inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        properties: dict[str, Attribute] = {}
        if "dimensions" in cls.get_irdl_definition().properties:
            properties["dimensions"] = parse_numbers(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        if alone is None:
            arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
            body = parser.parse_region(arguments)
        else:
            body = _body_of(parser, *alone, [*inputs, *outputs], cls.OUTPUT_FIRST)
        results = tensor_types(outputs)
        single = cls is MapOp
        if single and len(outputs) != 1:
            parser.raise_error(f"'{cls.name}' has one output, and {len(outputs)} are given")
        return cls.build(
            operands=[inputs, outputs[0] if single else outputs], result_types=[results], properties=properties,
            attributes=attributes, regions=[body],
        )  # fmt: skip

    def print(self, printer: Printer) -> None:
        alone = self._alone()
        if alone is not None:
            printer.print_string(f" {{ {alone.name}")
            given = alone.attributes | alone.properties
            printer.print_op_attributes({k: v for k, v in given.items() if v != FastMathFlagsAttr("none")})
            printer.print_string(" }")
        outputs = [*self.operands][len(self.inputs) :]
        print_operands(printer, self.inputs, outputs, ())
        if (dimensions := self.properties.get("dimensions")) is not None:
            print_numbers(printer, "dimensions", dimensions)
        printer.print_op_attributes(self.attributes)
        if alone is None:
            printer.print_string(" ")
            with printer.in_parens():
                printer.print_list(self.body.block.args, printer.print_block_argument)
            printer.print_string(" ")
            printer.print_region(self.body, print_entry_block_args=False)

    def _alone(self) -> Operation | None:
        """The one operation of a body that can be written in front."""
        block = self.body.block
        ops = [*block.ops]
        if len(ops) != 2 or not ops[0].operands or [*ops[1].operands] != [*ops[0].results] or ops[0].regions:
            return None
        return ops[0] if [*ops[0].operands] == _taken(block.args, self.OUTPUT_FIRST) else None

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        reduced = self._reduced()
        kinds = (IteratorTypeAttr.parallel(), IteratorTypeAttr.reduction())
        return ArrayAttr(kinds[n in reduced] for n in range(self._rank()))

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank, reduced = self._rank(), self._reduced()
        kept = AffineMap(rank, 0, tuple(AffineDimExpr(n) for n in range(rank) if n not in reduced))
        count = len(self.inputs)
        maps = [AffineMap.identity(rank)] * count + [kept] * (len(self.operands) - count)
        return ArrayAttr(map(AffineMapAttr, maps))

    def _rank(self) -> int:
        first = self.operands[0].type
        return len(first.get_shape()) if isinstance(first, ShapedType) else 0

    def _reduced(self) -> Sequence[int]:
        dimensions: Any = self.properties.get("dimensions")
        return () if dimensions is None else [*dimensions.iter_values()]

    def verify_(self) -> None:
        reduced, rank = self._reduced(), self._rank()
        if [*reduced] != sorted({*reduced} & {*range(rank)}):
            raise VerifyError("linalg-dimensions", f"{[*reduced]} are no axes of rank {rank}, each once and in order")
        super().verify_()
        check_results(self)


def _taken(arguments: Sequence[SSAValue], output_first: bool) -> list[SSAValue]:
    """The elements that a body of one operation takes."""
    *given, last = arguments
    return [last, *given] if output_first else given


def _parse_alone(parser: Parser) -> tuple[str, dict[str, Attribute]] | None:
    """Parses `{ arith.addf {fastmath = ...} }`, or nothing."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    name = parser.parse_identifier()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return name, attributes


def _body_of(
    parser: Parser, name: str, attributes: dict[str, Attribute], operands: Sequence[SSAValue], output_first: bool
) -> Region:
    """The body that is one operation."""
    if not operands:
        parser.raise_error("operands were expected here")
    block = Block(arg_types=[element_type(v) for v in operands])
    kind = parser.ctx.get_optional_op(name)
    if kind is None:
        parser.raise_error(f"there is no operation '{name}'")
    known = kind.get_irdl_definition().properties if issubclass(kind, IRDLOperation) else {}
    op = kind.create(
        operands=_taken(block.args, output_first), result_types=[element_type(operands[-1])],
        properties={k: v for k, v in attributes.items() if k in known},
        attributes={k: v for k, v in attributes.items() if k not in known},
    )  # fmt: skip
    block.add_ops([op, YieldOp(*op.results)])
    return Region(block)


@irdl_op_definition
class MapOp(_Combine):
    """What its body makes of elements at the same place.

    Example: `%r = linalg.map { arith.addf } ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>)`
    """

    name = "linalg.map"
    OUTPUT_FIRST: ClassVar[bool] = False

    inputs = var_operand_def(ShapedType)
    outputs = operand_def(ShapedType)


@irdl_op_definition
class ReduceOp(_Combine):
    """What its body makes of all elements along `dimensions`, starting with the elements of the outputs.

    Example: `%r = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%o : tensor<4xf32>) dimensions = [1]`
    """

    name = "linalg.reduce"
    OUTPUT_FIRST: ClassVar[bool] = True

    inputs = var_operand_def(ShapedType)
    outputs = var_operand_def(ShapedType)
    dimensions = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (SameVariadicOperandSize(),)
