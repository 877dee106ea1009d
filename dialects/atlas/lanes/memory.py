"""Lane-level memory: typed loads and stores of each space, pointers, and the arrays that a program declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    Operand,
    VarOperand,
    VarOpResult,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hologram.dialects.atlas.instructions.form import Form, Modifier
from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.types import (
    ALL,
    DTYPES,
    DType,
    DTypeAttr,
    PtrType,
    Space,
    SpaceAttr,
    dtype_of,
)
from hologram.dialects.families import described, member
from hologram.dialects.shapes import is_dense_layout, is_memref
from hologram.dialects.syntax import parse_values, print_values
from hologram.errors import VerifyError

INDEX = EqAttrConstraint(i64) | EqAttrConstraint(IndexType())
"""An index or byte offset of a memory access: i64 or index."""

BASE = BaseAttr(MemRefType) | BaseAttr(PtrType)
"""What an access starts from: a memref, or a pointer."""


VECTORS = {"v2": 2, "v4": 4}
"""The forms of loads and stores of several values, one after another, aligned to their whole size, 16 at most."""

GLOBAL = (Space.global_, Space.class_)
"""What every block sees: class memory is like global memory."""


class PlacedOp(IRDLOperation):
    """The base of instructions of a type at a place: `atlas.NAME [v2] TYPE [%value, ...] PLACE [, %more]`."""

    VALUES: ClassVar[int] = 0
    """How many values of the type it takes before the place; the vector forms take as many as they are long."""
    AFTER: ClassVar[tuple[Attribute, ...]] = ()
    """The types of what it takes after the place."""
    if TYPE_CHECKING:  # declared by each row
        type: DTypeAttr
        indices: VarOperand

    def __init__(
        self, dtype: DType | str, *operands: SSAValue | Operation | Sequence[SSAValue], vector: str | None = None
    ):
        """The operands in their order; indices, and the values of what has vector forms, are a sequence."""
        dtype = DTYPES[dtype] if isinstance(dtype, str) else dtype
        place = operands[self.VALUES]
        assert isinstance(place, SSAValue)
        super().__init__(
            operands=operands,
            result_types=self.gives(dtype, place, VECTORS.get(vector or "", 1)),
            properties={"type": DTypeAttr.of(dtype), "vector": None if vector is None else StringAttr(vector)},
        )

    def gives(self, dtype: DType, place: SSAValue, count: int) -> Sequence[Attribute | Sequence[Attribute]]:
        """The types of the results, under a type."""
        return [dtype.ir]

    @property
    def dtype(self) -> DType:
        return self.type.dtype

    @property
    def count(self) -> int:
        """How many values, one after another, are accessed."""
        vector = self.properties.get("vector")
        return VECTORS.get(vector.data, 1) if isinstance(vector, StringAttr) else 1

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        has_forms = "vector" in cls.get_irdl_definition().properties
        vectors = (name for name in VECTORS if parser.parse_optional_keyword(name) is not None)
        vector = next(vectors, None) if has_forms else None
        dtype = parse_dtype(parser)
        values: list[SSAValue] = []
        for _ in range(cls.VALUES * VECTORS.get(vector or "", 1)):
            values.append(parser.resolve_operand(parser.parse_unresolved_operand(), dtype.ir))
            parser.parse_punctuation(",")
        place = parse_place(parser)
        after: list[SSAValue] = []
        for type in cls.AFTER:
            parser.parse_punctuation(",")
            after.append(parser.resolve_operand(parser.parse_unresolved_operand(), type))
        op = cls(dtype, *([values] if values and has_forms else values), *place, *after, vector=vector)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        vector = self.properties.get("vector")
        printer.print_string(f" {vector.data}" if isinstance(vector, StringAttr) else "")
        printer.print_string(f" {self.type.data} ")
        first, last = self.VALUES * self.count, len(self.operands) - len(self.AFTER)
        for value in self.operands[:first]:
            printer.print_ssa_value(value)
            printer.print_string(", ")
        print_place(printer, self.operands[first], self.indices)
        for value in self.operands[last:]:
            printer.print_string(", ")
            printer.print_ssa_value(value)
        printer.print_op_attributes(self.attributes)


class MemoryOp(PlacedOp):
    """The base of typed accesses. The indices of a memref count elements (i64 or index), one for each
    axis; a pointer takes a byte offset or nothing."""

    SPACES: ClassVar[tuple[Space, ...]]
    """The memory it reaches."""
    if TYPE_CHECKING:
        memref: Operand

    @property
    def bytes(self) -> int:
        """The bytes that are accessed."""
        return self.dtype.bytes * self.count

    @property
    def alignment(self) -> int:
        """What the offset from the object's start is a multiple of; of several values their whole size, 16 at most."""
        return self.dtype.alignment if self.count == 1 else min(self.bytes, 16)

    @property
    def is_through_pointer(self) -> bool:
        """Whether the place is a pointer and a byte offset, not a memref and indices."""
        return isinstance(self.memref.type, PtrType)

    def verify_access(self) -> None:
        """The element, the rank and the space of what is accessed fit."""
        place, element = self.memref.type, self.type.dtype.ir
        if isinstance(place, PtrType):
            if place.element != element:
                raise VerifyError(
                    "atlas-pointer-type",
                    f"'{self.name}' of {self.type.data} needs a pointer to {element}, found {place}",
                    hint="make another with atlas.lea",
                )
            if len(self.indices) > 1:
                raise VerifyError(
                    "atlas-pointer-offset", f"'{self.name}' takes one byte offset from a pointer, or none"
                )
        else:
            self._verify_memref(place, element)
        if space_of(place) not in self.SPACES:
            raise VerifyError(
                "atlas-access-space",
                f"'{self.name}' reaches {' and '.join(s.value for s in self.SPACES)} memory, found {place}",
                hint=f"the space is #atlas.space<{space_of(place).value}>",
            )

    def _verify_memref(self, memref: Attribute, element: Attribute) -> None:
        if not is_memref(memref) or memref.element_type != element:
            raise VerifyError(
                "atlas-access-type", f"'{self.name}' of {self.type.data} needs a memref of {element}, found {memref}"
            )
        if len(self.indices) != len(memref.get_shape()):
            raise VerifyError("atlas-access-rank", f"'{self.name}' has {len(self.indices)} indices for {memref}")
        if self.count > 1 and not (is_dense_layout(memref) and memref.get_shape()):
            raise VerifyError(
                "atlas-vector-place",
                f"'{self.name}' of {self.count} values needs a memref of the default layout, found {memref}",
                hint="its last index is that of the first value; the others follow it",
            )

    def verify_values(self, values: Sequence[SSAValue], verb: str) -> None:
        """The number of values and their types fit."""
        vector = self.properties.get("vector")
        if vector is not None and not (isinstance(vector, StringAttr) and vector.data in VECTORS):
            raise VerifyError(
                "atlas-vector", f"'{self.name}' has no form {vector}", hint=f"the forms are {' '.join(VECTORS)}"
            )
        if len(values) != self.count:
            raise VerifyError("atlas-vector-values", f"'{self.name}' {verb} {self.count} values, found {len(values)}")


def space_of(place: Attribute) -> Space:
    """The ISA's space of a memref or pointer; none means global."""
    space = place.space if isinstance(place, PtrType) else place.memory_space if is_memref(place) else None
    return space.data if isinstance(space, SpaceAttr) else Space.global_


def parse_place(parser: Parser) -> tuple[SSAValue, list[SSAValue]]:
    """Parses `%m[%i, %j : i64, index] : memref<...>`, or `%p[%o : i64] : !atlas.ptr<...>`."""
    base = parser.parse_unresolved_operand()
    parser.parse_punctuation("[")
    indices: list[SSAValue] = []
    if parser.parse_optional_punctuation("]") is None:
        indices = list(parse_values(parser))
        parser.parse_punctuation("]")
    parser.parse_punctuation(":")
    return parser.resolve_operand(base, parser.parse_type()), indices


def print_place(printer: Printer, base: SSAValue, indices: Sequence[SSAValue]) -> None:
    """Prints what `parse_place` parses."""
    printer.print_ssa_value(base)
    printer.print_string("[")
    if indices:
        print_values(printer, indices)
    printer.print_string("] : ")
    printer.print_attribute(base.type)


class LoadOp(MemoryOp):
    """The base of `ldg`, `lds`, `ldl`."""

    if TYPE_CHECKING:
        vector: StringAttr | None
        values: VarOpResult

    def gives(self, dtype: DType, place: SSAValue, count: int) -> Sequence[Attribute | Sequence[Attribute]]:
        return [[dtype.ir] * count]

    @property
    def result(self) -> OpResult:
        """The value, or the first of several."""
        return self.results[0]

    def verify_(self) -> None:
        self.verify_values(self.values, "gives")
        self.verify_access()
        if wrong := [v.type for v in self.values if v.type != self.dtype.ir]:
            raise VerifyError(
                "atlas-load-type", f"'{self.name}' of {self.type.data} gives {self.dtype.ir}, not {wrong[0]}"
            )


class StoreOp(MemoryOp):
    """The base of `stg`, `sts`, `stl`."""

    VALUES: ClassVar[int] = 1
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    if TYPE_CHECKING:
        vector: StringAttr | None
        values: VarOperand

    def gives(self, dtype: DType, place: SSAValue, count: int) -> Sequence[Attribute | Sequence[Attribute]]:
        return []

    @property
    def value(self) -> SSAValue:
        """The value, or the first of several."""
        return self.values[0]

    def verify_(self) -> None:
        self.verify_values(self.values, "stores")
        self.verify_access()
        if wrong := [v.type for v in self.values if v.type != self.dtype.ir]:
            raise VerifyError(
                "atlas-store-type", f"'{self.name}' of {self.type.data} stores {self.dtype.ir}, found {wrong[0]}"
            )


_PLACES = {True: "=d:T address:[{0}]", False: "address:[{0}] value:T"}


def _memory_op(name: str, base: type[MemoryOp], spaces: tuple[Space, ...], meaning: str) -> type[Any]:
    """Makes a load or store class: a row of the memory family."""
    is_load = issubclass(base, LoadOp)
    memref = "memref<?xf32>" if spaces is GLOBAL else f"memref<128xf32, #atlas.space<{spaces[0].value}>>"
    example = f"{'%v = ' if is_load else ''}atlas.{name} f32 {'' if is_load else '%v, '}%m[%i : i64] : {memref}"
    fields = _PLACES[is_load].format(" ".join(s.value for s in spaces))
    form = Form(name, fields, {"type": ALL}, (Modifier("vector", ("", *VECTORS)),), vector="vector")
    class_name = "".join(part.capitalize() for part in name.split(".")) + "Op"
    place = {"memref": operand_def(BASE), "indices": var_operand_def(INDEX)}
    values = {**place, "values": var_result_def()} if is_load else {"values": var_operand_def(), **place}
    return member(
        base,
        class_name,
        described(f"atlas.{name}", meaning, example, __name__, SPACES=spaces, FORM=form),
        (),
        {"type": prop_def(DTypeAttr), "vector": opt_prop_def(StringAttr), **values},
    )


_SEVERAL = "`v2` and `v4` after the name: that many values, one after another."

LdgOp = _memory_op("ldg", LoadOp, GLOBAL, f"Loads from global or class memory. {_SEVERAL}")
StgOp = _memory_op("stg", StoreOp, GLOBAL, "Stores to global or class memory.")
LdsOp = _memory_op("lds", LoadOp, (Space.shared,), "Loads from the block's shared memory.")
StsOp = _memory_op("sts", StoreOp, (Space.shared,), "Stores to the block's shared memory.")
LdlOp = _memory_op("ldl", LoadOp, (Space.local,), "Loads from the lane's local memory.")
StlOp = _memory_op("stl", StoreOp, (Space.local,), "Stores to the lane's local memory.")
PoolLoadOp = _memory_op("pool.load", LoadOp, (Space.pool,), "Loads from a pool of the launch.")
PoolStoreOp = _memory_op("pool.store", StoreOp, (Space.pool,), "Stores to a pool of the launch.")


@irdl_op_definition
class AllocaOp(IRDLOperation):
    """Declares a typed array of shared memory (one a block) or local memory (one a lane), uninitialised. One shared
    array of a program may have no length: it has as many elements as the launch's shared bytes hold.

    Example::

        %s = atlas.alloca : memref<128xf32, #atlas.space<shared>>
        %d = atlas.alloca : memref<?xf32, #atlas.space<shared>>
    """

    name = "atlas.alloca"
    result = result_def(MemRefType)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: MemRefType[Attribute]):
        super().__init__(result_types=[type])

    @property
    def is_open(self) -> bool:
        """Whether it is a shared array that the launch sizes."""
        memref = self.result.type
        return not memref.has_static_shape() and space_of(memref) is Space.shared and len(memref.shape) == 1

    def verify_(self) -> None:
        memref = self.result.type
        if space_of(memref) not in (Space.shared, Space.local) or not (memref.has_static_shape() or self.is_open):
            raise VerifyError(
                "atlas-alloca",
                f"'atlas.alloca' declares shared or local memory of constant size, found {memref}",
                hint="a shared array of one axis may have the size '?', which the launch's shared bytes say",
            )


@irdl_op_definition
class LeaOp(PlacedOp):
    """Makes a pointer to a value of the type at a byte offset from the start of a memref without gaps, or from where
    another pointer points. The element type of the object does not matter. Only an access through the pointer traps:
    out of the object's range, or where the offset from the object's start is no multiple of the alignment.

    Example::

        %p = atlas.lea f32 %x[%o : i64] : memref<?xi8>
        %v = atlas.ldg f32 %p[%d : i64] : !atlas.ptr<f32, global>
    """

    name = "atlas.lea"
    FORM: ClassVar[Form] = Form("lea", "=d:ptr address:[global class shared local pool]", {"type": ALL})
    type = prop_def(DTypeAttr)
    base = operand_def(BASE)
    indices = var_operand_def(INDEX)
    result = result_def(PtrType)
    traits = traits_def(Pure())

    def gives(self, dtype: DType, place: SSAValue, count: int) -> Sequence[Attribute | Sequence[Attribute]]:
        return [PtrType.of(dtype, space_of(place.type))]

    def verify_(self) -> None:
        place = self.base.type
        if len(self.indices) > 1:
            raise VerifyError("atlas-lea-offset", f"'{self.name}' takes one byte offset, or none")
        if is_memref(place) and (not is_dense_layout(place) or dtype_of(place.element_type) is None):
            raise VerifyError(
                "atlas-lea-object",
                f"there is no pointer into a {place}",
                hint="pointers are to scalars of memrefs with the default layout, which have no gaps",
            )
        if self.result.type != PtrType.of(self.dtype, space_of(place)):
            raise VerifyError(
                "atlas-lea-type",
                f"'{self.name}' of {self.type.data} gives {PtrType.of(self.dtype, space_of(place))}, "
                f"not {self.result.type}",
            )
