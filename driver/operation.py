"""`hologram.operation`: a named operation from a circuit or a function, with constraints that each call is held to."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, cast, overload

from hologram.errors import HologramError, UsageError
from hologram.errors.arguments import checked, described
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import Extent, extent
from hologram.frontend.tensors.trace.support import brought, settled, shown, together, trace
from hologram.frontend.tensors.trace.trace import Traced, current

if TYPE_CHECKING:
    from hologram.frontend.circuits.steps import ClassProgram, ClassStep
    from hologram.frontend.kernels.outside import Helper


class Operation:
    """A named operation: call it in tensor functions, on arrays at once, and in kernels on numbers and arrays.

    `circuit` is what it computes, or else its function is; `constraints` are what must hold of its arguments.
    """

    @checked
    def __init__(
        self, function: FunctionType, circuit: str | None, constraints: Sequence[str], outputs: Sequence[int] | None
    ):
        self.function = function
        self.circuit = circuit
        self.constraints = tuple(constraints)
        self.outputs = outputs
        self.name = self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._signature = inspect.signature(function)
        self._checks = [(text, _compiled(text, self.name)) for text in constraints]

    def __repr__(self) -> str:
        of = "" if self.circuit is None else f" {self.circuit}"
        return f"<hologram.operation {self.name}{of}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what it gives for tensors, or at once for arrays."""
        if current() is None:
            return self._at_once(*args, **kwargs)
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            fault("operation-call", f"'{self.name}' can't be called so: {error}")
        bound.apply_defaults()
        for text, check in self._checks:
            self._hold(text, check, bound.arguments)
        if self.circuit is None:
            return self.function(*bound.args, **bound.kwargs)
        return self._run(list(bound.arguments.values()))

    @functools.cached_property
    def _at_once(self) -> Callable[..., Any]:
        from hologram.driver.jit import TensorFunction

        return TensorFunction(self)

    # Constraints

    def _hold(self, text: str, check: CodeType, arguments: Mapping[str, Any]) -> None:
        names: dict[str, Any] = {**self.function.__globals__, "len": _length, **arguments}
        try:
            holds = eval(check, names)
        except HologramError:
            raise
        except Exception as error:
            fault("operation-constraint-error", f"the constraint '{text}' of '{self.name}' can't be told: {error}")
        if isinstance(holds, Traced):
            fault(
                "operation-constraint-values", f"the constraint '{text}' of '{self.name}' asks for values of tensors",
                "constraints are over shapes, types and integers",
            )  # fmt: skip
        if not holds:
            values = ", ".join(f"'{name}' is {_told(value)}" for name, value in arguments.items())
            fault("operation-constraint", f"the constraint '{text}' of '{self.name}' does not hold: {values}")

    # Circuits

    @functools.cached_property
    def _program(self) -> ClassProgram:
        from hologram.frontend.circuits.steps import class_program

        count = len(self._signature.parameters)
        return class_program(self.circuit or "", count, self.outputs, f"<circuit of {self.name}>")

    def _run(self, arguments: Sequence[Any]) -> Any:
        classes: dict[int, Traced] = dict(enumerate(brought(*arguments, kind="number")))
        for step in self._program.steps:
            values = _step(step, [classes[number] for number in step.ins])
            classes.update(zip(step.outs, values, strict=True))
        results = [classes[number] for number in self._program.outputs]
        return results[0] if len(results) == 1 else tuple(results)

    def kernel_helper(self) -> Helper:
        """The function that kernels call."""
        from hologram.frontend.kernels.operations import as_operation
        from hologram.frontend.kernels.scopes import helper

        return as_operation(helper(self.function), self.circuit, self.constraints, self.outputs)


def _step(step: ClassStep, values: Sequence[Traced]) -> Sequence[Traced]:
    """An operation of a circuit on tensors, by the scalar instruction that it is on tiles."""
    if step.instruction in ("copy", "swap"):
        return values
    tensors, sizes = together(values)
    dtype = tensors[0].dtype
    name = "parallel_map" if len(tensors) == 1 else "parallel_map_binary"
    return [trace().add(f"atlas.{name}", tensors, dtype, sizes, head=f"{step.instruction} {dtype}")]


def _compiled(text: str, name: str) -> CodeType:
    try:
        return compile(text.strip(), f"<constraint of {name}>", "eval")
    except SyntaxError:
        raise UsageError(
            "operation-constraint-syntax", f"the constraint '{text}' of '{name}' is no expression",
            hint="it is one of Python over the parameters, such as 'len(a) == len(b)'",
        ) from None  # fmt: skip


def _length(value: Any) -> Any:
    """The length of a tensor, which stays unknown."""
    return extent(value.trace, value.sizes[0]) if getattr(value, "sizes", ()) else len(value)


def _told(value: Any) -> str:
    if isinstance(value, Traced):
        return f"{value.dtype} of shape {shown(settled(value))}"
    return str(value.trace.facts.value(value.size)) if isinstance(value, Extent) else repr(value)


@overload
def operation(function: Callable[..., Any], /) -> Operation: ...
@overload
def operation(
    *, circuit: Any = None, constraints: str | Sequence[str] = (), outputs: int | Sequence[int] | None = None
) -> Callable[[Callable[..., Any]], Operation]: ...
@checked
def operation(
    function: Any = None,
    /,
    *,
    circuit: Any = None,
    constraints: str | Sequence[str] = (),
    outputs: int | Sequence[int] | None = None,
) -> Operation | Callable[[Callable[..., Any]], Operation]:
    """Makes a named operation of a function, for tensor functions and kernels alike.

    `circuit` is what it computes, element by element: a text, or a row of `hologram.sigil.library()`. The parameters
    are classes 0, 1, ..., and the result is the class behind them, or `outputs`. Without a circuit the function's body
    says what it computes. `constraints` are expressions over the parameters, which hold or refuse a call.

    Example::

        @hologram.operation(circuit="merge.add@c00[c01,c02]", constraints=["len(a) == len(b)"])
        def vector_add(a, b):
            '''a + b'''
    """
    text = getattr(circuit, "text", circuit)
    if text is not None and not isinstance(text, str):
        raise UsageError("operation-circuit", f"a circuit is a text, not '{type(circuit).__name__}'")
    given = getattr(circuit, "outputs", None) if outputs is None else outputs
    numbers = None if given is None else (given,) if isinstance(given, int) else tuple(cast("Sequence[int]", given))
    checks = (constraints,) if isinstance(constraints, str) else tuple(constraints)

    def made(function: Callable[..., Any]) -> Operation:
        if not isinstance(function, FunctionType):
            raise UsageError("operation-decorator", f"{described(function)} is no function", hint="put it before 'def'")
        return Operation(function, text, checks, numbers)

    return made if function is None else made(function)
