"""Tensor programs after each stage down to buffers, run by the reference interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import make_context
from hologram.errors import HologramError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.pipelines.pass_runner import Hooks, PassRunner
from hologram.lowering.pipelines.pass_spec import parse_pipeline
from hologram.lowering.pipelines.pipelines import resolve
from hologram.transforms.analysis.verifier import verify_module

Array = np.ndarray[Any, np.dtype[Any]]
Outcome = tuple[Array, ...] | str

STAGES = ("infer-shapes", "canonicalize", "convert-hologram-to-atlas", "fuse-atlas", "canonicalize,cse", "bufferize")


def parse(text: str) -> ModuleOp:
    """A valid module of the dialects we know."""
    module = parse_module(text, "program.mlir", make_context())
    verify_module(module)
    return module


def run_passes(module: ModuleOp, pipeline: str) -> None:
    """Runs and verifies passes given as `hologram-opt -p` takes them."""
    PassRunner(make_context(), Hooks(), True).run(module, resolve(parse_pipeline(pipeline, "test")))


def outcome(module: ModuleOp, inputs: Sequence[Any], outs: Sequence[Array] = ()) -> Outcome:
    """The results of a run; the code of the error that ended it. With `outs` the function has buffers for results."""
    copies = [np.array(a) for a in inputs]
    buffers = [np.full_like(out, 77) for out in outs]
    try:
        with np.errstate(all="ignore"):
            found = interpret(module, None, [*copies, *buffers])
    except HologramError as error:
        return error.code
    for before, after in zip(inputs, copies, strict=True):
        assert _same_bits(np.asarray(before), after), "an argument was changed"
    return tuple(np.asarray(a) for a in (buffers or found))


def same(left: Outcome, right: Outcome) -> bool:
    """Return whether two outcomes agree to the bit, NaN with NaN. Any operation may refuse sizes that do not fit."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str)
    return len(left) == len(right) and all(map(_same_bits, left, right))


def _same_bits(a: Array, b: Array) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind not in "fV":
        return bool(np.array_equal(a, b))
    nan = np.isnan(a) & np.isnan(b)
    bits = np.dtype(f"i{a.dtype.itemsize}")
    return bool(np.all((np.ascontiguousarray(a).view(bits) == np.ascontiguousarray(b).view(bits)) | nan))


def outcomes(
    text: str, inputs: Sequence[Any], stages: Sequence[str] = STAGES
) -> Iterator[tuple[str, Outcome, ModuleOp]]:
    """The stage, what the program gives after it, and its IR; the first one is the source."""
    module = parse(text)
    expected = outcome(module, inputs)
    yield "source", expected, module
    for stage in stages:
        run_passes(module, stage)
        buffered = stage.startswith("bufferize")
        outs = expected if buffered and not isinstance(expected, str) else ()
        if buffered and isinstance(expected, str):
            return  # without results there is nothing to give buffers for
        yield stage, outcome(module, inputs, outs), module


def check(text: str, *inputs: Any, stages: Sequence[str] = STAGES) -> Outcome:
    """Checks that every stage gives what the source gives; returns that."""
    expected: Outcome = ()
    for stage, found, module in outcomes(text, inputs, stages):
        if stage == "source":
            expected = found
        assert same(expected, found), f"after {stage}:\n{module}\nexpected {expected}\nfound {found}\nfor {inputs}"
    return expected
