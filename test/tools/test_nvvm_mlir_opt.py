"""The real mlir-opt reads the device code that we print, and mlir-translate makes the LLVM IR of it that we would."""

from __future__ import annotations

import os
import subprocess
from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from hologram.dialects.nvvm import REGISTERS
from nvvm.kernels import kernel, lower

MLIR_OPT = os.environ.get("HOLOGRAM_MLIR_OPT", "mlir-opt")
pytestmark = pytest.mark.tools

BODY = """
  %in = arith.cmpi ult, %i, %n : index
  cf.assert %in, "out of range"
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %o = "memref.atomic_rmw"(%v, %x, %i) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> f32
"""
REST = """
  func.func private @at(%a: memref<?xf32>, %ok: i1) {
    cf.assert %ok, "not so"
    func.return
  }
"""


def mlir_opt(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    command = [MLIR_OPT, "--allow-unregistered-dialect"]
    done = subprocess.run(command, input=stream.getvalue(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_device_code_is_read():
    shared = {"s": "memref<64xf32, #gpu.address_space<workgroup>>"}
    text = mlir_opt(lower(kernel(BODY, {"x": "memref<?xf32>", "n": "index"}, shared=shared, rest=REST)))
    for word in (
        "nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32",
        "nvvm.barrier0",
        "nvvm.exit",
        "gpu.kernel",
        "nvvm.kernel",
        "nvvm.reqntid = array<i32: 64, 1, 1>",
    ):
        assert word in text


def test_every_register_is_one_of_theirs():
    from xdsl.parser import Parser

    from hologram.dialects import make_context

    wide = ("clock64", "globaltimer")
    lines = [f"nvvm.read.ptx.sreg.{name} : {'i64' if name in wide else 'i32'}" for name in REGISTERS]
    body = "\n".join(f"  %{n} = {line}" for n, line in enumerate(lines))
    text = mlir_opt(Parser(make_context(), f"llvm.func @f() {{\n{body}\n  llvm.return\n}}").parse_module())
    for line in lines:
        assert line in text
