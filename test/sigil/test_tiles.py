"""The tile reading: the interpreter, the interpreter on converted circuits, the CPU, and numpy agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from hologram import sigil
from hologram.dialects import make_context
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState
from hologram.lowering.numbers.convert_sigil_to_atlas import ConvertSigilToAtlasPass
from hologram.transforms.numbers.canonicalize_sigil_tiles import CanonicalizeSigilTilesPass

Array = NDArray[Any]
F32 = 3072


def filled(dtype: str = "f4") -> Array:
    """Class memory of numbers, with every edge of floats in class 0."""
    rng = np.random.default_rng(7)
    count = 1179648 // np.dtype(dtype).itemsize
    if np.dtype(dtype).kind == "f":
        values = rng.normal(0, 3, count).astype(dtype)
        edges = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 88.0, -104.0]
        values[: len(edges)] = edges
    else:
        info = np.iinfo(dtype)
        values = rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        values[values == 0] = 1
    return values.view(np.uint8)


def interpreted(text: str, start: Array, type: str | None = None) -> Array:
    state = AtlasState(start.copy())
    interpret(sigil.parse(text, type=type), None, [], state=state)
    return state.classes


def converted(text: str, start: Array, type: str | None = None, *passes: Any) -> Array:
    module, state = sigil.parse(text, type=type), AtlasState(start.copy())
    for pass_ in (*passes, ConvertSigilToAtlasPass()):
        pass_.apply(make_context(), module)
        module.verify()
    interpret(module, None, [], state=state)
    return state.classes


def on_cpu(text: str, start: Array, type: str | None = None) -> Array:
    executor = hologram.Executor()
    executor.classes.bytes[:] = start
    executor.compile(sigil.parse(text, type=type))()
    return executor.classes.bytes


def tile(memory: Array, number: int, dtype: str = "f4") -> Array:
    return memory[number * 12288 : (number + 1) * 12288].view(dtype)


MIXED = [
    "mark@c00 . quote@c[1..4] . evaluate@c02",
    "copy@c00->c05",
    "swap@c00<->c05",
    "swap@c00<->c00 . copy@c01->c01",
    "merge@c00[c01,c02] . merge.mul@c02[c00,c00] . split@c00[c00,c00]",
    "merge.min@c00[c01,c02] || merge.max@c00[c01,c03] || split.div@c00[c01,c04]",
    "merge.abs@c00[c01,c02] . merge.relu@c00[c01,c03] . merge.sqrt@c00[c01,c04]",
    "R+1 D-1 T+3 ~@ copy@c00->c95^R-1~ . (~@ merge@c08[c16,c01])",
    "copy@c00@0->c01@47 . swap@c02@1<->c02@2 . merge@c00@3[c01,c02]",
    "merge@c00@3[c01@4,c02@5] . copy@c02->c03 . copy@c03@5->c03@6",
    "copy@c00->c01 . (merge@c01[c02,c03] || merge@c01[c02,c04] . swap@c05<->c06) . copy@c04->c01",
    "(copy@c00@1->c01@1 || copy@c00@2->c01@2) . (copy@c01->c02 || (copy@c01->c03 || copy@c01->c04))",
]


@pytest.mark.parametrize("text", MIXED)
def test_both_interpretations(text: str):
    start = filled()
    found = interpreted(text, start)
    assert np.array_equal(converted(text, start), found)
    assert np.array_equal(converted(text, start, None, CanonicalizeSigilTilesPass()), found)


def test_the_cpu():
    """All operations in one circuit, which is compiled once."""
    text, start = " . ".join(f"({text})" for text in MIXED), filled()
    # Every NaN counts as equal: which one comes out is no part of the reading.
    found, expected = on_cpu(text, start).view("f4"), interpreted(text, start).view("f4")
    assert np.array_equal(found, expected, equal_nan=True)


UNARY: dict[str, Callable[[Array], Array]] = {
    "abs": np.abs, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: x * np.array([0.5 * (1 + __import__("math").erf(v / 2**0.5)) for v in x]),
}  # fmt: skip
BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "merge.add": np.add, "merge.mul": np.multiply, "merge.min": np.minimum, "merge.max": np.maximum,
    "split.sub": np.subtract, "split.div": np.divide,
}  # fmt: skip


def test_every_unary_variant():
    """One circuit, so that it is compiled once."""
    start = filled()
    start[:12288].view("f4")[:] = np.linspace(0.01, 20, F32)
    text = " || ".join(f"merge.{name}@c00[c01,c{10 + n}]" for n, name in enumerate(UNARY))
    memory, reference = on_cpu(text, start), interpreted(text, start)
    x = np.linspace(0.01, 20, F32).astype("f4").astype("f8")
    for n, (name, function) in enumerate(UNARY.items()):
        np.testing.assert_allclose(tile(memory, 10 + n), function(x), rtol=4e-7, err_msg=name)
        np.testing.assert_allclose(tile(reference, 10 + n), function(x), rtol=4e-7, err_msg=name)


@pytest.mark.parametrize("type", ["f64", "i32", "u8", "i64", "bf16"])
def test_types(type: str):
    """Every binary variant on tiles of a type, against numpy where numpy has it."""
    dtype = {"f64": "f8", "i32": "i4", "u8": "u1", "i64": "i8", "bf16": "i2"}[type]
    start = filled("i2" if type == "bf16" else dtype)
    text = " || ".join(f"{name}@c00[c01,c{10 + n}]" for n, name in enumerate(BINARY))
    memory, reference = on_cpu(text, start, type), interpreted(text, start, type)
    if type == "bf16":
        same = tile(memory, 10, "i2") == tile(reference, 10, "i2")
        assert same.mean() > 0.99  # All but NaNs, of which any will do.
        return
    assert np.array_equal(memory.view(dtype), reference.view(dtype), equal_nan=dtype == "f8")
    a, b = tile(start, 0, dtype), tile(start, 1, dtype)
    with np.errstate(all="ignore"):
        for n, (name, function) in enumerate(BINARY.items()):
            if name in ("merge.add", "merge.mul", "split.sub"):
                assert np.array_equal(tile(memory, 10 + n, dtype), function(a, b), equal_nan=dtype == "f8"), name


def test_division_by_zero_traps():
    start = filled("i4")
    tile(start, 1, "i4")[9] = 0
    for run in (interpreted, on_cpu):
        with pytest.raises(hologram.TrapError, match="division"):
            run("split.div@c00[c01,c02]", start, "i32")


def test_files_and_the_default_executor(tmp_path: Any):
    file = tmp_path / "add.circuit"
    file.write_text("merge@c00[c01,c02]\n", encoding="utf-8")
    executor = hologram.Executor()
    tile(executor.classes.bytes, 0)[:] = np.arange(F32)
    tile(executor.classes.bytes, 1)[:] = 1
    kernel = executor.compile(file)
    kernel()
    kernel()
    assert np.array_equal(tile(executor.classes.bytes, 2), np.arange(F32) + 1)


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("copy@c00->c01 . merge@c01[c02,c03] . copy@c04->c01", "merge@c00[c02,c03] . copy@c04->c01"),
        ("copy@c00->c00", "mark@c00"),
        ("swap@c03<->c03 . mark@c07", "mark@c07"),
        ("copy@c00->c01 . copy@c00->c01 . copy@c01->c00", "copy@c00->c01"),
        ("copy@c00->c01 . merge@c00[c02,c00] . copy@c00->c01", "merge@c00[c02,c00] . copy@c00->c01"),
        ("swap@c00<->c01 . swap@c02<->c03 . swap@c03<->c02 . swap@c01<->c00", "mark@c00"),
        ("swap@c00<->c01 . mark@c00 . swap@c00<->c01", "mark@c00"),
        ("swap@c00<->c01 . copy@c00->c02 . swap@c00<->c01", "swap@c00<->c01 . copy@c00->c02 . swap@c00<->c01"),
        ("copy@c00->c01 . copy@c01->c02 . copy@c03->c01", "copy@c00->c02 . copy@c03->c01"),
        ("R+1@ copy@c00->c01 . copy@c00@3->c01@3", "copy@c24->c25"),
        ("copy@c00@3->c01@3 . copy@c00->c01", "copy@c00->c01"),
        ("copy@c00->c01 . copy@c02@3->c01@3", "copy@c00->c01 . copy@c02@3->c01@3"),
        ("copy@c00->c01 . (merge@c01[c02,c03] || copy@c04->c00)", None),
        ("copy@c00->c01 . (merge@c01[c02,c03] || copy@c04->c05)",
         "copy@c00->c01 . (merge@c00[c02,c03] || copy@c04->c05)"),
        ("copy@c00->c00 || copy@c01->c01", "mark@c00"),
        ("(copy@c00->c00 || copy@c01->c02) . mark@c03", "copy@c01->c02 . mark@c03"),
        ("copy@c00->c01 . swap@c00<->c01", "copy@c00->c01"),
        ("merge@c00[c01,c02] . copy@c02->c03 . merge.exp@c03[c01,c04] . copy@c05->c03",
         "merge@c00[c01,c02] . merge.exp@c02[c01,c04] . copy@c05->c03"),
    ],
)  # fmt: skip
def test_canonical_tiles(text: str, better: str | None):
    module = sigil.parse(text)
    CanonicalizeSigilTilesPass().apply(make_context(), module)
    module.verify()
    found = sigil.to_text(module).strip()
    assert found == (text if better is None else better)
    start = filled()
    assert np.array_equal(interpreted(found, start), interpreted(text, start))
