"""The ISA's types (isa.md section 2) as one table. Neither xDSL nor numpy is imported before it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hologram.dialects.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from xdsl.ir import TypeAttribute

    Array = NDArray[Any]
else:
    Array = Any


_CLASSES = {
    "f16": "Float16Type", "bf16": "BFloat16Type", "f32": "Float32Type", "f64": "Float64Type",
    "f8E4M3FN": "Float8E4M3FNType", "f8E5M2": "Float8E5M2Type",
}  # fmt: skip
"""xDSL's classes of the float types."""
_EXTENDED = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
"""What ml_dtypes calls the types that numpy has not."""


_FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52), "f8E4M3FN": (4, 3), "f8E5M2": (5, 2)}
"""The bits of exponent and of fraction of the float types."""


@dataclass(frozen=True)
class DType:
    """One ISA type: its name (`f32`, `u64`, `bool`), its kind and its width in bits."""

    name: str
    kind: str
    """`float`, `signed`, `unsigned` or `bool`."""
    bits: int

    @cached_property
    def ir(self) -> TypeAttribute:
        """The signless SSA type."""
        from xdsl.dialects import builtin

        return builtin.IntegerType(self.bits) if self.kind != "float" else getattr(builtin, _CLASSES[self.name])()

    @property
    def bytes(self) -> int:
        """The bytes of a value in memory; bool takes one."""
        return max(self.bits // 8, 1)

    @property
    def alignment(self) -> int:
        """The number of which the byte offset of an access is a multiple."""
        return min(self.bytes, 8)

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("signed", "unsigned")

    @property
    def is_unsigned(self) -> bool:
        return self.kind in ("unsigned", "bool")

    @property
    def is_signed(self) -> bool:
        """Whether it has negative numbers: floats and signed integers."""
        return not self.is_unsigned

    @property
    def is_bool(self) -> bool:
        return self.kind == "bool"

    @property
    def limbs(self) -> int:
        """The 64-bit words of an integer of more than 64 bits, along a last axis of arrays; 0 for other types."""
        return self.bits // 64 if self.bits > 64 else 0

    @property
    def min(self) -> int | float:
        """The least finite value."""
        return -LARGEST[self.name] if self.is_float else self.least

    @property
    def max(self) -> int | float:
        """The greatest finite value."""
        return LARGEST[self.name] if self.is_float else self.greatest

    @property
    def eps(self) -> float:
        """The distance from 1 to the next number of a float type; 0 for others, whose numbers are exact."""
        return 2.0 ** -_FORMATS[self.name][1] if self.is_float else 0.0

    @property
    def smallest_normal(self) -> float:
        """The least positive number that has all digits of a float type; 1 for integers and bool."""
        return 2.0 ** (2 - (1 << _FORMATS[self.name][0] - 1)) if self.is_float else 1.0

    @property
    def smallest_subnormal(self) -> float:
        """The least positive number of a float type; 1 for integers and bool."""
        return self.smallest_normal * self.eps if self.is_float else 1.0

    @cached_property
    def numpy(self) -> Any:
        """The numpy dtype of the values as the instruction reads them; Python integers beyond 64 bits."""
        if self.name in _EXTENDED:
            import ml_dtypes

            return np.dtype(getattr(ml_dtypes, _EXTENDED[self.name]))
        if self.kind == "bool":
            return np.dtype(np.bool_)
        if self.bits > 64:
            return np.dtype(object)
        return np.dtype({"float": "f", "signed": "i", "unsigned": "u"}[self.kind] + str(self.bits // 8))

    @cached_property
    def least(self) -> int | float:
        """The identity of max: the least value, -inf for floats."""
        return -float("inf") if self.is_float else -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @cached_property
    def greatest(self) -> int | float:
        """The identity of min: the greatest value, +inf for floats."""
        if self.is_float:
            return float("inf")
        return (1 << (self.bits - 1)) - 1 if self.kind == "signed" else (1 << self.bits) - 1


def _parse(name: str) -> DType:
    if name == "bool":
        return DType(name, "bool", 1)
    if name.startswith("f8"):
        return DType(name, "float", 8)
    bits = int(name.lstrip("bfiu"))
    return DType(name, {"b": "float", "f": "float", "i": "signed", "u": "unsigned"}[name[0]], bits)


_WIDTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
_NAMES = (
    *("f16", "bf16", "f32", "f64"), *(f"i{bits}" for bits in _WIDTHS), *(f"u{bits}" for bits in _WIDTHS),
    *("bool", "f8E4M3FN", "f8E5M2"),
)  # fmt: skip
DTYPES: dict[str, DType] = {name: _parse(name) for name in _NAMES}
"""Every ISA type by name."""

STORED = frozenset({"f8E4M3FN", "f8E5M2"})
"""Floats that are moved and converted, and widened in sums, products, softmax and norms; scalar instructions do not
compute with them, nor do reductions of a lane."""
FLOATS = frozenset(name for name, t in DTYPES.items() if t.is_float) - STORED
SIGNED = frozenset(name for name, t in DTYPES.items() if t.kind == "signed")
UNSIGNED = frozenset(name for name, t in DTYPES.items() if t.kind == "unsigned")
INTEGERS = SIGNED | UNSIGNED
NUMBERS = FLOATS | INTEGERS
BOOL = frozenset({"bool"})
ALL = NUMBERS | BOOL | STORED
SUMS = ("add", "mul")
"""The kinds of reductions that widen floats below 32 bits."""


LARGEST = {
    "f8E4M3FN": 448.0, "f8E5M2": 57344.0, "f16": 65504.0, "bf16": float.fromhex("0x1.fep127"),
    "f32": float.fromhex("0x1.fffffep127"), "f64": float.fromhex("0x1.fffffffffffffp1023"),
}  # fmt: skip
"""The greatest finite number of each float type."""


def widened(dtype: DType) -> DType:
    """Return the type in which sums, products, softmax and norms of a type are computed: f32 at least for floats
    (isa.md section 3)."""
    return DTYPES["f32"] if dtype.is_float and dtype.bits < 32 else dtype


def working_type(kind: str, dtype: DType) -> DType:
    """The type that a reduction by a kind (`add`, `min.nan`) combines elements of a type in."""
    return widened(dtype) if kind in SUMS else dtype


def reduced_types(kind: str) -> frozenset[str]:
    """The types that a reduction by a kind is defined for."""
    return NUMBERS | STORED if kind in SUMS else NUMBERS
