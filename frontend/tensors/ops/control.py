"""Loops and choices that run on the device: one program, in which Python runs each step once, to trace it.

A loop carries a tree: a tensor, a number, or tuples, lists and dicts of them. Each step keeps the types and shapes of
what it carries.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, cast

from hologram.dialects.sizes import Size
from hologram.errors import HologramError
from hologram.frontend.tensors.ops import math, memory, reduce
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import Counter, Weak, size_of
from hologram.frontend.tensors.trace.support import (
    ONE,
    as_array,
    broadcast,
    converted,
    is_untyped,
    operation,
    settled,
    shown,
    sizes_of,
    tensor,
    trace,
    typed,
)
from hologram.frontend.tensors.trace.trace import Part, Traced
from hologram.support import promotion
from hologram.support.trees import leaves_like, leaves_of, map_leaves, shape_of_tree

MOST_TURNS = 16
"""How often numbers without a type take another one. A step that never keeps their types is refused then."""
Traces = Callable[[list[Traced]], Part]


class _Carried:
    """What a loop carries: the tree of a start, whose leaves became tensors."""

    def __init__(self, start: Any):
        self.form = start
        leaves = leaves_of(start)
        self.tensors = [trace().tensor(tensor(v)) for v in leaves]
        self.weak = [is_untyped(v) for v in leaves]
        """Whether a leaf is a number without a type, which takes that of what a step makes of it."""
        self._leaves = leaves
        self._turns = 0
        self._is_first = any(self.weak)
        """Whether a step is traced to learn the types of numbers that have none."""

    def tree(self, tensors: Sequence[Traced]) -> Any:
        """Tensors in the place of the leaves, or numbers that still have no type."""
        given = iter(map(self._untyped, self.weak, tensors) if self._is_first else tensors)
        return map_leaves(self.form, lambda _: next(given))

    @staticmethod
    def _untyped(weak: bool, value: Traced) -> Any:
        if not weak or value.dtype == "bool":
            return value
        return Weak(trace(), value.astype) if promotion.is_float(value.dtype) else Counter(trace(), value)  # pyright: ignore

    def given(self, what: str, value: Any) -> list[Traced]:
        """The tensors that a step gives."""
        if shape_of_tree(value) != shape_of_tree(self.form):
            message = f"{what} gives {_form(value)}, and the loop carries {_form(self.form)}"
            fault("jit-loop-form", message, "give as many values, in tuples, lists and dicts of the same form")
        leaves = leaves_like(self.form, value)
        if self._is_first:
            raise _Learnt([None if is_untyped(v) else tensor(v).dtype for v in leaves])
        found = [trace().tensor(tensor(v)) for v in leaves]
        return [self._as_start(n, what, v) for n, v in enumerate(found)]

    def _as_start(self, number: int, what: str, value: Traced) -> Traced:
        start = self.tensors[number]
        if value.dtype != start.dtype:
            if self.weak[number] and _takes(start.dtype, value.dtype) and self._turns < MOST_TURNS:
                raise _Retyped(number, value.dtype)
            message = f"{what} gives {value.dtype} for a value that starts as {start.dtype}"
            fault("jit-loop-type", message, f"convert one of them: hologram.ops.cast(x, '{value.dtype}')")
        a, b = settled(value), settled(start)
        if len(a) != len(b) or not all(trace().facts.holds(x, "==", y) for x, y in zip(a, b, strict=True)):
            message = f"{what} gives shape {shown(a)} for a value that starts with shape {shown(b)}"
            fault("jit-loop-shape", message, "a loop keeps shapes: start with a tensor of the last one's shape")
        return value

    def loop(self, name: str, *traces: Traces, bound: Any = None, index: Traced | None = None) -> Any:
        """What a loop of these parts, the step last, makes of the start."""
        if self.learn(traces[-1]):
            return self.tree(self.tensors)
        return self.tree(trace().control(name, self.steps(*traces), self.tensors, self.tensors, bound, index))

    def steps(self, *traces: Traces) -> list[Part]:
        """The parts of a loop, the step last. Numbers take another type where the step makes one of them."""
        while True:
            try:
                return [make(self.tensors) for make in traces]
            except _Retyped as other:
                self._start(other.number, other.dtype)

    def learn(self, step: Traces) -> bool:
        """Gives numbers without a type that of what a step makes of them, as far as it can do with such numbers.

        Returns whether that is all that is asked: a step around this loop is traced for types alone, and the types that
        the loop gives are those of its starts then.
        """
        made = trace()
        if not self._is_first:
            return False
        outer, made.learning = made.learning, True
        try:
            step(self.tensors)
        except _Learnt as learnt:
            for number, (weak, dtype) in enumerate(zip(self.weak, learnt.dtypes, strict=True)):
                start = self.tensors[number].dtype
                if weak and dtype is not None and _takes(start, dtype):
                    self._start(number, dtype)
            return outer
        except HologramError:
            pass  # It needs a type: that of literals.
        finally:
            made.learning, self._is_first = outer, False
        return False

    def _start(self, number: int, dtype: str) -> None:
        self._turns += 1
        self.tensors[number] = trace().tensor(typed(self._leaves[number], dtype))


def _takes(start: str, dtype: str) -> bool:
    """Return whether a number that has the type `start` for want of another may have a type."""
    return "bool" not in (start, dtype) and (promotion.is_float(dtype) or not promotion.is_float(start))


class _Learnt(Exception):
    """The types that a step gives; None of numbers without one."""

    def __init__(self, dtypes: list[str | None]):
        self.dtypes = dtypes


class _Retyped(Exception):
    """A number without a type takes one."""

    def __init__(self, number: int, dtype: str):
        self.number, self.dtype = number, dtype


def _must_take(function: Any, what: str, given: str, count: int) -> None:
    """Refuses a function that can't be called with so many arguments; `given` says which they are."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # What is no function is refused elsewhere, and not all of C's say what they take.
        return
    try:
        signature.bind(*range(count))
    except TypeError:
        name = getattr(function, "__name__", "function")
        message = f"{what} is called with {given} ({count} in all), which '{name}{signature}' does not take"
        fault("jit-step-parameters", message, "let it have a parameter for each")


def _form(value: Any) -> str:
    """The form of a tree, for people."""
    text = repr(map_leaves(value, lambda _: ...)).replace("Ellipsis", "x")
    return "one value" if text == "x" else text


@operation
def fori_loop(lower: Any, upper: Any, body: Callable[..., Any], init: Any) -> Any:
    """What `body(i, value)` makes of `init` for i from `lower` up to `upper`, which is left out: one program, whatever
    the number of steps. The bounds are integers, sizes or tensors without axes."""
    start, stop = _bound(lower, "the lower bound"), _bound(upper, "the upper bound")
    carried = _Carried(init)
    index = trace().step_index()

    def step(tensors: list[Traced]) -> tuple[list[Traced], None]:
        number: Any = Counter(trace(), trace().step_number(index))
        if not isinstance(start, int) or start:
            number = number + start
        return carried.given("a step", body(number, carried.tree(tensors))), None

    _must_take(body, "the step of a loop", "a number and what the loop carries", 2)
    return carried.loop("scf.for", lambda like: trace().part(like, step), bound=_steps(start, stop), index=index)


def _bound(value: Any, what: str) -> Any:
    """A bound: a size, or a number of i64 that the run knows."""
    if isinstance(value, Counter):
        return value
    if not hasattr(value, "shape") and size_of(value) is not None:
        return value
    found = value if isinstance(value, Traced) or as_array(value) is None else tensor(value)
    if not isinstance(found, Traced) or found.ndim or promotion.is_float(found.dtype):
        fault("jit-loop-bound", f"{what} is an integer or a tensor of integers without axes", "as in x.shape[0]")
    return Counter(trace(), converted(found, "i64"))


def _steps(start: Any, stop: Any) -> Traced | Size:
    """The number of steps."""
    count = stop - start
    size = size_of(count)
    return size if size is not None else count.typed("i64")


@operation
def while_loop(condition: Callable[..., Any], body: Callable[..., Any], init: Any) -> Any:
    """What `body(value)` makes of `init` as long as `condition(value)` holds, a truth value without axes."""
    carried = _Carried(init)

    def test(tensors: list[Traced]) -> tuple[list[Traced], Traced]:
        return tensors, _truth(condition(carried.tree(tensors)), "the condition of a loop")

    def step(tensors: list[Traced]) -> tuple[list[Traced], None]:
        return carried.given("a step", body(carried.tree(tensors))), None

    _must_take(condition, "the condition of a loop", "what the loop carries", 1)
    _must_take(body, "the step of a loop", "what the loop carries", 1)
    return carried.loop("scf.while", lambda like: trace().part(like, test), lambda like: trace().part(like, step))


def _truth(value: Any, what: str) -> Traced:
    """A condition."""
    found = tensor(value)
    if found.ndim:
        fault("jit-condition", f"{what} is one truth value, not a tensor of shape {shown(settled(found))}",
              "hologram.ops.all and hologram.ops.any make one of many")  # fmt: skip
    return converted(found, "bool")


@operation
def cond(condition: Any, true: Callable[..., Any], false: Callable[..., Any], *operands: Any) -> Any:
    """`true(*operands)` where the condition holds, a truth value without axes, else `false(*operands)`: only that side
    runs. Both give the same types and shapes."""
    truth = _truth(condition, "the condition of a choice")
    for side in (true, false):
        _must_take(side, "a side of a choice", "the operands of the choice", len(operands))
    return _choice(truth, lambda: true(*operands), lambda: false(*operands))


@operation
def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """`branches[index](*operands)`: only that branch runs. An index below 0 is the first, one too large the last."""
    if not len(branches):
        fault("jit-switch", "there are no branches to choose from")
    for branch in branches:
        _must_take(branch, "a branch", "the operands of the choice", len(operands))
    place = tensor(index)
    if place.ndim or promotion.is_float(place.dtype):
        fault("jit-switch-index", "the index of a branch is an integer or a tensor of integers without axes")

    def chosen(first: int) -> Any:
        if first == len(branches) - 1:
            return branches[first](*operands)
        return _choice(math.less_equal(place, first), lambda: branches[first](*operands), lambda: chosen(first + 1))

    return chosen(0)


def _choice(truth: Traced, true: Callable[[], Any], false: Callable[[], Any]) -> Any:
    """What one of two sides gives."""
    forms: list[Any] = []

    def side(function: Callable[[], Any]) -> Part:
        def make(_: list[Traced]) -> tuple[list[Traced], None]:
            forms.append(function())
            if shape_of_tree(forms[0]) != shape_of_tree(forms[-1]):
                message = f"the sides of a choice give {_form(forms[0])} and {_form(forms[-1])}"
                fault("jit-choice-form", message, "give as many values, in tuples, lists and dicts of the same form")
            return [trace().tensor(tensor(v)) for v in leaves_like(forms[0], forms[-1])], None

        return trace().part([], make)

    parts = [side(true), side(false)]
    for a, b in zip(*(p.results for p in parts), strict=True):
        same = a.ndim == b.ndim and all(
            trace().facts.holds(x, "==", y) for x, y in zip(settled(a), settled(b), strict=True)
        )
        if a.dtype != b.dtype or not same:
            message = f"the sides of a choice give {a.dtype}{shown(settled(a))} and {b.dtype}{shown(settled(b))}"
            fault("jit-choice-type", message, "hologram.ops.cast and hologram.ops.reshape make them alike")
    given = iter(trace().control("scf.if", parts, [], parts[0].results, truth))
    return map_leaves(forms[0], lambda _: next(given))


@operation
def scan(f: Callable[..., Any] | Any, *args: Any, **options: Any) -> Any:
    """`scan(f, init, xs=None, length=None, reverse=False)`: a loop over the first axis of the tensors in `xs`.

    `f(carry, slice)` gives the next carry and an output. The results are the last carry and the outputs, stacked along
    a new first axis. `length` is the number of steps where there are no tensors; with `reverse` the last slice comes
    first. With a tensor in place of the function it is `hologram.ops.reduce.scan`.
    """
    return (_scanned if callable(f) else reduce.scan)(f, *args, **options)


def _scanned(f: Callable[[Any, Any], Any], init: Any, xs: Any = None, length: Any = None, reverse: bool = False) -> Any:
    parts = [tensor(v) for v in leaves_of(xs)]
    if any(not p.ndim for p in parts):
        fault("jit-scan-axes", "a scan goes over the first axis of tensors, and there is none")
    facts, sizes = trace().facts, [p.along(0) for p in parts]
    if length is not None:
        sizes += sizes_of(length, "a length")
    if not sizes:
        fault("jit-scan-length", "a scan without tensors needs a length", "write length=10")
    if not all(facts.holds(sizes[0], "==", size) for size in sizes[1:]):
        found = " and ".join(str(facts.value(s)) for s in sizes)
        fault("jit-scan-sizes", f"what a scan goes over has one size along the first axis, not {found}")
    return _Scan(f, init, xs, parts, facts.settled(sizes[0]), reverse).run()


class _Scan:
    """A scan: a loop that carries the carry and the outputs, into which each step puts its own."""

    def __init__(self, f: Callable[..., Any], init: Any, xs: Any, parts: list[Traced], count: Size, reverse: bool):
        _must_take(f, "the step of a scan", "the carry and a slice", 2)
        self.f, self.xs, self.parts, self.count, self.reverse = f, xs, parts, count, reverse
        self.carried = _Carried(init)
        self.outputs: Any = None

    def run(self) -> Any:
        made, index, own = trace(), trace().step_index(), len(self.carried.tensors)

        def step(tensors: list[Traced]) -> tuple[list[Traced], None]:
            place = made.from_the_end(index, self.count) if self.reverse else index
            kept, outputs = self._step(tensors, place)
            rows = [memory.reshaped(v, (ONE, *settled(v))) for v in outputs]
            # What the outputs are is known only now: a place for each is one more argument of the step.
            tensors += [made.step_argument(v.dtype, (self.count, *settled(v))) for v in outputs]
            return [*kept, *(made.inserted(v, t, place) for v, t in zip(rows, tensors[own:], strict=True))], None

        def traced(like: list[Traced]) -> Part:
            return made.part(like, step)

        if self.carried.learn(traced) and not leaves_of(self.outputs):
            return self.carried.tree(self.carried.tensors), self.outputs
        (body,) = self.carried.steps(traced)
        stacks = [broadcast(made.number(v.dtype, 0), settled(v)) for v in body.args[own:]]
        starts = [*self.carried.tensors, *stacks]
        results = made.control("scf.for", [body], starts, starts, self.count, index)
        given = iter(results[own:])
        return self.carried.tree(results[:own]), map_leaves(self.outputs, lambda _: next(given))

    def _step(self, tensors: list[Traced], place: Traced) -> tuple[list[Traced], list[Traced]]:
        """The next carry and the outputs of a step."""
        number = trace().tensor(trace().step_number(place))
        slices = iter([memory.gather(v, number) for v in self.parts])
        given = self.f(self.carried.tree(tensors), map_leaves(self.xs, lambda _: next(slices)))
        if not isinstance(given, (tuple, list)) or len(given) != 2:  # pyright: ignore[reportUnknownArgumentType]
            hint = "return carry, None where there is no output"
            fault("jit-scan-result", "a step of a scan gives two things: the next carry and an output", hint)
        kept, self.outputs = cast("Sequence[Any]", given)
        outputs = [trace().tensor(tensor(v)) for v in leaves_of(self.outputs)]
        return self.carried.given("a step", kept), outputs
