"""Assembly for AMD's GPUs is made of the same kernels."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.lowering.targets.ptx.amdgcn import to_amdgcn
from hologram.lowering.targets.ptx.convert_gpu_to_rocdl import ConvertGpuToROCDLPass
from nvvm.kernels import device_module, kernel

BUFFERS = {"x": "memref<?xf32>", "y": "memref<?xf32>", "n": "index"}
BODY = """
  %v = memref.load %x[%i] : memref<?xf32>
  %p = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %q = memref.alloca() : memref<64xf32>
  memref.store %v, %p[%n] : memref<64xf32, #gpu.address_space<private>>
  memref.store %v, %q[%n] : memref<64xf32>
  memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %c1 = arith.constant 1 : index
  %r = arith.subi %c1, %t : index
  %ok = arith.cmpi ult, %r, %n : index
  cf.assert %ok, "out of range"
  %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  %a = memref.load %p[%c1] : memref<64xf32, #gpu.address_space<private>>
  %b = memref.load %q[%c1] : memref<64xf32>
  %m = arith.mulf %w, %a : f32
  %k = arith.addf %m, %b : f32
  llvm.fence syncscope("device") acq_rel
  memref.store %k, %y[%i] : memref<?xf32>
  %o = "memref.atomic_rmw"(%k, %y, %c1) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> f32
"""
SHARED = {"s": "memref<64xf32, #gpu.address_space<workgroup>>"}
REST = """
  func.func private @at(%a: memref<?xf32>, %i: index) -> f32 {
    %c9 = arith.constant 9 : index
    %ok = arith.cmpi ult, %i, %c9 : index
    cf.assert %ok, "out of range"
    %v = memref.load %a[%i] : memref<?xf32>
    func.return %v : f32
  }
"""


def assembly(text: str, architecture: str) -> str:
    context = make_context()
    module = Parser(context, text).parse_module()
    ConvertGpuToROCDLPass().apply(context, module)
    module.verify()
    return to_amdgcn(device_module(module), architecture)


@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942", "gfx1100"])
def test_kernels_become_assembly(architecture: str):
    text = assembly(kernel(BODY, BUFFERS, shared=SHARED), architecture)
    assert ".amdhsa_kernel k" in text
    assert f"--{architecture}" in text
    assert "s_barrier" in text
    assert "ds_" in text
    assert "v_fma_f32" not in text, "a product and a sum are not one operation"
    assert "cmpswap" in text, "sums of floats are loops"


@pytest.mark.parametrize("known", [True, False])
def test_sizes_and_functions(known: bool):
    body = """
  %d = "gpu.block_dim"() <{dimension = #gpu<dim y>}> : () -> index
  %g = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %at = arith.addi %d, %g : index
  %v = func.call @at(%x, %at) : (memref<?xf32>, index) -> f32
  memref.store %v, %y[%i] : memref<?xf32>
"""
    text = assembly(kernel(body, BUFFERS, block=64 if known else None, rest=REST), "gfx942")
    assert "s_endpgm" in text
    assert ".amdhsa_user_sgpr_dispatch_ptr 1" in text
