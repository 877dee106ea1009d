"""Devices that Python drives: the functions that host code calls, as C functions that lead back into Python."""

from __future__ import annotations

import ctypes
import itertools
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from hologram.runtime.devices.protocol import (
    ALLOC,
    COPY,
    FREE,
    LAUNCH,
    READ,
    Device,
    DeviceProgram,
    KernelArgument,
    KernelInfo,
    check_launch,
)
from hologram.runtime.native import address_of
from hologram.support.hidden import TRAP
from hologram.support.promotion import bytes_of

MOST_KNOWN = 256
"""The launches that a program keeps to repeat them, and the sizes of launches that it knows to be within the limits."""

Again = Callable[[], None]
"""What starts a kernel as it was started before."""

_words = ctypes.c_int64
_LAUNCH = ctypes.CFUNCTYPE(None, _words, ctypes.c_int32, *[_words] * 7, ctypes.c_void_p)
_ALLOC = ctypes.CFUNCTYPE(_words, _words, _words)
_FREE = ctypes.CFUNCTYPE(None, _words, _words)
_COPY = ctypes.CFUNCTYPE(None, _words, _words, _words, _words)
_READ = ctypes.CFUNCTYPE(_words, _words, _words, _words)

_numbers = itertools.count(1)
PROGRAMS: dict[int, HostProgram] = {}
"""The programs that host code can call, by their contexts."""


class HostProgram(Protocol):
    """A loaded program as host functions in Python see it."""

    device: Any
    trap: int
    """The address of the trap record; 0 without one."""

    def attempt(self, do: Callable[..., int | None], *args: Any, always: bool = False) -> int:
        """Runs a host function, unless one before it failed or it is to run `always`; a failure is kept."""
        ...


@dataclass(slots=True)
class Dispatch:
    """A launch of one kernel, within the limits of the device."""

    program: CallbackProgram
    number: int
    """The kernel's place in the program."""
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    """Bytes of workgroup memory, beside what the kernel declares."""
    values: Sequence[int | bytes]
    """Of the kernel's arguments: addresses for buffers, and the bytes of scalars."""

    @property
    def kernel(self) -> KernelInfo:
        """The description of the kernel."""
        return self.program.kernels[self.number]


@dataclass(frozen=True, slots=True)
class Known:
    """A launch that can be repeated as long as what lies at its addresses is the same."""

    addresses: Sequence[int]
    found: Sequence[object]
    """What lay there."""
    again: Again


class CallbackProgram(DeviceProgram):
    """Device code of a device that Python drives: `code` is whatever the device made of it."""

    def __init__(self, device: CallbackDevice, kernels: Sequence[KernelInfo], trap: int, code: Any):
        self.device = device
        self.kernels = tuple(kernels)
        self.code = code
        self.trap = trap
        self.context = next(_numbers)
        self._error: BaseException | None = None
        self._checked: set[tuple[Any, ...]] = set()
        """Sizes of launches that were within the limits."""
        self._known: dict[tuple[Any, ...], Known] = {}
        """By sizes and values."""
        self._readers = [tuple(_reader(argument) for argument in kernel.arguments) for kernel in kernels]
        PROGRAMS[self.context] = self

    def take_error(self) -> BaseException | None:
        """Return what failed in a host function since this was asked last."""
        error, self._error = self._error, None
        return error

    def close(self) -> None:
        """Unloads it."""
        if PROGRAMS.pop(self.context, None) is not None:
            self.device.unload(self)

    def attempt(self, do: Callable[..., int | None], *args: Any, always: bool = False) -> int:
        """Runs a host function, unless one before it failed or it is to run `always`; a failure is kept."""
        if self._error is not None and not always:
            return 0
        try:
            return do(*args) or 0
        except BaseException as error:  # Ctrl-C too: it is raised again when the host code has returned.
            self._error = self._error or error
            return 0

    def launch(self, number: int, grid: tuple[int, ...], block: tuple[int, ...], shared: int, arguments: int) -> None:
        """Reads the arguments where they lie, and has the device start the kernel."""
        if not all(grid) or not all(block):
            return
        readers = self._readers[number]
        places = (ctypes.c_void_p * len(readers)).from_address(arguments)
        values = [self.trap if read is None else read(place) for read, place in zip(readers, places, strict=True)]
        key = (number, grid, block, shared, *values)
        known = self._known.get(key)
        if known is not None and [*map(self.device.live.get, known.addresses)] == known.found:
            known.again()
            return
        self._check(number, grid, block, shared)
        again = self.device.launch(Dispatch(self, number, grid, block, shared, values))
        if again is not None:
            self._keep(key, [value for value in values if isinstance(value, int)], again)

    def _check(self, number: int, grid: tuple[int, ...], block: tuple[int, ...], shared: int) -> None:
        """Raises an error if a launch is beyond the limits."""
        sizes = (number, grid, block, shared)
        if sizes in self._checked:
            return
        kernel = self.kernels[number]
        check_launch(self.device.limits, kernel, self.device.name, grid, block, kernel.shared + shared)
        if len(self._checked) >= MOST_KNOWN:
            self._checked.clear()
        self._checked.add(sizes)

    def _keep(self, key: tuple[Any, ...], addresses: Sequence[int], again: Again) -> None:
        live = [self.device.live.get(address) for address in addresses]
        if None in live:
            return
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[key] = Known(addresses, live, again)


def _reader(argument: KernelArgument) -> Callable[[int], int | bytes] | None:
    """Return what reads an argument where it lies, as an address or bytes; None where no caller passes it."""
    if argument.role == TRAP:
        return None
    if argument.is_buffer:
        return lambda place: ctypes.c_uint64.from_address(place).value
    size = bytes_of(argument.dtype)
    return lambda place: ctypes.string_at(place, size)


class CallbackDevice(Device):
    """The base of devices that Python drives; they have `start` beside what `Device` asks for."""

    @property
    def functions(self) -> Mapping[str, int]:
        """The addresses of the C functions."""
        return host_addresses()

    live: Mapping[int, object] = {}
    """By address, what is known of the memory in use that begins there: the same as long as it is the same memory. A
    launch with addresses that are none of these is not repeated."""

    @abstractmethod
    def start(self, dispatch: Dispatch) -> Again | None:
        """Starts a kernel. Gives what does so again, if the device has something to gain by it."""

    def launch(self, dispatch: Dispatch) -> Again | None:
        """Do what host code asks for: `start`, and what the device needs around it."""
        return self.start(dispatch)

    def unload(self, program: CallbackProgram) -> None:
        """Lets go of a program's code."""


def _launch(
    context: int, kernel: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int, shared: int, arguments: int | None
) -> None:
    program = cast("CallbackProgram", PROGRAMS[context])
    program.attempt(program.launch, kernel, (gx, gy, gz), (bx, by, bz), shared, arguments or 0)


def _alloc(context: int, nbytes: int) -> int:
    program = PROGRAMS[context]
    return program.attempt(program.device.allocate, nbytes)


def _free(context: int, address: int) -> None:
    program = PROGRAMS[context]
    if address:
        # What was allocated before a failure is given back all the same.
        program.attempt(program.device.free, address, always=True)


def _copy(context: int, target: int, source: int, nbytes: int) -> None:
    program = PROGRAMS[context]
    program.attempt(program.device.copy, target, source, nbytes)


def _read(context: int, address: int, nbytes: int) -> int:
    program = PROGRAMS[context]
    return program.attempt(_word_at, program, address, nbytes)


def _word_at(program: HostProgram, address: int, nbytes: int) -> int:
    """Return the bytes at an address as a number; 0 where a kernel of the program has trapped."""
    trap, word = ctypes.c_int64(), ctypes.c_int64()
    if program.trap:
        program.device.read(program.trap, memoryview(trap).cast("B")).wait()
    if not trap.value:
        program.device.read(address, memoryview(word).cast("B")[:nbytes]).wait()
    return word.value


_FUNCTIONS: dict[str, Any] = {
    LAUNCH: _LAUNCH(_launch), ALLOC: _ALLOC(_alloc), FREE: _FREE(_free), COPY: _COPY(_copy), READ: _READ(_read)
}  # fmt: skip


def host_addresses() -> dict[str, int]:
    """Return the addresses of the host functions that lead into Python, by name."""
    return {name: address_of(function) for name, function in _FUNCTIONS.items()}
