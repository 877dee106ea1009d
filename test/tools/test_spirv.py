"""spirv-val takes every binary, and the real mlir-opt and mlir-translate read what we print and write."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from xdsl.printer import Printer

from conformance import table
from conformance.batch import Batch
from device_kernels import KERNELS
from devices import results
from emit.test_spirv_binary import LOOPS, MEMORY, TEXELS, device_module
from hologram.dialects import make_context, spirv
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.driver.source import text_source
from hologram.errors import PassError
from hologram.lowering.pipelines.pipelines import run_pipeline, stages_for
from hologram.lowering.targets.spirv.writer import write_module

OPT, TRANSLATE, VAL = (os.environ.get(f"HOLOGRAM_{name}", "") for name in ("MLIR_OPT", "MLIR_TRANSLATE", "SPIRV_VAL"))
pytestmark = [
    pytest.mark.tools,
    pytest.mark.skipif(not (OPT and TRANSLATE and VAL), reason="HOLOGRAM_SPIRV_VAL and others name no tools"),
]


PROCESSOR = {
    "schedule": "lanes", "tables": "select-tables", "lookups": "false", "chains": "24", "texels": "true",
}  # fmt: skip
"""The options of the pipeline for a device that is a processor."""


def compiled(text: str, options: Mapping[str, str] | None = None) -> spirv.ModuleOp:
    ctx = make_context()
    module = text_source(text.encode(), "kernel.mlir").read(ctx)
    stages = stages_for("vulkan", options)
    names = [stage.name for stage in stages]
    run_pipeline(module, ctx, stages[: names.index("device") + 1])
    return next(op for op in module.walk() if isinstance(op, spirv.ModuleOp))


def check(module: spirv.ModuleOp, folder: Path) -> None:
    ours, theirs, printed = folder / "ours.spv", folder / "theirs.spv", folder / "printed.mlir"
    ours.write_bytes(write_module(module))
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    printed.write_text(stream.getvalue())
    run(VAL, "--target-env", "vulkan1.2", ours)
    run(OPT, printed)
    run(TRANSLATE, "--no-implicit-module", "--serialize-spirv", printed, "-o", theirs)
    run(VAL, "--target-env", "vulkan1.2", theirs)
    run(TRANSLATE, "--no-implicit-module", "--deserialize-spirv", ours)


def run(*command: str | Path) -> None:
    found = subprocess.run(command, capture_output=True, text=True)
    assert not found.returncode, found.stderr


@pytest.mark.parametrize("options", [{}, PROCESSOR], ids=["gpu", "processor"])
@pytest.mark.parametrize("name", KERNELS)
def test_the_twelve_kernels(name: str, options: Mapping[str, str], tmp_path: Path):
    check(compiled(KERNELS[name].text, options), tmp_path)


SAMPLE = ("", "u32", "bf16")
"""The types whose programs `make test-tools` takes; `make test-spirv` takes the others."""
REFUSED = "isa.md section 7"
"""The texts of errors with which a device may refuse an instruction."""


@pytest.mark.parametrize(
    ("title", "type"),
    [
        pytest.param(*job, marks=() if job[1] in SAMPLE else pytest.mark.slow)
        for job in results.jobs(titles=table.GROUPS)
    ],
)
def test_the_instructions_of_lanes(title: str, type: str, tmp_path: Path):
    modules = [m for batch in table.GROUPS[title].of(DTYPES[type or "u32"]) for m in allowed(batch)]
    for module in modules:
        check(module, tmp_path)


def allowed(batch: Batch) -> list[spirv.ModuleOp]:
    """The modules of a program, of one that is refused those of its cells, each alone."""
    try:
        return [compiled(batch.text)]
    except PassError as error:
        if REFUSED not in str(error):
            raise
    if batch.part is None or len(batch.cells) < 2:
        return []
    return [module for cell in batch.cells for module in allowed(batch.part([cell]))]


@pytest.mark.parametrize("body", [LOOPS, MEMORY, TEXELS], ids=["loops", "memory", "texels"])
def test_kernels_by_hand(body: str, tmp_path: Path):
    module = next(op for op in device_module(body).walk() if isinstance(op, spirv.ModuleOp))
    check(module, tmp_path)
