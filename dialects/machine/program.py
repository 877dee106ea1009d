"""Programs and functions of the machine form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, cast

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface

from hologram.dialects.atlas.instructions.types import DType, DTypeAttr
from hologram.dialects.machine.address import AddressAttr, object_of
from hologram.dialects.machine.control import (
    BraOp,
    ExitOp,
    FallOp,
    GetOp,
    LabelOp,
    LoopOp,
    RetOp,
    check_registers,
    unplaced,
)
from hologram.dialects.machine.directives import DYNAMIC, ArrayOp, ArrayTypeAttr, PoolOp, parse_array
from hologram.dialects.machine.instruction import InstructionOp
from hologram.dialects.machine.registers import (
    Held,
    PredType,
    Register,
    RegType,
    held_register,
    parse_held,
    print_held,
    register_type,
)
from hologram.dialects.machine.spelling import check_name
from hologram.errors import VerifyError, where_of


def _shape(name: str, values: DenseArrayBase[I64] | None) -> tuple[int, int, int] | None:
    if values is None:
        return None
    sizes = values.get_values()
    if len(sizes) != 3 or min(sizes) < 1 or max(sizes) >= 1 << 32:
        raise VerifyError(
            "machine-launch-sizes", f"'{name}' takes three sizes from 1 to {(1 << 32) - 1}, found {list(sizes)}"
        )
    x, y, z = sizes
    return x, y, z


class HeaderOp(IRDLOperation):
    """The base of what has a name, parameters and a body. Scalars arrive in the registers of the body's arguments."""

    if TYPE_CHECKING:
        sym_name: StringAttr
        body: Region

    @property
    def symbol(self) -> str:
        """Its name."""
        return self.sym_name.data

    @property
    def taken(self) -> Sequence[Attribute]:
        """The types of its parameters: of arrays, and of what registers hold."""
        return cast("ArrayAttr[Attribute]", self.properties["parameters"]).data

    @property
    def buffers(self) -> list[ArrayTypeAttr]:
        """The types of `buf0`, `buf1`, ..."""
        return [p for p in self.taken if isinstance(p, ArrayTypeAttr)]

    @property
    def scalars(self) -> list[DType]:
        """The types of the scalar parameters, whose registers are the body's arguments."""
        return [p.dtype for p in self.taken if isinstance(p, DTypeAttr)]

    @property
    def misplaced(self) -> tuple[str, str] | None:
        """The registers that the scalars arrive in and those that they need, if these are of other kinds."""
        expected = [register_type(t) for t in self.scalars]
        actual = [cast("Register", t) for t in self.body.blocks[0].arg_types]
        if [(type(t), t.width) for t in expected] == [(type(t), t.width) for t in actual]:
            return None
        return ", ".join(map(str, actual)), ", ".join(map(str, expected))

    def print_header(self, printer: Printer) -> None:
        """Prints the name and the parameters."""
        printer.print_string(" ")
        printer.print_symbol_name(self.symbol)
        arrived = iter(self.body.blocks[0].args)

        def parameter(type: Attribute) -> None:
            if isinstance(type, ArrayTypeAttr):
                printer.print_string(str(type))
            else:
                print_argument(printer, next(arrived), type)

        printer.print_string("(")
        printer.print_list(self.taken, parameter)
        printer.print_string(")")

    def print_body(self, printer: Printer) -> None:
        """Prints the attributes and the body."""
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


class CodeOp(HeaderOp):
    """The base of programs and functions: blocks in the order of the text."""

    @property
    def blocks(self) -> Sequence[Block]:
        """Its blocks in order."""
        return list(self.body.blocks)

    def arrays(self, space: str) -> list[ArrayOp]:
        """The arrays that it declares in `shared` or `local` memory, in the order of their numbers."""
        first = self.body.first_block
        ops = () if first is None else first.ops
        return [op for op in ops if isinstance(op, ArrayOp) and op.space.data == space]

    def verify_code(self) -> None:
        """Verify what all code has in common: fall-through to the next block, arguments that fit, arrays first."""
        blocks = self.blocks
        if not blocks:
            raise VerifyError("machine-empty", f"'{self.symbol}' has no body")
        for block, following in zip(blocks, [*blocks[1:], None], strict=True):
            self._verify_end(block, following)
        self._verify_directives(blocks[0])
        labels = [op.label.data for block in blocks for op in block.ops if isinstance(op, LabelOp)]
        if len(labels) != len(set(labels)):
            twice = next(name for name in labels if labels.count(name) > 1)
            raise VerifyError("machine-label-twice", f"'{self.symbol}' has two labels '{twice}'")
        check_name(self.symbol)
        for block in blocks:
            verify_registers(block)

    def _verify_end(self, block: Block, following: Block | None) -> None:
        last = block.last_op
        match last:
            case FallOp():
                fall, edges = last.next, [(last.next, last.next_args)]
            case BraOp():
                fall, edges = last.next, [(last.target, last.target_args)]
                edges += [] if fall is None else [(fall, last.next_args)]
            case LoopOp():
                fall, edges = last.next, [(last.target, last.target_args), (last.next, last.next_args)]
            case ExitOp() | RetOp():
                return
            case _:
                raise VerifyError(
                    "machine-block-end", f"a block of '{self.symbol}' ends in no machine terminator (exit, bra, ...)"
                )
        if fall is not None and fall is not following:
            raise VerifyError(
                "machine-fall-through", f"'{last.name}' falls through to a block that is not the next one"
            )
        for target, args in edges:
            if [v.type for v in args] != list(target.arg_types):
                raise VerifyError(
                    "machine-block-arguments",
                    f"'{last.name}' passes ({', '.join(str(v.type) for v in args)}) to a block that takes "
                    f"({', '.join(map(str, target.arg_types))})",
                )

    def _verify_directives(self, entry: Block) -> None:
        began = False
        for op in entry.ops:
            if isinstance(op, ArrayOp) and began:
                raise VerifyError("machine-array-place", "arrays are declared at the start of a program or function")
            began = began or not isinstance(op, ArrayOp)
        if any(isinstance(op, ArrayOp) for block in self.blocks[1:] for op in block.ops):
            raise VerifyError("machine-array-block", "arrays are declared in the first block")
        if any(isinstance(op, LabelOp) and op is not _first(op) for block in self.blocks for op in block.ops):
            raise VerifyError("machine-label-place", "a label stands at the start of its block")

    def verify_objects(self, counts: dict[str, int]) -> None:
        """Every address names an object that is declared: `counts` has the numbers of buffers and shared arrays."""
        block = self.parent_block()
        pools = 0 if block is None else sum(isinstance(op, PoolOp) for op in block.ops)
        counts = counts | {"local": len(self.arrays("local")), "pool": pools}
        for block in self.blocks:
            for op in block.ops:
                if isinstance(op, InstructionOp):
                    _verify_objects(op, self.symbol, counts)


def verify_registers(block: Block) -> None:
    """A use reads what its register holds: nothing in between has written to it."""
    writes: dict[tuple[type[Attribute], int], int] = {}
    """How often this block has written to each register."""
    born: dict[SSAValue, list[int]] = {}
    for op in block.ops:
        for value in op.operands:
            now = [writes.get(slot, 0) for slot in _slots(value)]
            if any(now) and now != born.get(value):
                raise VerifyError(
                    "machine-clobbered",
                    f"'{op.name}' reads a value of {value.type} that something in between has overwritten",
                    hint="machine.get reads what the register holds now",
                )
        for value in op.results:
            slots = _slots(value)
            if not isinstance(op, GetOp):
                writes |= {slot: writes.get(slot, 0) + 1 for slot in slots}
            born[value] = [writes.get(slot, 0) for slot in slots]


def _slots(value: SSAValue) -> list[tuple[type[Attribute], int]]:
    """The registers that a value lies in; none if it has none yet."""
    type = value.type
    if not isinstance(type, RegType | PredType) or not type.is_allocated:
        return []
    return [(type.__class__, number) for number in range(type.number, type.number + type.width)]


def _first(label: LabelOp) -> Operation:
    """The first operation of the label's block that is no directive."""
    block = label.parent_block()
    assert block is not None
    return next(op for op in block.ops if not isinstance(op, ArrayOp))


def _verify_objects(op: InstructionOp, symbol: str, counts: dict[str, int]) -> None:
    for name, given in op.properties.items():
        base_object = given.object if isinstance(given, AddressAttr) else None
        if name == "pool" and isinstance(given, StringAttr):
            known = object_of(given.data)
            base_object = known if known is not None and known[0] == "pool" else ("pool", counts["pool"])
        if base_object is not None and base_object[0] in counts and base_object[1] >= counts[base_object[0]]:
            raise VerifyError(
                "machine-object-undeclared",
                f"'{symbol}' declares no {base_object[0]}{base_object[1]}",
                hint=f"it has {counts[base_object[0]]} of them, counted from 0",
                where=where_of(op),
            )


def parse_arguments(parser: Parser) -> tuple[list[Parser.Argument], list[Attribute]]:
    """Parses `(%a: f32 in !machine.reg<r0>, f32[?])`: scalars are arguments of the body, arrays are named by number."""
    arguments: list[Parser.Argument] = []
    types: list[Attribute] = []

    def parameter() -> None:
        name = parser.parse_optional_argument(expect_type=False)
        if name is None:
            types.append(parse_array(parser))
            return
        parser.parse_punctuation(":")
        types.append(parse_held(parser))
        parser.parse_keyword("in")
        arguments.append(Parser.Argument(name.name, parser.parse_type()))

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, parameter)
    return arguments, types


def print_argument(printer: Printer, value: SSAValue, type: Attribute) -> None:
    """Prints `%a: f32 in !machine.reg<r0>`."""
    printer.print_ssa_value(value)
    printer.print_string(": ")
    print_held(printer, type)
    printer.print_string(" in ")
    printer.print_attribute(value.type)


@irdl_op_definition
class ProgramOp(CodeOp):
    """A program in the machine form. Its parameters are arrays in global memory (`buf0`, `buf1`, ... in their order)
    and scalars, which arrive in registers. `block` and `grid` fix the launch, `shared` the bytes of the shared array
    without a length.

    Example::

        machine.program @scale(f32[?], %k: f32 in !machine.reg<r0>) block [256, 1, 1] {
          machine.exit
        }
    """

    name = "machine.program"
    sym_name = prop_def(SymbolNameConstraint())
    parameters = prop_def(ArrayAttr[Attribute])
    block = opt_prop_def(DenseArrayBase[I64])
    grid = opt_prop_def(DenseArrayBase[I64])
    shared = opt_prop_def(IntegerAttr[I64])
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self,
        sym_name: str,
        parameters: Sequence[Attribute],
        body: Region,
        *,
        block: Sequence[int] | None = None,
        grid: Sequence[int] | None = None,
        shared: int | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "parameters": ArrayAttr(parameters),
                "block": None if block is None else DenseArrayBase.from_list(i64, list(block)),
                "grid": None if grid is None else DenseArrayBase.from_list(i64, list(grid)),
                "shared": None if shared is None else IntegerAttr(shared, i64),
            },
            regions=[body],
        )

    @property
    def launch(self) -> dict[str, tuple[int, int, int]]:
        """The sizes of the launch that the program fixes: `block`, `grid`."""
        sizes = {"block": _shape("block", self.block), "grid": _shape("grid", self.grid)}
        return {k: v for k, v in sizes.items() if v is not None}

    @property
    def function_type(self) -> FunctionType:
        """The types that a launch passes: memrefs and scalars."""
        inputs = [p.memref if isinstance(p, ArrayTypeAttr) else cast("DTypeAttr", p).dtype.ir for p in self.parameters]
        return FunctionType.from_lists(inputs, [])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        arguments, types = parse_arguments(parser)
        launch: dict[str, Any] = {}
        for word in ("block", "grid"):
            if parser.parse_optional_keyword(word) is not None:
                launch[word] = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        if parser.parse_optional_keyword("shared") is not None:
            launch["shared"] = parser.parse_integer()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(name.data, types, parser.parse_region(arguments), **launch)
        op.attributes |= {} if attributes is None else attributes.data
        return op

    def print(self, printer: Printer) -> None:
        self.print_header(printer)
        for word, sizes in self.launch.items():
            printer.print_string(f" {word} [{', '.join(map(str, sizes))}]")
        if self.shared is not None:
            printer.print_string(f" shared {self.shared.value.data}")
        self.print_body(printer)

    def verify_(self) -> None:
        if len(self.buffers) + len(self.scalars) != len(self.parameters):
            raise VerifyError("machine-parameters", "a parameter is an array (f32[?]) or a scalar of an ISA type (f32)")
        self.verify_code()
        if (misplaced := self.misplaced) is not None:
            raise VerifyError(
                "machine-parameter-registers",
                f"the scalars of '{self.symbol}' arrive in ({misplaced[0]}), expected ({misplaced[1]})",
            )
        assert self.launch is not None
        if any(isinstance(block.last_op, RetOp) for block in self.blocks):
            raise VerifyError("machine-program-ret", f"the program '{self.symbol}' returns; it ends in 'exit'")
        self._verify_shared()
        self.verify_objects({"buf": len(self.buffers), "shared": len(self.arrays("shared"))})

    def _verify_shared(self) -> None:
        open_ended = [a for a in self.arrays("shared") if DYNAMIC in a.array.shape]
        if len(open_ended) > 1:
            raise VerifyError("machine-shared-open", f"'{self.symbol}' has more than one shared array without a length")
        if self.shared is not None and (not open_ended or self.shared.value.data < 0):
            raise VerifyError(
                "machine-shared-bytes", f"'{self.symbol}' gives shared bytes but no shared array without a length"
            )


@irdl_op_definition
class FuncOp(CodeOp):
    """A function in the machine form: its header says in which registers values come and go; it preserves all others.

    Example::

        machine.func @twice(%a: f32 in !machine.reg<r1>) -> (f32 in !machine.reg<r0>) {
          %r = machine.add f32 %a, %a : (!machine.reg<r1>, !machine.reg<r1>) -> (!machine.reg<r0>)
          machine.ret %r : !machine.reg<r0>
        }
    """

    name = "machine.func"
    sym_name = prop_def(SymbolNameConstraint())
    in_types = prop_def(ArrayAttr[Attribute])
    out_types = prop_def(ArrayAttr[Attribute])
    outs = prop_def(ArrayAttr[Attribute])
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(self, sym_name: str, in_types: Sequence[Held], outs: Sequence[tuple[Held, Register]], body: Region):
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "in_types": ArrayAttr[Attribute](in_types),
                "out_types": ArrayAttr[Attribute]([t for t, _ in outs]),
                "outs": ArrayAttr([r for _, r in outs]),
            },
            regions=[body],
        )

    @property
    def taken(self) -> Sequence[Attribute]:
        return self.in_types.data

    @property
    def in_registers(self) -> list[Register]:
        """The registers that it reads, in the header's order."""
        return [cast("Register", t) for t in self.blocks[0].arg_types]

    @property
    def out_registers(self) -> list[Register]:
        """The registers that it writes, in the header's order."""
        return [cast("Register", t) for t in self.outs]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        arguments, types = parse_arguments(parser)
        outs: list[tuple[Held, Register]] = []

        def out() -> None:
            type = parse_held(parser)
            parser.parse_keyword("in")
            outs.append((type, cast("Register", parser.parse_type())))

        if parser.parse_optional_punctuation("->") is not None:
            parser.parse_comma_separated_list(parser.Delimiter.PAREN, out)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(name.data, cast("list[Held]", types), outs, parser.parse_region(arguments))
        op.attributes |= {} if attributes is None else attributes.data
        return op

    def print(self, printer: Printer) -> None:
        self.print_header(printer)

        def out(number: int) -> None:
            print_held(printer, self.out_types.data[number])
            printer.print_string(" in ")
            printer.print_attribute(self.out_registers[number])

        if self.out_registers:
            printer.print_string(" -> (")
            printer.print_list(range(len(self.out_types)), out)
            printer.print_string(")")
        self.print_body(printer)

    def verify_(self) -> None:
        self.verify_code()
        check_registers(
            f"'{self.symbol}' takes", list(map(held_register, self.in_types)), [unplaced(r) for r in self.in_registers]
        )
        check_registers(
            f"'{self.symbol}' gives",
            [held_register(t) for t in self.out_types],
            [unplaced(r) for r in self.out_registers],
        )
        for block in self.blocks:
            if isinstance(last := block.last_op, RetOp):
                check_registers(f"'ret' of '{self.symbol}' gives", self.out_registers, last.operand_types)
        if self.arrays("shared"):
            raise VerifyError("machine-function-shared", "shared arrays are declared by programs, not by functions")
        self.verify_objects({"buf": 0, "shared": 0})


OPS: list[type[Operation]] = [ProgramOp, FuncOp, ArrayOp, PoolOp]
