"""The Atlas state of a lane (isa.md section 1), and the graph of classes: instructions of lane programs.

A lane has a current class, a phase, a phase for each class, and R, the resonance, for each class. Classes, neighbour
numbers and phases are u32; what is no class (96 and more) traps. A program pays for the parts that it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.instructions.instruction import TypedOp, scalar
from hologram.dialects.atlas.instructions.types import DTYPES, FLOATS, NUMBERS, DType
from hologram.dialects.atlas.lanes import class_reference
from hologram.dialects.atlas.lanes.class_reference import NO_CLASS as NO_CLASS
from hologram.errors import VerifyError

NO_NEIGHBOUR = "neighbour's number at or past the degree"
"""Why `nbr.load` and `nbr.store` trap."""
ACCUMULATED = frozenset(name for name in NUMBERS if DTYPES[name].bits <= 64)
"""The types of values that R takes."""
NO_RESONANCE = "a value that R can't hold"
"""Why `res.accum` and `unity.test` trap: NaN, an infinity, or a magnitude of 2^63 and more."""

_U32 = frozenset({"u32"})


# fmt: off
MirrorOp = scalar(
    "mirror", "c", _U32, "The mirror of a class: e7 flipped, so the class 3 up or down. 96 and more trap.",
    class_reference.mirror, traps=NO_CLASS,
)
IsUnityOp = scalar(
    "is_unity", "c", _U32, "Whether a class is a unity class, 1 or 4. 96 and more trap.",
    class_reference.is_unity, result="bool", traps=NO_CLASS,
)
NbrCountOp = scalar(
    "nbr.count", "c", _U32, "How many neighbours a class has: 5 or 6. 96 and more trap.",
    class_reference.neighbour_count, traps=NO_CLASS,
)
NbrGetOp = scalar(
    "nbr.get", "c i", _U32, "The neighbour of a class with number i, in ascending order; 0 past the last one. "
    "A class of 96 and more traps.",
    class_reference.neighbour, traps=NO_CLASS,
)
# fmt: on

ROWS = (MirrorOp, IsUnityOp, NbrCountOp, NbrGetOp)
"""The instructions over classes that need no state."""


class _WordOp(IRDLOperation):
    """The base of instructions over u32 words: `atlas.NAME %operand, ...`; every value is i32."""

    def __init__(self, *operands: SSAValue | Operation):
        types: Sequence[Attribute] = [i32] * len(self.get_irdl_definition().results)
        super().__init__(operands=list(operands), result_types=types)


@irdl_op_definition
class ClsGetOp(_WordOp):
    """The lane's current class, `block.x` modulo 96.

    Example::

        %c = atlas.cls.get
    """

    name = "atlas.cls.get"
    FORM: ClassVar[Form] = Form("cls.get", "=d:u32")
    result = result_def(i32)
    traits = traits_def(Pure())
    assembly_format = "attr-dict"


@irdl_op_definition
class PhaseGetOp(_WordOp):
    """The lane's phase, 0 to 767; 0 at first.

    Example::

        %p = atlas.phase.get
    """

    name = "atlas.phase.get"
    FORM: ClassVar[Form] = Form("phase.get", "=d:u32")
    result = result_def(i32)
    assembly_format = "attr-dict"


@irdl_op_definition
class PhaseAdvOp(_WordOp):
    """Advances the lane's phase by n, modulo 768; n is any u32.

    Example::

        atlas.phase.adv %n
    """

    name = "atlas.phase.adv"
    FORM: ClassVar[Form] = Form("phase.adv", "n:u32")
    n = operand_def(i32)
    assembly_format = "$n attr-dict"


@irdl_op_definition
class PhaseReadOp(_WordOp):
    """The lane's phase of a class; 0 at first. A class of 96 and more traps.

    Example::

        %p = atlas.phase.read %c
    """

    name = "atlas.phase.read"
    FORM: ClassVar[Form] = Form("phase.read", "=d:u32 c:u32")
    c = operand_def(i32)
    result = result_def(i32)
    assembly_format = "$c attr-dict"


@irdl_op_definition
class PhaseWriteOp(_WordOp):
    """Sets the lane's phase of a class to any u32, which is kept as it is. A class of 96 and more traps.

    Example::

        atlas.phase.write %c, %p
    """

    name = "atlas.phase.write"
    FORM: ClassVar[Form] = Form("phase.write", "c:u32 value:u32")
    c = operand_def(i32)
    value = operand_def(i32)
    assembly_format = "$c `,` $value attr-dict"


class _ResonanceOp(TypedOp):
    """The base of instructions that bring a value of the instruction's type to R."""

    TYPES: ClassVar[frozenset[str]]

    @classmethod
    def takes(cls, dtype: DType) -> Sequence[Attribute]:
        return [*[i32] * (len(cls.get_irdl_definition().operands) - 1), dtype.ir]

    @classmethod
    def gives(cls, dtype: DType) -> Sequence[Attribute]:
        return [i1] * len(cls.get_irdl_definition().results)

    def verify_(self) -> None:
        if self.dtype.name not in self.TYPES or self.operands[-1].type != self.dtype.ir:
            raise VerifyError(
                "atlas-resonance-type",
                f"'{self.name}' of {self.dtype.name} is not defined for a value of type {self.operands[-1].type}",
                hint="it takes " + ", ".join(n for n in DTYPES if n in self.TYPES),
            )


@irdl_op_definition
class ResAccumOp(_ResonanceOp):
    """Adds a value to the lane's R of a class, in 64.64 fixed point: the value is rounded to nearest even to a multiple
    of 2^-64, and sums wrap modulo 2^128, so the order never matters. NaN, an infinity, a magnitude of 2^63 and more,
    and a class of 96 and more trap. When the launch ends, the lanes' R are summed and returned with it.

    Example::

        atlas.res.accum f32 %c, %x
    """

    name = "atlas.res.accum"
    TYPES: ClassVar = ACCUMULATED
    FORM: ClassVar[Form] = Form("res.accum", "c:u32 value:T", {"type": ACCUMULATED})
    c = operand_def(i32)
    value = operand_def()


@irdl_op_definition
class UnityTestOp(_ResonanceOp):
    """Whether the sum of the lane's R over all classes, which is exact and wraps modulo 2^128, has a magnitude below
    eps, rounded to a multiple of 2^-64 too. Never where eps is 0 or less. NaN, an infinity and a magnitude of 2^63 and
    more of eps trap.

    Example::

        %p = atlas.unity.test f64 %eps
    """

    name = "atlas.unity.test"
    TYPES: ClassVar = FLOATS
    FORM: ClassVar[Form] = Form("unity.test", "=p:bool eps:T", {"type": FLOATS})
    eps = operand_def()
    result = result_def(i1)


OPS: tuple[type[Operation], ...] = (
    ClsGetOp, PhaseGetOp, PhaseAdvOp, PhaseReadOp, PhaseWriteOp, ResAccumOp, UnityTestOp,
)  # fmt: skip
