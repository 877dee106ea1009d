"""Runs kernel-level IR in Python: kernels with their lanes in lockstep, and functions without ids and barriers.

Both ways share one evaluator, a generator that stops at barriers. A kernel's lanes each run one; the block goes on when
all have stopped. A lowered function never stops.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import Float32Type, IntegerType, MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import Parser

from hologram.dialects import gpu, make_context
from hologram.lowering.processor.convert_gpu_to_scf import ConvertGpuToScfPass

Env = dict[SSAValue, Any]
Lane = Generator[None, None, Sequence[Any]]

BINARY: dict[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.DivUIOp: lambda a, b: a // b,
    arith.RemUIOp: lambda a, b: a % b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.ShRUIOp: lambda a, b: a >> b,
    arith.XOrIOp: lambda a, b: a ^ b,
    arith.AndIOp: lambda a, b: a & b,
    arith.AddfOp: lambda a, b: np.float32(a) + np.float32(b),
    arith.MulfOp: lambda a, b: np.float32(a) * np.float32(b),
}
COMPARE: list[Callable[[Any, Any], Any]] = [
    operator.eq,
    operator.ne,
    *(operator.lt, operator.le, operator.gt, operator.ge) * 2,
]


class AssertionStop(Exception):
    """A cf.assert failed: the function returns."""


def parse(text: str) -> ModuleOp:
    """The verified module in `text`."""
    module = Parser(make_context(), text, "kernel.mlir").parse_module()
    module.verify()
    return module


def lower(text: str) -> ModuleOp:
    """The module in `text` after convert-gpu-to-scf, verified."""
    module = parse(text)
    ConvertGpuToScfPass().apply(make_context(), module)
    module.verify()
    return module


def wrapped(op: Operation, value: Any) -> Any:
    """`value` as the type of the operation's result holds it."""
    type = op.results[0].type
    if isinstance(type, IntegerType):
        bits = type.bitwidth
        value = int(value) & ((1 << bits) - 1)
        return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value
    return value


def array(type: Attribute, sizes: Sequence[int]) -> np.ndarray[Any, Any]:
    """An array for a memref type, filled with what must not be read."""
    assert isinstance(type, MemRefType)
    memref_type = cast(MemRefType[Attribute], type)
    left = list(sizes)
    shape = [left.pop(0) if n < 0 else n for n in memref_type.get_shape()]
    if isinstance(memref_type.element_type, Float32Type):
        return np.full(shape, np.float32(-7777))
    return np.full(shape, -7777, np.int64)


class Evaluator:
    """Evaluates one lane, or one function. `ids` gives an id operation's value."""

    def __init__(self, module: ModuleOp, ids: Callable[[Operation], int] | None = None):
        self.module = module
        self.ids = ids

    def call(self, name: str, args: Sequence[Any]) -> Lane:
        """Calls a function of the module."""
        function = next(o for o in self.module.walk() if isinstance(o, func.FuncOp) and o.sym_name.data == name)
        return (yield from self.block(function.body.block, dict(zip(function.body.block.args, args, strict=True))))

    def block(self, block: Block, env: Env) -> Lane:
        """Runs a block; gives its terminator's operands."""
        for op in block.ops:
            if op is block.last_op:
                return [env[v] for v in op.operands]
            yield from self.op(op, env)
        return []

    def op(self, op: Operation, env: Env) -> Lane:
        """Runs one operation."""
        args = [env[v] for v in op.operands]
        results: Sequence[Any] = ()
        match op:
            case gpu.BarrierOp():
                yield
            case arith.ConstantOp():
                results = [cast(Any, op.value).value.data]
            case arith.CmpiOp():
                results = [int(COMPARE[op.predicate.value.data](*args))]
            case arith.SelectOp():
                results = [args[1] if args[0] else args[2]]
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp():
                results = [wrapped(op, args[0])]
            case memref.AllocaOp() | memref.AllocOp():
                results = [env[op.memref] if op.memref in env else array(op.memref.type, args)]
            case memref.DeallocOp():
                results = []
            case memref.LoadOp():
                results = [args[0][tuple(args[1:])]]
                results = [r.item() if isinstance(r, np.integer) else r for r in results]
            case memref.StoreOp():
                args[1][tuple(args[2:])] = args[0]
            case memref.DimOp():
                results = [args[0].shape[args[1]]]
            case memref.SubviewOp():
                results = [self.subview(op, args)]
            case memref.AllocaScopeOp():
                results = yield from self.block(op.scope.block, env)
            case cf.AssertOp():
                if not args[0]:
                    raise AssertionStop
            case func.CallOp():
                results = yield from self.call(op.callee.string_value(), args)
            case scf.ForOp():
                results = args[3:]
                for i in range(*args[:3]):
                    env |= dict(zip(op.body.block.args, [i, *results], strict=True))
                    results = yield from self.block(op.body.block, env)
            case scf.IfOp():
                region = op.true_region if args[0] else op.false_region
                results = (yield from self.block(region.block, env)) if region.blocks else ()
            case scf.WhileOp():
                results = yield from self.loop(op, args, env)
            case scf.ParallelOp():
                n = len(op.body.block.args)
                for at in itertools.product(*map(range, args[:n], args[n : 2 * n], args[2 * n : 3 * n])):
                    yield from self.block(op.body.block, env | dict(zip(op.body.block.args, at, strict=True)))
            case _ if op.dialect_name() == "gpu":
                assert self.ids is not None
                results = [self.ids(op)]
            case _:
                results = [wrapped(op, BINARY[type(op)](*args))]
        env |= dict(zip(op.results, results, strict=True))
        return ()

    def loop(self, op: scf.WhileOp, args: Sequence[Any], env: Env) -> Lane:
        """Runs an scf.while."""
        while True:
            env |= dict(zip(op.before_region.block.args, args, strict=True))
            go_on, *passed = yield from self.block(op.before_region.block, env)
            if not go_on:
                return passed
            env |= dict(zip(op.after_region.block.args, passed, strict=True))
            args = yield from self.block(op.after_region.block, env)

    def subview(self, op: memref.SubviewOp, args: Sequence[Any]) -> Any:
        """A view of unit strides with at least one dynamic offset."""
        left = list(args[1:])
        offsets = [left.pop(0) if o < -(1 << 60) else o for o in op.static_offsets.get_values()]
        sizes = op.static_sizes.get_values()
        view = args[0][tuple(slice(o, o + n) for o, n in zip(offsets, sizes, strict=True))]
        return view.reshape(op.result.type.get_shape())


def run_lowered(text: str, *args: Any) -> None:
    """Lowers `text` and calls its function `main`."""
    try:
        for _ in Evaluator(lower(text)).call("main", args):
            raise AssertionError("a barrier is left")
    except AssertionStop:
        pass


Size = tuple[int, int, int]


def run_lanes(text: str, name: str, grid: Size, block: Size, *args: Any) -> None:
    """Runs the kernel `name` of `text` as it is, the lanes of a block in lockstep between barriers."""
    module = parse(text)
    kernel = next(o for o in module.walk() if isinstance(o, gpu.FuncOp) and o.sym_name.data == name)
    for b in itertools.product(*map(range, reversed(grid))):
        run_block(module, kernel, grid, block, (b[2], b[1], b[0]), args)


def run_block(module: ModuleOp, kernel: gpu.FuncOp, grid: Size, block: Size, at: Size, args: Sequence[Any]) -> None:
    """Runs one block."""
    shared = [array(v.type, ()) for v in kernel.workgroup]
    buffers: Env = {
        o.memref: array(o.memref.type, ())
        for o in kernel.walk()
        if isinstance(o, memref.AllocaOp) and o.memref.type.memory_space == gpu.WORKGROUP
    }
    lanes: list[Lane] = []
    for t in itertools.product(*map(range, reversed(block))):
        ids = reader((t[2], t[1], t[0]), at, block, grid)
        private = [array(v.type, ()) for v in kernel.private]
        values = [*args, *shared, *private]
        env = buffers | dict(zip(kernel.body.block.args, values, strict=True))
        lanes.append(Evaluator(module, ids).block(kernel.body.block, env))
    while lanes:
        stopped = [lane for lane in lanes if next(lane, "done") is None]
        assert len(stopped) in (0, len(lanes)), "the barrier is not reached by all lanes"
        lanes = stopped


def reader(thread: Size, at: Size, block: Size, grid: Size) -> Callable[[Operation], int]:
    """A function that returns the results of id operations for one lane."""

    def read(op: Operation) -> int:
        d = {gpu.DimensionEnum.X: 0, gpu.DimensionEnum.Y: 1, gpu.DimensionEnum.Z: 2}[cast(gpu.IdOp, op).dimension.data]
        match op:
            case gpu.ThreadIdOp():
                return thread[d]
            case gpu.BlockIdOp():
                return at[d]
            case gpu.BlockDimOp():
                return block[d]
            case gpu.GridDimOp():
                return grid[d]
            case gpu.GlobalIdOp():
                return at[d] * block[d] + thread[d]
            case _:
                raise AssertionError(f"{op.name} gives no lane a value")

    return read
