"""Symbolic shapes: the size of every tensor axis as an expression over the sizes of the function's arguments."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, StringAttr, TensorType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import ConstantLike

from hologram.dialects.hologram.base import Sizes, TensorOp
from hologram.dialects.hologram.sizes import Requirement, Size
from hologram.errors import PassError

NAME = "hologram.name"


def argument_names(function: func.FuncOp) -> list[str]:
    """A distinct name for each argument: its `hologram.name`, its name in the text, or `arg0`."""
    names: list[str] = []
    given = function.arg_attrs.data if function.arg_attrs is not None else ()
    for i, arg in enumerate(function.body.blocks[0].args):
        attr = given[i].data.get(NAME) if i < len(given) else None
        name = attr.data if isinstance(attr, StringAttr) else arg.name_hint or f"arg{i}"
        names.append(f"{name}_{i}" if name in names else name)
    return names


class ShapeAnalysis:
    """The symbolic sizes of the values of a module, worked out when asked for."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Sizes] = {}
        self._names: dict[Block, list[str]] = {}

    def sizes(self, value: SSAValue) -> Sizes:
        """The sizes of a tensor; for an index value, its one value."""
        if (known := self._known.get(value)) is None:
            known = self._known[value] = self._refine(value, self._compute(value))
        return known

    @staticmethod
    def _refine(value: SSAValue, found: Sizes) -> Sizes:
        """Static sizes of the type are facts."""
        if not isinstance(value.type, TensorType):
            return found
        shape: Sequence[int] = value.type.get_shape()  # pyright: ignore
        return [s if n == DYNAMIC_INDEX else Size.of(n) for s, n in zip(found, shape, strict=True)]

    def _compute(self, value: SSAValue) -> Sizes:
        owner = value.owner
        if isinstance(value, BlockArgument):
            return self._argument(value)
        assert isinstance(owner, Operation)
        if isinstance(owner, TensorOp):
            return owner.result_sizes(self.sizes)
        constant = ConstantLike.get_constant_value(value)
        if isinstance(constant, IntegerAttr):
            return [Size.of(constant.value.data)]
        match owner:
            case arith.AddiOp():
                return [self.sizes(owner.lhs)[0] + self.sizes(owner.rhs)[0]]
            case arith.SubiOp():
                return [self.sizes(owner.lhs)[0] - self.sizes(owner.rhs)[0]]
            case arith.MuliOp():
                return [self.sizes(owner.lhs)[0] * self.sizes(owner.rhs)[0]]
            case arith.DivUIOp() | arith.FloorDivSIOp():
                return [self.sizes(owner.lhs)[0] // self.sizes(owner.rhs)[0]]
            case _:
                return self._unknown(value)

    def _argument(self, arg: BlockArgument) -> Sizes:
        parent = arg.block.parent_op()
        if not isinstance(parent, func.FuncOp):
            return self._unknown(arg)
        if arg.block not in self._names:
            self._names[arg.block] = argument_names(parent)
        name = self._names[arg.block][arg.index]
        if isinstance(arg.type, TensorType):
            shape: Sequence[int] = arg.type.get_shape()  # pyright: ignore
            return [Size.atom(f"{name}[{axis}]", (arg, axis)) for axis in range(len(shape))]
        return [Size.atom(name, (arg, None))]

    @staticmethod
    def _unknown(value: SSAValue) -> Sizes:
        rank = len(value.type.get_shape()) if isinstance(value.type, TensorType) else 1  # pyright: ignore
        return [Size.atom(None, (value, axis if isinstance(value.type, TensorType) else None)) for axis in range(rank)]

    def requirements(self, op: TensorOp) -> list[Requirement]:
        """What must hold when `op` runs; raises where it never can."""
        open_ones: list[Requirement] = []
        for requirement in op.requirements(self.sizes):
            if requirement.holds is False:
                raise PassError(
                    op, "shape-mismatch",
                    f"the sizes of '{op.name}' never fit: {requirement.text or 'a size'} does not hold",
                    hint="see the shapes of its operands",
                )
            if requirement.holds is None:
                open_ones.append(requirement)
        return open_ones


def is_index(value: SSAValue) -> bool:
    return isinstance(value.type, IndexType)
