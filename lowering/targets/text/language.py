"""The table of a language for the printer of kernels: types, literals, casts, memory, kernel headers.

The methods here are those of a language like C: others of that family override a few, `wgsl.py` more of them. Integers
are unsigned in the text, so that they wrap in every language; signed meaning is a cast where an operation asks for it.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from hologram.lowering.targets.text.kinds import bits_of, decoded, encoded, shortest

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

_NUMBER = re.compile(r"([0-9]+)ul?")
SIGNED = {"i8": "char", "i16": "short", "i32": "int", "i64": "long"}


@dataclass
class Parameter:
    """An argument of a kernel or of a function."""

    name: str
    value: SSAValue
    is_buffer: bool
    kind: str
    """Of the scalar, or of the buffer's elements."""
    space: str = "global"
    written: bool = True
    atomic: bool = False
    """Whether some access of the kernel is atomic."""
    aligned: bool = False
    """Whether the scalar is the first part of one of 64 bits."""
    bytes_before: str | None = None
    """Of a view of a buffer of bytes: where it begins."""
    is_trap: bool = False
    """Whether it is the trap record."""
    joined: bool = False
    """Whether it lies in one buffer with others (join-buffers)."""


class Code(Protocol):
    """The part of the printer that a language sees."""

    globals: list[str]
    """Lines of the module that stand before the functions."""
    entry: list[str]
    """Lines that will stand at the beginning of the kernel that is being written."""
    values: dict[SSAValue, str]
    """The expressions of values."""
    parameters: dict[SSAValue, Parameter]
    """The buffers of the kernel or function that is being written."""
    depth: int
    """How deep the statements are nested: 1 in the kernel's own block."""
    function: Operation | None

    def value(self, value: SSAValue) -> str:
        """The expression of a value."""
        ...

    def kind(self, value: SSAValue) -> str:
        """The kind of a scalar."""
        ...

    def fresh(self, hint: str | None) -> str:
        """A name that nothing in the kernel has yet."""
        ...

    def outside(self, name: str) -> str:
        """A name that nothing in the module has yet."""
        ...


@dataclass
class Language(ABC):
    """A language of the C family. `features` are what the device has beyond the least: f64, f16, i64, atomics64."""

    name: ClassVar[str] = ""
    index_bits: ClassVar[int] = 64
    types: ClassVar[Mapping[str, str]] = {}
    """The name of each kind's type."""
    optional: ClassVar[Mapping[str, str]] = {}
    """Those that a device may have: the kind is the name of the feature. Other kinds are refused."""
    wide_words: ClassVar[Mapping[str, str]] = {}
    """The types of vectors of words of 64 bits, which devices with such words have."""
    signed_types: ClassVar[Mapping[str, str]] = SIGNED
    functions: ClassVar[Mapping[str, str]] = {
        "math.absf": "fabs", "math.ceil": "ceil", "math.copysign": "copysign", "math.floor": "floor",
        "math.fma": "fma", "math.round": "round", "math.roundeven": "rint", "math.sqrt": "sqrt", "math.trunc": "trunc",
    }  # fmt: skip
    """By operation, the function of the language that computes it exactly."""
    identities: ClassVar[Mapping[str, Sequence[str]]] = {}
    """By operation (`gpu.thread_id`, ...), the expressions for x, y and z."""
    reserved: ClassVar[Collection[str]] = ()
    """Words that no value may be named."""
    table_space: ClassVar[str] = "constant"
    """What stands before the type of a constant array."""
    functions_take_memory: ClassVar[bool] = True
    """Whether functions can take buffers. Else calls of those that do are written in line."""
    functions_have_ids: ClassVar[bool] = True
    """Whether functions can ask for the lane's position; else it is an argument of kernels."""
    shares_arrays: ClassVar[bool] = False
    """Whether arrays of a lane share a place where they can: compilers of the language clear each, and fail of many."""
    most_exits: ClassVar[int | None] = None
    """The places where lanes of a kernel without barriers leave it, at most; None if there may be any number."""
    has_lanes: ClassVar[bool] = False
    """Whether this writes operations on vectors of sixteen elements; their kinds are those of the elements."""
    features: frozenset[str] = frozenset()
    helpers: dict[str, str] = field(default_factory=dict[str, str])
    """The helper functions that the text needs, by name."""

    used: set[str] = field(default_factory=set[str])
    """The kinds, and features that are none, that the text needs."""
    shares_buffers: bool = True
    """Whether lanes of the kernel that is being written may read from buffers what others have written to them."""

    def for_lanes(self) -> Language | None:
        """The table for operations on vectors of sixteen elements, if the language has them (`has_lanes`)."""
        return None

    # The module

    def head(self) -> list[str]:
        """The lines before everything else."""
        return []

    def finish(self, lines: Sequence[str]) -> list[str]:
        """The lines of the functions and kernels, when all are known."""
        return list(lines)

    # Types

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The type of each kind that there is on the device."""
        kinds = {**self.types, **{kind: type for kind, type in self.optional.items() if kind in self.features}}
        return {**kinds, **self.wide_words} if "i64" in kinds else kinds

    def native(self, kind: str) -> bool:
        """Return whether the language computes with a kind itself; else values are stored as their bits."""
        return kind not in ("f16", "bf16") or kind in self.features

    def type(self, kind: str) -> str:
        """The type of values of a kind."""
        return self.kinds[kind]

    def storage(self, kind: str) -> str:
        """The type of elements in memory."""
        return self.kinds["i8" if kind == "i1" else kind]

    def bits(self, kind: str) -> int:
        """The width of a kind."""
        return bits_of(kind, self.index_bits)

    def integer(self, kind: str) -> str:
        """The kind with the same width and meaning, without `index`."""
        return f"i{self.index_bits}" if kind == "index" else kind

    # Literals

    def literal(self, kind: str, pattern: int) -> str:
        """A constant by its bits; of a vector of words, zero."""
        if kind == "i1":
            return "true" if pattern else "false"
        if kind in self.wide_words:
            return f"{self.type(kind)}()"
        if kind in ("f32", "f64") or (kind == "f16" and self.native(kind)):
            return self.float_literal(kind, pattern)
        return self.integer_literal(kind, pattern)

    def row(self, kind: str, patterns: Sequence[int]) -> str:
        """A constant vector by the bits of its elements; only where `has_lanes`."""
        raise NotImplementedError

    def given(self, op: Any, kind: str, pattern: int) -> str:
        """The text of a constant where it is used."""
        return self.literal(kind, pattern)

    def integer_literal(self, kind: str, pattern: int) -> str:
        """An unsigned integer."""
        digits = str(pattern) if pattern < 1 << 16 else hex(pattern)
        suffix = {8: "", 16: "", 32: "u", 64: "ul"}[self.bits(kind)]
        return digits + suffix if suffix else f"({self.type(kind)}){digits}"

    def float_literal(self, kind: str, pattern: int) -> str:
        """A float, the shortest digits that give it; what has none by its bits."""
        value = decoded(kind, pattern)
        if not math.isfinite(value):
            return self.reinterpret(self.integer_literal(f"i{self.bits(kind)}", pattern), f"i{self.bits(kind)}", kind)
        suffix = {"f16": "h", "f32": "f", "f64": ""}[kind]
        text = shortest(kind, value) + suffix
        return f"({text})" if text.startswith("-") else text

    # Integers

    def cast(self, type: str, a: str) -> str:
        """A conversion to a type by its name."""
        return f"({type})({a})" if has_spaces(a) else f"({type}){a}"

    def wide(self, kind: str, a: str) -> str:
        """An operand whose sums and products are unsigned and may be cut afterwards: C makes small ones signed."""
        return self.cast(self.type("i32"), a) if self.bits(kind) < 32 else a

    def wrap(self, kind: str, a: str) -> str:
        """A sum or product cut to its kind."""
        return self.cast(self.type(kind), a) if self.bits(kind) < 32 else a

    def signed(self, kind: str, a: str) -> str:
        """An integer as a signed one."""
        if (number := _NUMBER.fullmatch(a)) is not None and self.bits(kind) >= 32:
            return f"{number[1]}{'l' if self.bits(kind) == 64 else ''}"
        return self.cast(self.signed_types[self.integer(kind)], a)

    def unsigned(self, kind: str, a: str) -> str:
        """A signed expression of a kind's width as the kind's type."""
        return self.cast(self.type(kind), a)

    def extend(self, a: str, source: str, target: str, *, signed: bool) -> str:
        """A wider integer."""
        if source == "i1":
            ones = (1 << self.bits(target)) - 1
            return self.choose(a, self.literal(target, ones if signed else 1), self.literal(target, 0))
        return self.cast(self.type(target), self.signed(source, a) if signed else a)

    def truncate(self, a: str, source: str, target: str) -> str:
        """A narrower integer."""
        if target == "i1":
            return f"({a} & {self.literal(source, 1)}) != {self.literal(source, 0)}"
        return self.cast(self.type(target), a)

    def to_index(self, a: str, source: str, *, signed: bool) -> str:
        """An integer as an index."""
        return self.resize(a, source, "index", signed=signed)

    def resize(self, a: str, source: str, target: str, *, signed: bool) -> str:
        """An integer of another width."""
        before, after = self.bits(source), self.bits(target)
        if before == after:
            return a
        return self.extend(a, source, target, signed=signed) if before < after else self.truncate(a, source, target)

    def shift_amount(self, kind: str, a: str) -> str:
        """An amount that a value is shifted by."""
        return a

    def condition(self, p: Code, op: Any) -> str:
        """The condition of an operation that chooses between two values."""
        return p.value(op.cond)

    def choose(self, condition: str, a: str, b: str) -> str:
        """a where the condition holds, else b."""
        return f"{condition} ? {a} : {b}"

    # Floats

    def to_float(self, a: str, source: str, target: str, *, signed: bool) -> str:
        """An integer as a float, rounded to nearest even."""
        if source == "i1":
            one = -1.0 if signed else 1.0
            return self.choose(a, self.literal(target, encoded(target, one)), self.literal(target, 0))
        return self.cast(self.type(target), self.signed(source, a) if signed else a)

    def to_integer(self, a: str, source: str, target: str, *, signed: bool) -> str:
        """A float in range truncated to an integer."""
        if target == "i1":
            return f"!({a} == {self.literal(source, 0)})"
        if signed:
            return self.unsigned(target, self.cast(self.signed_types[self.integer(target)], a))
        return self.cast(self.type(target), a)

    def terms(self, p: Code, op: Any) -> tuple[str, str]:
        """The operands of an operation of two floats."""
        return p.value(op.lhs), p.value(op.rhs)

    def quotient(self, p: Code, op: Any, a: str, b: str) -> str:
        """A quotient of floats."""
        return f"{a} / {b}"

    def compare_zero(self, p: Code, op: Any, name: str, a: str) -> str | None:
        """A comparison by its predicate's name, if it is with zero and the language has a form of its own for that."""
        return None

    def compared(self, p: Code, op: Any) -> tuple[str, str]:
        """The operands of a comparison of floats."""
        return p.value(op.lhs), p.value(op.rhs)

    def float_cast(self, a: str, source: str, target: str) -> str:
        """A float of another width, rounded to nearest even."""
        return self.cast(self.type(target), a)

    def reinterpret(self, a: str, source: str, target: str) -> str:
        """The same bits as another kind."""
        if self.type(source) == self.type(target):
            return a
        return f"as_{self.type(target)}({a})"

    def operands(self, p: Code, op: Any) -> list[str]:
        """The arguments of a function of the language."""
        return [p.value(v) for v in op.operands]

    def call(self, p: Code, name: str, kind: str, given: str) -> str:
        """The call that computes an operation of `functions`."""
        return f"{self.functions[name]}({given})"

    def extreme(
        self, name: str, kind: str, *, nan_a: str, nan_b: str, results: Sequence[str], zeros: str, operator: str
    ) -> str:
        """A function of `a` and `b`: the first result where a is NaN, the second where b is, else by the operator.

        Equal numbers differ in bits only if they are zeros.
        """
        type = self.type(kind)
        return f"""{type} {name}({type} a, {type} b)
{{
    if ({nan_a})
        return {results[0]};
    if ({nan_b})
        return {results[1]};
    if (a == b)
        return {zeros};
    return a {operator} b ? a : b;
}}"""

    def count(self, what: str, kind: str, a: str) -> str:
        """The leading (`lz`) or trailing (`tz`) zeros, or the ones (`pop`), of an integer."""
        if what == "lz":
            return self.cast(self.type(kind), f"clz({a})")
        if what == "tz":
            a = self.wrap(kind, f"(~{a}) & ({a} - {self.literal(kind, 1)})")
        return self.cast(self.type(kind), f"popcount({a})")

    def remainder(self, kind: str, a: str, b: str) -> str:
        """The remainder of a division of signed integers."""
        return self.unsigned(kind, f"{self.signed(kind, a)} % {self.signed(kind, b)}")

    def high_product(self, kind: str, a: str, b: str, *, signed: bool) -> str:
        """The upper half of a product."""
        if signed:
            a, b = self.signed(kind, a), self.signed(kind, b)
        return self.cast(self.type(kind), f"mul_hi({a}, {b})")

    # Helpers

    def helper(self, name: str, text: str) -> str:
        """Adds a function to the text, once; gives its name."""
        self.helpers.setdefault(name, text)
        return name

    # Statements

    def constant(self, kind: str, name: str, value: str) -> str:
        """A value that never changes."""
        return f"const {self.type(kind)} {name} = {value};"

    def variable(self, kind: str, name: str, value: str | None = None) -> str:
        """A value that changes."""
        return f"{self.type(kind)} {name}" + ("" if value is None else f" = {value}") + ";"

    @abstractmethod
    def barrier(self) -> list[str]:
        """Waits for all lanes of the block; they see shared memory then, and buffers if any is shared."""

    @abstractmethod
    def fence(self, p: Code, op: Operation, scope: str) -> list[str]:
        """Orders a lane's accesses as others of the scope see them."""

    # Memory

    def qualified(self, space: str, type: str) -> str:
        """A type in an address space."""
        return type

    def pointer(self, space: str, kind: str, *, written: bool = True) -> str:
        """The type of a buffer."""
        return f"{self.qualified(space, self.storage(kind) if written else f'const {self.storage(kind)}')} *"

    def changing_pointer(self, space: str, kind: str) -> str:
        """The type of a variable that points into a buffer, whose elements may be of another type."""
        return self.pointer(space, kind)

    def element(self, buffer: str, index: str) -> str:
        """An element as a place."""
        return f"{buffer}[{index}]"

    def place(self, p: Code, buffer: SSAValue, index: str) -> str:
        """The place that atomic operations work on."""
        return self.element(p.value(buffer), index)

    def load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        """An element as a value."""
        place = self.element(p.value(buffer), index)
        return f"{place} != 0" if kind == "i1" else place

    def store(self, p: Code, buffer: SSAValue, kind: str, index: str, value: str) -> list[str]:
        """Writes an element."""
        return [f"{self.element(p.value(buffer), index)} = {value};"]

    def array(self, p: Code, value: SSAValue, q: Parameter, size: int) -> list[str]:
        """An array that the kernel declares; what stands in the kernel's body of it."""
        return [f"{self.qualified(q.space, self.storage(q.kind))} {q.name}[{size}];"]

    def view(self, p: Code, buffer: str, offset: str, space: str, kind: str) -> str:
        """Memory from a byte on as a buffer of other elements."""
        pointer = self.pointer(space, kind).rstrip()
        return f"({pointer})(({self.pointer(space, 'i8').rstrip()}){buffer} + {offset})"

    def table(self, kind: str, name: str, values: Sequence[str]) -> list[str]:
        """A constant array of the module."""
        rows = [", ".join(values[n : n + 8]) for n in range(0, len(values), 8)]
        head = f"{self.table_space} {self.storage(kind)} {name}[{len(values)}]"
        return [f"{head} = {{", *(f"    {row}," for row in rows), "};"]

    def has_wide_atomics(self, p: Code, buffer: SSAValue | None) -> bool:
        """Return whether there are atomic operations on 64 bits of a buffer, or of an address."""
        return "atomics64" in self.features

    def atomic_load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        """The bits of an element that others may change."""
        return self.reinterpret(self.place(p, buffer, index), kind, f"i{self.bits(kind)}")

    @abstractmethod
    def exchange(self, p: Code, space: str, kind: str, place: str, current: str, seen: str, value: str) -> list[str]:
        """Statements that put a value in a place if `seen` is there, and leave the loop then; `current` is what was."""

    def fetch(self, name: str, space: str, kind: str, place: str, operand: str) -> str | None:
        """A call that changes a place of integers at once and gives what was there, if the language has one.

        The names are those of `memref.atomic_rmw`'s kinds: `addi`, `maxs`, `assign`, ...
        """
        return None

    def trap_call(self, p: Code, name: str, record: SSAValue, values: Sequence[SSAValue]) -> str:
        """The statement that fills the trap record with the site, the lane and words of values."""
        return f"{name}({', '.join([p.value(record), *(p.value(v) for v in values)])});"

    def trap(self, name: str, words: int) -> str | None:
        """The function that fills the trap record, and takes it, the site, the lane and words of values."""
        return None

    # Functions

    @abstractmethod
    def kernel(
        self,
        p: Code,
        name: str,
        parameters: Sequence[Parameter],
        block: Sequence[int] | None,
        shared: str | None,
    ) -> list[str]:
        """The lines that open a kernel; what it declares for the module goes to `p.globals`.

        `block` is the size of its blocks where that is known, `shared` the name of the memory that a launch asks for.
        """

    def function(self, name: str, result: str | None, parameters: Sequence[Parameter]) -> str:
        """The line that opens a function, without its brace."""
        given = ", ".join(self.parameter(q) for q in parameters) or "void"
        return f"{'void' if result is None else self.type(result)} {name}({given})"

    def parameter(self, q: Parameter) -> str:
        """A parameter of a function."""
        if q.is_buffer:
            return f"{self.pointer(q.space, q.kind, written=q.written)}{q.name}"
        return f"{self.type(q.kind)} {q.name}"


class PointerLanguage(Language):
    """A language in which an address can be a number, and lead back to memory."""

    def at(self, space: str, kind: str, address: str) -> str:
        """The place at an address."""
        return f"*{self.cast(self.changing_pointer(space, kind), address)}"

    @abstractmethod
    def compare_exchange(self, space: str, kind: str, place: str, expected: str, value: str) -> str:
        """The old value in a place of integers, which becomes the new one if it is the expected one."""

    def exchange(self, p: Code, space: str, kind: str, place: str, current: str, seen: str, value: str) -> list[str]:
        """A comparison and exchange, which leaves the loop where it did."""
        call = self.compare_exchange(space, kind, place, seen, value)
        return [f"{current} = {call};", f"if ({current} == {seen})", "    break;"]


def has_spaces(a: str) -> bool:
    """Return whether an expression has spaces outside of parentheses, which is how operators are written here."""
    depth = 0
    for letter in a:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == " " and depth == 0:
            return True
    return False
