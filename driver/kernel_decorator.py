"""`hologram.kernel`: a Python function as a kernel, compiled when it is first called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, overload

from hologram.errors import LaunchError, UsageError
from hologram.errors.arguments import checked, described
from hologram.frontend.kernels.model import texts, wrong_option
from hologram.runtime.devices import find_device
from hologram.support.exact_key import exact_key
from hologram.support.recent import Recent

if TYPE_CHECKING:
    from hologram.driver.source import Source
    from hologram.frontend.kernels.model import Document
    from hologram.runtime.launch.kernel import Kernel
    from hologram.runtime.launch.launch import LaunchConfig

KEPT = 128
"""How many choices of constants and element types a kernel keeps code for."""


class PythonKernel:
    """A Python function as a kernel: call it as the function, with arrays and numbers.

    It is compiled for a device at the first call there, for each choice of its constants and element types. Constants
    are given by name; element types are those of the arrays. `document` and `source` are what it is compiled from.
    """

    @checked
    def __init__(self, function: FunctionType, block: Sequence[int], lanes: Sequence[str], where: Sequence[str] = ()):
        self.function = function
        self.block = tuple(block)
        self.lanes = tuple(lanes)
        self.where = tuple(where)
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._document: Document | None = None
        self._compiled: Recent[Any, Kernel] = Recent(KEPT)
        self._called: dict[Any, Kernel] = {}
        self._elements: tuple[int, ...] | None = None

    def __get__(self, instance: Any, _: Any = None) -> PythonKernel:
        """Itself, also as an attribute of a class: by this `help` shows it as the function that it is called as."""
        return self

    def __repr__(self) -> str:
        lanes = f", lanes {', '.join(self.lanes)}" if self.lanes else ""
        devices = dict.fromkeys(str(kernel.device) for kernel in self._compiled)
        compiled = f", compiled for {', '.join(devices)}" if devices else ""
        return f"<hologram.kernel {self.__name__}({', '.join(self._parameters())}){lanes}{compiled}>"

    def _parameters(self) -> list[str]:
        """The parameters with their types as the function writes them."""
        function = self.function
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        types = {name: str(getattr(t, "hologram_word", t)) for name, t in function.__annotations__.items()}
        return [f"{name}: {types[name]}" if name in types else name for name in names]

    @property
    def document(self) -> Document:
        """The function as a kernel document. Raises InputError where it is no kernel."""
        if self._document is None:
            from hologram.frontend.kernels.python import Reader
            from hologram.frontend.kernels.scopes import helper

            self._document = Reader().document(helper(self.function), self.block, self.lanes, self.where)
        return self._document

    def source(self, **choices: Any) -> Source:
        """The document with its constants and element types (`N=64, T="f64"`), as `hologram.compile` takes it."""
        from hologram.driver.source import Source
        from hologram.frontend.kernels.choices import with_constants, with_types
        from hologram.frontend.kernels.document import write
        from hologram.support.recursion import deep_recursion

        types = {n: choices.pop(n) for n in self.document.types if n in choices}
        with deep_recursion():
            document = with_constants(with_types(self.document, types), choices)
        return Source("json", document.source, write(document, None).encode())

    def compile(self, device: str = "cpu", **choices: Any) -> Kernel:
        """The compiled kernel for a device, with the constants and element types that are named."""
        key = (device, *((name, exact_key(choices[name])) for name in sorted(choices)))
        try:
            known = self._compiled.get(key)
        except TypeError:  # A list, say: no choice is one, and reading the document tells which.
            self.source(**choices)
            find_device(device)
            raise
        if known is None:
            from hologram.driver.compiler import compile

            find_device(device)
            known = self._compiled.put(key, compile(self.source(**choices), device=device))
        return known

    def __call__(
        self,
        *args: Any,
        device: str = "cpu",
        config: LaunchConfig | None = None,
        timeout: float | None = None,
        **choices: Any,
    ) -> Any:
        """Runs the kernel. `config` is the shape of the launch, where the kernel does not say how many lanes it has.

        `timeout` is the most seconds that the launch may take; see `hologram.timeout`.
        """
        if config is None and not self.lanes:
            self._need_lanes(args)
        kernel = self._kernel_for(args, device, choices)
        if config is not None:
            return kernel.launch(*args, config=config, timeout=timeout).result
        return kernel(*args) if timeout is None else kernel(*args, timeout=timeout)

    def interpret(self, *args: Any, config: LaunchConfig | None = None, **choices: Any) -> None:
        """Run the kernel by the reference interpreter: it changes the arrays as a call does, by no code that is
        compiled."""
        from hologram.driver.interpreted import interpret_kernel
        from hologram.frontend.kernels.choices import picked

        if config is None and not self.lanes:
            self._need_lanes(args)
        interpret_kernel(self.source(**(picked(self.document, args) | choices)), self.__name__, args, config)

    def _need_lanes(self, args: Sequence[Any]) -> None:
        """Refuses a call that says nothing of lanes, which sizes of the grid behind the arguments do."""
        if len(args) <= len(self.document.kernel.params):
            message = f"nothing says how many lanes a launch of '{self.__name__}' has"
            hint = 'write @hologram.kernel(lanes="len(x)"), or call it with config=hologram.LaunchConfig.linear(n)'
            raise LaunchError("launch-lanes", message, hint=hint)

    def _kernel_for(self, args: Sequence[Any], device: str, choices: dict[str, Any]) -> Kernel:
        """The kernel for the types of the arguments."""
        if self._elements is None:
            from hologram.frontend.kernels.choices import elements

            self._elements = elements(self.document)
        given = tuple(getattr(args[n], "dtype", None) for n in self._elements if n < len(args))
        key = (device, given, *((name, exact_key(choices[name])) for name in sorted(choices)))
        try:
            known = self._called.get(key)
        except TypeError:
            return self.compile(device, **choices)
        if known is not None:
            return known
        from hologram.frontend.kernels.choices import picked

        if len(self._called) >= KEPT:
            self._called.clear()
        compiled = self._called[key] = self.compile(device, **(picked(self.document, args) | choices))
        return compiled


@overload
def kernel(function: Callable[..., Any], /) -> PythonKernel: ...
@overload
def kernel(
    *, lanes: str | Sequence[str] = (), block: int | Sequence[int] = 256, where: str | Sequence[str] = ()
) -> Callable[[Callable[..., Any]], PythonKernel]: ...
@checked
def kernel(
    function: Any = None,
    /,
    *,
    lanes: str | Sequence[str] = (),
    block: int | Sequence[int] = 256,
    where: str | Sequence[str] = (),
) -> PythonKernel | Callable[[Callable[..., Any]], PythonKernel]:
    """Makes a kernel of a Python function: what one lane does.

    `lanes` says how many lanes a launch has, along each axis: expressions over the parameters, such as "n" or
    "y.shape[0]". Without it each call has a `config`. `block` are the lanes of a block.
    `where` are comparisons of sizes, such as "x.shape[0] == y.shape[0]", which each launch checks first.

    Example::

        @hologram.kernel(lanes="y.shape[0]")
        def saxpy(a: f32, x: Array[f32], y: Array[f32]):
            i = get_global_id()
            if i < y.shape[0]:
                y[i] = a * x[i] + y[i]
    """
    if function is not None and not isinstance(function, FunctionType):
        message = f"{described(function)} is no function"
        raise UsageError("kernel-decorator", message, hint="write @hologram.kernel before 'def'")
    for name, given in (("lanes", lanes), ("block", block), ("where", where)):
        if (wrong := wrong_option(name, given)) is not None:
            hint = 'write @hologram.kernel(lanes="len(x)", block=256)'
            raise UsageError("kernel-option", wrong, hint=hint)
    sizes = (block, 1, 1) if isinstance(block, int) else tuple(block)

    def made(function: Any) -> PythonKernel:
        if not isinstance(function, FunctionType):
            message = f"{described(function)} is no function that 'def' makes"
            raise UsageError("kernel-function-kind", message, hint="put @hologram.kernel(...) before a 'def'")
        return PythonKernel(function, sizes, texts(lanes), texts(where))

    return made if function is None else made(function)
