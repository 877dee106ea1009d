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
from hologram.lowering.schedules.common.target import NoParameters, Target
from hologram.plugins.tables import KINDS

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from hologram.dialects.atlas.arrays.general import ArrayOp
    from hologram.lowering.rewriting.kernel_builder import Builder


_SCHEDULES: dict[tuple[str, str], tuple[str, str, str]] = {
    # (operation, target): (module in this package, function, class of its parameters)
    ("atlas.argmax", "cpu"): ("cpu.search", "schedule_arg", "SearchParameters"),
    ("atlas.argmax", "gpu"): ("simt.search", "schedule_arg", "SearchParameters"),
    ("atlas.argmin", "cpu"): ("cpu.search", "schedule_arg", "SearchParameters"),
    ("atlas.argmin", "gpu"): ("simt.search", "schedule_arg", "SearchParameters"),
    ("atlas.argsort", "cpu"): ("cpu.sorting", "schedule_sorting", "SortingParameters"),
    ("atlas.argsort", "gpu"): ("simt.sorting", "schedule_sorting", "NoParameters"),
    ("atlas.argsort", "processor"): ("simt.sorting", "schedule_sorting", "NoParameters"),
    ("atlas.fft", "cpu"): ("cpu.fft", "schedule_fft", "FftParameters"),
    ("atlas.gather", "cpu"): ("cpu.indexed", "schedule_gather", "NoParameters"),
    ("atlas.gather", "gpu"): ("simt.indexed", "schedule_gather", "NoParameters"),
    ("atlas.conv2d", "gpu"): ("simt.convolution", "schedule_conv2d", "ConvolutionParameters"),
    ("atlas.conv2d", "processor"): ("simt.convolution", "schedule_conv2d", "ConvolutionParameters"),
    ("atlas.gemm", "cpu"): ("cpu.gemm", "schedule_gemm", "GemmParameters"),
    ("atlas.gemm", "gpu"): ("simt.gemm", "schedule_gemm", "GemmParameters"),
    ("atlas.gemm", "processor"): ("simt.gemm", "schedule_gemm", "GemmParameters"),
    ("atlas.mixed_precision_gemm", "gpu"): ("simt.gemm", "schedule_mixed_gemm", "GemmParameters"),
    ("atlas.mixed_precision_gemm", "processor"): ("simt.gemm", "schedule_mixed_gemm", "GemmParameters"),
    ("atlas.kv_cache_update", "cpu"): ("cpu.sequences", "schedule_kv_cache_update", "NoParameters"),
    ("atlas.layer_norm", "gpu"): ("simt.row_norms", "schedule_layer_norm", "CachedRowParameters"),
    ("atlas.map", "cpu"): ("cpu.map", "schedule_map", "MapParameters"),
    ("atlas.map", "gpu"): ("simt.map", "schedule_map", "MapParameters"),
    ("atlas.reduce", "cpu"): ("cpu.reduction", "schedule_reduce", "ReduceParameters"),
    ("atlas.reduce", "gpu"): ("simt.reduce", "schedule_reduce", "ReduceParameters"),
    ("atlas.rope", "cpu"): ("cpu.sequences", "schedule_rope", "NoParameters"),
    ("atlas.scan", "cpu"): ("cpu.search", "schedule_scan", "SearchParameters"),
    ("atlas.scan", "gpu"): ("simt.search", "schedule_scan", "ScanParameters"),
    ("atlas.scatter", "cpu"): ("cpu.indexed", "schedule_scatter", "NoParameters"),
    ("atlas.scatter", "gpu"): ("simt.indexed", "schedule_scatter", "NoParameters"),
    ("atlas.sort", "cpu"): ("cpu.sorting", "schedule_sorting", "SortingParameters"),
    ("atlas.sort", "gpu"): ("simt.sorting", "schedule_sorting", "NoParameters"),
    ("atlas.sort", "processor"): ("simt.sorting", "schedule_sorting", "NoParameters"),
    ("atlas.sparse_gemm", "cpu"): ("cpu.sparse", "schedule_sparse", "SparseParameters"),
    ("atlas.scatter_reduce", "cpu"): ("cpu.indexed", "schedule_scatter_reduce", "NoParameters"),
    ("atlas.scatter_reduce", "gpu"): ("simt.sorting", "schedule_scatter_reduce", "NoParameters"),
    ("atlas.searchsorted", "cpu"): ("cpu.search", "schedule_searchsorted", "NoParameters"),
    ("atlas.softmax", "cpu"): ("cpu.softmax", "schedule_softmax", "SoftmaxParameters"),
    ("atlas.softmax", "gpu"): ("simt.row_norms", "schedule_softmax", "SoftmaxParameters"),
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
    return next((schedule for name in names if (schedule := _schedule(op.name, name)) is not None), None)


def _schedule(op: str, target: str) -> Schedule | None:
    """The schedule of an operation that is for a target itself."""
    if (row := _SCHEDULES.get((op, target))) is not None:
        module = import_module(f"{__name__}.{row[0]}")
        return Schedule(getattr(module, row[1]), getattr(module, row[2]))
    outside = KINDS["schedule"].rows.get(f"{op} {target}")
    return None if outside is None else Schedule(outside.thing, outside.more["parameters"] or NoParameters)


def names_of_ours() -> set[str]:
    """Our operations and targets that have schedules, as plug-ins name them."""
    return {" ".join(key) for key in _SCHEDULES}


def _is_one_threads(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and parent.name not in ("scf.parallel", "gpu.launch"):
        parent = parent.parent_op()
    return parent is not None


def _parameters_anywhere(op: ArrayOp) -> set[str]:
    """The names of the parameters that a schedule of the op has on some target."""
    targets = {*(target for _, target in _SCHEDULES), *(key.partition(" ")[2] for key in KINDS["schedule"])}
    found = [schedule for target in targets if (schedule := _schedule(op.name, target)) is not None]
    return {f.name for schedule in found for f in fields(schedule.parameters)}


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
