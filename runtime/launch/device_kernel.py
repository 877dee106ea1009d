"""Kernels on a device other than the processor: called with numpy arrays, which are copied there and back, or with
arrays on the device, which stay there."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from hologram.errors import LaunchError
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
from hologram.support.hidden import TRAP

INDICES = 1 << 31
"""The numbers from 0 on that an index of 32 bits holds."""


@dataclass
class Staged:
    """A numpy array's copy on the device."""

    value: Array
    shown: Array
    """The array over `whole`: the value itself, or a copy that lies as the program wants it."""
    whole: memoryview
    """The bytes that go to the device and come back."""
    memory: Memory

    def finish(self) -> None:
        """Puts what came back into the caller's array, if it is not there already."""
        if self.shown is not self.value:
            self.value[...] = self.shown


class DeviceVariant(Variant):
    """One entry of a program that is loaded on a device."""

    def __init__(self, entry: Entry, bound: Bound):
        super().__init__(entry, bound.module)
        self.bound = bound

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
            self._variant = DeviceVariant(self.entry, bound)
        return self._variant

    def run(self, args: Sequence[Any], out: Any) -> Launch:
        variant = self._bound_variant()
        device = variant.bound.device
        values, given, environment = self._checked(args, out)
        on_device = any(isinstance(value, DeviceArray) for value in values)
        with device.lock:
            fresh = self._allocate(values, environment, self._empty_on(device) if on_device else self._empty)
            self._check_arrays(values, fresh)
            hidden = self._start(variant, values, fresh)
        return self._launched(values, given, hidden)

    def prepare(self, args: Sequence[Any], out: Any) -> Callable[[], None]:
        """The function of `DeviceKernel.prepare`."""
        variant = self._bound_variant()
        values, _, _ = self._checked(args, out)
        self._check_prepared(values)
        with variant.bound.device.lock:
            self._check_arrays(values, set())
        return self._prepared(variant, values)

    def _check_prepared(self, values: Sequence[Any]) -> None:
        entry = self.entry
        here = all(isinstance(values[i], DeviceArray) for i in self._buffers)
        if here and entry.packed is not None and entry.classes is None and entry.resonance is None:
            return
        why = "it works on memory beside its arguments" if here else "not all arrays are on the device"
        message = f"a launch of '{self.entry.name}' can't be prepared: {why}"
        raise LaunchError("launch-prepare", message, hint="give every array and output with hologram.array, or call it")

    def _prepared(self, variant: DeviceVariant, values: Sequence[Any]) -> Callable[[], None]:
        bound, entry = variant.bound, self.entry
        pointers = {i: values[i].address for i in self._buffers}
        record = Words()
        hidden = {TRAP: ctypes.addressof(record)}
        never = ctypes.c_int64(0)
        status = bound.program.status or ctypes.addressof(never)

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
            return prepare(recorded.function, recorded.words, status, variant.failed, [recorded, *keep])
        launch = prepare(function, words, status, variant.failed, keep)
        if alone:
            return launch

        def watched() -> None:
            launch()
            variant.failed()
            trapped()
            self._look_later(variant)

        return watched

    def _check_values(self, values: list[Any]) -> None:
        for i, accepts, argument in self._slots:
            value = values[i]
            if argument.is_buffer and value is not None and not isinstance(value, (DeviceArray, np.ndarray)):
                adopted = self._variant.bound.device.adopt(argument.name, value, argument.written)
                value = value if adopted is None else adopted
            if isinstance(value, DeviceArray):
                values[i] = self._taken(argument, value)
            elif not accepts(value) and (value is not None or argument.result is None):
                values[i] = checks.convert(argument, value)

    def _taken(self, argument: Argument, value: DeviceArray) -> DeviceArray:
        """An array on a device as the argument takes it."""
        if value.device != self.device:
            here = f"'{self.entry.name}' runs on {self.device}"
            message = f"argument '{argument.name}' lies on {value.device}, and {here}"
            raise LaunchError(
                "launch-device", message, hint=f"pass {argument.name}.numpy(), or compile for that device"
            )
        if not argument.is_buffer:
            return checks.as_scalar(argument, value)
        element = dtypes.dtype(argument.dtype)
        if element.limbs:
            value = _joined(argument, value)
        checks.check_type(argument, value, element)
        if argument.strides is not None:
            checks.check_strides(argument, value)
        return value

    def _empty_on(self, device: Device) -> Callable[[Argument, tuple[int, ...]], Any]:
        """Return what makes the omitted outputs of a call with an array on the device: arrays there."""

        def empty(argument: Argument, shape: tuple[int, ...]) -> Any:
            element = dtypes.dtype(argument.dtype).numpy
            return on(device, shape, element) if min(shape, default=0) >= 0 else self._empty(argument, shape)

        return empty

    def _separated(self, argument: Argument, value: Any) -> Any:
        """Return a result as the caller has it: wide integers as their limbs."""
        if not isinstance(value, DeviceArray):
            return super()._separated(argument, value)
        return value.reshape(*value.shape, 1).view(np.uint64) if dtypes.dtype(argument.dtype).limbs else value

    def _check_arrays(self, values: Sequence[Any], fresh: set[int]) -> None:
        """Checks access and aliasing as on the processor: a program means the same on all devices."""
        if self._variant.bound.device.limits.index_bits == 32:
            self._check_sizes(values)
        hosted = [i for i in self._buffers if not isinstance(values[i], DeviceArray)]
        pointers = {i: checks.data_pointer(values[i]) if i in hosted else values[i].address for i in self._buffers}
        self._check_memory(self.entry, values, fresh, pointers, hosted)

    def _check_sizes(self, values: Sequence[Any]) -> None:
        """Refuse what an index of 32 bits can't hold: sizes, strides and places in arrays, numbers that are indices."""
        for argument, value in zip(self.entry.arguments, values, strict=True):
            if not argument.is_buffer:
                large = argument.dtype == "index" and not -INDICES <= value < INDICES
                what = f"is {value}"
            elif value.size >= INDICES:
                large, what = True, f"has {value.size} elements"
            else:
                # Strides are passed where arrays may have any; sizes may be large where another one is 0.
                steps = () if argument.strides is None else (n // value.itemsize for n in value.strides)
                most = max((*value.shape, sum((n - 1) * abs(s) for n, s in zip(value.shape, steps, strict=False))))
                large, what = most >= INDICES, f"has sizes or strides that reach {most}"
            if large:
                message = f"argument '{argument.name}' {what}, and an index has 32 bits on {self.device}"
                hint = "keep sizes, strides and indices below 2^31, or use another device"
                raise LaunchError("launch-index", message, hint=hint)

    def _start(self, variant: DeviceVariant, values: Sequence[Any], fresh: set[int]) -> dict[str, Array]:
        """Copies to the device, runs the program, and copies back what it wrote, before it trapped too.

        Class memory goes along as it is here now: views of it may have been written since the last call.
        """
        device, arguments, hidden = variant.bound.device, self.entry.arguments, self._hidden_arrays()
        waiting: list[Event] = []
        try:
            hosted = [i for i in self._buffers if not isinstance(values[i], DeviceArray)]
            staged = {i: _stage(device, values[i], arguments[i].strides is None) for i in hosted}
            shared = {name: _stage(device, array) for name, array in hidden.items()}
            sent = [*(one for i, one in staged.items() if i not in fresh), *shared.values()]
            waiting += [device.write(one.memory.address, one.whole) for one in sent]
            pointers = {i: staged[i].memory.address if i in staged else values[i].address for i in self._buffers}
            passed = [staged[i].shown if i in staged else value for i, value in enumerate(values)]
            variant.call(passed, pointers, {name: one.memory.address for name, one in shared.items()})
            self._look_later(variant)
            written = [one for i, one in staged.items() if arguments[i].written]
            written += [shared[name] for name, access in self.entry.shared.items() if access != "read"]
            waiting += [device.read(one.memory.address, one.whole) for one in written]
            while waiting:
                waiting.pop(0).wait()
            for one in written:
                one.finish()
            if staged or shared:
                settle(device)
            return hidden
        finally:
            # Copies may still be at work on the caller's arrays if something else failed.
            for event in waiting:
                event.wait()

    def _look_later(self, variant: DeviceVariant) -> None:
        """Has whoever reads results look whether the program trapped."""
        bound, entry = variant.bound, self.entry

        def look() -> None:
            if (record := bound.take_record()) is not None:
                raise_trap(entry, record)

        if bound.traps:
            bound.device.unchecked[bound] = look


def _joined(argument: Argument, value: DeviceArray) -> DeviceArray:
    """An array of limbs as one of wide integers in the same memory."""
    element = dtypes.dtype(argument.dtype)
    if value.dtype == element.numpy:
        return value
    checks.check_limbs(argument, value, element)
    return value.view(element.numpy).reshape(*value.shape[:-1])


def _stage(device: Device, value: Array, any_strides: bool = True) -> Staged:
    """Makes memory on the device for an array, and the bytes that go there, unless `any_strides` with its strides."""
    if any_strides or value.flags.c_contiguous:
        array = value if value.flags.c_contiguous else np.ascontiguousarray(value)
        whole = bytes_of(array)
    else:
        array, whole = _spread(value)
    return Staged(value, array, whole, Memory(device, whole.nbytes))


def _spread(value: Array) -> tuple[Array, memoryview]:
    """A copy of an array that has its strides, and the copy's bytes. Strides below 0 change their sign: an address that
    is given to a device has nothing before it."""
    strides = tuple(abs(step) for step in value.strides)
    last = sum((n - 1) * step for n, step in zip(value.shape, strides, strict=True))
    whole = np.empty(last + value.itemsize if value.size else 0, np.uint8)
    array: Array = np.ndarray(value.shape, value.dtype, whole.data, 0, strides)
    array[...] = value
    return array, whole.data
