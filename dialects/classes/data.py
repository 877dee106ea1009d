"""Operations over classes whose result has another shape: the class of data, and the labels of classes."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType, i8
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from hologram.dialects.classes.base import ClassOp, Definition, element_of
from hologram.dialects.hologram.base import Sizes, SizesOf
from hologram.dialects.shapes import compatible, is_tensor, shape_of
from hologram.dialects.sizes import Requirement, Size
from hologram.errors import VerifyError

LABEL_BYTES = 20
"""The bytes of a label: `c21 (h2=0, d=2, l=5)`."""


class ShapedOp(ClassOp):
    """The base: one operand, and a result of a shape of its own; no requirement on sizes."""

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        return []

    def verify_result(self, expected: Attribute) -> None:
        """The result has the type that the operand implies."""
        if self.results[0].type != expected:
            raise VerifyError(
                "class-result-type",
                f"'{self.name}' of {self.operands[0].type} gives {expected}, found {self.results[0].type}",
            )


@irdl_op_definition
class ClassifyDataOp(ShapedOp):
    """The sigil class of data: that of the exclusive or of all bytes of a tensor, of no bytes that of 0.

    Example::

        %c = class.classify_data %bytes : tensor<?xi8> to tensor<i8>
    """

    name = "class.classify_data"
    DEFINITION: ClassVar[Definition] = Definition("classify_data", {"data": "number"}, "class", "", "classify")
    data = operand_def(TensorType)
    result = result_def(TensorType)

    def compute(self, *lanes: Any) -> Any:
        from hologram.dialects.classes import reference

        return reference.classify(reference.fold_bytes(lanes[0]) & 0xFF)

    def fold(self) -> None:
        return None

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return []

    def verify_(self) -> None:
        if element_of(self.data.type) != i8:
            raise VerifyError("class-data-type", f"'{self.name}' reads bytes, a tensor of i8, found {self.data.type}")
        self.verify_result(TensorType(i8, []))


@irdl_op_definition
class LabelOp(ShapedOp):
    """The labels of sigil classes, `c21 (h2=0, d=2, l=5)`, as the 20 bytes of their text along a last axis. 96 and more
    trap.

    Example::

        %text = class.label %c : tensor<?xi32> to tensor<?x20xi8>
    """

    name = "class.label"
    DEFINITION: ClassVar[Definition] = Definition("label", {"c": "class"}, "byte", "", "labels")
    c = operand_def()
    result = result_def(TensorType)

    def evaluate(self, *lanes: Any) -> Any:
        return super().evaluate(*lanes).astype("i1")

    def fold(self) -> Any:
        return None if is_tensor(self.c.type) else super().fold()

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return [*(sizes(self.c) if is_tensor(self.c.type) else []), Size.of(LABEL_BYTES)]

    def verify_(self) -> None:
        self.verify_elements()
        given, shape = shape_of(self.c.type), shape_of(self.result.type)
        fits = element_of(self.result.type) == i8 and compatible(given, shape[:-1]) and shape[-1:] == (LABEL_BYTES,)
        self.verify_result(self.result.type if fits else TensorType(i8, [*given, LABEL_BYTES]))


OPS: tuple[type[ShapedOp], ...] = (ClassifyDataOp, LabelOp)
