"""Random tensor programs over the operations of `hologram.ops`, each step with its counterpart of numpy.

A program is a list of steps. What numpy gives is computed while it is made, so that steps fit the shapes and values
that there are. Floats that are exact (small multiples of 1/8, infinities, NaN) go everywhere and must be the same;
others go where small differences stay small, and are held to a tolerance.
"""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from hologram import ops

TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
SIZES = (0, 1, 1, 2, 3, 4, 5, 7)
MOST_ELEMENTS = 3000
LIMITS = {2: 2.0**7, 4: 2.0**18, 8: 2.0**46}
"""By the bytes of a float, the magnitude up to which multiples of 1/8, and their sums, are exact."""
TOLERANCES = {2: 2e-2, 4: 2e-4, 8: 1e-9}


@dataclass
class Value:
    """What a step gives by numpy, and whether it is that to the bit."""

    array: Any
    exact: bool = True
    width: int = 8
    """The bytes of the narrowest type in which what it was made of was rounded."""


@dataclass
class Step:
    """An operation on values by their numbers."""

    name: str
    operands: list[int]
    ours: Callable[..., Any]
    shown: str

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'v{n}' for n in self.operands)}{self.shown})"


@dataclass
class Program:
    """Arrays, steps, and all their values."""

    inputs: list[Any]
    steps: list[Step] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def run(self, arrays: Sequence[Any]) -> list[Any]:
        """Apply the steps to arrays or tensors, and return what each gives."""
        values = list(arrays)
        for step in self.steps:
            values.append(step.ours(*(values[n] for n in step.operands)))
        return values[len(arrays) :]

    def __str__(self) -> str:
        first = len(self.inputs)
        lines = [f"v{n} = array({a.tolist()}, {a.dtype}).reshape{a.shape}" for n, a in enumerate(self.inputs)]
        lines += [f"v{n} = {step}" for n, step in enumerate(self.steps, first)]
        return "\n".join(lines)


def is_float(array: Any) -> bool:
    return array.dtype.kind == "f"


def is_exact(array: Any, scale: float = 1.0) -> bool:
    """Return whether sums of so many such numbers are exact in any order."""
    if not is_float(array):
        return True
    wide = array.astype(np.float64)
    kept = wide[np.isfinite(wide)]
    return bool(np.all(kept * 8 == np.round(kept * 8)) and np.all(np.abs(kept) * scale <= LIMITS[array.itemsize]))


def draw(rng: random.Random, dtype: str, shape: Sequence[int]) -> Any:
    """Small numbers, some at the ends of the type."""
    count = prod(shape)
    if dtype == "bool":
        numbers: list[Any] = [rng.random() < 0.5 for _ in range(count)]
    elif dtype.startswith("float"):
        special = [0.0, -0.0, np.inf, -np.inf, np.nan] if rng.random() < 0.2 else [0.5]
        numbers = [rng.choice(special) if rng.random() < 0.1 else rng.randint(-40, 40) / 8 for _ in range(count)]
    else:
        ends = np.iinfo(dtype)
        edge = 0.1 if rng.random() < 0.3 else 0.0
        numbers = [
            rng.choice([int(ends.min), int(ends.max)])
            if rng.random() < edge
            else max(int(ends.min), rng.randint(-9, 9))
            for _ in range(count)
        ]
    array = np.array(numbers, dtype).reshape(shape)
    return array[..., ::-1] if array.ndim and rng.random() < 0.2 else array


class Maker:
    """Makes one program."""

    def __init__(self, seed: int | str):
        self.rng = random.Random(seed)
        self.program = Program([])
        self.types = self.rng.sample(TYPES, self.rng.randint(1, 3))
        for _ in range(self.rng.randint(1, 3)):
            rank = self.rng.choice((0, 1, 1, 2, 2, 3, 4, 5))
            self.input(self.rng.choice(self.types), [self.rng.choice(SIZES) for _ in range(rank)])

    def input(self, dtype: str, shape: Sequence[int]) -> int:
        """A new array for the program, if there is no step yet."""
        assert not self.program.steps
        array = draw(self.rng, dtype, shape if prod(shape) <= MOST_ELEMENTS else shape[:2])
        self.program.inputs.append(array)
        self.program.values.append(Value(array))
        return len(self.program.values) - 1

    def make(self) -> Program:
        wanted = self.rng.randint(1, 8)
        for _ in range(wanted * 4):
            if len(self.program.steps) == wanted:
                break
            self.step()
        return self.program

    def step(self) -> None:
        from fuzz.all_operations import OPERATIONS

        name, propose = self.rng.choice(OPERATIONS)
        with np.errstate(all="ignore"):
            proposed = propose(self)
            if proposed is None:
                return
            operands, options, numpy, exact, *given = proposed
            arrays = [self.program.values[n].array for n in operands]
            result = np.asarray(numpy(*arrays, **options))
        if result.size > MOST_ELEMENTS or result.ndim > 6 or result.dtype.name not in TYPES:
            return
        exact = exact and all(self.program.values[n].exact for n in operands) and is_exact(result)
        if is_float(result) and not exact and (result.itemsize == 2 or not np.all(np.isfinite(result))):
            return  # What overflows, or nearly does, may do so elsewhere too.
        if not exact and is_float(result) and result.size and np.abs(result).max() > 1e6:
            return
        ours = given[0] if given else _called(name, getattr(ops, name), options)
        shown = "".join(f", {k}={v}" for k, v in options.items())
        self.program.steps.append(Step(name, operands, ours, shown))
        widths = [self.program.values[n].width for n in operands if not exact]
        width = min(widths + [result.itemsize] * (is_float(result) and not exact), default=8)
        self.program.values.append(Value(result, exact, width))

    # What steps take

    def any(self, kinds: str = "biuf", exact: bool = False, least_rank: int = 0) -> int | None:
        """The number of a value whose elements are of some kinds; later ones more often."""
        found = [
            n
            for n, v in enumerate(self.program.values)
            if v.array.dtype.kind in kinds and (v.exact or not exact) and v.array.ndim >= least_rank
        ]
        return None if not found else found[max(self.rng.randrange(len(found)), self.rng.randrange(len(found)))]

    def array(self, number: int) -> Any:
        return self.program.values[number].array


def _called(name: str, function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Return a function of the operands alone, in the form in which the operation takes them."""
    if name in ("concat", "stack"):
        return lambda *values: function(values, **options)
    if name == "einsum":
        return lambda *values: function(options["spec"], *values)
    return lambda *values: function(*values, **options)


def differs(found: Any, value: Value, slack: float = 1.0) -> str | None:
    """What is wrong with a result; None if it is as numpy's."""
    wanted = value.array
    found = np.asarray(found)
    if found.dtype != wanted.dtype:
        return f"type {found.dtype}, numpy's is {wanted.dtype}"
    if found.shape != wanted.shape:
        return f"shape {found.shape}, numpy's is {wanted.shape}"
    if value.exact:
        same = np.array_equal(found, wanted, equal_nan=is_float(wanted))
    else:
        tolerance = TOLERANCES[min(wanted.itemsize, value.width)] * slack
        same = np.allclose(found.astype(np.float64), wanted.astype(np.float64), tolerance, tolerance, equal_nan=True)
    return None if same else f"{found.tolist()}, numpy's is {wanted.tolist()}"


Run = Callable[[Callable[..., Any], Sequence[Any]], Sequence[Any]]


def check(program: Program, run: Run, slack: float = 1.0) -> None:
    """Hold a program against numpy; `run` calls a function of tensors with arrays. What fails is cut down."""
    fault = _fault(program, run, slack)
    if fault is None:
        return
    small = smallest(program, lambda p: _fault(p, run, slack) is not None)
    raise AssertionError(f"{small}\n{_fault(small, run, slack)}\nin\n{program}")


def _fault(program: Program, run: Run, slack: float) -> str | None:
    try:
        results = run(lambda *arrays: program.run(arrays), program.inputs)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    values = program.values[len(program.inputs) :]
    for step, found, value in zip(program.steps, results, values, strict=True):
        if wrong := differs(found, value, slack):
            return f"{step} gives {wrong}"
    return None


def smallest(program: Program, fails: Callable[[Program], bool]) -> Program:
    """A program of fewer steps that fails too: those before a step become arrays, and steps that nothing needs go."""
    for last in range(1, len(program.steps) + 1):
        cut = _part(program, 0, last)
        if fails(cut):
            program = cut
            break
    for first in range(len(program.steps) - 1, 0, -1):
        cut = _part(program, first, len(program.steps))
        if fails(cut):
            return cut
    return program


def _part(program: Program, first: int, last: int) -> Program:
    """The steps from `first` on before `last`, of which those that were before are inputs if they are needed."""
    count = len(program.inputs)
    steps = program.steps[first:last]
    needed = sorted({n for s in steps for n in s.operands if n < count + first})
    new = {old: place for place, old in enumerate(needed)}
    new |= {count + n: len(needed) + n - first for n in range(first, last)}
    values = [program.values[n] for n in [*needed, *range(count + first, count + last)]]
    inputs = [v.array for v in values[: len(needed)]]
    return Program(inputs, [Step(s.name, [new[n] for n in s.operands], s.ours, s.shown) for s in steps], values)
