"""`add-launch-functions`: programs that nothing launches get a host function that does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import SymbolOpInterface

from hologram.dialects import marks
from hologram.dialects.atlas.lanes.programs import AXES, LaunchOp, ProgramOp
from hologram.support.walking import operations

_SUFFIX = "_lanes"


@dataclass(frozen=True)
class AddLaunchFunctionsPass(ModulePass):
    """Gives each `atlas.program` that no `atlas.launch` names a public host function of its name, to run it by.

    The function takes the program's arguments, then the blocks of the grid along x, y and z, and the lanes of a block,
    both where the program does not fix them, and last the shared bytes, if it has a shared array without a length. Its
    attribute `hologram.launch` has the sizes that are fixed; the entry record takes it over, so that launches can be
    given a `LaunchConfig`. The program is called NAME_lanes then.

    Before::

        atlas.program @scale(%x: memref<?xf32>, %k: f32) block [256, 1, 1] { ... }

    After::

        func.func @scale(%x: memref<?xf32>, %k: f32, %grid_x: index, %grid_y: index, %grid_z: index)
            attributes {hologram.launch = {block = [256, 1, 1]}} {
          atlas.launch @scale_lanes grid(%grid_x, %grid_y, %grid_z) args(%x, %k : memref<?xf32>, f32)
          func.return
        }
        atlas.program @scale_lanes(%x: memref<?xf32>, %k: f32) block [256, 1, 1] { ... }
    """

    name = "add-launch-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        launched = {o.program.root_reference.data for o in operations(op) if isinstance(o, LaunchOp)}
        taken = set(_symbols(op))
        for program in [o for o in op.body.block.ops if isinstance(o, ProgramOp)]:
            if program.sym_name.data not in launched:
                _add(op, program, taken)


def _symbols(module: ModuleOp) -> Iterator[str]:
    for op in module.body.block.ops:
        trait = op.get_trait(SymbolOpInterface)
        name = trait.get_sym_attr_name(op) if trait is not None else None
        if name is not None:
            yield name.data


def _add(module: ModuleOp, program: ProgramOp, taken: set[str]) -> None:
    name = program.sym_name.data
    lanes = name + _SUFFIX
    while lanes in taken:
        lanes += "_"
    taken.add(lanes)
    program.properties["sym_name"] = StringAttr(lanes)
    grid = program.attributes.pop("machine.grid", None)
    groups = [g for g, fixed in (("grid", grid), ("block", program.block)) if fixed is None]
    sizes = [f"{group}_{axis}" for group in groups for axis in AXES]
    sizes += ["shared_bytes"] * len(program.open_arrays)
    given = program.body.blocks[0].args
    types: list[Attribute] = [*(a.type for a in given), *(IndexType() for _ in sizes)]
    body = Block(arg_types=types)
    for argument, hint in zip(body.args, [*(a.name_hint for a in given), *sizes], strict=True):
        argument.name_hint = hint
    arguments, shape = body.args[: len(given)], list[SSAValue](body.args[len(given) :])
    if grid is not None:
        numbers = cast("DenseArrayBase[I64]", grid).get_values()
        constants = [arith.ConstantOp(IntegerAttr.from_index_int_value(n)) for n in numbers]
        body.add_ops(constants)
        shape = [*(c.result for c in constants), *shape]
    bytes = [shape.pop() for _ in program.open_arrays]
    body.add_ops([LaunchOp(lanes, shape[:3], shape[3:], arguments, bytes), func.ReturnOp()])
    fixed = {group: size for group, size in (("grid", grid), ("block", program.block)) if size is not None}
    function = func.FuncOp(name, (types, []), Region(body), arg_attrs=_attributes(program, sizes))
    function.attributes[marks.LAUNCH] = DictionaryAttr(fixed)
    for op in (function, *body.ops):
        op.location = program.location
    module.body.block.insert_op_before(function, program)


def _attributes(program: ProgramOp, sizes: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    """The program's own, and of the launch's sizes their names, which the entry record shows, and what they are."""
    none = DictionaryAttr({})
    own = [none] * len(program.body.blocks[0].args) if program.arg_attrs is None else list(program.arg_attrs.data)
    return ArrayAttr([*own, *(
        DictionaryAttr({marks.NAME: StringAttr(size), marks.SIZE: StringAttr(size)}) for size in sizes
    )])  # fmt: skip
