"""Systems of linear equations and decompositions of matrices: interpreted and compiled, against numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from hologram.errors import HologramError, MissingNameError

linalg = ops.linalg
RNG = np.random.default_rng(7)
NAN = float("nan")
TOLERANCE = 64
"""How many times the distance of two numbers near 1 the results of small matrices may be off."""


def numbers(*shape: int, dtype: Any = np.float64) -> Any:
    return RNG.standard_normal(shape).astype(dtype)


def symmetric(*shape: int, dtype: Any = np.float64) -> Any:
    a = numbers(*shape)
    return (a + a.swapaxes(-1, -2)).astype(dtype)


def definite(*shape: int, dtype: Any = np.float64) -> Any:
    a = numbers(*shape)
    return (a @ a.swapaxes(-1, -2) + np.eye(shape[-1])).astype(dtype)


def turned(values: Any) -> Any:
    """A symmetric matrix of some eigenvalues."""
    q = np.linalg.qr(numbers(len(values), len(values)))[0]
    return (q * values) @ q.T


def near(found: Any, expected: Any, scale: float = 1.0, tolerance: float = TOLERANCE) -> None:
    """Holds arrays against each other, by the precision of the type that was found."""
    found, wanted = np.asarray(found), np.asarray(expected, np.float64)
    assert found.shape == wanted.shape
    bound = tolerance * float(np.finfo(found.dtype).eps) * scale
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=0, atol=bound, equal_nan=True)


def largest(a: Any) -> float:
    return float(np.max(np.abs(a), initial=0)) or 1.0


def orthogonal(q: Any) -> None:
    """The columns are orthogonal, and of length 1."""
    wide = q.astype(np.float64)
    near(wide.swapaxes(-1, -2) @ wide, np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2], *q.shape[-1:] * 2)),
         float(np.finfo(q.dtype).eps / np.finfo(np.float64).eps))  # fmt: skip


@cache
def traced(function: Callable[..., Any], **static: Any) -> Any:
    return hologram.jit(lambda *given: function(*given, **static))


def interpreted(function: Callable[..., Any], *args: Any, **static: Any) -> Any:
    return traced(function, **static).interpret(*args)


# What each one must hold, given what computes it.

Given = Callable[[Any], Any]


def holds_cholesky(given: Given, a: Any) -> None:
    near(given(a), np.linalg.cholesky(a.astype(np.float64)), largest(a))


def holds_inv(given: Given, a: Any) -> None:
    near(given(a).astype(np.float64) @ a, np.broadcast_to(np.eye(a.shape[-1]), a.shape),
         float(np.finfo(a.dtype).eps / np.finfo(np.float64).eps) * 10)  # fmt: skip


def holds_qr(given: Given, a: Any) -> None:
    q, r = given(a)
    count = min(a.shape[-2:])
    assert (q.shape[-1], r.shape[-2]) in ((count, count), (a.shape[-2], a.shape[-2]))
    orthogonal(q)
    np.testing.assert_array_equal(r, np.triu(r))
    a, r = a / largest(a), r / largest(a)
    near((q.astype(np.float64) @ r).astype(a.dtype), a)
    if (np.linalg.matrix_rank(a) == count).all():
        near(r[..., :count, :], np.linalg.qr(a.astype(np.float64), "r"), 100)


def holds_eigh(given: Given, a: Any) -> None:
    values, vectors = given(a)
    scale = largest(a)
    orthogonal(vectors)
    near((a.astype(np.float64) / scale @ vectors).astype(a.dtype), vectors * (values[..., None, :] / scale))
    near(values / scale, np.linalg.eigvalsh(a.astype(np.float64) / scale))


def holds_svd(given: Given, a: Any) -> None:
    u, s, vh = given(a)
    rows, columns = a.shape[-2:]
    count, scale = min(rows, columns), largest(a)
    square = (rows, rows), (columns, columns)
    assert (u.shape[-2:], vh.shape[-2:]) in (square, ((rows, count), (count, columns)))
    orthogonal(u)
    orthogonal(vh.swapaxes(-1, -2))
    made = (u[..., :count] * (s[..., None, :] / scale)).astype(np.float64) @ vh[..., :count, :]
    near(made.astype(a.dtype), a / scale)
    near(s / scale, np.linalg.svd(a.astype(np.float64) / scale, compute_uv=False))
    assert (s[..., 1:] <= s[..., :-1]).all()


MATRICES: dict[str, Any] = {
    "random": numbers(5, 5),
    "batch": numbers(2, 3, 4, 4),
    "one": numbers(1, 1),
    "zero": np.zeros((3, 3)),
    "identity": np.eye(4),
    "ones": np.ones((5, 5)),
    "rank-one": np.outer(numbers(6), numbers(6)),
    "repeated": turned(np.array([1.0, 1, 1, 2, 2, -2])),
    "nearly-repeated": turned(1 + 1e-9 * np.arange(5)),
    "graded": turned(10.0 ** -np.arange(0, 18, 3)),
    "huge": numbers(4, 4) * 1e307,
    "tiny": numbers(4, 4) * 1e-305,
    "nothing": np.zeros((0, 0)),
    "no-batch": np.zeros((0, 2, 2)),
}
SHAPES = [(3, 5), (4, 1), (0, 3), (3, 0), (2, 4, 2)]


QR, EIGH, SVD = traced(linalg.qr), traced(linalg.eigh), traced(linalg.svd)


def mirrored(a: Any) -> Any:
    """The symmetric matrix of a lower triangle."""
    return np.tril(a) + np.tril(a, -1).swapaxes(-1, -2)


@pytest.mark.parametrize("name", MATRICES)
def test_decompositions(name: str):
    a = MATRICES[name]
    holds_qr(QR.interpret, a)
    holds_eigh(EIGH.interpret, mirrored(a))
    holds_svd(SVD.interpret, a)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_wide_and_tall(shape: tuple[int, ...]):
    a = numbers(*shape)
    holds_qr(QR.interpret, a)
    holds_qr(lambda a: interpreted(linalg.qr, a, mode="complete"), a)
    near(interpreted(linalg.qr, a, mode="r"), QR.interpret(a)[1])
    holds_svd(SVD.interpret, a)
    holds_svd(lambda a: interpreted(linalg.svd, a, full_matrices=False), a)
    near(interpreted(linalg.svdvals, a), np.linalg.svd(a, compute_uv=False))


def test_one_program_serves_all_sizes():
    for made, make in ((QR, numbers), (EIGH, symmetric), (SVD, numbers)):
        own = hologram.jit(made.function)
        for n in (2, 5):
            own.interpret(make(n, n))
        assert sum(map(len, own._programs)) == 1
        assert "scf.for" in own.text(make(9, 9))


@pytest.mark.parametrize("name", ["qr", "eigh", "svd"])
@pytest.mark.slow
def test_decompositions_compiled(name: str):
    made, holds = {"qr": (QR, holds_qr), "eigh": (EIGH, holds_eigh), "svd": (SVD, holds_svd)}[name]
    symmetrical = mirrored if name == "eigh" else lambda a: a
    for kind, a in MATRICES.items():
        if a.ndim == 2 and kind not in ("huge", "tiny"):
            holds(made, symmetrical(a.astype(np.float32)))
    for n in (17, 32, 65):
        holds(made, symmetrical(numbers(n, n, dtype=np.float32)))
    if name != "eigh":
        holds(made, numbers(20, 7, dtype=np.float32))
        holds(made, numbers(7, 20, dtype=np.float32))


def test_eigenvalues_of_clusters():
    """Sweeps end where many values are alike, compiled, at sizes of both parities."""
    made = traced(linalg.eigvalsh)
    for n in (2, 31):
        values = np.sort(np.resize([1.0, 2, -3, 2], n))
        near(made(turned(values)), values, 10)


# Systems


def test_cholesky():
    given = traced(linalg.cholesky)
    for n in (0, 1, 4, 20):
        holds_cholesky(given, definite(n, n))
    for shape in ((2, 3, 3), (2, 0, 3, 3)):
        holds_cholesky(given.interpret, definite(*shape))


def test_cholesky_reads_one_triangle():
    a = definite(4, 4)
    above = np.triu(np.full((4, 4), NAN), 1)
    near(interpreted(linalg.cholesky, a + above), np.linalg.cholesky(a), largest(a))
    near(interpreted(linalg.cholesky, a + above.T, upper=True), np.linalg.cholesky(a).T, largest(a))


def test_cholesky_of_others_is_nan():
    kinds = [np.eye(2), -np.eye(2), np.ones((2, 2)), np.diag([1.0, -1]), np.full((2, 2), NAN), np.diag([4.0, 9])]
    found = interpreted(linalg.cholesky, np.stack(kinds))
    bad = np.array([[NAN, 0], [NAN, NAN]])
    near(found, np.stack([np.eye(2), bad, bad, bad, bad, np.diag([2.0, 3])]))


def test_triangular_systems():
    a, b = numbers(2, 4, 4) + 3 * np.eye(4), numbers(4, 3)
    for lower in (False, True):
        for unit in (False, True):
            kept = np.tril(a, -1) if lower else np.triu(a, 1)
            whole = kept + (np.eye(4) if unit else a * np.eye(4))
            hidden = np.where(np.eye(4) > 0, NAN if unit else a, np.where(kept == 0, NAN, a))
            for trans, matrix in ((0, whole), ("N", whole), ("T", whole.swapaxes(1, 2)), (1, whole.swapaxes(1, 2))):
                found = interpreted(linalg.solve_triangular, hidden, b, trans=trans, lower=lower, unit_diagonal=unit)
                near(matrix @ found, np.broadcast_to(b, found.shape), 100)
    near(hologram.jit(linalg.solve_triangular).interpret(np.triu(a[0]), b), np.linalg.solve(np.triu(a[0]), b), 10)
    np.testing.assert_array_equal(interpreted(linalg.solve_triangular, np.diag([0.0, 1]), np.ones(2)), [np.inf, 1])


@pytest.mark.parametrize(
    ("left", "right"),
    [((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (3,)), ((2, 3, 3), (3, 1)), ((2, 1, 3, 3), (4, 3, 2)),
     ((3, 3), (2, 3, 2)), ((0, 0), (0,)), ((0, 0), (0, 2)), ((3, 3), (3, 0)), ((0, 3, 3), (3, 2))],
    ids=str,
)  # fmt: skip
def test_shapes_of_systems(left: tuple[int, ...], right: tuple[int, ...]):
    a, b = numbers(*left), numbers(*right)
    near(interpreted(linalg.solve, a, b), np.linalg.solve(a, b), 100)


def test_systems_compiled():
    solve, inv = traced(linalg.solve), traced(linalg.inv)
    for n in (1, 2, 7, 40):
        a, b = numbers(n, n), numbers(n, 2)
        near(a @ solve(a, b), b, 100)
        holds_inv(inv, a)
    holds_inv(inv.interpret, numbers(3, 2, 4, 4))
    near(solve.interpret(np.array([[0, 2], [4, 0]], np.float32), np.array([2, 4], np.float32)), [1, 1])


def test_determinants():
    for a in (numbers(4, 4), numbers(2, 3, 3), np.eye(3)[[1, 0, 2]], np.zeros((0, 0)), np.zeros((0, 2, 2))):
        near(interpreted(linalg.det, a), np.linalg.det(a), 10)
        for found, wanted in zip(interpreted(linalg.slogdet, a), np.linalg.slogdet(a), strict=True):
            near(found, wanted, 10)


def test_singular_matrices():
    a = np.array([[1.0, 2], [2, 4]])
    determinant = interpreted(linalg.det, a)
    assert determinant == 0
    assert not np.signbit(determinant)
    assert [float(v) for v in interpreted(linalg.slogdet, a)] == [0, -np.inf]
    assert not np.isfinite(interpreted(linalg.inv, a)).any()
    assert not np.isfinite(interpreted(linalg.solve, np.zeros((2, 2)), np.ones(2))).any()


@pytest.mark.parametrize("bad", [NAN, np.inf, -np.inf])
def test_what_is_not_finite_stays_in_its_matrix(bad: float):
    a = np.stack([np.eye(3), np.diag([2.0, bad, 1]), 2 * np.eye(3)])
    for function in (linalg.qr, linalg.eigh, linalg.svd, linalg.inv):
        found = interpreted(function, a)
        for part in found if isinstance(found, tuple) else (found,):
            assert np.isfinite(part[::2]).all()
            assert np.isnan(part[1]).all() or function is linalg.inv


def test_types():
    whole = np.array([[4, 1], [1, 3]])
    for function in (linalg.cholesky, linalg.det, linalg.svdvals):
        wide = interpreted(function, whole.astype(np.float64))
        near(interpreted(function, whole.astype(np.int8)), wide, tolerance=0)
        narrow = interpreted(function, whole.astype(np.float16))
        single = interpreted(function, whole.astype(np.float32))
        assert (narrow.dtype, single.dtype) == (np.float16, np.float32)
        np.testing.assert_array_equal(narrow, single.astype(np.float16))
        near(single, wide, 10)
    assert interpreted(linalg.solve, whole.astype(np.float32), np.ones(2)).dtype == np.float64


def test_eigh_reads_one_triangle():
    a = symmetric(4, 4)
    above = np.triu(np.full((4, 4), NAN), 1)
    for hidden, triangle in ((a + above, "L"), (a + above.T, "U")):
        values, vectors = interpreted(linalg.eigh, hidden, UPLO=triangle)
        near(a @ vectors, vectors * values, 10)
        near(interpreted(linalg.eigvalsh, hidden, UPLO=triangle), values, 10)


# Names


def test_names():
    assert ops.solve is linalg.solve
    assert ops.matmul is linalg.matmul
    for name, hint in (("trace", "write hologram.ops.trace"), ("choleski", "did you mean 'cholesky'?")):
        with pytest.raises(MissingNameError) as found:
            getattr(linalg, name)
        assert found.value.hint == hint
    with pytest.raises(HologramError) as refused:
        hologram.jit(lambda a: np.linalg.solve(a, a))(np.eye(2))
    assert refused.value.hint == "write hologram.ops.solve"
