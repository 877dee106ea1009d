"""Kernels as SPIR-V binaries: writer and reader are inverses, and what the binaries say."""

from __future__ import annotations

import struct
from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects import make_context, spirv
from hologram.errors import HologramError
from hologram.lowering.targets.spirv.binary import instructions
from hologram.lowering.targets.spirv.convert_gpu_to_spirv import ConvertGpuToSpirvPass
from hologram.lowering.targets.spirv.interface import scalar_block
from hologram.lowering.targets.spirv.reader import read_module
from hologram.lowering.targets.spirv.target import emit_spirv
from hologram.lowering.targets.spirv.writer import write_module

LOOPS = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%total = %zero) -> (f32) {
      %v = memref.load %a[%k] : memref<?xf32>
      %big = arith.cmpf ogt, %v, %zero : f32
      %t = scf.if %big -> (f32) {
        %q = math.fma %v, %v, %total : f32
        scf.yield %q : f32
      } else {
        scf.yield %total : f32
      }
      scf.yield %t : f32
    }
    %w = scf.while (%x = %n) : (index) -> (index) {
      %more = arith.cmpi ugt, %x, %c1 : index
      scf.condition(%more) %x : index
    } do {
    ^bb0(%y: index):
      %half = arith.divui %y, %c1 : index
      scf.yield %c0 : index
    }
    memref.store %sum, %b[%w] : memref<?xf32>
"""
MEMORY = """
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %g = "gpu.grid_dim"() <{dimension = #gpu<dim y>}> : () -> index
    %d = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %p = memref.alloca() : memref<4xf64, #gpu.address_space<private>>
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    "gpu.barrier"() : () -> ()
    %j = arith.addi %i, %g : index
    %o = "memref.atomic_rmw"(%v, %b, %j) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> f32
    %wide = arith.extf %o : f32 to f64
    memref.store %wide, %p[%d] : memref<4xf64, #gpu.address_space<private>>
"""

TEXELS = """
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %v = memref.load %texels[%i] : memref<?xvector<4xf32>>
    %x = vector.extract %v[3] : f32 from vector<4xf32>
    memref.store %x, %b[%i] : memref<?xf32>
"""


def device_module(body: str, block: str = ", known_block_size = array<i32: 64, 1, 1>") -> ModuleOp:
    """A module with one kernel, converted."""
    text = f"""
"gpu.module"() <{{sym_name = "kernels"}}> ({{
  "gpu.func"() <{{function_type = (memref<?xf32>, memref<?xf32>, index, memref<?xvector<4xf32>>) -> (){block},
      arg_attrs = [{{}}, {{}}, {{}}, {{hologram.access = "read", hologram.texels}}]}}> ({{
  ^bb0(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %texels: memref<?xvector<4xf32>>,
      %s: memref<64xf32, #gpu.address_space<workgroup>>):
    {body}
    "gpu.return"() : () -> ()
  }}) {{sym_name = "k", gpu.kernel, workgroup_attributions = 1 : i64}} : () -> ()
}}) : () -> ()
"""
    ctx = make_context()
    module = Parser(ctx, text, "kernel.mlir").parse_module()
    ConvertGpuToSpirvPass().apply(ctx, module)
    module.verify()
    return module


@pytest.mark.parametrize("body", ["", LOOPS, MEMORY, TEXELS], ids=["empty", "loops", "memory", "texels"])
@pytest.mark.parametrize("block", ["", ", known_block_size = array<i32: 64, 1, 1>"], ids=["launch", "known"])
def test_writer_and_reader_are_inverses(body: str, block: str):
    binary = emit_spirv(device_module(body, block))
    module = read_module(binary)
    module.verify()
    assert write_module(module) == binary
    assert text_of(read_module(write_module(module))) == text_of(module)


def text_of(module: spirv.ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def test_barriers_order_memory():
    words = struct.unpack(f"<{len(binary := emit_spirv(device_module(MEMORY))) // 4}I", binary)
    constants = {w[1]: w[2] for _, opcode, w in instructions(words) if opcode == 43}
    (barrier,) = [w for _, opcode, w in instructions(words) if opcode == 224]
    assert [constants[n] for n in barrier] == [2, 2, 0x108]


Change = Callable[[bytes], bytes]
BROKEN: list[tuple[Change, str]] = [
    (lambda b: b[:-1], "a number of words"),
    (lambda b: b[:16], "at least five"),
    (lambda b: bytes(4) + b[4:], "begins with"),
    (lambda b: b[:-4], "is broken"),
    (lambda b: b + bytes(4), "is broken"),
    (lambda b: b + struct.pack("<I", 1 << 16 | 9999), "9999"),
]


@pytest.mark.parametrize(("change", "reason"), BROKEN)
def test_broken_binaries_are_refused(change: Change, reason: str):
    binary = emit_spirv(device_module(LOOPS))
    with pytest.raises(HologramError, match=reason):
        read_module(change(binary))


def test_runtime_and_compiler_agree_on_scalars():
    from xdsl.dialects.builtin import BFloat16Type, IndexType, f16, f32, f64, i1, i8, i64

    from hologram.runtime.devices.vulkan.programs import pack_scalars

    types: dict[str, Attribute] = {
        "index": IndexType(),
        "i64": i64,
        "f16": f16,
        "f64": f64,
        "bool": i1,
        "i8": i8,
        "bf16": BFloat16Type(),
        "f32": f32,
    }
    for names in (["index"], ["f32", "f64"], ["i8", "bool", "i64", "f16", "bf16", "index", "f64", "i8"], []):
        block = scalar_block([types[n] for n in names])
        values = [(n + 1).to_bytes(8, "little") for n in range(len(names))]
        packed = pack_scalars(names, values, (7, 8, 9))
        assert len(packed) == block.size
        for number, offset in enumerate(block.offsets):
            expected = number + 1 if number < len(names) else 7 + number - len(names)
            assert packed[offset] == expected
