"""ptxas assembles the PTX that is made of kernels, for every architecture."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hologram.lowering.targets.ptx.ptx import ARCHITECTURES
from in_process import opt
from nvvm.kernels import kernel, ptx, streams_ptx

PTXAS = os.environ.get("HOLOGRAM_PTXAS") or shutil.which("ptxas") or "ptxas"
pytestmark = pytest.mark.tools

FLOATS = ("f16", "bf16", "f32", "f64")

BODIES = {
    "floats": "".join(
        f"""
  %{t}0 = memref.load %{t}[%i] : memref<?x{t}>
  %{t}1 = arith.mulf %{t}0, %{t}0 : {t}
  %{t}2 = arith.addf %{t}1, %{t}0 : {t}
  %{t}3 = arith.divf %{t}2, %{t}0 : {t}
  %{t}4 = arith.maximumf %{t}3, %{t}0 : {t}
  %{t}5 = arith.minnumf %{t}4, %{t}1 : {t}
  memref.store %{t}5, %{t}[%i] : memref<?x{t}>
"""
        for t in FLOATS
    ),
    "roots": "".join(
        f"""
  %{t}0 = memref.load %{t}[%i] : memref<?x{t}>
  %{t}1 = math.sqrt %{t}0 : {t}
  %{t}2 = math.fma %{t}1, %{t}0, %{t}0 : {t}
  %{t}3 = math.floor %{t}2 : {t}
  memref.store %{t}3, %{t}[%i] : memref<?x{t}>
"""
        for t in ("f32", "f64")
    ),
    "integers": """
  %a = memref.load %i64[%i] : memref<?xi64>
  %b = arith.divsi %a, %n : i64
  %c = arith.remui %b, %n : i64
  %d = math.ctlz %c : i64
  %e = math.ctpop %d : i64
  %f = arith.trunci %e : i64 to i8
  memref.store %f, %i8[%i] : memref<?xi8>
  %o = "memref.atomic_rmw"(%e, %i64, %i) <{kind = 6 : i64}> : (i64, memref<?xi64>, index) -> i64
""",
    "shared": """
  %a = memref.load %f32[%i] : memref<?xf32>
  memref.store %a, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %b = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %b, %f32[%i] : memref<?xf32>
  %o = "memref.atomic_rmw"(%b, %f32, %t) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> f32
  %bad = arith.cmpi ult, %r, %t : index
  cf.assert %bad, "never"
  llvm.fence syncscope("block") acq_rel
  llvm.fence syncscope("device") acq_rel
  llvm.fence acq_rel
""",
}
ARGUMENTS = {**{t: f"memref<?x{t}>" for t in (*FLOATS, "i64", "i8")}, "n": "i64"}
SHARED = {"s": "memref<64xf32, #gpu.address_space<workgroup>>"}


def assemble(text: str, architecture: str, folder: Path) -> str:
    """The output of ptxas for a text."""
    source = folder / "kernel.ptx"
    source.write_text(text)
    command = [PTXAS, f"-arch={architecture}", "-v", str(source), "-o", str(folder / "kernel.cubin")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("body", BODIES)
def test_every_architecture_assembles(body: str, architecture: str, tmp_path: Path):
    said = assemble(ptx(kernel(BODIES[body], ARGUMENTS, shared=SHARED), architecture), architecture, tmp_path)
    assert "error" not in said.lower()


WIDE = """
  %a = memref.load %x[%i] : memref<?xi256>
  %b = arith.divsi %a, %n : i256
  %c = arith.muli %b, %a : i256
  memref.store %c, %x[%i] : memref<?xi256>
"""


def test_functions_for_wide_integers_assemble(tmp_path: Path):
    flat = opt(kernel(WIDE.replace("%n", "%a"), {"x": "memref<?xi256>"}), "-p", "expand-wide-integers,flatten-kernels")
    assert flat.code == 0, flat.errors
    assert "error" not in assemble(ptx(flat.text), "sm_90", tmp_path).lower()


@pytest.mark.parametrize(
    ("type", "architecture"), [*((t, "sm_90") for t in FLOATS), *(("f32", name) for name in ARCHITECTURES)]
)
def test_streams_assemble(type: str, architecture: str, tmp_path: Path):
    assert "error" not in assemble(streams_ptx(type, architecture), architecture, tmp_path).lower()
