"""batched_gemm, mixed_precision_gemm, quantized_gemm and tensor_contract on the CPU against the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import BF16, Array, on_both, program, tensor_program
from hologram.errors import TrapError


def draw(*shape: int, dtype: Any = np.float32) -> Array:
    rng = np.random.default_rng(sum(shape))
    if np.dtype(dtype).kind in "iu":
        return rng.integers(-128, 128, shape).astype(dtype)
    return rng.normal(size=shape).astype(dtype)


def close(found: Array, expected: Array, depth: int) -> bool:
    """Within what sums of so many products of normal numbers may differ by."""
    step = {"float16": 2.0**-11, "float64": 2.0**-53, "float32": 2.0**-24}.get(found.dtype.name, 2.0**-8)
    bound = 8 * (depth + 1) * max(step if found.dtype.name == "float64" else 2.0**-24, 2.0**-53)
    a, b = found.astype(np.float64), expected.astype(np.float64)
    return found.dtype == expected.dtype and bool((np.abs(a - b) <= bound + 2 * step * np.abs(b)).all())


def test_batched_gemm() -> None:
    text = program("batched_gemm", [draw(1, 1, 1)] * 3, [draw(1, 1, 1)], "alpha = 2.0, beta = -1.0, trans_b = 1")
    for batch, m, n, k in ((3, 5, 17, 9), (1, 1, 1, 1), (2, 4, 3, 0), (0, 2, 2, 2)):
        a, b, c = draw(batch, m, k), draw(batch, n, k), draw(batch, m, n)
        (found,), (expected,) = on_both(text, [a, b, c], [np.full_like(c, 9)])
        assert close(found, expected, k)


def test_mixed_precision_gemm() -> None:
    for out, types in ((np.float32, (BF16, np.float16)), (BF16, (BF16, BF16))):
        text = program("mixed_precision_gemm", [draw(1, 1, dtype=t) for t in types], [draw(1, 1, dtype=out)])
        for m, n, k in ((7, 33, 40), (1, 5, 300), (2, 3, 0)):
            a, b = draw(m, k, dtype=types[0]), draw(k, n, dtype=types[1])
            (found,), (expected,) = on_both(text, [a, b], [np.full((m, n), 9, out)])
            assert close(found, expected, k)


def test_quantized_gemm_of_sums() -> None:
    attributes = "type = #atlas.dtype<u8>, type_b = #atlas.dtype<i8>, trans_a = 1"
    one = draw(1, 1, dtype=np.int8)
    text = program("quantized_gemm", [one, one], [np.zeros((1, 1), np.int32)], attributes)
    for m, n, k in ((5, 33, 300), (1, 1, 1), (3, 2, 0)):
        a, b = draw(k, m, dtype=np.uint8), draw(k, n, dtype=np.int8)
        (found,), (expected,) = on_both(text, [a, b], [np.full((m, n), 9, np.int32)])
        assert np.array_equal(found, expected)
        assert np.array_equal(found, a.T.astype(np.int64) @ b.astype(np.int64))


@pytest.mark.parametrize("out", [np.float32, np.int8])
def test_quantized_gemm_with_scales(out: Any) -> None:
    scales = "a_scale = 0.013, b_scale = 0.0071" + ("" if out is np.float32 else ", c_scale = 0.05")
    a, b = draw(9, 130, dtype=np.int8), draw(130, 21, dtype=np.int8)
    text = program("quantized_gemm", [a, b], [np.zeros((1, 1), out)], f"type = #atlas.dtype<i8>, {scales}")
    (found,), (expected,) = on_both(text, [a, b], [np.zeros((9, 21), out)])
    assert np.array_equal(found, expected)
    if out is np.int8:
        assert {-128, 127} <= set(found.ravel().tolist())


CONTRACTIONS: list[tuple[tuple[int, ...], tuple[int, ...], list[int], list[int]]] = [
    ((3, 5, 7), (7, 4), [2], [0]), ((3, 5, 7), (5, 4), [1], [0]), ((5, 7, 3), (4, 7, 5), [1, 0], [1, 2]),
]  # fmt: skip


@pytest.mark.parametrize("case", CONTRACTIONS)
def test_tensor_contract(case: Any) -> None:
    left, right, axes_a, axes_b = case
    attributes = f"contract_a = {axes_a}, contract_b = {axes_b}"
    a, b = draw(*left), draw(*right)
    out = np.zeros(np.tensordot(a, b, (axes_a, axes_b)).shape, np.float32)
    (found,), (expected,) = on_both(program("tensor_contract", [a, b], [out], attributes), [a, b], [out])
    assert close(found, expected, 35)


def test_tensor_contract_to_a_number_and_of_integers() -> None:
    a, b = draw(3, 5, dtype=np.int64), draw(5, 3, dtype=np.int64)
    attributes = "contract_a = [0, 1], contract_b = [1, 0]"
    found = hologram.compile(tensor_program("tensor_contract", [a, b], np.zeros((), np.int64), attributes))(a, b)
    assert int(found) == int((a * b.T).sum())


def test_tensor_contract_of_sizes_that_differ_traps() -> None:
    a, b, out = draw(2, 3), draw(3, 2), np.zeros((), np.float32)
    text = program("tensor_contract", [a, b], [out], "contract_a = [0, 1], contract_b = [0, 1]")
    with pytest.raises(TrapError, match="pair 0 differ in size"):
        hologram.compile(text)(a, b, out)
