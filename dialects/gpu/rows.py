"""Operations of upstream's gpu dialect that no pass of ours makes, as rows, with their attributes and types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias, cast

from xdsl.dialects import builtin as b
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, MemRefType, VectorType, i32, i64
from xdsl.ir import (
    Attribute,
    Data,
    Operation,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import AnyOf, AttrConstraint, EqAttrConstraint, base, irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build, print_dict
from hologram.dialects.custom.rows import Form, Row, RowOp, need, operation
from hologram.dialects.custom.syntax import parse_body, parse_outputs, print_outputs
from hologram.dialects.gpu import AsyncTokenType, DimensionAttr
from hologram.dialects.gpu.syntax import ID, parse_async, parse_passed, print_async, print_passed
from hologram.dialects.layouts import layout_of

_Matrix: TypeAlias = "MMAMatrixType"
_Vector: TypeAlias = VectorType[Any]
_TOKEN = AsyncTokenType()


class Word(Data[str], SpacedOpaqueSyntaxAttribute):
    """The base of attributes that are one of some words: `#gpu<shuffle_mode xor>`."""

    WORDS: ClassVar[Sequence[str]] = ()

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        return parser.parse_keyword_in(cls.WORDS)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(self.data)


@irdl_attr_definition
class ReductionAttr(Word):
    """What `gpu.all_reduce` and `gpu.subgroup_reduce` make of two values."""

    name = "gpu.all_reduce_op"
    WORDS = "add mul minui minsi minnumf maxui maxsi maxnumf and or xor minimumf maximumf".split()


@irdl_attr_definition
class ShuffleModeAttr(Word):
    """From which lane `gpu.shuffle` takes a value."""

    name = "gpu.shuffle_mode"
    WORDS = "xor up down idx".split()


@irdl_attr_definition
class BroadcastAttr(Word):
    """From which lane `gpu.subgroup_broadcast` takes a value."""

    name = "gpu.broadcast"
    WORDS = "first_active_lane specific_lane".split()


@irdl_attr_definition
class ElementwiseAttr(Word):
    """What `gpu.subgroup_mma_elementwise` makes of the elements of matrices."""

    name = "gpu.mma_element_wise"
    WORDS = (
        "addf mulf subf maxf minf divf addi muli subi divs divu negatef negates extf truncf extsi extui trunci"
    ).split()


@irdl_attr_definition
class MMAMatrixType(ParametrizedAttribute, TypeAttribute):
    """A matrix that the lanes of a subgroup hold together: `!gpu.mma_matrix<16x16xf16, "AOp">`."""

    name = "gpu.mma_matrix"

    shape: b.ArrayAttr[b.IntAttr]
    element_type: Attribute
    operand: b.StringAttr

    def print_parameters(self, printer: Printer) -> None:
        sizes = "x".join(str(n.data) for n in self.shape)
        printer.print_string(f'<{sizes}x{self.element_type}, "{self.operand.data}">')

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            shape, element = parser.parse_ranked_shape()
            if len(shape) != 2:
                parser.raise_error("a matrix of a subgroup has two axes", start)
            if element not in _matrix_elements():
                parser.raise_error(f"a matrix of a subgroup has no elements of {element}", start)
            parser.parse_punctuation(",")
            if (operand := parser.parse_str_literal()) not in ("AOp", "BOp", "COp"):
                parser.raise_error(f"a matrix of a subgroup is of 'AOp', 'BOp' or 'COp', not '{operand}'", start)
        return [b.ArrayAttr(b.IntAttr(n) for n in shape), element, b.StringAttr(operand)]


def _matrix_elements() -> Sequence[Attribute]:
    signed = [IntegerType(8, sign) for sign in (b.Signedness.SIGNED, b.Signedness.UNSIGNED)]
    return [*signed, i32, b.f16, b.f32, b.f64]


@irdl_attr_definition
class KernelMetadataAttr(ParametrizedAttribute):
    """What is known of a kernel of an object: `#gpu.kernel_metadata<"k", (i32) -> (), metadata = {regs = 8 : i64}>`."""

    name = "gpu.kernel_metadata"

    kernel: b.StringAttr
    type: Attribute
    arg_attrs: Attribute
    metadata: Attribute

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list([self.kernel, self.type], printer.print_attribute)
            for word, value in (("arg_attrs", self.arg_attrs), ("metadata", self.metadata)):
                if not isinstance(value, b.NoneAttr):
                    printer.print_string(f", {word} = ")
                    printer.print_attribute(value)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        more: dict[str, Attribute] = {"arg_attrs": b.NoneAttr(), "metadata": b.NoneAttr()}
        with parser.in_angle_brackets():
            kernel = b.StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            type = parser.parse_type()
            while parser.parse_optional_punctuation(","):
                word = parser.parse_keyword_in(more)
                parser.parse_punctuation("=")
                more[word] = parser.parse_attribute()
        return [kernel, type, *more.values()]


@irdl_attr_definition
class KernelTableAttr(ParametrizedAttribute):
    """The kernels of an object, in the order of their names: `#gpu.kernel_table<[...]>`."""

    name = "gpu.kernel_table"

    kernels: b.ArrayAttr[KernelMetadataAttr]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.kernels)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            given = cast("b.ArrayAttr[KernelMetadataAttr]", parser.parse_attribute())
            kernels = sorted(given, key=lambda kernel: kernel.kernel.data)
            if len({k.kernel.data for k in kernels}) != len(kernels):
                parser.raise_error("a table of kernels names each kernel once", start)
        return [b.ArrayAttr(kernels)]


ATTRIBUTES = [
    ReductionAttr, ShuffleModeAttr, BroadcastAttr, ElementwiseAttr, MMAMatrixType, KernelMetadataAttr, KernelTableAttr,
]  # fmt: skip


def own_kinds() -> Mapping[str, AttrConstraint]:
    """The kinds that only this dialect has."""
    number = AnyOf((base(IntegerType), b.AnyFloatConstr))
    return {
        "token": EqAttrConstraint(_TOKEN), "matrix": base(MMAMatrixType), "dimension": base(DimensionAttr),
        "reduction": base(ReductionAttr), "shuffle_mode": base(ShuffleModeAttr), "broadcast": base(BroadcastAttr),
        "elementwise": base(ElementwiseAttr), "number": number, "numbers": AnyOf((number, base(VectorType))),
        "unranked": base(b.UnrankedMemRefType),
    }  # fmt: skip


# Reductions and exchanges


def _check_vector(op: Any) -> None:
    """Refuse a vector of other than one axis, or of an unknown length."""
    type = op.operands[0].type
    vector = cast("_Vector", type)
    fits = not isinstance(type, VectorType) or (vector.get_num_dims() == 1 and not any(_scalable(vector)))
    need(fits, f"'{op.name}' takes numbers, or vectors of one axis and of a known length, not {type}")


def _scalable(type: _Vector) -> list[bool]:
    return [bool(flag.value.data) for flag in type.scalable_dims]


def _check_reduction(op: Any) -> None:
    if op.op is None:
        return
    type, word = op.value.type, op.op.data
    element = cast("_Vector", type).element_type if isinstance(type, VectorType) else type
    of_floats = word.endswith("f")
    fits = word in ("add", "mul") or of_floats is not isinstance(element, IntegerType)
    need(fits, f"'{word}' is no reduction of {element}")


def _check_all_reduce(op: Any) -> None:
    blocks = [*op.body.blocks]
    need((op.op is None) is bool(blocks), f"'{op.name}' has a word for what it does, or a body, and not both")
    _check_reduction(op)
    if not blocks:
        return
    pair = (op.value.type, op.value.type)
    need(blocks[0].arg_types == pair, f"the body of '{op.name}' has two arguments of type {op.value.type}")
    for last in (block.last_op for block in blocks):
        if last is not None and last.name == "gpu.yield":
            need(last.operand_types == pair[:1], f"the body of '{op.name}' yields one value of type {op.value.type}")


def _check_subgroup_reduce(op: Any) -> None:
    _check_vector(op)
    _check_reduction(op)
    size, stride = op.cluster_size, op.cluster_stride
    need(size is not None or stride is None or stride.value.data == 1, "a cluster with a stride has a size as well")
    for word, number in (("size", size), ("stride", stride)):
        if number is not None:
            need(number.value.data.bit_count() == 1, f"the {word} of a cluster is a power of two")


def _parse_word(parser: Parser, kind: type[Word]) -> Word:
    return kind(kind.parse_parameter(parser))


def _parse_reduction(kind: type[RowOp], parser: Parser) -> Operation:
    more: dict[str, Attribute] = {}
    if (value := parser.parse_optional_unresolved_operand()) is None:
        more["op"] = _parse_word(parser, ReductionAttr)
        value = parser.parse_unresolved_operand()
    if parser.parse_optional_keyword("uniform"):
        more["uniform"] = b.UnitAttr()
    if parser.parse_optional_keyword("cluster"):
        more |= _parse_cluster(parser)
    regions = [parser.parse_region()] if kind.get_irdl_definition().regions else []
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_function_type()
    operand = parser.resolve_operands([value], type.inputs.data, parser.pos)
    return build(kind, operand, [*type.outputs.data], more | attributes, regions)


def _parse_cluster(parser: Parser) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}

    def number() -> None:
        word = parser.parse_keyword_in(("size", "stride"))
        parser.parse_punctuation("=")
        found[f"cluster_{word}"] = IntegerAttr(parser.parse_integer(), i32)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, number)
    return found


def _print_reduction(printer: Printer, op: Any) -> None:
    if op.op is not None:
        printer.print_string(f" {op.op.data}")
    printer.print_string(" ")
    printer.print_ssa_value(op.value)
    if op.uniform is not None:
        printer.print_string(" uniform")
    size, stride = op.properties.get("cluster_size"), op.properties.get("cluster_stride")
    if size is not None:
        more = "" if stride is None or stride.value.data == 1 else f", stride = {stride.value.data}"
        printer.print_string(f" cluster(size = {size.value.data}{more})")
    for region in op.regions:
        printer.print_string(" ")
        printer.print_region(region)
    print_dict(printer, op, "op", "uniform", "cluster_size", "cluster_stride")
    printer.print_string(f" : ({op.value.type}) -> {op.results[0].type}")


def _check_rotate(op: Any) -> None:
    _check_vector(op)
    width, offset = op.width.value.data, op.offset.value.data
    need(width > 0 and width.bit_count() == 1, f"the width of '{op.name}' is a power of two, not {width}")
    need(0 <= offset < width, f"the offset of '{op.name}' is less than its width, not {offset}")


def _check_broadcast(op: Any) -> None:
    fits = (op.lane is None) is (op.broadcast_type.data == "first_active_lane")
    need(fits, f"'{op.name}' takes the number of a lane where it is of a specific lane, and only there")


# Memory


def _parse_yield(kind: type[RowOp], parser: Parser) -> Operation:
    attributes = parser.parse_optional_attr_dict()
    given = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    types: list[Attribute] = []
    if given:
        parser.parse_punctuation(":")
        types += parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return build(kind, [parser.resolve_operands(given or [], types, parser.pos)], [], attributes)


def _print_yield(printer: Printer, op: Any) -> None:
    printer.print_op_attributes(op.attributes)
    if op.operands:
        printer.print_string(" ")
        printer.print_list(op.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(op.operand_types, printer.print_attribute)


def _parse_wait(kind: type[RowOp], parser: Parser) -> Operation:
    token, dependencies = parse_async(parser)
    return build(kind, [dependencies], [token], parser.parse_optional_attr_dict())


def _print_wait(printer: Printer, op: Any) -> None:
    print_async(printer, op.asyncToken, op.asyncDependencies)
    printer.print_op_attributes(op.attributes)


def _parse_alloc(kind: type[RowOp], parser: Parser) -> Operation:
    token, dependencies = parse_async(parser)
    shared: dict[str, Attribute] = {"hostShared": b.UnitAttr()} if parser.parse_optional_keyword("host_shared") else {}

    def size() -> SSAValue:
        return parser.parse_operand(IndexType())

    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, size)
    symbols = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, size) or []
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return build(kind, [dependencies, sizes, symbols], [parser.parse_type(), token], shared | attributes)


def _print_alloc(printer: Printer, op: Any) -> None:
    print_async(printer, op.asyncToken, op.asyncDependencies)
    printer.print_string(" host_shared (" if op.hostShared is not None else " (")
    printer.print_list(op.dynamicSizes, printer.print_ssa_value)
    printer.print_string(")")
    if op.symbolOperands:
        with printer.in_square_brackets():
            printer.print_list(op.symbolOperands, printer.print_ssa_value)
    print_dict(printer, op, "hostShared")
    printer.print_string(f" : {op.memref.type}")


def _check_alloc(op: Any) -> None:
    type: MemRefType[Any] = op.memref.type
    unknown = sum(size == b.DYNAMIC_INDEX for size in type.get_shape())
    given = len(op.dynamicSizes)
    need(given == unknown, f"'{op.name}' has {given} sizes for the {unknown} unknown ones of {type}")
    symbols = type.layout.data.num_symbols if isinstance(type.layout, b.AffineMapAttr) else 0
    given = len(op.symbolOperands)
    need(given == symbols, f"'{op.name}' has {given} values for the {symbols} symbols of the layout of {type}")


def _asynchronous(count: int) -> Form:
    """The form of `async [%token] %a, %b : memref<4xf32>, f32`, with a type for each of so many operands."""

    def parse(kind: type[RowOp], parser: Parser) -> Operation:
        token, dependencies = parse_async(parser)
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        values = parser.resolve_operands(names, types, parser.pos)
        if len(values) != count:
            parser.raise_error(f"this takes {count} operands, not {len(values)}")
        return build(kind, [dependencies, *values], [token], attributes | parser.parse_optional_attr_dict())

    def print(printer: Printer, op: Any) -> None:
        print_async(printer, op.asyncToken, op.asyncDependencies)
        values = op.operands[len(op.asyncDependencies) :]
        printer.print_string(" ")
        printer.print_list(values, printer.print_ssa_value)
        if count == 1:
            printer.print_op_attributes(op.attributes)
        printer.print_string(" : ")
        printer.print_list([v.type for v in values], printer.print_attribute)
        if count > 1:
            printer.print_op_attributes(op.attributes)

    return Form(parse, print)


def _check_memcpy(op: Any) -> None:
    target, source = op.dst.type, op.src.type
    need(target.element_type == source.element_type, f"'{op.name}' copies {source} to other elements, {target}")
    pairs = zip(target.get_shape(), source.get_shape(), strict=False)
    fits = len(target.get_shape()) == len(source.get_shape()) and all(_may_equal(a, b) for a, b in pairs)
    need(fits, f"'{op.name}' copies {source} to another shape, {target}")


def _may_equal(left: int, right: int) -> bool:
    return left == right or b.DYNAMIC_INDEX in (left, right)


def _check_memset(op: Any) -> None:
    element = op.dst.type.element_type
    need(op.value.type == element, f"'{op.name}' stores {op.value.type} to elements of {element}")


# Regions


def _parse_warp(kind: type[RowOp], parser: Parser) -> Operation:
    with parser.in_parens():
        lane = parser.parse_operand(IndexType())
    with parser.in_square_brackets():
        size = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
    passed = parse_passed(parser) if parser.parse_optional_keyword("args") else []
    types = parse_outputs(parser)
    body = parse_body(parser)
    block = body.blocks.last
    if block is not None and (block.last_op is None or block.last_op.name != "gpu.yield"):
        block.add_op(operation("gpu.yield").create())
    attributes = parser.parse_optional_attr_dict()
    return build(kind, [lane, passed], [types], {"warp_size": size} | attributes, [body])


def _print_warp(printer: Printer, op: Any) -> None:
    printer.print_string("(")
    printer.print_ssa_value(op.laneid)
    printer.print_string(f")[{op.warp_size.value.data}]")
    if op.args:
        printer.print_string(" args")
        with printer.in_parens():
            printer.print_list(op.args, lambda value: print_passed(printer, value))
    print_outputs(printer, op.results.types)
    printer.print_string(" ")
    printer.print_region(op.body, print_block_terminators=bool(op.results))
    print_dict(printer, op, "warp_size")


def _check_warp(op: Any) -> None:
    block = op.body.blocks.first
    last = None if block is None else block.last_op
    need(last is not None and last.name == "gpu.yield", f"the body of '{op.name}' ends with 'gpu.yield'")
    yielded = last.operand_types if last is not None else ()
    need(len(yielded) == len(op.results), f"'{op.name}' gives {len(op.results)} values, and yields {len(yielded)}")
    taken = block.arg_types if block is not None else ()
    need(len(taken) == len(op.args), f"'{op.name}' passes {len(op.args)} values to a body that takes {len(taken)}")
    size = op.warp_size.value.data
    for whole, part in (*zip(yielded, op.results.types, strict=True), *zip(taken, op.args.types, strict=True)):
        need(_is_shared(whole, part, size), f"{part} is no part of {whole} that each of {size} lanes has")


def _is_shared(whole: Attribute, part: Attribute, lanes: int) -> bool:
    """Return whether `part` is what each of some lanes has of `whole`: all of it, or a slice of equal parts."""
    if whole == part:
        return True
    if not isinstance(whole, VectorType) or not isinstance(part, VectorType):
        return False
    all_lanes, one_lane = cast("_Vector", whole), cast("_Vector", part)
    sizes = [*zip(all_lanes.get_shape(), one_lane.get_shape(), strict=False)]
    if all_lanes.element_type != one_lane.element_type or all_lanes.get_num_dims() != one_lane.get_num_dims():
        return False
    rest = lanes
    for all, one in sizes:
        if all == one:
            continue
        if all % one or rest % (all // one):
            return False
        rest //= all // one
    return rest == 1


# Matrices


def _check_access(op: Any, memref: SSAValue, what: str) -> None:
    layout = layout_of(cast("MemRefType[Attribute]", memref.type))
    strides = None if layout is None else layout.strides
    need(strides is not None and strides[-1] == 1, f"the last axis of the {what} of '{op.name}' has a stride of 1")
    element = cast("MemRefType[Any]", memref.type).element_type
    if isinstance(element, VectorType):
        need(element.get_num_dims() == 1, f"the elements of the {what} of '{op.name}' are vectors of one axis at most")


def _check_load(op: Any) -> None:
    _check_access(op, op.srcMemref, "source")


def _check_store(op: Any) -> None:
    _check_access(op, op.dstMemref, "target")
    matrix: _Matrix = op.src.type
    need(matrix.operand.data == "COp", f"'{op.name}' stores a matrix of 'COp', not of '{matrix.operand.data}'")


def _check_compute(op: Any) -> None:
    matrices: list[_Matrix] = [op.opA.type, op.opB.type, op.opC.type]
    order = [m.operand.data for m in matrices]
    need(order == ["AOp", "BOp", "COp"], f"'{op.name}' takes matrices of 'AOp', 'BOp' and 'COp', in this order")
    (rows, inner), (height, columns), result = ([n.data for n in m.shape] for m in matrices)
    need(inner == height and result == [rows, columns], f"the matrices of '{op.name}' have not the shapes of a product")


def _check_constant(op: Any) -> None:
    element = op.res.type.element_type
    need(op.value.type == element, f"'{op.name}' makes a matrix of elements {element} of {op.value.type}")


def _parse_constant(kind: type[RowOp], parser: Parser) -> Operation:
    value = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    if not isinstance(type, MMAMatrixType):
        parser.raise_error("the type of a matrix was expected here")
    return build(kind, [parser.resolve_operand(value, type.element_type)], [type], attributes)


def _print_constant(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.res.type}")


_DEPENDENCIES = "asyncDependencies:token*"
_ACCESS = "`[` $indices `]` attr-dict `:` type"


def _id(name: str, meaning: str) -> Row:
    properties = "dimension:dimension upper_bound:index_attr?"
    return Row(f"gpu.{name}", meaning, results="result:index", properties=properties, form=ID, traits="pure")


ROWS = [
    _id("cluster_id", "The cluster's position in the grid."),
    _id("cluster_dim", "The number of clusters of the grid."),
    _id("cluster_block_id", "The block's position in its cluster."),
    _id("cluster_dim_blocks", "The number of blocks of a cluster."),
    Row(
        "gpu.all_reduce", "Combines the values of all lanes of a block.", "value:number$T", "result:number$T",
        "op:reduction? uniform:unit?", "body:any", form=Form(_parse_reduction, _print_reduction),
        traits="isolated", check=_check_all_reduce,
    ),
    Row(
        "gpu.subgroup_reduce", "Combines the values of all lanes of a subgroup, or of clusters of them.",
        "value:numbers$T", "result:numbers$T",
        "op:reduction uniform:unit? cluster_size:i32_attr? cluster_stride:i32_attr?",
        form=Form(_parse_reduction, _print_reduction), check=_check_subgroup_reduce,
    ),
    Row(
        "gpu.shuffle", "Takes the value of another lane of the subgroup, and says whether there is such a lane.",
        "value:numbers$T offset:i32 width:i32", "shuffleResult:numbers$T valid:i1", "mode:shuffle_mode",
        form="$mode $value `,` $offset `,` $width attr-dict `:` type($value)", check=_check_vector,
    ),
    Row(
        "gpu.rotate", "Takes the value of the lane that is `offset` further in a group of `width` lanes.",
        "value:numbers$T", "rotateResult:numbers$T valid:i1", "offset:i32_attr width:i32_attr",
        form="$value `,` $offset `,` $width attr-dict `:` type($value)", check=_check_rotate,
    ),
    Row(
        "gpu.subgroup_broadcast", "Gives the value of one lane to all of the subgroup.", "src:any$T lane:i32?",
        "result:any$T", "broadcast_type:broadcast",
        form="$src `,` $broadcast_type ($lane^)? attr-dict `:` type($src)", check=_check_broadcast,
    ),
    Row(
        "gpu.printf", "Prints values of a lane.", "args:any*", "", "format:str",
        form="$format attr-dict (`,` $args^ `:` type($args))?", traits="writes",
    ),
    Row(
        "gpu.yield", "Ends a region with the values that it gives.", "values:any*",
        form=Form(_parse_yield, _print_yield), traits="ends_block pure returns",
    ),
    Row(
        "gpu.wait", "Waits for what tokens stand for, or gives a token that does.", _DEPENDENCIES, "asyncToken:token?",
        form=Form(_parse_wait, _print_wait),
    ),
    Row(
        "gpu.alloc", "Allocates memory on the device, or memory that the host sees too.",
        f"{_DEPENDENCIES} dynamicSizes:index* symbolOperands:index*", "memref:ranked_memref asyncToken:token?",
        "hostShared:unit?", form=Form(_parse_alloc, _print_alloc), traits="allocates", check=_check_alloc,
    ),
    Row(
        "gpu.dealloc", "Frees memory on the device.", f"{_DEPENDENCIES} memref:ranked_memref", "asyncToken:token?",
        form=_asynchronous(1), traits="frees",
    ),
    Row(
        "gpu.memcpy", "Copies from one buffer to another, of the host or the device.",
        f"{_DEPENDENCIES} dst:ranked_memref src:ranked_memref", "asyncToken:token?", form=_asynchronous(2),
        traits="reads writes", check=_check_memcpy,
    ),
    Row(
        "gpu.memset", "Sets all elements of a buffer.", f"{_DEPENDENCIES} dst:ranked_memref value:any",
        "asyncToken:token?", form=_asynchronous(2), traits="writes", check=_check_memset,
    ),
    Row(
        "gpu.host_register", "Lets the device see a buffer of the host.", "value:unranked",
        form="$value attr-dict `:` type($value)",
    ),
    Row(
        "gpu.host_unregister", "Ends what gpu.host_register began.", "value:unranked",
        form="$value attr-dict `:` type($value)",
    ),
    Row("gpu.set_default_device", "Chooses the device of what follows.", "devIndex:i32", form="attr-dict $devIndex"),
    Row(
        "gpu.warp_execute_on_lane_0", "Runs its body on one lane of a warp, with the values of all lanes as one.",
        "laneid:index args:any*", "results_:any*", "warp_size:i64_attr", "body:any",
        form=Form(_parse_warp, _print_warp), traits="effects_within", check=_check_warp,
    ),
    Row(
        "gpu.subgroup_mma_load_matrix", "Loads a matrix that the lanes of a subgroup hold together.",
        "srcMemref:ranked_memref indices:index*", "res:matrix", "leadDimension:index_attr transpose:unit?",
        form=f"$srcMemref {_ACCESS}($srcMemref) `->` type($res)", traits="reads", check=_check_load,
    ),
    Row(
        "gpu.subgroup_mma_store_matrix", "Stores a matrix that the lanes of a subgroup hold together.",
        "src:matrix dstMemref:ranked_memref indices:index*", "", "leadDimension:index_attr transpose:unit?",
        form=f"$src `,` $dstMemref {_ACCESS}($src) `,` type($dstMemref)", traits="writes", check=_check_store,
    ),
    Row(
        "gpu.subgroup_mma_compute", "The matrix product of A and B, added to C.", "opA:matrix opB:matrix opC:matrix$T",
        "res:matrix$T", "a_transpose:unit? b_transpose:unit?",
        form="$opA `,` $opB `,` $opC attr-dict `:` type($opA) `,` type($opB) `->` type($res)",
        traits="pure", check=_check_compute,
    ),
    Row(
        "gpu.subgroup_mma_constant_matrix", "A matrix whose elements are all one value.", "value:any", "res:matrix",
        form=Form(_parse_constant, _print_constant), traits="pure", check=_check_constant,
    ),
    Row(
        "gpu.subgroup_mma_elementwise", "Combines the elements of matrices.", "args:matrix*", "res:matrix",
        "opType:elementwise", form="$opType $args attr-dict `:` functional-type($args, $res)", traits="pure",
    ),
    Row(
        "gpu.subgroup_mma_extract_thread_local", "An element of a matrix that the lane holds.",
        "matrix:matrix indices:index*", "res:any", form=f"$matrix {_ACCESS}($matrix) `->` type($res)", traits="pure",
    ),
    Row(
        "gpu.subgroup_mma_insert_thread_local", "A matrix with an element that the lane holds in its place.",
        "value:any matrix:matrix$T indices:index*", "res:matrix$T",
        form=f"$value `,` $matrix {_ACCESS}($value) `,` type($matrix) `->` type($res)", traits="pure",
    ),
]  # fmt: skip
"""Operations of `gpu`."""
