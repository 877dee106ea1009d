"""Matrix products on the tensor cores of sm_90: when they are taken, and their launches.

A kernel of `warp_group_gemm` copies by tensor maps, which the driver makes of an array's address and sizes. What it can
make no map of (rows whose length is no multiple of 16 bytes, nothing at all) is left to the tiles of `gemm`: the host
asks the driver and then launches one or the other. The columns of a tile are such that most multiprocessors have one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import arith, memref
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
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects import gpu, llvm
from hologram.dialects.atlas.types import DType
from hologram.dialects.nvvm import tensor_core as tc
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.device_formats import TENSOR_MAP
from hologram.lowering.device_functions import ALIGNMENT, MAP_ALIGNMENT, MAP_BYTES
from hologram.lowering.device_launches import HOST
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index, is_dense
from hologram.lowering.schedules.simt.launches import WORKGROUP
from hologram.lowering.schedules.simt.warp_group_gemm import LANES, LINE, ROWS, Operands, TileShape, WarpGroupGemm

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
    """What emits a product: by tensor cores where they can be used, and then `then`; else, or where it shows late that
    they can't, `otherwise`.
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
        op.attributes[HOST] = UnitAttr()
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
            possible = b.all_of(possible, b.at_most(extent, MOST))
        self._declare()
        for array in arrays:
            maps.append(self._memory(MAP_BYTES // 8, i64, MAP_ALIGNMENT))
            address = self._address(array)
            possible = b.all_of(possible, self._is_aligned(array, address))
            codes.append(self._encode(array, maps[-1], address))
        code = b.op(arith.OrIOp(codes[0], b.op(arith.OrIOp(codes[1], codes[2]))))
        fine = b.all_of(b.op(arith.CmpiOp(code, self._number(0), "eq")), possible)
        assert not isinstance(fine, bool)
        return maps, fine

    def _address(self, array: _Array) -> SSAValue:
        address = self.b.op(memref.ExtractAlignedPointerAsIndexOp.get(array.value))
        return self.b.op(arith.IndexCastOp(address, i64))

    def _is_aligned(self, array: _Array, address: SSAValue) -> SSAValue:
        """Whether an array begins, and its rows do, at multiples of 16 bytes."""
        b = self.b
        pitch = self._as(b.mul(array.inner, array.bytes), i64)
        rest = b.op(arith.AndIOp(b.op(arith.OrIOp(address, pitch)), self._number(MAP_UNIT - 1, i64)))
        return b.op(arith.CmpiOp(rest, self._number(0, i64), "eq"))

    def _number(self, value: int, type: IntegerType = i32) -> SSAValue:
        return self.b.op(arith.ConstantOp(IntegerAttr(value, type)))

    def _as(self, value: Index, type: IntegerType) -> SSAValue:
        if isinstance(value, int):
            return self._number(value, type)
        return self.b.op(arith.IndexCastOp(value, type))

    def _encode(self, array: _Array, map: SSAValue, address: SSAValue) -> SSAValue:
        """Fills in a map; the driver's answer. What it would refuse is rounded to what it takes: such a map is not
        used, and tools that watch the driver report no call that fails."""
        b = self.b
        begin = b.op(arith.AndIOp(address, self._number(-MAP_UNIT, i64)))
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
    b = Builder(rw)
    WarpGroupGemm(b, shape, Operands(*body.args[:6]), _shared(b, body.args[6])).emit()
    rw.emit(gpu.ReturnOp())
    type = FunctionType.from_lists(inputs, [])
    kernel = gpu.FuncOp(name, type, Region(body), workgroup=[memory], known_block_size=[LANES, 1, 1])
    passed = DictionaryAttr({TENSOR_MAP: UnitAttr()})
    kernel.properties["arg_attrs"] = ArrayAttr([*[passed] * 3, *[DictionaryAttr({})] * 3])
    # What the swizzle of a line goes by is the address.
    aligned = DictionaryAttr({ALIGNMENT: IntegerAttr(1024, i64)})
    kernel.properties["workgroup_attrib_attrs"] = ArrayAttr([aligned])
    kernel.attributes["nvvm.minctasm"] = IntegerAttr(1, i32)
    return gpu.ModuleOp(name, Region(Block([kernel])))


def _shared(b: Builder, memory: SSAValue) -> SSAValue:
    """The address of workgroup memory, as one in its own space."""
    address = b.op(arith.IndexCastOp(b.op(memref.ExtractAlignedPointerAsIndexOp.get(memory)), i64))
    return b.op(llvm.AddrSpaceCastOp(b.op(llvm.IntToPtrOp(address, POINTER)), tc.SHARED))
