"""Sums of products by the names of axes, against numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from tensor_agreement import Case, agree, agree_compiled, same


def numbers(*shape: int) -> Any:
    """Small whole numbers, whose sums are exact."""
    return ((np.arange(int(np.prod(shape))) * 7) % 11 - 5).astype(np.float32).reshape(shape)


def truths(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))) % 3 == 0).reshape(shape)


def calls(*shapes: Sequence[tuple[int, ...]]) -> list[tuple[Any, ...]]:
    return [tuple(numbers(*shape) for shape in group) for group in shapes]


SPECS: dict[str, list[tuple[Any, ...]]] = {
    "ij,jk->ik": calls([(2, 3), (3, 4)], [(5, 2), (2, 6)]),
    "ij,jk": calls([(2, 3), (3, 4)]),
    "ji,jk->ki": calls([(2, 3), (2, 4)]),
    "bij,bjk->bik": calls([(2, 3, 4), (2, 4, 5)], [(3, 2, 5), (3, 5, 4)]),
    "bhqd,bhkd->bhqk": calls([(2, 3, 4, 5), (2, 3, 6, 5)]),
    "ibj,jkb->bki": calls([(2, 3, 4), (4, 5, 3)]),
    "i,j": calls([(2,), (3,)]),
    "i,i": calls([(3,), (3,)], [(5,), (5,)]),
    "i,i->i": calls([(3,), (3,)]),
    "ij,ij->j": calls([(3, 2), (3, 2)]),
    "ijk,jil->kl": calls([(2, 3, 4), (3, 2, 5)]),
    "ij->ji": calls([(2, 3)]),
    "ba": calls([(2, 3)]),
    "ij->": calls([(2, 3)]),
    "ij->j": calls([(2, 3)], [(0, 3)]),
    "ii": calls([(3, 3)], [(5, 5)]),
    "ii->i": calls([(3, 3)]),
    "iij->j": calls([(3, 3, 2)]),
    "iji->ij": calls([(2, 4, 2)]),
    "iii->i": calls([(3, 3, 3)]),
    "iji,j->i": calls([(2, 4, 2), (4,)]),
    "...ij,...jk->...ik": calls([(2, 1, 3, 4), (5, 4, 2)], [(3, 1, 2, 3), (2, 3, 4)]),
    "...ij->...ji": calls([(2, 3, 4)]),
    "i...->...": calls([(2, 3, 4)]),
    "i...,i": calls([(3, 2, 2), (3,)]),
    "...,...": calls([(2, 3), (3,)], [(4, 5), (5,)]),
    "...i,j...->ij...": calls([(2, 3), (4, 2)]),
    "i,->i": calls([(3,), ()]),
    ",->": calls([(), ()]),
    "i,j->j": calls([(3,), (2,)]),
    "ij,jk,kl->il": calls([(2, 3), (3, 4), (4, 5)], [(6, 2), (2, 3), (3, 7)]),
    "ij,jk,kl,lm->im": calls([(2, 3), (3, 4), (4, 5), (5, 2)]),
    "ij,ij,ij->i": calls([(2, 3), (2, 3), (2, 3)]),
    "i,j,k->kji": calls([(2,), (3,), (4,)]),
    "ij,j->i": calls([(3, 1), (4,)]),
    "ij,jk->ki": calls([(0, 3), (3, 2)], [(0, 2), (2, 4)]),
    " i j , j k -> i k ": calls([(2, 3), (3, 4)]),
}  # fmt: skip
CASES: Mapping[str, Case] = {
    spec: (lambda m, *args, spec=spec: m.einsum(spec, *args), given) for spec, given in SPECS.items()
} | {
    "tensordot": (lambda m, a, b: m.tensordot(a, b), calls([(2, 3, 4), (3, 4, 5)], [(5, 2, 3), (2, 3, 1)])),
    "tensordot-one": (lambda m, a, b: m.tensordot(a, b, axes=1), calls([(2, 3), (3, 4)])),
    "tensordot-none": (lambda m, a, b: m.tensordot(a, b, axes=0), calls([(2, 3), (4,)])),
    "tensordot-named": (lambda m, a, b: m.tensordot(a, b, axes=((0, -1), (2, 0))), calls([(2, 3, 4), (4, 5, 2)])),
    "tensordot-axis": (lambda m, a, b: m.tensordot(a, b, axes=(-1, 0)), calls([(2, 3), (3, 4, 5)])),
    "inner": (lambda m, a, b: m.inner(a, b), calls([(2, 3), (4, 3)], [(1, 5), (2, 5)])),
    "inner-vectors": (lambda m, a, b: m.inner(a, b), calls([(3,), (3,)])),
    "inner-number": (lambda m, a, b: m.inner(a, b), calls([(), (2, 3)])),
    "vdot": (lambda m, a, b: m.vdot(a, b), calls([(2, 3), (3, 2)], [(4, 2), (1, 8)])),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_interpreted(name: str):
    agree(CASES[name])


@pytest.mark.slow
def test_compiled():
    agree_compiled(CASES)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "float64", "bool"])
@pytest.mark.parametrize("spec", ["ij,jk->ik", "ij,ij->i", "ij->j", "ii", "i,j->ij"])
def test_types(dtype: str, spec: str):
    shapes = {"ij": (3, 3), "jk": (3, 2), "ii": (3, 3), "i": (3,), "j": (2,)}
    given = [numbers(*shapes[part]).astype(dtype) for part in spec.partition("->")[0].split(",")]
    same(hologram.jit(lambda *args: ops.einsum(spec, *args)).interpret(*given), np.einsum(spec, *given))


def test_types_are_brought_together():
    a, b = numbers(2, 3).astype(np.int16), numbers(3, 2)
    same(hologram.jit(lambda x, y: ops.einsum("ij,jk", x, y)).interpret(a, b), np.einsum("ij,jk", a, b))
    same(hologram.jit(lambda x: ops.einsum("i,->i", x, 2)).interpret(a[0]), a[0] * np.int16(2))


def test_arrays_that_are_not_contiguous():
    a, b = numbers(6, 8)[::2, ::-2], numbers(4, 5).T
    same(ops.einsum("ij,kj->ik", a, b), np.einsum("ij,kj->ik", a, b))


def test_a_chain_is_contracted_where_that_is_least():
    made = hologram.jit(lambda a, b, v: ops.einsum("ij,jk,k->i", a, b, v))
    text = made.text(numbers(9, 9), numbers(9, 9), numbers(9))
    products = re.findall(r"hologram\.matmul .* -> (tensor<[^>]*>)", text)
    assert len(products) == 2
    assert set(products) <= {"tensor<?x1xf32>", "tensor<1x?xf32>"}
    same(made.interpret(numbers(9, 9), numbers(9, 9), numbers(9)), numbers(9, 9) @ (numbers(9, 9) @ numbers(9)))


@pytest.mark.parametrize("spec", ["ij->k", "ij->ii", "...i->i", "i.j->i", "i->j->k", "ij,->i", "i", "ijk"])
def test_texts_that_do_not_fit(spec: str):
    with pytest.raises(hologram.InputError) as found:
        hologram.jit(lambda x: ops.einsum(spec, x)).interpret(numbers(2, 3))
    assert found.value.code.startswith("jit-einsum-")
