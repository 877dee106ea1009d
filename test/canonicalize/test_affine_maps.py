"""Affine expressions in their simplest form give the same numbers, and maps need no more operands than they had."""

from __future__ import annotations

import random

import pytest
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from hologram.dialects import make_context
from hologram.dialects.mlir_parser import parse_module
from hologram.dialects.mlir_printer import print_operation
from hologram.transforms.canonical.canonicalize import canonicalize
from hologram.transforms.canonical.rules.affine_maps import sum_of, written

KINDS = [*AffineBinaryOpKind]


def expression(rng: random.Random, depth: int) -> AffineExpr:
    """A random expression of two dimensions and a symbol; divisors are positive constants."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(
            [AffineDimExpr(0), AffineDimExpr(1), AffineSymExpr(0), AffineConstantExpr(rng.randrange(-9, 10))]
        )
    kind, left = rng.choice(KINDS), expression(rng, depth - 1)
    if kind is AffineBinaryOpKind.Add:
        return AffineBinaryOpExpr(kind, left, expression(rng, depth - 1))
    factor = rng.randrange(-4, 5) if kind is AffineBinaryOpKind.Mul else rng.choice((1, 2, 3, 4, 6, 8))
    return AffineBinaryOpExpr(kind, left, AffineConstantExpr(factor))


@pytest.mark.parametrize("seed", range(20))
def test_simplest_form_gives_the_same(seed: int):
    rng = random.Random(seed)
    for _ in range(200):
        expr = expression(rng, 5)
        simple = written(sum_of(expr))
        assert written(sum_of(simple)) == simple, f"{expr}: {simple} is not the simplest form"
        for _ in range(8):
            dims, symbols = [rng.randrange(-30, 31) for _ in range(2)], [rng.randrange(-30, 31)]
            before, after = (AffineMap(2, 1, (e,)).eval(dims, symbols) for e in (expr, simple))
            assert before == after, f"{expr} at {dims}, {symbols}: {simple}"


def test_maps_are_put_together_and_need_what_they_use():
    text = """
    func.func @f(%m: memref<?xf32>, %n: index) {
      %c3 = arith.constant 3 : index
      affine.for %i = 0 to 10 {
        %a = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %c3)
        %b = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 - d1 + d2)>(%a, %n, %n)
        %v = affine.load %m[%b - %n] : memref<?xf32>
        affine.store %v, %m[%b] : memref<?xf32>
      }
      return
    }"""
    module = parse_module(text, "f.mlir", make_context())
    canonicalize(make_context(), module)
    module.verify()
    text = print_operation(module)
    assert "affine.apply" not in text
    assert "affine.load %m[%i + 3] : memref<?xf32>" in text
    assert "affine.store %v, %m[%i + symbol(%n) + 3] : memref<?xf32>" in text
