"""The tensors that a tensor function is given: operators and methods, each an operation of its trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, cast

from hologram.dialects.sizes import Size
from hologram.errors import MissingNameError, missing_name
from hologram.frontend.tensors import indexing
from hologram.frontend.tensors.ops import (
    activation,
    arrange,
    contract,
    control,
    counting,
    finite,
    linalg,
    loss,
    math,
    matrices,
    memory,
    network,
    order,
    padding,
    pool,
    products,
    random,
    reduce,
    segments,
)
from hologram.frontend.tensors.other_names import counterpart
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import Extent, Number, Weak, extent
from hologram.frontend.tensors.trace.support import operations
from hologram.frontend.tensors.trace.trace import Traced

_WHERE = "hologram.ops.where chooses element by element, cond between functions; shapes may be compared"
_NO_OTHER = "hologram.ops has none such: compute it by those that it has, or outside"
_NO_VALUES = "inside of a tensor function there are no values yet: return it, and look at the result"


class Tensor(Traced):
    """A tensor in a tensor function: what it will be, not what it is. Operators are those of `hologram.ops`."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int | Extent, ...]:
        """Its sizes: integers, or `Extent`s, which are integers that are not known yet."""
        return tuple(extent(self.trace, s) for s in self.sizes)

    @property
    def size(self) -> Any:
        """The number of its elements."""
        count = Size.of(1)
        for size in self.sizes:
            count = count * size
        return extent(self.trace, count)

    @property
    def T(self) -> Any:
        """The axes in the other order."""
        return memory.transpose(self)

    def __repr__(self) -> str:
        sizes = ", ".join(str(self.trace.facts.settled(s).text) for s in self.sizes)
        return f"<hologram tensor of {self.dtype}, shape ({sizes})>"

    # Methods

    astype = math.cast

    def reshape(self, *shape: Any) -> Any:
        """Its elements in another shape; one size may be -1."""
        return memory.reshape(self, shape[0] if len(shape) == 1 else shape)

    def flatten(self) -> Any:
        """Its elements along one axis."""
        return memory.reshape(self, -1)

    ravel = flatten

    def transpose(self, *axes: Any) -> Any:
        """Its axes in another order, by default the opposite one."""
        given = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes or None  # pyright: ignore[reportUnknownVariableType]
        return memory.transpose(self, given)

    sum, mean, prod = reduce.sum, reduce.mean, reduce.prod
    min, max, argmin, argmax = reduce.min, reduce.max, reduce.argmin, reduce.argmax
    sort, argsort = order.sort, order.argsort

    # Operators

    __getitem__ = indexing.item
    __neg__, __abs__, __invert__ = math.neg, math.abs, math.invert

    def __pos__(self) -> Any:
        return self

    # What there is no value for

    __hash__ = Traced.__hash__

    def __bool__(self) -> NoReturn:
        fault("jit-bool", "whether a tensor holds is known only when the function runs", _WHERE)

    def __float__(self) -> NoReturn:
        fault("jit-value", "the value of a tensor is known only when the function runs", _NO_VALUES)

    __int__ = __index__ = __complex__ = __float__

    def item(self) -> NoReturn:
        """Refused: there is no value yet."""
        float(self)
        raise AssertionError

    numpy = tolist = item

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)

    def __getattr__(self, name: str) -> NoReturn:
        if name in _OPERATIONS:
            raise MissingNameError("jit-method", f"tensors have no '{name}'", hint=f"write hologram.ops.{name}(...)")
        raise missing_name("a tensor of a tensor function", name, dir(type(self)))

    def __len__(self) -> int:
        if not self.sizes:
            fault("jit-len", "a tensor without axes has no length")
        return self.trace.facts.number(self.sizes[0])

    def __iter__(self) -> Any:
        return (self[n] for n in range(len(self)))

    def __round__(self, digits: Any = None) -> Any:
        if digits is not None:
            fault("jit-round-digits", "tensors are rounded to whole numbers", "as in round(x * 100) / 100")
        return math.round(self)

    __floor__, __ceil__, __trunc__ = math.floor, math.ceil, math.trunc

    def __contains__(self, _: Any) -> NoReturn:
        fault(
            "jit-contains", "'in' asks for values of a tensor", "hologram.ops.any(x == value) asks element by element"
        )

    def __setitem__(self, *_: Any) -> NoReturn:
        fault(
            "jit-assign", "tensors of a tensor function are not changed",
            "hologram.ops.where and hologram.ops.scatter give changed ones",
        )  # fmt: skip

    __delitem__ = __setitem__

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        fault(
            "jit-array", "numpy is asked for an array of a tensor, which has no values yet",
            "give tensors to the functions of hologram.ops as they are",
        )  # fmt: skip

    def __array_function__(self, function: Any, *_: Any) -> NoReturn:
        name = function.__name__
        fault("jit-numpy-function", f"numpy's '{name}' can't be traced", in_place_of(name) or _NO_OTHER)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        function = _UFUNCS.get(ufunc.__name__)
        if function is None or method != "__call__" or options:
            name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
            given = f" with {', '.join(options)}" if method == "__call__" and options else ""
            fault("jit-ufunc", f"numpy's '{name}' can't be traced{given}", in_place_of(name) or _NO_OTHER)
        return function(*inputs)


def _operator(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(self, other)


def _reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(other, self)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": math.add, "sub": math.sub, "mul": math.mul, "truediv": math.div, "floordiv": math.floor_div,
    "mod": math.mod, "pow": math.pow, "and": math.bit_and, "or": math.bit_or, "xor": math.bit_xor,
    "lshift": math.shift_left, "rshift": math.shift_right, "matmul": products.matmul,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": math.equal, "ne": math.not_equal, "lt": math.less, "le": math.less_equal, "gt": math.greater,
    "ge": math.greater_equal,
}  # fmt: skip
for _name, _function in _OPERATORS.items():
    setattr(Tensor, f"__{_name}__", _operator(_function))
    setattr(Tensor, f"__r{_name}__", _reflected(_function))
for _name, _function in _COMPARISONS.items():
    setattr(Tensor, f"__{_name}__", _operator(_function))

_UFUNCS: dict[str, Callable[..., Any]] = {
    "subtract": math.sub, "multiply": math.mul, "divide": math.div, "true_divide": math.div, "power": math.pow,
    "floor_divide": math.floor_div, "remainder": math.mod, "fmod": math.rem, "negative": math.neg,
    "absolute": math.abs, "fabs": math.abs, "rint": math.round, "arctan": math.atan, "arctan2": math.atan2,
    "arcsin": math.asin, "arccos": math.acos, "arcsinh": math.asinh, "arccosh": math.acosh, "arctanh": math.atanh,
    "degrees": math.rad2deg, "radians": math.deg2rad,
    "bitwise_and": math.bit_and, "bitwise_or": math.bit_or, "bitwise_xor": math.bit_xor,
    "left_shift": math.shift_left, "right_shift": math.shift_right, "matmul": products.matmul,
    **operations(math),
}  # fmt: skip
"""numpy's functions of elements that are called with a tensor, and by operators with an array on the left."""


def _of_numbers(self: Number, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """A function of numpy's with a number that has no type: with numbers alone, a float is a number without a type."""
    is_real = not any(types[0] in "?bBhHiIlLqQ" for types in ufunc.types)
    only = all(isinstance(v, (Number, int, float)) and not hasattr(v, "dtype") for v in inputs)
    if not (only and is_real and method == "__call__" and not options and ufunc.__name__ in _UFUNCS):
        return Tensor.__array_ufunc__(cast("Tensor", self), ufunc, method, *inputs, **options)
    function = _UFUNCS[ufunc.__name__]
    return Weak(self.trace, lambda dtype: function(*(v.typed(dtype) if isinstance(v, Number) else v for v in inputs)))


setattr(Number, "__array_ufunc__", _of_numbers)  # noqa: B010 - numbers stand below the operations.

GROUPS = (
    random, finite, math, activation, loss, linalg, contract, matrices, memory, arrange, padding, network, pool, order,
    reduce, segments, counting, control,
)  # fmt: skip
"""The groups of `hologram.ops`. A name that two of them have is that of the later one: `min` is over axes."""
_OPERATIONS = {word for group in GROUPS for word in operations(group)}


def in_place_of(name: str) -> str | None:
    """A hint: what to write in place of a function of numpy or torch; None where there is nothing near."""
    word = counterpart(name, _OPERATIONS, {n: f.__name__ for n, f in _UFUNCS.items()})
    return f"write {word}" if word else None
