"""Numbers of tensor functions that have no type yet: sizes, and floats that a call gives. They take that of what they
meet, as literals do."""

from __future__ import annotations

import linecache
import operator
import re
import warnings
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NoReturn

from hologram.dialects.sizes import Size
from hologram.errors import UnrolledLoopWarning, missing_name
from hologram.frontend.tensors.trace.locations import fault, here
from hologram.frontend.tensors.trace.trace import Trace, Traced


class Number:
    """A number of a trace without a type."""

    __slots__ = ("trace",)
    IS_FLOAT = True

    def __init__(self, trace: Trace):
        self.trace = trace

    @abstractmethod
    def typed(self, dtype: str) -> Traced:
        """It as a number of a type."""

    def __getattr__(self, name: str) -> NoReturn:
        raise missing_name("a number of a tensor function", name, dir(type(self)))


class Weak(Number):
    """A float: an argument of a call, or what is computed of one. It is computed in each type that it meets."""

    __slots__ = ("_make",)

    def __init__(self, trace: Trace, make: Callable[[str], Traced]):
        super().__init__(trace)
        self._make = make

    def typed(self, dtype: str) -> Traced:
        return self.trace.once((dtype, self), lambda: self._make(dtype))

    def __repr__(self) -> str:
        return "<a number of hologram.jit>"

    def __neg__(self) -> Any:
        return Weak(self.trace, lambda dtype: -self.typed(dtype))  # pyright: ignore[reportOperatorIssue, reportUnknownVariableType, reportUnknownLambdaType]

    def __bool__(self) -> bool:
        fault("jit-number-bool", "whether a number holds is known only when the function runs", _STATIC)

    def __float__(self) -> float:
        fault("jit-number-value", "the value of a number is known only when the function runs", _STATIC)

    __int__ = __index__ = __float__  # pyright: ignore[reportAssignmentType]


class Counter(Number):
    """An integer that only the run knows, as the number of a step of a loop is: computed in i64."""

    __slots__ = ("value",)
    IS_FLOAT = False

    def __init__(self, trace: Trace, value: Traced):
        super().__init__(trace)
        self.value = value

    def typed(self, dtype: str) -> Traced:
        return self.value if dtype == "i64" else self.value.astype(dtype)  # pyright: ignore

    def __repr__(self) -> str:
        return "<the number of a step>"

    def __neg__(self) -> Counter:
        return Counter(self.trace, -self.value)  # pyright: ignore

    def __bool__(self) -> bool:
        fault("jit-step-bool", "the number of a step is known only when the function runs", _STEP)

    def __int__(self) -> int:
        fault("jit-step-value", "the number of a step is known only when the function runs", _STEP)


_STEP = "hologram.ops.where and hologram.ops.cond choose by it, and x[i] takes a slice"
_STATIC = (
    "name it in @hologram.jit(static=[...]) to have the function compiled for each value, or use hologram.ops.where"
)


UNROLLED = 64
"""A `range` of a size from this on is told to be many steps."""


def _tell_of_range(number: int) -> None:
    """Warns where a size becomes the bound of a `range`."""
    place = here()
    text = linecache.getline(place.file, place.line)[max(0, place.column - 1) :]
    if re.match(r"range\s*\(", text):
        message = (
            f"Python runs this loop of {number} steps, and the program has them all; hologram.ops.fori_loop and scan "
            "have one step that is repeated, and serve every size"
        )
        warnings.warn_explicit(message, UnrolledLoopWarning, place.file, place.line)


class Extent(Number):
    """A size that is not known yet: an integer. What needs its value makes the compiled code one for that size."""

    __slots__ = ("size",)
    IS_FLOAT = False

    def __init__(self, trace: Trace, size: Size):
        super().__init__(trace)
        self.size = size

    def typed(self, dtype: str) -> Traced:
        return self.trace.size_number(self.size, dtype)

    def __repr__(self) -> str:
        return str(self.trace.facts.settled(self.size).text)

    def __int__(self) -> int:
        return self.trace.facts.number(self.size)

    def __index__(self) -> int:
        number = int(self)
        if number >= UNROLLED:
            _tell_of_range(number)
        return number

    def __float__(self) -> float:
        return float(int(self))

    def __hash__(self) -> int:
        return hash(int(self))

    def __bool__(self) -> bool:
        return self.trace.facts.holds(self.size, "!=", Size.of(0))

    def __neg__(self) -> Extent | int:
        return extent(self.trace, Size.of(0) - self.size)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, int) and 0 <= other <= 8:
            size = Size.of(1)
            for _ in range(other):
                size = size * self.size
            return extent(self.trace, size)
        return int(self) ** other


def size_of(value: Any) -> Size | None:
    """The size that an integer is; None of anything else."""
    if isinstance(value, Extent):
        return value.trace.facts.settled(value.size)
    if isinstance(value, int):
        return Size.of(value)
    index = getattr(value, "__index__", None)
    return None if index is None or not hasattr(value, "dtype") or isinstance(value, Traced) else Size.of(index())


def extent(trace: Trace, size: Size) -> Extent | int:
    """A size as a user has it: a plain integer where it is known."""
    size = trace.facts.settled(size)
    return Extent(trace, size) if size.constant is None else size.constant


def _whole(kind: str, a: Size, b: Size) -> Size:
    if kind in ("//", "%") and b.constant == 0:
        fault("jit-size-division", "a size is divided by 0")
    quotient = a // b if kind in ("//", "%") else a
    return {"+": a + b, "-": a - b, "*": a * b, "//": quotient, "%": a - quotient * b}[kind]


def _arithmetic(kind: str, apply: Callable[[Any, Any], Any], swap: bool) -> Callable[[Any, Any], Any]:
    """An operator of sizes: of two of them a size, with a float a number. The number of a step has its own."""
    later = _later(apply, swap)

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, Counter):
            return NotImplemented
        left, right = (other, self) if swap else (self, other)
        a, b = size_of(left), size_of(right)
        if a is not None and b is not None:
            return extent(self.trace, _whole(kind, a, b))
        return later(self, other)

    return method


def _comparison(relation: str) -> Callable[[Any, Any], Any]:
    def method(self: Extent, other: Any) -> Any:
        size = size_of(other)
        if size is not None:
            return self.trace.facts.holds(self.size, relation, size)
        if isinstance(other, float):
            return _COMPARE[relation](int(self), other)
        return NotImplemented

    return method


def _later(apply: Callable[[Any, Any], Any], swap: bool) -> Callable[[Any, Any], Any]:
    """An operator of numbers without a type: computed in each type that the result meets."""

    def method(self: Any, other: Any) -> Any:
        left, right = (other, self) if swap else (self, other)
        if not isinstance(other, (int, float, Number)):
            return NotImplemented
        return Weak(self.trace, lambda dtype: apply(_typed(self, left, dtype), _typed(self, right, dtype)))

    return method


def _typed(owner: Number, value: Any, dtype: str) -> Traced:
    return value.typed(dtype) if isinstance(value, Number) else owner.trace.number(dtype, value)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ARITHMETIC: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "add": ("+", lambda a, b: a + b), "sub": ("-", lambda a, b: a - b), "mul": ("*", lambda a, b: a * b),
    "floordiv": ("//", lambda a, b: a // b), "mod": ("%", lambda a, b: a % b), "pow": ("", lambda a, b: a**b),
    "truediv": ("", lambda a, b: a / b),
}  # fmt: skip


def _step_power(self: Counter, other: Any) -> Any:
    """A step number to a power that is known stays an integer."""
    if isinstance(other, int) and other >= 0:
        return Counter(self.trace, self.value**other)  # pyright: ignore
    return _step_to_any(self, other)


def _counting(apply: Callable[[Any, Any], Any], swap: bool, counts: bool) -> Callable[[Any, Any], Any]:
    """An operator of step numbers: with integers again one, or a truth value; with a float a number."""
    later = _later(apply, swap)

    def method(self: Counter, other: Any) -> Any:
        if isinstance(other, float) or (isinstance(other, Number) and other.IS_FLOAT):
            return later(self, other)
        if not isinstance(other, (int, Number)):
            return NotImplemented
        pair = (other, self) if swap else (self, other)
        result = apply(*(_typed(self, v, "i64") for v in pair))
        return Counter(self.trace, result) if counts else result

    return method


for _name, (_kind, _apply) in _ARITHMETIC.items():
    for _swap in (False, True):
        _word = f"__{'r' * _swap}{_name}__"
        setattr(Weak, _word, _later(_apply, _swap))
        setattr(Counter, _word, _counting(_apply, _swap, True) if _kind else _later(_apply, _swap))
        if _kind or _name == "truediv":
            setattr(Extent, _word, _arithmetic(_kind, _apply, _swap) if _kind else _later(_apply, _swap))
_step_to_any = _later(lambda a, b: a**b, False)
Counter.__pow__ = _step_power  # pyright: ignore[reportAttributeAccessIssue]
for _relation, _word in (("==", "eq"), ("!=", "ne"), ("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge")):
    setattr(Extent, f"__{_word}__", _comparison(_relation))
    setattr(Counter, f"__{_word}__", _counting(_COMPARE[_relation], False, False))
