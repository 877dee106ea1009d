"""Matrix products on the tensor cores of sm_90: when they are taken, and their launches.

A kernel of `warp_group_gemm` copies by tensor maps, which the driver makes of an array's address and sizes. What it can
make no map of (rows whose length is no multiple of 16 bytes, nothing at all) is left to the tiles of `gemm`: the host
asks the driver and then launches one or the other. The columns of a tile are such that most multiprocessors have one.

The kernel of a matrix product on the tensor cores of sm_90, in `nvvm` operations.

A block has three warp groups. The first starts copies of tiles of a and b by tensor maps into a ring of stages in
shared memory; the others multiply, 64 rows each, with the sums in registers. A stage has a barrier that tells that it
is full, which counts bytes, and one that tells that it is free, at which each warp arrives. Sums go through shared
memory and leave it by tensor map while the next tile is multiplied. Blocks stay, and take one tile after another, in
an order that keeps what neighbours read in the second cache.

`DeviceCode` builds the code of such a kernel: 32-bit integers, addresses of shared memory, and operations of a
device's own dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    bf16,
    f16,
    f32,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects import gpu, llvm, marks, nvvm
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.llvm.enums import GEP_INBOUNDS
from hologram.dialects.llvm.types import LLVMStructType
from hologram.dialects.nvvm import tensor_core as tc
from hologram.dialects.verbs import Verb
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_dense
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.simt.launches import WORKGROUP
from hologram.lowering.targets.ptx.device_functions import MAP_ALIGNMENT, MAP_BYTES

Word = Index
"""A 32-bit integer: a Python int where it is known."""


class DeviceCode(Builder):
    """Emits what every builder does, with words for indices."""

    kind = i32

    def emit(self, op: Operation) -> None:
        """Emits an operation without results, or whose results nobody needs."""
        self.rw.emit(op)

    def long(self, value: Word) -> SSAValue:
        """A word, or a constant, as 64 bits without a sign."""
        return self.index(value, i64) if isinstance(value, int) else self.op(arith.ExtUIOp(value, i64))

    def emitted(self, verb: Verb, a: Word, b: Word) -> SSAValue:
        return self.core.binary(verb, self.index(a), self.index(b))

    def at(self, base: SSAValue, offset: Word) -> SSAValue:
        """The address some bytes on."""
        if offset == 0:
            return base
        return self.op(llvm.GEPOp(base, [offset], i8, GEP_INBOUNDS))

    def until(self, done: Callable[[], SSAValue]) -> None:
        """Asks again and again until the answer is yes."""
        self.repeat([], lambda _: (self.core.complement(done()), ()))


ROWS = 128
"""Of a tile of the out."""
LINE = 128
"""The bytes of a row of a tile in shared memory, which the copies' swizzle turns around in groups of 8."""
GROUP = 128
"""The lanes of a warp group."""
LANES = 3 * GROUP
STEP = 32
"""The bytes along the sum that one instruction multiplies."""
CHUNK = 64 * LINE
"""The bytes of a part of the sums on its way out: 64 rows of a line."""
RING = {256: 4, 128: 6, 64: 8}
"""The stages that fit beside the parts of the sums, by the columns of a tile."""
SWIZZLED = 1 << 62
"""Of the description of a matrix in shared memory: lines of 128 bytes, turned around."""
ALL_LANES = -1
PRODUCER_REGISTERS, CONSUMER_REGISTERS = 24, 240


TileBody = Callable[[Word, Word, Sequence[SSAValue]], Sequence[SSAValue]]
"""What is done with a tile: from its first row and column, and values that are carried along, the next ones."""


@dataclass(frozen=True)
class TileShape:
    """The form of a kernel: `columns` of a tile, the type of the factors (as wgmma calls it) and of the out,
    whether a and b are read across (a as k x m, b as n x k in memory), alpha, and how many rows of tiles are
    taken together.
    """

    columns: int = 256
    element: str = "bf16"
    out: str = "bf16"
    flip_a: bool = False
    flip_b: bool = False
    alpha: float = 1.0
    together: int = 16

    @property
    def element_bytes(self) -> int:
        """The bytes of an element of a and b."""
        return {"f16": 2, "bf16": 2, "tf32": 4}.get(self.element, 1)

    @property
    def out_bytes(self) -> int:
        """The bytes of an element of the out."""
        return 4 if self.out == "f32" else 2

    @property
    def depth(self) -> int:
        """The products that a stage holds of each sum."""
        return LINE // self.element_bytes

    @property
    def instruction(self) -> tuple[int, int, int]:
        """The sizes of one instruction's product."""
        return 64, self.columns, STEP // self.element_bytes

    @property
    def stages(self) -> int:
        """The stages of the ring."""
        return RING[self.columns]

    @property
    def stage_bytes(self) -> int:
        """The bytes of a tile of a and one of b."""
        return (ROWS + self.columns) * LINE

    @property
    def chunk_columns(self) -> int:
        """The columns of the out that leave at a time."""
        return LINE // self.out_bytes

    @property
    def buffers(self) -> int:
        """The parts of the sums, of a warp group, that are on their way out."""
        return min(2, self.columns // self.chunk_columns)

    @property
    def chunks_at(self) -> int:
        """The offset of the parts of the sums in shared memory."""
        return self.stages * self.stage_bytes

    @property
    def barriers_at(self) -> int:
        """The offset of the barriers in shared memory."""
        return self.chunks_at + 2 * self.buffers * CHUNK

    @property
    def shared_bytes(self) -> int:
        """All of a block's shared memory."""
        return self.barriers_at + 16 * self.stages


@dataclass
class Operands:
    """The kernel's arguments: tensor maps of a, b and the out, and the tiles down, across and along k."""

    a: SSAValue
    b: SSAValue
    out: SSAValue
    down: SSAValue
    across: SSAValue
    along: SSAValue


class WarpGroupGemm:
    """Emits the kernel's body."""

    def __init__(self, code: DeviceCode, shape: TileShape, given: Operands, memory: SSAValue):
        self.code, self.shape, self.given, self.memory = code, shape, given, memory

    # Barriers

    def _full(self, stage: Word) -> SSAValue:
        return self.code.at(self.memory, self.code.add(self.code.mul(stage, 8), self.shape.barriers_at))

    def _free(self, stage: Word) -> SSAValue:
        return self.code.at(
            self.memory, self.code.add(self.code.mul(stage, 8), self.shape.barriers_at + 8 * self.shape.stages)
        )

    def _wait(self, barrier: SSAValue, parity: Word) -> None:
        self.code.until(lambda: self.code.op(tc.MBarrierTryWaitOp(barrier, self.code.index(parity))))

    def _advance(self, stage: SSAValue, parity: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The next stage of the ring, and the parity of its phase."""
        code = self.code
        after = code.add(stage, 1)
        wraps = code.compare("eq", after, self.shape.stages)
        return code.core.select(wraps, code.index(0), after), code.core.select(wraps, code.xor(parity, 1), parity)

    # The kernel

    def emit(self) -> None:
        """All of it but the return."""
        code = self.code
        lane = code.op(nvvm.REGISTERS["tid.x"](LANES))
        warp = code.div(lane, 32)
        # Said by one lane, so that all know that it is the same for all.
        warp = code.op(tc.ShflOp(code.index(ALL_LANES), code.index(warp), code.index(0), code.index(31)))
        group = code.div(warp, 4)
        with code.when(code.compare("eq", lane, 0)):
            for stage in range(self.shape.stages):
                code.emit(tc.MBarrierInitOp(self._full(stage), code.index(1)))
                code.emit(tc.MBarrierInitOp(self._free(stage), code.index(8)))
            code.emit(tc.FenceMbarrierInitOp())
        code.emit(nvvm.Barrier0Op())
        is_first = code.compare("eq", group, 0)
        code.choose(is_first, lambda: self._produce(lane), lambda: self._consume(code.sub(group, 1), lane))

    def _tiles(self, start: Sequence[SSAValue], body: TileBody) -> None:
        """`body(first row, first column, carried)` for each tile of this block."""
        code, given = self.code, self.given
        total = code.mul(given.down, given.across)
        first, step = (code.op(nvvm.REGISTERS[name]()) for name in ("ctaid.x", "nctaid.x"))

        def tile(number: Word, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            row, column = self._place(number)
            return body(code.mul(row, ROWS), code.mul(column, self.shape.columns), carried)

        code.carried(first, total, start, tile, "tile", by=step)

    def _place(self, number: Word) -> tuple[Word, Word]:
        """The tile of a number: down some rows of tiles, then across."""
        code, given = self.code, self.given
        together = self.shape.together
        group = code.mul(given.across, together)
        first = code.mul(code.div(number, group), together)
        rows = code.min(code.sub(given.down, first), together)
        inside = code.rem(number, group)
        return code.add(first, code.rem(inside, rows)), code.div(inside, rows)

    # The first warp group

    def _produce(self, lane: SSAValue) -> None:
        code = self.code
        code.emit(tc.SetMaxRegisterOp(PRODUCER_REGISTERS, "decrease"))
        with code.when(code.compare("eq", lane, 0)):
            self._tiles([code.index(0), code.index(0)], self._load_tile)

    def _load_tile(self, row: Word, column: Word, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        code, shape = self.code, self.shape

        def load(number: Word, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            stage, parity = carried
            self._wait(self._free(stage), code.xor(parity, 1))
            full = self._full(stage)
            code.op(tc.MBarrierArriveExpectTxOp(full, code.index(shape.stage_bytes)))
            at, depth = code.mul(stage, shape.stage_bytes), code.mul(number, shape.depth)
            self._load_factor(self.given.a, (at, full), (row, depth), (shape.flip_a, ROWS))
            at = code.add(at, ROWS * LINE)
            # b in memory as k x n is what has no rows along the sums.
            self._load_factor(self.given.b, (at, full), (column, depth), (not shape.flip_b, shape.columns))
            return self._advance(stage, parity)

        return code.carried(0, self.given.along, carried, load, "k")

    def _load_factor(
        self, map: SSAValue, to: tuple[Word, SSAValue], place: tuple[Word, Word], form: tuple[bool, int]
    ) -> None:
        """Rows along k in one copy; where k runs down, 64 columns at a time, each its own part of memory."""
        (at, barrier), (first, depth), (is_across, size) = to, place, form
        code = self.code
        boxes = [(at, (depth, first))]
        if is_across:
            boxes = [(code.add(at, n * LINE), (code.add(first, n), depth)) for n in range(0, size, LINE // 2)]
        for where, coordinates in boxes:
            address = code.op(llvm.AddrSpaceCastOp(code.at(self.memory, where), tc.CLUSTER))
            words = [code.index(c) for c in coordinates]
            code.emit(tc.CpAsyncBulkTensorSharedClusterGlobalOp(address, map, words, barrier))

    # The others

    def _consume(self, group: Word, lane: SSAValue) -> None:
        code = self.code
        code.emit(tc.SetMaxRegisterOp(CONSUMER_REGISTERS, "increase"))
        lane = code.index(code.rem(lane, GROUP))
        self.group, self.lane = group, lane
        self.in_warp = code.rem(lane, 32)
        self.speaks = code.compare("eq", self.in_warp, 0)
        """Whether this lane arrives for its warp."""
        self.leads = code.compare("eq", lane, 0)
        """Whether this lane starts the copies of its group."""
        start = code.op(llvm.PtrToIntOp(self.memory, i64))
        start = code.core.shr(start, code.index(4, i64))
        self.left = self._description(start, code.mul(group, 64 * LINE >> 4), self.shape.flip_a)
        self.right = self._description(start, ROWS * LINE >> 4, not self.shape.flip_b)
        self._tiles([code.index(0), code.index(0)], self._multiply_tile)
        with code.when(self.leads):
            code.emit(tc.CpAsyncBulkWaitGroupOp(0))

    def _description(self, start: SSAValue, offset: Word, is_across: bool) -> SSAValue:
        """The description of a factor in the first stage: the start, and the distances of 8 rows and of parts."""
        code = self.code
        parts = 64 * LINE if is_across else 16
        known = (parts >> 4) << 16 | (8 * LINE >> 4) << 32 | SWIZZLED
        at = code.core.add(start, code.long(offset))
        at = code.core.both(at, code.index(0x3FFF, i64))
        return code.core.either(at, code.index(known, i64))

    def _multiply_tile(self, row: Word, column: Word, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        code = self.code
        stage, parity = carried
        zero = code.op(llvm.ZeroOp(self._sums_type))
        # A loop that may not run at all would have two ways to its end, and sums of zero on one: products would wait.
        _, stage, parity, last, sums = code.repeat([code.index(0), stage, parity, stage, zero], self._multiply_stage)
        sums = self._all_done(sums)
        self._release(last, self.speaks)
        self._store_tile(row, column, sums)
        return [stage, parity]

    @cached_property
    def _sums_type(self) -> LLVMStructType:
        return LLVMStructType.from_type_list([f32] * (self.shape.columns // 2))

    def _multiply_stage(self, carried: Sequence[SSAValue]) -> tuple[SSAValue, Sequence[SSAValue]]:
        code, shape = self.code, self.shape
        number, stage, parity, last, sums = carried
        self._wait(self._full(stage), parity)
        code.emit(tc.WgmmaFenceAlignedOp())
        at = code.long(code.mul(stage, shape.stage_bytes >> 4))
        left, right = (code.core.add(d, at) for d in (self.left, self.right))
        across = (shape.flip_a, not shape.flip_b)
        layouts = ("col" if across[0] else "row", "row" if across[1] else "col")
        for n in range(LINE // STEP):
            # Along k, or down k rows of it.
            steps = [n * (shape.instruction[2] * LINE if down else STEP) >> 4 for down in across]
            parts = [
                code.core.add(d, code.index(step, i64)) if n else d
                for d, step in zip((left, right), steps, strict=True)
            ]
            sums = code.op(tc.WgmmaMmaAsyncOp(sums, (parts[0], parts[1]), shape.instruction, shape.element, layouts))
        code.emit(tc.WgmmaGroupSyncAlignedOp())
        # The products before these are done: the stage that they read is free.
        code.emit(tc.WgmmaWaitGroupSyncOp(1))
        self._release(last, code.both(self.speaks, code.compare("ne", number, 0)))
        after = code.index(code.add(number, 1))
        return code.compare("ne", after, self.given.along), [after, *self._advance(stage, parity), stage, sums]

    def _release(self, stage: SSAValue, condition: SSAValue) -> None:
        with self.code.when(condition):
            self.code.op(tc.MBarrierArriveOp(self._free(stage)))

    def _all_done(self, sums: SSAValue) -> SSAValue:
        """The sums after all products. Assembly that takes and gives them: no use of one may move before it."""
        code = self.code
        count = self.shape.columns // 2
        parts = [code.op(llvm.ExtractValueOp(sums, [n])) for n in range(count)]
        constraints = f"{'=f,' * count}{','.join(map(str, range(count)))},~{{memory}}"
        text = "wgmma.wait_group.sync.aligned 0;"
        return code.op(llvm.InlineAsmOp(text, constraints, parts, [sums.type], 0, has_side_effects=True))

    # The sums on their way out

    def _store_tile(self, row: Word, column: Word, sums: SSAValue) -> None:
        code, shape = self.code, self.shape
        values = [code.op(llvm.ExtractValueOp(sums, [n])) for n in range(shape.columns // 2)]
        if shape.alpha != 1:
            alpha = code.core.constant(shape.alpha, f32)
            values = [code.core.mul(v, alpha) for v in values]
        base = code.at(self.memory, code.add(code.mul(self.group, shape.buffers * CHUNK), shape.chunks_at))
        first_row = code.add(row, code.mul(self.group, 64))
        barrier, many = code.add(self.group, 1), code.index(GROUP)
        per_chunk = shape.chunk_columns // 2
        for n in range(shape.columns // shape.chunk_columns):
            buffer = code.at(base, n % shape.buffers * CHUNK)
            with code.when(self.leads):
                code.emit(tc.CpAsyncBulkWaitGroupOp(shape.buffers - 1, read=True))
            code.emit(tc.BarrierOp(code.index(barrier), many))
            part = values[n * per_chunk : (n + 1) * per_chunk]
            (self._store_floats if shape.out == "f32" else self._store_halves)(buffer, part)
            code.emit(tc.FenceProxyOp())
            code.emit(tc.BarrierOp(code.index(barrier), many))
            with code.when(self.leads):
                place = [code.index(code.add(column, n * shape.chunk_columns)), code.index(first_row)]
                code.emit(tc.CpAsyncBulkTensorGlobalSharedCtaOp(self.given.out, buffer, place))
                code.emit(tc.CpAsyncBulkCommitGroupOp())

    def _store_halves(self, buffer: SSAValue, values: Sequence[SSAValue]) -> None:
        """Sums of 16 bits: matrices of 8 x 8, four at a time."""
        code = self.code
        line = code.rem(self.in_warp, 8)
        down = code.add(code.mul(code.rem(code.div(self.in_warp, 8), 2), 8), line)
        row = code.add(code.mul(code.div(self.lane, 32), 16), down)
        at = code.at(buffer, code.mul(row, LINE))
        half = code.div(self.in_warp, 16)
        for q in range(len(values) // 8):
            piece = code.xor(code.add(half, 2 * q), line)
            pairs = [self._pair(values[8 * q + 2 * n], values[8 * q + 2 * n + 1]) for n in range(4)]
            code.emit(tc.StMatrixOp(code.at(at, code.mul(piece, 16)), pairs))

    def _pair(self, low: SSAValue, high: SSAValue) -> SSAValue:
        """Two sums, rounded, in one register."""
        code = self.code
        kind: Attribute = f16 if self.shape.out == "f16" else bf16
        # The device's own conversion, which passes for devices in general would write out.
        narrow = code.op(llvm.FPTruncOp(self._vector(low, high), VectorType(kind, [2])))
        return code.op(llvm.BitcastOp(narrow, i32))

    def _vector(self, low: SSAValue, high: SSAValue) -> SSAValue:
        code = self.code
        both = code.op(llvm.UndefOp(VectorType(f32, [2])))
        for n, value in enumerate((low, high)):
            both = code.op(llvm.InsertElementOp(both, value, code.index(n)))
        return both

    def _store_floats(self, buffer: SSAValue, values: Sequence[SSAValue]) -> None:
        """Sums of 32 bits, two at a time."""
        code = self.code
        line = code.div(self.in_warp, 4)
        row = code.add(code.mul(code.div(self.lane, 32), 16), line)
        inside = code.mul(code.rem(self.in_warp, 2), 8)
        half = code.rem(code.div(self.in_warp, 2), 2)
        at = code.at(buffer, code.add(code.mul(row, LINE), inside))
        for n in range(0, len(values), 2):
            piece = code.xor(code.add(half, n // 4 * 2), line)
            address = code.at(code.at(at, n // 2 % 2 * 8 * LINE), code.mul(piece, 16))
            code.emit(llvm.StoreOp(self._vector(values[n], values[n + 1]), address, alignment=8))


ENCODE = "cuTensorMapEncodeTiled"
"""The driver's function that makes a tensor map."""
MOST = 2**31 - 1 - 256
"""The largest size that coordinates of 32 bits reach."""
MAP_UNIT = 16
"""What an array's address and the bytes of its rows are multiples of, for a map."""
ELEMENTS = {"f16": "f16", "bf16": "bf16", "f32": "tf32", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
"""The types of factors, as wgmma calls them."""
MAP_TYPES = {"u8": 0, "f16": 6, "f32": 7, "bf16": 9}
"""The driver's numbers of types of elements."""
COLUMNS = (256, 128, 64)
POINTER = llvm.LLVMPointerType()


@dataclass(frozen=True)
class _Array:
    """An array that a tensor map is made of: its kind of elements, its sizes, and the box that is copied at a time."""

    value: SSAValue
    kind: str
    bytes: int
    outer: Index
    inner: Index
    box_outer: Index
    box_inner: int


@dataclass(frozen=True)
class Matrices:
    """A product of two matrices whose sum of products is all that is stored, but for a factor alpha."""

    values: tuple[SSAValue, SSAValue, SSAValue]
    """a, b and the out."""
    types: tuple[DType, DType]
    """Of the elements of a and b, and of the out."""
    extents: tuple[Index, Index, Index]
    """m, n and k."""
    flips: tuple[bool, bool]
    alpha: float

    def shape(self, target: Target, *, tf32: bool) -> TileShape | None:
        """The kernel on tensor cores, if this target has them and they compute such products."""
        element, out = self.types[0].name, self.types[1].name
        if target.arch != "sm_90a" or element not in ELEMENTS or out not in ("f16", "bf16", "f32"):
            return None
        if (element == "f32" and not tf32) or not all(map(is_dense, self.values)):
            return None
        # Of factors that are not of 16 bits, only what lies along the sums is read.
        if element not in ("f16", "bf16") and self.flips != (False, True):
            return None
        return TileShape(256, ELEMENTS[element], out, *self.flips, self.alpha)


def on_tensor_cores(
    b: Builder,
    target: Target,
    matrices: Matrices,
    otherwise: Callable[[], None],
    then: Callable[[], None] | None = None,
    *,
    tf32: bool = False,
) -> Callable[[], None]:
    """Return what emits a product: by tensor cores where they can be used, then `then`; else, or where it shows late
    that they can't, `otherwise`.
    """
    shape = matrices.shape(target, tf32=tf32)
    if shape is None or any(isinstance(size, int) and not 1 <= size <= MOST for size in matrices.extents):
        return otherwise
    return lambda: _TensorCoreGemm(b, target, matrices, shape).emit(otherwise, then)


class _TensorCoreGemm:
    """The host's part."""

    def __init__(self, b: Builder, target: Target, matrices: Matrices, shape: TileShape):
        self.b, self.target, self.matrices, self.shape = b, target, matrices, shape
        self.m, self.n, self.k = matrices.extents

    def emit(self, otherwise: Callable[[], None], then: Callable[[], None] | None) -> None:
        """One launch of the kernel, or what is done where there are no maps."""
        b = self.b
        down = b.ceildiv(self.m, ROWS)
        enough = self.target.processors * 7 // 8
        counts = {columns: b.mul(down, b.ceildiv(self.n, columns)) for columns in COLUMNS}
        wide, middle = (b.at_most(enough, counts[columns]) for columns in COLUMNS[:2])
        columns = b.select(wide, 256, b.select(middle, 128, 64))
        stack = self._host(llvm.StackSaveOp.create(result_types=[POINTER])).results[0]
        maps, fine = self._maps(columns)

        def launch(columns: int) -> Callable[[], None]:
            return lambda: self._launch(replace(self.shape, columns=columns), maps, down, counts[columns])

        def launch_one() -> None:
            b.choose(wide, launch(256), lambda: b.choose(middle, launch(128), launch(64)))
            if then is not None:
                then()

        b.choose(fine, launch_one, otherwise)
        self._host(llvm.StackRestoreOp.create(operands=[stack]))

    def _host(self, op: Operation) -> Operation:
        """Emits what the host does with memory of its own."""
        op.attributes[marks.HOST] = UnitAttr()
        return self.b.rw.emit(op)

    # Tensor maps

    def _maps(self, columns: Index) -> tuple[list[SSAValue], SSAValue]:
        """The maps of a, b and the out, and whether the driver has made all."""
        shape, (m, n, k) = self.shape, self.matrices.extents
        kind = "u8" if shape.element_bytes == 1 else {"tf32": "f32"}.get(shape.element, shape.element)
        size, half = shape.element_bytes, LINE // 2
        a, b, out = self.matrices.values
        arrays = [
            _Array(a, kind, size, k, m, half, half) if shape.flip_a else _Array(a, kind, size, m, k, ROWS, shape.depth),
            _Array(b, kind, size, n, k, columns, shape.depth)
            if shape.flip_b
            else _Array(b, kind, size, k, n, half, half),
            _Array(out, shape.out, shape.out_bytes, m, n, half, shape.chunk_columns),
        ]
        b = self.b
        maps, codes, possible = list[SSAValue](), list[SSAValue](), b.at_most(1, b.min(m, b.min(n, k)))
        for extent in (m, n, k):
            possible = b.both(possible, b.at_most(extent, MOST))
        self._declare()
        for array in arrays:
            maps.append(self._memory(MAP_BYTES // 8, i64, MAP_ALIGNMENT))
            address = b.core.index_cast(b.address(array.value), i64)
            possible = b.both(possible, self._is_aligned(array, address))
            codes.append(self._encode(array, maps[-1], address))
        code = b.core.either(codes[0], b.core.either(codes[1], codes[2]))
        fine = b.both(b.core.compare("eq", code, self._number(0)), possible)
        assert not isinstance(fine, bool)
        return maps, fine

    def _is_aligned(self, array: _Array, address: SSAValue) -> SSAValue:
        """Return whether an array begins, and its rows do, at multiples of 16 bytes."""
        b = self.b
        pitch = self._as(b.mul(array.inner, array.bytes), i64)
        rest = b.core.both(b.core.either(address, pitch), self._number(MAP_UNIT - 1, i64))
        return b.core.compare("eq", rest, self._number(0, i64))

    def _number(self, value: int, type: IntegerType = i32) -> SSAValue:
        return self.b.core.constant(value, type)

    def _as(self, value: Index, type: IntegerType) -> SSAValue:
        if isinstance(value, int):
            return self._number(value, type)
        return self.b.core.index_cast(value, type)

    def _encode(self, array: _Array, map: SSAValue, address: SSAValue) -> SSAValue:
        """Fills in a map; the driver's answer. What it would refuse is rounded to what it takes: such a map is not
        used, and tools that watch the driver report no call that fails."""
        b = self.b
        begin = b.core.both(address, self._number(-MAP_UNIT, i64))
        pointer = self._host(llvm.IntToPtrOp(begin, POINTER)).results[0]
        inner, outer = (b.min(b.max(size, 1), MOST) for size in (array.inner, array.outer))
        pitch = b.mul(b.ceildiv(b.mul(inner, array.bytes), MAP_UNIT), MAP_UNIT)
        given = [
            self._list([inner, outer], i64),
            self._list([pitch], i64),
            self._list([array.box_inner, array.box_outer], i32),
            self._list([1, 1], i32),
        ]
        # No interleaving; swizzled lines of 128 bytes; promoted to 256 bytes in the second cache; zeros outside.
        flags = [self._number(flag) for flag in (0, 3, 3, 0)]
        kind, rank = self._number(MAP_TYPES[array.kind]), self._number(2)
        call = llvm.CallOp(ENCODE, [map, kind, rank, pointer, *given, *flags], i32)
        return self._host(call).results[0]

    def _memory(self, count: int, type: Attribute, alignment: int) -> SSAValue:
        return self._host(llvm.AllocaOp(self._number(count), type, alignment)).results[0]

    def _list(self, values: Sequence[Index], type: IntegerType) -> SSAValue:
        """Numbers in memory."""
        start = self._memory(len(values), type, 8)
        for n, value in enumerate(values):
            place = start if n == 0 else self._host(llvm.GEPOp(start, [n], type)).results[0]
            self._host(llvm.StoreOp(self._as(value, type), place))
        return start

    def _declare(self) -> None:
        inputs = [POINTER, i32, i32, POINTER, POINTER, POINTER, POINTER, POINTER, i32, i32, i32, i32]
        type = llvm.LLVMFunctionType(inputs, i32)
        self.b.rw.declare(ENCODE, lambda: llvm.FuncOp(ENCODE, type))

    # Launches

    def _launch(self, shape: TileShape, maps: Sequence[SSAValue], down: Index, tiles: Index) -> None:
        b = self.b
        name = kernel_name(shape)
        b.rw.declare(name, lambda: kernel_module(name, shape))
        sizes = (down, b.ceildiv(self.n, shape.columns), b.ceildiv(self.k, shape.depth))
        one = b.index(1)
        grid = [b.index(b.min(tiles, self.target.processors)), one, one]
        kernel = SymbolRefAttr(name, [StringAttr(name)])
        operands = [*maps, *(self._as(size, i32) for size in sizes)]
        b.rw.emit(gpu.LaunchFuncOp(kernel, grid, [b.index(LANES), one, one], kernelOperands=operands))


def kernel_name(shape: TileShape) -> str:
    """The name of the kernel of a shape, and of the gpu.module that it comes in."""
    flips = ("t" if shape.flip_a else "n") + ("t" if shape.flip_b else "n")
    alpha = "" if shape.alpha == 1 else "_" + shape.alpha.hex().translate(str.maketrans("-+.", "mpd"))
    return f"gemm_{flips}_{shape.element}_{shape.out}_{shape.columns}{alpha}"


def kernel_module(name: str, shape: TileShape) -> gpu.ModuleOp:
    """A gpu.module with the kernel."""
    memory = MemRefType(i8, [shape.shared_bytes], NoneAttr(), WORKGROUP)
    inputs: list[Attribute] = [*[POINTER] * 3, *[i32] * 3]
    body = Block(arg_types=[*inputs, memory])
    for value, hint in zip(body.args, ("a", "b", "out", "down", "across", "along", "memory"), strict=True):
        value.name_hint = hint
    rw = Rewriter(Rules())
    rw.move_to(body)
    code = DeviceCode(rw)
    WarpGroupGemm(code, shape, Operands(*body.args[:6]), _shared(code, body.args[6])).emit()
    rw.emit(gpu.ReturnOp())
    type = FunctionType.from_lists(inputs, [])
    kernel = gpu.FuncOp(name, type, Region(body), workgroup=[memory], known_block_size=[LANES, 1, 1])
    passed = DictionaryAttr({marks.TENSOR_MAP: UnitAttr()})
    kernel.properties["arg_attrs"] = ArrayAttr([*[passed] * 3, *[DictionaryAttr({})] * 3])
    # What the swizzle of a line goes by is the address.
    aligned = DictionaryAttr({marks.ALIGNMENT: IntegerAttr(1024, i64)})
    kernel.properties["workgroup_attrib_attrs"] = ArrayAttr([aligned])
    kernel.attributes["nvvm.minctasm"] = IntegerAttr(1, i32)
    return gpu.ModuleOp(name, Region(Block([kernel])))


def _shared(code: DeviceCode, memory: SSAValue) -> SSAValue:
    """The address of workgroup memory, as one in its own space."""
    address = code.core.index_cast(code.address(memory), i64)
    return code.op(llvm.AddrSpaceCastOp(code.op(llvm.IntToPtrOp(address, POINTER)), tc.SHARED))
