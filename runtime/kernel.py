"""The callable on numpy arrays that `hologram.compile` gives."""

from __future__ import annotations

import ctypes
import functools
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from hologram.classes import CLASS_COUNT
from hologram.errors import LaunchError, TrapError, Where
from hologram.lowering.site_text import MOST_BYTES, NO_MEMORY
from hologram.resonance import Resonance
from hologram.runtime import checks, dtypes, launcher
from hologram.runtime.checks import Array
from hologram.runtime.class_memory import ClassMemory
from hologram.runtime.devices.cpu import CpuLauncher, CpuModule
from hologram.runtime.entry import Argument, Entry
from hologram.runtime.launch import Launch, LaunchConfig, with_sizes
from hologram.runtime.launch_table import LaunchTable
from hologram.runtime.launch_table import build as build_table
from hologram.runtime.trap_values import told

TRAP_WORDS = 8
Strided = Callable[[str], tuple[Entry, CpuModule]]
"""Gives the code for arrays of any strides; its argument is the name of the one that asks for it."""
SITE = re.compile(r"^(.*); at (.*):(\d+):(\d+)$", re.DOTALL)
_TrapRecord = ctypes.c_int64 * TRAP_WORDS
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
        trap = [ctypes.c_void_p] * entry.trap
        passed = [entry.classes, entry.resonance]
        hidden = [*trap, *(ctypes.c_void_p for access in passed if access is not None)]
        self._types: list[Any] = [*pointers, *words, *scalars, *hidden]
        self._launcher = CpuLauncher(module, entry.symbol, self._types)

    def launch(self, values: Sequence[Any], pointers: Sequence[int], classes: ClassMemory) -> Resonance | None:
        """Runs the program; raises what it trapped on, or gives the sums of R."""
        record, sums = _TrapRecord(), _Sums() if self.entry.resonance is not None else None
        hidden = [ctypes.addressof(record)] if self.entry.trap else []
        if self.entry.classes is not None:
            hidden.append(classes.address)
        if sums is not None:
            hidden.append(ctypes.addressof(sums))
        self.call(values, pointers, hidden)
        if record[0]:
            raise_trap(self.entry, list(record))
        return None if sums is None else Resonance.from_words(list(sums))

    def call(self, values: Sequence[Any], pointers: Sequence[int], hidden: Sequence[int]) -> None:
        """Calls the code. `hidden` is what the launch itself passes."""
        self._launcher(*self._values(values, pointers, hidden))

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


class Kernel:
    """A compiled program: call it with numpy arrays and scalars in the order of its signature.

    Arrays of other libraries do as well, if they lie in main memory and know DLPack, the buffer protocol or
    `__array_interface__`: the kernel works on their memory.

    Outputs whose shape follows from the other arguments may be omitted: they are allocated and returned (one array, or
    a tuple). `out=` gives an array, or a tuple of them, to write to instead. All other arrays that the program writes
    are changed in place; if nothing else comes out, the call returns None.
    """

    __slots__ = (
        "_buffers", "_entry", "_inputs", "_laid_out", "_lock", "_make_strided", "_pairs", "_plain", "_results",
        "_slots", "_strided", "_table", "_written", "_classes", "device", "__weakref__",
    )  # fmt: skip

    def __init__(
        self, entry: Entry, module: CpuModule, device: str, strided: Strided, classes: ClassMemory | None = None
    ):
        self.device = device
        """The device it runs on."""
        self._classes = ClassMemory.of_default(device) if classes is None else classes
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
        self._pairs = checks.alias_pairs(entry.arguments)
        self._table: LaunchTable | None = None
        self._slots = [(i, checks.acceptor(a), checks.converter(a), a) for i, a in enumerate(entry.arguments)]

    @property
    def classes(self) -> ClassMemory:
        """The class memory that its programs reach: that of its executor."""
        return self._classes

    @property
    def name(self) -> str:
        """The entry's name."""
        return self._entry.name

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """What it takes, in order; outputs that may be omitted have a `result`."""
        return self._entry.arguments

    @property
    def signature(self) -> str:
        """`main(a: f32[?x4]) -> (c: f32[?x4])`."""
        return self._entry.signature

    def __repr__(self) -> str:
        return f"<hologram.Kernel {self.signature} on {self.device}>"

    def __call__(self, *args: Any, out: Any = None) -> Any:
        """Runs the program; see the class. What its lanes add to R is lost: `launch` gives it."""
        return self._run(args, out).result

    def launch(self, *args: Any, config: LaunchConfig | None = None, out: Any = None) -> Launch:
        """Runs the program as a call does, and gives R beside the result.

        `config` is the shape of the launch, for a lane program without a host function: the arguments are then those of
        the program alone. Raises a LaunchError where the program fixes other sizes.
        """
        if config is not None:
            args = tuple(with_sizes(self._entry, self._inputs, args, config))
        return self._run(args, out)

    def _run(self, args: Sequence[Any], out: Any) -> Launch:
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
        for i in checks.apart_from_classes(self._entry):
            if self.classes.overlaps(values[i]):
                name = self.arguments[i].name
                message = f"argument '{name}' lies in class memory, which '{self.name}' reaches by itself"
                raise LaunchError("launch-class-overlap", message, hint="pass an array elsewhere, such as a copy")

    def _strided_for(self, value: Array, argument: Argument) -> Variant:
        """The code for arrays of any strides, compiled when it is first needed."""
        checks.check_strides(replace(argument, strides=(None,) * len(argument.shape)), value)
        with self._lock:
            if self._strided is None:
                self._strided = Variant(*self._make_strided(argument.name))
        return self._strided


def make_kernel(
    entry: Entry, module: CpuModule, device: str, strided: Strided, classes: ClassMemory | None = None
) -> Kernel:
    """A kernel that is called through compiled code where that is possible, and through Python where it is not."""
    if entry.packed is None or not launcher.fitting():
        return Kernel(entry, module, device, strided, classes)
    classes = ClassMemory.of_default(device) if classes is None else classes
    table = build_table(entry, module.address(entry.packed), 0 if entry.classes is None else classes.address)
    if table is None:
        return Kernel(entry, module, device, strided, classes)
    kernel: Kernel = _launcher().type(entry, module, device, strided, classes)
    kernel._table = table  # pyright: ignore[reportPrivateUsage]
    _launcher().bind(kernel, table.address)
    return kernel


@functools.cache
def _launcher() -> launcher.Launcher:
    return launcher.Launcher(Kernel, Kernel.__call__, _trapped)


def _trapped(kernel: Kernel, record: bytes) -> NoReturn:
    """What the compiled launcher calls after a trap."""
    entry = kernel._entry  # pyright: ignore[reportPrivateUsage]
    raise_trap(entry, list(_TrapRecord.from_buffer_copy(record)))


def _words(number: int, argument: Argument) -> list[tuple[int, int, bool]]:
    """(argument, axis, is a stride) of each i64 that a buffer needs: its dynamic sizes, then its dynamic strides."""
    sizes = [(number, axis, False) for axis, size in enumerate(argument.shape) if size is None]
    return sizes + [(number, axis, True) for axis, step in enumerate(argument.strides or ()) if step is None]


def _bytes(count: int) -> str:
    """A number of bytes, with a prefix that can be read at once."""
    power = max(0, (count.bit_length() - 1) // 10)
    least = "at least " if count >= MOST_BYTES else ""
    return f"{least}{count} bytes ({count / 1024**power:.1f} {['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'][power]})"


def _sizes(value: Any) -> str:
    return f"of shape {value}" if isinstance(value, tuple) else str(value)


def raise_trap(entry: Entry, record: list[int]) -> NoReturn:
    """Says what the trap record holds: site, lane and values."""
    site = record[0] - 1
    text = entry.sites[site] if 0 <= site < len(entry.sites) else f"trap site {site}"
    match = SITE.match(text)
    where = Where(match[2], int(match[3]), int(match[4])) if match else None
    reason = match[1] if match else text
    if reason.startswith(NO_MEMORY):
        message = f"program '{entry.name}': {reason}, which needs {_bytes(record[2])}"
        hint = "pass smaller arrays or free memory; what the call had taken is given back, and it can be made again"
        raise LaunchError("launch-memory", message, hint=hint, where=where)
    reason, values = told(reason, record[2:])
    message = f"program '{entry.name}' trapped in lane {record[1]}: {reason} (values {', '.join(values)})"
    hint = "the arrays it had written before keep what was written; the kernel can be called again"
    raise TrapError("program-trap", message, hint=hint, where=where)
