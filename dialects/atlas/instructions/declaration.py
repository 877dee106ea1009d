"""The declaration of an instruction: one object with its name, operands, types, meaning, and what it computes.

Everything that names instructions reads this: the operations of `atlas` and `hologram`, their syntax, folds and
reference pages, the interpreter, the conformance tests, the assembler, the words of Python kernels, the functions of
`hologram.ops`, and the kernels of the library that are one instruction. Neither xDSL nor numpy is imported before it
is needed: kernels and tensor functions whose code is kept do without.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from hologram.dialects.atlas.instructions.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, Array, DType
from hologram.dialects.atlas.instructions.reference import compare
from hologram.dialects.atlas.instructions.storage import storage, view, wrap
from hologram.dialects.lazy import np
from hologram.plugins.tables import KINDS, Row

Unary: TypeAlias = "Callable[[DType, Array], Array]"
Binary: TypeAlias = "Callable[[DType, Array, Array], Array]"
Ternary: TypeAlias = "Callable[[DType, Array, Array, Array], Array]"
Reference: TypeAlias = "Unary | Binary | Ternary"
"""`(dtype, *arrays) -> array`: over arrays of lanes, each read as `dtype.numpy`. Warnings are off."""
Composition: TypeAlias = (
    "Callable[[Composer, Any], Any] | Callable[[Composer, Any, Any], Any] | Callable[[Composer, Any, Any, Any], Any]"
)
"""`(do, *operands) -> value`: calls instructions by their names, `do.exp(x)`."""


@dataclass(frozen=True)
class Instruction:
    """The declaration of an instruction, or of an element-wise function that is composed of instructions.

    `operands` maps each operand's name to its kind: `T` for the instruction's type, `u32` for a shift amount, `bool`
    for a predicate. `result` is a kind too. `meaning` is a sentence that names the operands and states the edge values.
    """

    name: str
    operands: dict[str, str]
    result: str
    types: frozenset[str]
    meaning: str
    reference: Reference
    """What it computes, over lanes; of a composition, what that gives."""
    exact: bool = True
    """Whether every device gives the reference's bits, so that constants fold."""
    commutative: bool = False
    traps: str | None = None
    """The reason a lane may trap for, if any."""
    compose: Composition | None = None
    """The function of instructions that it is, which conversions emit."""
    widens: bool = False
    """Whether a composition without an operation of its own is computed in f32 where it is of f16 or bf16."""
    is_instruction: bool = False
    """Whether the machine has it; else it is an element-wise function of instructions."""
    word: str = ""
    """The function of Python kernels; empty where they have an operator alone."""
    code: str = ""
    """How Python itself writes it (`a + b`, `abs(a)`), where it does."""
    tensor: str = ""
    """The operation `hologram.NAME` that applies it to each element; empty where there is none."""
    function: str = ""
    """The function of `hologram.ops`; empty where that is written by hand or there is none."""
    arguments: tuple[str, ...] = ()
    """The names of that function's parameters."""
    brings: str = "number"
    """What that function's operands are brought to: `number`, `float`, `bits`, or `whole`: floats are rounded, and
    numbers of other types stay."""
    group: str = "math"
    """The group of `hologram.ops` that the function is in."""
    kernel: str = ""
    """The kernel of the library that is this instruction on each element, by its file below `kernels/stdlib`; empty
    where it is written by hand."""
    rules: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    """Further meanings by name, each a function that the part of the project that reads the name defines. Names that
    are set aside: `gradient` (the operands' gradients from the result's), `axes` (how the axes of operands and result
    correspond, from which batching and sharding follow) and `tile` (the form on a tile). None is read yet."""

    @property
    def shown(self) -> str:
        """The type in examples."""
        return next(n for n in ("f32", "u32", "bool", *DTYPES) if n in self.types)

    @property
    def example(self) -> str:
        """A line of IR."""
        return f"%r = atlas.{self.name} {self.shown} " + ", ".join("%" + o for o in self.operands)

    @property
    def symbol(self) -> str:
        """The name as an identifier of Python."""
        identifier = self.name.replace(".", "_")
        return f"{identifier}_" if identifier in ("and", "or", "not") else identifier

    def operand_types(self, dtype: DType) -> list[DType]:
        """The type of each operand of the instruction of a type."""
        return [dtype if kind == "T" else DTYPES[kind] for kind in self.operands.values()]

    def result_type(self, dtype: DType) -> DType:
        """The type of the result of the instruction of a type."""
        return dtype if self.result == "T" else DTYPES[self.result]

    def inner_type(self, dtype: DType) -> DType:
        """The type in which a composition of a type is computed."""
        return DTYPES["f32"] if self.widens and dtype.name in ("f16", "bf16") else dtype

    def said(self, names: Sequence[str]) -> str:
        """The meaning with the operands under other names."""
        renamed = dict(zip(self.operands, names, strict=True))
        return re.sub(r"\b[a-z]+\b", lambda word: renamed.get(word[0], word[0]), self.meaning)

    def composed(self, do: Composer, *operands: Any) -> Any:
        """Apply the composition to operands."""
        assert self.compose is not None, f"'{self.name}' is no composition"
        return cast("Callable[..., Any]", self.compose)(do, *operands)

    def evaluate(self, dtype: DType, *lanes: Array, **modifiers: Any) -> Array:
        """The instruction over arrays of lanes in storage form (integers signed, as SSA values are signless).

        Raises Trap if a lane traps. `modifiers` are further arguments of the reference function, such as a condition.
        """
        shape = np.broadcast_shapes(*(np.shape(a) for a in lanes))
        arrays = [np.atleast_1d(view(a, t)) for a, t in zip(lanes, self.operand_types(dtype), strict=True)]
        with np.errstate(all="ignore"):
            result = cast("Callable[..., Array]", self.reference)(dtype, *arrays, **modifiers)
        return storage(np.asarray(result), self.result_type(dtype)).reshape(shape)


# Compositions


class Composer(ABC):
    """Evaluates or emits the instructions that a composition calls: each is a method by its name (`do.exp(x)`,
    `do.min_nan(a, b)`, `do.sel(p, a, b)`), of values and Python's numbers."""

    def __init__(self, dtype: DType):
        self.dtype = dtype
        """The type that the composition has."""

    @abstractmethod
    def apply(self, instruction: Instruction, dtype: DType, operands: Sequence[Any]) -> Any:
        """An instruction of a type."""

    @abstractmethod
    def compare(self, condition: str, a: Any, b: Any) -> Any:
        """The predicate that `setcc` gives under a condition."""

    @abstractmethod
    def number(self, value: float) -> Any:
        """A number in the composition's type."""

    @abstractmethod
    def is_predicate(self, value: Any) -> bool:
        """Return whether a value is a truth value."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if (instruction := _BY_SYMBOL.get(name) or COMPOSITES.get(name)) is None:
            raise AttributeError(f"there is no instruction '{name}'")

        def call(*operands: Any) -> Any:
            given = [self.number(v) if isinstance(v, int | float) else v for v in operands]
            if name in COMPOSITES:
                return instruction.composed(self, *given)
            is_logic = instruction.types >= BOOL and instruction.name != "sel" and self.is_predicate(given[0])
            return self.apply(instruction, DTYPES["bool"] if is_logic else self.dtype, given)

        return call


class Evaluator(Composer):
    """Evaluates compositions by the reference functions."""

    def apply(self, instruction: Instruction, dtype: DType, operands: Sequence[Any]) -> Any:
        return cast("Callable[..., Array]", instruction.reference)(dtype, *operands)

    def compare(self, condition: str, a: Any, b: Any) -> Any:
        a, b = (self.number(v) if isinstance(v, int | float) else v for v in (a, b))
        return compare(condition, self.dtype, a, b)

    def number(self, value: float) -> Any:
        return wrap(self.dtype, [int(value)]) if self.dtype.is_integer else np.array([value], self.dtype.numpy)

    def is_predicate(self, value: Any) -> bool:
        return value.dtype == np.bool_


INSTRUCTIONS: dict[str, Instruction] = {}
"""The scalar instructions by name, in the order of the documentation: the rows of `table`."""
COMPOSITES: dict[str, Instruction] = {}
"""The element-wise functions that are compositions and no instructions of the machine."""
_BY_SYMBOL: dict[str, Instruction] = {}


def made(
    name: str,
    operands: str,
    types: frozenset[str],
    meaning: str,
    reference: Reference | None = None,
    *,
    compose: Composition | None = None,
    **more: Any,
) -> Instruction:
    """A declaration. `operands` is `a b c`, each optionally with a kind: `a amount:u32`; a reference function or a
    composition says what it computes; `more` are other fields of `Instruction`."""
    kinds = dict((part.split(":") + ["T"])[:2] for part in operands.split())
    _check(name, kinds, more.get("result", "T"), types, more.get("tensor", ""))
    if reference is None:
        assert compose is not None, f"nothing says what '{name}' computes"
        reference = _evaluated(compose, more.get("widens", False))
    more.setdefault("brings", "float" if types <= FLOATS else "bits" if types >= BOOL else "number")
    return Instruction(name, kinds, more.pop("result", "T"), types, meaning, reference, compose=compose, **more)


def _check(name: str, kinds: Mapping[str, str], result: str, types: frozenset[str], tensor: str) -> None:
    """Refuses a declaration that would be misread later."""
    if name in INSTRUCTIONS or name in COMPOSITES:
        raise ValueError(f"'{name}' is declared already")
    if wrong := {*kinds.values()} - {"T", "u32", "bool"} or {result} - {"T", "bool"}:
        raise ValueError(f"'{name}' has no kind '{wrong.pop()}': operands are T, u32 or bool, results T or bool")
    if not types or {*types} - DTYPES.keys():
        raise ValueError(f"'{name}' is declared for no types, or for unknown ones: {sorted({*types} - DTYPES.keys())}")
    if "T" not in kinds.values():
        raise ValueError(f"'{name}' has no operand of kind T; one that takes truth values alone has the types BOOL")
    if tensor and "u32" in kinds.values() and not types <= INTEGERS:
        raise ValueError(f"'{name}' takes u32, which is a shift amount on tensors: give tensor='' or types of integers")


def _evaluated(compose: Composition, widens: bool) -> Reference:
    def reference(t: DType, *lanes: Array) -> Array:
        if not widens or t.name not in ("f16", "bf16"):
            return cast("Callable[..., Array]", compose)(Evaluator(t), *lanes)
        wide = (lane.astype(np.float32) if lane.dtype == t.numpy else lane for lane in lanes)
        result = cast("Callable[..., Array]", compose)(Evaluator(DTYPES["f32"]), *wide)
        return result if result.dtype == np.bool_ else result.astype(t.numpy)

    return reference


def declare(
    name: str, operands: str, types: frozenset[str], meaning: str, reference: Reference | None = None, *,
    compose: Composition | None = None, **more: Any,
) -> Instruction:  # fmt: skip
    """Declares a scalar instruction: a row of `table`."""
    return _enter(declared(name, operands, types, meaning, reference, compose=compose, **more))


def declared(
    name: str, operands: str, types: frozenset[str], meaning: str, reference: Reference | None = None, *,
    compose: Composition | None = None, **more: Any,
) -> Instruction:  # fmt: skip
    """The declaration of a scalar instruction. Its names elsewhere follow from its own unless they are given: an empty
    one says that there is none."""
    names = [part.partition(":")[0] for part in operands.split()]
    word = more.setdefault("word", name.replace(".", "_"))
    tensor = more.setdefault("tensor", word)
    more.setdefault("function", tensor)
    more.setdefault("arguments", ("x",) if len(names) == 1 else tuple(names))
    more.setdefault("kernel", f"vector/vector_{name.replace('.', '_')}")
    return made(name, operands, types, meaning, reference, compose=compose, is_instruction=True, **more)


def _enter(instruction: Instruction) -> Instruction:
    if instruction.is_instruction:
        INSTRUCTIONS[instruction.name] = _BY_SYMBOL[instruction.symbol] = instruction
    else:
        COMPOSITES[instruction.name] = instruction
    return instruction


def from_outside(follow: Callable[[Instruction, Row], None]) -> None:
    """Calls a function with each declaration of a plug-in that there is, and with each that comes."""
    KINDS["instruction"].follow(lambda row: follow(row.thing, row))


from_outside(lambda instruction, row: cast("None", _enter(instruction)))


def composite(types: frozenset[str], meaning: str, **more: Any) -> Callable[[Composition], Instruction]:
    """Declares the decorated function of instructions as an element-wise operation `hologram.NAME`, as a function of
    `hologram.ops` and as a word of Python kernels. Its parameters after the first are the operands. With an empty
    `tensor` there is no operation: a tensor function calls the instructions one by one."""

    return lambda compose: _enter(composed(compose, types, meaning, compose.__name__, **more))


def composed(compose: Composition, types: frozenset[str], meaning: str, name: str, **more: Any) -> Instruction:
    """The declaration of a function of instructions; its parameters after the first are the operands."""
    names = compose.__code__.co_varnames[1 : compose.__code__.co_argcount]
    options: dict[str, Any] = {"word": name, "tensor": name, "function": name, "arguments": names, "exact": False}
    return made(name, " ".join(names), types, meaning, compose=compose, **{**options, **more})
