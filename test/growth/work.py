"""The work of compiling a program, as the number of functions that are called: it is the same in every run, and time is
not."""

from __future__ import annotations

from cProfile import Profile
from io import StringIO

from hologram.dialects import make_context
from hologram.errors import HologramError
from hologram.frontend import find_frontend
from hologram.lowering.pipelines.mlir import MlirTarget
from hologram.lowering.pipelines.pass_runner import PassRunner
from hologram.lowering.pipelines.pass_spec import parse_pipeline
from hologram.lowering.pipelines.pipelines import resolve
from hologram.support.recursion import deep_recursion
from hologram.transforms.analysis.verifier import verify_module


def compile_text(text: str, form: str, pipeline: str) -> HologramError | None:
    """Reads, verifies, compiles and prints a program; returns the error that refuses it."""
    ctx = make_context()
    read = find_frontend(form)
    assert read is not None
    try:
        with deep_recursion():
            module = read(text, f"grown.{form}", ctx)
            verify_module(module)
            PassRunner(ctx, verify_each=False, verify_stages=False).run(module, resolve(parse_pipeline(pipeline, "-p")))
            MlirTarget().emit(ctx, module, StringIO())
    except HologramError as error:
        return error
    return None


def work(text: str, form: str, pipeline: str) -> int:
    """The calls that a program takes, which must compile."""
    profile = Profile()
    error = profile.runcall(compile_text, text, form, pipeline)
    if error is not None:
        raise error
    return sum(entry.callcount for entry in profile.getstats())
