"""`convert-class-tiles`: tiles become views of class memory, which functions take as a hidden argument."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.classes import BYTES_PER_CLASS, BYTES_PER_PAGE
from hologram.dialects.arith import IndexCastUIOp
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.classes import tiles
from hologram.errors import PassError
from hologram.lowering.numbers.class_formulas import Numbers
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.hidden_arguments import CLASSES, add_hidden, find
from hologram.lowering.rewriting.traps import enclosing_function

RULES = Rules()


def _arena(rw: Rewriter, op: Operation) -> SSAValue:
    """Class memory in the function around an operation."""
    function = enclosing_function(op)
    arena = None if function is None else find(function, CLASSES)
    if arena is None:
        raise PassError(
            op, "class-tile-function", f"'{op.name}' stands in no function or program that could take class memory",
            hint="use it in a func.func, an atlas.program or an atlas.func",
        )  # fmt: skip
    return rw.value(arena)


@RULES.on(tiles.ArenaOp)
def arena(rw: Rewriter, op: tiles.ArenaOp) -> None:
    """The hidden argument itself."""
    rw.define(op.result, _arena(rw, op))


@RULES.on(tiles.TileOp)
def tile(rw: Rewriter, op: tiles.TileOp) -> None:
    """A view from byte class * 12288 + page * 256 on, after the checks."""
    core = Numbers(rw)
    values = {old: rw.value(old) for _, old, _ in op.limits}
    for kind, old, end in op.checked:
        value = values[old]
        inside = core.compare("ult", value, end)
        rw.emit(AssertOp(inside, f"{op.name}: {kind} out of the range of 0 to {end - 1}", None, [value]))
    if (place := op.place) is not None:
        start = core.constant(place.start, IndexType())
    else:
        parts = [
            core.mul(core.op(IndexCastUIOp(values[old], IndexType())), step)
            for (_, old, _), step in zip(op.limits, (BYTES_PER_CLASS, BYTES_PER_PAGE), strict=False)
        ]
        start = core.sum(*parts)
    rw.replace(op, memref.ViewOp.create(operands=[_arena(rw, op), start], result_types=[op.tile.type]))


@dataclass(frozen=True)
class ConvertClassTilesPass(ModulePass):
    """Turns `class.tile` and `class.arena` into views of class memory. The functions that have some, and those that
    call them, take it as a hidden argument with the attribute `hologram.classes`.

    Before::

        func.func @f(%c: i32) {
          %t = class.tile %c : i32 to memref<3072xf32>
          ...
        }

    After::

        func.func @f(%c: i32, %classes: memref<1179648xi8> {hologram.classes}) {
          atlas.assert %inside, "class.tile: class out of the range of 0 to 95" values(%c : i32)
          %t = memref.view %classes[%start][] : memref<1179648xi8> to memref<3072xf32>
          ...
        }
    """

    name = "convert-class-tiles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        add_hidden(op, lambda nested: [CLASSES] if isinstance(nested, tiles.ArenaOp | tiles.TileOp) else [])
        convert_module(op, RULES)
