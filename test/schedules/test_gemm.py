"""Gemm against numpy: element types, transposes, scales, batches, edges of tiles and blocks, NaN, layouts."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.errors import TrapError
from in_process import run_tool

Array = np.ndarray[Any, np.dtype[Any]]
F32: Any = np.float32
DTYPES: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
}  # fmt: skip
SIZES = (
    (1, 1, 1), (0, 3, 2), (2, 3, 0), (3, 0, 2), (7, 65, 5), (6, 64, 17), (13, 31, 33), (3, 100, 1),
    (9, 1, 9), (1, 70, 4), (1, 5, 0), (5, 1, 0),
)  # fmt: skip
"""Rows, columns and products of sums: around the edges of a tile of 6 x 64."""
LARGE = ((20, 600, 300), (75, 130, 513), (7, 1030, 257), (1, 1030, 300), (70, 1, 513))
"""Several parts of the sums, several blocks of columns."""
FEW = ((2, 40, 16), (3, 1030, 131), (8, 1100, 300), (130, 2, 15), (131, 5, 130), (37, 12, 100), (5, 3, 700))
"""Few rows or columns times a matrix: several parts of it, several blocks of its columns, groups that are not whole."""


STATIC = (
    (1, 1, 1), (2, 3, 0), (13, 100, 33), (8, 48, 40), (3, 1030, 300), (70, 20, 600), (1, 1030, 77), (77, 1, 130),
    (131, 5, 130),
)  # fmt: skip


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def program(type: str, shapes: list[str], attributes: str = "") -> str:
    """A gemm of memrefs of these shapes: ins, then the out."""
    types = [f"memref<{shape}{'x' if shape else ''}{type}>" for shape in shapes]
    names = ["%a", "%b", "%c"][: len(types) - 1]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip([*names, "%r"], types, strict=True))
    return f"""
func.func @main({arguments}) {{
  atlas.gemm ins({", ".join(names)} : {", ".join(types[:-1])}) outs(%r : {types[-1]}) {{{attributes}}}
  func.return
}}"""


def draw(type: str, *shape: int) -> Array:
    if type.startswith("i"):
        return rng().integers(-100, 100, shape).astype(DTYPES[type])
    return rng().normal(size=shape).astype(DTYPES[type])


def check(
    type: str, found: Array, a: Array, b: Array, c: Array | None = None, alpha: float = 1, beta: float = 1
) -> None:
    """Integers agree modulo their range, floats as well as sums of this length can."""
    if type.startswith("i"):
        want = int(alpha) * (a.astype(np.int64) @ b.astype(np.int64))
        want = want if c is None else want + int(beta) * c.astype(np.int64)
        np.testing.assert_array_equal(found, want.astype(DTYPES[type]))
        return
    exact = [None if v is None else v.astype(np.float64) for v in (a, b, c)]
    x, y, z = exact
    assert x is not None
    assert y is not None
    want = alpha * (x @ y) + (0 if z is None else beta * z)
    scale = abs(alpha) * (np.abs(x) @ np.abs(y)) + (0 if z is None else abs(beta) * np.abs(z))
    sums = 2.0**-53 if type == "f64" else 2.0**-24
    result = {"f16": 2.0**-11, "bf16": 2.0**-8}.get(type, 0.0)
    bound = (a.shape[-1] + 3) * sums * scale + result * np.abs(want) + (2.0**-24 if type == "f16" else 0)
    assert found.dtype == DTYPES[type]
    assert (np.abs(found.astype(np.float64) - want) <= bound).all()


def stored(value: Array, flip: int) -> Array:
    return np.ascontiguousarray(value.swapaxes(-1, -2)) if flip else value


FLIPS = [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("type", "flips"), [(t, f) for t in DTYPES for f in (FLIPS if t == "f32" else FLIPS[1:3])])
def test_dynamic_sizes(type: str, flips: tuple[int, int]) -> None:
    attributes = f"alpha = -2.0 : f64, beta = 3.0 : f64, trans_a = {flips[0]} : i64, trans_b = {flips[1]} : i64"
    kernel = hologram.compile(program(type, ["?x?x?"] * 4, attributes))
    for m, n, k in (*SIZES, *FEW, *(LARGE if type in ("f32", "bf16", "i16") else ())):
        a, b, c = draw(type, 2, m, k), draw(type, 2, k, n), draw(type, 2, m, n)
        r = np.full_like(c, 9)
        kernel(stored(a, flips[0]), stored(b, flips[1]), c, r)
        check(type, r, a, b, c, -2, 3)


@pytest.mark.parametrize("flips", FLIPS)
@pytest.mark.parametrize("sizes", STATIC)
def test_static_sizes(sizes: tuple[int, int, int], flips: tuple[int, int]) -> None:
    m, n, k = sizes
    a, b = draw("f32", m, k), draw("f32", k, n)
    given = stored(a, flips[0]), stored(b, flips[1])
    shapes = ["x".join(map(str, v.shape)) for v in given]
    attributes = f"trans_a = {flips[0]} : i64, trans_b = {flips[1]} : i64"
    r = np.full((m, n), 9, F32)
    hologram.compile(program("f32", [*shapes, f"{m}x{n}"], attributes))(*given, r)
    check("f32", r, a, b)


@pytest.mark.slow
@pytest.mark.parametrize("width", [16, 32, 64])
@pytest.mark.parametrize("shape", ["?x?", "static"])
def test_widths_of_vectors(width: int, shape: str) -> None:
    for m, n, k in ((5, 21, 7), (40, 300, 270), (1, 9, 4)):
        shapes = [f"{m}x{k}", f"{k}x{n}", f"{m}x{n}"] if shape == "static" else ["?x?"] * 3
        text = program("f32", shapes)
        passes = f"schedule-atlas{{target=cpu vector-bytes={width}}}"
        kernels = run_tool("hologram-opt", ["-p", passes], stdin=text.encode()).text
        a, b, r = draw("f32", m, k), draw("f32", k, n), np.zeros((m, n), F32)
        hologram.compile(kernels)(a, b, r)
        check("f32", r, a, b)


def test_c_may_be_the_out() -> None:
    m = "memref<?x?xf32>"
    kernel = hologram.compile(f"""
func.func @main(%a: {m}, %b: {m}, %c: {m}) {{
  atlas.gemm ins(%a, %b, %c : {m}, {m}, {m}) outs(%c : {m}) {{beta = 0.5 : f64}}
  func.return
}}""")
    for m, n, k in ((7, 70, 5), (9, 600, 700)):
        a, b, c = draw("f32", m, k), draw("f32", k, n), draw("f32", m, n)
        r = c.copy()
        kernel(a, b, r)
        check("f32", r, a, b, c, 1, 0.5)


def test_special_values() -> None:
    kernel = hologram.compile(program("f32", ["?x?"] * 3))
    a, b = np.ones((9, 70), F32), np.ones((70, 70), F32)
    a[2, 69], a[3, 0], a[4, 1], b[5, 69], b[6, 68] = np.nan, np.inf, -np.inf, np.inf, np.nan
    a[5, 5] = 0
    r = np.zeros((9, 70), F32)
    kernel(a, b, r)
    with np.errstate(all="ignore"):
        want = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_array_equal(r, want)
    assert np.isnan(r[2]).all()
    assert np.isnan(r[:, 68]).all()
    assert r[3, 0] == np.inf


def test_sums_of_nothing_scale_c() -> None:
    kernel = hologram.compile(program("f32", ["?x?"] * 4, "alpha = 5.0 : f64, beta = 2.0 : f64"))
    c, r = draw("f32", 7, 70), np.full((7, 70), np.nan, F32)
    kernel(np.zeros((7, 0), F32), np.zeros((0, 70), F32), c, r)
    np.testing.assert_array_equal(r, 2 * c)


@pytest.mark.parametrize("flips", FLIPS)
def test_nothing_is_written_where_there_are_no_rows_or_columns(flips: tuple[int, int]) -> None:
    attributes = f"trans_a = {flips[0]} : i64, trans_b = {flips[1]} : i64"
    kernel = hologram.compile(program("f32", ["?x?"] * 3, attributes))
    for size, k in ((1, 2), (4, 2), (70, 5), (3, 700), (1030, 300), (0, 3)):
        for m, n in ((0, size), (size, 0)):
            around = np.full(4096, 9, F32)
            a, b = draw("f32", m, k), draw("f32", k, n)
            kernel(stored(a, flips[0]), stored(b, flips[1]), around[:0].reshape(m, n))
            assert (around == 9).all(), (m, n, k)


@pytest.mark.parametrize("layout", ["C", "F", "gaps"])
def test_any_strides(layout: str) -> None:
    kernel = hologram.compile(program("f32", ["?x?"] * 4).replace("x?xf32", "x?xf32, strided<[?, ?]>"))

    def laid_out(value: Array) -> Array:
        if layout != "gaps":
            return np.asarray(value, order="F" if layout == "F" else "C")
        wide = np.zeros((2 * value.shape[0], 3 * value.shape[1]), F32)
        wide[::2, ::3] = value
        return wide[::2, ::3]

    for m, n, k in ((13, 70, 33), (20, 600, 300)):
        a, b, c = draw("f32", m, k), draw("f32", k, n), draw("f32", m, n)
        r = laid_out(np.zeros((m, n), F32))
        kernel(laid_out(a), laid_out(b), laid_out(c), r)
        check("f32", r, a, b, c)


def test_parameters_of_the_schedule_do_not_change_what_is_computed() -> None:
    a, b = draw("f32", 50, 200), draw("f32", 200, 90)
    schedule = "schedule = {rows = 4 : i64, vectors = 1 : i64, depth = 64 : i64, columns = 32 : i64, small = 1 : i64}"
    r = np.zeros((50, 90), F32)
    hologram.compile(program("f32", ["?x?"] * 3, schedule))(a, b, r)
    check("f32", r, a, b)


# What is done to each element

FINISHED = """
func.func @main(%a: tensor<MxKxE>, %b: tensor<KxNxE>, %v: tensor<NxE>, %w: tensor<MxNxE>) -> tensor<MxNxf32> {
  %m = hologram.dim %a {axis = 0 : i64} : tensor<MxKxE> to index
  %n = hologram.dim %b {axis = 1 : i64} : tensor<KxNxE> to index
  %p = hologram.matmul %a, %b : (tensor<MxKxE>, tensor<KxNxE>) -> tensor<MxNxE>
  %vs = hologram.broadcast %v SIZES : tensor<NxE> to tensor<MxNxE>
  %x = hologram.add %p, %vs : tensor<MxNxE>
  %y = hologram.relu %x : tensor<MxNxE>
  %z = hologram.sub %y, %w : tensor<MxNxE>
  %r = hologram.cast %z : tensor<MxNxE> to tensor<MxNxf32>
  func.return %r : tensor<MxNxf32>
}"""


def finished(sizes: tuple[Any, Any, Any], type: str) -> str:
    text = FINISHED.replace("SIZES", "sizes(%m, %n)" if sizes[0] == "?" else "").replace("E>", type + ">")
    for letter, size in zip("MNK", sizes, strict=True):
        text = text.replace(f"{letter}x", f"{size}x")
    return text


@pytest.mark.slow
@pytest.mark.parametrize("type", ["f32", "f16", "f64"])
@pytest.mark.parametrize("is_static", [False, True])
def test_what_follows_is_done_to_each_element(type: str, is_static: bool) -> None:
    """Fused it gives the bits that it gives after a product of its own."""
    sizes = ((7, 70, 5), (20, 600, 300), (1, 100, 30), (50, 1, 30), (0, 4, 3), (3, 64, 0), (3, 70, 30), (50, 3, 30))
    product = hologram.compile(program(type, ["?x?"] * 3))
    kernels = None if is_static else compiled(("?", "?", "?"), type)
    for m, n, k in sizes[:2] if is_static else sizes:
        fused, apart = compiled((m, n, k), type) if kernels is None else kernels
        a, b, v, w = draw(type, m, k), draw(type, k, n), draw(type, n), draw(type, m, n)
        found, p = fused(a, b, v, w), np.zeros((m, n), DTYPES[type])
        assert found.tobytes() == apart(a, b, v, w).tobytes()
        product(a, b, p)
        np.testing.assert_allclose(found, (np.maximum(p + v, 0) - w).astype(F32), rtol=1e-6, atol=1e-6)


def compiled(sizes: tuple[Any, Any, Any], type: str) -> tuple[hologram.Kernel, hologram.Kernel]:
    """The program with its maps in the product, and with maps of their own."""
    text = finished(sizes, type).encode()
    fused = run_tool("hologram-opt", ["-p", "infer-shapes,convert-hologram-to-atlas,fuse-atlas"], stdin=text).text
    apart = run_tool("hologram-opt", ["-p", "infer-shapes,convert-hologram-to-atlas,bufferize"], stdin=text).text
    assert "atlas.map" not in fused
    assert "atlas.map" in apart
    return hologram.compile(text.decode()), hologram.compile(apart)


def test_sizes_of_what_is_added_are_checked() -> None:
    m = "memref<?x?xf32>"
    kernel = hologram.compile(f"""
func.func @main(%a: {m}, %v: memref<?xf32>, %r: {m}) {{
  atlas.gemm ins(%a, %a : {m}, {m}) finish_ins(%v : memref<?xf32>) outs(%r : {m})
    maps [affine_map<(d0, d1) -> (d1)>] finish {{
  ^bb0(%x: f32, %y: f32):
    %s = atlas.add f32 %x, %y
    atlas.yield %s : f32
  }}
  func.return
}}""")
    a, r = draw("f32", 4, 4), np.zeros((4, 4), F32)
    kernel(a, np.ones(4, F32), r)
    np.testing.assert_allclose(r, a @ a + 1, rtol=1e-5, atol=1e-5)
    with pytest.raises(TrapError, match="axis 0 of in 2 must have the size of axis 1 of out 0"):
        kernel(a, np.ones(5, F32), r)


@pytest.mark.parametrize("flips", FLIPS[1:3])
def test_any_number_of_threads_gives_the_same_bits(flips: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLOGRAM_NUM_THREADS", raising=False)
    attributes = f"trans_a = {flips[0]} : i64, trans_b = {flips[1]} : i64"
    kernel = hologram.compile(program("f32", ["?x?"] * 3, attributes))
    number = hologram.get_num_threads()
    try:
        few = ((1, 3000, 500), (3000, 1, 500), (3, 2000, 500), (2000, 3, 500))
        for m, n, k in ((301, 333, 600), (20, 1100, 300), *few):
            a, b = stored(draw("f32", m, k), flips[0]), stored(draw("f32", k, n), flips[1])
            found: list[bytes] = []
            for threads in (1, 2, 3, 7):
                hologram.set_num_threads(threads)
                r = np.zeros((m, n), F32)
                kernel(a, b, r)
                found.append(r.tobytes())
            assert len(set(found)) == 1
    finally:
        hologram.set_num_threads(number)


def test_integers_wider_than_words() -> None:
    kernel = hologram.compile(program("i128", ["?x?"] * 3))
    a, b = (rng().integers(0, 2**63, (*shape, 2), dtype=np.uint64) for shape in ((5, 7), (7, 9)))
    r = np.zeros((5, 9, 2), np.uint64)
    kernel(a, b, r)
    x, y, found = ([[int(low) | int(high) << 64 for low, high in row] for row in v] for v in (a, b, r))
    columns = list(zip(*y, strict=True))
    want = [[sum(p * q for p, q in zip(row, column, strict=True)) % 2**128 for column in columns] for row in x]
    assert found == want
