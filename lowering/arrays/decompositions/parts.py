"""The builder of decompositions: loops and index arithmetic, array-level instructions, and views of memrefs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, StridedLayoutAttr
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.support.walking import operations
from hologram.transforms.arrays.array_forms import ArrayForms


class Parts(Builder):
    """A builder that emits array-level instructions too; `forms` makes them and frees their buffers."""

    def __init__(self, rw: Rewriter):
        super().__init__(rw)
        self.forms = self.new_forms()

    def new_forms(self) -> ArrayForms:
        """Return forms for code with buffers of its own, such as that of one iteration."""
        return ArrayForms(self._emit, is_value_form=False)

    def _emit(self, op: Operation) -> None:
        for inner in operations(op):
            inner.location = self.rw.source.location
        self.rw.emit(op)

    def array(self, op: Operation) -> None:
        """Emits an array-level instruction."""
        self._emit(op)

    def part(
        self, source: SSAValue, offsets: Sequence[Index], sizes: Sequence[Index], *, dropped: int = 0
    ) -> SSAValue:  # fmt: skip
        """A view of some neighbouring elements; the first `dropped` axes, of size 1, are left out."""
        type = cast("MemRefType[Attribute]", source.type)
        strides = type.get_strides()
        assert strides is not None
        shape = [DYNAMIC_INDEX if isinstance(s, SSAValue) else s for s in sizes[dropped:]]
        layout = StridedLayoutAttr([None if s == DYNAMIC_INDEX else s for s in strides[dropped:]], None)
        result = MemRefType(type.element_type, shape, layout)
        # Offsets are values, so that the type's dynamic offset is right.
        places = [self.index(o) for o in offsets]
        return self.op(memref.SubviewOp.get(source, places, list(sizes), [1] * len(sizes), result))


def wide_of(dtype: DType) -> DType:
    """Return the type that sums of products are taken in: f32 at least for floats."""
    return DTYPES["f32"] if dtype.is_float and dtype.bits < 32 else dtype
