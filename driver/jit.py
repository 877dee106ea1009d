"""`hologram.jit`: a Python function over tensors, traced when it is called with arrays of a new kind, and compiled."""

from __future__ import annotations

import dis
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MethodType
from typing import Any, cast, overload

import numpy as np

from hologram.driver.pytree import Flattened, Leaf, call_key, flatten
from hologram.driver.source import Source
from hologram.errors import HologramError, InputError, UsageError, did_you_mean
from hologram.errors.arguments import called_as, checked, described
from hologram.frontend.tensors.tensor import Tensor
from hologram.frontend.tensors.trace.locations import Place, here
from hologram.frontend.tensors.trace.numbers import Extent, Number, Weak, extent
from hologram.frontend.tensors.trace.support import as_array, run_outside, tensor
from hologram.frontend.tensors.trace.text import module_text
from hologram.frontend.tensors.trace.trace import Trace, Traced, current, run
from hologram.language import call_on_tensors
from hologram.runtime import dtypes
from hologram.runtime.expressions import Expression, parse_constraint, parse_shape
from hologram.support import forks
from hologram.support.recent import Recent
from hologram.support.trees import map_tree

KEPT = 512
"""How many kinds of calls a function remembers the code of, and how many programs of one kind without sizes."""


@dataclass(frozen=True)
class Output:
    """A part of what a function gives: a tensor by its number, a size by its expression, or a plain value."""

    number: int = -1
    size: Expression | None = None
    value: Any = None

    def of(self, tensors: Sequence[Any], environment: Mapping[str, Any]) -> Any:
        """Return its value in a call."""
        if self.number >= 0:
            return tensors[self.number]
        return self.value if self.size is None else self.size.evaluate(environment)[0]


class Program:
    """The code for one kind of calls: those for which the guards of a trace hold."""

    def __init__(self, trace: Trace, results: Sequence[Traced], give: Any, device: str, leaves: int, places: bool):
        """`give` is what the function gives, with an `Output` in place of each tensor and size."""
        self.text = module_text(trace, results, places)
        """Its text as MLIR."""
        self.device = device
        self._name = trace.name
        self._slots = [a.slot for a in trace.arguments]
        self._outside = [a.outside for a in trace.arguments]
        ranks = {a.value.name: None if a.value.is_number else a.value.ndim for a in trace.arguments}
        self.guards = [parse_constraint(text, ranks | _scalars(trace)) for text in trace.facts.guards]
        self._dtypes = [r.dtype for r in results]
        self._give = give
        self._kernel: Callable[..., Any] | None = None
        self._is_plain = isinstance(give, Output) and give.number == 0
        self._is_in_order = self._slots == list(range(leaves))

    @property
    def _source(self) -> Source:
        return Source("mlir", f"<hologram.jit {self._name}>", self.text.encode())

    @property
    def kernel(self) -> Callable[..., Any]:
        """The compiled code. Threads that ask for it at once wait for the one that compiles."""
        if self._kernel is None:
            from hologram.driver.compiler import compile

            try:
                self._kernel = compile(self._source, device=self.device)
            except HologramError as error:
                if error.where is not None and error.where.file == self._source.name:
                    error.where = None  # What users know is the call, and not the text that is made of it.
                raise
        return self._kernel

    def interpreted(self, *values: Any) -> Any:
        """Return what the reference interpreter gives in the place of the kernel."""
        from hologram.dialects import make_context
        from hologram.interpreter import interpret

        results = interpret(self._source.read(make_context()), None, values)
        typed = tuple(a.view(dtypes.dtype(t).numpy) for a, t in zip(results, self._dtypes, strict=True))
        return typed[0] if len(typed) == 1 else typed

    @property
    def is_kernel(self) -> bool:
        """True if it gives what its kernel gives for the arguments in their order."""
        return self._is_plain and self._is_in_order

    def serves(self, environment: Mapping[str, Any]) -> bool:
        """Return whether the guards hold in a call."""
        return all(guard.evaluate(environment)[0] for guard in self.guards)

    def run(
        self,
        leaves: Sequence[Any],
        environment: Callable[[], Mapping[str, Any]],
        kernel: Callable[..., Any] | None = None,
    ) -> Any:
        """Run the code on the arrays and numbers of a call, and return what the function gives for them."""
        results: Any = ()
        if self._dtypes:
            values = leaves if self._is_in_order else self._values(leaves)
            results = (kernel or self.kernel)(*values)
        if self._is_plain:
            return results
        tensors = (results,) if len(self._dtypes) == 1 else results
        return map_tree(self._give, lambda output: output.of(tensors, environment()))

    def _values(self, leaves: Sequence[Any]) -> list[Any]:
        return [a if slot < 0 else leaves[slot] for slot, a in zip(self._slots, self._outside, strict=True)]


def _scalars(trace: Trace) -> dict[str, None]:
    return {(atom.text or ""): None for atom in trace.facts.actual if "[" not in (atom.text or "")}


class TensorFunction:
    """A Python function over tensors: call it as the function, with arrays and numbers.

    A call with arrays of a new kind (types, numbers of axes, or sizes that the function asked about) traces the
    function and compiles what it computes; other calls run that code. `text(...)` is the code for arguments as MLIR.
    """

    @checked
    def __init__(self, function: Callable[..., Any], static: Sequence[str] = (), device: str | None = None):
        self.function = function
        self.static = frozenset(static)
        self.device = device
        self.__name__ = getattr(function, "__name__", "function")
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self.has_places = True
        """False where every call has a place of its own, which errors tell: one program serves them all."""
        self._calls: dict[Any, Callable[..., Any]] = {}
        """By the kind of a call, for those whose arguments are arrays and numbers alone."""
        self._programs: Recent[Any, Recent[int, Program]] = Recent(KEPT)
        """By the kind of a call without sizes."""
        self._lock = forks.rlock()

    @cached_property
    def _signature(self) -> inspect.Signature:
        signature = inspect.signature(self.function)
        if unknown := sorted(self.static - signature.parameters.keys()):
            raise UsageError(
                "jit-static", f"'{self.__name__}' has no parameter '{unknown[0]}' that could be static",
                hint=f"its parameters are {', '.join(signature.parameters) or 'none'}",
            )  # fmt: skip
        return signature

    def __repr__(self) -> str:
        device = f" on {self.device}" if self.device else ""
        count = sum(map(len, self._programs))
        compiled = f", {count} program{'s' * (count != 1)}" if count else ""
        return f"<hologram.jit function '{called_as(self.function)}'{device}{compiled}>"

    def __get__(self, instance: Any, _: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function on arrays and numbers."""
        key = None if kwargs or current() is not None else call_key(args)
        known = None if key is None else self._calls.get(key)
        return self._call(args, kwargs, key) if known is None else known(*args)

    def _call(self, args: Sequence[Any], kwargs: Mapping[str, Any], key: Any) -> Any:
        if current() is not None:
            return self.function(*args, **kwargs)
        parts = self._flattened(args, kwargs)
        program = self._program(parts)
        leaves = [leaf.value for leaf in parts.leaves]
        if key is not None and len(leaves) == len(args) and all(a is b for a, b in zip(leaves, args, strict=True)):
            if len(self._calls) >= KEPT:
                self._calls.clear()
            self._calls[key] = self._direct(program)
        return program.run(leaves, lambda: parts.environment)

    def _direct(self, program: Program) -> Callable[..., Any]:
        """Return what runs a call of a known kind, whose arguments are arrays and numbers alone."""
        if program.is_kernel:
            return program.kernel
        return lambda *args: program.run(args, lambda: self._flattened(args, {}).environment)

    def text(self, *args: Any, **kwargs: Any) -> str:
        """Return the program that is compiled for such arguments, as MLIR of the `hologram` dialect."""
        return self._program(self._flattened(args, kwargs)).text

    def interpret(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program by the reference interpreter: it gives the same, by no code that compiles."""
        parts = self._flattened(args, kwargs)
        program = self._program(parts)
        return program.run([leaf.value for leaf in parts.leaves], lambda: parts.environment, program.interpreted)

    def _flattened(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Flattened:
        """The arguments by parameters, and the arrays and numbers in them."""
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            unknown = re.search(r"unexpected keyword argument '(\w+)'", str(error))
            near = did_you_mean(unknown[1], self._signature.parameters) if unknown else None
            hint = near or f"it is called as {called_as(self.function)}"
            raise UsageError("jit-call", f"'{self.__name__}' can't be called so: {error}", hint=hint) from None
        bound.apply_defaults()
        return flatten(bound, self.static)

    def _program(self, parts: Flattened) -> Program:
        """The code for a call: known, of another call that it serves, or new."""
        device = self._device(parts.leaves)
        with self._lock:
            kind = (device, parts.signature)
            known = self._programs.get(kind) or self._programs.put(kind, Recent(KEPT))
            program = next((p for p in known if p.serves(parts.environment)), None) or self._trace(parts, device)
            return known.put(id(program), program)

    def _device(self, leaves: Sequence[Leaf]) -> str:
        devices = {leaf.value.device for leaf in leaves if hasattr(leaf.value, "home")}
        if len(devices) > 1:
            raise UsageError(
                "jit-devices", f"'{self.__name__}' is called with arrays on {' and '.join(sorted(devices))}",
                hint="bring them to one device",
            )  # fmt: skip
        return self.device or next(iter(devices), "cpu")

    def _place(self) -> Place:
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        return here() if code is None else Place(code.co_filename, code.co_firstlineno, 1, 1)

    def _trace(self, parts: Flattened, device: str) -> Program:
        trace = Trace(parts.symbol(self.__name__), self._place(), Tensor, partial(_computes, device))
        args, kwargs = parts.arguments(trace)
        try:
            results, give = run(trace, lambda: _gathered(trace, self.function, self.function(*args, **kwargs)))
        except RecursionError:
            message = f"'{self.__name__}' calls functions within functions deeper than Python goes"
            hint = "a function that calls itself must end; sys.setrecursionlimit(n) lets Python go deeper"
            raise InputError("jit-recursion", message, hint=hint, where=self._place().where) from None
        return Program(trace, results, give, device, len(parts.leaves), self.has_places)


def _computes(device: str, dtype: str) -> bool:
    """Return whether a device computes with a type."""
    from hologram.runtime.devices import find_device, open_device

    name = find_device(device)
    return name == "cpu" or dtype in open_device(name).limits.features


def _returned(function: Callable[..., Any]) -> Place | None:
    """The value that a function returns, where it returns in one place."""
    code: Any = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return None
    found = {i.positions for i in dis.get_instructions(code) if i.opname == "RETURN_VALUE" and i.positions is not None}
    at = found.pop() if len(found) == 1 else None
    if at is None or at.lineno is None or at.col_offset is None:
        return None
    width = (at.end_col_offset or 0) - at.col_offset if at.end_lineno == at.lineno else 1
    return Place(code.co_filename, at.lineno, at.col_offset + 1, max(1, width))


def _gathered(trace: Trace, function: Callable[..., Any], value: Any) -> tuple[list[Traced], Any]:
    """The tensors in a result, each once, and the result with an `Output` for each tensor and size."""
    results: dict[int, Traced] = {}
    ranks = {a.value.name: None if a.value.is_number else a.value.ndim for a in trace.arguments} | _scalars(trace)

    def output(part: Any) -> Any:
        if isinstance(part, (Traced, Weak)):
            traced = trace.tensor(tensor(part))
            results.setdefault(id(traced), traced)
            return Output(list(results).index(id(traced)))
        if isinstance(part, Extent):
            plain = extent(trace, part.size)
            if isinstance(plain, Number):
                return Output(size=parse_shape(f"({plain.size.text},)", ranks))
            return Output(value=plain)
        if isinstance(part, (np.ndarray, np.generic, bool, int, float, str, type(None))):
            return Output(value=part)
        message = f"a tensor function can't give a value of type '{type(part).__name__}'"
        raise InputError("jit-result", message, hint=_RESULTS, where=(_returned(function) or trace.place).where)

    given = map_tree(value, output)
    return list(results.values()), given


_RESULTS = "it gives tensors, numbers and texts, alone or in tuples, lists and dicts"


def _word(word: str, args: Sequence[Any]) -> Any:
    """Return what a name of `hologram.language` gives in a tensor function; None elsewhere."""
    if current() is None:
        return None
    from hologram.frontend.tensors.ops.math import call_word

    return call_word(word, args)


_SETTINGS = ("bool", "int", "float", "str", "float | None")
"""The types of parameters of operations that are no operands."""
_LISTS = frozenset(
    "axes axis axis1 axis2 bins count destination dilation index k length m n num num_segments offset padding range"
    " repeats reps shape shift size source stride widths window".split()
)
"""The parameters of operations that are no tensors: sizes, axes and places, one or a list of them."""
_at_once: dict[Callable[..., Any], TensorFunction] = {}


def at_once(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Runs an operation on arrays."""
    parameters = inspect.signature(function).parameters.values()
    if any("Callable" in str(p.annotation) for p in parameters):
        # What functions find outside of them may be another thing in the next call.
        return _of_operation(function)(*args, **kwargs)
    if function not in _at_once:
        _at_once[function] = _of_operation(function)
    if any(isinstance(v, (list, tuple)) for v in (*args, *kwargs.values())):
        args, kwargs = _with_arrays(function, args, kwargs)
    return _at_once[function](*args, **kwargs)


def _of_operation(function: Callable[..., Any]) -> TensorFunction:
    parameters = inspect.signature(function).parameters.values()
    made = TensorFunction(function, [p.name for p in parameters if p.annotation in _SETTINGS])
    made.has_places = False
    return made


def _with_arrays(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments of an operation, with arrays in place of lists of numbers that are tensors to it."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return args, kwargs  # The call says what is wrong.
    for name, value in bound.arguments.items():
        parameter = bound.signature.parameters[name]
        several = parameter.kind is parameter.VAR_POSITIONAL or parameter.annotation == "Sequence[Any]"
        if several and isinstance(value, (list, tuple)):
            bound.arguments[name] = tuple(map(_array_of, cast("Sequence[Any]", value)))
        elif parameter.annotation == "Any" and name not in _LISTS:
            bound.arguments[name] = _array_of(value)
    return bound.args, bound.kwargs


def _array_of(value: Any) -> Any:
    """An array in place of lists without arrays in them; anything else as it is."""
    return as_array(value) if isinstance(value, (list, tuple)) and not _has_arrays(value) else value  # pyright: ignore


def _has_arrays(values: Sequence[Any]) -> bool:
    return any(_has_arrays(v) if isinstance(v, (list, tuple)) else hasattr(v, "dtype") for v in values)  # pyright: ignore


run_outside(at_once)
call_on_tensors(_word)


@overload
def jit(function: Callable[..., Any], /) -> TensorFunction: ...
@overload
def jit(
    *, static: str | Sequence[str] = (), device: str | None = None
) -> Callable[[Callable[..., Any]], TensorFunction]: ...
@checked
def jit(
    function: Any = None, /, *, static: str | Sequence[str] = (), device: str | None = None
) -> TensorFunction | Callable[[Callable[..., Any]], TensorFunction]:
    """Compiles a Python function over tensors: operators, `hologram.ops`, and Python's control over shapes.

    `static` names parameters for whose values code is made, each its own; texts, truth values and None are so anyway.
    `device` is where it runs, by default where its arrays are.

    Example::

        @hologram.jit
        def attention(q, k, v):
            return hologram.ops.softmax(q @ k.T / q.shape[1] ** 0.5) @ v
    """
    names = (static,) if isinstance(static, str) else static
    if function is not None and not callable(function):
        found = described(function)
        raise UsageError("jit-decorator", f"{found} is no function", hint="write @hologram.jit before 'def'")

    def decorate(function: Callable[..., Any]) -> TensorFunction:
        return TensorFunction(function, names, device)

    return decorate if function is None else decorate(function)
