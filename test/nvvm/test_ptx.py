"""The PTX of kernels: the exact profile, ranges of ids, atomics, shared memory."""

from __future__ import annotations

import re

import pytest

from nvvm.kernels import kernel, lower, ptx, streams_ptx

BUFFERS = {"x": "memref<?xf32>", "y": "memref<?xf32>"}


def test_arithmetic_rounds_once_an_operation():
    """ptxas fuses `mul.f32` and `add.f32`, but not with a rounding mode said."""
    text = ptx(
        kernel(
            """
  %a = memref.load %x[%i] : memref<?xf32>
  %p = arith.mulf %a, %a : f32
  %s = arith.addf %p, %a : f32
  %d = arith.subf %s, %p : f32
  %q = arith.divf %d, %a : f32
  %r = math.sqrt %q : f32
  %f = math.fma %r, %a, %p : f32
  memref.store %f, %y[%i] : memref<?xf32>
""",
            BUFFERS,
        )
    )
    for word in ("mul.rn.f32", "add.rn.f32", "sub.rn.f32", "div.rn.f32", "sqrt.rn.f32", "fma.rn.f32"):
        assert word in text
    assert text.count("fma.") == 1
    assert "ftz" not in text
    assert "approx" not in text


def test_reads_of_read_only_buffers_are_cached():
    body = """
  %a = memref.load %x[%i] : memref<?xf32>
  memref.store %a, %y[%i] : memref<?xf32>
"""
    assert "ld.global.nc" in ptx(kernel(body, BUFFERS))


def test_vectors_are_one_access():
    body = """
  %c4 = arith.constant 4 : index
  %at = arith.muli %i, %c4 : index
  %v = vector.load %x[%at] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  vector.store %w, %y[%at] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
"""
    text = ptx(kernel(body, BUFFERS))
    assert "ld.global.nc.v4" in text or "ld.global.v4" in text or "ld.global.nc.v2.b64" in text
    assert "st.global.v4" in text or "st.global.v2.b64" in text


@pytest.mark.parametrize(
    ("place", "kind", "type", "wanted"),
    [
        ("y", 0, "f32", "atom.relaxed.gpu.global.cas.b32"),  # The native sum flushes subnormals there.
        ("s", 0, "f32", "atom.shared.add.f32"),
        ("y", 0, "f64", "atom.global.add.f64"),
        ("y", 1, "i32", "atom.global.add.u32"),
        ("y", 1, "i64", "atom.global.add.u64"),
        ("y", 6, "i32", "atom.global.max.s32"),
        ("s", 11, "i32", "atom.shared.min.u32"),
        ("y", 3, "i32", "atom.global.exch.b32"),
    ],
)
def test_atomics(place: str, kind: int, type: str, wanted: str):
    space = ", #gpu.address_space<workgroup>" if place == "s" else ""
    body = f"""
  %v = memref.load %x[%i] : memref<?x{type}>
  %at = arith.constant 3 : index
  %o = "memref.atomic_rmw"(%v, %{place}, %at) <{{kind = {kind} : i64}}>
    : ({type}, memref<{"8" if space else "?"}x{type}{space}>, index) -> {type}
  memref.store %o, %y[%i] : memref<?x{type}>
"""
    buffers = {"x": f"memref<?x{type}>", "y": f"memref<?x{type}>"}
    shared = {"s": f"memref<8x{type}, #gpu.address_space<workgroup>>"}
    text = ptx(kernel(body, buffers, shared=shared))
    assert re.search(wanted, text), text
    assert "fence" not in text


def test_little_shared_memory_is_declared():
    body = """
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %c1 = arith.constant 63 : index
  %r = arith.subi %c1, %t : index
  %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%i] : memref<?xf32>
"""
    text = ptx(kernel(body, BUFFERS, shared={"s": "memref<64xf32, #gpu.address_space<workgroup>>"}))
    assert ".shared .align 128 .b8 k_shared_0[256]" in text
    assert "bar.sync" in text
    assert ".reqntid 64" in text


def test_much_shared_memory_is_asked_for():
    shared = {name: "memref<8000xf32, #gpu.address_space<workgroup>>" for name in ("s", "u")}
    body = """
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %s[%t] : memref<8000xf32, #gpu.address_space<workgroup>>
  memref.store %v, %u[%t] : memref<8000xf32, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %w = memref.load %u[%t] : memref<8000xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%i] : memref<?xf32>
"""
    text = kernel(body, BUFFERS, shared=shared)
    (function,) = [op for op in lower(text).walk() if op.name == "llvm.func"]
    assert str(function.attributes["hologram.shared_bytes"]) == "64000 : i64"
    assert ".extern .shared .align 1024 .b8 launched_shared_memory[]" in ptx(text)


def test_memory_that_the_launch_sizes():
    body = """
  %s = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %n = memref.dim %s, %c0 : memref<?xi8, #gpu.address_space<workgroup>>
  %w = "memref.view"(%s, %c0, %n) <{operandSegmentSizes = array<i32: 1, 1, 1>}>
    : (memref<?xi8, #gpu.address_space<workgroup>>, index, index) -> memref<?xf32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %w[%t] : memref<?xf32, #gpu.address_space<workgroup>>
  %k = arith.index_cast %n : index to i64
  %f = arith.sitofp %k : i64 to f32
  memref.store %f, %y[%i] : memref<?xf32>
"""
    text = ptx(kernel(body, BUFFERS))
    assert "%dynamic_smem_size" in text
    assert "launched_shared_memory" in text


def test_private_memory_is_local():
    body = """
  %p = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %p[%n] : memref<64xf32, #gpu.address_space<private>>
  %c1 = arith.constant 1 : index
  %w = memref.load %p[%c1] : memref<64xf32, #gpu.address_space<private>>
  memref.store %w, %y[%i] : memref<?xf32>
"""
    text = ptx(kernel(body, {**BUFFERS, "n": "index"}))
    assert "st.local" in text
    assert "ld.local" in text


@pytest.mark.parametrize("below", [1, 64, 1024])
def test_ids_have_ranges(below: int):
    module = lower(kernel("", {}, block=below))
    (tid,) = [op for op in module.walk() if op.name == "nvvm.read.ptx.sreg.tid.x"]
    assert str(tid.properties["range"]) == f"#llvm.constant_range<i32, 0, {below}>"


def test_sizes_that_are_not_known_are_read():
    body = """
  %d = "gpu.block_dim"() <{dimension = #gpu<dim y>}> : () -> index
  %g = "gpu.grid_dim"() <{dimension = #gpu<dim z>}> : () -> index
  %b = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> index
  %z = "gpu.thread_id"() <{dimension = #gpu<dim z>}> : () -> index
  %s = arith.addi %d, %g : index
  %u = arith.addi %b, %z : index
  %v = arith.addi %s, %u : index
  memref.store %v, %o[%i] : memref<?xindex>
"""
    text = ptx(kernel(body, {"o": "memref<?xindex>"}, block=None))
    for register in ("%ntid.y", "%nctaid.z", "%ctaid.y", "%tid.z", "%ntid.x"):
        assert register in text
    assert "reqntid" not in text


def test_a_lane_that_traps_in_a_function_ends():
    rest = """
  func.func private @at(%a: memref<?xf32>, %i: index) -> f32 {
    %c9 = arith.constant 9 : index
    %ok = arith.cmpi ult, %i, %c9 : index
    cf.assert %ok, "out of range"
    %v = memref.load %a[%i] : memref<?xf32>
    func.return %v : f32
  }
"""
    body = """
  %v = func.call @at(%x, %i) : (memref<?xf32>, index) -> f32
  memref.store %v, %y[%i] : memref<?xf32>
"""
    assert "exit;" in ptx(kernel(body, BUFFERS, rest=rest))


def test_booleans_and_half_floats_are_passed():
    body = """
  %w = arith.extf %h : f16 to f32
  %z = arith.constant 0.0 : f32
  %s = arith.select %b, %w, %z : f32
  memref.store %s, %y[%i] : memref<?xf32>
"""
    text = ptx(kernel(body, {"y": "memref<?xf32>", "b": "i1", "h": "f16"}))
    assert ".param .u8 k_param_1" in text
    assert ".align 2 .b8 k_param_2[2]" in text or ".b16 k_param_2" in text


@pytest.mark.parametrize(("type", "loads"), [("f32", "v4"), ("f64", "v4"), ("bf16", "v2")])
def test_what_stores_as_much_as_it_reads_keeps_what_it_read(type: str, loads: str):
    """Loads of maps and of rows say so; those of sums do not, nor does anything where loads have no policies."""
    kernels = re.split(r"(?=\.visible \.entry )", streams_ptx(type, "sm_90"))[1:]
    hinted = {text.split()[2].split("_")[0]: text.count("cache_hint") for text in kernels}
    assert {name: count > 0 for name, count in hinted.items()} == {"map": True, "rows": True, "total": False}
    assert f"ld.global.nc.L2::cache_hint.{loads}.b32" in kernels[0]
    assert "L2::" not in streams_ptx(type, "sm_75")
