"""What schedules keep on stacks and in the memory of a block, of elements of all sizes."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, cast

import pytest
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser

from hologram.dialects import gpu, make_context
from hologram.dialects.layouts import byte_size
from hologram.lowering.schedules.common.target import TARGETS
from hologram.lowering.schedules.schedule_atlas import ScheduleAtlasPass

ACROSS = "maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]"
SAME = "maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]"
ADD = "kind = #atlas.kind<add>, type = #atlas.dtype<U>"
OPERATIONS = {
    "turned": "atlas.map ins(%a : M) outs(%b : M) {ACROSS} {{\n^bb0(%x: T):\n  atlas.yield %x : T\n}}",
    "columns": "atlas.reduce [add U] ins(%a : M) outs(%r : L) {SAME} {{\n^bb0(%x: T):\n  atlas.yield %x : T\n}}",
    "line": "atlas.reduce [add U] ins(%a : M) outs(%s : memref<T>) maps [affine_map<(d0, d1) -> (d0, d1)>,"
    " affine_map<(d0, d1) -> ()>] {{\n^bb0(%x: T):\n  atlas.yield %x : T\n}}",
    "scan": f"atlas.scan ins(%a : M) outs(%b : M) {{{{axis = 0 : i64, {ADD}}}}}",
    "rows": f"atlas.scan ins(%a : M) outs(%b : M) {{{{axis = 1 : i64, {ADD}}}}}",
    "argmax": "atlas.argmax ins(%a : M) outs(%i : memref<?xi64>) {{axis = 0 : i64, type = #atlas.dtype<U>}}",
    "gemm": "atlas.gemm ins(%a, %c : M, M) outs(%b : M)",
}
TYPES = ("f64", "i128", "i4096")
LARGEST = 128 << 10
"""Of what one operation keeps on a stack: 48 results of a tile of 256 columns of f64 that wait are nearly as much."""
PRIVATE = 8 << 10
"""Of a thread's own memory, as every device with WebGPU has it."""


def scheduled(body: str, t: str, target: str) -> ModuleOp:
    """A function of memrefs, as a target's schedules make it."""
    text = body.format(ACROSS=ACROSS, SAME=SAME).replace("M", f"memref<?x?x{t}>").replace("L", f"memref<?x{t}>")
    matrices = "".join(f"%{name}: memref<?x?x{t}>, " for name in "abc")
    head = f"{matrices}%r: memref<?x{t}>, %s: memref<{t}>, %i: memref<?xi64>"
    module = f"func.func @main({head}) {{\n{text.replace('memref<T>', f'memref<{t}>').replace('T', t).replace('U', t)}"
    parsed = Parser(make_context(), f"{module}\nfunc.return\n}}").parse_module()
    ScheduleAtlasPass(target=target, bounds="trust").apply(make_context(), parsed)
    return parsed


def bytes_of(value: Any) -> int:
    type = cast("MemRefType[Attribute]", value.type)
    return (byte_size(type.element_type) or 1) * prod(type.get_shape())


def kept(root: Operation, space: str = "") -> Iterator[int]:
    """The bytes of each array in a memory space, or in all of them."""
    for op in root.walk():
        if isinstance(op, memref.AllocaOp) and space in str(op.memref.type.memory_space):
            yield bytes_of(op.memref)


def launches(module: ModuleOp) -> list[gpu.LaunchOp]:
    return [op for op in module.walk() if isinstance(op, gpu.LaunchOp)]


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("t", TYPES)
def test_every_device_has_as_much(t: str, name: str):
    for target in ("gpu", "lanes", "cuda"):
        module = scheduled(OPERATIONS[name], t, target)
        for launch in launches(module):
            assert sum(kept(launch, "workgroup")) <= TARGETS[target].shared_bytes, target
            assert sum(kept(launch, "private")) <= PRIVATE, target
        for loop in (op for op in module.walk() if isinstance(op, scf.ParallelOp)):
            assert sum(kept(loop)) <= PRIVATE, target


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("t", TYPES)
def test_stacks_have_as_much(t: str, name: str):
    for target in ("cpu", "processor", "wasm"):
        assert max(kept(scheduled(OPERATIONS[name], t, target)), default=0) <= LARGEST, target


def test_more_turned_operands_than_have_room():
    """Tiles of some lie in the memory of a block; the other operands are read as they lie."""
    count, m = 24, "memref<?x?xf64>"
    names = [f"%x{n}" for n in range(count)]
    across, along = "affine_map<(d0, d1) -> (d1, d0)>", "affine_map<(d0, d1) -> (d0, d1)>"
    text = f"""func.func @main({", ".join(f"{n}: {m}" for n in names)}, %b: {m}) {{
  atlas.map ins({", ".join(names)} : {", ".join([m] * count)}) outs(%b : {m})
    maps [{", ".join([across] * count)}, {along}] {{
  ^bb0({", ".join(f"%y{n}: f64" for n in range(count))}):
    atlas.yield %y0 : f64
  }}
  func.return
}}"""
    for target in ("gpu", "cuda"):
        module = Parser(make_context(), text).parse_module()
        ScheduleAtlasPass(target=target, bounds="trust").apply(make_context(), module)
        (tiles,) = launches(module)
        sizes = [*kept(tiles)]
        assert set(sizes) == {16 * 17 * 8}
        assert 0 < sum(sizes) <= TARGETS[target].shared_bytes


def test_operations_one_after_the_other():
    """On a stack of 1 MiB they have room together: arrays that have none come from the heap, and are freed."""
    one = OPERATIONS["columns"]
    module = scheduled("\n".join([one] * 9), "f64", "wasm")
    names = [op.name for op in module.walk()]
    assert sum(kept(module)) <= TARGETS["wasm"].stack_bytes
    assert names.count("memref.alloc") == names.count("memref.dealloc") > 0
    assert "memref.alloc" not in [op.name for op in scheduled(one, "f64", "wasm").walk()]


def test_sums_of_wide_integers_are_one_each():
    """Each product of integers of 1024 bits is thousands of operations where they are limbs."""
    m = "memref<?x?xi1024>"
    text = f"""func.func @main(%v: memref<?xi1024>, %i: memref<?xi32>, %n: memref<?xi32>, %d: {m}, %r: {m}) {{
  atlas.sparse_gemm ins(%v, %i, %n, %d : memref<?xi1024>, memref<?xi32>, memref<?xi32>, {m}) outs(%r : {m})
  func.return
}}"""
    module = Parser(make_context(), text).parse_module()
    ScheduleAtlasPass(target="gpu").apply(make_context(), module)
    assert [op.name for op in module.walk()].count("atlas.fma") + str(module).count("atlas.mad") == 1
