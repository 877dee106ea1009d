"""The kernel of a matrix product on the tensor cores of sm_90, in `nvvm` operations.

A block has three warp groups. The first starts copies of tiles of a and b by tensor maps into a ring of stages in
shared memory; the others multiply, 64 rows each, with the sums in registers. A stage has a barrier that tells that it
is full, which counts bytes, and one that tells that it is free, at which each warp arrives. Sums go through shared
memory and leave it by tensor map while the next tile is multiplied. Blocks stay, and take one tile after another, in
an order that keeps what neighbours read in the second cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, VectorType, bf16, f16, f32, i32, i64
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import llvm, nvvm
from hologram.dialects.llvm.types import LLVMStructType
from hologram.dialects.nvvm import tensor_core as tc
from hologram.lowering.schedules.builder import Builder
from hologram.lowering.schedules.simt.device_code import DeviceCode, Word

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
    """What a kernel is made for: `columns` of a tile, the type of the factors (as wgmma calls it) and of the out,
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
        """Of an element of a and b."""
        return {"f16": 2, "bf16": 2, "tf32": 4}.get(self.element, 1)

    @property
    def out_bytes(self) -> int:
        """Of an element of the out."""
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
        """Of the ring."""
        return RING[self.columns]

    @property
    def stage_bytes(self) -> int:
        """Of a tile of a and one of b."""
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
        """Where the parts of the sums are."""
        return self.stages * self.stage_bytes

    @property
    def barriers_at(self) -> int:
        """Where the barriers are."""
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

    def __init__(self, b: Builder, shape: TileShape, given: Operands, memory: SSAValue):
        self.code = DeviceCode(b)
        self.shape, self.given, self.memory = shape, given, memory

    # Barriers

    def _full(self, stage: Word) -> SSAValue:
        return self.code.at(self.memory, self.code.add(self.code.mul(stage, 8), self.shape.barriers_at))

    def _free(self, stage: Word) -> SSAValue:
        return self.code.at(
            self.memory, self.code.add(self.code.mul(stage, 8), self.shape.barriers_at + 8 * self.shape.stages)
        )

    def _wait(self, barrier: SSAValue, parity: Word) -> None:
        self.code.until(lambda: self.code.op(tc.MBarrierTryWaitOp(barrier, self.code.word(parity))))

    def _advance(self, stage: SSAValue, parity: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The next stage of the ring, and the parity of its phase."""
        code = self.code
        after = code.add(stage, 1)
        wraps = code.equal(after, self.shape.stages)
        return code.select(wraps, 0, after), code.select(wraps, code.xor(parity, 1), parity)

    # The kernel

    def emit(self) -> None:
        """All of it but the return."""
        code = self.code
        lane = code.op(nvvm.REGISTERS["tid.x"](LANES))
        warp = code.div(lane, 32)
        # Said by one lane, so that all know that it is the same for all.
        warp = code.op(tc.ShflOp(code.word(ALL_LANES), code.word(warp), code.word(0), code.word(31)))
        group = code.div(warp, 4)
        with code.when(code.equal(lane, 0)):
            for stage in range(self.shape.stages):
                code.emit(tc.MBarrierInitOp(self._full(stage), code.word(1)))
                code.emit(tc.MBarrierInitOp(self._free(stage), code.word(8)))
            code.emit(tc.FenceMbarrierInitOp())
        code.emit(nvvm.Barrier0Op())
        code.either(
            code.equal(group, 0),
            lambda: self._produce(lane),
            lambda: self._consume(code.op(arith.SubiOp(code.word(group), code.word(1))), lane),
        )

    def _tiles(self, start: Sequence[SSAValue], body: TileBody) -> None:
        """`body(first row, first column, carried)` for each tile of this block."""
        code, given = self.code, self.given
        total = code.mul(given.down, given.across)
        first, step = (code.op(nvvm.REGISTERS[name]()) for name in ("ctaid.x", "nctaid.x"))

        def tile(number: SSAValue, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            row, column = self._place(number)
            return body(code.mul(row, ROWS), code.mul(column, self.shape.columns), carried)

        code.loop((first, total, step), start, tile, "tile")

    def _place(self, number: SSAValue) -> tuple[Word, Word]:
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
        with code.when(code.equal(lane, 0)):
            self._tiles([code.word(0), code.word(0)], self._load_tile)

    def _load_tile(self, row: Word, column: Word, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        code, shape = self.code, self.shape

        def load(number: SSAValue, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            stage, parity = carried
            self._wait(self._free(stage), code.xor(parity, 1))
            full = self._full(stage)
            code.op(tc.MBarrierArriveExpectTxOp(full, code.word(shape.stage_bytes)))
            at, depth = code.mul(stage, shape.stage_bytes), code.mul(number, shape.depth)
            self._load_factor(self.given.a, (at, full), (row, depth), (shape.flip_a, ROWS))
            at = code.add(at, ROWS * LINE)
            # b in memory as k x n is what has no rows along the sums.
            self._load_factor(self.given.b, (at, full), (column, depth), (not shape.flip_b, shape.columns))
            return self._advance(stage, parity)

        return code.loop((0, self.given.along, 1), carried, load, "k")

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
            words = [code.word(c) for c in coordinates]
            code.emit(tc.CpAsyncBulkTensorSharedClusterGlobalOp(address, map, words, barrier))

    # The others

    def _consume(self, group: SSAValue, lane: SSAValue) -> None:
        code = self.code
        code.emit(tc.SetMaxRegisterOp(CONSUMER_REGISTERS, "increase"))
        lane = code.op(arith.RemUIOp(lane, code.word(GROUP)))
        self.group, self.lane = group, lane
        self.in_warp = code.rem(lane, 32)
        self.speaks = code.equal(self.in_warp, 0)
        """Whether this lane arrives for its warp."""
        self.leads = code.equal(lane, 0)
        """Whether this lane starts the copies of its group."""
        start = code.op(llvm.PtrToIntOp(self.memory, i64))
        start = code.op(arith.ShRUIOp(start, code.word(4, i64)))
        self.left = self._description(start, code.mul(group, 64 * LINE >> 4), self.shape.flip_a)
        self.right = self._description(start, ROWS * LINE >> 4, not self.shape.flip_b)
        self._tiles([code.word(0), code.word(0)], self._multiply_tile)
        with code.when(self.leads):
            code.emit(tc.CpAsyncBulkWaitGroupOp(0))

    def _description(self, start: SSAValue, offset: Word, is_across: bool) -> SSAValue:
        """Of a factor in the first stage, as products take it: the start, and the distances of 8 rows and of parts."""
        code = self.code
        parts = 64 * LINE if is_across else 16
        known = (parts >> 4) << 16 | (8 * LINE >> 4) << 32 | SWIZZLED
        at = code.op(arith.AddiOp(start, code.long(offset)))
        at = code.op(arith.AndIOp(at, code.word(0x3FFF, i64)))
        return code.op(arith.OrIOp(at, code.word(known, i64)))

    def _multiply_tile(self, row: Word, column: Word, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        code = self.code
        stage, parity = carried
        zero = code.op(llvm.ZeroOp(self._sums_type))
        # A loop that may not run at all would have two ways to its end, and sums of zero on one: products would wait.
        _, stage, parity, last, sums = code.repeat([code.word(0), stage, parity, stage, zero], self._multiply_stage)
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
        left, right = (code.op(arith.AddiOp(d, at)) for d in (self.left, self.right))
        across = (shape.flip_a, not shape.flip_b)
        layouts = ("col" if across[0] else "row", "row" if across[1] else "col")
        for n in range(LINE // STEP):
            parts = [
                # Along k, or down k rows of it.
                code.op(arith.AddiOp(d, code.word(n * (shape.instruction[2] * LINE if down else STEP) >> 4, i64)))
                if n
                else d
                for d, down in zip((left, right), across, strict=True)
            ]
            sums = code.op(tc.WgmmaMmaAsyncOp(sums, (parts[0], parts[1]), shape.instruction, shape.element, layouts))
        code.emit(tc.WgmmaGroupSyncAlignedOp())
        # The products before these are done: the stage that they read is free.
        code.emit(tc.WgmmaWaitGroupSyncOp(1))
        self._release(last, code.both(self.speaks, code.differ(number, 0)))
        after = code.word(code.add(number, 1))
        return code.differ(after, self.given.along), [after, *self._advance(stage, parity), stage, sums]

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
            alpha = code.op(arith.ConstantOp(FloatAttr(shape.alpha, f32)))
            values = [code.op(arith.MulfOp(v, alpha)) for v in values]
        base = code.at(self.memory, code.add(code.mul(self.group, shape.buffers * CHUNK), shape.chunks_at))
        first_row = code.add(row, code.mul(self.group, 64))
        barrier, many = code.add(self.group, 1), code.word(GROUP)
        per_chunk = shape.chunk_columns // 2
        for n in range(shape.columns // shape.chunk_columns):
            buffer = code.at(base, n % shape.buffers * CHUNK)
            with code.when(self.leads):
                code.emit(tc.CpAsyncBulkWaitGroupOp(shape.buffers - 1, read=True))
            code.emit(tc.BarrierOp(code.word(barrier), many))
            part = values[n * per_chunk : (n + 1) * per_chunk]
            (self._store_floats if shape.out == "f32" else self._store_halves)(buffer, part)
            code.emit(tc.FenceProxyOp())
            code.emit(tc.BarrierOp(code.word(barrier), many))
            with code.when(self.leads):
                place = [code.word(code.add(column, n * shape.chunk_columns)), code.word(first_row)]
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
            both = code.op(llvm.InsertElementOp(both, value, code.word(n)))
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
