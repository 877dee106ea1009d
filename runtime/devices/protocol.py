"""The protocol of device modules, by which the runtime speaks with every device but the processor itself.

A module `runtime/devices/NAME.py`, or a plugin's, has two functions: `count()` says how many devices of its kind there
are, and `open_device(number)` gives a `Device`. Both raise a DeviceError that says what is wrong and what would help.

A compiled program is one object: host code for this machine and, in it, code for the device. The runtime loads the host
code with the functions of `HOST_FUNCTIONS` from `Device.functions`, and hands the device code to `Device.load`. The
`DeviceProgram` that comes back has a `context`, a number that the host code passes to each of those functions:

    void hologram_device_launch(int64_t context, int32_t kernel, int64_t gx, int64_t gy, int64_t gz,
                                int64_t bx, int64_t by, int64_t bz, int64_t shared_bytes, void **arguments);
    int64_t hologram_device_alloc(int64_t context, int64_t bytes);
    void hologram_device_free(int64_t context, int64_t address);
    void hologram_device_copy(int64_t context, int64_t target, int64_t source, int64_t bytes);
    int64_t hologram_device_read(int64_t context, int64_t address, int64_t bytes);

`arguments` are pointers to the values of the kernel's arguments, in order, as `cuLaunchKernel` takes them. Addresses
are opaque to the host code but for sums: `address + n` is n bytes behind `address` in the same allocation. To read
gives up to eight bytes as they lie there, others 0, when all that was asked before is done; 0 when a kernel has
trapped, so that a loop which goes on as long as a value holds ends. None of the
functions raises: what fails is kept in the program, what follows does nothing, and the runtime takes the failure with
`DeviceProgram.take_error` when the host code has returned. Devices that Python drives derive from
`hologram.runtime.devices.callbacks.CallbackDevice`, which has these functions.

Everything that a device is asked to do happens in the order in which it was asked, as far as anyone can see: a read
gives what the writes and launches before it left.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hologram.errors import DeviceError
from hologram.runtime.devices import failures
from hologram.support import forks

LAUNCH, ALLOC, FREE, COPY, READ = (f"hologram_device_{n}" for n in ("launch", "alloc", "free", "copy", "read"))
HOST_FUNCTIONS = (LAUNCH, ALLOC, FREE, COPY, READ)
"""What host code of device programs calls."""
CONTEXT = "hologram_device_context"
"""The global of the host code that holds the context."""
CODE = "hologram_device_code"
"""The global of the host code that holds the code for the device."""
TRAP_BYTES = 64
"""Of a trap record: eight 64-bit integers. Where the role of an argument is `trap`, the host code's pointer is replaced
by that of the trap record on the device."""


@dataclass(frozen=True)
class KernelArgument:
    """One argument of a kernel."""

    kind: str
    """`buffer` (an address), `scalar`, or `map` (a tensor map of CUDA, which host code makes)."""
    dtype: str
    access: str = "read"
    """Of a buffer: `read`, `write` or `readwrite`."""
    role: str | None = None
    """Of a buffer that no caller passes: `trap`, `classes` or `resonance`."""
    joined: bool = False
    """Of a buffer: whether the kernel takes it in one buffer with others (join-buffers)."""

    @property
    def is_buffer(self) -> bool:
        """True if it is an address."""
        return self.kind == "buffer"


@dataclass(frozen=True)
class KernelInfo:
    """One kernel of the device code, as the entry record describes it. Its number is its place in the list."""

    name: str
    block: tuple[int, int, int] | None
    """The block's size where the code fixes it."""
    shared: int
    """Bytes of workgroup memory that it declares."""
    arguments: tuple[KernelArgument, ...]

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> KernelInfo:
        """Read an object of the entry record."""
        block = data.get("block")
        arguments = tuple(
            KernelArgument(a["kind"], a["dtype"], a.get("access", "read"), a.get("role"), a.get("joined", False))
            for a in data["arguments"]
        )
        return KernelInfo(data["name"], None if block is None else tuple(block), data.get("shared", 0), arguments)


@dataclass(frozen=True)
class Limits:
    """The limits of a device, as it says itself. Programs are made for them, and launches held against them."""

    threads: int
    """The most lanes of a block."""
    block: tuple[int, int, int]
    """The most lanes of a block along x, y and z."""
    grid: tuple[int, int, int]
    """The most blocks along x, y and z. A device that splits larger launches by itself says what it takes in parts."""
    shared: int
    """The most bytes of workgroup memory."""
    memory: int
    """All its bytes; 0 if it does not say."""
    allocation: int
    """The most bytes of one allocation."""
    binding: int
    """The most bytes that a kernel can reach through one argument."""
    index_bits: int = 64
    """The bits of `index` in its kernels."""
    subgroup: int = 0
    """The lanes of a subgroup (warp); 0 if it does not say."""
    features: frozenset[str] = field(default_factory=frozenset[str])
    """What it has of: f16 f64 i8 i16 i64 atomics64 subgroups fma (types that kernels compute with, i8 and i16 as what
    they can store)."""


class Event(ABC):
    """A point in a device's work: reached when everything asked before it is done. It can be awaited."""

    @abstractmethod
    def wait(self) -> None:
        """Returns when it is reached; raises the DeviceError of what failed before it."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """True if it is reached."""

    def elapsed(self, since: Event) -> float:
        """The seconds of the device between two events that are reached, where it keeps time."""
        raise DeviceError("device-no-clock", "this device does not time its work", hint="time around a read instead")

    def __await__(self) -> Generator[Any, None, None]:
        import asyncio

        if not self.done:
            yield from asyncio.to_thread(self.wait).__await__()


class Done(Event):
    """An event that is reached already: of devices that do everything at once."""

    def wait(self) -> None:
        """Returns."""

    @property
    def done(self) -> bool:
        """True."""
        return True


@dataclass(frozen=True)
class Recording:
    """A C function that does again what host code asked for once, and the words that it takes the address of."""

    function: int
    words: Any


class DeviceProgram(ABC):
    """Device code that is loaded."""

    context: int
    """What the host code passes to the functions of its device."""
    status = 0
    """The address of a 64-bit word that is not 0 while a failure is kept; 0 if the device has no such word."""

    @abstractmethod
    def take_error(self) -> BaseException | None:
        """Return what failed in a host function since this was asked last; whatever was asked after it was not done."""

    def record(self, function: int, words: Any) -> Recording | None:
        """Record what the host code's C function at an address asks for, given the address of `words`, to be asked for
        again at less cost. Nothing is done now. None if there is no such way, or not for this program."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Unloads it. Doing so again does nothing."""


class Device(ABC):
    """One device. Its methods may be called from any thread, one after the other: who calls them holds `lock`."""

    name: str
    """As users call it: `cuda:0`."""
    title: str
    """What it is: `NVIDIA H200`."""
    version: str
    """Of its driver, for `hologram-doctor`."""
    is_gpu: bool
    """Whether `auto` may choose it: False for devices that are this machine's processor under another name."""
    limits: Limits

    def __init__(self) -> None:
        self.lock = forks.rlock()
        self.is_lost = False
        """Whether it is gone, with what was on it: set before a `device-lost` error is raised. The runtime then opens
        it anew when it is used next."""
        self.unchecked: dict[object, Callable[[], None]] = {}
        """The runtime's: by program, what looks whether it trapped, and is called before results are read."""

    def check_open(self) -> None:
        """Raise an error if the device is lost."""
        if self.is_lost:
            raise failures.lost(self.name, "it was closed, or failed before")

    @property
    @abstractmethod
    def functions(self) -> Mapping[str, int]:
        """The addresses of `HOST_FUNCTIONS`, by name."""

    @property
    def options(self) -> Mapping[str, str]:
        """Options of the pipeline to this device, such as `arch`: what code depends on beside the kind of device."""
        return {}

    def will_compile(self) -> None:  # noqa: B027  # most devices have nothing to do ahead
        """Called before a program is lowered for it: what its code generator loads can be loaded meanwhile."""

    @abstractmethod
    def load(self, code: bytes, kernels: Sequence[KernelInfo], trap: int) -> DeviceProgram:
        """Loads device code. `trap` is the address of its trap record on the device (0 if no kernel has one).

        Raises a DeviceError with the device compiler's words if it refuses the code.
        """

    def adopt(self, name: str, value: Any, written: bool) -> Any:
        """A `DeviceArray` over an array of another library that lies on this device, the argument called `name`.

        None if it is none. `written` says whether the program writes it.
        """
        return None

    @abstractmethod
    def allocate(self, nbytes: int) -> int:
        """The address of new memory, aligned to 256 bytes; of 0 bytes too it is not 0. A DeviceError if it is full."""

    @abstractmethod
    def free(self, address: int) -> None:
        """Gives memory back; work that was asked for before may still use it."""

    @abstractmethod
    def write(self, address: int, data: memoryview) -> Event:
        """Copies bytes to the device. `data` may be changed when the event is reached."""

    @abstractmethod
    def read(self, address: int, data: memoryview) -> Event:
        """Copies bytes from the device. They are there when the event is reached."""

    @abstractmethod
    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies bytes within the device; the two ranges do not overlap."""

    @abstractmethod
    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Sets bytes to a value from 0 to 255."""

    @abstractmethod
    def record(self) -> Event:
        """An event behind everything that was asked so far."""

    def synchronize(self) -> None:
        """Returns when everything that was asked is done."""
        self.record().wait()

    @abstractmethod
    def trim(self) -> None:
        """Gives memory that is kept for later allocations back to the system."""

    @abstractmethod
    def close(self) -> None:
        """Frees everything. The device can't be used any more."""


class DeviceModule(Protocol):
    """A module of a kind of devices."""

    def count(self) -> int:
        """Return the number of devices here."""
        ...

    def open_device(self, number: int) -> Device:
        """The device with a number from 0."""
        ...


def _fit(sizes: Sequence[int], limits: Sequence[int]) -> bool:
    return all(0 <= n <= most for n, most in zip(sizes, limits, strict=True))


def check_launch(
    limits: Limits, kernel: KernelInfo, device: str, grid: Sequence[int], block: Sequence[int], shared: int
) -> None:
    """Raises a DeviceError if a launch goes beyond the limits of a device."""
    if kernel.block is not None and tuple(block) != kernel.block:
        message = f"kernel '{kernel.name}' is made for blocks of {kernel.block} lanes and launched with {tuple(block)}"
        raise DeviceError("device-block-differs", message, hint="this is a fault of the compiler: report it")
    text = "x".join(map(str, block))
    if math.prod(block) > limits.threads or not _fit(block, limits.block):
        most = "x".join(map(str, limits.block))
        message = f"kernel '{kernel.name}' has blocks of {text} lanes; {device} takes {limits.threads}, at most {most}"
        raise DeviceError("device-block", message, hint="launch smaller blocks, and more of them")
    if not _fit(grid, limits.grid):
        most = "x".join(map(str, limits.grid))
        message = f"kernel '{kernel.name}' asks for a grid of {'x'.join(map(str, grid))} blocks; {device} takes {most}"
        raise DeviceError("device-grid", message, hint="launch parts of it one after another, or larger blocks")
    if shared > limits.shared:
        message = f"kernel '{kernel.name}' asks for {shared} bytes of shared memory; {device} has {limits.shared}"
        raise DeviceError("device-shared", message, hint="use smaller tiles or shared arrays")
