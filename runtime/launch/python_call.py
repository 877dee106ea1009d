"""Calls of kernels that the compiled launcher leaves to Python: it takes what that does not, or says what is wrong."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hologram.classes import CLASS_COUNT
from hologram.errors import LaunchError
from hologram.resonance import Resonance
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument, Entry
from hologram.runtime.launch import checks
from hologram.runtime.launch.checks import Array
from hologram.runtime.launch.launch import Launch, LaunchConfig, with_sizes
from hologram.runtime.launch.trap_values import TrapRecord, raise_trap
from hologram.runtime.memory.class_memory import ClassMemory
from hologram.support.hidden import CLASSES, RESONANCE, TRAP

if TYPE_CHECKING:
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.launch.kernel import Strided

_Sums = ctypes.c_int64 * (2 * CLASS_COUNT)


class Variant:
    """One entry bound to its code: puts checked arguments into the order of the launch ABI and starts it."""

    def __init__(self, entry: Entry, module: CpuModule):
        self.entry = entry
        buffers = [i for i, a in enumerate(entry.arguments) if a.is_buffer]
        self._scalars = [(i, dtypes.dtype(a.dtype)) for i, a in enumerate(entry.arguments) if not a.is_buffer]
        self._dynamic = [word for i in buffers for word in _words(i, entry.arguments[i])]
        pointers = [ctypes.c_void_p] * len(buffers)
        words = [ctypes.c_int64] * len(self._dynamic)
        scalars = [element.ctype for _, element in self._scalars]
        self._types: list[Any] = [*pointers, *words, *scalars, *[ctypes.c_void_p] * len(entry.hidden)]
        self._module = module
        self._code = ctypes.CFUNCTYPE(None, *self._types)(module.address(entry.symbol))

    def launch(self, values: Sequence[Any], pointers: Sequence[int], classes: ClassMemory) -> Resonance | None:
        """Runs the program; raises what it trapped on, or gives the sums of R."""
        sums = None if self.entry.resonance is None else _Sums()
        address = 0 if self.entry.classes is None else classes.address
        self.call(values, pointers, address, 0 if sums is None else ctypes.addressof(sums))
        return None if sums is None else Resonance.from_words(list(sums))

    def call(self, values: Sequence[Any], pointers: Sequence[int], classes: int, sums: int) -> None:
        """Calls the code with a trap record and the addresses of class memory and of the sums of R, if it takes them;
        raises what it trapped on."""
        record = TrapRecord()
        addresses = {TRAP: ctypes.addressof(record), CLASSES: classes, RESONANCE: sums}
        self._code(*self._values(values, pointers, [addresses[name] for name in self.entry.hidden]))
        self.failed()
        if record[0]:
            raise_trap(self.entry, list(record))

    def failed(self) -> None:
        """Raises what went wrong in a call beside the code itself."""

    def parameters(
        self, values: Sequence[Any], pointers: Sequence[int], hidden: Sequence[int]
    ) -> list[tuple[Any, Any]]:
        """What `call` passes: the C type and the value of each parameter."""
        return list(zip(self._types, self._values(values, pointers, hidden), strict=True))

    def _values(self, values: Sequence[Any], pointers: Sequence[int], hidden: Sequence[int]) -> list[Any]:
        words = [
            values[i].strides[axis] // values[i].itemsize if stride else values[i].shape[axis]
            for i, axis, stride in self._dynamic
        ]
        scalars = [element.to_c(values[i]) for i, element in self._scalars]
        return [*pointers, *words, *scalars, *hidden]


class PythonCall:
    """Checks the arguments of a kernel's calls, makes the outputs that were left out, and starts the code."""

    def __init__(self, entry: Entry, module: CpuModule, classes: ClassMemory, strided: Strided):
        self.classes = classes
        self._entry = entry
        self._plain = Variant(entry, module)
        self._strided: Variant | None = None
        self._make_strided = strided
        self._lock = threading.Lock()
        self._results = [i for i, a in enumerate(entry.arguments) if a.result is not None]
        self._inputs = [i for i, a in enumerate(entry.arguments) if a.result is None]
        self._buffers = [i for i, a in enumerate(entry.arguments) if a.is_buffer]
        self._laid_out = {i for i in self._buffers if entry.arguments[i].strides is not None}
        self._written = [i for i in self._buffers if entry.arguments[i].written]
        self._pairs = entry.alias_pairs
        self._slots = [(i, checks.acceptor(a), checks.converter(a), a) for i, a in enumerate(entry.arguments)]

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """What it takes, in order."""
        return self._entry.arguments

    @property
    def name(self) -> str:
        """The entry's name."""
        return self._entry.name

    @property
    def signature(self) -> str:
        """What messages show."""
        return self._entry.signature

    def launch(self, args: Sequence[Any], config: LaunchConfig, out: Any) -> Launch:
        """Runs the program in the shape of a launch; the arguments are those of the program alone."""
        return self.run(with_sizes(self._entry, self._inputs, args, config), out)

    def run(self, args: Sequence[Any], out: Any) -> Launch:
        """Runs the program."""
        values = self._bind(args, out)
        given = [values[i] for i in self._results]
        self._check_values(values)
        environment = self._environment(values)
        self._check_constraints(environment)
        made = self._allocate(values, environment)
        pointers = [checks.data_pointer(values[i]) for i in self._buffers]
        variant = self._check_memory(values, made, pointers)
        self._check_class_memory(values)
        resonance = variant.launch(values, pointers, self.classes)
        pairs = zip(self._results, given, strict=True)
        outputs = tuple(checks.separated(self.arguments[i], values[i]) if g is None else g for i, g in pairs)
        return Launch(outputs[0] if len(outputs) == 1 else outputs or None, resonance)

    def _bind(self, args: Sequence[Any], out: Any) -> list[Any]:
        """The arguments in the entry's order, with None for the outputs to allocate."""
        values: list[Any] = [None] * len(self._entry.arguments)
        if len(args) == len(values) and self._results and out is None:
            values[:] = args
            return values
        if len(args) != len(self._inputs):
            also = f", or {len(values)} with its outputs" if self._results and out is None else ""
            count = len(self._inputs)
            message = f"'{self.name}' takes {count} argument{'s' * (count != 1)}{also}, found {len(args)}"
            raise LaunchError("launch-count", message, hint=f"its signature is {self.signature}")
        for i, value in zip(self._inputs, args, strict=True):
            values[i] = value
        if out is None:
            return values
        outputs: tuple[Any, ...] = out if isinstance(out, tuple) else (out,)  # pyright: ignore[reportUnknownVariableType]
        if len(outputs) != len(self._results):
            message = f"'{self.name}' has {len(self._results)} outputs to give in out=, found {len(outputs)}"
            raise LaunchError("launch-out-count", message, hint=f"its signature is {self.signature}")
        for i, value in zip(self._results, outputs, strict=True):
            values[i] = value
        return values

    def _check_values(self, values: list[Any]) -> None:
        for i, accepts, convert, argument in self._slots:
            value = values[i]
            if not accepts(value) and (value is not None or argument.result is None):
                values[i] = convert(argument, value)

    def _environment(self, values: Sequence[Any]) -> dict[str, Any]:
        """Shapes and scalars by name, for the expressions."""
        named = zip(self._entry.arguments, values, strict=True)
        return {a.name: v.shape if a.is_buffer else v for a, v in named if v is not None}

    def _check_constraints(self, environment: dict[str, Any]) -> None:
        for constraint in self._entry.checks:
            if any(name not in environment for name in constraint.names):
                continue
            if not self._evaluate(constraint.evaluate, environment, constraint.text)[0]:
                found = ", ".join(f"'{name}' is {_sizes(environment[name])}" for name in constraint.names)
                message = f"the arguments do not fit together: '{constraint.text}' does not hold, {found}"
                raise LaunchError("launch-constraint", message, hint=f"the signature is {self.signature}")

    def _allocate(self, values: list[Any], environment: dict[str, Any]) -> set[int]:
        """Makes the omitted outputs and checks the shapes of the given ones; gives the numbers of those made."""
        made: set[int] = set()
        for i, expression in self._entry.result_shapes.items():
            argument = self._entry.arguments[i]
            shape = self._evaluate(expression.evaluate, environment, expression.text)
            if values[i] is None:
                values[i] = self._empty(argument, shape)
                made.add(i)
            elif values[i].shape != shape:
                message = f"argument '{argument.name}' must have shape {shape}, found {checks.describe(values[i])}"
                raise LaunchError("launch-out-shape", message, hint="leave it out to have it allocated")
        return made

    def _empty(self, argument: Argument, shape: tuple[int, ...]) -> Array:
        """A new output. A shape below zero, or past the memory, is the arguments' fault."""
        try:
            return checks.empty(argument, shape)
        except (ValueError, MemoryError) as error:
            message = f"the output '{argument.name}' of shape {shape} can't be allocated: {error}"
            raise LaunchError("launch-allocate", message, hint="the shape follows from the other arguments") from None

    def _evaluate(self, evaluate: Callable[[Any], tuple[int, ...]], environment: Any, text: str) -> tuple[int, ...]:
        try:
            return evaluate(environment)
        except ZeroDivisionError:
            message = f"the shapes of the arguments make '{text}' divide by zero"
            raise LaunchError("launch-shape-division", message, hint=f"the signature is {self.signature}") from None

    def _check_memory(self, values: Sequence[Any], made: set[int], pointers: Sequence[int]) -> Variant:
        """Layout, alignment, writability and aliasing; gives the code for these layouts."""
        variant = self._plain
        odd = [i for i in self._buffers if not values[i].flags.carray or i in self._laid_out]
        for i in odd:
            if not values[i].flags.c_contiguous and self.arguments[i].strides is None:
                variant = self._strided_for(values[i], self.arguments[i])
        for i in odd:
            if variant.entry.arguments[i].strides is not None:
                checks.check_strides(variant.entry.arguments[i], values[i])
            checks.check_access(self.arguments[i], values[i], pointers[self._buffers.index(i)])
        if self._pairs and len(made) < len(self._written):
            named = dict(zip(self._buffers, pointers, strict=True))
            pairs = [(i, j) for i, j in self._pairs if i not in made and j not in made]
            checks.check_aliasing(self.arguments, values, named, pairs)
        return variant

    def _check_class_memory(self, values: Sequence[Any]) -> None:
        """The program takes it that its arrays and class memory are apart, if it writes one of them."""
        for i in self._entry.apart_from_classes:
            if self.classes.overlaps(values[i]):
                name = self.arguments[i].name
                message = f"argument '{name}' lies in class memory, which '{self.name}' reaches by itself"
                raise LaunchError("launch-class-overlap", message, hint="pass an array elsewhere, such as a copy")

    def _strided_for(self, value: Array, argument: Argument) -> Variant:
        """The code for arrays of any strides, compiled when it is first needed."""
        checks.check_strides(argument.changed(strides=(None,) * len(argument.shape)), value)
        with self._lock:
            if self._strided is None:
                self._strided = Variant(*self._make_strided(argument.name))
        return self._strided


def _words(number: int, argument: Argument) -> list[tuple[int, int, bool]]:
    """(argument, axis, is a stride) of each i64 that a buffer needs: its dynamic sizes, then its dynamic strides."""
    sizes = [(number, axis, False) for axis, size in enumerate(argument.shape) if size is None]
    return sizes + [(number, axis, True) for axis, step in enumerate(argument.strides or ()) if step is None]


def _sizes(value: Any) -> str:
    return f"of shape {value}" if isinstance(value, tuple) else str(value)
