"""Element by element: arithmetic, functions of numbers, comparisons and choices.

Operands broadcast as in numpy. Their types are brought to one (docs/tensor-functions.mdx): a literal takes the type of
what it meets, a float beats integers. Functions of real numbers take integers as f32.

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
from hologram.frontend.tensors.trace.support import brought, converted, dtype_name, operation, tensor, together, trace
from hologram.frontend.tensors.trace.trace import Traced
from hologram.plugins import discover
from hologram.plugins.tables import Row
from hologram.support import promotion

LARGEST_POWER = 64
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
    pairs = list(zip(values, declared.operands.values(), strict=True))
    numbers = (v for v, kind in pairs if kind != "bool")
    alike = brought(*numbers, kind="number" if declared.brings == "whole" else declared.brings)
    dtype = alike[0].dtype
    if declared.brings == "whole" and not promotion.is_float(dtype):
        return alike[0]
    rest = iter(alike)
    operands = [converted(tensor(v), "bool") if kind == "bool" else next(rest) for v, kind in pairs]
    if not declared.tensor:
        return declared.composed(_Tracer(DTYPES[dtype]), *operands)
    return apply(declared, operands)


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
        return _compared(condition, *brought(a, b))

    return operation(_named(compared, name, meaning))


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
def div(a: Any, b: Any) -> Any:
    """a / b of floats. Integers have `floor_div`."""
    values = brought(a, b, kind="number")
    if not promotion.is_float(values[0].dtype):
        fault(
            "jit-divide-integers", f"'/' of two integers is no {values[0].dtype}",
            "write // for the quotient rounded down, or convert one of them: hologram.ops.cast(x, 'f32')",
        )  # fmt: skip
    return apply(INSTRUCTIONS["div"], values)


@operation
def pow(a: Any, b: Any) -> Any:
    """a^b. A whole literal exponent multiplies; another one needs floats."""
    if isinstance(b, int) and not isinstance(b, bool) and 0 <= b <= LARGEST_POWER:
        x = tensor(a)
        if not promotion.is_float(x.dtype) or b <= 3:
            return _product(x, b)
    x, y = brought(a, b, kind="number")
    if not promotion.is_float(x.dtype):
        fault(
            "jit-integer-power", "integers are raised to literal powers from 0 to 64 alone",
            "convert one of them: hologram.ops.cast(x, 'f32')",
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
    return _do("add", _do("mul", x, 0), 1) if product is None else product


@operation
def shift_left(a: Any, b: Any) -> Any:
    """a << b, b modulo the width of a."""
    return _shift("shl", a, b)


@operation
def shift_right(a: Any, b: Any) -> Any:
    """a >> b, b modulo the width of a; copies of the sign come in where a is signed."""
    return _shift("shr", a, b)


def _shift(name: str, a: Any, b: Any) -> Any:
    (x,), (amount,) = brought(a, kind="integer"), brought(b, kind="integer")
    tensors, sizes = together([x, converted(amount, x.dtype)])
    head = "unsigned" if promotion.is_unsigned(x.dtype) else ""
    return trace().add(f"hologram.{name}", tensors, x.dtype, sizes, head=head)


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
    return converted(tensor(x), dtype_name(dtype))


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
