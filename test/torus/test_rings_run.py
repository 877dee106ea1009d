"""Operations on coordinates and residues: compiled against the interpreter, and against integers of Python's."""

from __future__ import annotations

import os
from typing import Any, cast

import numpy as np
import pytest
from xdsl.parser import Parser

import hologram
from hologram.dialects import make_context
from hologram.interpreter import interpret
from hologram.torus import FAMILY, TORUS, Residues, Ring, Torus

EDGES = [-1, 0, 1, 47, 48, 95, 96, -96, 2**32, -(2**32), 2**63 - 1, -(2**63), 2**63 - 97]
RINGS: dict[str, Ring] = {
    "!torus.coord": TORUS, "!torus.coord<w4096>": FAMILY[4096], "!algebra.residue<7>": Residues(7),
    "!algebra.residue<18446744073709551616>": Residues(1 << 64),
}  # fmt: skip
if "HOLOGRAM_FUZZ" in os.environ:
    _MORE = (1, 2, 96, 256, 65537, 2**31 - 1, 2**32 - 5, 2**61 - 1)
    RINGS.update({f"!algebra.residue<{m}>": Residues(m) for m in _MORE})
TEXT = """
func.func @f(%n: tensor<?xi64>, %m: tensor<?xi64>, %s: tensor<?xi16>, %k: i64, %x: tensor<?x3x5xTYPE>,
    %a: tensor<?x?xTYPE>, %b: tensor<?x?xTYPE>, %c: tensor<4xTYPE>)
    -> (tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?x?xTYPE>, tensor<?xTYPE>, tensor<4xTYPE>) {
  %p = DIALECT.project %n : tensor<?xi64> to tensor<?xTYPE>
  %q = DIALECT.project unsigned %m : tensor<?xi64> to tensor<?xTYPE>
  %t = DIALECT.project %s : tensor<?xi16> to tensor<?xTYPE>
  %add = algebra.add %p, %q : tensor<?xTYPE>
  %sub = algebra.sub %p, %q : tensor<?xTYPE>
  %mul = algebra.mul %p, %q : tensor<?xTYPE>
  %neg = algebra.neg %p : tensor<?xTYPE>
  %scale = algebra.scale %k, %q : (i64, tensor<?xTYPE>) -> tensor<?xTYPE>
  %sum = algebra.sum %x {axes = [1 : i64, 2 : i64]} : tensor<?x3x5xTYPE> to tensor<?xTYPE>
  %product = algebra.product %x {axes = [1 : i64, 2 : i64]} : tensor<?x3x5xTYPE> to tensor<?xTYPE>
  %matmul = algebra.matmul %a, %b : tensor<?x?xTYPE>
  %linear = algebra.convolve %c, %p : (tensor<4xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %circular = algebra.convolve circular %c, %c : tensor<4xTYPE>
  func.return %p, %q, %t, %add, %sub, %mul, %neg, %scale, %sum, %matmul, %linear, %circular : RESULTS
}
"""


def run_both(text: str, *args: Any) -> list[Any]:
    """The results of the interpreter; the compiled program must give the same."""
    module = Parser(make_context(), text).parse_module()
    expected = interpret(module, None, list(args))
    found = hologram.compile(text)(*args)
    results = cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))
    for one, other in zip(results, expected, strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
    return list(expected)


def elements(ring: Ring, *shape: int) -> Any:
    """Random elements, the greatest and zero among them."""
    source = np.random.default_rng(len(shape))
    parts = [source.integers(0, m - 1, shape, np.uint64, endpoint=True).astype(object) for m in ring.moduli]
    for part, modulus in zip(parts, ring.moduli, strict=True):
        part.flat[:2] = [modulus - 1, 0]
    return ring.pack(*parts).astype(ring.dtype)


@pytest.mark.parametrize("type", RINGS)
def test_compiled_and_interpreted(type: str) -> None:
    ring = RINGS[type]
    results = ["tensor<?xTYPE>"] * 9 + ["tensor<?x?xTYPE>", "tensor<?xTYPE>", "tensor<4xTYPE>"]
    text = TEXT.replace("RESULTS", ", ".join(results)).replace("TYPE", type)
    text = text.replace("DIALECT", "torus" if "torus" in type else "algebra")
    text = text.replace("%sum, %matmul", "%both, %matmul").replace(
        "  %matmul =", f"  %both = algebra.add %sum, %product : tensor<?x{type}>\n  %matmul ="
    )
    powers = [sign * (1 << k) - below for k in range(63) for sign in (1, -1) for below in (0, 1)]
    n = np.array([*EDGES, *powers, *np.random.default_rng(3).integers(-(1 << 63), (1 << 63) - 1, 30)], np.int64)
    m = n[::-1].copy()
    args = (elements(ring, 2, 3, 5), elements(ring, 3, 6), elements(ring, 6, 2), elements(ring, 4))
    found = run_both(text, n, m, n.astype(np.int16), -7, *args)
    true = [int(x) for x in n], [int(x) % (1 << 64) for x in m]
    pairs = list(zip(*true, strict=True))
    assert [int(x) for x in found[0]] == [ring.project(a) for a, _ in pairs]
    assert [int(x) for x in found[3]] == [ring.project(a + b) for a, b in pairs]
    assert [int(x) for x in found[4]] == [ring.project(a - b) for a, b in pairs]
    assert [int(x) for x in found[5]] == [ring.project(a * b) for a, b in pairs]
    assert [int(x) for x in found[7]] == [ring.project(-7 * b) for _, b in pairs]


@pytest.mark.parametrize("bits", [128, 1024])
def test_wide_integers(bits: int) -> None:
    source = np.random.default_rng(bits)
    limbs = source.integers(0, 1 << 64, (9, bits // 64), np.uint64)
    limbs[:3] = [[0] * (bits // 64), [(1 << 64) - 1] * (bits // 64), [0] * (bits // 64 - 1) + [1 << 63]]
    text = f"""
    func.func @f(%n: tensor<?xi{bits}>) -> (tensor<?x!torus.coord>, tensor<?x!algebra.residue<4294967291>>) {{
      %p = torus.project %n : tensor<?xi{bits}> to tensor<?x!torus.coord>
      %r = algebra.project unsigned %n : tensor<?xi{bits}> to tensor<?x!algebra.residue<4294967291>>
      func.return %p, %r : tensor<?x!torus.coord>, tensor<?x!algebra.residue<4294967291>>
    }}"""
    found = run_both(text, limbs)
    values = [sum(int(limb) << (64 * k) for k, limb in enumerate(row)) for row in limbs]
    signed = [v - (1 << bits) if v >> (bits - 1) else v for v in values]
    assert found[0].tolist() == [TORUS.project(v) for v in signed]
    assert found[1].tolist() == [v % 4294967291 for v in values]


PLACES = """
func.func @f(%c: tensor<?xTYPE>, %hint: tensor<?xi64>, %code: tensor<?xi32>)
    -> (tensor<?xi64>, tensor<?xTYPE>, tensor<?xHELD>, tensor<?xTYPE>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %lifted = torus.lift %c, %hint : (tensor<?xTYPE>, tensor<?xi64>) -> tensor<?xi64>
  %page = torus.page %c : tensor<?xTYPE> to tensor<?xi32>
  %resonance = torus.resonance %c : tensor<?xTYPE> to tensor<?xi32>
  %made = torus.make %resonance, %page : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xTYPE>
  %packed = torus.pack %c : tensor<?xTYPE> to tensor<?xHELD>
  %unpacked = torus.unpack %packed : tensor<?xHELD> to tensor<?xTYPE>
  %p, %b = torus.phi_decode %code : tensor<?xi32>
  %encoded = torus.phi_encode %p, %b : tensor<?xi32>
  %offset = torus.offset %p, %b : tensor<?xi32>
  %kept = torus.offset %page, %resonance : tensor<?xi32>
  func.return %lifted, %made, %packed, %unpacked, %encoded, %offset, %kept
      : tensor<?xi64>, tensor<?xTYPE>, tensor<?xHELD>, tensor<?xTYPE>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
"""


PLACED = [("!torus.coord", TORUS, "i16"), ("!torus.coord<w64>", FAMILY[64], "i32")]


@pytest.mark.parametrize(("type", "ring", "held"), PLACED)
def test_places(type: str, ring: Torus, held: str) -> None:
    n = np.array(EDGES, np.int64)
    code = np.array([5 << 16 | 3, -1, 0, 255 << 16 | 47, *range(len(n) - 4)], np.int32)
    found = run_both(PLACES.replace("TYPE", type).replace("HELD", held), ring.project(n), n, code)
    assert found[0].tolist() == n.tolist()
    assert found[1].tolist() == [ring.pack(r % ring.page, p) for p, r in ring.pairs(ring.project(n)).tolist()]
    assert found[3].tolist() == ring.project(n).tolist()
    assert found[4].tolist() == code.tolist()
    assert found[5].tolist()[:1] == [3 * 256 + 5]


SCALARS = """
func.func @f(%n: memref<?xi64>, %out: memref<?x!torus.coord>, %back: memref<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = torus.constant (1, 2) : !torus.coord
  %size = memref.dim %n, %zero : memref<?xi64>
  scf.for %i = %zero to %size step %one {
    %x = memref.load %n[%i] : memref<?xi64>
    %p = torus.project %x : i64 to !torus.coord
    %q = algebra.mul %p, %c : !torus.coord
    %s = algebra.scale %x, %q : (i64, !torus.coord) -> !torus.coord
    memref.store %s, %out[%i] : memref<?x!torus.coord>
    %l = torus.lift %p, %x : (!torus.coord, i64) -> i64
    memref.store %l, %back[%i] : memref<?xi64>
  }
  func.return
}
"""
VECTORS = """
func.func @f(%n: memref<?xi64>, %out: memref<?x!torus.coord>, %back: memref<?xi64>) {
  %zero = arith.constant 0 : index
  %c = torus.constant (1, 2) : vector<8x!torus.coord>
  %x = vector.load %n[%zero] : memref<?xi64>, vector<8xi64>
  %p = torus.project %x : vector<8xi64> to vector<8x!torus.coord>
  %q = algebra.mul %p, %c : vector<8x!torus.coord>
  %s = algebra.scale %x, %q : (vector<8xi64>, vector<8x!torus.coord>) -> vector<8x!torus.coord>
  vector.store %s, %out[%zero] : memref<?x!torus.coord>, vector<8x!torus.coord>
  %l = torus.lift %p, %x : (vector<8x!torus.coord>, vector<8xi64>) -> vector<8xi64>
  vector.store %l, %back[%zero] : memref<?xi64>, vector<8xi64>
  func.return
}
"""


@pytest.mark.parametrize("text", [SCALARS, VECTORS], ids=["scalars", "vectors"])
def test_scalars_and_vectors(text: str) -> None:
    n = np.array([*EDGES[:6], 2**63 - 1, -(2**63)], np.int64)
    out, back = np.zeros(8, np.uint16), np.zeros(8, np.int64)
    hologram.compile(text)(n, out, back)
    c = TORUS.pack(1, 2)
    assert out.tolist() == [TORUS.scale(int(x), TORUS.mul(TORUS.project(int(x)), c)) for x in n]
    # The last integer with the resonance of the least one is itself.
    assert back.tolist() == n.tolist()
    if text is SCALARS:
        also = np.zeros(8, np.uint16)
        interpret(Parser(make_context(), text).parse_module(), None, [n, also, back])
        assert also.tolist() == out.tolist()


def test_moves_of_coordinates() -> None:
    text = """
    func.func @f(%x: tensor<2x3x!torus.coord>) -> tensor<9x!torus.coord> {
      %t = hologram.transpose %x {permutation = [1 : i64, 0 : i64]}
          : tensor<2x3x!torus.coord> to tensor<3x2x!torus.coord>
      %r = hologram.reshape %t : tensor<3x2x!torus.coord> to tensor<6x!torus.coord>
      %c = torus.constant [(1, 2), (3, 4), (5, 6)] : tensor<3x!torus.coord>
      %j = hologram.concat %r, %c {axis = 0 : i64}
          : (tensor<6x!torus.coord>, tensor<3x!torus.coord>) -> tensor<9x!torus.coord>
      %s = algebra.add %j, %j : tensor<9x!torus.coord>
      func.return %s : tensor<9x!torus.coord>
    }"""
    x = TORUS.project(np.arange(6).reshape(2, 3))
    run_both(text, x)


def test_sizes_that_do_not_fit_are_refused() -> None:
    text = """
    func.func @f(%a: tensor<?x!torus.coord>, %b: tensor<?x!torus.coord>) -> tensor<?x!torus.coord> {
      %r = algebra.add %a, %b : tensor<?x!torus.coord>
      func.return %r : tensor<?x!torus.coord>
    }"""
    kernel = hologram.compile(text)
    assert kernel(np.zeros(0, np.uint16), np.zeros(0, np.uint16)).shape == (0,)
    with pytest.raises(hologram.LaunchError, match=r"a\[0\]"):
        kernel(np.zeros(3, np.uint16), np.zeros(4, np.uint16))


def test_strided_arguments() -> None:
    text = """
    func.func @f(%n: tensor<?xi64>) -> tensor<?x!torus.coord> {
      %r = torus.project %n : tensor<?xi64> to tensor<?x!torus.coord>
      func.return %r : tensor<?x!torus.coord>
    }"""
    n = np.arange(-300, 300, dtype=np.int64)[::-3]
    assert hologram.compile(text)(n).tolist() == TORUS.project(n).tolist()
