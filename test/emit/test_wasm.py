"""WebAssembly modules: what they import and export, and where their data goes. test/devices runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import StringAttr

from device_kernels import KERNELS
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.lowering.pipelines.pipelines import PIPELINES, run_pipeline
from hologram.lowering.targets.objects import wasm_object
from hologram.lowering.targets.objects.wasm import to_object
from hologram.lowering.targets.objects.wasm_link import ALIGNMENT, STACK, Place, link, missing, size_of
from hologram.lowering.targets.objects.wasm_object import Reader, leb, read_object
from in_process import run_tool

TABLE = """
@table = constant [3 x i32] [i32 7, i32 8, i32 9]
@second = constant ptr getelementptr (i32, ptr @table, i64 1)
define i32 @look(i32 %i) {
  %at = getelementptr i32, ptr @table, i32 %i
  %r = load i32, ptr %at
  ret i32 %r
}
"""


def exports(module: bytes) -> dict[str, tuple[int, int]]:
    """Kind and number of what a module exports, by name."""
    reader = Reader(read_object(module).sections[wasm_object.EXPORT])
    return {reader.name(): (reader.byte(), reader.number()) for _ in range(reader.number())}


def global_values(module: bytes) -> list[int]:
    """The initial values of a module's globals."""
    reader = Reader(read_object(module).sections[wasm_object.GLOBAL])
    found: list[int] = []
    for _ in range(reader.number()):
        reader.take(2)
        assert reader.byte() == 0x41
        found.append(reader.signed())
        assert reader.byte() == 0x0B
    return found


@pytest.mark.parametrize("value", [0, 1, 63, 64, 127, 128, 2**31 - 1, 2**32 - 1])
def test_numbers(value: int):
    assert Reader(leb(value)).number() == value
    for signed in (value, -value):
        assert Reader(leb(signed, signed=True)).signed() == signed


def test_what_is_exported():
    module = link(to_object(TABLE))
    found = exports(module)
    assert set(found) == {"look", "table", "second", "memory", "__stack_pointer", "__heap_base"}
    values = global_values(module)
    assert values[found["__stack_pointer"][1]] == STACK == values[found["table"][1]]
    assert values[found["__heap_base"][1]] == STACK + ALIGNMENT
    assert not read_object(module).imports


def test_addresses_move_with_the_place():
    place = STACK + 4 * ALIGNMENT
    module = link(to_object(TABLE), Place(place, shared=True))
    (memory,) = read_object(module).imports
    assert (memory.module, memory.name, memory.kind) == ("env", "memory", 2)
    segments = read_object(module).segments
    assert min(s.address for s in segments) == place
    (pointer,) = [s for s in segments if len(s.data) == 4]
    assert int.from_bytes(pointer.data, "little") == global_values(module)[exports(module)["table"][1]] + 4
    assert "memory" not in exports(module)


def test_addresses_in_the_upper_half():
    module = link(to_object(TABLE), Place((1 << 32) - 4 * ALIGNMENT, shared=True))
    assert min(s.address for s in read_object(module).segments) == -4 * ALIGNMENT
    assert global_values(module)[exports(module)["table"][1]] == -4 * ALIGNMENT


def test_sizes():
    found = read_object(to_object(TABLE))
    assert size_of(found) == 16
    assert size_of(read_object(to_object("define void @f() {\n  ret void\n}\n"))) == 0


WIDE = """
define i128 @f(i128 %a, i128 %b) {{
  %r = {op} i128 %a, %b
  ret i128 %r
}}
"""


@pytest.mark.parametrize("op", ["mul", "shl", "lshr", "ashr"])
def test_what_llvm_calls_by_name_is_there(op: str):
    image = to_object(WIDE.format(op=op))
    assert missing(image) == []
    assert set(exports(link(image))) == {"f", "memory", "__stack_pointer", "__heap_base"}


def test_calls_that_it_does_not_know_stay():
    image = to_object("declare void @other(i64)\ndefine void @f() {\n  call void @other(i64 1)\n  ret void\n}\n")
    assert missing(image) == ["other"]
    (call,) = read_object(link(image)).imports
    assert (call.module, call.name, call.kind) == ("env", "other", 0)


def test_a_damaged_object_is_refused():
    from hologram.errors import InternalError

    image = to_object(TABLE)
    for cut in (9, 30, len(image) // 2):
        with pytest.raises(InternalError, match="ends early"):
            read_object(image[:cut])


def test_the_tool_writes_a_module(tmp_path: Path):
    source = tmp_path / "saxpy.mlir"
    source.write_text(KERNELS["saxpy"].text)
    path = tmp_path / "saxpy.wasm"
    arguments = [str(source), "-p", "hologram-to-wasm{to=llvm}", "-t", "wasm", "-o", str(path)]
    assert run_tool("hologram-opt", arguments, cwd=tmp_path).code == 0
    found = exports(path.read_bytes())
    assert {"saxpy", "hologram_call_saxpy", "hologram_entries", "memory"} <= set(found)


def test_the_host_part_describes_the_kernel():
    context = make_context()
    module = parse_module(KERNELS["matmul-f32"].text, "matmul.mlir", context)
    run_pipeline(module, context, [s for s in PIPELINES["hologram-to-wasm"] if s.emits is None])
    (record,) = [op.attributes["hologram.entry"] for op in module.body.block.ops if "hologram.entry" in op.attributes]
    described: dict[str, Any] = json.loads(cast("StringAttr", record).data)
    (kernel,) = described["device"]["kernels"]
    assert (described["version"], described["device"]["kind"], kernel["name"]) == (3, "wasm", "matmul_f32")
    assert [a["dtype"] for a in kernel["arguments"]] == ["f32", "f32", "f32", *["index"] * 6, "i64"]


@pytest.mark.parametrize("instruction", ["gelu", "gelu.tanh", "swish", "sigmoid", "exp", "sin"])
def test_functions_do_not_multiply_and_add_in_software(instruction: str):
    """WebAssembly has no `fma`, and a function that is one costs ten times as much."""
    context = make_context()
    program = f"""func.func @main(%x: memref<?xf32>) {{
      atlas.parallel_map {instruction} f32 ins(%x : memref<?xf32>) outs(%x : memref<?xf32>)
      return
    }}"""
    module = parse_module(program, "map.mlir", context)
    stages = PIPELINES["hologram-to-wasm"]
    end = next(n for n, stage in enumerate(stages) if stage.name == "math")
    run_pipeline(module, context, stages[:end])
    assert not [op for op in module.walk() if op.name == "math.fma"]
