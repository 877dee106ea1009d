"""The torus and its rings: coordinates (page, resonance), residues of any modulus, and their arithmetic.

`project` takes any integer, of any size, to the coordinate (n mod 48, n mod 96), Euclidean. It is a homomorphism of
rings: `project(a + b) == add(project(a), project(b))`, and so for products and multiples, over true integers.

    >>> from hologram import torus
    >>> torus.project(12345)
    Coordinate(page=9, resonance=57)

Functions take Python integers and coordinates, or numpy arrays. In an array a coordinate is packed into one unsigned
integer, the page in its low half, the resonance in its high half: `u16` for moduli up to 256, `u32` up to 65,536; so
its bytes in memory are the pair. `pairs` shows an array so. Other moduli, and residues of one modulus, are rings of
their own: `Torus(96, 192).project(n)`, `Residues(7).mul(a, b)`. These are the reference functions of the dialects
`torus` and `algebra` too.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeAlias, TypeVar, cast

from hologram.errors import HologramError, InputError
from hologram.errors.arguments import checked
from hologram.errors.names import Table as _Table
from hologram.errors.names import no_other_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Integers: TypeAlias = Any
    IntegerArray: TypeAlias = Any
    Coordinates: TypeAlias = Any
    """What `checked` knows by these names."""

PAGE_BITS = 16
"""Where the byte stands in a phi code, above the page."""
BYTES_PER_PAGE = 256


F = TypeVar("F", bound=Callable[..., Any])


def _over_arrays(function: F) -> F:
    """The function, or a class's functions, with arguments that are checked, and errors for arrays that do not fit."""
    if isinstance(function, type):
        for name, value in [*vars(function).items()]:
            if isinstance(value, FunctionType) and not name.startswith("_"):
                setattr(function, name, _over_arrays(value))
        return cast("F", function)
    within = checked(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return within(*args, **kwargs)
        except (ValueError, IndexError) as error:
            if isinstance(error, HologramError):
                raise
            message = f"'{function.__name__}' can't take arrays of these shapes: {error}"
            raise InputError("torus-arrays", message, hint="shapes go together as in numpy") from None

    return cast("F", call)


class Coordinate(NamedTuple):
    """A place on a torus."""

    page: int
    resonance: int


def _is_array(*values: Any) -> bool:
    # Modules and classes of arrays have these names too, but not as numbers.
    return any(hasattr(v, "dtype") and isinstance(getattr(v, "ndim", 0), int) and hasattr(v, "astype") for v in values)


def _width(modulus: int) -> int:
    """The bits of the smallest unsigned type, of 8, 16, 32 and so on, that holds modulus - 1."""
    bits = 8
    while modulus - 1 >> bits:
        bits *= 2
    return bits


@_over_arrays
@dataclass(frozen=True)
class Ring:
    """A product of rings of integers modulo `moduli`. An element is packed: its components side by side in one unsigned
    integer, the first in the lowest bits. The methods take packed elements, as Python integers or in arrays."""

    moduli: tuple[int, ...]

    @functools.cached_property
    def width(self) -> int:
        """The bits of a component: 8, 16, 32 and so on."""
        return _width(max(self.moduli))

    @property
    def bits(self) -> int:
        """The bits of an element."""
        return self.width * len(self.moduli)

    @functools.cached_property
    def dtype(self) -> Any:
        """The numpy dtype of arrays of elements; Python integers beyond 64 bits."""
        import numpy as np

        return np.dtype(object) if self.bits > 64 else np.dtype(f"u{self.bits // 8}")

    @property
    def zero(self) -> int:
        """The neutral element of sums."""
        return 0

    @property
    def one(self) -> int:
        """The neutral element of products."""
        return self.pack(*(1 % m for m in self.moduli))

    # Packing

    def components(self, x: Integers) -> tuple[Any, ...]:
        """The components of an element, each from 0 to its modulus - 1; of an array wide enough for their sums."""
        mask = (1 << self.width) - 1
        wide = self._wide(x)
        return tuple(wide >> (self.width * n) & mask for n in range(len(self.moduli)))

    def _wide(self, x: Any) -> Any:
        if not _is_array(x):
            return operator.index(x)
        import numpy as np

        # Products of components, and sums of two products, fit in 64 bits.
        return x.astype(np.int64 if self.bits <= 32 and max(self.moduli) <= 1 << 31 else object)

    def pack(self, *components: Integers) -> Any:
        """The element with these components, which must be in range."""
        packed: Any = 0
        for n, component in enumerate(components):
            packed = packed | component << (self.width * n)
        return packed.astype(self.dtype) if _is_array(packed) else packed

    def _reduced(self, components: Sequence[Any]) -> Any:
        return self.pack(*(c % m for c, m in zip(components, self.moduli, strict=True)))

    def contains(self, x: Integers) -> Any:
        """Return whether an integer is a packed element."""
        holds = self._wide(x) >> self.bits == 0
        for component, modulus in zip(self.components(x), self.moduli, strict=True):
            holds = holds & (component < modulus)
        return holds

    # The homomorphism

    def project(self, n: Integers) -> Any:
        """An integer in every component, Euclidean."""
        if not _is_array(n):
            n = operator.index(n)
            return self.pack(*(n % m for m in self.moduli))
        import numpy as np

        # A modulus beyond the array's dtype would not be taken.
        wide = n if n.dtype != object and max(self.moduli) < 1 << 31 and n.dtype.itemsize == 8 else n.astype(object)
        parts = [(wide % m).astype(np.int64 if self.bits <= 32 else object) for m in self.moduli]
        return self.pack(*parts)

    # The generators, and what follows from them

    def add(self, a: Integers, b: Integers) -> Any:
        """a ⊕ b: sums by component."""
        return self._reduced([x + y for x, y in zip(self.components(a), self.components(b), strict=True)])

    def sub(self, a: Integers, b: Integers) -> Any:
        """a ⊕ (-b)."""
        return self._reduced([x - y for x, y in zip(self.components(a), self.components(b), strict=True)])

    def neg(self, a: Integers) -> Any:
        """The additive inverse."""
        return self._reduced([-x for x in self.components(a)])

    def mul(self, a: Integers, b: Integers) -> Any:
        """a ⊗ b: products by component."""
        return self._reduced([x * y for x, y in zip(self.components(a), self.components(b), strict=True)])

    def scale(self, k: Integers, a: Integers) -> Any:
        """k ⊙ a: the sum of k times a, of the inverse where k is negative."""
        return self.mul(self.project(k), a)

    def sum(self, x: IntegerArray, axes: Sequence[int] | None = None) -> Any:
        """The sum of an array's elements over `axes`, by default over all; zero of none."""
        return self._reduced([c.sum(axis=_axes(x, axes)) for c in self.components(x)])

    def product(self, x: IntegerArray, axes: Sequence[int] | None = None) -> Any:
        """The product of an array's elements over `axes`, by default over all; one of none."""
        import numpy as np

        kept = [a for a in range(x.ndim) if a not in _axes(x, axes)]
        rows = x.transpose([*kept, *_axes(x, axes)]).reshape([*(x.shape[a] for a in kept), -1])
        result = np.full(rows.shape[:-1], self.one, self.dtype)
        for n in range(rows.shape[-1]):
            result = self.mul(result, rows[..., n])
        return result

    def matmul(self, a: IntegerArray, b: IntegerArray) -> Array:
        """The product of two matrices, or of two stacks of them."""
        parts = zip(self.components(a), self.components(b), self.moduli, strict=True)
        return self._reduced([_matmul(x, y, m) for x, y, m in parts])

    def convolve(self, a: IntegerArray, b: IntegerArray, *, circular: bool = False) -> Array:
        """The convolution of two sequences: element k is the sum of a[i] ⊗ b[k - i]. It has as many elements as both
        together, less one; with `circular` the indices count modulo the length, which is that of both."""
        import numpy as np

        count = len(a) if circular else max(len(a) + len(b) - 1, 0)
        result = np.zeros(count, self.dtype)
        for i in range(len(a)):
            places = (i + np.arange(len(b))) % max(count, 1)
            result[places] = self.add(result[places], self.mul(np.full(len(b), a[i], self.dtype), b))
        return result


def _axes(x: IntegerArray, axes: Sequence[int] | None) -> tuple[int, ...]:
    return tuple(range(x.ndim)) if axes is None else tuple(axes)


def _matmul(x: IntegerArray, y: Array, modulus: int) -> Array:
    """A product of matrices of residues. Sums of int64 products are exact up to 2^63."""
    if x.dtype != object and x.shape[-1] * (modulus - 1) ** 2 >= 1 << 63:
        x, y = x.astype(object), y.astype(object)
    return x @ y


@checked
def Residues(modulus: SupportsIndex) -> Ring:  # noqa: N802  # it makes rings, as Torus does
    """The ring of integers modulo `modulus`."""
    return _residues(_modulus("modulus", modulus))


@functools.cache
def _residues(modulus: int) -> Ring:
    return Ring((modulus,))


def _modulus(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError("torus-modulus-integer", f"{name} must be an integer, found {value!r}") from None
    if number < 1:
        raise InputError("torus-modulus", f"{name} is {number}, but a modulus is at least 1")
    return number


@_over_arrays
class Torus(Ring):
    """The coordinates (page, resonance) with their moduli. The page's modulus divides the other one, so the resonance
    of a projection gives its page, and as many coordinates are projections as the resonance has values."""

    def __init__(self, page: int = 48, resonance: int = 96):
        pair = _modulus("the page's modulus", page), _modulus("the resonance's modulus", resonance)
        if pair[1] % pair[0] or pair[1] > 1 << 16:
            raise InputError(
                "torus-moduli",
                f"the moduli {page} and {resonance} make no torus",
                hint="the first divides the second, which is at most 65536; such as 48 and 96",
            )
        super().__init__(pair)

    @property
    def page(self) -> int:
        """The pages."""
        return self.moduli[0]

    @property
    def resonance(self) -> int:
        """The resonances."""
        return self.moduli[1]

    def lift(self, x: Integers, hint: Integers) -> Any:
        """The greatest integer up to `hint` with the resonance of `x`: hint - ((hint - r) mod 96)."""
        resonance = self.components(x)[1]
        return hint - (hint % self.resonance - resonance) % self.resonance

    def is_image(self, x: Integers) -> Any:
        """Return whether an element is the projection of an integer: 96 of the 4,608 coordinates are."""
        page, resonance = self.components(x)
        return resonance % self.page == page

    def pairs(self, x: IntegerArray) -> Array:
        """An array of elements with a last axis of two: the page and the resonance."""
        import numpy as np

        return np.ascontiguousarray(_elements(x, self), self.dtype).view(f"u{self.width // 8}").reshape(*x.shape, 2)


TORUS = Torus()
"""The default: 48 pages, 96 resonances."""

FAMILY = _Table("torus.FAMILY", {
    8: Torus(24, 96), 16: TORUS, 32: Torus(96, 192), 64: Torus(192, 384),
    128: Torus(384, 768), 256: Torus(768, 1536), 512: Torus(1536, 3072), 1024: Torus(3072, 6144),
    2048: Torus(6144, 12288), 4096: Torus(12288, 24576),
})  # fmt: skip
"""The torus of each integer width in bits."""


# Coordinates of the default torus, or of another one


def _element(x: Any, torus: Torus) -> Any:
    """A coordinate as a packed element; arrays of packed ones stay."""
    if _is_array(x):
        return _elements(x, torus)
    try:
        page, resonance = (operator.index(c) for c in x)
    except (TypeError, ValueError):
        raise InputError(
            "torus-coordinate-type", f"a coordinate is a pair of integers, found {x!r}", hint="such as (9, 57)"
        ) from None
    if not (0 <= page < torus.page and 0 <= resonance < torus.resonance):
        raise InputError(
            "torus-coordinate",
            f"({page}, {resonance}) is no coordinate of the torus with moduli {torus.page} and {torus.resonance}",
            hint="project reduces integers",
        )
    return torus.pack(page, resonance)


def _elements(x: Any, torus: Torus) -> Any:
    """An array of packed coordinates, as it is."""
    wrong = x[~torus.contains(x).astype(bool)]
    if wrong.size:
        raise InputError(
            "torus-packed",
            f"{int(wrong[0])} is no packed coordinate of the torus with moduli {torus.page} and {torus.resonance}",
            hint=f"the page is in the low {torus.width} bits, the resonance above it; project gives such arrays",
        )
    return x


def _coordinate(packed: Any, torus: Torus) -> Any:
    return packed if _is_array(packed) and getattr(packed, "ndim", 0) else Coordinate(*torus.components(int(packed)))


@_over_arrays
def project(n: Integers, torus: Torus = TORUS) -> Any:
    """(n mod 48, n mod 96), Euclidean: the coordinate of an integer of any size, or packed ones of an array."""
    return _coordinate(torus.project(n), torus) if not _is_array(n) else torus.project(n)


@_over_arrays
def lift(x: Coordinates, hint: Integers, torus: Torus = TORUS) -> Any:
    """The greatest integer up to `hint` with the resonance of `x`; `lift(project(n), n) == n`."""
    return torus.lift(_element(x, torus), hint)


@_over_arrays
def add(a: Coordinates, b: Coordinates, torus: Torus = TORUS) -> Any:
    """a ⊕ b: sums by component, with the moduli."""
    return _coordinate(torus.add(_element(a, torus), _element(b, torus)), torus)


@_over_arrays
def sub(a: Coordinates, b: Coordinates, torus: Torus = TORUS) -> Any:
    """a ⊕ (-b)."""
    return _coordinate(torus.sub(_element(a, torus), _element(b, torus)), torus)


@_over_arrays
def neg(a: Coordinates, torus: Torus = TORUS) -> Any:
    """The additive inverse."""
    return _coordinate(torus.neg(_element(a, torus)), torus)


@_over_arrays
def mul(a: Coordinates, b: Coordinates, torus: Torus = TORUS) -> Any:
    """a ⊗ b: products by component, with the moduli."""
    return _coordinate(torus.mul(_element(a, torus), _element(b, torus)), torus)


@_over_arrays
def scale(k: Integers, a: Coordinates, torus: Torus = TORUS) -> Any:
    """k ⊙ a: k times a; through the inverse where k is negative."""
    return _coordinate(torus.scale(k, _element(a, torus)), torus)


@_over_arrays
def sum(x: IntegerArray, axes: Sequence[int] | None = None, torus: Torus = TORUS) -> Any:  # noqa: A001
    """The sum of packed coordinates over `axes`, by default over all."""
    return _coordinate(torus.sum(_elements(x, torus), axes), torus)


@_over_arrays
def product(x: IntegerArray, axes: Sequence[int] | None = None, torus: Torus = TORUS) -> Any:
    """The product of packed coordinates over `axes`, by default over all."""
    return _coordinate(torus.product(_elements(x, torus), axes), torus)


@_over_arrays
def matmul(a: IntegerArray, b: IntegerArray, torus: Torus = TORUS) -> Array:
    """The product of two matrices of packed coordinates."""
    return torus.matmul(_elements(a, torus), _elements(b, torus))


@_over_arrays
def convolve(a: IntegerArray, b: IntegerArray, *, circular: bool = False, torus: Torus = TORUS) -> Array:
    """The linear or circular convolution of two sequences of packed coordinates."""
    return torus.convolve(_elements(a, torus), _elements(b, torus), circular=circular)


@_over_arrays
def pairs(x: IntegerArray, torus: Torus = TORUS) -> Array:
    """Packed coordinates with a last axis of two: the page and the resonance."""
    return torus.pairs(x)


# Coherence


@_over_arrays
def check_addition_coherence(a: Integers, b: Integers, result: Integers | None = None, torus: Torus = TORUS) -> Any:
    """Whether project(result) is project(a) ⊕ project(b). Without a result it is that of `a + b`: always for Python's
    integers, which are true sums; of arrays, an array of answers, False where a sum wrapped in their type."""
    return _coheres(operator.add, torus.add, (a, b), result, torus)


@_over_arrays
def check_multiplication_coherence(
    a: Integers, b: Integers, result: Integers | None = None, torus: Torus = TORUS
) -> Any:
    """Whether project(result) is project(a) ⊗ project(b); without a result, that of `a * b`. A product of arrays that
    wrapped by a multiple of three times 2^bits has the coordinate of the true one."""
    return _coheres(operator.mul, torus.mul, (a, b), result, torus)


def _coheres(
    operation: Callable[[Any, Any], Any],
    ours: Callable[[Any, Any], Any],
    operands: tuple[Any, Any],
    result: Any,
    torus: Torus,
) -> Any:
    if result is None:
        result = _wrapped(operation, *operands)
    same = torus.project(result) == ours(*map(torus.project, operands))
    return same if getattr(same, "ndim", 0) else bool(same)


def _wrapped(operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """The result in the type of the operands, where that is what arrays have."""
    if not _is_array(a, b):
        return operation(operator.index(a), operator.index(b))
    import numpy as np

    with np.errstate(over="ignore"):
        result = operation(a, b)
    if result.dtype.kind not in "iuO":
        types = " and ".join(str(getattr(x, "dtype", "int")) for x in (a, b))
        raise InputError(
            "torus-mixed", f"numpy computes {types} in {result.dtype}, which is no type of integers",
            hint="give both one type, or objects: x.astype(object)",
        )  # fmt: skip
    return result


# Pages and bytes


@_over_arrays
def phi_encode(page: Integers, byte: Integers) -> Any:
    """(byte << 16) | page."""
    if not _is_array(page, byte):
        page, byte = _page(page), _byte(byte)
    return byte << PAGE_BITS | page


@_over_arrays
def phi_decode(code: Integers) -> Any:
    """The (page, byte) of a phi code."""
    page, byte = code & (1 << PAGE_BITS) - 1, code >> PAGE_BITS
    return (page, byte) if _is_array(code) else (_page(page), _byte(byte))


@_over_arrays
def offset(page: Integers, byte: Integers) -> Any:
    """page * 256 + byte: where a byte of a page lies in its class."""
    if not _is_array(page, byte):
        page, byte = _page(page), _byte(byte)
    return page * BYTES_PER_PAGE + byte


def _page(value: Any) -> int:
    return _within("page", value, 1 << PAGE_BITS)


def _byte(value: Any) -> int:
    return _within("byte", value, BYTES_PER_PAGE)


def _within(name: str, value: Any, end: int) -> int:
    number = operator.index(value)
    if not 0 <= number < end:
        raise InputError("torus-range", f"{name} is {number}, out of the range of 0 to {end - 1}")
    return number


if not TYPE_CHECKING:
    __getattr__ = no_other_names("hologram.torus", globals())
