"""Calls of kernels that the compiled launcher leaves to Python: it takes what that does not, or says what is wrong."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hologram.classes import CLASS_COUNT
from hologram.errors import LaunchError
from hologram.resonance import Resonance
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument, Entry
from hologram.runtime.launch import checks, launcher
from hologram.runtime.launch.checks import Array
from hologram.runtime.launch.launch import Launch, LaunchConfig, with_sizes
from hologram.runtime.launch.trap_values import TRAP_WORDS, TrapRecord, raise_trap
from hologram.runtime.launch.watch import watch
from hologram.runtime.memory.class_memory import ClassMemory
from hologram.support import forks
from hologram.support.hidden import CLASSES, RESONANCE, TRAP

if TYPE_CHECKING:
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.launch.kernel import Strided


class Variant:
    """One entry bound to its code: puts checked arguments into the order of the launch ABI and starts it."""

    def __init__(self, entry: Entry, module: CpuModule):
        self.entry = entry
        self._elements = [dtypes.dtype(a.dtype) for a in entry.arguments]
        self._types = [self._type(kind, number) for kind, number, _ in entry.parameters]
        self._module = module
        self._code = ctypes.CFUNCTYPE(None, *self._types)(module.address(entry.symbol))
        watched = entry.unbounded and entry.packed is not None and launcher.fitting()
        self._watched = module.address(entry.packed) if watched and entry.packed is not None else 0
        """The packed form of code that can be stopped; 0 of other code."""

    def _type(self, kind: str, number: int) -> Any:
        if kind == "scalar":
            return self._elements[number].ctype
        return ctypes.c_int64 if kind in ("size", "stride") else ctypes.c_void_p

    def call(self, values: Sequence[Any], pointers: Mapping[int, int], hidden: Mapping[str, int]) -> None:
        """Calls the code with a trap record; raises what it trapped on.

        `pointers` are the addresses of the arrays by their numbers, `hidden` those of class memory and the sums of R.
        """
        record = TrapRecord()
        hidden = {TRAP: ctypes.addressof(record), **hidden}
        if self._watched:
            words = self.packed_words(values, pointers, hidden)
            watch().run(self._watched, ctypes.addressof(words), ctypes.addressof(record))
        else:
            self._code(*self._values(values, pointers, hidden))
        self.failed()
        if record[0]:
            raise_trap(self.entry, record[:TRAP_WORDS])

    def failed(self) -> None:
        """Raises what went wrong in a call beside the code itself."""

    def packed_words(self, values: Sequence[Any], pointers: Mapping[int, int], hidden: Mapping[str, int]) -> Any:
        """Return the parameters as the entry's packed form takes them: a word for each."""
        words = (ctypes.c_int64 * max(len(self._types), 1))()
        pairs = zip(self._types, self._values(values, pointers, hidden), strict=True)
        for number, (type, value) in enumerate(pairs):
            type.from_buffer(words, 8 * number).value = value
        return words

    def _values(self, values: Sequence[Any], pointers: Mapping[int, int], hidden: Mapping[str, int]) -> list[Any]:
        arguments: list[Any] = []
        for kind, number, axis in self.entry.parameters:
            if kind == "pointer":
                arguments.append(pointers[number])
            elif kind == "size":
                arguments.append(values[number].shape[axis])
            elif kind == "stride":
                arguments.append(values[number].strides[axis] // values[number].itemsize)
            elif kind == "scalar":
                arguments.append(self._elements[number].to_c(values[number]))
            else:
                arguments.append(hidden[kind])
        return arguments


class PythonCall:
    """Checks the arguments of a kernel's calls, makes the outputs that were left out, and starts the code."""

    def __init__(self, entry: Entry, module: CpuModule, classes: ClassMemory, strided: Strided):
        self.classes = classes
        self.entry = entry
        self._plain = Variant(entry, module)
        self._strided: Variant | None = None
        self._make_strided = strided
        self._lock = forks.lock()
        self._results = [i for i, a in enumerate(entry.arguments) if a.result is not None]
        self._inputs = [i for i, a in enumerate(entry.arguments) if a.result is None]
        self._buffers = [i for i, a in enumerate(entry.arguments) if a.is_buffer]
        self._laid_out = {i for i in self._buffers if entry.arguments[i].strides is not None}
        self._written = [i for i in self._buffers if entry.arguments[i].written]
        self._pairs = entry.alias_pairs
        self._slots = [(i, checks.acceptor(a), a) for i, a in enumerate(entry.arguments)]

    def launch(self, args: Sequence[Any], config: LaunchConfig, out: Any) -> Launch:
        """Runs the program in the shape of a launch; the arguments are those of the program alone."""
        return self.run(with_sizes(self.entry, self._inputs, args, config), out)

    def run(self, args: Sequence[Any], out: Any) -> Launch:
        """Runs the program."""
        values, given, environment = self._checked(args, out)
        fresh = self._allocate(values, environment, self._empty)
        pointers = {i: checks.data_pointer(values[i]) for i in self._buffers}
        variant = self._variant_for(values)
        self._check_memory(variant.entry, values, fresh, pointers, self._buffers)
        hidden = self._hidden_arrays()
        variant.call(values, pointers, {name: checks.data_pointer(array) for name, array in hidden.items()})
        return self._launched(values, given, hidden)

    def _checked(self, args: Sequence[Any], out: Any) -> tuple[list[Any], list[Any], dict[str, Any]]:
        """Return the values of all arguments, the outputs as they were given, and what shape expressions refer to."""
        values = self._bind(args, out)
        given = [values[i] for i in self._results]
        self._check_values(values)
        environment = self._environment(values)
        self._check_constraints(environment)
        return values, given, environment

    def _hidden_arrays(self) -> dict[str, Array]:
        """Return what the launch passes beside the arguments and the trap record: class memory, and sums of R at 0."""
        return {
            name: self.classes.bytes if name == CLASSES else np.zeros(2 * CLASS_COUNT, np.int64)
            for name in self.entry.shared
        }

    def _launched(self, values: Sequence[Any], given: Sequence[Any], hidden: Mapping[str, Array]) -> Launch:
        """Return the results of a launch: the arrays that were given, else those that were made, and R."""
        arguments = self.entry.arguments
        pairs = zip(self._results, given, strict=True)
        outputs = tuple(self._separated(arguments[i], values[i]) if g is None else g for i, g in pairs)
        resonance = Resonance.from_words(hidden[RESONANCE].tolist()) if RESONANCE in hidden else None
        return Launch(outputs[0] if len(outputs) == 1 else outputs or None, resonance)

    def _separated(self, argument: Argument, value: Any) -> Any:
        return checks.separated(argument, value)

    def _bind(self, args: Sequence[Any], out: Any) -> list[Any]:
        """The arguments in the entry's order, with None for the outputs to allocate."""
        values: list[Any] = [None] * len(self.entry.arguments)
        if len(args) == len(values) and self._results and out is None:
            values[:] = args
            return values
        if len(args) != len(self._inputs):
            also = f", or {len(values)} with its outputs" if self._results and out is None else ""
            count = len(self._inputs)
            message = f"'{self.entry.name}' takes {count} argument{'s' * (count != 1)}{also}, found {len(args)}"
            raise LaunchError("launch-count", message, hint=f"its signature is {self.entry.signature}")
        for i, value in zip(self._inputs, args, strict=True):
            values[i] = value
        if out is None:
            return values
        outputs: tuple[Any, ...] = out if isinstance(out, tuple) else (out,)  # pyright: ignore[reportUnknownVariableType]
        if len(outputs) != len(self._results):
            count = len(self._results)
            message = (
                f"'{self.entry.name}' has {count} output{'s' * (count != 1)} to give in out=, found {len(outputs)}"
            )
            raise LaunchError("launch-out-count", message, hint=f"its signature is {self.entry.signature}")
        for i, value in zip(self._results, outputs, strict=True):
            values[i] = value
        return values

    def _check_values(self, values: list[Any]) -> None:
        for i, accepts, argument in self._slots:
            value = values[i]
            if not accepts(value) and (value is not None or argument.result is None):
                values[i] = checks.convert(argument, value)

    def _environment(self, values: Sequence[Any]) -> dict[str, Any]:
        """Shapes and scalars by name, for the expressions."""
        named = zip(self.entry.arguments, values, strict=True)
        return {a.name: v.shape if a.is_buffer else v for a, v in named if v is not None}

    def _check_constraints(self, environment: dict[str, Any]) -> None:
        for constraint in self.entry.checks:
            if any(name not in environment for name in constraint.names):
                continue
            if not self._evaluate(constraint.evaluate, environment, constraint.text)[0]:
                sizes = ", ".join(f"'{name}' is {_sizes(environment[name])}" for name in constraint.names)
                message = f"the arguments do not fit together: '{constraint.text}' does not hold, {sizes}"
                raise LaunchError("launch-constraint", message, hint=f"the signature is {self.entry.signature}")

    def _allocate(
        self, values: list[Any], environment: dict[str, Any], empty: Callable[[Argument, tuple[int, ...]], Any]
    ) -> set[int]:
        """Makes the omitted outputs by `empty`, checks the shapes of the others; gives the numbers of those made."""
        fresh: set[int] = set()
        for i, expression in self.entry.result_shapes.items():
            argument = self.entry.arguments[i]
            shape = self._evaluate(expression.evaluate, environment, expression.text)
            if values[i] is None:
                values[i] = empty(argument, shape)
                fresh.add(i)
            elif values[i].shape != shape:
                message = f"argument '{argument.name}' must have shape {shape}, found {checks.describe(values[i])}"
                raise LaunchError("launch-out-shape", message, hint="leave it out to have it allocated")
        return fresh

    def _empty(self, argument: Argument, shape: tuple[int, ...]) -> Array:
        """A new output. A shape below zero, or past the memory, is the arguments' fault."""
        try:
            return checks.empty(argument, shape)
        except (ValueError, OverflowError, MemoryError):
            why = checks.no_room(argument, shape)
            message = f"the output '{argument.name}' of shape {shape} can't be allocated: {why}"
            raise LaunchError("launch-allocate", message, hint="the shape follows from the other arguments") from None

    def _evaluate(self, evaluate: Callable[[Any], tuple[int, ...]], environment: Any, text: str) -> tuple[int, ...]:
        try:
            return evaluate(environment)
        except ZeroDivisionError:
            message = f"the shapes of the arguments make '{text}' divide by zero"
            hint = f"the signature is {self.entry.signature}"
            raise LaunchError("launch-shape-division", message, hint=hint) from None

    def _variant_for(self, values: Sequence[Any]) -> Variant:
        """Return the code for arrays that lie as these do."""
        variant = self._plain
        for i in self._buffers:
            if not values[i].flags.c_contiguous and i not in self._laid_out:
                variant = self._strided_for(values[i], self.entry.arguments[i])
        return variant

    def _check_memory(
        self, entry: Entry, values: Sequence[Any], fresh: set[int], pointers: Mapping[int, int], hosted: Sequence[int]
    ) -> None:
        """Checks aliasing, and of the arrays in main memory, `hosted`, also layout, alignment and writability.

        The program takes it that its arrays and class memory are apart, if it writes one of them.
        """
        for i in hosted:
            argument, value = entry.arguments[i], values[i]
            if value.flags.carray and i not in self._laid_out:
                continue
            if argument.strides is not None:
                checks.check_strides(argument, value)
            checks.check_access(argument, value, pointers[i])
        if self._pairs and len(fresh) < len(self._written):
            pairs = [(i, j) for i, j in self._pairs if i not in fresh and j not in fresh]
            checks.check_aliasing(entry.arguments, values, pointers, pairs)
        for i in entry.apart_from_classes:
            if i in hosted and self.classes.overlaps(values[i]):
                name = entry.arguments[i].name
                message = f"argument '{name}' lies in class memory, which '{entry.name}' reaches by itself"
                raise LaunchError("launch-class-overlap", message, hint="pass an array elsewhere, such as a copy")

    def _strided_for(self, value: Array, argument: Argument) -> Variant:
        """The code for arrays of any strides, compiled when it is first needed."""
        checks.check_strides(argument.changed(strides=(None,) * len(argument.shape)), value)
        with self._lock:
            if self._strided is None:
                self._strided = Variant(*self._make_strided(argument.name))
        return self._strided


def _sizes(value: Any) -> str:
    return f"of shape {value}" if isinstance(value, tuple) else str(value)
