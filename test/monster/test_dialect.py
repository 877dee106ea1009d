"""The dialect monster: routes on scalars, vectors and tensors, by the interpreter and on the CPU; its constants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram import monster
from hologram.interpreter import interpret
from hologram.monster import route_add, route_mul
from stages import parse, run_passes

ROUTES = """
func.func @f(%a: tensor<?x!torus.coord>, %b: tensor<?x!torus.coord>, %e: tensor<?x!monster.element>)
    -> (tensor<?x!torus.coord>, tensor<?x!torus.coord>, tensor<?x!monster.element>) {
  %x = monster.lift %a : tensor<?x!torus.coord> to tensor<?x!monster.element>
  %y = monster.project %x : tensor<?x!monster.element> to tensor<?x!torus.coord>
  %r = monster.route_add %y, %b : tensor<?x!torus.coord>
  %p = monster.project %e : tensor<?x!monster.element> to tensor<?x!torus.coord>
  %s = monster.route_mul %p, %b : tensor<?x!torus.coord>
  %l = monster.lift %s : tensor<?x!torus.coord> to tensor<?x!monster.element>
  func.return %r, %s, %l : tensor<?x!torus.coord>, tensor<?x!torus.coord>, tensor<?x!monster.element>
}"""


def coordinates(count: int, seed: int) -> Any:
    """Coordinates as they lie in memory: the page in the low byte, the resonance in the high one."""
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 48, count) + (rng.integers(0, 96, count) << 8)).astype(np.uint16)


def pair(packed: int) -> tuple[int, int]:
    return packed & 0xFF, packed >> 8


def packed(route: Any, a: Any, b: Any) -> list[int]:
    found = [route(pair(x), pair(y)) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    return [p | r << 8 for p, r in found]


def test_tensors():
    modules = [parse(ROUTES) for _ in range(3)]
    run_passes(modules[1], "canonicalize")
    run_passes(modules[2], "convert-monster-to-algebra,canonicalize")
    assert "monster.route" not in str(modules[1])
    assert "monster." not in str(modules[2])
    calls: list[Any] = [lambda *a, m=m: interpret(m, "f", a) for m in modules]  # pyright: ignore
    for call in [*calls, hologram.compile(ROUTES)]:
        for count in (0, 1, 1000):
            a, b, e = (coordinates(count, seed) for seed in range(3))
            found = [np.asarray(r).astype(np.uint16).tolist() for r in call(a, b, e)]
            assert found == [packed(route_add, a, b), packed(route_mul, e, b), packed(route_mul, e, b)]


SCALARS = """
func.func @f(%a: memref<?x!torus.coord>, %b: memref<?x!torus.coord>, %r: memref<?x!torus.coord>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %a, %zero : memref<?x!torus.coord>
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?x!torus.coord>
    %y = memref.load %b[%i] : memref<?x!torus.coord>
    %e = monster.lift %x : !torus.coord to !monster.element
    %p = monster.project %e : !monster.element to !torus.coord
    %s = monster.route_add %p, %y : !torus.coord
    %m = monster.route_mul %s, %s : !torus.coord
    memref.store %m, %r[%i] : memref<?x!torus.coord>
  }
  func.return
}"""


def test_scalars():
    def square(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        found = route_add(a, b)
        return route_mul(found, found)

    a, b = coordinates(200, 1), coordinates(200, 2)
    for call in (lambda *args: interpret(parse(SCALARS), None, args), hologram.compile(SCALARS)):  # pyright: ignore
        r = np.zeros(200, np.uint16)
        call(a, b, r)
        assert r.tolist() == packed(square, a, b)


def test_vectors():
    text = """
func.func @f(%a: memref<32xi16>, %b: memref<32xi16>) {
  %zero = arith.constant 0 : index
  %v = vector.load %a[%zero] : memref<32xi16>, vector<32xi16>
  %w = vector.load %b[%zero] : memref<32xi16>, vector<32xi16>
  %x = torus.unpack %v : vector<32xi16> to vector<32x!torus.coord>
  %y = torus.unpack %w : vector<32xi16> to vector<32x!torus.coord>
  %e = monster.lift %x : vector<32x!torus.coord> to vector<32x!monster.element>
  %p = monster.project %e : vector<32x!monster.element> to vector<32x!torus.coord>
  %r = monster.route_mul %p, %y : vector<32x!torus.coord>
  %s = torus.pack %r : vector<32x!torus.coord> to vector<32xi16>
  vector.store %s, %a[%zero] : memref<32xi16>, vector<32xi16>
  func.return
}"""
    a, b = coordinates(32, 1), coordinates(32, 2)
    wanted = packed(route_mul, a, b)
    given = a.view(np.int16).copy()
    hologram.compile(text)(given, b.view(np.int16))
    assert given.view(np.uint16).tolist() == wanted


def constants() -> list[tuple[str, int]]:
    numbers = monster.numbers()
    found = [
        ("dimension", 196_884),
        ("minimal_dimension", 196_883),
        ("conjugacy_classes", 194),
        ("order", numbers.order),
    ]
    for i in (0, 1, 193):
        found += [(f"degree {i}", numbers.degrees[i]), (f"centraliser {i}", numbers.centralisers[i])]
        found += [(f"class_size {i}", numbers.class_sizes[i])]
    return found


@pytest.mark.parametrize(("name", "value"), constants())
def test_constants(name: str, value: int):
    text = f"func.func @f() -> i256 {{\n  %c = monster.constant {name} : i256\n  func.return %c : i256\n}}"
    module = parse(text)
    limbs = [value >> 64 * k & (1 << 64) - 1 for k in range(4)]
    assert interpret(module, None, [])[0].tolist() == limbs
    run_passes(module, "canonicalize")
    assert f"arith.constant {value} : i256" in str(module)


def test_compiled_constant():
    text = """
func.func @f(%x: memref<2xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d = monster.constant dimension : i32
  %m = monster.constant degree 2 : i32
  memref.store %d, %x[%zero] : memref<2xi32>
  memref.store %m, %x[%one] : memref<2xi32>
  func.return
}"""
    x = np.zeros(2, np.int32)
    hologram.compile(text)(x)
    assert x.tolist() == [196_884, 21_296_876]


def test_a_function_that_keeps_types_alone():
    """A lifted coordinate is projected back, so no operation of the dialect is left, only values of coordinates."""
    text = """
func.func @f(%a: tensor<?x!torus.coord>, %e: tensor<?x!monster.element>)
    -> (tensor<?x!torus.coord>, tensor<?x!monster.element>) {
  %x = monster.lift %a : tensor<?x!torus.coord> to tensor<?x!monster.element>
  %y = monster.project %x : tensor<?x!monster.element> to tensor<?x!torus.coord>
  func.return %y, %e : tensor<?x!torus.coord>, tensor<?x!monster.element>
}"""
    a, e = coordinates(7, 1), coordinates(5, 2)
    found = hologram.compile(text)(a, e)
    assert [r.tolist() for r in found] == [a.tolist(), e.tolist()]
