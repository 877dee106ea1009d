"""The callable on numpy arrays that `hologram.compile` gives.

It is called through compiled code. What only calls need that this leaves to Python, in `python_call`, is loaded with
the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from hologram.errors import ArgumentError
from hologram.runtime.launch import launcher
from hologram.runtime.launch.launch_table import build as build_table
from hologram.support import forks

if TYPE_CHECKING:
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.entry import Argument, Entry
    from hologram.runtime.launch.launch import Launch, LaunchConfig
    from hologram.runtime.launch.launch_table import LaunchTable
    from hologram.runtime.launch.python_call import PythonCall
    from hologram.runtime.memory.class_memory import ClassMemory

Strided = Callable[[str], "tuple[Entry, CpuModule]"]
"""Gives the code for arrays of any strides; its argument is the name of the one that asks for it."""


class Kernel:
    """A compiled program: call it with numpy arrays and scalars in the order of its signature.

    Arrays of other libraries do as well, if they lie in main memory and know DLPack, the buffer protocol or
    `__array_interface__`: the kernel works on their memory.

    Outputs whose shape follows from the other arguments may be omitted: they are allocated and returned (one array, or
    a tuple). `out=` gives an array, or a tuple of them, to write to instead. All other arrays that the program writes
    are changed in place; if nothing else comes out, the call returns None.
    """

    __slots__ = ("_call", "_classes", "_entry", "_make_strided", "_module", "_table", "device", "__weakref__")

    def __init__(
        self, entry: Entry, module: CpuModule, device: str, strided: Strided, classes: ClassMemory | None = None
    ):
        self.device = device
        """The device it runs on."""
        self._classes = classes
        self._entry = entry
        self._module = module
        self._make_strided = strided
        self._table: LaunchTable | None = None
        self._call: PythonCall | None = None

    @property
    def classes(self) -> ClassMemory:
        """The class memory that its programs reach: that of its executor."""
        if self._classes is None:
            from hologram.runtime.memory.class_memory import ClassMemory

            self._classes = ClassMemory.of_default(self.device)
        return self._classes

    @property
    def name(self) -> str:
        """The entry's name."""
        return self._entry.name

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments in order; outputs that may be omitted have a `result`."""
        return self._entry.arguments

    @property
    def signature(self) -> str:
        """`main(a: f32[?x4]) -> (c: f32[?x4])`."""
        return self._entry.signature

    def __repr__(self) -> str:
        return f"<hologram.Kernel {self.signature} on {self.device}>"

    def __call__(self, *args: Any, out: Any = None, timeout: float | None = None, **named: Any) -> Any:
        """Runs the program; see the class. What its lanes add to R is lost: `launch` gives it.

        `timeout` is the most seconds that it may take; see `hologram.timeout`.
        """
        if named:
            self._refuse_names(named)
        if timeout is None:
            return self._in_python().run(args, out).result
        from hologram.runtime.launch import watch

        with watch.timeout(timeout):
            return self(*args) if out is None else self(*args, out=out)

    def _refuse_names(self, named: Mapping[str, Any]) -> NoReturn:
        message = f"'{self.name}' takes its arguments by their places, and is given '{next(iter(named))}' by its name"
        raise ArgumentError("launch-named", message, hint=f"its signature is {self.signature}")

    def launch(
        self, *args: Any, config: LaunchConfig | None = None, out: Any = None, timeout: float | None = None
    ) -> Launch:
        """Runs the program as a call does, and gives R beside the result.

        `config` is the shape of the launch, for a lane program without a host function: the arguments are then those of
        the program alone. Raises a LaunchError where the program fixes other sizes. `timeout` is as that of a call.
        """
        if timeout is not None:
            from hologram.runtime.launch import watch

            with watch.timeout(timeout):
                return self.launch(*args, config=config, out=out)
        call = self._in_python()
        return call.run(args, out) if config is None else call.launch(args, config, out)

    def _in_python(self) -> PythonCall:
        if self._call is None:
            from hologram.runtime.launch.python_call import PythonCall

            self._call = PythonCall(self._entry, self._module, self.classes, self._make_strided)
        return self._call


def make_kernel(
    entry: Entry, module: CpuModule, device: str, strided: Strided, classes: ClassMemory | None = None
) -> Kernel:
    """A kernel that is called through compiled code where that is possible, and through Python where it is not."""
    # Code that lacks the function is refused here, not when it is called.
    module.address(entry.symbol)
    plain = Kernel(entry, module, device, strided, classes)
    if entry.packed is None or not launcher.fitting():
        return plain
    table = build_table(entry, module.address(entry.packed), 0 if entry.classes is None else plain.classes.address)
    if table is None:
        return plain
    kernel: Kernel = _launcher().type(entry, module, device, strided, plain._classes)  # pyright: ignore
    kernel._table = table  # pyright: ignore[reportPrivateUsage]
    if entry.unbounded:
        from hologram.runtime.launch.watch import watch

        watch()
    _launcher().bind(kernel, table.address)
    return kernel


@forks.once
def _launcher() -> launcher.Launcher:
    return launcher.Launcher(Kernel, Kernel.__call__, _trapped, launcher.code())


def _trapped(kernel: Kernel, record: bytes) -> NoReturn:
    """Raise the error of a trap; the compiled launcher calls it."""
    from hologram.runtime.launch.trap_values import raise_trap

    entry = kernel._entry  # pyright: ignore[reportPrivateUsage]
    raise_trap(entry, memoryview(record).cast("q").tolist())
