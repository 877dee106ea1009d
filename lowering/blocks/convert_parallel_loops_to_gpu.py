"""Makes launches of what functions do to memory: parallel loops a thread an iteration, the rest by one thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import cf, func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, marks
from hologram.errors import PassError
from hologram.lowering.blocks.device_launches import (
    Host,
    allocates_by_itself,
    launch_loop,
    launch_one,
    sequential,
)
from hologram.lowering.blocks.device_memory import place_arrays
from hologram.lowering.rewriting import traps
from hologram.lowering.rewriting.entry_record import is_entry
from hologram.support.option_ranges import BlockSize, Positive
from hologram.support.walking import operations

SCALAR_DIALECTS = frozenset({"arith", "math", "index", "ub"})
HOST_OPS = frozenset(
    f"memref.{name}"
    for name in (
        "alloc alloca dealloc dim rank cast subview collapse_shape expand_shape reinterpret_cast transpose view copy"
        " assume_alignment memory_space_cast extract_strided_metadata extract_aligned_pointer_as_index get_global"
    ).split()
)
"""What a host may do with device memory: look at its shape, take and give it back, copy all of it."""
CONTROL = (scf.ForOp, scf.IfOp, scf.WhileOp)
STARTS = (gpu.LaunchOp, gpu.LaunchFuncOp, scf.ParallelOp)


@dataclass(frozen=True)
class ConvertParallelLoopsToGpuPass(ModulePass):
    """Turns parallel loops of entry functions into launches, and what else touches memory into launches of one thread.

    Each thread takes an iteration, and the ones that lie a grid further on (`most_blocks` limits the grid). Loops and
    branches of the host that hold launches stay with it as long as what they look at is known to it; others run on
    one thread, parallel loops in them one iteration after the other. The host goes over the iterations of a parallel
    loop itself where they launch, or hold parallel loops and allocate memory of sizes of their own. A value that one
    launch computes and a later one needs goes through memory. What an iteration allocates is allocated before, a piece
    for each thread.

    Before::

        scf.parallel (%i) = (%c0) to (%n) step (%c1) {
          memref.store %v, %a[%i] : memref<?xf32>
        }

    After::

        gpu.launch blocks(%bx, ...) in (%gx = %blocks, ...) threads(%tx, ...) in (%sx = %c128, ...) {
          %first = %bx * %c128 + %tx
          scf.for %i = %first to %n step %threads {
            memref.store %v, %a[%i] : memref<?xf32>
          }
          gpu.terminator
        }
    """

    name = "convert-parallel-loops-to-gpu"
    block_size: BlockSize = 128
    """The threads of a block."""
    most_blocks: Positive = 65535
    """The blocks of a grid, at most."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {f.sym_name.data: f for f in op.body.block.ops if isinstance(f, func.FuncOp) and f.body.blocks}
        starters = _reaching(functions, STARTS)
        launchers = _reaching(functions, (gpu.LaunchOp, gpu.LaunchFuncOp))
        pending = [f for f in functions.values() if is_entry(f)]
        seen = {f.sym_name.data for f in pending}
        while pending:
            function = pending.pop()
            if len(function.body.blocks) != 1:
                raise PassError(
                    function,
                    "gpu-host-unstructured",
                    f"@{function.sym_name.data} has branches between blocks, between which no launches can be made",
                    hint="write its control flow with scf.if, scf.for and scf.while",
                )
            _leave_to_device(function, starters)
            walk = _Walk(Host(self.block_size, self.most_blocks), starters, launchers)
            walk.block(function.body.block)
            place_arrays(function)
            fresh = [n for n in walk.called if n not in seen]
            seen.update(fresh)
            pending += [functions[n] for n in fresh]


def _reaching(functions: dict[str, func.FuncOp], kinds: tuple[type[Operation], ...]) -> frozenset[str]:
    """The functions that hold such operations, or that call one that does."""
    names = {name for name, f in functions.items() if any(isinstance(o, kinds) for o in operations(f))}
    before = -1
    while before != len(names):
        before = len(names)
        names |= {n for n, f in functions.items() if any(_callee(o) in names for o in operations(f))}
    return frozenset(names)


def _starts(op: Operation, starters: frozenset[str]) -> bool:
    """Return whether an operation launches something, or carries buffers along, which no kernel can."""
    if isinstance(op, CONTROL) and any(isinstance(r.type, MemRefType) for r in op.results):
        return True
    return isinstance(op, STARTS) or _callee(op) in starters


def _leave_to_device(function: func.FuncOp, starters: frozenset[str]) -> None:
    """Leaves the reads of the host to the device where nothing that launches depends on them: what is decided by them
    is then done by one thread, which costs less than to wait for the device."""
    for op in operations(function):
        if isinstance(op, memref.LoadOp) and marks.READ in op.attributes and not _decides(op, starters):
            del op.attributes[marks.READ]


def _decides(read: memref.LoadOp, starters: frozenset[str]) -> bool:
    """Return whether a loop or a choice that launches depends on what is read, or one around the read launches."""
    pending: list[Operation] = [read]
    seen: set[Operation] = set()
    while pending:
        op = pending.pop()
        for use in (u.operation for r in op.results for u in r.uses):
            control = use.parent_op() if isinstance(use, scf.ConditionOp | scf.YieldOp) else use
            if isinstance(control, CONTROL):
                if any(_starts(o, starters) for o in operations(control)):
                    return True
                use = control
            if use not in seen:
                seen.add(use)
                pending.append(use)
    return False


def _callee(op: Operation) -> str | None:
    return op.callee.string_value() if isinstance(op, func.CallOp) else None


@dataclass
class _Walk:
    """One function's way over its operations: those of the device gather until something of the host comes."""

    host: Host
    starters: frozenset[str]
    """The functions that launch or have parallel loops, or call such."""
    launchers: frozenset[str]
    """Those of them that launch."""
    tainted: set[SSAValue] = field(default_factory=set[SSAValue])
    """What only the device knows."""
    called: list[str] = field(default_factory=list[str])
    """The functions that the host calls."""

    def block(self, block: Block) -> None:
        """Makes launches of what a block of the host does."""
        group: list[Operation] = []
        for op in list(block.ops):
            if self._is_host(op):
                if _is_ordered(op):
                    _flush(group)
                    group = []
                self._visit(op)
            else:
                self.tainted.update(op.results)
                group.append(op)
        assert not group, "a block of the host ends in an operation of the host"

    def _visit(self, op: Operation) -> None:
        if isinstance(op, scf.ParallelOp) and self._starts_inside(op):
            loop = sequential(op)
            if not self._is_host(loop):
                raise _unknown_to_host(loop)
            self._visit(loop)
        elif isinstance(op, scf.ParallelOp):
            launch_loop(self.host, op)
        elif isinstance(op, CONTROL):
            for block in (b for r in op.regions for b in r.blocks):
                self.block(block)
        elif (name := _callee(op)) is not None and name in self.starters:
            self.called.append(name)

    def _starts_inside(self, loop: scf.ParallelOp) -> bool:
        """Return whether the host runs a parallel loop one iteration after the other: each launches for itself."""
        inner = operations(loop)[1:]
        if any(isinstance(o, gpu.LaunchOp | gpu.LaunchFuncOp) or _callee(o) in self.launchers for o in inner):
            return True
        return any(isinstance(o, scf.ParallelOp) for o in inner) and allocates_by_itself(loop)

    # Who does what

    def _is_host(self, op: Operation) -> bool:
        """Return whether the host does this itself, or starts it."""
        if isinstance(op, func.ReturnOp | scf.YieldOp | scf.ConditionOp):
            return True
        if any(v in self.tainted for o in operations(op) for v in o.operands) and not isinstance(op, gpu.LaunchOp):
            return self._refuse_or_device(op)
        if isinstance(op, scf.ParallelOp):
            return not op.initVals
        if isinstance(op, CONTROL):
            return self._host_control(op)
        if isinstance(op, func.CallOp):
            name = op.callee.string_value()
            return name in traps.FUNCTIONS or name in self.starters
        if isinstance(op, cf.AssertOp) or marks.HOST in op.attributes or marks.READ in op.attributes:
            return True
        return op.dialect_name() in SCALAR_DIALECTS | {"gpu"} or op.name in HOST_OPS

    def _refuse_or_device(self, op: Operation) -> bool:
        """A parallel loop may read what a launch left; all else that uses it belongs to the device."""
        if isinstance(op, scf.ParallelOp):
            bounds = (*op.lowerBound, *op.upperBound, *op.step)
            return not op.initVals and not any(v in self.tainted for v in bounds)
        if isinstance(op, gpu.LaunchFuncOp) or _callee(op) in self.starters:
            raise _unknown_to_host(op)
        return False

    def _host_control(self, op: Operation) -> bool:
        """Return whether a loop or branch stays with the host: it touches no memory, or starts something, and the host
        knows all that it looks at and carries along."""
        inner = [o for r in op.regions for b in r.blocks for top in b.ops for o in operations(top)]
        if all(isinstance(o, CONTROL) or self._is_plain(o) for o in inner):
            return True
        if not any(_starts(o, self.starters) for o in (op, *inner)):
            return False
        known = set(self.tainted)
        fine = self._knows(op)
        self.tainted = known
        return fine

    def _is_plain(self, op: Operation) -> bool:
        if isinstance(op, func.CallOp):
            return op.callee.string_value() in traps.FUNCTIONS
        plain = isinstance(op, scf.YieldOp | scf.ConditionOp | cf.AssertOp)
        return plain or op.dialect_name() in SCALAR_DIALECTS or op.name in HOST_OPS

    def _knows(self, op: Operation) -> bool:
        """Return whether the host knows what the ends of all regions pass on; values of the device inside become
        tainted."""
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    if isinstance(inner, scf.YieldOp | scf.ConditionOp):
                        if any(v in self.tainted for v in inner.operands):
                            return False
                    elif not self._is_host(inner):
                        self.tainted.update(inner.results)
        return True


def _unknown_to_host(op: Operation) -> PassError:
    return PassError(
        op,
        "gpu-host-value",
        f"'{op.name}' needs a value here that only the device knows, as it is computed from memory",
        hint="compute it from the program's arguments and sizes, or leave it in memory",
    )


def _flush(group: Sequence[Operation]) -> None:
    """A launch of what has gathered."""
    if not group:
        return
    launch = launch_one(group)
    for op in operations(launch):
        if isinstance(op, scf.ParallelOp):
            sequential(op)


def _is_ordered(op: Operation) -> bool:
    """Return whether what came before must have been started before this."""
    if op.dialect_name() in SCALAR_DIALECTS:
        return False
    return op.name not in HOST_OPS or op.name in ("memref.dealloc", "memref.copy")
