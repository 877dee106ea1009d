"""The torus in Python: the constants and vectors of the specification, and the laws over unbounded integers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hologram import torus
from hologram.torus import FAMILY, TORUS, Residues, Torus

INTEGERS = st.integers() | st.integers(-(1 << 200), 1 << 200)
RINGS = st.sampled_from([*FAMILY.values(), Residues(1), Residues(7), Residues(1 << 64), Residues((1 << 89) - 1)])


def test_vectors() -> None:
    assert torus.project(12345) == (9, 57)
    assert torus.mul(torus.project(7), torus.project(11)) == (29, 77)
    assert torus.mul((10, 20), (15, 30)) == (6, 24)
    assert torus.add((45, 90), (5, 10)) == (2, 4)
    assert torus.scale(3, (20, 40)) == (12, 24)
    assert torus.scale(-1, (20, 40)) == torus.neg((20, 40)) == (28, 56)
    assert torus.sub((0, 0), (1, 1)) == (47, 95)
    assert 2**32 % 96 == 2**64 % 96 == 64


def test_family() -> None:
    moduli = {8: (24, 96), 16: (48, 96), 32: (96, 192), 64: (192, 384), 128: (384, 768), 256: (768, 1536)}
    assert {bits: ring.moduli for bits, ring in FAMILY.items() if bits <= 256} == moduli
    assert FAMILY[4096].moduli == (12288, 24576)
    widths = {bits: ring.width for bits, ring in FAMILY.items()}
    assert widths == {8: 8, 16: 8, 32: 8, **dict.fromkeys((64, 128, 256, 512, 1024, 2048, 4096), 16)}
    assert TORUS == Torus() == FAMILY[16]


def test_images() -> None:
    everything = [TORUS.pack(p, r) for p in range(48) for r in range(96)]
    assert sum(map(bool, map(TORUS.is_image, everything))) == 96
    assert {TORUS.project(n) for n in range(96)} == {x for x in everything if TORUS.is_image(x)}


def test_packing() -> None:
    found = torus.project(np.array([12345, -1], np.int64))
    assert found.dtype == np.uint16
    assert found.tolist() == [9 | 57 << 8, 47 | 95 << 8]
    assert torus.pairs(found).tolist() == [[9, 57], [47, 95]]
    wide = FAMILY[64].project(np.array([12345], np.int64))
    assert wide.dtype == np.uint32
    assert FAMILY[64].pairs(wide).tolist() == [[12345 % 192, 12345 % 384]]


def test_phi_and_offset() -> None:
    assert torus.phi_encode(3, 5) == 5 << 16 | 3
    assert torus.phi_decode(torus.phi_encode(47, 255)) == (47, 255)
    assert torus.offset(47, 255) == 12287
    pages, bytes_ = np.arange(48), np.arange(48) * 5
    assert [x.tolist() for x in torus.phi_decode(torus.phi_encode(pages, bytes_))] == [pages.tolist(), bytes_.tolist()]


def test_derived() -> None:
    n = np.random.default_rng(0).integers(-(1 << 60), 1 << 60, (4, 5))
    m = n.astype(object)
    x = torus.project(n)
    assert torus.sum(x) == torus.project(int(m.sum()))
    assert torus.product(x) == torus.project(int(np.prod(m)))
    assert torus.sum(x, [0]).tolist() == torus.project(m.sum(axis=0)).tolist()
    assert torus.product(x, [1]).tolist() == torus.project(np.prod(m, axis=1)).tolist()
    assert (torus.matmul(x, x.T) == torus.project(m @ m.T)).all()
    linear = np.array([sum(m[0, i] * m[1, k - i] for i in range(5) if 0 <= k - i < 5) for k in range(9)], object)
    assert torus.convolve(x[0], x[1]).tolist() == torus.project(linear).tolist()
    folded = linear[:5].copy()
    folded[:4] += linear[5:]
    assert torus.convolve(x[0], x[1], circular=True).tolist() == torus.project(folded).tolist()


def test_nothing_is_added_to_zero_and_multiplied_to_one() -> None:
    none = np.zeros(0, np.uint16)
    assert torus.sum(none) == (0, 0)
    assert torus.product(none) == (1, 1)
    assert torus.convolve(none, none).shape == (0,)


@given(RINGS, INTEGERS, INTEGERS)
def test_coherence(ring: torus.Ring, a: int, b: int) -> None:
    x, y = ring.project(a), ring.project(b)
    assert ring.project(a + b) == ring.add(x, y)
    assert ring.project(a - b) == ring.sub(x, y)
    assert ring.project(a * b) == ring.mul(x, y) == ring.scale(a, y)
    assert ring.project(-a) == ring.neg(x)
    assert ring.contains(x)


@given(INTEGERS, INTEGERS, st.sampled_from(list(FAMILY.values())))
def test_coherence_checks_of_integers(a: int, b: int, ring: Torus) -> None:
    assert torus.check_addition_coherence(a, b) is True
    assert torus.check_multiplication_coherence(a, b, torus=ring) is True
    assert torus.check_addition_coherence(a, b, a + b + 96 * 7) is True
    for bit in (0, 5, 31, 63, 200):
        assert torus.check_addition_coherence(a, b, (a + b) ^ 1 << bit) is False
        assert torus.check_multiplication_coherence(a, b, (a * b) ^ 1 << bit) is False


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i8", "u8"])
def test_coherence_checks_of_arrays_find_what_wrapped(dtype: str) -> None:
    limits = np.iinfo(dtype)
    a = np.array([limits.max, limits.min, 3, limits.max // 2, 0], dtype)
    b = np.array([limits.max, limits.max, 4, 2, 0], dtype)
    true = [(int(x) + int(y), int(x) * int(y)) for x, y in zip(a, b, strict=True)]
    sums = [limits.min <= total <= limits.max for total, _ in true]
    products = [torus.project(int(x)) == torus.project(p) for x, (_, p) in zip(a * b, true, strict=True)]
    assert torus.check_addition_coherence(a, b).tolist() == sums
    assert torus.check_multiplication_coherence(a, b).tolist() == products
    assert torus.check_addition_coherence(a, b, a.astype(object) + b).all()
    assert torus.check_addition_coherence(a[0], b[0]) is True  # single numbers are integers, as everywhere here
    assert torus.check_addition_coherence(a, 0).all()
    assert torus.check_addition_coherence(a[:0], b[:0]).shape == (0,)
    assert torus.check_addition_coherence(a, b, torus=Torus(8, 8)).all()


@given(st.sampled_from(list(FAMILY.values())), INTEGERS, INTEGERS)
def test_lift(ring: Torus, n: int, hint: int) -> None:
    assert ring.lift(ring.project(n), n) == n
    lifted = ring.lift(ring.project(n), hint)
    assert hint - ring.resonance < lifted <= hint
    assert ring.project(lifted) == ring.project(n)


@given(st.integers(-(1 << 63), (1 << 63) - 1), st.integers(-(1 << 63), (1 << 63) - 1))
def test_powers_of_two_survive_wrapping(a: int, b: int) -> None:
    wrapped = (a * b + a + (1 << 63)) % (1 << 64) - (1 << 63)
    for modulus in (16, 32):
        ring = Residues(modulus)
        assert ring.project(wrapped) == ring.add(ring.mul(ring.project(a), ring.project(b)), ring.project(a))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i8", "u8"])
def test_arrays_agree_with_integers(dtype: str) -> None:
    limits = np.iinfo(dtype)
    n = np.array([limits.min, limits.max, 0, 1, limits.max // 3], dtype)[::-1]
    for ring in (TORUS, FAMILY[4096], Residues(65537), Residues(1 << 64)):
        assert [int(x) for x in ring.project(n)] == [ring.project(int(x)) for x in n]
