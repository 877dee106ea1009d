"""The operations of tensor functions take their operands, types, shapes and axes by the functions here."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn, ParamSpec, TypeVar, cast

from hologram.dialects.sizes import Size
from hologram.errors import InputError
from hologram.errors.arguments import checked
from hologram.frontend.tensors.trace.literals import integers
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import Number, size_of
from hologram.frontend.tensors.trace.trace import Sizes, Trace, Traced, current
from hologram.support import promotion

P = ParamSpec("P")
R = TypeVar("R")
ONE = Size.of(1)


def operation(function: Callable[P, R]) -> Callable[P, R]:
    """An operation of tensor functions. Outside of them it is one itself: it runs at once, on arrays."""

    within = checked(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if current() is not None:
            return within(*args, **kwargs)
        return _outside[-1](within, args, kwargs)

    call.__dict__[_MARK] = True
    return call


_outside: list[Callable[[Callable[..., Any], Sequence[Any], Mapping[str, Any]], Any]] = []


def run_outside(run: Callable[[Callable[..., Any], Sequence[Any], Mapping[str, Any]], Any]) -> None:
    """Says what runs operations on arrays, outside of tensor functions: `hologram.driver.jit` compiles them."""
    _outside.append(run)


_MARK = "hologram_operation"


def looked_at(check: Callable[..., None], *names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """An operation that refuses arguments by their values, where these are plain numbers: operations that run at once
    take them as arguments of a program."""

    def make(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                return function(*args, **kwargs)
            bound.apply_defaults()
            check(*(bound.arguments[name] for name in names))
            return function(*args, **kwargs)

        return call

    return make


def is_operation(function: Any) -> bool:
    """Return whether a function is an operation."""
    return _MARK in getattr(function, "__dict__", ())


def operations(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The operations that a module has, by name."""
    return {name: value for name, value in vars(module).items() if is_operation(value)}


def trace() -> Trace:
    """The trace that operations go to."""
    active = current()
    assert active is not None
    return active


# Operands


def operand(value: Any) -> Traced | Number | bool | int | float:
    """A value as an operation takes it. Arrays from outside become arguments."""
    if isinstance(value, Traced):
        if not trace().knows(value):
            owner = "a step of a loop or a side of a choice" if value.trace is current() else _CALL
            fault(
                "jit-escaped", f"this tensor belongs to {owner} that has ended",
                "return tensors from the function rather than keep them elsewhere",
            )  # fmt: skip
        return value
    if isinstance(value, (Number, bool, int, float)) and not hasattr(value, "dtype"):
        return value
    array = as_array(value)
    if array is None:
        fault("jit-operand", f"'{type(value).__name__}' is no tensor, array or number")
    return trace().outside(array)


_CALL = "a call of a tensor function"


def as_array(value: Any) -> Any | None:
    """An array of any library, or what numpy makes one of, as tensor functions take it."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        if hasattr(value, "home"):
            return value
        import numpy as np

        if isinstance(value, np.ma.MaskedArray):
            fault(
                "jit-masked", "tensors have no masks, and this array has one", "pass x.filled(0), and its mask beside"
            )
        if isinstance(value, (np.ndarray, np.generic)):
            return np.asarray(cast("Any", value))
    if isinstance(value, (list, tuple)):
        return _listed(value)  # pyright: ignore[reportUnknownArgumentType]
    from hologram.runtime.foreign import view_of
    from hologram.runtime.memory.buffer import Buffer

    return value.array if isinstance(value, Buffer) else view_of("array", value)


def _listed(values: Sequence[Any]) -> Any:
    """Numbers in lists as an array, of the types that literals have."""
    import numpy as np

    try:
        array = np.asarray(values)
    except InputError:  # One of them is a tensor.
        _refuse_list(values)
    except ValueError:
        fault("jit-list-ragged", "the lists within a list differ in length, so it is no array", "make them equal")
    if array.dtype.kind not in "biuf":
        _refuse_list(values)
    return array.astype(np.float32) if array.dtype == np.float64 else array


def _refuse_list(values: Sequence[Any]) -> NoReturn:
    """Says what in a list is no number that is known."""
    kinds: list[type[Any]] = [type(leaf) for leaf in _leaves(values)]
    if any(issubclass(kind, Traced) for kind in kinds):
        fault("jit-list", "a list that holds a tensor is no array of numbers", "hologram.ops.stack joins tensors")
    if any(issubclass(kind, Number) for kind in kinds):
        fault(
            "jit-list-numbers", "a list whose numbers are known only in a call is no array", "pass numpy.array([...])"
        )
    wrong: type[Any] = next(kind for kind in kinds if not issubclass(kind, (int, float)))
    hint = "numpy.array([1.0, 2.0]) is one"
    fault("jit-list-kind", f"a list that holds a '{wrong.__name__}' is no array of numbers", hint)


def _leaves(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _leaves(cast("Sequence[Any]", value))
        else:
            yield value


def tensor(value: Any) -> Traced:
    """An operand with a type: that of literals, where it has none of its own."""
    (traced,) = brought(value)
    return traced


def brought(*values: Any, kind: str = "any") -> list[Traced]:
    """Operands in the type that they all are brought to.

    With `kind` number truth values become integers, with `float` integers become f64 (f32 where the device has no f64;
    literals alone become f32), with `integer` floats are refused.
    """
    operands = [operand(v) for v in values]
    dtype = _common(operands)
    if kind in ("number", "integer") and dtype == "bool":
        dtype = "i64"
    if kind == "float" and not promotion.is_float(dtype):
        dtype = trace().real if any(isinstance(v, Traced) for v in operands) else "f32"
    if kind in ("integer", "bits") and promotion.is_float(dtype):
        _refuse_floats(operands, dtype)
    return [typed(v, dtype) for v in operands]


def _refuse_floats(operands: Sequence[Traced | Number | bool | int | float], dtype: str) -> NoReturn:
    """Say that an operation takes integers, or that two integers are of types that no integer holds."""
    given = list(dict.fromkeys(v.dtype for v in operands if isinstance(v, Traced)))
    if not any(map(promotion.is_float, given)) and len(given) > 1:
        fault(
            "jit-no-common-type", f"no integer type holds {' and '.join(given)}",
            "convert one of them: hologram.ops.cast(x, 'i64')",
        )  # fmt: skip
    fault("jit-not-integer", f"this takes integers, not {dtype}", "convert them: hologram.ops.cast(x, 'i64')")


def _common(operands: Sequence[Traced | Number | bool | int | float]) -> str:
    """The type that operands are brought to, by numpy's rules (NEP 50)."""
    given = [v.dtype for v in operands if isinstance(v, Traced)]
    literals = [_sample(v) for v in operands if not isinstance(v, Traced)]
    dtype = functools.reduce(promotion.of_arrays, given) if given else promotion.alone(literals[0])
    for value in literals:
        is_new = isinstance(value, float) and not promotion.is_float(dtype)
        dtype = "f64" if is_new and given else promotion.with_literal(dtype, value)
    return trace().real if dtype == "f64" and "f64" not in given else dtype


def _sample(value: Number | bool | int | float) -> bool | int | float:
    """A literal of the kind that a number without a type is."""
    return (0.5 if value.IS_FLOAT else 1) if isinstance(value, Number) else value


def typed(value: Traced | Number | bool | int | float, dtype: str) -> Traced:
    """An operand in a type."""
    is_literal = not isinstance(value, (Number, Traced))
    is_fraction = isinstance(value, Number) and value.IS_FLOAT and not promotion.is_float(dtype)
    if is_fraction or is_literal and dtype != "bool" and not promotion.fits(value, dtype):
        shown = promotion.shown(value) if is_literal else "a float"
        fault("jit-literal-range", f"{shown} is no number of {dtype}")
    if isinstance(value, Number):
        return value.typed(dtype)
    if is_literal:
        return trace().number(dtype, float(value) if promotion.is_float(dtype) else value)
    return converted(value, dtype)


def is_untyped(value: Any) -> bool:
    """Return whether a value is a number that takes the type of what it meets."""
    return isinstance(value, (bool, int, float, Number)) and not hasattr(value, "dtype")


def typed_as(value: Any, dtype: str) -> Traced:
    """An operand in a type; a literal must be a number of it."""
    is_fraction = isinstance(value, Number) and value.IS_FLOAT and not promotion.is_float(dtype)
    return typed(value, dtype) if is_untyped(value) and not is_fraction else converted(tensor(value), dtype)


def converted(value: Traced, dtype: str) -> Traced:
    """A tensor with its elements converted."""
    if value.dtype == dtype:
        return value
    flags = [f for f, t in (("unsigned", value.dtype), ("to_unsigned", dtype)) if promotion.is_unsigned(t)]
    return trace().add("hologram.cast", [value], dtype, value.sizes, head=" ".join(flags))


def at_least_f32(value: Traced) -> Traced:
    """A tensor of floats, in f32 where its type is narrower: what is computed of many elements is rounded once."""
    return converted(value, "f32") if promotion.bits(value.dtype) < 32 else value


def dtype_name(dtype: Any) -> str:
    """The name of a type: a name, a word of hologram.language, a numpy type or numpy's name."""
    if isinstance(dtype, Number):
        fault("jit-type-number", f"a type has a name, and this is {_kind(dtype)}", "as in dtype='f32'")
    name = getattr(dtype, "hologram_word", dtype)
    name = promotion.NUMPY.get(name, name) if isinstance(name, str) else name
    if not isinstance(name, str):
        import numpy as np

        from hologram.runtime import dtypes

        try:
            name = dtypes.name_of(np.dtype(name))
        except (TypeError, ValueError):
            name = str(dtype)
    if name not in promotion.TYPES:
        fault("jit-type-name", f"tensor functions have no type '{name}'", f"the types are {', '.join(promotion.TYPES)}")
    return name


# Shapes


def settled(value: Traced) -> Sizes:
    """The sizes of a tensor in terms of what is unknown."""
    return tuple(value.along(axis) for axis in range(value.ndim))


def joined(a: Size, b: Size) -> Size | None:
    """The size of an axis of which two operands have these; None where they do not go together."""
    facts = trace().facts
    a, b = facts.settled(a), facts.settled(b)
    if a == b or b == ONE:
        return a
    if a == ONE:
        return b
    if facts.value(a) == facts.value(b):
        for size, other in ((a, b), (b, a)):
            if size.constant is not None:
                facts.number(other)
                return size
        facts.holds(a, "==", b)
        return facts.settled(a)
    for one, other in ((a, b), (b, a)):
        if facts.value(one) == 1:
            facts.number(one)
            return other
    return None


def broadcast_sizes(*all_sizes: Sizes) -> Sizes:
    """The shape that shapes broadcast to, as in numpy."""
    rank = max(map(len, all_sizes))
    shape = [ONE] * rank
    for sizes in all_sizes:
        for axis in range(1, len(sizes) + 1):
            size = joined(shape[-axis], sizes[-axis])
            if size is None:
                fault(
                    "jit-broadcast", f"shapes {' and '.join(map(shown, all_sizes))} do not broadcast",
                    "sizes are equal, or one of them is 1",
                )  # fmt: skip
            shape[-axis] = size
    return tuple(map(trace().facts.settled, shape))


def shown(sizes: Sizes) -> str:
    """A shape as it is in the call that is traced."""
    return f"({', '.join(str(trace().facts.value(s)) for s in sizes)}{',' if len(sizes) == 1 else ''})"


def must_be_natural(sizes: Sizes) -> None:
    """Refuses a shape with a size below 0."""
    facts = trace().facts
    for size in sizes:
        if not facts.holds(size, ">=", Size.of(0)):
            fault("jit-shape-negative", f"the size {facts.value(size)} of the shape {shown(sizes)} is below 0")


def broadcast(value: Traced, sizes: Sizes) -> Traced:
    """A tensor in a shape that it broadcasts to."""
    must_be_natural(sizes)
    if value.is_number:
        return trace().fill(value, sizes) if sizes else trace().tensor(value)
    own = settled(value)
    if own == tuple(map(trace().facts.settled, sizes)):
        return value
    axes = range(len(sizes) - len(own), len(sizes))
    return spread(value, sizes, axes)


def spread(value: Traced, sizes: Sizes, axes: Sequence[int]) -> Traced:
    """A tensor repeated along the axes of a shape that are not its own, which `axes` are."""
    attributes = f"axes = {integers(axes)}"
    return trace().add("hologram.broadcast", [value], value.dtype, sizes, attributes=attributes, given=True)


def together(values: Sequence[Traced]) -> tuple[list[Traced], Sizes]:
    """Tensors in the shape that they broadcast to."""
    sizes = broadcast_sizes(*(v.sizes for v in values))
    return [broadcast(v, sizes) for v in values], sizes


def must_equal(a: Size, b: Size, what: str) -> None:
    """Refuses sizes that are not equal."""
    facts = trace().facts
    if not facts.holds(a, "==", b):
        fault("jit-sizes", f"{what}: {facts.value(a)} and {facts.value(b)}")


def listed(value: Any) -> Sequence[Any]:
    """Return the items of a tuple or list, and anything else as the only item."""
    return cast("Sequence[Any]", value) if isinstance(value, (tuple, list)) else (value,)


def sizes_of(shape: Any, what: str = "") -> Sizes:
    """The sizes that a shape says: integers, or one of them. `what` names numbers that are no shape."""
    given = listed(shape)
    sizes: list[Size] = []
    for entry in given:
        size = size_of(entry)
        if size is None:
            kind = _kind(entry)
            message = f"{what} is an integer, not {kind}" if what else f"a shape is made of integers, not of {kind}"
            fault("jit-shape", message, "as in x.shape[0]" if what else "as in (x.shape[0], 4)")
        sizes.append(size)
    return tuple(sizes)


def axis_of(axis: Any, rank: int) -> int:
    """The number of an axis, counted from the first; a negative one counts from the last."""
    number = whole(axis, "an axis")
    if not -rank <= number < rank:
        fault("jit-axis", f"axis {number} is out of range for a tensor with {rank} axes")
    return number % rank


def axes_of(axis: Any, rank: int) -> list[int]:
    """The axes that None (all), a number or several name, ascending."""
    if axis is None:
        return list(range(rank))
    axes = sorted(axis_of(a, rank) for a in listed(axis))
    if len(set(axes)) < len(axes):
        fault("jit-axis-twice", f"an axis is named twice in {axis}")
    return axes


def named_axes(axes: Any, rank: int) -> list[int]:
    """The axes that a number or several name, in the order in which they are named."""
    axes_of(axes, rank)
    return [axis_of(a, rank) for a in listed(axes)]


def numbers_of(value: Any, what: str, count: int, *, least: int = 0, most: int = 0) -> list[int]:
    """The numbers for each of some axes: one for all, one for each, or `most` of them."""
    numbers = [whole(v, what) for v in listed(value)]
    numbers = numbers * count if len(numbers) == 1 else numbers
    if len(numbers) not in (count, most or count) or min(numbers) < least:
        several = ", or two of them" * (count == 2)
        fault("jit-pair", f"{what} is a number from {least} on{several}, not {listed(value)}")
    return numbers


def need_rank(value: Traced, what: str, *ranks: int) -> None:
    """Refuses a tensor that has another number of axes."""
    if value.ndim not in ranks:
        least, most = min(ranks), max(ranks)
        steady = most - least > 1 and set(ranks) == {*range(least, most + 1)}
        wanted = f"{least} to {most}" if steady else " or ".join(map(str, sorted({*ranks})))
        fault("jit-rank", f"{what}: {wanted} axes are needed, and there are {value.ndim}")


def _kind(value: Any) -> str:
    """The kind of a value in a message."""
    if isinstance(value, Number):
        return "a float" if value.IS_FLOAT else "an integer"
    return "a tensor" if isinstance(value, Traced) else f"'{type(value).__name__}'"


def whole(value: Any, what: str) -> int:
    """A number that the code is made for."""
    is_float = isinstance(value, Number) and value.IS_FLOAT
    if is_float or isinstance(value, (bool, float, Traced)) or not hasattr(value, "__index__"):
        fault("jit-whole", f"{what} is an integer, not {_kind(value)}")
    return operator.index(cast("Any", value))
