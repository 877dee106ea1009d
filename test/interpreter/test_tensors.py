"""The hologram dialect against numpy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from interpreter.running import Array, fails, run


def tensor(op: str, args: list[Any], types: list[str], result: str) -> Array:
    """One operation whose operands are %a, %b, %c."""
    names = "abcd"[: len(args)]
    arguments = ", ".join(f"%{n}: {t}" for n, t in zip(names, types, strict=True))
    return run(f"func.func @f({arguments}) -> {result} {{\n%r = hologram.{op}\nfunc.return %r : {result}\n}}", *args)[0]


def test_elementwise():
    a, b = np.array([7, -7, 3], np.int32), np.array([2, 2, -5], np.int32)
    type = "tensor<?xi32>"
    for op, expected in {
        "add %a, %b": a + b, "div %a, %b": [3, -3, 0], "div unsigned %a, %b": [3, 2147483644, 0],
        "rem %a, %b": [1, -1, 3], "min %a, %b": np.minimum(a, b), "max unsigned %a, %b": [7, -7, -5],
        "shl %a, %b": [28, -28, 3 << 27], "shr %a, %b": [1, -2, 0], "shr unsigned %a, %b": [1, 1073741822, 0],
        "and %a, %b": a & b, "fma %a, %b, %b": a * b + b, "clamp %a, %b, %a": np.minimum(np.maximum(a, b), a),
    }.items():  # fmt: skip
        assert tensor(f"{op} : {type}", [a, b], [type, type], type).tolist() == list(expected), op
    x = np.array([0.0, -1.5, np.nan], np.float32)
    assert np.isnan(tensor("max %a, %a : tensor<3xf32>", [x], ["tensor<3xf32>"], "tensor<3xf32>")[2])
    error = fails("trap-division", tensor, f"rem %a, %b : {type}", [a, a * 0], [type, type], type)
    assert "at (0)" in error.message
    fails("interpreter-sizes", tensor, f"add %a, %b : {type}", [a, b[:2]], [type, type], type)


@pytest.mark.parametrize(("element", "dtype"), [("i8", np.int8), ("i16", np.int16), ("i64", np.int64)])
def test_shift_amounts_have_the_type_of_the_values(element: str, dtype: Any):
    bits = np.dtype(dtype).itemsize * 8
    type = f"tensor<?x{element}>"
    values, amounts = np.array([1, 1, 1, -1], dtype), np.array([0, bits + 1, -1, bits - 1], dtype)
    found = tensor(f"shl %a, %b : {type}", [values, amounts], [type, type], type)
    least = -(1 << (bits - 1))
    assert found.tolist() == [1, 2, least, least]


def test_compare_select_cast():
    a, b = np.array([1.0, np.nan, 3.0], np.float32), np.array([2.0, 2.0, 3.0], np.float32)
    type, bools = "tensor<3xf32>", "tensor<3xi1>"
    assert tensor(f"compare lt %a, %b : {type}", [a, b], [type, type], bools).tolist() == [True, False, False]
    assert tensor(f"compare ne %a, %b : {type}", [a, b], [type, type], bools).tolist() == [True, True, False]
    i = np.array([1, -1, 3], np.int8)
    ints = "tensor<3xi8>"
    assert tensor(f"compare gtu %a, %a : {ints}", [i], [ints], bools).tolist() == [False] * 3
    assert tensor(
        f"compare unsigned lt %a, %b : {ints}".replace("unsigned lt", "lt unsigned"), [i, i[::-1]], [ints, ints], bools
    ).tolist() == [True, False, False]
    p = np.array([True, False, True])
    assert tensor(f"select %a, %b, %c : {type}", [p, a, b], [bools, type, type], type).tolist() == [1, 2, 3]
    x = np.array([-1.9, 300.0, np.nan], np.float32)
    assert tensor(f"cast %a : {type} to {ints}", [x], [type], ints).tolist() == [-1, 127, 0]
    assert tensor(f"cast to_unsigned %a : {type} to {ints}", [x], [type], ints).tolist() == [0, -1, 0]
    assert tensor(f"cast unsigned %a : {ints} to {type}", [i], [ints], type).tolist() == [1, 255, 3]
    assert tensor(f"cast %a : {ints} to {bools}", [i], [ints], bools).tolist() == [True] * 3


def test_shapes():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    type = "tensor<?x4xf32>"
    assert np.array_equal(
        tensor(
            f"transpose %a {{permutation = [1 : i64, 0 : i64]}} : {type} to tensor<4x?xf32>",
            [x],
            [type],
            "tensor<4x?xf32>",
        ),
        x.T,
    )
    assert tensor(f"reshape %a : {type} to tensor<?xf32>", [x], [type], "tensor<?xf32>").shape == (12,)
    assert tensor(f"reshape %a : {type} to tensor<2x?xf32>", [x], [type], "tensor<2x?xf32>").shape == (2, 6)
    assert tensor(
        f"reshape %a sizes(%b, %c) : {type} to tensor<?x?xf32>", [x, 6, 2], [type, "index", "index"], "tensor<?x?xf32>"
    ).shape == (6, 2)
    fails("interpreter-sizes", tensor, f"reshape %a : {type} to tensor<5x?xf32>", [x], [type], "tensor<5x?xf32>")
    assert tensor(f"reshape %a : {type} to tensor<0x?xf32>", [x[:0]], [type], "tensor<0x?xf32>").shape == (0, 0)
    found = tensor(
        f"slice %a {{starts = [0 : i64, 3 : i64], strides = [2 : i64, -1 : i64]}} : {type} to tensor<2x3xf32>",
        [x],
        [type],
        "tensor<2x3xf32>",
    )
    assert np.array_equal(found, x[0:3:2, 3:0:-1])
    fails(
        "interpreter-sizes", tensor,
        f"slice %a {{starts = [0 : i64, 0 : i64], strides = [2 : i64, 1 : i64]}} : {type} to tensor<3x1xf32>",
        [x], [type], "tensor<3x1xf32>",
    )  # fmt: skip
    fails(
        "interpreter-negative-size",
        tensor,
        "fill %a sizes(%b) : f32 to tensor<?xf32>",
        [1.0, -1],
        ["f32", "index"],
        "tensor<?xf32>",
    )
    joined = tensor(
        f"concat %a, %b {{axis = 0 : i64}} : ({type}, tensor<1x4xf32>) -> tensor<?x4xf32>",
        [x, x[:1]],
        [type, "tensor<1x4xf32>"],
        type,
    )
    assert np.array_equal(joined, np.concatenate([x, x[:1]]))


def test_broadcast_fill_dim_constant():
    row, column = np.arange(4, dtype=np.float32), np.arange(3, dtype=np.float32)[:, None]
    assert (
        tensor(
            "broadcast %a sizes(%b) : tensor<4xf32> to tensor<?x4xf32>",
            [row, 2],
            ["tensor<4xf32>", "index"],
            "tensor<?x4xf32>",
        ).tolist()
        == [row.tolist()] * 2
    )
    found = tensor(
        "broadcast %a {axes = [0 : i64, 1 : i64]} : tensor<3x1xf32> to tensor<3x5xf32>",
        [column],
        ["tensor<3x1xf32>"],
        "tensor<3x5xf32>",
    )
    assert np.array_equal(found, np.broadcast_to(column, (3, 5)))
    fails(
        "interpreter-sizes",
        tensor,
        "broadcast %a sizes(%b) : tensor<?xf32> to tensor<?xf32>",
        [row, 2],
        ["tensor<?xf32>", "index"],
        "tensor<?xf32>",
    )
    assert (
        tensor("fill %a sizes(%b) : f32 to tensor<?x2xf32>", [1.5, 3], ["f32", "index"], "tensor<?x2xf32>").tolist()
        == [[1.5, 1.5]] * 3
    )
    assert tensor("dim %a {axis = 1 : i64} : tensor<?x?xf32> to index", [column], ["tensor<?x?xf32>"], "index") == 1
    assert tensor("constant dense<[1.0, 2.0]> : tensor<2xbf16>", [], [], "tensor<2xbf16>").tolist() == [1, 2]
    assert tensor("constant dense<-1> : tensor<2x2xi8>", [], [], "tensor<2x2xi8>").tolist() == [[-1, -1], [-1, -1]]
    many = tensor("constant dense<-1.5> : tensor<70x80xbf16>", [], [], "tensor<70x80xbf16>")
    assert many.shape == (70, 80)
    assert (many == -1.5).all()
    assert tensor("constant dense<[true, false]> : tensor<2xi1>", [], [], "tensor<2xi1>").tolist() == [True, False]


def test_reductions_softmax_matmul_gather():
    x = np.random.default_rng(0).standard_normal((3, 4, 5)).astype(np.float32)
    type = "tensor<?x?x?xf32>"
    for kind, expected in {
        "sum": x.sum((0, 2)),
        "product": x.prod((0, 2)),
        "min": x.min((0, 2)),
        "max": x.max((0, 2)),
    }.items():
        found = tensor(
            f"reduce {kind} %a {{axes = [0 : i64, 2 : i64]}} : {type} to tensor<?xf32>", [x], [type], "tensor<?xf32>"
        )
        assert np.allclose(found, expected, rtol=1e-5)
    x[0, 0, 0] = np.nan
    assert np.isnan(
        tensor(f"reduce max %a {{axes = [0 : i64, 2 : i64]}} : {type} to tensor<?xf32>", [x], [type], "tensor<?xf32>")[
            0
        ]
    )
    i = np.array([1, -1], np.int8)
    assert (
        tensor(
            "reduce max unsigned %a {axes = [0 : i64]} : tensor<?xi8> to tensor<i8>",
            [i],
            ["tensor<?xi8>"],
            "tensor<i8>",
        )
        == -1
    )
    y = np.random.default_rng(1).standard_normal((2, 3)).astype(np.float16)
    soft = tensor("softmax %a {axis = 1 : i64} : tensor<?x?xf16>", [y], ["tensor<?x?xf16>"], "tensor<?x?xf16>")
    assert np.allclose(soft.sum(1), 1, atol=2e-3)
    product = tensor(
        "matmul %a, %b : (tensor<?x3xf16>, tensor<3x?xf16>) -> tensor<?x?xf16>",
        [y, y.T],
        ["tensor<?x3xf16>", "tensor<3x?xf16>"],
        "tensor<?x?xf16>",
    )
    assert np.array_equal(product, (y.astype(np.float64) @ y.T.astype(np.float64)).astype(np.float16))
    fails(
        "interpreter-sizes", tensor, "matmul %a, %b : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>",
        [y, y], ["tensor<?x?xf16>", "tensor<?x?xf16>"], "tensor<?x?xf16>",
    )  # fmt: skip
    indices = np.array([2, 0, 2], np.int32)
    found = tensor(
        "gather %a, %b {axis = 1 : i64} : (tensor<?x?xf16>, tensor<?xi32>) -> tensor<?x?xf16>",
        [y, indices],
        ["tensor<?x?xf16>", "tensor<?xi32>"],
        "tensor<?x?xf16>",
    )
    assert np.array_equal(found, y[:, [2, 0, 2]])
    fails(
        "trap-gather-index", tensor,
        "gather %a, %b {axis = 1 : i64} : (tensor<?x?xf16>, tensor<?xi32>) -> tensor<?x?xf16>",
        [y, indices + 1], ["tensor<?x?xf16>", "tensor<?xi32>"], "tensor<?x?xf16>",
    )  # fmt: skip


def test_bf16_and_f16_values():
    x = np.array([1.0, 3.140625], ml_dtypes.bfloat16)
    found = tensor("mul %a, %a : tensor<2xbf16>", [x], ["tensor<2xbf16>"], "tensor<2xbf16>")
    assert found.dtype == ml_dtypes.bfloat16
    assert found.tolist() == [1.0, 9.875]


def test_static_sizes_of_results_are_checked():
    x = np.zeros((3, 4), np.float32)
    fails(
        "interpreter-result-shape",
        tensor,
        "add %a, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<3x5xf32>",
        [x],
        ["tensor<?x?xf32>"],
        "tensor<3x5xf32>",
    )
