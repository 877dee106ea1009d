"""Symbolic shapes: the size of every tensor axis as an expression over the sizes of the function's arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from hologram.dialects import marks
from hologram.dialects.atlas.arrays import general
from hologram.dialects.hologram.base import Sizes, TensorOp
from hologram.dialects.shapes import DYNAMIC, is_tensor, shape_of
from hologram.dialects.sizes import Requirement, Size, distinct_name
from hologram.errors import PassError

OpT = TypeVar("OpT", bound=Operation)
_ARITHMETIC: dict[type[Operation], Callable[[Size, Size], Size]] = {
    arith.AddiOp: Size.__add__, arith.SubiOp: Size.__sub__, arith.MuliOp: Size.__mul__,
    arith.DivUIOp: Size.__floordiv__, arith.FloorDivSIOp: Size.__floordiv__,
}  # fmt: skip


def argument_names(function: func.FuncOp) -> list[str]:
    """A distinct name for each argument: its `hologram.name`, its name in the text, or `arg0`."""
    names: list[str] = []
    given = function.arg_attrs.data if function.arg_attrs is not None else ()
    for i, arg in enumerate(function.body.blocks[0].args):
        attr = given[i].data.get(marks.NAME) if i < len(given) else None
        names.append(distinct_name(attr.data if isinstance(attr, StringAttr) else arg.name_hint or f"arg{i}", names))
    return names


def carried_from(value: SSAValue) -> SSAValue | None:
    """The value whose sizes a tensor of a loop or a choice has: what the loop starts with, as each step keeps sizes, or
    what the first branch gives. None for other values."""
    if not is_tensor(value.type) or not isinstance(value, BlockArgument | OpResult):
        return None
    owner = value.owner.parent_op() if isinstance(value.owner, Block) else value.owner
    match owner:
        case scf.ForOp():
            return owner.iter_args[value.index - (1 if isinstance(value, BlockArgument) else 0)]
        case scf.WhileOp():
            if isinstance(value, BlockArgument) and value.block is owner.before_region.block:
                return owner.arguments[value.index]
            return end_of(owner.before_region.block, scf.ConditionOp).operands[value.index + 1]
        case scf.IfOp() if isinstance(value, OpResult):
            return end_of(owner.true_region.block, scf.YieldOp).operands[value.index]
        case _:
            return None


def end_of(block: Block, kind: type[OpT]) -> OpT:
    """The last operation of a block of a loop or a choice."""
    last = block.last_op
    assert isinstance(last, kind)
    return last


def given_by(end: scf.YieldOp | scf.ConditionOp) -> Sequence[SSAValue]:
    """What the last operation of a step or a branch hands on."""
    return end.operands[1:] if isinstance(end, scf.ConditionOp) else end.operands


def handed_to(end: scf.YieldOp | scf.ConditionOp) -> Sequence[SSAValue]:
    """The values whose sizes those have that the last operation of a step or a branch hands on."""
    loop = end.parent_op()
    match loop:
        case scf.ForOp():
            return loop.iter_args
        case scf.WhileOp() if isinstance(end, scf.YieldOp):
            return loop.arguments
        case scf.IfOp():
            return end_of(loop.true_region.block, scf.YieldOp).operands
        case _:
            return given_by(end)


class ShapeAnalysis:
    """The symbolic sizes of the values of a module, worked out when asked for."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Sizes] = {}
        self._names: dict[Block, list[str]] = {}
        self._unknowns = 0

    def visit(self, block: Block) -> None:
        """Works out the sizes in a block from first to last, so that no later question goes deep."""
        for op in block.ops:
            if isinstance(op, TensorOp):
                self.sizes(op.results[0])

    def sizes(self, value: SSAValue) -> Sizes:
        """The sizes of a tensor; for an index value, its one value."""
        if (known := self._known.get(value)) is None:
            known = self._known[value] = self._refine(value, self._compute(value))
        return known

    @staticmethod
    def _refine(value: SSAValue, sizes: Sizes) -> Sizes:
        """Static sizes of the type are facts."""
        if not is_tensor(value.type):
            return sizes
        return [s if n == DYNAMIC else Size.of(n) for s, n in zip(sizes, value.type.get_shape(), strict=True)]

    def _compute(self, value: SSAValue) -> Sizes:
        if (carried := carried_from(value)) is not None:
            return self.sizes(carried)
        if isinstance(value, BlockArgument):
            return self._argument(value)
        owner = value.owner
        if isinstance(owner, TensorOp):
            return owner.result_sizes(self.sizes)
        constant = ConstantLike.get_constant_value(value)
        if isinstance(constant, IntegerAttr):
            return [Size.of(constant.value.data)]
        match owner:
            case Operation() if (compute := _ARITHMETIC.get(type(owner))) is not None:
                left, right = (self.sizes(operand)[0] for operand in owner.operands)
                return [compute(left, right)]
            case tensor.EmptyOp():
                given = iter(owner.dynamic_sizes)
                return [self.sizes(next(given))[0] if n == DYNAMIC else Size.of(n) for n in shape_of(value.type)]
            case general.ArrayOp() if owner.is_value_form:
                # What is computed has the shape of the tensor that it replaces.
                return self.sizes(owner.outs[owner.results.index(value)])
            case tensor.InsertSliceOp():
                return self.sizes(owner.dest)
            case tensor.CastOp():
                return self.sizes(owner.source)
            case tensor.DimOp() if (axis := self.sizes(owner.index)[0].constant) is not None:
                return [self.sizes(owner.source)[axis]]
            case _:
                return self._unknown(value)

    def _argument(self, arg: BlockArgument) -> Sizes:
        parent = arg.block.parent_op()
        if not isinstance(parent, func.FuncOp) or arg.block is not parent.body.first_block:
            return self._unknown(arg)
        if arg.block not in self._names:
            self._names[arg.block] = argument_names(parent)
        name = self._names[arg.block][arg.index]
        if is_tensor(arg.type):
            return [Size.atom(f"{name}[{axis}]", (arg, axis)) for axis in range(arg.type.get_num_dims())]
        return [Size.atom(name, (arg, None), natural=False)]

    def _unknown(self, value: SSAValue) -> Sizes:
        """Sizes that no argument tells."""
        self._unknowns += 1
        place = f"~{self._unknowns:08}"
        if not is_tensor(value.type):
            return [Size.atom(None, (value, None), natural=False, order=place)]
        return [Size.atom(None, (value, a), order=f"{place}[{a}]") for a in range(value.type.get_num_dims())]

    def requirements(self, op: TensorOp) -> list[Requirement]:
        """Return what must hold when `op` runs and is not known to; raise where it never can."""
        return self.unmet(op, (*op.requirements(self.sizes), *self._result_requirements(op)))

    @staticmethod
    def unmet(op: Operation, requirements: Iterable[Requirement]) -> list[Requirement]:
        """Return those of some requirements that are not known to hold; raise for one that never can."""
        open_ones: list[Requirement] = []
        for requirement in requirements:
            if requirement.holds is False:
                raise PassError(
                    op,
                    "shape-mismatch",
                    f"the sizes of '{op.name}' never fit: {requirement.text or 'a size'} does not hold",
                    hint="see the shapes of its operands",
                )
            if requirement.holds is None:
                open_ones.append(requirement)
        return open_ones

    def _result_requirements(self, op: TensorOp) -> list[Requirement]:
        """Sizes that are given are not negative, and the result has the static sizes that its type promises."""
        wanted = [Requirement(self.sizes(v)[0], ">=", Size.of(0)) for v in op.size_operands]
        result = op.results[0].type
        if is_tensor(result):
            pairs = zip(op.result_sizes(self.sizes), result.get_shape(), strict=True)
            wanted += [Requirement(inferred, "==", Size.of(size)) for inferred, size in pairs if size != DYNAMIC]
        return wanted
