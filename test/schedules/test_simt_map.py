"""Maps as launches, to the bit: tiles and what is left of them, rows of any length, operands of all kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from schedules.device_forms import compiled, device_pipelines, same_bits

__all__ = ["device_pipelines"]
TARGETS = pytest.mark.parametrize("target", ["gpu", "cuda"])


def mapped(types: list[str], maps: list[str], body: str, names: str = "x y z") -> str:
    """A map of memrefs, the last one its out."""
    arguments = [f"%a{n}: {t}" for n, t in enumerate(types)]
    *ins, out = [f"%a{n}" for n in range(len(types))]
    elements = [t.removeprefix("memref<").rstrip(">").split("x")[-1].split(",")[0] for t in types]
    regions = ", ".join(f"%{n}: {t}" for n, t in zip(names.split(), elements[:-1], strict=False))
    return f"""
func.func @main({", ".join(arguments)}) {{
  atlas.map ins({", ".join(ins)} : {", ".join(types[:-1])}) outs({out} : {types[-1]})
    maps [{", ".join(f"affine_map<{m}>" for m in maps)}] {{
  ^bb0({regions}):
    {body}
    atlas.yield %r : {elements[-1]}
  }}
  func.return
}}"""


def check(text: str, target: str, *arrays: Any) -> None:
    """Fills the last array as the CPU does, to the bit."""
    *ins, out = arrays
    expected, found = np.full_like(out, 77), np.full_like(out, 77)
    hologram.compile(text)(*ins, expected)
    compiled(text, target)(*ins, found)
    assert same_bits(expected, found)


def drawn(*shape: int, dtype: Any = np.float32, seed: int = 3) -> Any:
    return (np.random.default_rng(seed).standard_normal(shape) * 100).astype(dtype)


LINE = "memref<?xf32>"
ADD = mapped([LINE, LINE, "f32", LINE], ["(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> ()", "(d0) -> (d0)"],
             "%s = atlas.add f32 %x, %y\n%r = atlas.mul f32 %s, %z")  # fmt: skip


@TARGETS
def test_lines(target: str):
    """Lines of 0 and 1 elements, 1 less and 1 more than a tile, several tiles; a NaN; an array at an odd address."""
    for count in (0, 1, 3, 255, 4095, 4097, 9000):
        x, y = drawn(2, count)
        if count > 3:
            x[1], y[2] = np.nan, np.inf
        check(ADD, target, x, y, 0.5, np.zeros(count, np.float32))
    room = drawn(5001)
    check(ADD, target, room[1:], drawn(5000), 2.0, np.zeros(5000, np.float32))


@pytest.mark.slow
@TARGETS
@pytest.mark.parametrize("static", [False, True])
def test_rows(target: str, static: bool):
    """A bias along the rows: rows shorter than a vector, than a block, and longer; lengths of no whole vectors."""
    for rows, length in ((0, 4), (3, 0), (1, 1), (5, 3), (1030, 8), (70, 132), (9, 1028), (3, 4099)):
        shape = f"{rows}x{length}" if static else "?x?"
        if static and (rows, length) not in ((5, 3), (70, 132), (9, 1028)):
            continue
        bias = f"memref<{length if static else '?'}xf32>"
        text = mapped(
            [f"memref<{shape}xf32>", bias, f"memref<{shape}xf32>"],
            ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0, d1)"],
            "%r = atlas.sub f32 %x, %y",
        )
        check(text, target, drawn(rows, length), drawn(length), np.zeros((rows, length), np.float32))


@pytest.mark.slow
@TARGETS
def test_outer_dimensions_that_do_not_merge(target: str):
    shape = "memref<?x?x?xf32>"
    text = mapped(
        [shape, "memref<?x?xf32>", shape],
        ["(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d0, d1, d2)"],
        "%r = atlas.max f32 %x, %y",
    )
    for sizes in ((2, 3, 5), (7, 11, 64), (3, 1, 300)):
        check(text, target, drawn(*sizes), drawn(sizes[0], sizes[2]), np.zeros(sizes, np.float32))


@pytest.mark.slow
@TARGETS
@pytest.mark.parametrize(
    ("source", "out", "body"),
    [
        ("f16", "f32", "%r = atlas.cvt f16 to f32 %x"),
        ("f64", "i8", "%r = atlas.cvt f64 to i8 %x"),
        ("i32", "i1", "%z = atlas.mov_imm 7 : i32\n%r = atlas.setcc lt i32 %x, %z"),
        ("i128", "i128", "%r = atlas.add i128 %x, %x"),
    ],
)
def test_types(target: str, source: str, out: str, body: str):
    text = mapped([f"memref<?x{source}>", f"memref<?x{out}>"], ["(d0) -> (d0)", "(d0) -> (d0)"], body)
    kinds = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "i1": np.bool_}
    for count in (1, 2049, 4100):
        if source == "i128":
            x = np.random.default_rng(0).integers(0, 2**63, (count, 2)).astype(np.uint64)
            check(text, target, x, np.zeros_like(x))
        else:
            check(text, target, drawn(count, dtype=kinds[source]), np.zeros(count, kinds[out]))


@pytest.mark.slow
@TARGETS
def test_strides_and_offsets(target: str):
    """Every second element, backwards, and from the middle of an array."""
    text = mapped(
        ["memref<?xf32>", "memref<?xf32, strided<[?], offset: ?>>", "memref<100xf32>"],
        ["(d0) -> (d0 * 2)", "(d0) -> (d0)", "(d0) -> (d0)"],
        "%r = atlas.add f32 %x, %y",
    )
    check(text, target, drawn(200), drawn(300)[::-1][::3], np.zeros(100, np.float32))


@TARGETS
def test_a_trap_names_the_element(target: str):
    line = "memref<?xi32>"
    text = mapped([line, line, line], ["(d0) -> (d0)"] * 3, "%r = atlas.div i32 %x, %y")
    x, y = np.arange(5000, dtype=np.int32), np.ones(5000, np.int32)
    check(text, target, x, y, np.zeros(5000, np.int32))
    y[4321] = 0
    with pytest.raises(hologram.HologramError, match="4321"):
        compiled(text, target)(x, y, np.zeros(5000, np.int32))


@TARGETS
def test_no_dimensions(target: str):
    text = mapped(["memref<f32>", "memref<f32>"], ["() -> ()", "() -> ()"], "%r = atlas.neg f32 %x")
    check(text, target, np.full((), 3, np.float32), np.zeros((), np.float32))
