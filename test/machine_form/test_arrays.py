"""Array-level programs of the machine form: every instruction through text, IR and binary, lifted, and run."""

from __future__ import annotations

import inspect
import re
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

import hologram
from hologram import isa
from hologram.dialects import make_context
from hologram.dialects.machine import container
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.spelling import find
from hologram.errors import HologramError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.machine.assign_registers import AssignRegistersPass
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.transforms.analysis.verifier import verify_module
from hologram.transforms.canonical.contract_fma import ContractFmaPass
from machine_form import array_vectors
from machine_form.random_programs import check_inverses

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "array_assembly.py"))
OPERATIONS = {op.name.removeprefix("atlas."): op for op in EXAMPLES["array_operations"]()}
CORPUS = ROOT / "test" / "machine_form" / "programs" / "arrays.atlas"


def lifted(module: ModuleOp) -> ModuleOp:
    """The module in SSA form, verified."""
    LiftMachinePass().apply(make_context(), module)
    verify_module(module)
    assert not any(op.dialect_name() == "machine" for op in module.walk())
    return module


def same(one: ModuleOp, other: ModuleOp) -> bool:
    """Return whether two modules are the same, apart from the names of their functions' arguments."""
    for op in (*one.walk(), *other.walk()):
        if op.name == "func.func":
            op.properties.pop("arg_attrs", None)
    return one.is_structurally_equivalent(other)


def run_all(text: str, *arguments: Any) -> list[list[Any] | str]:
    """The arguments after an array-level program, interpreted and compiled, or that it is refused."""
    found: list[list[Any] | str] = []
    for compiled in (False, True):
        module = lifted(isa.assemble(text))
        name = next(op.sym_name.data for op in module.body.block.ops if isinstance(op, func.FuncOp))
        given: list[Any] = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        try:
            if compiled:
                hologram.compile(module, entry=name, cache=False, opt_level=0)(*given)
            else:
                interpret(module, name, given)
        except HologramError:
            found.append("refused")
            continue
        found.append([a for a in given if isinstance(a, np.ndarray)])
    return found


def expect(text: str, arguments: Sequence[Any], *expected: Any) -> None:
    """Runs a program both ways: its arrays hold `expected` then, None where that does not matter."""
    for outcome in run_all(text, *arguments):
        assert not isinstance(outcome, str), outcome
        for found, wanted in zip(outcome, expected, strict=True):
            if wanted is not None:
                np.testing.assert_allclose(found, wanted, rtol=1e-5)


# Forms


def test_array_level_names_are_their_own():
    assert set(ARRAY_FORMS) == set(OPERATIONS)
    assert not set(ARRAY_FORMS) & set(FORMS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_instruction_goes_through_all_forms(name: str):
    source = EXAMPLES["example_function"](OPERATIONS[name])
    module = EXAMPLES["machine_module"](source)
    verify_module(module)
    text = isa.disassemble(module)
    assert re.search(rf"^  {name}\b", text, re.MULTILINE)
    check_inverses(text)
    again = parse_module(str(module), "machine.mlir", make_context())
    assert isa.disassemble(again) == text
    original = parse_module(source, "source.mlir", make_context())
    assert same(lifted(isa.decode(isa.encode(module))), original)


def test_corpus_is_canonical_and_has_every_instruction():
    text = CORPUS.read_text("utf-8")
    check_inverses(text)
    assert isa.disassemble(parse_module(str(isa.assemble(text)), "machine.mlir", make_context())) == text
    used = set(re.findall(r"^  (\w+)", text, re.MULTILINE))
    assert set(ARRAY_FORMS) <= used
    settings = {s.printed for form in ARRAY_FORMS.values() for s in form.settings}
    missing = {s for s in settings if re.search(rf"\b{s}\b", text) is None}
    assert not missing


def test_binaries_without_arrays_keep_their_version():
    lanes = isa.encode(isa.assemble(".program p() { }"))
    arrays = isa.encode(isa.assemble(".arrays p(buf0: f32[4]) { copy buf0, buf0 }"))
    assert (lanes[10], arrays[10]) == (0, container.ARRAYS_MINOR)
    forged = bytearray(lanes)
    forged[10] = 1
    forged[container.HEAD.size : container.HEADER] = container.digest_of(bytes(forged))
    with pytest.raises(HologramError) as caught:
        isa.decode(bytes(forged))
    assert caught.value.code == "binary-canonical"


MESSY = """
.func twice(r4: f32) -> (r9: f32) {
  add.f32 r9, r4, r4 ; on one element
  ret
}
.arrays p(buf0: f32[?, ?], p2: bool, r1: f32,
          buf1: f32[?, ?], buf2: f32[]) { // settings in any order
  .temp temp0: f32[ buf0.0, 0x10 ]
  ParallelMap.RELU.f32 buf1, buf0
  parallel_map.reciprocal.F32 buf1, buf1
  ParallelReduce.sum.f32 buf2, buf0, reassoc
  Softmax.f32 buf1, buf0, reassoc, axis(0b1)
  GEMM.f32 (buf1), buf0, buf1, trans_b, finish(twice), alpha(0x3ff0000000000000)
  map buf1, r1, maps((d0, d1) -> (), (d0, d1) -> (d0, d1)), body(twice)
  map temp0, buf0, body(twice), maps((d0, d1) -> (2 * (d0 - 1 + 1) floordiv 2 - 0, (d1) mod 7), (d0, d1) -> (d0, d1)) }
"""
CANONICAL = """\
.func twice(r4: f32) -> (r9: f32) {
  add.f32 r9, r4, r4
  ret
}

.arrays p(buf0: f32[?, ?], p2: bool, r1: f32, buf1: f32[?, ?], buf2: f32[]) {
  .temp temp0: f32[buf0.0, 16]
  parallel_map.relu.f32 buf1, buf0
  parallel_map.rcp.f32 buf1, buf1
  parallel_reduce.add.f32 buf2, buf0, reassoc
  softmax buf1, buf0, axis(1), reassoc
  gemm buf1, buf0, buf1, alpha(1.0), trans_b, finish(twice)
  map buf1, r1, maps((d0, d1) -> (), (d0, d1) -> (d0, d1)), body(twice)
  map temp0, buf0, maps((d0, d1) -> (d0 * 2 floordiv 2, d1 mod 7), (d0, d1) -> (d0, d1)), body(twice)
}
"""


def test_what_is_read_becomes_canonical():
    module = isa.assemble(MESSY)
    assert isa.disassemble(module) == CANONICAL
    check_inverses(CANONICAL)


NAMES = """
ParallelMap ParallelMapBinary ParallelReduce GEMM BatchedGEMM Conv2D LayerNorm BatchNorm Softmax Attention FFT
SparseGEMM TensorContract QuantizedGEMM MixedPrecisionGEMM FlashAttention GroupNorm LayerScale RoPE KVCacheUpdate
AllReduce AllGather
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_names_of_the_first_specification_are_read(name: str):
    ((found,), suffixes) = find(name)
    assert found.name.replace("_", "") == name.lower()
    assert found.name in ARRAY_FORMS
    assert not suffixes


# Running


SAXPY = """
.func saxpy_0(r0: f32, r1: f32, r2: f32) -> (r0: f32) {
  fma.f32 r0, r0, r1, r2
  ret
}
.arrays saxpy(r0: f32, buf0: f32[?], buf1: f32[?]) {
  map buf1, r0, buf0, buf1, maps((d0) -> (), (d0) -> (d0), (d0) -> (d0), (d0) -> (d0)), body(saxpy_0)
}
"""


@pytest.mark.parametrize("size", [0, 1, 1000])
def test_saxpy(size: int):
    x, y = np.arange(size, dtype=np.float32), np.ones(size, np.float32)
    expect(SAXPY, [2.0, x, y], x, 2 * x + 1)


def test_arrays_of_different_sizes_are_refused():
    assert run_all(SAXPY, 2.0, np.ones(4, np.float32), np.ones(5, np.float32)) == ["refused", "refused"]


def test_several_results_with_a_finish():
    text = """
.func both(r0: f32) -> (r0: f32, r1: f32) {
  abs.f32 r1, r0
  ret
}
.func mean(r0: f32, r1: f32, r2: f32) -> (r3: f32, r1: f32) {
  mul.f32 r3, r0, r2
  ret
}
.arrays stats(buf0: f32[?, ?], buf1: f32[?], buf2: f32[?], r0: f32) {
  reduce (buf1, buf2), buf0, finish_ins(r0), kinds(add, max), types(f32, f32), body(both), finish(mean), maps(
    (d0, d1) -> (d0, d1), (d0, d1) -> (), (d0, d1) -> (d0), (d0, d1) -> (d0))
}
"""
    x = np.random.default_rng(1).normal(size=(5, 8)).astype(np.float32)
    expect(text, [x, *np.zeros((2, 5), np.float32), 0.125], None, x.mean(1), np.abs(x).max(1))


def test_temporaries_constants_and_a_chain():
    text = """
.arrays layer(buf0: f32[?, 4], buf1: f32[6, 4], buf2: f32[?, 4]) {
  .temp temp0: f32[buf0.0, buf1.0]
  .temp temp1: f32[buf0.0, 6]
  gemm temp0, buf0, buf1, trans_b, alpha(0.5)
  softmax temp1, temp0, axis(1)
  mov_imm.f32 r9, 1.0
  fill buf2, r9
  gemm buf2, temp1, buf1, buf2, beta(2.0)
}
"""
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(3, 4)).astype(np.float32), rng.normal(size=(6, 4)).astype(np.float32)
    e = np.exp(0.5 * x @ w.T)
    expect(text, [x, w, np.zeros((3, 4), np.float32)], None, None, e / e.sum(1, keepdims=True) @ w + 2)


def test_predicates_wide_integers_and_unsigned():
    text = """
.func pick(p0: bool, r0: u32, r1: u32) -> (r0: u32) {
  sel.u32 r0, p0, r0, r1
  ret
}
.arrays picks(p3: bool, buf0: bool[?], buf1: u32[?], r0: u32, buf2: i64[]) {
  map buf1, buf0, buf1, r0, maps((d0) -> (d0), (d0) -> (d0), (d0) -> (), (d0) -> (d0)), body(pick)
  argmax.u32 buf2, buf1, axis(0)
}
"""
    b, x = np.array([1, 0, 1, 0], bool), np.array([1 << 31, 2, 3, 4], np.uint32)
    expect(text, [True, b, x, (1 << 31) + 5, np.array(9)], None, np.where(b, x, (1 << 31) + 5), 1)


def test_indices_of_loops_are_refused():
    text = """func.func @f(%m: memref<4xi32>) {
  %i = atlas.iota : !atlas.iota<i32>
  atlas.map ins(%i : !atlas.iota<i32>) outs(%m : memref<4xi32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: i32):
    atlas.yield %x : i32
  }
  func.return
}
"""
    with pytest.raises(HologramError, match="no !atlas.iota<i32>") as caught:
        AssignRegistersPass().apply(make_context(), parse_module(text, "text", make_context()))
    assert caught.value.code == "assign-arrays-type"


def test_a_program_of_lanes_beside():
    text = (
        SAXPY
        + ".program lanes(buf0: f32[?]) {\n  mov_imm.f32 r0, 3.0\n  call one\n  exit\n}\n"
        + (".func one() {\n  ret\n}\n")
    )
    module = lifted(isa.assemble(text))
    assert {op.name for op in module.body.block.ops} == {"func.func", "atlas.program", "atlas.func"}


def test_contraction_is_marked_in_regions():
    text = SAXPY.replace("fma.f32 r0, r0, r1, r2", "mul.f32 r0, r0, r1\n  add.f32 r0, r0, r2").replace(
        "body(saxpy_0)", "body(saxpy_0), contract"
    )
    module = lifted(isa.assemble(text))
    again = EXAMPLES["machine_module"](str(module))
    assert "body(saxpy_0), contract" in isa.disassemble(again)
    ContractFmaPass().apply(make_context(), module)
    assert "atlas.fma" in str(module)
    unmarked = lifted(isa.assemble(text.replace(", contract", "")))
    ContractFmaPass().apply(make_context(), unmarked)
    assert "atlas.fma" not in str(unmarked)


# Golden vectors


def test_vectors_are_current_and_have_every_instruction():
    assert array_vectors.FILE.read_text("utf-8") == array_vectors.written(), "run `make conformance`"
    named = {row["instruction"].partition(".")[0] for row in array_vectors.read()}
    assert named == set(ARRAY_FORMS)


def test_the_cpu_gives_what_the_vectors_say():
    found = {row["instruction"]: array_vectors.difference(row, array_vectors.compiled) for row in array_vectors.read()}
    assert {name: difference for name, difference in found.items() if difference} == {}


def test_a_wrong_result_is_seen():
    row = next(row for row in array_vectors.read() if row["instruction"] == "gemm")
    wrong = row | {"results": {"3": row["arguments"][3]}}
    assert "of 'gemm' is" in array_vectors.difference(wrong, array_vectors.interpreted)


# From SSA form


def test_what_is_no_array_level_program_stays():
    text = """
    func.func @called(%x: memref<4xf32>) {
      atlas.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
      func.return
    }
    func.func @caller(%x: memref<4xf32>) {
      func.call @called(%x) : (memref<4xf32>) -> ()
      func.return
    }
    func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = atlas.copy ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
      func.return %0 : tensor<4xf32>
    }"""
    text = text[: text.index("func.func @tensors")]
    module = EXAMPLES["machine_module"](text)
    assert [op.name for op in module.body.block.ops] == ["func.func", "func.func"]


def test_regions_with_constants_and_results_that_repeat():
    text = """
    func.func @p(%x: memref<4xf32>, %y: memref<4xf32>) {
      %k = arith.constant 3.0 : f32
      atlas.map ins(%x : memref<4xf32>) outs(%x, %y : memref<4xf32>, memref<4xf32>)
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
      ^bb0(%e: f32):
        %one = arith.constant 1.0 : f32
        %s = atlas.fma f32 %e, %k, %one
        atlas.yield %s, %s : f32, f32
      }
      func.return
    }"""
    assembly = isa.disassemble(EXAMPLES["machine_module"](text))
    check_inverses(assembly)
    x = np.arange(4, dtype=np.float32)
    expect(assembly, [x, x], 3 * x + 1, 3 * x + 1)


# From Python


def test_the_builder():
    builder = isa.ProgramBuilder()
    body = builder.function("twice")
    v = body.scalar("f32")
    body.emit("add.f32", body.result("f32"), v, v)
    body.emit("ret")
    p = builder.arrays("p")
    x, y, s = p.buffer("f32", 3, 8), p.buffer("f32", 3, 3), p.cell("f32")
    t = p.temporary("f32", x.axis(0), 8)
    identity = "(d0, d1) -> (d0, d1)"
    p.emit("map", t, x, maps=(identity, identity), body="twice")
    p.emit("fill", y, p.constant("f32", 0.5))
    p.emit("gemm", (y,), t, x, y, trans_b=True, trans_a=False, alpha=2.0, beta=2.0)
    p.emit("parallel_reduce.sum.f32", s, y)
    text = isa.disassemble(builder.build())
    check_inverses(text)
    assert "gemm buf1, temp0, buf0, buf1, alpha(2.0), beta(2.0), trans_b" in text
    values = np.random.default_rng(3).normal(size=(3, 8)).astype(np.float32)
    product = 4 * values @ values.T + 1
    expect(text, [values, np.zeros((3, 3), np.float32), np.zeros((), np.float32)], None, product, product.sum())


def test_the_builder_shows_the_call_that_is_wrong():
    builder = isa.ProgramBuilder()
    p = builder.arrays("p")
    p.emit("softmax", p.buffer("f32", 3), p.buffer("f32", 4), axis=0)
    line = inspect.currentframe().f_lineno - 1  # pyright: ignore
    with pytest.raises(HologramError) as caught:
        builder.build()
    assert caught.value.code == "atlas-out-shape"
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == (__file__, line)
    assert "softmax buf0, buf1, axis(0)" in caught.value.message
