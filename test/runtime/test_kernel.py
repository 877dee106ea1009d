"""Calling kernels: what they compute, and what they refuse, by the name of the argument."""

from __future__ import annotations

import pydoc
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from hologram.runtime import dtypes
from hologram.runtime.launch import checks
from runtime_programs import add, buffer, divide, double_in_threads, identity, loop, program, record, scalar, scale

Array = NDArray[Any]


def vector(n: int = 5, dtype: Any = np.float32) -> Array:
    return np.arange(n).astype(dtype)


@pytest.fixture
def adder() -> hologram.Kernel:
    return hologram.compile(add())


def refused(code: str, call: Callable[[], Any], *words: str) -> None:
    """The call must raise a LaunchError of this code whose message holds the words."""
    with pytest.raises(hologram.LaunchError) as caught:
        call()
    assert caught.value.code == code, str(caught.value)
    assert caught.value.hint
    for word in words:
        assert word in caught.value.message


# Results


@pytest.mark.parametrize("dtype", ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "index"])
def test_add(dtype: str):
    element = dtypes.dtype(dtype).numpy
    a, b = vector(9, element), vector(9, element) * 2
    found = hologram.compile(add(dtype))(a, b)
    assert found.dtype == element
    np.testing.assert_array_equal(found, a + b)


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_add_half(dtype: str):
    a = vector(9).astype(dtypes.dtype(dtype).numpy)
    found = hologram.compile(add(dtype))(a, a)
    assert found.dtype == a.dtype
    np.testing.assert_array_equal(found.astype(np.float32), np.arange(9) * 2)


def test_out(adder: hologram.Kernel):
    a, out = vector(), np.zeros(5, np.float32)
    assert adder(a, a, out=out) is out
    np.testing.assert_array_equal(out, a + a)
    assert adder(a, a, out=(out,)) is out
    assert adder(a, a, out) is out


def test_several_results():
    args = [buffer("a"), buffer("r", access="write", result="(a[0] + 1,)"), buffer("s", "i64", [], "write", "()")]
    text = program(record(args), "  store float 7.0, ptr %r\n  store i64 %a_n0, ptr %s\n  ret void\n")
    first, second = hologram.compile(text)(vector(3))
    assert (first.shape, first[0], second.shape, int(second)) == ((4,), 7, (), 3)
    given = np.zeros(4, np.float32), np.zeros((), np.int64)
    assert hologram.compile(text)(vector(3), out=given)[1] is given[1]
    refused("launch-out-count", lambda: hologram.compile(text)(vector(3), out=given[0]), "2 outputs", "found 1")


def test_in_place_gives_none():
    x = vector()
    assert hologram.compile(scale())(x, 2.0) is None
    np.testing.assert_array_equal(x, vector() * 2)


def test_empty_arrays(adder: hologram.Kernel):
    assert adder(vector(0), vector(0)).shape == (0,)
    x = np.zeros(0, np.float32)
    assert adder(x, x, x) is x


def test_sizes_and_strides_in_the_order_of_the_abi():
    args = [
        buffer("a", "i64", [None, 2, None]),
        scalar("n", "i32"),
        buffer("b", "i64", [None, 3], strides=[None, None]),
        scalar("f", "f64"),
        buffer("r", "i64", [6], "write", "(6,)"),
    ]
    values = ["%a_n0", "%a_n2", "%b_n0", "%b_s0", "%b_s1", "%wide"]
    stores = "".join(
        f"  %p{i} = getelementptr i64, ptr %r, i64 {i}\n  store i64 {v}, ptr %p{i}\n" for i, v in enumerate(values)
    )
    whole = "  %int = fptosi double %f to i64\n  %n64 = sext i32 %n to i64\n  %wide = add i64 %int, %n64\n"
    kernel = hologram.compile(program(record(args), whole + stores + "  ret void\n"))
    found = kernel(np.zeros((4, 2, 5), int), -3, np.zeros((8, 6), int)[::-2, ::2], 10.0)
    assert found.tolist() == [4, 5, 4, -12, 2, 7]


def test_kernel_describes_itself(adder: hologram.Kernel):
    assert adder.signature == "main(a: f32[?], b: f32[?]) -> (c: f32[?])"
    assert "main(a: f32[?]" in repr(adder)
    assert (adder.name, adder.device) == ("main", "cpu")
    assert [a.name for a in adder.arguments] == ["a", "b", "c"]


def test_subclasses_and_maps(adder: hologram.Kernel, tmp_path: Any):
    mapped = np.memmap(tmp_path / "x", np.float32, "w+", shape=(5,))
    mapped[:] = 1
    np.testing.assert_array_equal(adder(mapped, vector()), vector() + 1)


def test_threads_share_a_kernel(adder: hologram.Kernel):
    double_in_threads(adder, 1000)


# Refusals


def test_count(adder: hologram.Kernel):
    a = vector()
    refused("launch-count", lambda: adder(a), "takes 2 arguments, or 3 with its outputs, found 1")
    refused("launch-count", lambda: adder(a, a, a, out=a), "takes 2 arguments, found 3")
    refused("launch-count", lambda: hologram.compile(scale())(a, 2.0, a), "takes 2 arguments, found 3")
    refused("launch-out-count", lambda: hologram.compile(scale())(a, 2.0, out=a), "has 0 outputs")


@pytest.mark.parametrize("value", [[1.0, 2.0], None, 3, "text", object()])
def test_not_an_array(adder: hologram.Kernel, value: Any):
    refused(
        "launch-not-array",
        lambda: adder(vector(), value),
        "'b'",
        "f32[?]",
        "None" if value is None else type(value).__name__,
    )


def test_masked(adder: hologram.Kernel):
    refused("launch-masked", lambda: adder(np.ma.masked_array(vector(), vector() > 1), vector()), "'a'")


def test_dtype(adder: hologram.Kernel):
    refused("launch-dtype", lambda: adder(vector(), vector(dtype=np.float64)), "'b'", "f32", "f64[5]")
    refused("launch-dtype", lambda: adder(vector(dtype="M8[s]"), vector()), "datetime64[s][5]")
    refused("launch-dtype", lambda: adder(vector(dtype=ml_dtypes.bfloat16), vector()), "bf16[5]")
    refused("launch-dtype", lambda: adder(vector(), vector(), out=vector(dtype=np.int32)), "'c'", "i32[5]")


def test_byte_order(adder: hologram.Kernel):
    refused("launch-byte-order", lambda: adder(vector(dtype=">f4"), vector()), "'a'", ">f4")


def test_rank(adder: hologram.Kernel):
    refused("launch-rank", lambda: adder(np.zeros((2, 3), np.float32), vector()), "'a'", "rank 1", "f32[2x3]")


def test_static_sizes():
    kernel = hologram.compile(program(record([buffer("x", shape=[None, 4])])))
    kernel(np.zeros((3, 4), np.float32))
    refused("launch-shape", lambda: kernel(np.zeros((3, 5), np.float32)), "'x'", "size 4 on axis 1", "f32[3x5]")


def test_constraint(adder: hologram.Kernel):
    refused("launch-constraint", lambda: adder(vector(5), vector(6)), "'a[0] == b[0]'", "'b' is of shape (6,)")


def test_constraints_with_scalars_and_outputs():
    args = [buffer("x"), scalar("n", "i64"), buffer("r", access="write", result="(n,)")]
    kernel = hologram.compile(program(record(args, constraints=["n <= x[0]", "r[0] == n", "x[0] // n == 2"])))
    assert kernel(vector(5), 2).shape == (2,)
    refused("launch-constraint", lambda: kernel(vector(2), 3), "'n' is 3")
    refused("launch-shape-division", lambda: kernel(vector(2), 0), "'x[0] // n == 2'")


def test_out_shape(adder: hologram.Kernel):
    refused("launch-out-shape", lambda: adder(vector(5), vector(5), out=vector(6)), "'c'", "(5,)", "f32[6]")


@pytest.mark.parametrize("expression", ["(x[0] - 9,)", "(x[0] * 4611686018427387904,)", "(1152921504606846976,)"])
def test_impossible_results(expression: str):
    args = [buffer("x"), buffer("r", access="write", result=expression)]
    refused("launch-allocate", lambda: hologram.compile(program(record(args)))(vector(5)), "'r'")


def test_contiguous(adder: hologram.Kernel):
    refused("launch-contiguous", lambda: adder(vector(10)[::2], vector()), "'a'", "C order")
    refused("launch-contiguous", lambda: adder(vector(), vector()[::-1]), "'b'")


def test_stride_bytes(adder: hologram.Kernel):
    packed = np.zeros(5, np.dtype([("x", "f4"), ("y", "u1")]))
    refused("launch-stride-bytes", lambda: adder(packed["x"], vector()), "'a'", "steps 5 bytes on axis 0")


def test_strided_layouts():
    kernel = hologram.compile(scale(strided=True))
    for view in (slice(None), slice(None, None, 2), slice(None, None, -1), slice(8, 2, -3), slice(3, 3)):
        x = vector(10)
        expected = x.copy()
        expected[view] *= 3
        kernel(x[view], 3)
        np.testing.assert_array_equal(x, expected)


def test_static_strides():
    kernel = hologram.compile(program(record([buffer("x", shape=[None, None], strides=[None, 1])])))
    kernel(np.zeros((4, 6), np.float32)[:, :3])
    kernel(np.zeros((4, 6), np.float32)[:, ::6])
    refused("launch-layout", lambda: kernel(np.zeros((4, 6), np.float32)[:, ::2]), "stride 1 on axis 1, found 2")


def test_alignment(adder: hologram.Kernel):
    odd = np.zeros(21, np.uint8)[1:].view(np.float32)
    refused("launch-alignment", lambda: adder(vector(), odd), "'b'", "4 bytes")


def test_read_only(adder: hologram.Kernel):
    fixed = vector()
    fixed.flags.writeable = False
    adder(fixed, fixed)
    refused("launch-read-only", lambda: adder(vector(), vector(), out=fixed), "'c'")
    refused("launch-read-only", lambda: hologram.compile(scale())(fixed, 1.0), "'x'")


def test_aliasing(adder: hologram.Kernel):
    x = vector(10)
    adder(x, x)
    refused("launch-alias", lambda: adder(x[:5], x[5:], out=x[:5]), "'c' is written", "'a'")
    refused("launch-alias", lambda: adder(x[:5], x[5:], out=x[5:]), "'c' is written", "'b'")
    refused("launch-alias", lambda: adder(x[:5], x[:5], out=x[4:9]), "'c' is written", "'a'")
    adder(x[:3], x[3:6], out=x[6:9])


def test_aliasing_of_strided_arrays_is_exact():
    args = [buffer("x", strides=[None]), buffer("y", access="write", strides=[None])]
    kernel = hologram.compile(program(record(args)))
    x = vector(12)
    kernel(x[::2], x[1::2])
    kernel(x[:6], x[6:][::-1])
    refused("launch-alias", lambda: kernel(x[::2], x[::4]), "'y' is written")


def test_overlap_that_is_too_hard_counts(monkeypatch: pytest.MonkeyPatch):
    args = [buffer("x", strides=[None]), buffer("y", access="write", strides=[None])]
    kernel = hologram.compile(program(record(args)))

    def give_up(*_: Any, **__: Any) -> bool:
        raise np.exceptions.TooHardError

    monkeypatch.setattr(np, "shares_memory", give_up)
    x = vector(12)
    refused("launch-alias", lambda: kernel(x[::2], x[1::2]))


def test_self_overlap():
    kernel = hologram.compile(scale(strided=True))
    x = vector(4)
    window = np.lib.stride_tricks.as_strided(x, (3,), (0,))
    refused("launch-self-overlap", lambda: kernel(window, 1.0), "'x'")
    two = hologram.compile(program(record([buffer("x", shape=[None, None], access="write", strides=[None, None])])))
    two(np.zeros((4, 6), np.float32)[::2, ::-3])
    two(np.lib.stride_tricks.as_strided(x, (0, 3), (0, 0)))
    refused("launch-self-overlap", lambda: two(np.lib.stride_tricks.as_strided(x, (2, 3), (4, 4))))


# Scalars


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("f32", 1.5), ("f32", 3), ("f32", float("inf")), ("f64", 1e300), ("f64", np.float64(2.5)), ("f16", 1.5),
        ("f16", np.float16(-2)), ("bf16", 3.0), ("bf16", ml_dtypes.bfloat16(1.5)), ("f32", np.array(2.5)),
        ("i8", -128), ("u8", 255), ("i16", -5), ("u16", 65535), ("i32", 7), ("u32", 2**32 - 1), ("i64", -(2**63)),
        ("u64", 2**64 - 1), ("index", 12), ("i32", np.int8(-3)), ("bool", True), ("bool", np.False_),
        ("f16", float("inf")), ("f16", 65504.0),
    ],
)  # fmt: skip
def test_scalars(dtype: str, value: Any):
    found = hologram.compile(identity(dtype))(value)
    assert found.dtype == dtypes.dtype(dtype).numpy
    assert found.astype(float) == float(value)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
def test_nan_scalars(dtype: str):
    assert np.isnan(hologram.compile(identity(dtype))(float("nan")).astype(float))


@pytest.mark.parametrize(
    ("dtype", "value", "code"),
    [
        ("i32", 2.0, "launch-scalar"), ("i32", True, "launch-scalar"), ("f32", True, "launch-scalar"),
        ("bool", 1, "launch-scalar"), ("f32", "1", "launch-scalar"), ("f64", 1j, "launch-scalar"),
        ("i32", vector(1), "launch-scalar"), ("f32", None, "launch-scalar"), ("i8", 128, "launch-scalar-range"),
        ("u8", -1, "launch-scalar-range"), ("index", 2**63, "launch-scalar-range"),
        ("f32", 1e39, "launch-scalar-range"), ("f16", 65536, "launch-scalar-range"), ("f64", 10**400,
        "launch-scalar-range"),
    ],
)  # fmt: skip
def test_wrong_scalars(dtype: str, value: Any, code: str):
    refused(code, lambda: hologram.compile(identity(dtype))(value), "'v'")


def test_rank_zero_inputs_take_numbers():
    args = [buffer("x", "i16", []), buffer("r", "i16", [], "write", "()")]
    body = "  %v = load i16, ptr %x\n  store i16 %v, ptr %r\n  ret void\n"
    kernel = hologram.compile(program(record(args), body))
    assert [int(kernel(v)) for v in (np.array(5, np.int16), 6, np.int16(7))] == [5, 6, 7]
    refused("launch-scalar-range", lambda: kernel(1 << 20), "'x'")
    refused("launch-scalar", lambda: kernel(1.5), "'x'")


# Traps


def test_trap():
    kernel = hologram.compile(divide())
    assert kernel(7, 2) == 3
    with pytest.raises(hologram.TrapError, match="division by zero") as caught:
        kernel(42, 0)
    error = caught.value
    assert error.code == "program-trap"
    assert "'main' trapped in lane 3: atlas.div: division by zero (values 42, 0)" in error.message
    assert error.where is not None
    assert (error.where.file, error.where.line, error.where.column) == ("file.mlir", 3, 5)
    assert kernel(9, 3) == 3


@pytest.mark.parametrize(("word", "site"), [(2, "plain text"), (9, "trap site 8")])
def test_traps_of_unknown_places(word: int, site: str):
    args = [buffer("x", access="write")]
    seven = "  %p = getelementptr i64, ptr %trap, i64 7\n  store i64 5, ptr %p\n"
    body = f"  store i64 {word}, ptr %trap\n{seven}  ret void\n"
    kernel = hologram.compile(program(record(args, trap=True, sites=["first", "plain text"]), body))
    with pytest.raises(hologram.TrapError, match=site) as caught:
        kernel(vector())
    assert caught.value.where is None
    assert "(values 0, 0, 0, 0, 0, 5)" in caught.value.message


# Pointers


def test_both_ways_to_a_pointer_agree():
    for array in (vector(), vector(9)[3:], np.zeros((3, 4))[::-1, ::2], np.zeros(0), np.array(1.0)):
        assert checks._pointer_by_interface(array) == checks.data_pointer(array)  # pyright: ignore[reportPrivateUsage]


def test_two_dimensions():
    args = [buffer("x", "f64", [None, 3]), buffer("r", "f64", [3, None], "write", "(3, x[0])")]
    body = """  %row = udiv i64 %i, 3
  %column = urem i64 %i, 3
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %base = mul i64 %column, %r_n1
  %at = add i64 %base, %row
  %q = getelementptr double, ptr %r, i64 %at
  store double %v, ptr %q
"""
    text = program(record(args), loop("%all", body).replace("  %some", "  %all = mul i64 %x_n0, 3\n  %some", 1))
    x = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(hologram.compile(text)(x), x.T)


def test_help_says_what_a_kernel_does():
    kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
    shown = pydoc.plain(pydoc.render_doc(kernel))
    assert "A compiled program: call it with numpy arrays" in shown
