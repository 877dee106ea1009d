"""Sizes of launches: expressions over the parameters of a kernel that the host computes.

What launches of a kernel check first: comparisons of sizes, in the words of the entry record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, SSAValue

from hologram.dialects.arith import IndexCastUIOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.errors import did_you_mean
from hologram.frontend.kernels import model
from hologram.frontend.kernels.building import Program
from hologram.frontend.kernels.values import Number

_OPERATORS: dict[str, Any] = {
    "+": arith.AddiOp, "-": arith.SubiOp, "*": arith.MuliOp, "//": arith.FloorDivSIOp,
}  # fmt: skip
_CALLS: dict[str, Any] = {"min": arith.MinSIOp, "max": arith.MaxSIOp}


class Sizes:
    """Builds sizes in the region `lanes` of a kernel."""

    def __init__(self, program: Program, block: Block, params: Sequence[model.Parameter], known: Mapping[str, Number]):
        self.program = program
        self.block = block
        self.params = {p.name: (p.type, block.args[n]) for n, p in enumerate(params)}
        self.known = known

    def of(self, e: model.Expression) -> SSAValue:
        """A size as an index."""
        match e:
            case model.LiteralValue(value=int(value)):
                return self._number(value, e.at)
            case model.Var(name=name) if name in self.known:
                return self._number(int(self.known[name]), e.at)
            case model.Var(name=name) if name in self.params:
                return self._parameter(e)
            case model.Var(name=name):
                return self.program.fault(
                    "kernel-lanes-name",
                    e.at,
                    f"there is no parameter '{name}'",
                    did_you_mean(name, self.params) or self._parameters(),
                )
            case model.Binary(op=op) if op in _OPERATORS:
                return self._emit(_OPERATORS[op](self.of(e.left), self.of(e.right)), e.at)
            case model.Call(function="dim", arguments=[model.Var() as array, model.LiteralValue(value=int(axis))]):
                return self._size(array, axis)
            case model.Call(function="dim", arguments=[model.Var() as array]):
                return self._size(array, 0)
            case model.Call(function=name, arguments=[a, b]) if name in _CALLS:
                return self._emit(_CALLS[name](self.of(a), self.of(b)), e.at)
            case _:
                return self.program.fault(
                    "kernel-lanes", e.at, "this is no size that a launch can be computed from",
                    "numbers, integer parameters, sizes of arrays, + - * // min and max are",
                )  # fmt: skip

    def _parameters(self) -> str:
        """A hint: which there are."""
        return f"the parameters are {', '.join(self.params)}" if self.params else "the kernel has no parameters"

    def _emit(self, op: Any, at: model.At | None) -> SSAValue:
        op.location = self.program.location(at)
        self.block.add_op(op)
        return op.results[0]

    def _number(self, value: int, at: model.At | None) -> SSAValue:
        return self._emit(arith.ConstantOp(IntegerAttr(value, IndexType())), at)

    def _parameter(self, e: model.Var) -> SSAValue:
        type, value = self.params[e.name]
        if not isinstance(type, model.Scalar) or not DTYPES[type.dtype].is_integer:
            self.program.fault(
                "kernel-lanes-type", e.at, f"'{e.name}' is no integer", f"write len({e.name}) or {e.name}.shape[0]"
            )
        unsigned = DTYPES[type.dtype].is_unsigned
        return self._emit((IndexCastUIOp if unsigned else arith.IndexCastOp)(value, IndexType()), e.at)

    def _size(self, array: model.Var, axis: int) -> SSAValue:
        type, value = self.params.get(array.name, (None, None))
        if not isinstance(type, model.DeviceArray) or value is None or not 0 <= axis < type.rank:
            if isinstance(type, model.Pointer):
                hint = "pass it beside, as a parameter that lanes name"
                message = f"'{array.name}' is a pointer, whose size is not known"
                self.program.fault("kernel-lanes-pointer", array.at, message, hint)
            near = None if array.name in self.params else did_you_mean(array.name, self.params) or self._parameters()
            message = f"'{array.name}' is no array with an axis {axis}"
            self.program.fault("kernel-lanes-array", array.at, message, near or "axes are counted from 0")
        assert value is not None
        return self._emit(memref.DimOp(value, self._number(axis, array.at)), array.at)


_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_COMPARISONS = ("+", "-", "*", "//", "%")


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
            case model.Binary(op=op) if op in _COMPARISONS:
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
