"""Turns functions of array-level operations on memrefs into array-level programs of the machine form.

A region of such an operation becomes a function of the machine form. It has no control flow, so each value takes the
first register that is free.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects import marks
from hologram.dialects.atlas.arrays.base import ArrayOp, YieldOp
from hologram.dialects.atlas.arrays.form import ArrayForm, array_form
from hologram.dialects.atlas.arrays.general import IotaOp
from hologram.dialects.atlas.instructions.form import Field, form_of
from hologram.dialects.atlas.instructions.instruction import CONTRACT
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType, DTypeAttr, dtype_of
from hologram.dialects.machine.array_listing import setting_value
from hologram.dialects.machine.constants import constant_bits
from hologram.dialects.machine.instruction import REGION_INSTRUCTIONS
from hologram.dialects.machine.listing import (
    Array,
    ArrayLine,
    Arrays,
    Code,
    Item,
    Jump,
    Line,
    Operand,
    Scalar,
    Temporary,
    Value,
)
from hologram.dialects.machine.registers import PREDICATES, REGISTERS, registers_of
from hologram.dialects.shapes import is_dense_layout, is_memref
from hologram.errors import PassError, where_of
from hologram.lowering.machine.selection import modifiers_of, values_of
from hologram.support.walking import operations
from hologram.transforms.canonical.contract_fma import MAY_CONTRACT


def region_code(name: str, op: Operation, block: Block) -> Code:
    """The function that does what the block of a region of `op` does."""
    return _RegionCode(name, op, block).build()


class _RegionCode:
    def __init__(self, name: str, op: Operation, block: Block):
        self.op = op
        self.block = block
        self.code = Code(name, True, where=where_of(op))
        self.places: dict[SSAValue, int] = {}
        values: list[SSAValue] = [*block.args, *(r for o in block.ops for r in o.results)]
        self.left = {v: len(list(v.uses)) for v in values}
        """The uses of each value that are still to come."""
        self.taken: dict[bool, set[int]] = {False: set(), True: set()}
        """The general registers and the predicates that hold something."""

    def build(self) -> Code:
        """The function."""
        code, block = self.code, self.block
        code.parameters += [self._scalar(arg, self._place(arg)) for arg in block.args]
        for arg in block.args:
            self._release(arg)
        for op in block.ops:
            if not isinstance(op, YieldOp):
                self._instruction(op)
        last = block.last_op
        assert isinstance(last, YieldOp)
        given: list[int] = []
        for value in last.values:
            self._outside(value)
            place = self.places[value]
            if any(r == place and v.type == value.type for r, v in zip(given, last.values, strict=False)):
                place = self._copy(value, place)
            given.append(place)
        code.outs += [self._scalar(value, place) for value, place in zip(last.values, given, strict=True)]
        code.lines.append(Jump("ret", where=where_of(self.op)))
        return code

    def _scalar(self, value: SSAValue, register: int) -> Scalar:
        return Scalar(self._dtype(value).name, register)

    def _dtype(self, value: SSAValue) -> DType:
        dtype = dtype_of(value.type)
        if dtype is None or str(value.type) == "index":
            raise PassError(
                self.op, "assign-region-type", f"a function of machine code holds no {value.type}",
                hint="convert it to a type of the ISA outside of the region",
            )  # fmt: skip
        return dtype

    # Registers

    def _place(self, value: SSAValue) -> int:
        """The first registers that are free, for a value."""
        width = registers_of(self._dtype(value))
        is_predicate = value.type == i1
        taken, limit = self.taken[is_predicate], PREDICATES if is_predicate else REGISTERS
        for first in range(limit - width + 1):
            wanted = range(first, first + width)
            if taken.isdisjoint(wanted):
                taken.update(wanted)
                self.places[value] = first
                return first
        raise PassError(
            self.op, "assign-region-registers", f"a region of '{self.op.name}' needs more registers than a lane has",
            hint="take it apart into several operations",
        )  # fmt: skip

    def _release(self, value: SSAValue) -> None:
        """Frees the registers of a value that nothing more reads."""
        if self.left[value] == 0:
            first = self.places[value]
            self.taken[value.type == i1] -= set(range(first, first + registers_of(self._dtype(value))))

    def _outside(self, value: SSAValue) -> None:
        """Brings in a constant that was made outside of the region."""
        if value in self.places:
            return
        owner = value.owner
        if isinstance(owner, Operation) and isinstance(owner, arith.ConstantOp | MovImmOp):
            self.left[value] = 1 << 30
            self.code.lines.append(self._constant(owner))
            return
        raise PassError(
            self.op, "assign-region-capture", f"a region of '{self.op.name}' reads a value from outside",
            hint="pass it in as one of the operands",
        )  # fmt: skip

    def _copy(self, value: SSAValue, place: int) -> int:
        self.left[value] = 1 << 30
        again = self._place(value)
        self.code.lines.append(Line("mov", (), (self._dtype(value).name,), (again, place), where_of(self.op)))
        return again

    # Instructions

    def _constant(self, op: arith.ConstantOp | MovImmOp) -> Line:
        dtype = self._dtype(op.result)
        bits = constant_bits(op.properties["value"], dtype)
        return Line("mov_imm", (), (dtype.name,), (self._place(op.result), bits), where_of(op))

    def _instruction(self, op: Operation) -> None:
        if isinstance(op, arith.ConstantOp | MovImmOp):
            self.code.lines.append(self._constant(op))
            return
        form = form_of(type(op))
        if form is None or form.name not in REGION_INSTRUCTIONS:
            raise PassError(
                op, "assign-region-operation", f"there is no scalar instruction for '{op.name}' in a region",
                hint="a function that stands for a region has scalar instructions alone",
            )  # fmt: skip
        operands: dict[str, Operand] = {}
        for field in form.fields:
            if not field.is_result:
                operands[field.name] = self._operand(op, field)
        for value in op.operands:
            self.left[value] -= 1
            self._release(value)
        for field in form.fields:
            if field.is_result:
                operands[field.name] = self._place(op.results[0])
        self._release(op.results[0])
        types = tuple(self._type(op, name) for name in form.types)
        line = Line(
            form.name, modifiers_of(op, form), types, tuple(operands[f.name] for f in form.fields), where_of(op)
        )
        self.code.lines.append(line)

    def _operand(self, op: Operation, field: Field) -> Operand:
        if field.kind == "register":
            (value,) = values_of(op, field)
            self._outside(value)
            return self.places[value]
        given: Any = op.properties[field.name]
        return given.data if isinstance(given, StringAttr) else self._number(given)

    @staticmethod
    def _number(given: IntegerAttr[Any]) -> int:
        return given.value.data

    def _type(self, op: Operation, name: str) -> str:
        given = op.properties.get(name)
        return given.dtype.name if isinstance(given, DTypeAttr) else self._dtype(op.results[0]).name


_BESIDE = (
    MovImmOp, arith.ConstantOp, IotaOp, memref.DimOp, memref.AllocOp, memref.DeallocOp, func.ReturnOp,
)  # fmt: skip
"""What may stand beside array-level operations."""


def array_functions(module: ModuleOp) -> list[func.FuncOp]:
    """The functions that are array-level programs: of array-level operations on memrefs, constants and temporary
    arrays, which nothing calls."""
    called = {
        a.root_reference.data
        for op in operations(module)
        for a in op.properties.values()
        if isinstance(a, SymbolRefAttr)
    }
    functions = [op for op in module.body.block.ops if isinstance(op, func.FuncOp) and not op.is_declaration]
    return [f for f in functions if f.sym_name.data not in called and _is_array_level(f)]


def _is_array_level(function: func.FuncOp) -> bool:
    ops = list(function.body.block.ops) if len(function.body.blocks) == 1 else []
    return (
        any(isinstance(op, ArrayOp) for op in ops)
        and all(isinstance(op, _BESIDE) or (isinstance(op, ArrayOp) and not op.is_value_form) for op in ops)
        and not function.function_type.outputs.data
    )


def select_arrays(function: func.FuncOp, taken: set[str]) -> list[Item]:
    """The program of a function, after the functions of its regions, whose names are none of `taken` and join it."""
    return _Selection(function, taken).items()


class _Selection:
    def __init__(self, function: func.FuncOp, taken: set[str]):
        self.function = function
        self.taken = taken
        self.program = Arrays(function.sym_name.data, where=where_of(function))
        self.regions: list[Code] = []
        self.names: dict[SSAValue, str] = {}
        """The name of each array, and the register of each scalar."""
        self.used = {False: 0, True: 0}
        """The general registers and the predicates that are given."""

    def items(self) -> list[Item]:
        """The functions and the program."""
        for number, arg in enumerate(self.function.body.block.args):
            self._parameter(arg, self._said(number))
        for op in self.function.body.block.ops:
            if isinstance(op, memref.AllocOp):
                self._temporary(op)
            elif isinstance(op, IotaOp):
                self._dtype(op, op.result.type)  # which refuses it: machine code has no indices of loops
            elif isinstance(op, ArrayOp):
                self._instruction(op)
        return [*self.regions, self.program]

    def _said(self, number: int) -> str:
        """The ISA type that an argument's attributes say, if they do."""
        attributes = self.function.arg_attrs
        given = None if attributes is None else attributes.data[number].data.get(marks.TYPE)
        return given.data if isinstance(given, StringAttr) else ""

    def _dtype(self, op: Operation, type: Attribute, isa_type: str = "") -> DType:
        dtype = None if isinstance(type, IndexType) else dtype_of(type)
        if dtype is None:
            raise PassError(
                op, "assign-arrays-type", f"there is no {type} in an array-level program",
                hint="convert it to a type of the ISA before",
            )  # fmt: skip
        return DTYPES[isa_type] if isa_type in DTYPES and DTYPES[isa_type].ir == type else dtype

    # Arrays and scalars

    def _parameter(self, arg: SSAValue, isa_type: str) -> None:
        if is_memref(arg.type):
            arrays = sum(isinstance(p, Array) for p in self.program.parameters)
            self.names[arg] = f"buf{arrays}"
            self.program.parameters.append(self._array(self.function, arg.type, isa_type))
            return
        dtype = self._dtype(self.function, arg.type, isa_type)
        self.program.parameters.append(Scalar(dtype.name, self._register(arg, dtype)))

    def _array(self, op: Operation, type: Attribute, isa_type: str = "") -> Array:
        shaped = cast("MemRefType[Any]", type)
        if not is_dense_layout(shaped):
            raise PassError(
                op, "assign-arrays-layout", f"machine code has no arrays of the layout of {type}",
                hint="give the function a memref of the default layout",
            )  # fmt: skip
        return Array(self._dtype(op, shaped.element_type, isa_type).name, tuple(max(n, -1) for n in shaped.get_shape()))

    def _register(self, value: SSAValue, dtype: DType) -> int:
        is_predicate = value.type == i1
        first = self.used[is_predicate]
        self.used[is_predicate] += registers_of(dtype)
        if self.used[is_predicate] > (PREDICATES if is_predicate else REGISTERS):
            raise PassError(
                self.function, "assign-arrays-registers",
                f"@{self.program.name} has more scalars and constants than registers",
                hint="divide it into several programs",
            )  # fmt: skip
        self.names[value] = f"{'p' if is_predicate else 'r'}{first}"
        return first

    def _temporary(self, op: memref.AllocOp) -> None:
        self.names[op.memref] = f"temp{len(self.program.temporaries)}"
        array = self._array(op, op.memref.type)
        given = iter(op.dynamic_sizes)
        sizes = tuple(n if n >= 0 else self._size(op, next(given)) for n in array.sizes)
        if 0 in sizes:
            raise PassError(
                op, "assign-arrays-empty", "a temporary array of an array-level program has elements",
                hint="leave out what works on no elements",
            )  # fmt: skip
        self.program.temporaries.append(Temporary(array.dtype, sizes, where_of(op)))

    def _size(self, op: Operation, value: SSAValue) -> int | str:
        """A size of a temporary array: a number, or an axis of a parameter."""
        owner = value.owner
        if isinstance(owner, arith.ConstantOp):
            return cast("Any", owner.value).value.data
        axis = owner.index.owner if isinstance(owner, memref.DimOp) else None
        if not isinstance(owner, memref.DimOp) or not isinstance(axis, arith.ConstantOp):
            raise PassError(
                op, "assign-arrays-size", "a size of a temporary array is neither a number nor that of an axis",
                hint="make sizes by memref.dim of the function's arguments",
            )  # fmt: skip
        number: int = cast("Any", axis.value).value.data
        source = self.names[owner.source]
        if source.startswith("buf"):
            return f"{source}.{number}"
        return self.program.temporaries[int(source.removeprefix("temp"))].sizes[number]

    # Instructions

    def _instruction(self, op: ArrayOp) -> None:
        form = array_form(type(op))
        assert form is not None
        choice = ""
        if form.choice is not None:
            given: Any = op.properties[form.choice.name]
            choice = given.data if isinstance(given, StringAttr) else given.data.value
        types = (op.properties.get(t) for t in form.types)
        groups = tuple(tuple(self._operand(op, v) for v in getattr(op, group)) for group in form.groups)
        settings = self._settings(op, form)
        self.program.lines.append(
            ArrayLine(
                form.name,
                choice,
                tuple(t.dtype.name for t in types if isinstance(t, DTypeAttr)),
                groups,
                settings,
                where_of(op),
            )
        )

    def _operand(self, op: Operation, value: SSAValue) -> str:
        if value not in self.names:
            owner = value.owner
            if not isinstance(owner, arith.ConstantOp | MovImmOp):
                raise PassError(
                    op, "assign-arrays-operand", f"an operand of '{op.name}' is neither an argument nor a constant",
                    hint="compute it before, and pass it in",
                )  # fmt: skip
            dtype = self._dtype(op, value.type)
            bits = constant_bits(owner.properties["value"], dtype)
            register = self._register(value, dtype)
            self.program.lines.append(Line("mov_imm", (), (dtype.name,), (register, bits), where_of(owner)))
        return self.names[value]

    def _settings(self, op: ArrayOp, form: ArrayForm) -> tuple[Value, ...]:
        settings: list[Value] = []
        for setting in form.settings:
            if setting.kind == "function":
                region = getattr(op, setting.name)
                settings.append(self._function(op, region.blocks[0]) if region.blocks else None)
            elif setting.kind == "mark":
                settings.append(1 if self._is_marked(op, setting.name) else None)
            else:
                value = setting_value(setting, op.properties.get(setting.name))
                settings.append(1 if setting.kind == "flag" and value else None if setting.kind == "flag" else value)
        return tuple(settings)

    def _is_marked(self, op: ArrayOp, name: str) -> bool:
        """Return whether it bears a mark; of contraction also, whether everything in its regions does."""
        inner = [o for o in operations(op) if isinstance(o, MAY_CONTRACT)] if name == CONTRACT else []
        return isinstance(op.attributes.get(name), UnitAttr) or (
            bool(inner) and all(CONTRACT in o.attributes for o in inner)
        )

    def _function(self, op: Operation, block: Any) -> str:
        number = len(self.regions)
        while (name := f"{self.program.name}_{number}") in self.taken:
            number += 1
        self.taken.add(name)
        self.regions.append(region_code(name, op, block))
        return name
