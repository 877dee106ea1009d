"""Kernels on a device other than the processor: called with numpy arrays, which are copied there and back, or with
arrays on the device, which stay there."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from hologram.classes import ARENA_BYTES, CLASS_COUNT
from hologram.errors import LaunchError
from hologram.resonance import Resonance
from hologram.runtime import dtypes
from hologram.runtime.devices.protocol import Device, Event
from hologram.runtime.entry import Argument, Entry
from hologram.runtime.launch import checks
from hologram.runtime.launch.device_prepared import prepare
from hologram.runtime.launch.device_program import Bound, DeviceObject, Words
from hologram.runtime.launch.kernel import Kernel
from hologram.runtime.launch.launch import Launch
from hologram.runtime.launch.python_call import PythonCall, Variant
from hologram.runtime.launch.trap_values import raise_trap
from hologram.runtime.memory.class_memory import ClassMemory
from hologram.runtime.memory.device_array import Array, DeviceArray, Memory, bytes_of, on, settle

SUMS_BYTES = 16 * CLASS_COUNT
_Sums = ctypes.c_int64 * (2 * CLASS_COUNT)


@dataclass
class Staged:
    """A numpy array's copy on the device."""

    value: Array
    shown: Array
    """The array over `whole`: the value itself, or a copy that lies as the program wants it."""
    whole: memoryview
    """The bytes that go to the device and come back."""
    memory: Memory
    written: bool

    def finish(self) -> None:
        """Puts what came back into the caller's array, if it is not there already."""
        if self.shown is not self.value:
            self.value[...] = self.shown


class DeviceVariant(Variant):
    """One entry of a program that is loaded on a device."""

    def __init__(self, entry: Entry, bound: Bound):
        super().__init__(entry, bound.module)
        self.bound = bound

    def packed_words(self, values: Sequence[Any], pointers: Sequence[int], hidden: Sequence[int]) -> Any:
        """The parameters as the entry's packed form takes them: a word for each."""
        given = self.parameters(values, pointers, hidden)
        words = (ctypes.c_int64 * max(len(given), 1))()
        for place, (kind, value) in enumerate(given):
            kind.from_buffer(words, 8 * place).value = value
        return words

    def failed(self) -> None:
        if (error := self.bound.program.take_error()) is not None:
            raise error


class DeviceKernel(Kernel):
    """A compiled program on a device: call it with numpy arrays, or with arrays on the device, and scalars.

    numpy arrays are copied to the device, and those that the program writes are copied back. Where an argument is an
    array on the device, outputs that are left out are too. A call with numpy arrays returns when it is done; one with
    arrays on the device may return before, and what the program traps on is raised when results are read.
    """

    __slots__ = ("_on_device",)

    def __init__(self, entry: Entry, code: DeviceObject, device: str, classes: ClassMemory | None):
        super().__init__(entry, code.bound().module, device, _no_strides, classes)
        self._call = self._on_device = DeviceCall(entry, code, device, self.classes)

    def prepare(self, *args: Any, out: Any = None) -> Callable[[], None]:
        """A function without arguments that launches the program with these, and does as little else as can be.

        All arrays, outputs too, must lie on the device; they are kept as long as the function is. A launch returns
        before it is done, as any launch with arrays on the device.
        """
        return self._on_device.prepare(args, out)


def _no_strides(argument: str) -> NoReturn:
    raise AssertionError(argument)


class DeviceCall(PythonCall):
    """Copies what has to be on the device there and back, beside what any call does."""

    def __init__(self, entry: Entry, code: DeviceObject, device: str, classes: ClassMemory):
        bound = code.bound()
        super().__init__(entry, bound.module, classes, _no_strides)
        self.device = device
        self._code = code
        self._variant = DeviceVariant(entry, bound)

    def _bound_variant(self) -> DeviceVariant:
        """The entry on its device, loaded anew if the device was lost."""
        bound = self._code.bound()
        if bound is not self._variant.bound:
            self._variant = DeviceVariant(self._entry, bound)
        return self._variant

    def run(self, args: Sequence[Any], out: Any) -> Launch:
        values = self._bind(args, out)
        given = [values[i] for i in self._results]
        variant = self._bound_variant()
        device = variant.bound.device
        self._check_values(values)
        environment = self._environment(values)
        self._check_constraints(environment)
        with device.lock:
            made = self._make_outputs(values, environment)
            self._check_arrays(values, made)
            resonance = self._start(variant, values, made)
        outputs = tuple(
            _separated(self.arguments[i], values[i]) if g is None else g
            for i, g in zip(self._results, given, strict=True)
        )
        return Launch(outputs[0] if len(outputs) == 1 else outputs or None, resonance)

    def prepare(self, args: Sequence[Any], out: Any) -> Callable[[], None]:
        """The function of `DeviceKernel.prepare`."""
        values = self._bind(args, out)
        variant = self._bound_variant()
        self._check_values(values)
        environment = self._environment(values)
        self._check_constraints(environment)
        self._check_prepared(values)
        with variant.bound.device.lock:
            self._check_arrays(values, set())
        return self._prepared(variant, values)

    def _check_prepared(self, values: Sequence[Any]) -> None:
        entry = self._entry
        here = all(isinstance(values[i], DeviceArray) for i in self._buffers)
        if here and entry.packed is not None and entry.classes is None and entry.resonance is None:
            return
        why = "it works on memory beside its arguments" if here else "not all arrays are on the device"
        message = f"a launch of '{self.name}' can't be prepared: {why}"
        raise LaunchError("launch-prepare", message, hint="give every array and output with hologram.array, or call it")

    def _prepared(self, variant: DeviceVariant, values: Sequence[Any]) -> Callable[[], None]:
        bound, entry = variant.bound, self._entry
        pointers = [values[i].address for i in self._buffers]
        record = Words()
        hidden = [ctypes.addressof(record)] if entry.trap else []
        never = ctypes.c_int64(0)
        status = bound.program.status or ctypes.addressof(never)

        def fail() -> None:
            if (error := bound.program.take_error()) is not None:
                raise error

        def trapped() -> None:
            if record[0]:
                words = list(record)
                record[0] = 0
                raise_trap(entry, words)

        assert entry.packed is not None
        words = variant.packed_words(values, pointers, hidden)
        keep = [bound, record, never, words, *values]
        function = bound.module.address(entry.packed)
        alone = bool(bound.program.status and not bound.traps and not entry.trap)
        if alone and (recorded := bound.program.record(function, words)) is not None:
            return prepare(recorded.function, recorded.words, status, fail, [recorded, *keep])
        launch = prepare(function, words, status, fail, keep)
        if alone:
            return launch

        def watched() -> None:
            launch()
            fail()
            trapped()
            self._look_later(variant)

        return watched

    def _check_values(self, values: list[Any]) -> None:
        for i, accepts, convert, argument in self._slots:
            value = values[i]
            if argument.is_buffer and value is not None and not isinstance(value, (DeviceArray, np.ndarray)):
                adopted = self._variant.bound.device.adopt(argument.name, value, argument.written)
                value = value if adopted is None else adopted
            if isinstance(value, DeviceArray):
                values[i] = self._taken(argument, value)
            elif not accepts(value) and (value is not None or argument.result is None):
                values[i] = convert(argument, value)

    def _taken(self, argument: Argument, value: DeviceArray) -> DeviceArray:
        """An array on a device as the argument takes it."""
        if value.device != self.device:
            message = f"argument '{argument.name}' lies on {value.device}, and '{self.name}' runs on {self.device}"
            raise LaunchError("launch-device", message, hint="pass x.numpy(), or compile for that device")
        if not argument.is_buffer:
            return checks.as_scalar(argument, value)
        element = dtypes.dtype(argument.dtype)
        if element.limbs:
            value = _joined(argument, value)
        checks.check_type(argument, value, element)
        if argument.strides is not None:
            checks.check_strides(argument, value)
        return value

    def _make_outputs(self, values: list[Any], environment: dict[str, Any]) -> set[int]:
        """Makes the omitted outputs: on the device, if an argument lies there."""
        here = any(isinstance(value, DeviceArray) for value in values)
        if not here:
            return self._allocate(values, environment)
        device = self._variant.bound.device
        left_out = [i for i in self._results if values[i] is None]
        for i in left_out:
            expression = self._entry.result_shapes[i]
            shape = self._evaluate(expression.evaluate, environment, expression.text)
            if any(n < 0 for n in shape):
                self._empty(self.arguments[i], shape)
            values[i] = on(device, shape, dtypes.dtype(self.arguments[i].dtype).numpy)
        self._allocate(values, environment)
        return set(left_out)

    def _check_arrays(self, values: Sequence[Any], made: set[int]) -> None:
        """Access and aliasing, as on the processor: a program means the same on all devices."""
        if self._variant.bound.device.limits.index_bits == 32:
            self._check_sizes(values)
        pointers = {i: _pointer(values[i]) for i in self._buffers}
        for i in self._buffers:
            value, argument = values[i], self.arguments[i]
            if isinstance(value, DeviceArray) or (value.flags.carray and i not in self._laid_out):
                continue
            if argument.strides is not None:
                checks.check_strides(argument, value)
            checks.check_access(argument, value, pointers[i])
        if self._pairs and len(made) < len(self._written):
            pairs = [(i, j) for i, j in self._pairs if i not in made and j not in made]
            checks.check_aliasing(self.arguments, values, pointers, pairs)
        hosted = [None if isinstance(value, DeviceArray) else value for value in values]
        self._check_class_memory(hosted)

    def _check_sizes(self, values: Sequence[Any]) -> None:
        """Whether an index of 32 bits reaches every element."""
        for i in self._buffers:
            if values[i].size >= 1 << 31:
                message = f"argument '{self.arguments[i].name}' has {values[i].size} elements"
                message += f", and an index has 32 bits on {self.device}"
                raise LaunchError("launch-index", message, hint="split the array, or use another device")

    def _start(self, variant: DeviceVariant, values: Sequence[Any], made: set[int]) -> Resonance | None:
        """Copies to the device, runs the program, and copies back what it wrote."""
        device = variant.bound.device
        waiting: list[Event] = []
        try:
            return self._transfer(variant, device, values, made, waiting)
        finally:
            # Copies may still be at work on the caller's arrays if something else failed.
            for event in waiting:
                event.wait()

    def _transfer(
        self, variant: DeviceVariant, device: Device, values: Sequence[Any], made: set[int], waiting: list[Event]
    ) -> Resonance | None:
        hosted = [i for i in self._buffers if not isinstance(values[i], DeviceArray)]
        staged = {i: _stage(device, values[i], self.arguments[i], i in made, waiting) for i in hosted}
        pointers = [staged[i].memory.address if i in staged else values[i].address for i in self._buffers]
        shown = [staged[i].shown if i in staged else value for i, value in enumerate(values)]
        classes = self._send_classes(device, waiting)
        sums = Memory(device, SUMS_BYTES) if self._entry.resonance is not None else None
        if sums is not None:
            device.fill(sums.address, 0, SUMS_BYTES)
        variant.call(shown, pointers, 0 if classes is None else classes.address, 0 if sums is None else sums.address)
        self._look_later(variant)
        if not staged and classes is None and sums is None:
            return None
        written = [one for one in staged.values() if one.written]
        words = self._fetch(device, written, classes, sums, waiting)
        settle(device)
        return None if words is None else Resonance.from_words(words)

    def _fetch(
        self, device: Device, staged: list[Staged], classes: Memory | None, sums: Memory | None, waiting: list[Event]
    ) -> list[int] | None:
        """Copies back what was written, and gives the sums of R. What trapped keeps what it had written before."""
        waiting += [device.read(one.memory.address, one.whole) for one in staged]
        if classes is not None and self._entry.classes != "read":
            waiting.append(device.read(classes.address, self.classes.bytes.data))
        words = _Sums() if sums is not None else None
        if words is not None and sums is not None:
            waiting.append(device.read(sums.address, memoryview(words).cast("B")))
        while waiting:
            waiting.pop(0).wait()
        for one in staged:
            one.finish()
        return None if words is None else list(words)

    def _send_classes(self, device: Device, waiting: list[Event]) -> Memory | None:
        """Class memory on the device, as it is here now: views of it may have been written since."""
        if self._entry.classes is None:
            return None
        memory = Memory(device, ARENA_BYTES)
        waiting.append(device.write(memory.address, self.classes.bytes.data))
        return memory

    def _look_later(self, variant: DeviceVariant) -> None:
        """Has whoever reads results look whether the program trapped."""
        bound, entry = variant.bound, self._entry

        def look() -> None:
            if (record := bound.take_record()) is not None:
                raise_trap(entry, record)

        if bound.traps:
            bound.device.unchecked[bound] = look


def _pointer(value: Any) -> int:
    return value.address if isinstance(value, DeviceArray) else checks.data_pointer(value)


def _joined(argument: Argument, value: DeviceArray) -> DeviceArray:
    """An array of limbs as one of wide integers in the same memory."""
    element = dtypes.dtype(argument.dtype)
    if value.dtype == element.numpy:
        return value
    checks.check_limbs(argument, value, element)
    return value.view(element.numpy).reshape(*value.shape[:-1])


def _separated(argument: Argument, value: Any) -> Any:
    """A result as the caller has it: wide integers as their limbs."""
    limbs = dtypes.dtype(argument.dtype).limbs
    if not isinstance(value, DeviceArray):
        return checks.separated(argument, value)
    return value.reshape(*value.shape, 1).view(np.uint64) if limbs else value


def _stage(device: Device, value: Array, argument: Argument, made: bool, waiting: list[Event]) -> Staged:
    """Copies an array to the device, unless it is an output that was made for this call."""
    if value.flags.c_contiguous:
        shown, whole = value, bytes_of(value)
    elif argument.strides is None:
        shown = np.ascontiguousarray(value)
        whole = bytes_of(shown)
    else:
        shown, whole = _spread(value)
    memory = Memory(device, whole.nbytes)
    if not made:
        waiting.append(device.write(memory.address, whole))
    return Staged(value, shown, whole, memory, argument.written)


def _spread(value: Array) -> tuple[Array, memoryview]:
    """A copy of an array that has its strides, and the copy's bytes. Strides below 0 change their sign: an address that
    is given to a device has nothing before it."""
    strides = tuple(abs(step) for step in value.strides)
    last = sum((n - 1) * step for n, step in zip(value.shape, strides, strict=True))
    whole = np.empty(last + value.itemsize if value.size else 0, np.uint8)
    shown: Array = np.ndarray(value.shape, value.dtype, whole.data, 0, strides)
    shown[...] = value
    return shown, whole.data
