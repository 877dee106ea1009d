"""Class memory (classes.md section 3): pointers into it, the class of one, and accesses of neighbouring classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.irdl import (
    BaseAttr,
    Operand,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.instructions.instruction import TypedOp
from hologram.dialects.atlas.instructions.types import ALL, DType, DTypeAttr, PtrType, Space
from hologram.dialects.atlas.lanes.memory import INDEX, MemoryOp
from hologram.errors import VerifyError

POINTER = BaseAttr(PtrType)


@irdl_op_definition
class BoundMapOp(TypedOp):
    """Makes a pointer to a value of the type in class memory, at class * 12288 + page * 256 + byte. A class of 96 and
    more, a page of 48 and more, and a byte of 256 and more trap.

    Example::

        %p = atlas.bound.map f32 %c, %page, %byte
        %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, class>
    """

    name = "atlas.bound.map"
    FORM: ClassVar[Form] = Form("bound.map", "=d:ptr c:u32 page:u32 byte:u32", {"type": ALL})
    c = operand_def(i32)
    page = operand_def(i32)
    byte = operand_def(i32)
    result = result_def(PtrType)

    @classmethod
    def takes(cls, dtype: DType) -> Sequence[Attribute]:
        return [i32] * 3

    @classmethod
    def gives(cls, dtype: DType) -> Sequence[Attribute]:
        return [PtrType.of(dtype, Space.class_)]

    def verify_(self) -> None:
        if self.result.type != PtrType.of(self.dtype, Space.class_):
            raise VerifyError(
                "atlas-bound-map-type",
                f"'{self.name}' of {self.dtype.name} gives {PtrType.of(self.dtype, Space.class_)}, "
                f"not {self.result.type}",
            )


class ClassAddressOp(MemoryOp):
    """The base of instructions that take a class address: a pointer into class memory, and maybe a byte offset."""

    SPACES: ClassVar[tuple[Space, ...]] = (Space.class_,)
    AFTER: ClassVar[tuple[Attribute, ...]] = (i32,)
    """The neighbour's number."""
    if TYPE_CHECKING:
        value: Operand
        result: OpResult

    def verify_(self) -> None:
        self.verify_access()
        values = [self.value.type] if self.VALUES else [self.result.type] if self.AFTER else []
        if values and values != [self.dtype.ir]:
            raise VerifyError(
                "atlas-neighbour-type", f"'{self.name}' of {self.type.data} is of {self.dtype.ir}, found {values[0]}"
            )


@irdl_op_definition
class ClsOfOp(ClassAddressOp):
    """The class that a class address lies in. An address outside class memory traps.

    Example::

        %c = atlas.cls.of f32 %p[%o : i64] : !atlas.ptr<f32, class>
    """

    name = "atlas.cls.of"
    AFTER: ClassVar[tuple[Attribute, ...]] = ()
    FORM: ClassVar[Form] = Form("cls.of", "=d:u32 address:[class]", {"type": ALL}, spelling="cls.get")
    type = prop_def(DTypeAttr)
    memref = operand_def(POINTER)
    indices = var_operand_def(INDEX)
    result = result_def(i32)

    def gives(self, dtype: DType, place: SSAValue, count: int) -> Sequence[Attribute | Sequence[Attribute]]:
        return [i32]


@irdl_op_definition
class NbrLoadOp(ClassAddressOp):
    """Loads from the neighbour with number i of the class that a class address lies in, at the same page and byte.
    A number at or past the degree traps, and so does what traps in `ldg`.

    Example::

        %v = atlas.nbr.load f32 %p[%o : i64] : !atlas.ptr<f32, class>, %i
    """

    name = "atlas.nbr.load"
    FORM: ClassVar[Form] = Form("nbr.load", "=d:T address:[class] i:u32", {"type": ALL})
    type = prop_def(DTypeAttr)
    memref = operand_def(POINTER)
    indices = var_operand_def(INDEX)
    i = operand_def(i32)
    result = result_def()


@irdl_op_definition
class NbrStoreOp(ClassAddressOp):
    """Stores to the neighbour with number i of the class that a class address lies in, at the same page and byte.
    A number at or past the degree traps, and so does what traps in `stg`.

    Example::

        atlas.nbr.store f32 %v, %p[%o : i64] : !atlas.ptr<f32, class>, %i
    """

    name = "atlas.nbr.store"
    VALUES: ClassVar[int] = 1
    FORM: ClassVar[Form] = Form("nbr.store", "address:[class] i:u32 value:T", {"type": ALL})
    type = prop_def(DTypeAttr)
    value = operand_def()
    memref = operand_def(POINTER)
    indices = var_operand_def(INDEX)
    i = operand_def(i32)

    def gives(self, dtype: DType, place: SSAValue, count: int) -> Sequence[Attribute | Sequence[Attribute]]:
        return []


OPS: tuple[type[Operation], ...] = (BoundMapOp, ClsOfOp, NbrLoadOp, NbrStoreOp)
