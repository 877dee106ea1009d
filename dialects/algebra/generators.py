"""The generators: sums, products and multiples of coordinates or residues, and the way from integers and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.irdl import irdl_op_definition, operand_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Commutative

from hologram.dialects.algebra.types import ResidueType
from hologram.dialects.families import described, member
from hologram.dialects.shapes import is_tensor
from hologram.dialects.torus.base import RingResultOp, integer_bits
from hologram.dialects.torus.coordinates import ElementsConstant, ToRing
from hologram.dialects.torus.types import element_of, known_ring, places
from hologram.errors import VerifyError
from hologram.torus import Ring

if TYPE_CHECKING:
    from hologram.dialects.torus.base import Array


@irdl_op_definition
class ConstantOp(ElementsConstant):
    """A residue known at compile time, in every place of a vector or tensor; or one for each place.

    Example::

        %c = algebra.constant 5 : !algebra.residue<7>
        %t = algebra.constant [0, 1] : tensor<2x!algebra.residue<7>>
    """

    name = "algebra.constant"


@irdl_op_definition
class ProjectOp(ToRing):
    """The residue of an integer, Euclidean: never negative. `unsigned` reads n so.

    It is a homomorphism of rings over true integers; of a sum that wrapped it is the projection of what is left, which
    is that of the true sum where the modulus is a power of two up to 2^bits.

    Example::

        %r = algebra.project %n : i64 to !algebra.residue<7>
    """

    name = "algebra.project"

    def verify_(self) -> None:
        super().verify_()
        if not isinstance(element_of(self.result.type), ResidueType):
            raise VerifyError(
                "algebra-project-type", f"'{self.name}' gives residues, not {self.result.type}",
                hint="torus.project gives coordinates",
            )  # fmt: skip


@irdl_op_definition
class ValueOp(RingResultOp):
    """The integer from 0 to m - 1 that a residue is, in an integer type that holds all of them without a sign.

    Example::

        %n = algebra.value %r : !algebra.residue<7> to i64
    """

    name = "algebra.value"
    residue = operand_def()

    def verify_(self) -> None:
        self.verify_form(self.residue)
        ring = self.verify_elements(self.residue)
        self.verify_integers(self.result)
        bits = integer_bits(self.result.type) or 0
        if not isinstance(element_of(self.residue.type), ResidueType) or bits < ring.bits:
            raise VerifyError(
                "algebra-value-type",
                f"'{self.name}' takes residues to integers of {ring.bits} bits and more, "
                f"found {self.residue.type} to {self.result.type}",
            )

    def evaluate(self, *args: Array) -> Any:
        return args[0]


class GeneratorOp(RingResultOp):
    """The base: `FUNCTION` names the method of the ring that gives the meaning, unless `evaluate` says otherwise."""

    FUNCTION: ClassVar[str] = ""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.algebra.laws import patterns_of

        return patterns_of(cls)

    @property
    def ring(self) -> Ring:
        """The ring of the result."""
        return known_ring(self.result.type)

    def verify_(self) -> None:
        self.verify_form(*self.operands)
        self.verify_elements(*self.operands, *self.results)

    def evaluate(self, *args: Array) -> Any:
        return getattr(self.ring, self.FUNCTION)(*args)


def _row(name: str, operands: str, meaning: str, *, commutative: bool = False) -> type[Any]:
    """Make the op class of a generator whose operands and result are elements of one ring."""
    names = operands.split()
    ssa_names = ", ".join("%" + o for o in names)
    fields = described(
        f"algebra.{name}", meaning, f"%r = algebra.{name} {ssa_names} : !torus.coord", __name__, FUNCTION=name
    )
    traits = [Commutative()] if commutative else []
    return member(GeneratorOp, name.capitalize() + "Op", fields, traits, {operand: operand_def() for operand in names})


AddOp = _row("add", "a b", "a ⊕ b: the sum in each component, modulo its modulus.", commutative=True)
SubOp = _row("sub", "a b", "a ⊕ (-b): the difference in each component, modulo its modulus.")
MulOp = _row("mul", "a b", "a ⊗ b: the product in each component, modulo its modulus.", commutative=True)
NegOp = _row("neg", "a", "The additive inverse: what gives zero together with a.")


@irdl_op_definition
class ScaleOp(GeneratorOp):
    """k ⊙ a: k times a, through the additive inverse where the integer k is negative. A scalar k scales all elements.

    Example::

        %r = algebra.scale %k, %a : (i64, !torus.coord) -> !torus.coord
    """

    name = "algebra.scale"
    FUNCTION: ClassVar[str] = "scale"
    k = operand_def()
    a = operand_def()

    def verify_(self) -> None:
        self.verify_form(*([self.a] if not places(self.k.type) and not is_tensor(self.k.type) else [self.k, self.a]))
        self.verify_integers(self.k)
        self.verify_elements(self.a, self.result)


ROWS = (AddOp, SubOp, MulOp, NegOp)
OPS = (ConstantOp, ProjectOp, ValueOp, *ROWS, ScaleOp)
