"""Schedules: how an array-level op becomes kernel code on a target (DESIGN decision 6). One row a schedule below.

A schedule is a function `(builder, op, target, parameters)`. Its parameters are a frozen dataclass with defaults that
are good without tuning; an op's `schedule = {name = value}` attribute overrides them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr

from hologram.errors import PassError, did_you_mean

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from hologram.dialects.atlas.arrays import ArrayOp
    from hologram.lowering.schedules.builder import Builder


@dataclass(frozen=True)
class Target:
    """What a schedule may know of a device."""

    name: str
    l1_bytes: int = 32 * 1024
    """Of the nearest data cache, for one core."""
    rows: int = 1
    """How many rows columns add up side by side: each is a stream through memory, and adds to what is in a register."""
    vector_bytes: int = 64
    """Of a vector register: schedules that write vectors themselves make them this wide."""
    cache_bytes: int = 32 * 1024 * 1024
    """Of the last cache: what moves more at once writes past it. 0 where no store does."""
    family: str = "cpu"
    """Whose schedules it takes where it has none of its own."""
    threads: int = 256
    """Of a block that schedules launch, a power of two from 128 on."""
    shared_bytes: int = 32 * 1024
    """What the threads of a block share."""
    most_blocks: int = 65535
    """Of a grid along each axis."""
    fma: bool = True
    """Whether there is a fused multiply-add that is as fast as a multiplication."""
    arch: str = ""
    """The architecture whose own instructions may be used, if any."""
    word_bytes: int = 0
    """What a thread loads and stores of neighbours at once, where it computes with single elements; 0 where no more
    than an element."""
    processors: int = 132
    """How many blocks that take all of a multiprocessor run at a time."""

    @property
    def access_bytes(self) -> int:
        """What a thread loads and stores at once."""
        return max(self.vector_bytes, self.word_bytes)

    @property
    def has_policies(self) -> bool:
        """Whether loads can say how long a cache shall keep what they loaded."""
        number = self.arch.removeprefix("sm_").rstrip("a")
        return number.isdigit() and int(number) >= 80

    @property
    def has_lanes(self) -> bool:
        """Whether threads are lanes of a processor's vectors, which go both ways of every branch: what is the same for
        a whole launch is decided before it."""
        return self.word_bytes > 0


TARGETS = {
    "cpu": Target("cpu"),
    # Engines load and store the accumulators of columns at each row: column sums of 64 MiB take half the time.
    "wasm": Target("wasm", rows=4, vector_bytes=16, cache_bytes=0, fma=False),
    # Vectors of one element of any type: languages for devices load and store scalars.
    "gpu": Target("gpu", family="gpu", vector_bytes=1),
    # A processor behind a language for devices, whose compiler makes vectors of loops.
    "processor": Target("processor", vector_bytes=1, cache_bytes=0),
    # A processor that runs the threads of a block as lanes of its vectors, and goes through memory lane by lane.
    "lanes": Target("lanes", family="gpu", vector_bytes=1, word_bytes=32, most_blocks=2**31 - 1),
    "cuda": Target("cuda", family="gpu", vector_bytes=16, shared_bytes=48 * 1024, most_blocks=2**31 - 1),
}

_SCHEDULES: dict[tuple[str, str], tuple[str, str, str]] = {
    # (operation, target): (module in this package, function, class of its parameters)
    ("atlas.argmax", "cpu"): ("search", "schedule_arg", "ArgParameters"),
    ("atlas.argmax", "gpu"): ("simt.search", "schedule_arg", "ArgParameters"),
    ("atlas.argmin", "cpu"): ("search", "schedule_arg", "ArgParameters"),
    ("atlas.argmin", "gpu"): ("simt.search", "schedule_arg", "ArgParameters"),
    ("atlas.fft", "cpu"): ("fft", "schedule_fft", "FftParameters"),
    ("atlas.gather", "cpu"): ("gather", "schedule_gather", "GatherParameters"),
    ("atlas.gather", "gpu"): ("simt.indexed", "schedule_gather", "GatherParameters"),
    ("atlas.conv2d", "gpu"): ("simt.convolution", "schedule_conv2d", "ConvolutionParameters"),
    ("atlas.conv2d", "processor"): ("simt.convolution", "schedule_conv2d", "ConvolutionParameters"),
    ("atlas.gemm", "cpu"): ("gemm", "schedule_gemm", "GemmParameters"),
    ("atlas.gemm", "gpu"): ("simt.gemm", "schedule_gemm", "GemmParameters"),
    ("atlas.gemm", "processor"): ("simt.gemm", "schedule_gemm", "GemmParameters"),
    ("atlas.mixed_precision_gemm", "gpu"): ("simt.mixed_gemm", "schedule_mixed_gemm", "GemmParameters"),
    ("atlas.mixed_precision_gemm", "processor"): ("simt.mixed_gemm", "schedule_mixed_gemm", "GemmParameters"),
    ("atlas.kv_cache_update", "cpu"): ("sequences", "schedule_kv_cache_update", "SequenceParameters"),
    ("atlas.layer_norm", "gpu"): ("simt.layer_norm", "schedule_layer_norm", "HeldRowParameters"),
    ("atlas.map", "cpu"): ("map", "schedule_map", "MapParameters"),
    ("atlas.map", "gpu"): ("simt.map", "schedule_map", "MapParameters"),
    ("atlas.reduce", "cpu"): ("reduce", "schedule_reduce", "ReduceParameters"),
    ("atlas.reduce", "gpu"): ("simt.reduce", "schedule_reduce", "ReduceParameters"),
    ("atlas.rope", "cpu"): ("sequences", "schedule_rope", "SequenceParameters"),
    ("atlas.scan", "cpu"): ("scan", "schedule_scan", "ScanParameters"),
    ("atlas.scan", "gpu"): ("simt.scan", "schedule_scan", "ScanParameters"),
    ("atlas.scatter", "cpu"): ("scatter", "schedule_scatter", "ScatterParameters"),
    ("atlas.scatter", "gpu"): ("simt.indexed", "schedule_scatter", "ScatterParameters"),
    ("atlas.sparse_gemm", "cpu"): ("sparse", "schedule_sparse", "SparseParameters"),
    ("atlas.softmax", "cpu"): ("softmax", "schedule_softmax", "SoftmaxParameters"),
    ("atlas.softmax", "gpu"): ("simt.softmax", "schedule_softmax", "SoftmaxParameters"),
}


@dataclass(frozen=True)
class Schedule:
    """A row of the registry, imported."""

    emit: Callable[[Builder, Any, Target, Any], None]
    parameters: type[Any]


def find_schedule(op: ArrayOp, target: Target) -> Schedule | None:
    """The schedule of an operation on a target: its own, its family's, or the CPU's, whose parallel loops become
    launches; None if there is none at all. What stands in a parallel loop is one thread's, which launches nothing."""
    names = ("cpu",) if _is_one_threads(op) else (target.name, target.family, "cpu")
    rows = (_SCHEDULES.get((op.name, name)) for name in names)
    row = next((row for row in rows if row is not None), None)
    if row is None:
        return None
    module = import_module(f"{__name__}.{row[0]}")
    return Schedule(getattr(module, row[1]), getattr(module, row[2]))


def _is_one_threads(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and parent.name not in ("scf.parallel", "gpu.launch"):
        parent = parent.parent_op()
    return parent is not None


def _parameters_anywhere(op: ArrayOp) -> set[str]:
    """The names of the parameters that a schedule of the op has on some target."""
    rows = [row for (name, _), row in _SCHEDULES.items() if name == op.name]
    kinds = [getattr(import_module(f"{__name__}.{module}"), kind) for module, _, kind in rows]
    return {f.name for kind in kinds for f in fields(kind)}


def parameters_of(op: ArrayOp, kind: type[Any]) -> Any:
    """The schedule's parameters: the defaults, and what the op's `schedule` attribute says. It may have parameters of
    other targets' schedules of the op, which say nothing here."""
    given = op.attributes.get("schedule", DictionaryAttr({}))
    known = [f.name for f in fields(kind)]
    if not isinstance(given, DictionaryAttr):
        raise PassError(
            op,
            "schedule-attribute",
            f"the attribute 'schedule' of '{op.name}' must be a dictionary, found {given}",
            hint=f"write {{schedule = {{{known[0]} = 64 : i64}}}}" if known else None,
        )
    values: dict[str, int] = {}
    for name, value in given.data.items():
        if name not in known and name in _parameters_anywhere(op):
            continue
        if name not in known:
            raise PassError(
                op,
                "schedule-parameter",
                f"the schedule of '{op.name}' has no parameter '{name}'",
                hint=did_you_mean(name, known) or f"its parameters are {', '.join(known) or 'none'}",
            )
        if not isinstance(value, IntegerAttr) or value.value.data < 1:
            raise PassError(
                op,
                "schedule-value",
                f"parameter '{name}' of the schedule of '{op.name}' must be a positive integer, found {value}",
            )
        values[name] = value.value.data
    return kind(**values)
