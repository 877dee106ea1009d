"""The base of operations on ring elements: one form for scalars, vectors and tensors, and folding by `evaluate`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerAttr, IntegerType, TensorType, VectorType
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import result_def, traits_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import ConstantLike, Pure

from hologram.dialects.hologram.base import Sizes, SizesOf, TensorOp, same_sizes
from hologram.dialects.hologram.folding import FOLD_LIMIT
from hologram.dialects.lazy import np
from hologram.dialects.shapes import DYNAMIC, compatible, is_dense, is_tensor
from hologram.dialects.sizes import Requirement
from hologram.dialects.torus.types import ElementsAttr, RingType, element_of, places, ring_of
from hologram.errors import VerifyError
from hologram.torus import Ring

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

WIDEST_DENSE = 64
"""Dense attributes hold no wider integers."""


def integer_bits(type: Attribute) -> int | None:
    """The bits of an integer type, or of the elements; 64 of `index`; None of others."""
    element = element_of(type)
    if isinstance(element, IntegerType):
        return cast("int", element.width.data)  # pyright: ignore[reportUnknownMemberType]
    return 64 if isinstance(element, IndexType) else None


def known_bits(type: Attribute) -> int:
    """The bits of an integer type, or of the elements, of a type that is known to be of integers."""
    bits = integer_bits(type)
    assert bits is not None
    return bits


class RingOp(TensorOp, HasFolderInterface):
    """The base: operands and results are scalars, or vectors of one shape, or tensors of one shape."""

    traits = traits_def(Pure())

    def __init__(self, *operands: SSAValue | Operation, type: Attribute | None = None):
        values = [SSAValue.get(v) for v in operands]
        super().__init__(operands=values, result_types=[values[-1].type if type is None else type])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.torus.laws import patterns_of

        return patterns_of(cls)

    @property
    def tensors(self) -> Sequence[SSAValue]:
        return self.operands

    @property
    def size_operands(self) -> Sequence[SSAValue]:
        return ()

    # Sizes

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        shaped = [v for v in self.operands if is_tensor(v.type)]
        return same_sizes(shaped, sizes)[0] if shaped else []

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        shaped = [v for v in self.operands if is_tensor(v.type)]
        return same_sizes(shaped, sizes)[1] if shaped else []

    # Checks

    def verify_form(self, *values: SSAValue) -> None:
        """All values, and the results, are scalars, or vectors or tensors of one shape."""
        expected = self.results[0].type
        for value in (*values, *self.results):
            actual = value.type
            if _form(actual) != _form(expected) or not compatible(places(actual), places(expected)):
                raise VerifyError(
                    "torus-form",
                    f"'{self.name}' needs scalars, or vectors or tensors of one shape, found {actual} and {expected}",
                )

    def verify_integers(self, *values: SSAValue) -> None:
        """All values are integers, or vectors or tensors of them."""
        for value in values:
            bits = integer_bits(value.type)
            if bits is None or bits < 8:
                raise VerifyError(
                    "torus-integers",
                    f"'{self.name}' takes integers of 8 bits and more here, found {value.type}",
                )

    def verify_elements(self, *values: SSAValue) -> Ring:
        """All values are elements of one ring, which is given back."""
        types = [element_of(v.type) for v in values]
        if not isinstance(first := types[0], RingType) or any(t != first for t in types):
            text = " and ".join(dict.fromkeys(map(str, types)))
            raise VerifyError(
                "torus-ring", f"'{self.name}' needs elements of one ring, found {text}",
                hint="coordinates are !torus.coord, residues !algebra.residue<m>",
            )  # fmt: skip
        return first.ring

    # Meaning

    @abstractmethod
    def evaluate(self, *args: Array) -> Any:
        """The results over arrays, of packed elements or of the integers that the operation reads: what the folder and
        the interpreter call. Integers come as signed, and go back modulo their width."""

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        shapes = [places(r.type) for r in self.results]
        if any(DYNAMIC in s for s in shapes):
            return None
        constants = [constant_array(v) for v in self.operands]
        known = [c for c in constants if c is not None]
        if len(known) < len(constants):
            return None
        computed = self.evaluate(*known)
        several = cast("Sequence[Any]", computed if isinstance(computed, tuple) else (computed,))
        attributes = [attribute_of(value, r.type) for value, r in zip(several, self.results, strict=True)]
        return None if None in attributes else [a for a in attributes if a is not None]


class RingResultOp(RingOp):
    """The base of operations with one result."""

    result = result_def()


def _form(type: Attribute) -> str:
    return "tensor" if is_tensor(type) else "vector" if isinstance(type, VectorType) else "scalar"


# Constants


def constant_array(value: SSAValue) -> Array | None:
    """The constant behind a value as an array of Python integers; None if there is none, or too large a one."""
    attr = ConstantLike.get_constant_value(value)
    shape = places(value.type)
    if DYNAMIC in shape or np.prod(shape, dtype=np.int64) > FOLD_LIMIT:
        return None
    match attr:
        case ElementsAttr():
            values = [v.data for v in attr.values]
        case IntegerAttr():
            values = [attr.value.data]
        case DenseIntOrFPElementsAttr() if is_dense(attr) and integer_bits(value.type) is not None:
            values = [int(v) for v in attr.get_values()]
        case _:
            return None
    held: Array = np.array(values, object)
    # A scalar is an array of one: numpy makes a number of what is computed of none.
    return np.broadcast_to(held.reshape(shape if len(values) > 1 else (1,) * len(shape)), shape or (1,))


def attribute_of(computed: Any, type: Attribute) -> Attribute | None:
    """A computed array as a constant of `type`; None where no attribute holds it."""
    values = [int(v) for v in np.broadcast_to(np.asarray(computed), places(type) or (1,)).reshape(-1)]
    if (ring := ring_of(type)) is not None:
        return ElementsAttr.of(type, values) if values and all(map(ring.contains, values)) else None
    bits = known_bits(type)
    if element_of(type) is type:
        return IntegerAttr(signed(values[0], bits), cast("IntegerType", type))
    if bits > WIDEST_DENSE or not values:
        return None
    return DenseIntOrFPElementsAttr.from_list(cast("TensorType[Any]", type), [signed(v, bits) for v in values])


def signed(value: int, bits: int) -> int:
    """An integer modulo 2^bits, read as signed."""
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def unsigned(values: Array, bits: int) -> Array:
    """Signed integers of so many bits, read as unsigned."""
    return values.astype(object) % (1 << bits)
