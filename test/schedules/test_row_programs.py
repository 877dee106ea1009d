"""Programs over rows as users write them: what fuse-parallel-loops joins gives the bits of the loops apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hologram
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.pipelines.pipelines import PIPELINES, run_pipeline, stages_for
from stages import run_passes

pytestmark = pytest.mark.slow
Array = np.ndarray[Any, np.dtype[np.float32]]
PASS = ",fuse-parallel-loops"

SOFTMAX = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = hologram.dim %x {axis = 0 : i64} : tensor<?x?xf32> to index
  %n = hologram.dim %x {axis = 1 : i64} : tensor<?x?xf32> to index
  %max = hologram.reduce max %x {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  %maxs = hologram.broadcast %max sizes(%m, %n) {axes = [0 : i64]} : tensor<?xf32> to tensor<?x?xf32>
  %d = hologram.sub %x, %maxs : tensor<?x?xf32>
  %e = hologram.exp %d : tensor<?x?xf32>
  %s = hologram.reduce sum %e {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  %ss = hologram.broadcast %s sizes(%m, %n) {axes = [0 : i64]} : tensor<?xf32> to tensor<?x?xf32>
  %y = hologram.div %e, %ss : tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}"""

RMS_NORM = """
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
  %m = hologram.dim %x {axis = 0 : i64} : tensor<?x?xf32> to index
  %n = hologram.dim %x {axis = 1 : i64} : tensor<?x?xf32> to index
  %q = hologram.mul %x, %x : tensor<?x?xf32>
  %s = hologram.reduce sum %q {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  %r = hologram.sqrt %s : tensor<?xf32>
  %rs = hologram.broadcast %r sizes(%m, %n) {axes = [0 : i64]} : tensor<?xf32> to tensor<?x?xf32>
  %u = hologram.div %x, %rs : tensor<?x?xf32>
  %ws = hologram.broadcast %w sizes(%m, %n) : tensor<?xf32> to tensor<?x?xf32>
  %y = hologram.mul %u, %ws : tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}"""

STATISTICS = """
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %m = hologram.dim %x {axis = 0 : i64} : tensor<?x?xf32> to index
  %n = hologram.dim %x {axis = 1 : i64} : tensor<?x?xf32> to index
  %mean = hologram.reduce sum %x {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  %means = hologram.broadcast %mean sizes(%m, %n) {axes = [0 : i64]} : tensor<?xf32> to tensor<?x?xf32>
  %d = hologram.sub %x, %means : tensor<?x?xf32>
  %dd = hologram.mul %d, %d : tensor<?x?xf32>
  %variance = hologram.reduce sum %dd {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  func.return %mean, %variance : tensor<?xf32>, tensor<?xf32>
}"""

LAYER_NORM = (Path(__file__).resolve().parents[2] / "examples/layer_norm.mlir").read_text()
PROGRAMS = {"softmax": SOFTMAX, "rms norm": RMS_NORM, "statistics": STATISTICS, "layer norm": LAYER_NORM}
SHAPES = [(1, 1), (3, 0), (0, 5), (5, 7), (17, 128), (33, 129), (2, 4097), (40, 300)]


def scheduled(text: str) -> str:
    module = parse_module(text, "rows.mlir", make_context())
    names = [stage.name for stage in stages_for("cpu")]
    run_pipeline(module, make_context(), stages_for("cpu")[: names.index("scheduled") + 1])
    return str(module)


def arguments(name: str, shape: tuple[int, int], special: bool = False) -> list[Array]:
    """The inputs, then the outs."""
    rng = np.random.default_rng(shape[0] + shape[1])
    x = rng.normal(0, 2, shape).astype(np.float32)
    if special and x.size > 3:
        x.reshape(-1)[rng.integers(0, x.size, 3)] = [np.nan, np.inf, -np.inf]
    weights = [rng.normal(1, 1, shape[1]).astype(np.float32) for _ in range(2)]
    row, whole = np.full(shape[0], 9, np.float32), np.full(shape, 9, np.float32)
    match name:
        case "softmax":
            return [x, whole]
        case "rms norm":
            return [x, weights[0], whole]
        case "statistics":
            return [x, row, row.copy()]
        case _:
            return [x, *weights, whole]


@pytest.fixture(scope="module")
def kernels() -> dict[str, tuple[Any, Any]]:
    """Each program compiled with and without the pass."""
    found: dict[str, tuple[Any, Any]] = {}
    apart = tuple(replace(s, passes=s.passes.replace(PASS, "")) for s in PIPELINES["hologram-to-cpu"])
    assert apart != PIPELINES["hologram-to-cpu"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PIPELINES, "hologram-to-cpu", apart)
        separate = {name: hologram.compile(text, cache=False) for name, text in PROGRAMS.items()}
    for name, text in PROGRAMS.items():
        found[name] = (hologram.compile(text, cache=False), separate[name])
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_loop_and_no_buffer_of_all_rows(name: str) -> None:
    text = scheduled(PROGRAMS[name])
    assert text.count("scf.parallel") == 1
    assert text.count("memref.alloc(") == (1 if name == "softmax" else 0)


@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_bits_are_those_of_the_loops_apart(
    kernels: dict[str, tuple[Any, Any]], name: str, shape: tuple[int, int], special: bool
) -> None:
    ours, apart = (arguments(name, shape, special) for _ in range(2))
    fused, separate = kernels[name]
    fused(*ours)
    separate(*apart)
    for one, other in zip(ours, apart, strict=True):
        np.testing.assert_array_equal(one, other)
        assert (np.isnan(one) | (np.signbit(one) == np.signbit(other))).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["rms norm", "statistics", "layer norm"])
def test_the_bits_are_those_of_the_interpreter(
    kernels: dict[str, tuple[Any, Any]], name: str, shape: tuple[int, int]
) -> None:
    ours, expected = (arguments(name, shape) for _ in range(2))
    kernels[name][0](*ours)
    module = parse_module(PROGRAMS[name], "rows.mlir", make_context())
    names = [stage.name for stage in stages_for("cpu")]
    run_pipeline(module, make_context(), stages_for("cpu")[: names.index("buffers") + 1])
    interpret(module, None, expected)
    for one, other in zip(ours, expected, strict=True):
        assert one.tobytes() == other.tobytes()


@settings(max_examples=40)
@given(rows=st.integers(0, 40), columns=st.integers(0, 700), name=st.sampled_from(sorted(PROGRAMS)))
def test_random_shapes(kernels: dict[str, tuple[Any, Any]], rows: int, columns: int, name: str) -> None:
    ours, apart = (arguments(name, (rows, columns)) for _ in range(2))
    kernels[name][0](*ours)
    kernels[name][1](*apart)
    for one, other in zip(ours, apart, strict=True):
        np.testing.assert_array_equal(one, other)


NAMED = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = hologram.softmax %x {axis = AXIS : i64} : tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}"""


def special_rows(shape: tuple[int, int]) -> Array:
    """A row each with one special value, with nothing else, and with zeros of both signs."""
    x = np.random.default_rng(5).normal(0, 3, shape).astype(np.float32)
    for row, value in enumerate((np.nan, np.inf, -np.inf, -0.0, 3e38, -3e38)):
        x[2 * row, shape[1] // 2] = value
        x[2 * row + 1] = value
    x[12] = 0.0
    x[12, ::3] = -0.0
    x[13, 1:] = np.nan
    return x


@pytest.mark.parametrize("columns", [2, 17, 128, 300, 4099])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_named_softmax_has_the_bits_of_the_written_one(
    kernels: dict[str, tuple[Any, Any]], axis: int, columns: int
) -> None:
    # So many rows that there are runs of two and three.
    x = special_rows((131 if axis == 1 else 20, columns))
    expected = np.full_like(x, 9)
    kernels["softmax"][1](x, expected)
    given = np.ascontiguousarray(x.T) if axis == 0 else x
    ours = np.full_like(given, 9)
    hologram.compile(NAMED.replace("AXIS", str(axis)))(given, ours)
    np.testing.assert_array_equal(ours.T if axis == 0 else ours, expected)


ROWS = NAMED.replace("AXIS", "1")


def compiled_for(options: str, text: str) -> Any:
    """Compiled with options for schedule-atlas."""
    stages = tuple(
        replace(s, passes=s.passes.replace("{target=cpu}", f"{{target=cpu {options}}}"))
        for s in PIPELINES["hologram-to-cpu"]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PIPELINES, "hologram-to-cpu", stages)
        return hologram.compile(text, cache=False)


@pytest.mark.parametrize("type", ["f32", "bf16"])
def test_three_rows_at_once_have_the_bits_of_one(type: str) -> None:
    dtype = {"f32": np.float32, "bf16": ml_dtypes.bfloat16}[type]
    text = ROWS.replace("f32", type)
    # Registers of 32 bytes have no room for the sums of a row beside what else there is.
    one = compiled_for("vector-bytes=32", text)
    kernels = [compiled_for("vector-bytes=64", text), compiled_for("vector-bytes=64 cache-bytes=4096", text)]
    for rows, columns in ((131, 256), (200, 1), (130, 160), (64, 4224), (2177, 32), (67, 0), (0, 32), (1, 128)):
        x = special_rows((max(rows, 14), max(columns, 2)))[:rows, :columns].clip(-6e4, 6e4).astype(dtype)
        expected = np.full_like(x, 9)
        one(np.ascontiguousarray(x), expected)
        for kernel in kernels:
            room = np.full(x.size + 64, 9, dtype)
            start = -room.ctypes.data % 64 // room.itemsize
            for begin in (start, start + 3):
                found = room[begin : begin + x.size].reshape(x.shape)
                kernel(np.ascontiguousarray(x), found)
                np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))
                assert (room[:begin] == 9).all()
                assert (room[begin + x.size :] == 9).all()
                room[:] = 9


def test_only_rows_of_arguments_are_computed_three_at_once() -> None:
    behind = ROWS.replace("func.return %y", "%z = hologram.add %y, %x : tensor<?x?xf32>\n  func.return %z")
    found: list[bool] = []
    for text in (ROWS, behind, ROWS.replace("?x?", "4x32"), ROWS.replace("f32", "f64")):
        module = parse_module(text, "rows.mlir", make_context())
        run_pipeline(module, make_context(), stages_for("cpu")[:4])
        run_passes(module, "schedule-atlas{target=cpu vector-bytes=64}")
        found.append("vector.store" in str(module) and "nontemporal = true" in str(module))
    assert found == [True, False, False, False]


@pytest.mark.parametrize("text", [ROWS, ROWS.replace("f32", "f16"), LAYER_NORM])
def test_rows_past_the_cache_have_the_same_bits(text: str) -> None:
    usual = hologram.compile(text)
    kernel = compiled_for("cache-bytes=4096", text)
    dtype = np.float16 if "f16" in text else np.float32
    for rows, columns in ((20, 300), (17, 1031), (40, 256), (14, 3)):
        x = special_rows((max(rows, 14), columns)).clip(-6e4, 6e4).astype(dtype)
        weights = [np.ones(columns, dtype), np.zeros(columns, dtype)] if text is LAYER_NORM else []
        expected, room = np.full_like(x, 9), np.full(x.size + 5, 9, dtype)
        found = room[5:].reshape(x.shape)
        usual(x, *weights, expected)
        kernel(x, *weights, found)
        np.testing.assert_array_equal(found, expected)
