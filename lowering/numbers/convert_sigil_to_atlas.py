"""`convert-sigil-to-atlas`: circuits become functions of array-level instructions on class memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr, MemRefType, ModuleOp, UnitAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass

from hologram.classes import PHASE_MODULUS
from hologram.dialects.atlas.arrays.general import MapOp
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.shapes import is_tensor, shape_of
from hologram.dialects.sigil.circuit_tiles import checked_tiles, step_at
from hologram.dialects.sigil.cycle import UPPER, ControlledOp, CycleOp, GateOp, HoldsOp, PartnerOp
from hologram.dialects.sigil.ops import DEFAULT_TYPE, TYPES, CircuitOp
from hologram.dialects.sigil.tiles import MOVES, Step, Tile
from hologram.dialects.sigil.tree import Leaf, leaves
from hologram.errors import PassError, UsageError, did_you_mean
from hologram.lowering.numbers.class_formulas import Numbers
from hologram.lowering.numbers.convert_class_to_atlas import check, map_elements
from hologram.lowering.numbers.ring_rewriter import yielding
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.hidden_arguments import CLASSES
from hologram.support.walking import operations

RULES = Rules()


@dataclass(frozen=True)
class ConvertSigilToAtlasPass(ModulePass):
    """Makes of each circuit a function that takes class memory from the launch. Every operation is one map over views
    of its tiles; `mark`, `quote` and `evaluate` leave nothing. `type` is that of the tiles of circuits without one.

    Branches follow one another: that they are independent is checked. Operations of the 768-cycle become integer
    arithmetic, on tensors inside array-level maps.

    Before::

        sigil.circuit @main {
          sigil.transform "R+1" {
            sigil.copy "c00->c01"
          }
        }

    After::

        func.func @main(%classes: memref<1179648xi8> {hologram.classes}) {
          %from = memref.view %classes[%c294912][] : memref<1179648xi8> to memref<3072xf32>
          %to = memref.view %classes[%c307200][] : memref<1179648xi8> to memref<3072xf32>
          atlas.map ins(%from : memref<3072xf32>) outs(%to : memref<3072xf32>) ...
          func.return
        }
    """

    name = "convert-sigil-to-atlas"
    type: str = DEFAULT_TYPE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.type not in TYPES:
            raise UsageError(
                "convert-sigil-type", f"option 'type' of {self.name} is '{self.type}', which tiles can't be of",
                hint=did_you_mean(self.type, TYPES) or f"they are of {', '.join(TYPES)}",
            )  # fmt: skip
        if any(isinstance(o, CycleOp | CircuitOp) for o in operations(op)):
            convert_module(op, RULES, CircuitRewriter(DTYPES[self.type]))


class CircuitRewriter(Rewriter):
    """The walk, with the type of the tiles of circuits without one."""

    def __init__(self, tiles: DType):
        super().__init__(RULES)
        self.tiles = tiles


@RULES.on(CircuitOp)
def convert_circuit(rw: CircuitRewriter, op: CircuitOp) -> None:
    """A function that does what the circuit does."""
    dtype = rw.tiles if op.type is None else op.type.dtype
    block = Block(arg_types=[CLASSES.type])
    block.args[0].name_hint = CLASSES.name
    for leaf, _ in leaves(checked_tiles(op)):
        if (step := _typed_step(leaf, dtype)) is not None:
            with rw.at(block, leaf.place):
                _map(rw, step, dtype)
    with rw.at(block, op):
        rw.emit(func.ReturnOp())
    function = func.FuncOp(
        op.sym_name.data,
        FunctionType.from_lists([CLASSES.type], []),
        Region(block),
        arg_attrs=ArrayAttr([DictionaryAttr({CLASSES.attribute: UnitAttr()})]),
    )
    function.attributes |= op.attributes
    rw.emit(function)


def _typed_step(leaf: Leaf, dtype: DType) -> Step | None:
    step = step_at(leaf)
    if step is not None and step.instruction not in MOVES:
        known = INSTRUCTIONS[step.instruction].INSTRUCTION.types
        if dtype.name not in known:
            raise PassError(
                leaf.place, "sigil-instruction-type",
                f"'{step.instruction}' is not defined for tiles of {dtype.name}",
                hint="it takes " + ", ".join(n for n in TYPES if n in known),
            )  # fmt: skip
    return step


# Maps over views


def _view(rw: Rewriter, tile: Tile, dtype: DType) -> SSAValue:
    """The view of a tile, once a circuit."""

    def make() -> SSAValue:
        start = rw.emit(arith.ConstantOp(IntegerAttr.from_index_int_value(tile.start))).result
        type = MemRefType(dtype.ir, [tile.bytes * 8 // dtype.bits])
        arena = rw.insertion_block.args[0]
        view = rw.emit(memref.ViewOp.create(operands=[arena, start], result_types=[type])).results[0]
        view.name_hint = f"c{tile.class_}" + ("" if tile.page is None else f"p{tile.page}")
        return view

    return rw.once(("view", tile), make)


def _map(rw: Rewriter, step: Step, dtype: DType) -> None:
    def body(values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        if step.instruction in MOVES:
            return values
        return rw.emit(INSTRUCTIONS[step.instruction](dtype, *values)).results

    ins, outs = ([_view(rw, tile, dtype) for tile in tiles] for tiles in (step.ins, step.outs))
    element: Attribute = dtype.ir
    maps = [AffineMap.identity(1)] * (len(ins) + len(outs))
    rw.emit(MapOp(ins, outs, maps, yielding(rw, [element] * len(ins), body)))


@RULES.on(GateOp, ControlledOp, PartnerOp, HoldsOp)
def convert_cycle(rw: Rewriter, op: CycleOp) -> None:
    """Sums modulo 768 by a compare and a select: on scalars and vectors in place, on tensors by a map."""
    check(rw, op)
    values = [rw.value(v) for v in op.operands]
    if not is_tensor(op.results[0].type):
        rw.define(op.results[0], _cycle(Numbers(rw), op, values))
        return
    maps = [AffineMap.identity(len(shape_of(op.results[0].type)))] * (len(values) + 1)
    map_elements(rw, op, values, maps, lambda *args: _cycle(Numbers(rw), op, args))


def _cycle(n: Numbers, op: CycleOp, values: Sequence[SSAValue]) -> SSAValue:
    first = values[0]
    match op:
        case GateOp():
            return n.wrapped(n.add(first, op.step), PHASE_MODULUS)
        case ControlledOp():
            stepped = n.wrapped(n.add(values[1], op.step), PHASE_MODULUS)
            return n.select(n.compare("uge", first, UPPER), stepped, values[1])
        case PartnerOp():
            return n.wrapped(n.sub(op.total + PHASE_MODULUS, first), PHASE_MODULUS)
        case HoldsOp():
            return n.compare("eq", n.wrapped(n.sum(*values), PHASE_MODULUS), op.total)
        case _:
            raise AssertionError(op.name)
