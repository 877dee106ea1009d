"""Finds equal sizes in a function: by what the runtime checks before a launch, and by operations."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import marks
from hologram.dialects.arith import constant_of
from hologram.dialects.atlas.arrays.general import DYNAMIC, shape_of
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.support.walking import enclosing

Place = tuple[int, int]
"""An operand and an axis of it."""


_ARITHMETIC: dict[type[Operation], str] = {arith.AddiOp: "+", arith.SubiOp: "-", arith.MuliOp: "*", arith.DivUIOp: "//"}


@dataclass
class Sizes:
    """The facts about the sizes in one function."""

    names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    _parents: dict[str, str] = field(default_factory=dict[str, str])

    @staticmethod
    def of(function: func.FuncOp | None) -> Sizes:
        """The facts that hold in a function."""
        facts = Sizes()
        if function is None or not function.body.blocks:
            return facts
        arguments = function.body.blocks[0].args
        none: dict[str, Attribute] = {}
        arg_attrs = [none for _ in arguments] if function.arg_attrs is None else [a.data for a in function.arg_attrs]
        for number, (value, attributes) in enumerate(zip(arguments, arg_attrs, strict=True)):
            given = attributes.get(marks.NAME)
            facts.names[value] = given.data if isinstance(given, StringAttr) else value.name_hint or f"arg{number}"
        if function.sym_visibility is None or function.sym_visibility.data == "public":
            facts._read(function, arg_attrs)
        return facts

    def _read(self, function: func.FuncOp, arg_attrs: Sequence[Mapping[str, Attribute]]) -> None:
        """Takes what the runtime checks for granted."""
        for value, attributes in zip(function.body.blocks[0].args, arg_attrs, strict=True):
            shape = attributes.get(marks.RESULT)
            if isinstance(shape, StringAttr) and isinstance(tree := _parse(shape.data), ast.Tuple):
                for axis, element in enumerate(tree.elts):
                    self.equate(f"{self.names[value]}[{axis}]", ast.unparse(element))
        constraints = function.attributes.get(marks.CONSTRAINTS)
        for text in cast("ArrayAttr[StringAttr]", constraints) if isinstance(constraints, ArrayAttr) else ():
            match _parse(text.data):
                case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                    self.equate(ast.unparse(left), ast.unparse(right))
                case _:
                    continue

    def _find(self, text: str) -> str:
        while text in self._parents:
            text = self._parents[text]
        return text

    def equate(self, a: str, b: str) -> None:
        """Takes two sizes for equal."""
        a, b = self._find(a), self._find(b)
        if a != b:
            # Numbers stay the representatives: they say most.
            self._parents.update({b: a} if a.isdigit() else {a: b})

    def size(self, value: SSAValue, axis: int) -> str:
        """The text of a size, the same for sizes that are known to be equal."""
        static = shape_of(value.type)[axis]
        return self._find(str(static) if static != DYNAMIC else self._dynamic(value, axis))

    def _dynamic(self, value: SSAValue, axis: int) -> str:
        if value in self.names:
            return f"{self.names[value]}[{axis}]"
        match value.owner:
            case memref.AllocOp() | memref.AllocaOp():
                before = sum(n == DYNAMIC for n in shape_of(value.type)[:axis])
                return self.index(value.owner.dynamic_sizes[before])
            case memref.SubviewOp() | memref.ReinterpretCastOp():
                static = list(cast("DenseArrayBase[Any]", value.owner.static_sizes).get_values())
                if len(static) == len(shape_of(value.type)):
                    return self.index(value.owner.sizes[sum(n == DYNAMIC for n in static[:axis])])
            case memref.CastOp():
                return self.size(value.owner.source, axis)
            case _:
                pass
        return f"size{id(value)}[{axis}]"

    def assume(self, check: AssertOp) -> None:
        """Takes what a check found equal for equal, for what follows it."""
        compare = check.condition.owner
        if isinstance(compare, arith.CmpiOp) and compare.predicate.value.data == 0:
            self.equate(self.index(compare.lhs), self.index(compare.rhs))

    def index(self, value: SSAValue) -> str:
        """The text of a value of type index, the same for values that are known to be equal."""
        owner = value.owner
        match owner:
            case arith.ConstantOp() if (number := constant_of(value)) is not None:
                return str(number)
            case memref.DimOp() if (axis := constant_of(owner.index)) is not None:
                return self.size(owner.source, axis)
            case Operation() if (sign := _ARITHMETIC.get(type(owner))) is not None:
                a, b = (self.index(v) for v in owner.operands)
                return self._find(ast.unparse(_parse(f"({a}) {sign} ({b})") or ast.Name("unknown")))
            case _:
                return self.names.get(value, f"value{id(value)}")


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def function_of(op: Operation) -> func.FuncOp | None:
    """The function that an operation stands in, if any."""
    return enclosing(op, func.FuncOp)
