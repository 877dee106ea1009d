"""The `gpu` dialect as upstream MLIR 22 has it: xDSL's operations, with those replaced whose generic form upstream
does not read, and those added that xDSL lacks.

Replaced: `gpu.func` (upstream keeps `gpu.kernel` and `workgroup_attributions` in the attribute dictionary and
`known_block_size` among the properties, and lets the entry block have more arguments than the function type: the
workgroup and private attributions), `gpu.launch` (attributions), the id operations (`upper_bound`), `gpu.barrier`, and
`gpu.return`, `gpu.terminator`, `gpu.module` (the parents of the former). Added: `#gpu.address_space`, `#gpu.object`,
`gpu.binary` and `gpu.dynamic_shared_memory`. The other operations are rows, in `rows.py`, and the syntax of
these is in `syntax.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard, cast

from xdsl.dialects import gpu as stock
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.dialects.gpu import AsyncTokenType as AsyncTokenType
from xdsl.dialects.gpu import DimensionAttr as DimensionAttr
from xdsl.dialects.gpu import DimensionEnum as DimensionEnum
from xdsl.dialects.gpu import LaunchFuncOp as LaunchFuncOp
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Operation, ParametrizedAttribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    attr_def,
    irdl_attr_definition,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    Pure,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.custom.rows import RowDialect, need
from hologram.dialects.families import defined
from hologram.errors import VerifyError

X, Y, Z = (DimensionAttr(d) for d in (DimensionEnum.X, DimensionEnum.Y, DimensionEnum.Z))


class AddressSpace(StrEnum):
    """The sharers of a buffer: everyone, the lanes of a block, or nobody."""

    Global = "global"
    Workgroup = "workgroup"
    Private = "private"


@irdl_attr_definition
class AddressSpaceAttr(EnumAttribute[AddressSpace]):
    """The memory space of a memref on a device: `memref<32xf32, #gpu.address_space<workgroup>>`."""

    name = "gpu.address_space"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AddressSpace:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(AddressSpace)


FORMATS = ("offload", "assembly", "bin", "fatbin")
"""The forms that the code of an object may have: IR, assembly or other text, one binary, binaries of several kinds."""


@irdl_attr_definition
class ObjectAttr(ParametrizedAttribute):
    """Code for a target: `#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "...">`; fatbin is not printed.

    `properties` is a dictionary of the target's, and `kernels` a table of what the code's kernels are. Upstream wants a
    target attribute that it knows. Languages that it has none for are named by a string.
    """

    name = "gpu.object"

    target: Attribute
    format: StringAttr
    code: StringAttr | BytesAttr
    properties: DictionaryAttr | NoneAttr
    kernels: Attribute

    @staticmethod
    def of(target: Attribute, format: str, code: bytes) -> ObjectAttr:
        """Return an object with some code, which is a string where it is text."""
        try:
            text: StringAttr | BytesAttr = StringAttr(code.decode())
        except UnicodeDecodeError:
            text = BytesAttr(code)
        return ObjectAttr(target, StringAttr(format), text, NoneAttr(), NoneAttr())

    @property
    def data(self) -> bytes:
        """The code."""
        return self.code.data.encode() if isinstance(self.code, StringAttr) else self.code.data

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.target)
            printer.print_string(", ")
            if isinstance(self.properties, DictionaryAttr):
                printer.print_string("properties = ")
                printer.print_attribute(self.properties)
                printer.print_string(", ")
            if isinstance(self.kernels, ParametrizedAttribute) and not isinstance(self.kernels, NoneAttr):
                printer.print_string("kernels = ")
                self.kernels.print_parameters(printer)
                printer.print_string(", ")
            if self.format.data != "fatbin":
                printer.print_string(f"{self.format.data} = ")
            printer.print_attribute(self.code)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        more: dict[str, Attribute] = {"properties": NoneAttr(), "kernels": NoneAttr()}
        with parser.in_angle_brackets():
            target = parser.parse_attribute()
            parser.parse_punctuation(",")
            while (word := parser.parse_optional_keyword_in((*more, *FORMATS))) in more:
                parser.parse_punctuation("=")
                more[word] = _parse_table(parser) if word == "kernels" else parser.parse_attribute()
                parser.parse_punctuation(",")
            if word is not None:
                parser.parse_punctuation("=")
            code = parser.parse_attribute()
        return [target, StringAttr(word or "fatbin"), code, more["properties"], more["kernels"]]


def _parse_table(parser: AttrParser) -> Attribute:
    """Parses a table of kernels: an attribute, or what stands in its angle brackets."""
    given = parser.parse_optional_attribute()
    table = parser.ctx.get_attr("gpu.kernel_table")
    assert issubclass(table, ParametrizedAttribute)
    return given or table(*table.parse_parameters(parser))


@irdl_attr_definition
class SelectObjectAttr(ParametrizedAttribute):
    """The way upstream chooses among the objects of a binary: `#gpu.select_object` takes the first one, and
    `#gpu.select_object<1>` the one at this place, or of this target."""

    name = "gpu.select_object"

    chosen: Attribute

    def __init__(self, chosen: Attribute | None = None):
        super().__init__(NoneAttr() if chosen is None else chosen)

    def print_parameters(self, printer: Printer) -> None:
        if not isinstance(self.chosen, NoneAttr):
            with printer.in_angle_brackets():
                printer.print_attribute(self.chosen)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.parse_optional_punctuation("<") is None:
            return [NoneAttr()]
        chosen = parser.parse_attribute()
        parser.parse_punctuation(">")
        return [chosen]


WORKGROUP = AddressSpaceAttr(AddressSpace.Workgroup)
PRIVATE = AddressSpaceAttr(AddressSpace.Private)


def grid_of(launch: LaunchOp | LaunchFuncOp) -> list[SSAValue]:
    """The numbers of blocks that a launch starts, along x, y and z."""
    return [launch.gridSizeX, launch.gridSizeY, launch.gridSizeZ]


def block_of(launch: LaunchOp | LaunchFuncOp) -> list[SSAValue]:
    """The numbers of threads in a block of a launch, along x, y and z."""
    return [launch.blockSizeX, launch.blockSizeY, launch.blockSizeZ]


def is_kernel(op: Operation) -> TypeGuard[FuncOp]:
    """Return whether an operation is a kernel."""
    return isinstance(op, FuncOp) and op.kernel is not None


def kernels_of(module: ModuleOp) -> list[FuncOp]:
    """The kernels of a gpu.module."""
    return [op for op in module.body.block.ops if is_kernel(op)]


def drop_address_space(type: Attribute) -> Attribute:
    """Return `type` without `#gpu.address_space`, also inside function types: the type for targets with one memory."""
    if isinstance(type, MemRefType):
        memref = cast(MemRefType[Attribute], type)
        if isinstance(memref.memory_space, AddressSpaceAttr):
            return MemRefType(memref.element_type, memref.shape, memref.layout)
        return memref
    if isinstance(type, FunctionType):
        inputs = [drop_address_space(t) for t in type.inputs]
        return FunctionType.from_lists(inputs, [drop_address_space(t) for t in type.outputs])
    return type


class IdOp(IRDLOperation):
    """A position or size along one dimension, an index below `upper_bound` where that is given."""

    dimension = prop_def(DimensionAttr)
    upper_bound = opt_prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, dimension: DimensionAttr):
        super().__init__(result_types=[IndexType()], properties={"dimension": dimension})


@irdl_op_definition
class ThreadIdOp(IdOp):
    """The lane's position in its block."""

    name = "gpu.thread_id"


@irdl_op_definition
class BlockIdOp(IdOp):
    """The block's position in the grid."""

    name = "gpu.block_id"


@irdl_op_definition
class BlockDimOp(IdOp):
    """The number of lanes of a block."""

    name = "gpu.block_dim"


@irdl_op_definition
class GridDimOp(IdOp):
    """The number of blocks of the grid."""

    name = "gpu.grid_dim"


@irdl_op_definition
class GlobalIdOp(IdOp):
    """The lane's position in the grid: block id * block size + thread id."""

    name = "gpu.global_id"


class LaneOp(IRDLOperation):
    """A position in a subgroup, or a number of lanes or subgroups, an index below `upper_bound` where that is given."""

    upper_bound = opt_prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self):
        super().__init__(result_types=[IndexType()])


@irdl_op_definition
class LaneIdOp(LaneOp):
    """The lane's position in its subgroup."""

    name = "gpu.lane_id"


@irdl_op_definition
class SubgroupIdOp(LaneOp):
    """The subgroup's position in its block."""

    name = "gpu.subgroup_id"


@irdl_op_definition
class NumSubgroupsOp(LaneOp):
    """The number of subgroups of a block."""

    name = "gpu.num_subgroups"


@irdl_op_definition
class SubgroupSizeOp(LaneOp):
    """The number of lanes of a subgroup."""

    name = "gpu.subgroup_size"


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """Waits until all lanes of the block have come here. Every lane of the block must, or none."""

    name = "gpu.barrier"

    address_spaces = opt_prop_def(ArrayAttr[AddressSpaceAttr])

    def __init__(self):
        super().__init__()


@irdl_op_definition
class DynamicSharedMemoryOp(IRDLOperation):
    """The block's shared memory of the size given at launch: `memref<?xi8, #gpu.address_space<workgroup>>`."""

    name = "gpu.dynamic_shared_memory"
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    def __init__(self, result_type: Attribute):
        super().__init__(result_types=[result_type])

    def verify_(self) -> None:
        kind = MemRefType(i8, [DYNAMIC_INDEX], memory_space=WORKGROUP)
        need(self.result.type == kind, f"'{self.name}' gives {kind}, not {self.result.type}")


@irdl_op_definition
class ModuleOp(IRDLOperation):
    """Device code: kernels, and the functions and globals they use."""

    name = "gpu.module"

    body = region_def("single_block")
    sym_name = prop_def(SymbolNameConstraint())
    targets = opt_prop_def(ArrayAttr)
    offloadingHandler = opt_prop_def(Attribute)  # noqa: N815  # upstream's name

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface(), SymbolTable())

    def __init__(self, name: str | StringAttr, body: Region):
        if isinstance(name, str):
            name = StringAttr(name)
        super().__init__(properties={"sym_name": name}, regions=[body])

    def verify_(self) -> None:
        if self.targets is not None:
            targets = self.targets.data
            fits = bool(targets) and all(not isinstance(t, IntegerAttr | StringAttr | ArrayAttr) for t in targets)
            need(fits, "the targets of 'gpu.module' are one or more attributes such as #nvvm.target")


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A device function; with `gpu.kernel`, one that `gpu.launch_func` can start.

    The entry block's arguments are the function's, then the workgroup attributions (as many as the attribute
    `workgroup_attributions` says, buffers shared by a block), then the private ones (a buffer for each lane).
    """

    name = "gpu.func"

    body = region_def()
    sym_name = attr_def(SymbolNameConstraint())
    kernel = opt_attr_def(UnitAttr, attr_name="gpu.kernel")
    workgroup_attributions = opt_attr_def(IntegerAttr)
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    workgroup_attrib_attrs = opt_prop_def(ArrayAttr)
    private_attrib_attrs = opt_prop_def(ArrayAttr)
    known_block_size = opt_prop_def(DenseArrayBase.constr(i32))
    known_grid_size = opt_prop_def(DenseArrayBase.constr(i32))
    known_cluster_size = opt_prop_def(DenseArrayBase.constr(i32))

    traits = traits_def(IsolatedFromAbove(), HasParent(ModuleOp), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        function_type: FunctionType,
        body: Region | None = None,
        *,
        kernel: bool = True,
        workgroup: Sequence[Attribute] = (),
        private: Sequence[Attribute] = (),
        known_block_size: Sequence[int] | None = None,
    ):
        if body is None:
            body = Region(Block(arg_types=[*function_type.inputs, *workgroup, *private]))
        super().__init__(
            properties={
                "function_type": function_type,
                "known_block_size": DenseArrayBase.from_list(i32, known_block_size) if known_block_size else None,
            },
            attributes={
                "sym_name": StringAttr(name),
                "gpu.kernel": UnitAttr() if kernel else None,
                "workgroup_attributions": IntegerAttr(len(workgroup), i64),
            },
            regions=[body],
        )

    @property
    def argument_count(self) -> int:
        """The number of the entry block's arguments that are the function's."""
        return len(self.function_type.inputs)

    @property
    def workgroup_count(self) -> int:
        """The number of the entry block's arguments that are workgroup attributions."""
        count = self.workgroup_attributions
        return 0 if count is None else count.value.data

    @property
    def workgroup(self) -> Sequence[SSAValue]:
        """The buffers that the lanes of a block share."""
        first = self.argument_count
        return self.body.blocks[0].args[first : first + self.workgroup_count]

    @property
    def private(self) -> Sequence[SSAValue]:
        """The buffers that each lane has of its own."""
        return self.body.blocks[0].args[self.argument_count + self.workgroup_count :]

    def verify_(self) -> None:
        if not self.body.blocks:
            raise VerifyError("gpu-func-body", f"gpu.func '{self.sym_name.data}' has no body")
        inputs = self.function_type.inputs.data
        arguments = self.body.blocks[0].arg_types
        if arguments[: len(inputs)] != inputs:
            raise VerifyError(
                "gpu-func-arguments",
                "the entry block's first arguments must have the types of the function's inputs "
                f"({', '.join(map(str, inputs))}), but are ({', '.join(map(str, arguments[: len(inputs)]))})",
            )
        if self.kernel is not None and self.function_type.outputs.data:
            raise VerifyError(
                "gpu-kernel-results",
                f"the kernel '{self.sym_name.data}' returns {len(self.function_type.outputs.data)} value(s)",
                hint="a kernel returns nothing; pass it a memref to write to",
            )
        self._verify_attributions()
        for name in ("known_block_size", "known_grid_size", "known_cluster_size"):
            size: DenseArrayBase[Any] | None = getattr(self, name)
            if size is not None and (len(size) != 3 or any(n < 1 for n in size.iter_values())):
                raise VerifyError("gpu-func-block-size", f"{name} must be three sizes of at least 1, not {size}")

    def _verify_attributions(self) -> None:
        extra = len(self.body.blocks[0].args) - self.argument_count
        if not 0 <= self.workgroup_count <= extra:
            raise VerifyError(
                "gpu-func-attributions",
                f"workgroup_attributions is {self.workgroup_count}, but the entry block has {extra} argument(s) "
                "after the function's own",
            )
        for kind, values in ((WORKGROUP, self.workgroup), (PRIVATE, self.private)):
            for value in values:
                type = value.type
                # Upstream also takes numbers for memory spaces, which mean something to one target alone.
                if not isinstance(type, MemRefType) or cast(MemRefType[Attribute], type).memory_space != kind:
                    raise VerifyError(
                        "gpu-func-attribution-space",
                        f"a {kind.data.value} attribution must be a memref in #gpu.address_space<{kind.data.value}>, "
                        f"not {type}",
                    )


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Runs its body for each lane of a grid of blocks.

    The body's arguments are the block's and the lane's positions along x, y and z, the numbers of blocks, and those of
    lanes of a block; then, of a launch with clusters, the cluster's position and the numbers of clusters; then buffers
    that a block shares, as many as `workgroup_attributions` says, and those that each lane has of its own.
    """

    name = "gpu.launch"

    asyncDependencies = var_operand_def(AsyncTokenType)  # noqa: N815  # upstream's names
    gridSizeX = operand_def(IndexType)  # noqa: N815
    gridSizeY = operand_def(IndexType)  # noqa: N815
    gridSizeZ = operand_def(IndexType)  # noqa: N815
    blockSizeX = operand_def(IndexType)  # noqa: N815
    blockSizeY = operand_def(IndexType)  # noqa: N815
    blockSizeZ = operand_def(IndexType)  # noqa: N815
    clusterSizeX = opt_operand_def(IndexType)  # noqa: N815
    clusterSizeY = opt_operand_def(IndexType)  # noqa: N815
    clusterSizeZ = opt_operand_def(IndexType)  # noqa: N815
    dynamicSharedMemorySize = opt_operand_def(i32)  # noqa: N815
    asyncToken = opt_result_def(AsyncTokenType)  # noqa: N815
    module = opt_prop_def(SymbolRefAttr)
    function = opt_prop_def(SymbolRefAttr)
    workgroup_attributions = opt_attr_def(IntegerAttr)
    body = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        body: Region,
        grid: Sequence[SSAValue],
        block: Sequence[SSAValue],
        *,
        clusters: Sequence[SSAValue] = (),
        shared: Sequence[SSAValue] = (),
        dependencies: Sequence[SSAValue] = (),
        token: Sequence[Attribute] = (),
        workgroup: int = 0,
    ):
        sizes = [[value] for value in clusters] or [[], [], []]
        super().__init__(
            operands=[dependencies, *grid, *block, *sizes, shared],
            result_types=[token],
            attributes={"workgroup_attributions": IntegerAttr(workgroup, i64)},
            regions=[body],
        )

    @property
    def clusters(self) -> list[SSAValue]:
        """The numbers of blocks in a cluster, along x, y and z, or nothing."""
        return [v for v in (self.clusterSizeX, self.clusterSizeY, self.clusterSizeZ) if v is not None]

    def verify_(self) -> None:
        first = self.body.blocks.first
        need(first is not None, "the body of 'gpu.launch' is empty")
        least, given = 18 if self.clusters else 12, first.arg_types if first else ()
        fits = len(given) >= least and all(isinstance(t, IndexType) for t in given[:least])
        need(fits, f"the body of 'gpu.launch' has {least} arguments of type index, and then buffers, not {len(given)}")
        for block in self.body.blocks:
            last = block.last_op
            fits = last is not None and (isinstance(last, TerminatorOp) or bool(last.successors))
            need(fits, "a block of 'gpu.launch' ends with 'gpu.terminator', or goes to another block", last)


@irdl_op_definition
class TerminatorOp(IRDLOperation):
    """Ends the body of a launch."""

    name = "gpu.terminator"

    traits = traits_def(HasParent(LaunchOp), IsTerminator())

    def __init__(self):
        super().__init__()


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends a lane, or a device function."""

    name = "gpu.return"

    args = var_operand_def()

    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(FuncOp)))

    def __init__(self, operands: Sequence[SSAValue | Operation] = ()):
        super().__init__(operands=[operands])

    def verify_(self) -> None:
        function = self.parent_op()
        if isinstance(function, FuncOp):
            wanted, given = function.function_type.outputs.data, self.args.types
            need(given == wanted, f"'gpu.return' has values {_show(given)}, and the function gives {_show(wanted)}")


def _show(types: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, types))})"


@irdl_op_definition
class BinaryOp(IRDLOperation):
    """Device code that a gpu.module became, for one target or several.

    `hologram.kernels` says what its kernels take, as the entry record does, `hologram.device` which kind of devices it
    is for, and `hologram.format` and `hologram.target` what it is made of and for.
    """

    name = "gpu.binary"

    sym_name = prop_def(SymbolNameConstraint())
    objects = prop_def(ArrayAttr[ObjectAttr])
    offloadingHandler = opt_prop_def(SelectObjectAttr)  # noqa: N815  # upstream's name

    traits = traits_def(SymbolOpInterface())

    def __init__(self, name: str, objects: Sequence[ObjectAttr]):
        # Upstream's printer fails without a handler.
        properties = {"objects": ArrayAttr(objects), "offloadingHandler": SelectObjectAttr()}
        super().__init__(properties={"sym_name": StringAttr(name), **properties})

    def verify_(self) -> None:
        if not self.objects.data:
            raise VerifyError("gpu-binary-empty", f"gpu.binary '{self.sym_name.data}' holds no code")


Gpu = RowDialect(
    "gpu",
    [*defined(globals(), Operation), LaunchFuncOp],
    [
        *(a for a in stock.GPU.attributes if a is not stock.AllReduceOpAttr),
        AddressSpaceAttr, ObjectAttr, SelectObjectAttr,
    ],
    rows="hologram.dialects.gpu.rows",
)  # fmt: skip
