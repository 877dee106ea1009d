"""The 768-cycle: positions, gates and pair constraints. A model of its own: its H twice is X, not the identity that the
laws of words give (`canonicalize-sigil-words`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.printer import Printer

from hologram.classes import PHASE_MODULUS
from hologram.dialects.classes.base import ClassOp, Definition, element_of, make, proves
from hologram.dialects.hologram.canonicalization import rebuild, replace
from hologram.errors import VerifyError, parse_word

if TYPE_CHECKING:
    from hologram.dialects.atlas.instructions.types import Array

GATES = {"I": 0, "H": 192, "X": 384, "Y": 384, "Z": 384, "T": 96, "S": 192}
"""The number that each gate adds to a position."""
UPPER = PHASE_MODULUS // 2
"""The first position of the upper half, which X takes the lower one to: classes 48 and above, of 8 positions each."""
_OF_STEP = {0: "I", 192: "H", 384: "X", 96: "T"}
"""One gate of each step."""


class CycleOp(ClassOp):
    """The base: positions are integers of 16 bits and more, 0 to 767, alone, in vectors of one dimension or in tensors;
    others trap."""

    def verify_elements(self) -> None:
        super().verify_elements()
        first = self.operands[0].type
        element = element_of(first)
        if isinstance(element, IntegerType) and element.bitwidth < 16:
            raise VerifyError("sigil-cycle-type", f"'{self.name}' needs i16, i32 or i64 for positions, found {first}")


class ConstraintOp(CycleOp):
    """The base of operations on positions p and q with p + q = k modulo 768."""

    HEAD: ClassVar[tuple[str, ...]] = ("k",)
    k = prop_def(IntegerAttr[I64])

    @property
    def total(self) -> int:
        """The sum of both positions."""
        return self.k.value.data

    @classmethod
    def parse_head(cls, parser: Parser) -> dict[str, Attribute]:
        return {"k": IntegerAttr(parser.parse_integer(allow_boolean=False), i64)}

    def print_head(self, printer: Printer) -> None:
        printer.print_string(f" {self.total}")

    def verify_(self) -> None:
        super().verify_()
        if not 0 <= self.total < PHASE_MODULUS:
            raise VerifyError(
                "sigil-cycle-total", f"'{self.name}' is about sums of {self.total}, out of the range of 0 to 767"
            )


class GatedOp(CycleOp):
    """The base of operations that apply a gate of one position."""

    HEAD: ClassVar[tuple[str, ...]] = ("gate",)
    gate = prop_def(StringAttr)

    @property
    def step(self) -> int:
        """The number that it adds."""
        return GATES[self.gate.data]

    @classmethod
    def parse_head(cls, parser: Parser) -> dict[str, Attribute]:
        known = f"the gates are {', '.join(GATES)}"
        return {"gate": StringAttr(parse_word(parser, GATES, "sigil-gate-name", "a gate", known))}

    def print_head(self, printer: Printer) -> None:
        printer.print_string(f" {self.gate.data}")

    def verify_(self) -> None:
        if self.gate.data not in GATES:
            raise VerifyError("sigil-gate", f"'{self.gate.data}' is no gate", hint=f"gates are {', '.join(GATES)}")
        super().verify_()


@irdl_op_definition
class GateOp(GatedOp):
    """A gate on a position of the 768-cycle: adds 0 (I), 192 (H, S), 384 (X, Y, Z) or 96 (T) modulo 768. H twice is X
    here, and not the identity. Positions of 768 and more trap.

    Example::

        %q = sigil.cycle.gate H %p : i32
    """

    name = "sigil.cycle.gate"
    DEFINITION: ClassVar[Definition] = Definition("gate", {"p": "position"}, "position", "", "")
    p = operand_def()

    def compute(self, *lanes: Array) -> Array:
        return (lanes[0] + self.step) % PHASE_MODULUS

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (NoStep(), StepsAddUp())


@irdl_op_definition
class ControlledOp(GatedOp):
    """A gate on the position q where p lies in the upper half of the cycle, from 384 on, and q itself elsewhere: with
    the gate X the controlled NOT, with Z the controlled Z, which is the same here. p does not change. Positions of 768
    and more trap.

    Example::

        %r = sigil.cycle.controlled X %p, %q : i32
    """

    name = "sigil.cycle.controlled"
    DEFINITION: ClassVar[Definition] = Definition("controlled", {"p": "position", "q": "position"}, "position", "", "")
    p = operand_def()
    q = operand_def()

    def compute(self, *lanes: Array) -> Array:
        p, q = lanes
        return (q + self.step * (p >= UPPER)) % PHASE_MODULUS

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (NoControlledStep(),)


@irdl_op_definition
class PartnerOp(ConstraintOp):
    """The position q with p + q = k modulo 768; k is written first. Positions of 768 and more trap.

    Example::

        %q = sigil.cycle.partner 5 %p : i32
    """

    name = "sigil.cycle.partner"
    DEFINITION: ClassVar[Definition] = Definition("partner", {"p": "position"}, "position", "", "")
    p = operand_def()

    def compute(self, *lanes: Array) -> Array:
        return (self.total - lanes[0]) % PHASE_MODULUS

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (PartnerOfPartner(),)


@irdl_op_definition
class HoldsOp(ConstraintOp):
    """A test of the pair constraint p + q = k modulo 768; k is written first. Positions of 768 and more trap.

    Example::

        %ok = sigil.cycle.holds 5 %p, %q : i32
    """

    name = "sigil.cycle.holds"
    DEFINITION: ClassVar[Definition] = Definition("holds", {"p": "position", "q": "position"}, "bool", "", "")
    p = operand_def()
    q = operand_def()

    def compute(self, *lanes: Array) -> Array:
        return (lanes[0] + lanes[1]) % PHASE_MODULUS == self.total

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()


class NoStep(RewritePattern):
    """I p = p, where p is known to be a position."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GateOp, rewriter: PatternRewriter) -> None:
        if op.step == 0 and proves(op.p, "position"):
            replace(rewriter, op, op.p)


class NoControlledStep(RewritePattern):
    """I q = q, whatever controls it, where both are known to be positions."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ControlledOp, rewriter: PatternRewriter) -> None:
        if op.step == 0 and proves(op.p, "position") and proves(op.q, "position"):
            replace(rewriter, op, op.q)


class StepsAddUp(RewritePattern):
    """The steps of two gates add up: T T p = H p, H H p = X p, X X p = I p."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GateOp, rewriter: PatternRewriter) -> None:
        inner = op.p.owner
        if not isinstance(inner, GateOp) or not op.p.has_one_use():
            return
        name = _OF_STEP.get((op.step + inner.step) % PHASE_MODULUS)
        if name is not None and inner.p.type == op.result.type:
            rebuild(rewriter, op, make(GateOp, inner.p, gate=StringAttr(name)))
            rewriter.erase(inner)


class PartnerOfPartner(RewritePattern):
    """k - (k - p) = p; a check that p is a position stays."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PartnerOp, rewriter: PatternRewriter) -> None:
        inner = op.p.owner
        if not isinstance(inner, PartnerOp) or not op.p.has_one_use():
            return
        if inner.total != op.total or inner.p.type != op.result.type:
            return
        rebuild(rewriter, op, make(GateOp, inner.p, gate=StringAttr("I")))
        rewriter.erase(inner)


OPS: list[type[Operation]] = [GateOp, ControlledOp, PartnerOp, HoldsOp]
