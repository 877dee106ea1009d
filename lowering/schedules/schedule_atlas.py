"""Builds kernel code for array-level instructions: each by the schedule registered for it and the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.dialects.atlas.arrays.general import ArrayOp, IotaOp
from hologram.errors import PassError, UsageError, did_you_mean
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.kernel_builder import Builder
from hologram.lowering.schedules import find_schedule, parameters_of
from hologram.lowering.schedules.common.sizes import guard_sizes
from hologram.lowering.schedules.common.stack import limit_stack
from hologram.lowering.schedules.common.target import TARGETS, Target
from hologram.lowering.schedules.cpu.spans import add_reducers
from hologram.lowering.targets.ptx.ptx import check_architecture
from hologram.support.host_target import host_target, last_cache_bytes
from hologram.transforms.analysis.sizes import Sizes, function_of

LEAST = {"shared-bytes": 16 * 1024, "most-blocks": 1024}
"""The limits that every device keeps."""


@dataclass(frozen=True)
class ScheduleAtlasPass(ModulePass):
    """Turns array-level instructions on memrefs into loops with loads, stores and scalar atlas instructions.

    The loops stay in the enclosing function, for wasm too, where arrays that its stack may have no room for are on the
    heap; for devices (`target` gpu or cuda) `gpu.launch` stands there instead, and what has no schedule of its own
    keeps the CPU's parallel loops, which convert-parallel-loops-to-gpu takes. A `processor` is one behind a language
    for devices: but for products it takes the CPU's loops, without vectors, which its compiler makes; `lanes` is one
    whose driver runs threads as lanes of vectors: a thread has neighbours of its own there, and shares nothing where it
    can. An op's `schedule = {name = value}` attribute sets parameters of its schedule. Of lane programs only reductions
    over memory concern it: it adds the functions that they call. `bounds` says what happens where the sizes of operands
    are not known to agree: `guard` traps if they differ, `trust` relies on the program. `vector-bytes` is the width of
    a vector register (16, 32 or 64; of what a thread of a device loads at once, 4 or 16), by default this machine's;
    `cache-bytes` is the size of the last cache, which maps that move more write past; `shared-bytes` and `most-blocks`
    are what the threads of a block may share, and the blocks of a grid along an axis. `arch` is the architecture of
    target cuda: products run on tensor cores where it is sm_90a, which is sm_90 with what only that has.

    Before::

        atlas.map ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
        ^bb0(%x: f32):
          %y = atlas.exp f32 %x
          atlas.yield %y : f32
        }

    After::

        %n = memref.dim %a, %c0 : memref<?xf32>
        scf.parallel (%chunk) = (%c0) to (%n) step (%c32768) {
          %end = arith.minui(%chunk + 32768, %n)
          scf.for %i = %chunk to %end step %c1 {
            %x = memref.load %a[%i] : memref<?xf32>
            %y = atlas.exp f32 %x
            memref.store %y, %b[%i] : memref<?xf32>
          }
        }
    """

    name = "schedule-atlas"
    target: str = "cpu"
    bounds: str = "guard"
    vector_bytes: int = 0
    cache_bytes: int = 0
    shared_bytes: int = 0
    most_blocks: int = 0
    arch: str = ""
    fma: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target not in TARGETS:
            raise UsageError(
                "schedule-target",
                f"there is no target '{self.target}'",
                hint=did_you_mean(self.target, TARGETS) or f"the targets are {', '.join(TARGETS)}",
            )
        if self.bounds not in ("guard", "trust"):
            raise UsageError(
                "schedule-bounds", f"option 'bounds' of schedule-atlas is guard or trust, not '{self.bounds}'"
            )
        known = TARGETS[self.target]
        if self.vector_bytes not in (0, *known.vector_widths):
            raise UsageError(
                "schedule-vector-bytes",
                f"option 'vector-bytes' of schedule-atlas is one of {', '.join(map(str, known.vector_widths))} for "
                f"{known.name}, not {self.vector_bytes}",
            )
        if self.arch and known.has_architectures:
            check_architecture(self.arch)
        elif self.arch:
            raise UsageError("schedule-arch", f"option 'arch' of schedule-atlas is one of cuda, not of {known.name}")
        if self.cache_bytes < 0:
            raise UsageError(
                "schedule-cache-bytes",
                f"option 'cache-bytes' of schedule-atlas is a size in bytes, not {self.cache_bytes}",
            )
        for name, value in (("shared-bytes", self.shared_bytes), ("most-blocks", self.most_blocks)):
            if value and (value < LEAST[name] or known.family == "cpu"):
                raise UsageError(
                    "schedule-limit",
                    f"option '{name}' of schedule-atlas is a limit of devices with blocks of threads, of "
                    f"{LEAST[name]} at least, not {value} for {known.name}",
                )
        target = self._described(known)
        rule = _rule(target, self.bounds == "guard")
        convert_module(op, Rules(table={ArrayOp: rule, IotaOp: _nothing}))
        add_reducers(op, target)
        if target.stack_bytes:
            limit_stack(op, target.stack_bytes)

    def _described(self, known: Target) -> Target:
        """The target with what the options and this machine say of it."""
        here = known.is_host
        return replace(
            known,
            vector_bytes=self.vector_bytes or (host_target().vector_bytes if here else known.vector_bytes),
            cache_bytes=self.cache_bytes or (last_cache_bytes() if here else known.cache_bytes),
            shared_bytes=self.shared_bytes or known.shared_bytes,
            most_blocks=self.most_blocks or known.most_blocks,
            fma=self.fma and known.fma,
            arch=self.arch if known.has_architectures else "",
        )


def _nothing(rw: Rewriter, op: IotaOp) -> None:
    """Nothing: schedules compute indices where they are read."""


def _rule(target: Target, guard: bool) -> Callable[[Rewriter, ArrayOp], None]:
    facts: dict[func.FuncOp | None, Sizes] = {}

    def schedule(rw: Rewriter, op: ArrayOp) -> None:
        if op.is_value_form:
            raise PassError(
                op,
                "schedule-value-form",
                f"'{op.name}' works on tensors, which have no memory to schedule loops over",
                hint="run bufferize first",
            )
        chosen = find_schedule(op, target)
        if chosen is None:
            raise PassError(
                op,
                "schedule-missing",
                f"there is no schedule for '{op.name}' on {target.name}",
                hint="run generalize-atlas first: it turns most named forms into maps and reductions",
            )
        builder = Builder(rw)
        builder.fused = target.fma
        if guard:
            function = function_of(op)
            if function not in facts:
                facts[function] = Sizes.of(function)
            guard_sizes(builder, op, facts[function])
        chosen.emit(builder, op, target, parameters_of(op, chosen.parameters))

    return schedule
