"""What launches of a kernel check first: comparisons of sizes, in the words of the entry record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from hologram.dialects.atlas.types import DTYPES
from hologram.frontend.kernels import model
from hologram.frontend.kernels.building import Program
from hologram.frontend.kernels.values import Number

_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_OPERATORS = ("+", "-", "*", "//", "%")


class Conditions:
    """Writes conditions of a kernel: `a.shape[1] == b.shape[0]` is `a[1] == b[0]` in the entry record."""

    def __init__(self, program: Program, params: Sequence[model.Parameter], known: Mapping[str, Number]):
        self.program = program
        self.params = {p.name: p.type for p in params}
        self.known = known

    def of(self, e: model.Expression) -> list[str]:
        """The comparisons that a condition is."""
        match e:
            case model.Binary(op="and"):
                return [*self.of(e.left), *self.of(e.right)]
            case model.Binary(op=op) if op in _COMPARE:
                return [f"{self._size(e.left)} {op} {self._size(e.right)}"]
            case _:
                self._fault(e)

    def _size(self, e: model.Expression) -> str:
        match e:
            case model.LiteralValue(value=int(value)):
                return str(int(value))
            case model.Var(name=name) if name in self.known:
                return str(int(self.known[name]))
            case model.Var(name=name):
                return self._scalar(e)
            case model.Binary(op=op) if op in _OPERATORS:
                return f"({self._size(e.left)} {op} {self._size(e.right)})"
            case model.Call(function="dim", arguments=[model.Var() as array, *axes]):
                return self._axis(array, axes)
            case model.Conditional(condition=model.Var(name=name)) if name in self.known:
                return self._size(e.then if self.known[name] else e.otherwise)
            case _:
                self._fault(e)

    def _scalar(self, e: model.Var) -> str:
        type = self.params.get(e.name)
        if not isinstance(type, model.Scalar) or type.dtype not in DTYPES or not DTYPES[type.dtype].is_integer:
            self._fault(e)
        return e.name

    def _axis(self, array: model.Var, axes: Sequence[model.Expression]) -> str:
        type = self.params.get(array.name)
        axis = axes[0].value if axes and isinstance(axes[0], model.LiteralValue) else 0
        if not isinstance(type, model.DeviceArray) or not isinstance(axis, int) or not 0 <= axis < type.rank:
            self._fault(array)
        return f"{array.name}[{axis}]"

    def _fault(self, e: model.Expression) -> NoReturn:
        self.program.fault(
            "kernel-where", e.at, "this is no comparison of sizes that a launch can check",
            "it compares numbers, integer parameters, constants and sizes of arrays, with + - * // and %",
        )  # fmt: skip
