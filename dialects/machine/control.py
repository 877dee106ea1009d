"""Control of the machine form: blocks are labels, and what ends them says where a lane goes on.

Blocks stand in the order of the text. Where a terminator falls through, its last successor is the next block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_result_def,
    var_successor_def,
)
from xdsl.traits import IsTerminator, Pure, SymbolTable, SymbolUserOpInterface

from hologram.dialects.atlas.instructions.types import DTYPES, DTypeAttr
from hologram.dialects.machine.instruction import REGISTER
from hologram.dialects.machine.registers import PredType, Register, RegType
from hologram.dialects.machine.spelling import check_name
from hologram.errors import VerifyError, did_you_mean
from hologram.support.walking import symbols_around

COUNTERS = ("u32", "u64")
"""The types of a loop's counter."""


@irdl_op_definition
class GetOp(IRDLOperation):
    """Gives the value that a register holds when control comes here. It is no instruction, and is not printed as
    assembly.

    Example::

        %0 = machine.get : !machine.reg<r252>
    """

    name = "machine.get"
    result = result_def(REGISTER)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: Register):
        super().__init__(result_types=[type])

    def verify_(self) -> None:
        if not self.result.type.is_allocated:
            raise VerifyError("machine-get", f"'{self.name}' reads a register, found {self.result.type}")


@irdl_op_definition
class LabelOp(IRDLOperation):
    """The name of the block that it begins. A block without one has no label, or gets one when it is printed.

    Example::

        machine.label "end"
    """

    name = "machine.label"
    label = prop_def(StringAttr)
    assembly_format = "$label attr-dict"

    def __init__(self, label: str):
        super().__init__(properties={"label": StringAttr(label)})

    def verify_(self) -> None:
        check_name(self.label.data)


@irdl_op_definition
class FallOp(IRDLOperation):
    """Goes on with the next block; it stands for no instruction.

    Example::

        machine.fall ^bb1
    """

    name = "machine.fall"
    next_args = var_operand_def(REGISTER)
    next = successor_def()
    traits = traits_def(IsTerminator())
    assembly_format = "$next (`(` $next_args^ `:` type($next_args) `)`)? attr-dict"

    def __init__(self, next: Block, next_args: Sequence[SSAValue] = ()):
        super().__init__(operands=[list(next_args)], successors=[next])


@irdl_op_definition
class BraOp(IRDLOperation):
    """Branches to its first successor: `bra end`; under a predicate, `@p0 bra end` or `@!p0 bra end`, else falls
    through to the second.

    Example::

        machine.bra if %p ^bb2, ^bb1 : !machine.pred<p0>
    """

    name = "machine.bra"
    predicate = opt_operand_def(BaseAttr(PredType))
    negated = opt_prop_def(UnitAttr)
    target_args = var_operand_def(REGISTER)
    next_args = var_operand_def(REGISTER)
    dest = var_successor_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())
    assembly_format = (
        "(`not` $negated^)? (`if` $predicate^ `:` type($predicate))? $dest "
        "(`target` `(` $target_args^ `:` type($target_args) `)`)? (`next` `(` $next_args^ `:` type($next_args) `)`)? "
        "attr-dict"
    )

    def __init__(
        self,
        target: Block,
        predicate: SSAValue | Operation | None = None,
        next: Block | None = None,
        *,
        negated: bool = False,
        target_args: Sequence[SSAValue] = (),
        next_args: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[predicate, list(target_args), list(next_args)],
            successors=[[target] if next is None else [target, next]],
            properties={"negated": UnitAttr() if negated else None},
        )

    @property
    def target(self) -> Block:
        """The block that is branched to."""
        return self.dest[0]

    @property
    def next(self) -> Block | None:
        """The block that follows when the predicate does not hold."""
        return self.dest[1] if len(self.dest) > 1 else None

    def verify_(self) -> None:
        if len(self.dest) != (1 if self.predicate is None else 2) or (self.negated and self.predicate is None):
            raise VerifyError(
                "machine-bra-successors",
                "'machine.bra' has one successor, and a second, the next block, under a predicate",
            )


@irdl_op_definition
class LoopOp(IRDLOperation):
    """The bottom of a loop, `loop r5, body`: decrements the counter, then branches to its first successor while it is
    not zero, else falls through to the second. Alone it runs a body at least once. The counter has its register; it is
    a u32, or of the given unsigned type (`loop.u64`).

    Example::

        %n = machine.loop <u32> %c ^bb1, ^bb2 : (!machine.reg<r5>) -> (!machine.reg<r5>)
    """

    name = "machine.loop"
    type = prop_def(DTypeAttr)
    counter = operand_def(BaseAttr(RegType))
    target_args = var_operand_def(REGISTER)
    next_args = var_operand_def(REGISTER)
    result = result_def(BaseAttr(RegType))
    target = successor_def()
    next = successor_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())
    assembly_format = (
        "$type $counter $target `,` $next `:` type($counter) `->` type($result) "
        "(`target` `(` $target_args^ `:` type($target_args) `)`)? (`next` `(` $next_args^ `:` type($next_args) `)`)? "
        "attr-dict"
    )

    def __init__(
        self,
        counter: SSAValue | Operation,
        target: Block,
        next: Block,
        *,
        type: str = "u32",
        target_args: Sequence[SSAValue] = (),
        next_args: Sequence[SSAValue] = (),
    ):
        value = SSAValue.get(counter)
        super().__init__(
            operands=[value, list(target_args), list(next_args)],
            result_types=[value.type],
            successors=[target, next],
            properties={"type": DTypeAttr.of(DTYPES[type])},
        )

    def verify_(self) -> None:
        counter = cast("RegType", self.counter.type)
        if counter != self.result.type or counter.width != 1 or not counter.is_allocated:
            raise VerifyError("machine-loop-counter", "'machine.loop' decrements one register, in its place")
        if self.type.dtype.name not in COUNTERS:
            raise VerifyError("machine-loop-type", f"'machine.loop' counts in u32 or u64, not in {self.type.data}")


class _CallSymbols(SymbolUserOpInterface):
    """Checks a call against its function."""

    def verify(self, op: Operation) -> None:
        from hologram.dialects.machine.program import FuncOp

        assert isinstance(op, CallOp)
        name = op.callee.root_reference.data
        function = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(function, FuncOp):
            names = symbols_around(op, FuncOp.name)
            raise VerifyError("machine-call-symbol", f"there is no function '{name}'", hint=did_you_mean(name, names))
        check_registers(f"a call of '{name}' passes", function.in_registers, op.operand_types)
        check_registers(f"a call of '{name}' gives", function.out_registers, op.result_types)


def unplaced(type: Register) -> Register:
    """The type without its register."""
    return type.__class__(None, type.width)


def check_registers(what: str, declared: Sequence[Register], actual: Sequence[Attribute]) -> None:
    """Values fit a function's header: their registers, or their widths where they have none yet."""
    fits = len(declared) == len(actual) and all(f in (d, unplaced(d)) for d, f in zip(declared, actual, strict=True))
    if not fits:
        raise VerifyError(
            "machine-signature",
            f"{what} ({', '.join(map(str, actual))}), its header says ({', '.join(map(str, declared))})",
        )


@irdl_op_definition
class CallOp(IRDLOperation):
    """Calls a function: `call f`. Its header says which registers it reads and writes; it preserves all others.

    Example::

        %r = machine.call @f(%a) : (!machine.reg<r1>) -> (!machine.reg<r0>)
    """

    name = "machine.call"
    callee = prop_def(SymbolRefAttr)
    uses = var_operand_def(REGISTER)
    defs = var_result_def(REGISTER)
    traits = traits_def(_CallSymbols())
    assembly_format = "$callee `(` $uses `)` attr-dict `:` functional-type($uses, $defs)"

    def __init__(self, callee: str, uses: Sequence[SSAValue], defs: Sequence[Attribute]):
        super().__init__(operands=[list(uses)], result_types=[list(defs)], properties={"callee": SymbolRefAttr(callee)})


@irdl_op_definition
class RetOp(IRDLOperation):
    """Returns from a function: `ret`. Its operands are the out registers of the header.

    Example::

        machine.ret %a : !machine.reg<r0>
    """

    name = "machine.ret"
    uses = var_operand_def(REGISTER)
    traits = traits_def(IsTerminator())
    assembly_format = "($uses^ `:` type($uses))? attr-dict"

    def __init__(self, *uses: SSAValue):
        super().__init__(operands=[list(uses)])


@irdl_op_definition
class ExitOp(IRDLOperation):
    """Ends the lane: `exit`.

    Example::

        machine.exit
    """

    name = "machine.exit"
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"


OPS: list[type[Operation]] = [GetOp, LabelOp, FallOp, BraOp, LoopOp, CallOp, RetOp, ExitOp]
