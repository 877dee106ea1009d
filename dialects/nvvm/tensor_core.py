"""The part of the `nvvm` dialect that matrix products on tensor cores of sm_90 need: mbarriers, copies by tensor maps,
products of warp groups, and the registers of warps; and the attributes of these, words and sizes in angle brackets. The
barrier of a block and the end of a lane stand here too.

Names, operands and attributes are those of MLIR 22. Operations with many parts have the generic form only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import BoolAttr, IntAttr, IntegerAttr, UnitAttr, i16, i32, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Data, Operation, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, OpTrait

from hologram.dialects.families import defined, operation_of
from hologram.dialects.llvm.special_registers import BareOp
from hologram.dialects.llvm.types import LLVMStructType
from hologram.errors import VerifyError


class _Word(Data[str]):
    """One of a few words."""

    WORDS: ClassVar[tuple[str, ...]]

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return cls.parse_name(parser)

    @classmethod
    def parse_name(cls, parser: AttrParser) -> str:
        """The word itself."""
        word = parser.parse_identifier()
        if word not in cls.WORDS:
            parser.raise_error(f"'{cls.name}' is one of {', '.join(cls.WORDS)}, not {word}")
        return word


class _PlainWord(_Word, SpacedOpaqueSyntaxAttribute):
    """A word without brackets of its own."""

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        return cls.parse_name(parser)


def word(name: str, meaning: str, *words: str, base: type[_Word] = _Word) -> type[_Word]:
    """Make the attribute `#nvvm.<name>`, which is one of some words."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    fields = {"__doc__": meaning, "__module__": __name__, "name": f"nvvm.{name}", "WORDS": words}
    return irdl_attr_definition(type(f"{camel}Attr", (base,), fields))


MMALayoutAttr = word("mma_layout", "The layout of a matrix in memory: `#nvvm.mma_layout<row>`.", "row", "col")
WGMMATypeAttr = word(
    "wgmma_type", "The type of the elements of a factor or of the sums: `#nvvm.wgmma_type<bf16>`.",
    "f16", "tf32", "u8", "s8", "b1", "bf16", "e4m3", "e5m2", "f32", "s32",
)  # fmt: skip
WGMMAScaleInAttr = word("wgmma_scale_in", "The sign that a factor is given: `#nvvm.wgmma_scale_in<one>`.", "one", "neg")
WGMMAScaleOutAttr = word(
    "wgmma_scale_out", "The factor of the sums so far, 0 or 1: `#nvvm.wgmma_scale_out<one>`.", "zero", "one"
)
ProxyKindAttr = word(
    "proxy_kind", "A way in which memory is accessed: `#nvvm.proxy_kind<async.shared>`.",
    "alias", "async", "async.global", "async.shared", "tensormap", "generic",
)  # fmt: skip
SharedSpaceAttr = word("shared_space", "The owner of shared memory: `#nvvm.shared_space<cta>`.", "cta", "cluster")
LdStMatrixEltTypeAttr = word(
    "ld_st_matrix_elt_type", "The elements that stmatrix moves: `#nvvm.ld_st_matrix_elt_type<b16>`.",
    "b16", "b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64",
)  # fmt: skip
SetMaxRegisterActionAttr = word(
    "action", "The way the number of registers goes: `#nvvm<action increase>`.", "increase", "decrease", base=_PlainWord
)
ShflKindAttr = word(
    "shfl_kind", "The choice of the lane whose value a lane gets: `#nvvm<shfl_kind idx>`.",
    "bfly", "up", "down", "idx", base=_PlainWord,
)  # fmt: skip


class _Sizes(ParametrizedAttribute):
    """Named sizes: `<m = 8, n = 8>`."""

    NAMES: ClassVar[tuple[str, ...]]

    @classmethod
    def of(cls, *sizes: int) -> _Sizes:
        """The attribute of these sizes."""
        return cls(*map(IntAttr, sizes))

    def sizes(self) -> tuple[int, ...]:
        """The sizes, in order."""
        return tuple(cast("IntAttr", p).data for p in self.parameters)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            pairs = zip(self.NAMES, self.sizes(), strict=True)
            printer.print_string(", ".join(f"{name} = {size}" for name, size in pairs))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        sizes: list[Attribute] = []
        with parser.in_angle_brackets():
            for name in cls.NAMES:
                if sizes:
                    parser.parse_punctuation(",")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                sizes.append(IntAttr(parser.parse_integer()))
        return sizes


@irdl_attr_definition
class MMAShapeAttr(_Sizes):
    """The sizes of one product: `#nvvm.shape<m = 64, n = 256, k = 16>`."""

    name = "nvvm.shape"
    NAMES: ClassVar[tuple[str, ...]] = ("m", "n", "k")
    m: IntAttr = param_def()
    n: IntAttr = param_def()
    k: IntAttr = param_def()


@irdl_attr_definition
class LdStMatrixShapeAttr(_Sizes):
    """The sizes of a matrix that stmatrix moves: `#nvvm.ld_st_matrix_shape<m = 8, n = 8>`."""

    name = "nvvm.ld_st_matrix_shape"
    NAMES: ClassVar[tuple[str, ...]] = ("m", "n")
    m: IntAttr = param_def()
    n: IntAttr = param_def()


ATTRIBUTES = defined(globals(), Attribute)


I1 = IntegerAttr(0, 1).type
SHARED = LLVMPointerType(IntAttr(3))
CLUSTER = LLVMPointerType(IntAttr(7))


class OrderedOp(IRDLOperation):
    """An operation that is made of all its operands, in order."""

    RESULTS: ClassVar[Sequence[Attribute]] = ()
    """The types of its results."""

    def __init__(self, *operands: SSAValue):
        Operation.__init__(self, operands=operands, result_types=self.RESULTS)


def _bare(name: str, meaning: str, *traits: OpTrait) -> type[BareOp]:
    return operation_of(BareOp, f"nvvm.{name}", meaning, *traits, module=__name__)


_EFFECTS = MemoryReadEffect(), MemoryWriteEffect()
Barrier0Op = _bare(
    "barrier0", "Waits until all lanes of the block have come here, or have ended: barrier 0.", *_EFFECTS
)
ExitOp = _bare("exit", "Ends the lane.", *_EFFECTS)


# Barriers in shared memory


@irdl_op_definition
class MBarrierInitOp(OrderedOp):
    """Makes a barrier in shared memory that `count` arrivals complete a phase of.

    Example::

        nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    """

    name = "nvvm.mbarrier.init"
    addr = operand_def(LLVMPointerType)
    count = operand_def(i32)

    assembly_format = "$addr `,` $count attr-dict `:` type(operands)"


@irdl_op_definition
class MBarrierArriveOp(OrderedOp):
    """Arrives at a barrier, once. What this thread did before is seen by who waits for the phase.

    Example::

        %state = nvvm.mbarrier.arrive %barrier : !llvm.ptr<3> -> i64
    """

    name = "nvvm.mbarrier.arrive"
    RESULTS: ClassVar[Sequence[Attribute]] = (i64,)

    addr = operand_def(LLVMPointerType)
    res = result_def(i64)

    assembly_format = "$addr attr-dict `:` type($addr) `->` type($res)"


@irdl_op_definition
class MBarrierArriveExpectTxOp(OrderedOp):
    """Arrives at a barrier whose phase also waits for `txcount` more bytes of asynchronous copies.

    Example::

        %state = nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32 -> i64
    """

    name = "nvvm.mbarrier.arrive.expect_tx"
    RESULTS: ClassVar[Sequence[Attribute]] = (i64,)

    addr = operand_def(LLVMPointerType)
    txcount = operand_def(i32)
    res = result_def(i64)

    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierTryWaitOp(OrderedOp):
    """A truth value: whether the phase of a parity (0 or 1) is complete, after waiting for it a while. To wait, ask
    until it is.

    Example::

        %done = nvvm.mbarrier.try_wait %barrier, %parity : !llvm.ptr<3>, i32 -> i1
    """

    name = "nvvm.mbarrier.try_wait"
    RESULTS: ClassVar[Sequence[Attribute]] = (I1,)

    addr = operand_def(LLVMPointerType)
    state_or_phase = operand_def(i32)
    res = result_def(I1)

    assembly_format = "$addr `,` $state_or_phase attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """Waits until all lanes of the block, or `number_of_threads` of them, have come to the barrier of a number."""

    name = "nvvm.barrier"
    barrier_id = opt_operand_def(i32)
    number_of_threads = opt_operand_def(i32)
    reduction_predicate = opt_operand_def(i32)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, barrier_id: SSAValue | None = None, number_of_threads: SSAValue | None = None):
        super().__init__(operands=[barrier_id, number_of_threads, None])


@irdl_op_definition
class ShflOp(IRDLOperation):
    """The value that another lane of the warp has."""

    name = "nvvm.shfl.sync"
    thread_mask = operand_def(i32)
    val = operand_def()
    offset = operand_def(i32)
    mask_and_clamp = operand_def(i32)
    res = result_def()
    kind = prop_def(ShflKindAttr)

    def __init__(self, mask: SSAValue, value: SSAValue, offset: SSAValue, clamp: SSAValue, kind: str = "idx"):
        super().__init__(
            operands=[mask, value, offset, clamp], result_types=[value.type], properties={"kind": ShflKindAttr(kind)}
        )


FenceMbarrierInitOp = _bare("fence.mbarrier.init", "Makes barriers that were made seen by asynchronous copies.")


@irdl_op_definition
class FenceProxyOp(IRDLOperation):
    """Orders accesses of one kind after those of another: with `async.shared` and `cta`, copies by tensor maps after
    stores to shared memory.
    """

    name = "nvvm.fence.proxy"
    kind = prop_def(ProxyKindAttr)
    space = opt_prop_def(SharedSpaceAttr)

    def __init__(self, kind: str = "async.shared", space: str = "cta"):
        Operation.__init__(self, properties={"kind": ProxyKindAttr(kind), "space": SharedSpaceAttr(space)})


@irdl_op_definition
class SetMaxRegisterOp(IRDLOperation):
    """The number of registers that each lane of this warp has from here on, 24 to 256 in steps of 8.

    All warps of a warp group execute it.
    """

    name = "nvvm.setmaxregister"
    reg_count = prop_def(IntegerAttr, prop_name="regCount")
    action = prop_def(SetMaxRegisterActionAttr)

    def __init__(self, count: int, action: str):
        action_attr = SetMaxRegisterActionAttr(action)
        Operation.__init__(self, properties={"regCount": IntegerAttr(count, i32), "action": action_attr})

    def verify_(self) -> None:
        count = self.reg_count.value.data
        if count % 8 or not 24 <= count <= 256:
            raise VerifyError(
                "nvvm-register-count",
                f"'{self.name}' sets 24 to 256 registers in steps of 8, not {count}",
            )


# Copies by tensor maps


@irdl_op_definition
class CpAsyncBulkTensorSharedClusterGlobalOp(IRDLOperation):
    """Starts a copy of a box of an array, described by a tensor map, into shared memory. `mbar` counts its bytes.

    What lies outside of the array is filled with zeros, and counts.
    """

    name = "nvvm.cp.async.bulk.tensor.shared.cluster.global"
    dst_mem = operand_def(LLVMPointerType)
    tma_descriptor = operand_def(LLVMPointerType)
    coordinates = var_operand_def(i32)
    mbar = operand_def(SHARED)
    im2col_offsets = var_operand_def(i16)
    multicast_mask = opt_operand_def(i16)
    l2_cache_hint = opt_operand_def(i64)
    predicate = opt_operand_def(I1)
    is_cta_only = opt_prop_def(BoolAttr, prop_name="isCTAOnly")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, dst: SSAValue, descriptor: SSAValue, coordinates: Sequence[SSAValue], mbar: SSAValue):
        super().__init__(operands=[dst, descriptor, coordinates, mbar, [], None, None, None])


@irdl_op_definition
class CpAsyncBulkTensorGlobalSharedCtaOp(IRDLOperation):
    """Starts a copy of a box from shared memory into an array that a tensor map describes. What lies outside of the
    array is left out.
    """

    name = "nvvm.cp.async.bulk.tensor.global.shared.cta"
    tma_descriptor = operand_def(LLVMPointerType)
    src_mem = operand_def(SHARED)
    coordinates = var_operand_def(i32)
    l2_cache_hint = opt_operand_def(i64)
    predicate = opt_operand_def(I1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, descriptor: SSAValue, src: SSAValue, coordinates: Sequence[SSAValue]):
        super().__init__(operands=[descriptor, src, coordinates, None, None])


CpAsyncBulkCommitGroupOp = _bare(
    "cp.async.bulk.commit.group", "Makes a group of the copies that this thread has started since the last one."
)


@irdl_op_definition
class CpAsyncBulkWaitGroupOp(IRDLOperation):
    """Waits until at most `group` of this thread's groups of copies are under way; with `read`, until the others need
    no more of the memory they read.
    """

    name = "nvvm.cp.async.bulk.wait_group"
    group = prop_def(IntegerAttr)
    read = opt_prop_def(UnitAttr)

    def __init__(self, group: int, *, read: bool = False):
        properties: dict[str, Attribute] = {"group": IntegerAttr(group, i32)}
        if read:
            properties["read"] = UnitAttr()
        Operation.__init__(self, properties=properties)


# Products


WgmmaFenceAlignedOp = _bare(
    "wgmma.fence.aligned", "Orders the accesses of a warp group's registers before products that use them."
)
WgmmaGroupSyncAlignedOp = _bare(
    "wgmma.commit.group.sync.aligned",
    "Makes a group of the products that this warp group has started since the last one.",
)


@irdl_op_definition
class WgmmaWaitGroupSyncOp(IRDLOperation):
    """Waits until at most `group` of this warp group's groups of products are under way."""

    name = "nvvm.wgmma.wait.group.sync.aligned"
    group = prop_def(IntegerAttr)

    def __init__(self, group: int):
        Operation.__init__(self, properties={"group": IntegerAttr(group, i64)})


@irdl_op_definition
class WgmmaMmaAsyncOp(IRDLOperation):
    """Starts d + a b of a warp group, a and b in shared memory, the sums d in registers.

    The descriptors say where a and b lie and how. a has 64 rows; a lane holds n / 2 of the sums. Until a group of
    products that this one is of has been waited for, nothing may touch them but other products.
    """

    name = "nvvm.wgmma.mma_async"
    inouts = operand_def(LLVMStructType)
    descriptor_a = operand_def(i64)
    descriptor_b = operand_def(i64)
    res = result_def(LLVMStructType)
    shape = prop_def(MMAShapeAttr)
    type_a = prop_def(WGMMATypeAttr, prop_name="typeA")
    type_b = prop_def(WGMMATypeAttr, prop_name="typeB")
    type_d = prop_def(WGMMATypeAttr, prop_name="typeD")
    scale_d = prop_def(WGMMAScaleOutAttr, prop_name="scaleD")
    scale_a = prop_def(WGMMAScaleInAttr, prop_name="scaleA")
    scale_b = prop_def(WGMMAScaleInAttr, prop_name="scaleB")
    layout_a = prop_def(MMALayoutAttr, prop_name="layoutA")
    layout_b = prop_def(MMALayoutAttr, prop_name="layoutB")

    def __init__(
        self,
        sums: SSAValue,
        descriptors: tuple[SSAValue, SSAValue],
        shape: tuple[int, int, int],
        element: str,
        layouts: tuple[str, str] = ("row", "col"),
    ):
        """The product of two factors with elements of one type, added to sums of f32."""
        one = WGMMAScaleInAttr("one")
        kind = WGMMATypeAttr(element)
        super().__init__(
            operands=[sums, *descriptors],
            result_types=[sums.type],
            properties={
                "shape": MMAShapeAttr.of(*shape),
                "typeA": kind,
                "typeB": kind,
                "typeD": WGMMATypeAttr("f32"),
                "scaleD": WGMMAScaleOutAttr("one"),
                "scaleA": one,
                "scaleB": one,
                "layoutA": MMALayoutAttr(layouts[0]),
                "layoutB": MMALayoutAttr(layouts[1]),
            },
        )

    def verify_(self) -> None:
        m, n, k = self.shape.sizes()
        depth = {"tf32": 8, "f16": 16, "bf16": 16}.get(self.type_a.data, 32)
        if m != 64 or k != depth or n % 8 or not 8 <= n <= 256:
            raise VerifyError(
                "nvvm-wgmma-shape",
                f"'{self.name}' of {self.type_a.data} has m = 64, k = {depth} and n = 8 to 256 in steps of 8, "
                f"not m = {m}, n = {n}, k = {k}",
            )
        count = len(self.inouts.type.types.data) if isinstance(self.inouts.type, LLVMStructType) else 0
        if self.res.type != self.inouts.type or count != n // 2:
            raise VerifyError(
                "nvvm-wgmma-sums",
                f"'{self.name}' with n = {n} takes and gives {n // 2} sums a lane, not {self.inouts.type} and "
                f"{self.res.type}",
            )
        transposed = (self.layout_a.data, self.layout_b.data) != ("row", "col")
        if transposed and self.type_a.data not in ("f16", "bf16"):
            raise VerifyError(
                "nvvm-wgmma-layout",
                f"'{self.name}' of {self.type_a.data} reads rows of a and columns of b only",
            )


@irdl_op_definition
class StMatrixOp(IRDLOperation):
    """Stores 8 x 8 matrices that a warp holds in registers, each lane the address of a row."""

    name = "nvvm.stmatrix"
    ptr = operand_def(SHARED)
    sources = var_operand_def(i32)
    layout = prop_def(MMALayoutAttr)
    shape = prop_def(LdStMatrixShapeAttr)
    elt_type = prop_def(LdStMatrixEltTypeAttr, prop_name="eltType")

    def __init__(self, ptr: SSAValue, sources: Sequence[SSAValue]):
        super().__init__(
            operands=[ptr, sources],
            properties={
                "layout": MMALayoutAttr("row"),
                "shape": LdStMatrixShapeAttr.of(8, 8),
                "eltType": LdStMatrixEltTypeAttr("b16"),
            },
        )


OPERATIONS = defined(globals(), Operation)
