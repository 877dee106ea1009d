"""Element by element: arithmetic, functions of numbers, comparisons and choices.

Operands broadcast as in numpy. Their types are brought to one by numpy's rules (docs/tensor-functions.mdx): a literal
takes the type of what it meets, a float is wide enough for the integers that it meets. Functions of real numbers take
integers as f64, f32 where the device has no f64.

The functions that an instruction or a composition declares are made here from its declaration, under the names that it
gives them; the others are written out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hologram.dialects.atlas.instructions.composites import ROWS as COMPOSITION_ROWS
from hologram.dialects.atlas.instructions.declaration import Composer, Instruction, from_outside
from hologram.dialects.atlas.instructions.dtypes import DTYPES, DType
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS, ROWS
from hologram.errors import did_you_mean
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import Extent, Number
from hologram.frontend.tensors.trace.support import (
    broadcast,
    brought,
    converted,
    dtype_name,
    is_untyped,
    operand,
    operation,
    settled,
    tensor,
    together,
    trace,
    typed,
)
from hologram.frontend.tensors.trace.trace import Traced
from hologram.plugins import discover
from hologram.plugins.tables import Row
from hologram.support import promotion

MOST_POWER = 1 << 63
F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., Any]: ...


def apply(declared: Instruction, values: Sequence[Traced]) -> Any:
    """The operation of the `hologram` dialect that a declaration makes, on elements of one type."""
    tensors, sizes = together(values)
    dtype = next(v.dtype for v, kind in zip(values, declared.operands.values(), strict=True) if kind == "T")
    head = "unsigned" if promotion.is_unsigned(dtype) else ""
    result = declared.result_type(DTYPES[dtype]).name
    return trace().add(f"hologram.{declared.tensor}", tensors, result, sizes, head=head)


class _Tracer(Composer):
    """Calls the instructions of a composition that has no operation of its own."""

    def apply(self, instruction: Instruction, dtype: DType, operands: Sequence[Any]) -> Any:
        return where(*operands) if instruction.name == "sel" else apply(instruction, operands)

    def compare(self, condition: str, a: Any, b: Any) -> Any:
        return _compared(condition, *(self.number(v) if isinstance(v, int | float) else v for v in (a, b)))

    def number(self, value: float) -> Any:
        return trace().number(self.dtype.name, float(value) if self.dtype.is_float else value)

    def is_predicate(self, value: Any) -> bool:
        return value.dtype == "bool"


def elementwise(declared: Instruction, *values: Any) -> Any:
    """An instruction or a composition on elements that are brought to a type of its; predicates become bool."""
    if declared.name in _OF_TRUTH and all(map(_is_truth, values)):
        declared = INSTRUCTIONS[_OF_TRUTH[declared.name]]
    pairs = list(zip(values, declared.operands.values(), strict=True))
    numbers = (v for v, kind in pairs if kind != "bool")
    alike = brought(*numbers, kind="number" if declared.brings == "whole" else declared.brings)
    dtype = alike[0].dtype
    if declared.brings == "whole" and not promotion.is_float(dtype):
        return tensor(values[0])
    rest = iter(alike)
    operands = [converted(tensor(v), "bool") if kind == "bool" else next(rest) for v, kind in pairs]
    if not declared.tensor:
        return _composed(declared, dtype, operands)
    return apply(declared, operands)


_OF_TRUTH = {"add": "or", "mul": "and", "max.nan": "or", "min.nan": "and"}
"""What instructions on numbers are of truth values alone."""


def _is_truth(value: Any) -> bool:
    given = operand(value)
    return given.dtype == "bool" if isinstance(given, Traced) else isinstance(given, bool)


def _composed(declared: Instruction, dtype: str, operands: Sequence[Traced]) -> Any:
    """A composition of instructions on operands of a type."""
    inner = declared.inner_type(DTYPES[dtype])
    wide = [converted(v, inner.name) if v.dtype == dtype else v for v in operands]
    result = declared.composed(_Tracer(inner), *wide)
    return converted(result, dtype) if result.dtype == inner.name else result


def _declared(declared: Instruction) -> Callable[..., Any]:
    """The function of a declaration."""
    names = declared.arguments
    signature = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, annotation="Any") for n in names])

    def call(*args: Any, **kwargs: Any) -> Any:
        return elementwise(declared, *signature.bind(*args, **kwargs).args)

    call.__dict__["__signature__"] = signature
    return operation(_named(call, declared.function, declared.said(names)))


def declared_functions(group: str) -> dict[str, Callable[..., Any]]:
    """The functions that declarations make in a group of `hologram.ops`, by name."""
    rows = [i for i in (*ROWS, *COMPOSITION_ROWS) if i.function and i.group == group]
    return {i.function: _declared(i) for i in rows}


class OfTwo(Protocol):
    """An operation on a and b."""

    __name__: str

    def __call__(self, a: Any, b: Any) -> Any: ...


def comparison(name: str, meaning: str, condition: str) -> OfTwo:
    """Return whether elements compare so."""

    def compared(a: Any, b: Any) -> Any:
        x, y = operand(a), operand(b)
        if not isinstance(x, Traced) and isinstance(y, Traced):
            return _of_one(_SWAPPED[condition], y, x)
        if isinstance(x, Traced):
            return _of_one(condition, x, y)
        return _compared(condition, *brought(x, y))

    return operation(_named(compared, name, meaning))


_SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
"""The condition on b and a that says the same."""


def _of_one(condition: str, x: Traced, y: Any) -> Any:
    """Compare a tensor with anything by what the numbers are, also where no integer type holds both."""
    if isinstance(y, int) and not promotion.is_float(x.dtype) and x.dtype != "bool" and not promotion.fits(y, x.dtype):
        holds = condition == "ne" or condition in (("lt", "le") if y > 0 else ("gt", "ge"))
        return broadcast(trace().number("bool", holds), settled(x))
    if isinstance(y, Number) and not y.IS_FLOAT and not promotion.is_float(x.dtype):
        y = y.typed("i64")
    if isinstance(y, Traced) and not promotion.is_float(x.dtype) and not promotion.is_float(y.dtype):
        if promotion.promoted(x.dtype, y.dtype) is None:
            return _of_signed(condition, x, y) if y.dtype == "u64" else _of_signed(_SWAPPED[condition], y, x)
    return _compared(condition, *brought(x, y))


def _of_signed(condition: str, x: Traced, y: Traced) -> Any:
    """Compare signed integers with u64: what is below 0 is less than all of these."""
    tensors, _ = together([x, y])
    below = less(tensors[0], 0)
    rest = _compared(condition, converted(tensors[0], "u64"), tensors[1])
    return _do("or", rest, below) if condition in ("lt", "le", "ne") else _do("and", rest, _do("not", below))


def _named(function: F, name: str, meaning: str) -> F:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = meaning
    return function


def _compared(condition: str, a: Traced, b: Traced) -> Any:
    tensors, sizes = together([a, b])
    head = condition + " unsigned" * promotion.is_unsigned(a.dtype)
    return trace().add("hologram.compare", tensors, "bool", sizes, head=head)


globals().update(declared_functions("math"))


def _do(name: str, *values: Any) -> Any:
    """An instruction on elements."""
    return elementwise(INSTRUCTIONS[name], *values)


equal = comparison("equal", "a == b.", "eq")
not_equal = comparison("not_equal", "a != b, which NaN is of everything.", "ne")
less = comparison("less", "a < b.", "lt")
less_equal = comparison("less_equal", "a <= b.", "le")
greater = comparison("greater", "a > b.", "gt")
greater_equal = comparison("greater_equal", "a >= b.", "ge")


@operation
def clamp(x: Any, low: Any, high: Any) -> Any:
    """min(max(x, low), high); NaN stays NaN."""
    value, least, most = brought(x, low, high, kind="number")
    return _do("min.nan", _do("max.nan", value, least), most)


@operation
def div(a: Any, b: Any) -> Any:
    """a / b. Integers give f64, f32 where the device has no f64; `floor_div` gives integers."""
    return apply(INSTRUCTIONS["div"], brought(a, b, kind="float"))


@operation
def pow(a: Any, b: Any) -> Any:
    """a^b. A whole literal exponent multiplies; another one needs floats."""
    (base,) = brought(a, kind="number")
    if isinstance(b, Extent) and not promotion.is_float(base.dtype):
        b = int(b)
    if isinstance(b, int) and 0 <= b < MOST_POWER and (b <= 3 or not promotion.is_float(base.dtype)):
        return _product(base, b)
    x, y = brought(a, b, kind="number")
    if not promotion.is_float(x.dtype):
        fault(
            "jit-integer-power", "integers are raised to powers that are integers of Python and not negative",
            "convert one of them: hologram.ops.cast(x, 'f64')",
        )  # fmt: skip
    return apply(INSTRUCTIONS["pow"], [x, y])


def _product(x: Traced, exponent: int) -> Any:
    """x multiplied with itself, by repeated squaring."""
    product: Any = None
    square: Any = x
    while exponent:
        if exponent & 1:
            product = square if product is None else _do("mul", product, square)
        exponent >>= 1
        square = _do("mul", square, square) if exponent else square
    return broadcast(typed(1, x.dtype), settled(x)) if product is None else product  # x^0 is 1 of NaN too.


@operation
def shift_left(a: Any, b: Any) -> Any:
    """a << b; 0 where b is the width of the type or more, or negative."""
    x, amount, is_inside = _shifted(a, b)
    return where(is_inside, apply(INSTRUCTIONS["shl"], [x, amount]), 0)


@operation
def shift_right(a: Any, b: Any) -> Any:
    """a >> b, with copies of the sign where a is signed; where b is the width of the type or more, or negative, the
    sign alone: 0 or -1."""
    x, amount, is_inside = _shifted(a, b)
    shifted = apply(INSTRUCTIONS["shr"], [x, where(is_inside, amount, promotion.bits(x.dtype) - 1)])
    return where(is_inside, shifted, 0) if promotion.is_unsigned(x.dtype) else shifted


def _shifted(a: Any, b: Any) -> tuple[Traced, Traced, Traced]:
    """What is shifted, by how much, and whether that is within the width."""
    x, amount = brought(a, b, kind="integer")
    unsigned = converted(amount, f"u{promotion.bits(x.dtype)}")
    return x, amount, less(unsigned, promotion.bits(x.dtype))


@operation
def isnan(x: Any) -> Any:
    """Return whether x is NaN."""
    value = tensor(x)
    return not_equal(value, value)


@operation
def isfinite(x: Any) -> Any:
    """Return whether x is a number, and no infinity."""
    value = tensor(x)
    return equal(_do("sub", value, value), 0)


@operation
def isinf(x: Any) -> Any:
    """Return whether x is an infinity."""
    value = tensor(x)
    return equal(_do("abs", value), float("inf")) if promotion.is_float(value.dtype) else not_equal(value, value)


@operation
def where(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, else b."""
    p = converted(tensor(condition), "bool")
    tensors, sizes = together([p, *brought(a, b)])
    return trace().add("hologram.select", tensors, tensors[1].dtype, sizes)


@operation
def cast(x: Any, dtype: Any) -> Any:
    """x in another type, by the rules of `atlas.cvt`: floats become integers towards zero, and saturate."""
    name = dtype_name(dtype)
    # A number without a type is itself in every type of floats.
    return trace().tensor(typed(x, name)) if is_untyped(x) and promotion.is_float(name) else converted(tensor(x), name)


globals().update(
    {f"vector_{name}": globals()[name] for name in ("add", "sub", "mul", "div")},
    min=globals()["minimum"], max=globals()["maximum"],
)  # fmt: skip


# The functions of `hologram.language`, so that kernels and tensor functions may call the same function.

WORDS: dict[str, Callable[..., Any]] = {
    i.word: partial(elementwise, i) for i in (*ROWS, *COMPOSITION_ROWS) if i.word and (i.tensor or not i.is_instruction)
} | {"pow": pow}
FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""The functions that declarations of plug-ins make."""


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.word and (instruction.tensor or not instruction.is_instruction):
        WORDS[instruction.word] = partial(elementwise, instruction)
    if instruction.function:
        FUNCTIONS[instruction.function] = _declared(instruction)


from_outside(_from_outside)


def call_word(word: str, args: Sequence[Any]) -> Any:
    """Apply a word of the language to tensors."""
    if word in promotion.TYPES and len(args) == 1:
        return cast(args[0], word)
    if word not in WORDS:
        discover()
    if word not in WORDS:
        fault("jit-word", f"'{word}' means something in kernels alone", did_you_mean(word, WORDS))
    count = len(signature(WORDS[word]).parameters)
    if len(args) != count:
        fault("jit-word-count", f"'{word}' takes {count} argument{'s' * (count != 1)}, and is given {len(args)}")
    return WORDS[word](*args)
