"""The kernel form of a kernel document: names are found, types decided, places kept."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NoReturn

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FileLineColLoc,
    IntAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.rewriter import Rewriter

from hologram.dialects import marks
from hologram.dialects.atlas.instructions.types import DTYPES, Space
from hologram.dialects.atlas.lanes.memory import AllocaOp, space_of
from hologram.dialects.hologram import kernels as form
from hologram.errors import Where, refuse_at
from hologram.frontend.kernels import model
from hologram.frontend.kernels.building import Built, Memory
from hologram.frontend.kernels.choices import with_types
from hologram.frontend.kernels.document import short
from hologram.frontend.kernels.sizes import Conditions, Sizes
from hologram.frontend.kernels.statements import Statements
from hologram.frontend.kernels.values import Number, Typed
from hologram.support.recursion import deep_recursion


def build(*documents: model.Document) -> ModuleOp:
    """The module of documents: their kernels, and a function for each way in which one is called. Raises InputError.

    Element types that are not chosen yet are what they are by default.
    """
    taken: set[str] = set()
    ops: list[Operation] = []
    with deep_recursion():
        for document in documents:
            program = Program(with_types(document, {}), taken)
            program.check_functions()
            program.kernel()
            ops += program.made
    return ModuleOp(ops)


class Program:
    """The module's operations that are built of a document."""

    def __init__(self, document: model.Document, taken: set[str]):
        self.document = document
        self.file = document.source
        self.functions = {f.name: f for f in document.functions}
        self.made: list[Operation] = []
        self.taken = taken
        """The names of all functions and kernels of the module."""
        self.built: dict[Any, Built] = {}
        """What there is of each function, by the types of its arguments."""
        self.building: list[str] = []

    def location(self, at: model.At | None) -> Any:
        if at is None or not at.line:
            return UnknownLoc()
        return FileLineColLoc(StringAttr(self.file), IntAttr(at.line), IntAttr(at.column))

    def fault(self, code: str, at: model.At | None, message: str, hint: str | None = None) -> NoReturn:
        where = Where(self.file) if at is None else Where(self.file, at.line, at.column, at.width)
        if at is not None and at.path:
            message = f"{short(at.path)}: {message}"
        refuse_at(code, message, hint, where)

    def check_functions(self) -> None:
        """Raises an error if two functions have one name."""
        names: set[str] = set()
        for function in self.document.functions:
            if function.name in names:
                self.fault("kernel-function-twice", function.at, f"there are two functions '{function.name}'")
            names.add(function.name)

    def kernel(self) -> None:
        """Builds the kernel of the document."""
        kernel = self.document.kernel
        if kernel.name in self.taken:
            self.fault("kernel-twice", kernel.at, f"there are two kernels '{kernel.name}'")
        if not kernel.name.isascii():
            self.fault(
                "kernel-symbol", kernel.at, f"'{kernel.name}' is a name that not every device has letters for",
                "names of kernels are made of a to z, A to Z, digits and _",
            )  # fmt: skip
        self.taken.add(kernel.name)
        known: dict[str, Number] = {}
        inputs: list[Attribute] = []
        names: list[model.Parameter] = []
        for parameter in kernel.params:
            if isinstance(parameter.type, model.Constant):
                known[parameter.name] = self._constant(parameter, parameter.type)
                continue
            if parameter.type is None:
                self.fault("kernel-untyped", parameter.at, f"parameter '{parameter.name}' has no type")
            inputs.append(ir_type(parameter.type))
            names.append(parameter)
        lanes = self.lanes(kernel, inputs, names, known)
        body = Block(arg_types=inputs)
        statements = Statements(self, body, kernel)
        statements.declare(kernel.params, known)
        statements.run(kernel.body)
        statements.finish()
        attributes = ArrayAttr([_attributes(p) for p in names])
        op = form.KernelOp(kernel.name, inputs, _block(self, kernel), Region(body), lanes, attributes)
        op.location = self.location(kernel.at)
        if kernel.where:
            conditions = Conditions(self, names, known)
            constraints = [text for e in kernel.where for text in conditions.of(e)]
            op.attributes[marks.CONSTRAINTS] = ArrayAttr([StringAttr(text) for text in constraints])
        self.made.insert(0, op)

    def _constant(self, parameter: model.Parameter, type: model.Constant) -> Number:
        if type.value is None:
            self.fault(
                "kernel-constant-missing", parameter.at, f"nothing says what '{parameter.name}' is",
                "give it when the kernel is compiled, or give it a value where it is declared",
            )  # fmt: skip
        return type.value

    def function(self, function: model.Function, given: Sequence[Any], at: model.At | None) -> Built:
        """Return the function for the arguments of a call; it is built at the first call of its kind."""
        if function.name in self.building:
            self.fault("kernel-recursion", at, f"'{function.name}' calls itself, which kernels can't", "write a loop")
        key = function.name, *(_kind(v) for v in given)
        if key not in self.built:
            file, self.file = self.file, function.source or self.document.source
            self.building.append(function.name)
            self.built[key] = self._function(function, given)
            self.building.pop()
            self.file = file
        return self.built[key]

    def _function(self, function: model.Function, given: Sequence[Any]) -> Built:
        values = [v for v in given if isinstance(v, Typed | Memory)]
        block = Block(arg_types=[v.value.type for v in values])
        statements = Statements(self, block, function)
        statements.declare_given(function.params, given)
        statements.run(function.body)
        dtype = statements.finish()
        shared = _arrays_of_callers(block)
        # Devices have fewer letters than Python.
        plain = "".join(c if c.isascii() else "_" for c in function.name)
        name = "_".join([plain, *(v.dtype.name for v in values)])
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        outputs = [] if dtype is None else [dtype.ir]
        op = form.FunctionOp(name, list(block.arg_types), outputs, Region(block))
        op.location = self.location(function.at)
        self.made.append(op)
        return Built(name, dtype, shared)

    def lanes(self, kernel: model.Kernel, inputs: Sequence[Attribute], params: Sequence[model.Parameter],
              known: Mapping[str, Number]) -> Region | None:  # fmt: skip
        """The region that says how many lanes a launch has."""
        if not kernel.lanes:
            return None
        if len(kernel.lanes) > 3:
            self.fault("kernel-lanes-axes", kernel.at, f"a launch has three axes at most, not {len(kernel.lanes)}")
        block = Block(arg_types=inputs)
        sizes = Sizes(self, block, params, known)
        block.add_op(form.LanesOp([sizes.of(e) for e in kernel.lanes]))
        return Region(block)


def _arrays_of_callers(block: Block) -> list[Attribute]:
    """Turn the shared arrays that a function declares into arguments, which its callers declare; return their types.

    There is one shared memory for the block, so that arrays in it belong to the kernel.
    """
    arrays = [o for o in block.ops if isinstance(o, AllocaOp) and space_of(o.result.type) is Space.shared]
    for op in arrays:
        Rewriter.replace_op(op, [], [block.insert_arg(op.result.type, len(block.args))])
    return [op.result.type for op in arrays]


def _block(program: Program, kernel: model.Kernel) -> list[int]:
    sizes = [*kernel.block, *[1] * (3 - len(kernel.block))]
    if len(kernel.block) > 3 or not kernel.block or any(isinstance(n, bool) or n < 1 for n in sizes):
        program.fault(
            "kernel-block", kernel.at, f"a block has one to three sizes of at least 1, not {list(kernel.block)}"
        )
    if math.prod(sizes) >= 1 << 31:
        program.fault("kernel-block-size", kernel.at, f"a block has less than 2^31 lanes, not {list(kernel.block)}")
    return sizes


def ir_type(type: model.Type) -> Attribute:
    """The SSA type of a parameter."""
    match type:
        case model.DeviceArray():
            sizes = [DYNAMIC_INDEX] * type.rank
            layout = StridedLayoutAttr([None] * type.rank, None) if type.strided else NoneAttr()
            return MemRefType(DTYPES[type.dtype].ir, sizes, layout)
        case model.Pointer():
            return MemRefType(DTYPES[type.dtype].ir, [DYNAMIC_INDEX])
        case model.Scalar():
            return DTYPES[type.dtype].ir
        case model.Constant():
            raise AssertionError("constants have no SSA type")


def _attributes(parameter: model.Parameter) -> DictionaryAttr:
    """Return the attributes of a parameter: its name, and its type where the SSA type does not say the sign."""
    attributes: dict[str, Attribute] = {marks.NAME: StringAttr(parameter.name)}
    if not isinstance(parameter.type, model.Constant) and parameter.type is not None:
        dtype = DTYPES[parameter.type.dtype]
        if dtype.is_unsigned and dtype.is_integer:
            attributes[marks.TYPE] = StringAttr(dtype.name)
    return DictionaryAttr(attributes)


def _kind(value: Any) -> Hashable:
    """Return what of an argument decides how a function is built: its type, or the number that a literal is."""
    if isinstance(value, Memory):
        return value.dtype.name, value.value.type
    return value.dtype.name if isinstance(value, Typed) else repr(value)
