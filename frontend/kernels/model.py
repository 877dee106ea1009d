"""The kernel document: what Python, JSON, YAML and TOML kernels are read into, and IR is built from.

One tree for all front ends, so that equal kernels give equal IR. Each class is an object of the JSON form: its fields
are the members, and the member `kind` is its name in lower case with underscores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NewType, TypeAlias, cast

from hologram.errors.arguments import described

VERSION = "1"
"""The version of the documents that are written; `version` of a document that is read must be equal."""

Dtype: TypeAlias = Literal[
    "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64",
    "f8E4M3FN", "f8E5M2",
]  # fmt: skip
Name: TypeAlias = Annotated[str, "name"]
"""The name of a kernel, a function or a variable: an identifier."""
Rank: TypeAlias = Annotated[int, "rank"]
"""How many axes an array has: 1 to LARGEST_RANK."""
LARGEST_PLACE = (1 << 31) - 1
"""The last line and column that a place may name."""
LARGEST_RANK = 8
ElementName = NewType("ElementName", str)
"""The name of an element type of the document: which type it is, each compilation says. `T.wide` is what sums of T are
taken in: f32 for narrower floats, else T."""
WIDE = ".wide"
Element: TypeAlias = Dtype | ElementName
BinaryOperator: TypeAlias = Literal[
    "+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "and", "or",
]  # fmt: skip
AssignOperator: TypeAlias = Literal["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
Limit: TypeAlias = Literal["least", "greatest"]
UnaryOperator: TypeAlias = Literal["-", "+", "~", "not"]


@dataclass(frozen=True, slots=True)
class At:
    """A place in the source: lines and columns count from 1."""

    line: int
    column: int
    width: int = 1
    path: str = ""
    """Where it stands in a document that names no line: a JSON path. Line and column are 0 then."""


# Types


@dataclass(frozen=True, slots=True)
class DeviceArray:
    """An array on the device."""

    dtype: Element
    rank: Rank = 1
    strided: bool = False
    """Whether its elements may lie in any order; else they follow one another, the last axis first."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number."""

    dtype: Element


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of elements, one after another, whose number is not known."""

    dtype: Element


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that is known when the kernel is compiled."""

    value: bool | int | float | None = None
    """What it is, if the compiler is told nothing else."""


Type: TypeAlias = DeviceArray | Scalar | Pointer | Constant


# Expressions


@dataclass(frozen=True, slots=True)
class Var:
    """A variable or a parameter."""

    name: Name
    at: At | None = None


@dataclass(frozen=True, slots=True)
class LiteralValue:
    """A number, or the least or the greatest of a type. Without a type it takes that of what it meets."""

    value: bool | int | float | Limit
    dtype: Element | None = None
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands, with Python's meaning of the operator; `and` and `or` look at the second one only if they must."""

    op: BinaryOperator
    left: Expression
    right: Expression
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Unary:
    """One operand."""

    op: UnaryOperator
    operand: Expression
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Index:
    """An element of an array."""

    array: Name
    indices: Sequence[Expression]
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the language, a cast (`f32`), or a function of the document."""

    function: str
    arguments: Sequence[Expression] = ()
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Conditional:
    """One of two values; the other is not computed."""

    condition: Expression
    then: Expression
    otherwise: Expression
    at: At | None = None


Expression: TypeAlias = Var | LiteralValue | Binary | Unary | Index | Call | Conditional


# Statements


@dataclass(frozen=True, slots=True)
class Let:
    """Gives a variable a value, and declares it where it is new: the variable belongs to the whole function."""

    name: Name
    value: Expression
    dtype: Element | None = None
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the block (`shared`) or of the lane (`local`), of a size that is known."""

    name: Name
    space: Literal["shared", "local"]
    dtype: Element
    shape: Sequence[Expression]
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Assign:
    """Changes a variable or an element; with an operator, what it is combined with the value."""

    target: Var | Index
    value: Expression
    op: AssignOperator | None = None
    at: At | None = None


@dataclass(frozen=True, slots=True)
class If:
    """Runs one of two bodies."""

    condition: Expression
    then: Sequence[Statement]
    otherwise: Sequence[Statement] = ()
    at: At | None = None


@dataclass(frozen=True, slots=True)
class For:
    """Runs its body for each number of a range."""

    variable: Name
    start: Expression
    stop: Expression
    step: Expression
    body: Sequence[Statement]
    at: At | None = None


@dataclass(frozen=True, slots=True)
class While:
    """Runs its body as long as the condition holds."""

    condition: Expression
    body: Sequence[Statement]
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop."""

    at: At | None = None


@dataclass(frozen=True, slots=True)
class Continue:
    """Goes on to the next iteration of the innermost loop."""

    at: At | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """Ends the lane, or a function with its value."""

    value: Expression | None = None
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Evaluate:
    """A call for what it does: a barrier, an atomic operation."""

    value: Call
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Assert:
    """Ends the launch with a message where the condition does not hold."""

    condition: Expression
    message: str
    at: At | None = None


Statement: TypeAlias = Let | Array | Assign | If | For | While | Break | Continue | Return | Evaluate | Assert


# Documents


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel or a function. A function's may have no type: it takes those of each call."""

    name: Name
    type: Type | None = None
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function that kernels call."""

    name: Name
    params: Sequence[Parameter]
    body: Sequence[Statement]
    at: At | None = None
    source: str = ""
    """Where it is written, if not where the kernel is."""
    dtype: Element | None = None
    """The type of what it returns, if it says one."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel: the program of one lane."""

    name: Name
    params: Sequence[Parameter]
    body: Sequence[Statement]
    block: Sequence[int] = (256, 1, 1)
    """The lanes of a block."""
    lanes: Sequence[Expression] = ()
    """How many lanes a launch has along each axis, over the parameters; none: each launch says."""
    where: Sequence[Expression] = ()
    """What must hold between sizes and integer parameters: comparisons that each launch checks first."""
    doc: str = ""
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One kernel, with the functions that it calls."""

    kernel: Kernel
    functions: Sequence[Function] = field(default_factory=tuple)
    types: Mapping[str, Sequence[Dtype]] = field(default_factory=dict[str, Sequence[Dtype]])
    """The element types: what each may be, and first what it is unless a compilation says otherwise."""
    version: str = VERSION
    source: str = "<kernel>"
    """Where it is written, for messages: a path."""


TYPES = (DeviceArray, Scalar, Pointer, Constant)
EXPRESSIONS = (Var, LiteralValue, Binary, Unary, Index, Call, Conditional)
STATEMENTS = (Let, Array, Assign, If, For, While, Break, Continue, Return, Evaluate, Assert)


# The arguments of the decorator of kernels, in files that are run and in those that are not


def wrong_option(name: str, given: Any) -> str | None:
    """Return what is wrong with an argument of the decorator, if something is."""
    of, what = (int, "a number or several") if name == "block" else (str, "a text or several")
    parts = cast("Sequence[Any]", given) if isinstance(given, tuple | list) else [given]
    if not all(isinstance(p, of) and not isinstance(p, bool) for p in parts):
        return f"'{name}' of a kernel is {what}, not {described(given)}"
    if name == "block" and not (0 < len(parts) <= 3 and all(0 < n < 1 << 31 for n in parts)):
        return f"a block has one to three sizes of at least 1, not {given!r}"
    return f"a launch has three axes at most, not {len(parts)}" if name == "lanes" and len(parts) > 3 else None


def texts(given: str | Sequence[str]) -> tuple[str, ...]:
    """One text or several."""
    return (given,) if isinstance(given, str) else tuple(given)
