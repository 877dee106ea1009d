"""Programs as shared objects, run by the C library; no C compiler is needed."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from hologram.driver.c import library
from hologram.driver.c.table import DTYPES

from . import calls
from .calls import Failed, Library, compiled, value

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

PROGRAM = """
func.func @strided(%x: memref<?x?xf32, strided<[?, ?]>>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, ?]>>
  %m = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, ?]>>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?]>>
      memref.store %v, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func @half(%x: tensor<?xf16>, %y: tensor<?xbf16>) -> (tensor<?xf16>, tensor<?xbf16>) {
  %a = hologram.exp %x : tensor<?xf16>
  %b = hologram.exp %y : tensor<?xbf16>
  return %a, %b : tensor<?xf16>, tensor<?xbf16>
}
func.func @total(%x: tensor<?x3xf64>) -> tensor<f64> {
  %s = hologram.reduce sum %x {axes = [0 : i64, 1 : i64]} : tensor<?x3xf64> to tensor<f64>
  return %s : tensor<f64>
}
func.func @choose(%c: i1, %a: i64, %x: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i64
  %v = arith.select %c, %a, %z : i64
  memref.store %v, %x[%c0] : memref<?xi64>
  return
}
func.func @wide(%x: tensor<?xi128>) -> tensor<?xi128> {
  %y = hologram.mul %x, %x : tensor<?xi128>
  return %y : tensor<?xi128>
}
func.func @shift(%s: i256, %x: memref<?xi256>, %n: i32) {
  %c0 = arith.constant 0 : index
  %m = arith.extsi %n : i32 to i256
  %v = arith.addi %s, %m : i256
  memref.store %v, %x[%c0] : memref<?xi256>
  return
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("c")


@pytest.fixture(scope="module")
def lib(folder: Path) -> Library:
    path = folder / "libhologram.so"
    path.write_bytes(library.library_shared())
    return Library(path)


@pytest.fixture(scope="module")
def program(lib: Library, folder: Path) -> calls.Program:
    source = folder / "program.mlir"
    source.write_text(PROGRAM, encoding="utf-8")
    return lib.open(compiled(source, folder))


@pytest.fixture(scope="module")
def saxpy(lib: Library, folder: Path) -> ctypes.c_void_p:
    return lib.find(lib.open(compiled(EXAMPLES / "saxpy.mlir", folder)), "saxpy")


X, Y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
OUT = ("f32", 1)
TWO = np.float32(2)


def test_a_result_is_made(lib: Library, saxpy: ctypes.c_void_p):
    (r,) = lib.call(saxpy, TWO, X, Y, OUT)
    assert np.array_equal(r, 2 * X + 1)


def test_a_result_is_given(lib: Library, saxpy: ctypes.c_void_p):
    r = np.zeros_like(X)
    assert lib.call(saxpy, TWO, X, Y, r) == []
    assert np.array_equal(r, 2 * X + 1)


def test_nothing_to_compute(lib: Library, saxpy: ctypes.c_void_p):
    (r,) = lib.call(saxpy, TWO, X[:0], Y[:0], OUT)
    assert r.shape == (0,)
    none = calls.Value(DTYPES["f32"], 1, None, calls.words([0]), None)
    lib.run(saxpy, [value(TWO), none, none, value(np.zeros(0, np.float32))])


def test_imports_and_temporary_memory(lib: Library, folder: Path):
    """The product packs its operands into memory of its own."""
    matmul = lib.find(lib.open(compiled(EXAMPLES / "matmul.mlir", folder)), "matmul")
    rng = np.random.default_rng(0)
    a, b, bias = (rng.standard_normal(s, dtype=np.float32) for s in ((130, 70), (70, 90), (90,)))
    (r,) = lib.call(matmul, a, b, bias, ("f32", 2))
    np.testing.assert_allclose(r, a @ b + bias, atol=1e-4)


def test_strides(lib: Library, program: calls.Program):
    strided = lib.find(program, "strided")
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    for view in (x, x.T, x[::-1, ::2], x[1:2, 3:3], x[:, :1]):
        y = np.full(view.shape, -1, np.float32)
        lib.call(strided, view, y)
        assert np.array_equal(y, view)


def test_halves(lib: Library, program: calls.Program):
    x, y = np.array([0, 1, -np.inf], np.float16), np.array([0, 1, np.nan], ml_dtypes.bfloat16)
    a, b = lib.call(lib.find(program, "half"), x, y, ("f16", 1), ("bf16", 1))
    assert np.array_equal(a, np.exp(x))
    assert np.array_equal(b, np.exp(y.astype(np.float32)).astype(ml_dtypes.bfloat16), equal_nan=True)


def test_a_result_without_axes(lib: Library, program: calls.Program):
    (r,) = lib.call(lib.find(program, "total"), np.arange(12.0).reshape(4, 3), ("f64", 0))
    assert r == 66


@pytest.mark.parametrize("flag", [False, True])
def test_scalars(lib: Library, program: calls.Program, flag: bool):
    x = np.full(1, 5, np.int64)
    lib.call(lib.find(program, "choose"), np.bool_(flag), np.int64(-(2**63)), x)
    assert x[0] == (-(2**63) if flag else 0)


def test_wide_integers(lib: Library, program: calls.Program):
    x = np.array([[3, 0], [2**63, 1]], np.uint64)
    y = np.zeros_like(x)
    lib.run(lib.find(program, "wide"), [value(x, "i128", limbs=True), value(y, "i128", limbs=True)])
    squares = [(int(lo) + (int(hi) << 64)) ** 2 % 2**128 for lo, hi in x]
    assert [int(lo) + (int(hi) << 64) for lo, hi in y] == squares


def test_wide_scalars_are_passed_by_a_pointer(lib: Library, program: calls.Program):
    limbs, out = np.array([2**64 - 1, 7, 0, 2**63], np.uint64), np.zeros((1, 4), np.uint64)
    scalar = calls.Value(calls.DTYPES["i256"], 0, limbs.ctypes.data, None, None)
    shift = lib.find(program, "shift")
    lib.run(shift, [scalar, value(out, "i256", limbs=True), value(np.int32(1))])
    assert out.tolist() == [[0, 8, 0, 2**63]]
    scalar.data = (scalar.data or 0) + 4
    with pytest.raises(calls.Failed, match="argument 's' is not aligned to 8 bytes"):
        lib.run(shift, [scalar, value(out, "i256", limbs=True), value(np.int32(1))])


def without_data(v: calls.Value) -> calls.Value:
    v.data = None
    return v


def moved(v: calls.Value) -> calls.Value:
    v.data += 1
    return v


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([TWO, X, Y], "3 arguments are given, and it takes 4"),
        ([TWO, X.astype(np.float64), Y, OUT], "argument 'x' is of type f64, and must be f32"),
        ([TWO, calls.Value(99, 1), Y, OUT], "is of type a type that there is not, and must be f32"),
        ([TWO, X.reshape(10, 10), Y, OUT], "argument 'x' has 2 axes, and must have 1"),
        ([TWO, X[:99], Y, OUT], r"do not satisfy x\[0\] == y\[0\]"),
        ([TWO, X, Y, X[:99].copy()], "the result 'r' has size 99 on an axis where it must be 100"),
        ([TWO, without_data(value(X)), Y, OUT], "argument 'x' has no memory: data is NULL"),
        ([without_data(value(TWO)), X, Y, OUT], "argument 'a' has no memory: data is NULL"),
        ([TWO, moved(value(X)), Y, OUT], "argument 'x' is not aligned to 4 bytes"),
        ([TWO, X[::2], X[::2], OUT], "argument 'x' has stride 2 where it must be 1"),
        ([TWO, calls.Value(3, 1, X.ctypes.data, calls.words([-1]), None), Y, OUT], "that of axis 0 is -1"),
        ([TWO, calls.Value(3, 1, X.ctypes.data, calls.words([2**62]), None), Y, OUT], "more bytes than 64 bits count"),
        ([TWO, calls.Value(3, 1, X.ctypes.data, None, None), Y, OUT], "argument 'x' has no sizes"),
        ([TWO, X, Y, calls.Value(3, 1, None, None, None)], "the result 'r' has no sizes|argument 'r' has no sizes"),
        ([TWO, X, Y, Y], "arguments 'y' and 'r' share memory, and one of them is written"),
    ],
)
def test_bad_arguments(lib: Library, saxpy: ctypes.c_void_p, arguments: list[object], message: str):
    with pytest.raises(Failed, match=message) as caught:
        lib.call(saxpy, *arguments)
    assert caught.value.status == calls.BAD_ARGUMENT


def test_what_a_type_says(lib: Library, program: calls.Program):
    with pytest.raises(Failed, match="argument 'x' must have sizes as its type says: that of axis 1 is 4"):
        lib.call(lib.find(program, "total"), np.zeros((2, 4)), ("f64", 0))


def test_too_much_memory(lib: Library, saxpy: ctypes.c_void_p):
    """The sizes are believed: nothing is read before the result has its memory."""
    huge = calls.Value(3, 1, X.ctypes.data, calls.words([2**56]), None)
    with pytest.raises(Failed, match="there is no memory for the result 'r'") as caught:
        lib.run(saxpy, [value(TWO), huge, huge, value(OUT)])
    assert caught.value.status == calls.NO_MEMORY


def test_a_trap_frees_what_was_made(lib: Library, folder: Path):
    source = folder / "divide.mlir"
    source.write_text(
        "func.func @divide(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {\n"
        "  %z = hologram.div %x, %y : tensor<?xi32>\n  return %z : tensor<?xi32>\n}\n"
    )
    divide = lib.find(lib.open(compiled(source, folder)), "divide")
    x, y = np.arange(8, dtype=np.int32), np.array([1, 1, 1, 0, 1, 1, 1, 1], np.int32)
    row = (calls.Value * 3)(value(x), value(y), value(("i32", 1)))
    error = calls.Error()
    assert lib.code.hologram_run(divide, row, ctypes.c_int64(3), ctypes.byref(error)) == calls.TRAPPED
    assert re.fullmatch(r"divide: .*division by zero; at .*divide.mlir:2:3; lane 3", error.message.decode())
    assert row[2].data is None
    (z,) = lib.call(divide, x, np.ones(8, np.int32), ("i32", 1))
    assert np.array_equal(z, x)


def test_no_error_is_wanted(lib: Library, saxpy: ctypes.c_void_p):
    row = (calls.Value * 1)(value(TWO))
    assert lib.code.hologram_run(saxpy, row, ctypes.c_int64(1), None) == calls.BAD_ARGUMENT


def test_files_that_are_no_programs(lib: Library, folder: Path):
    with pytest.raises(Failed, match="can't be loaded"):
        lib.open(folder / "absent.so")
    (folder / "text.so").write_text("no code")
    with pytest.raises(Failed, match="can't be loaded"):
        lib.open(folder / "text.so")
    with pytest.raises(Failed, match="no program that hologram-compile made"):
        lib.open(folder / "libhologram.so")


def test_entries_by_name(lib: Library, program: calls.Program):
    with pytest.raises(Failed, match=r"the program has no entry 'halve'; its first is strided\(x: f32"):
        lib.find(program, "halve")
    with pytest.raises(Failed, match="no program is loaded"):
        lib.find(calls.Program(), "half")


def test_closed(lib: Library, folder: Path):
    program = lib.open(compiled(EXAMPLES / "softmax.mlir", folder))
    for _ in range(2):
        lib.code.hologram_close(ctypes.byref(program))
        assert (program.library, program.table) == (None, None)


def test_tables_of_another_version(lib: Library, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("hologram.driver.c.table.ABI", 7)
    (folder / "newer.mlir").write_bytes((EXAMPLES / "saxpy.mlir").read_bytes())
    with pytest.raises(Failed, match="has tables of version 7, and this library reads version 2"):
        lib.open(compiled(folder / "newer.mlir", folder))


def test_the_header_numbers_the_types_alike():
    numbers = dict(re.findall(r"HOLOGRAM_(\w+) = (\d+)", library.header().split("hologram_status")[0]))
    assert {name.lower(): int(n) for name, n in numbers.items()} == {n.lower(): number for n, number in DTYPES.items()}
