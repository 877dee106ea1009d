"""Every check and constant of the class specification: memory, the Atlas graph, sigil classes."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any

import pytest

from hologram import classes
from hologram.errors import InputError

ALL = range(classes.CLASS_COUNT)


def test_constants():
    assert (classes.CLASS_COUNT, classes.PAGES_PER_CLASS, classes.BYTES_PER_PAGE) == (96, 48, 256)
    assert (classes.BYTES_PER_CLASS, classes.F32_PER_CLASS, classes.ARENA_BYTES) == (12_288, 3_072, 1_179_648)
    assert classes.PHASE_MODULUS == 768


def test_addresses():
    assert classes.address(0) == 0
    assert classes.address(5, 2, 7) == 5 * 12288 + 2 * 256 + 7
    assert classes.address(95, 47, 255) == classes.ARENA_BYTES - 1
    for address in (*range(0, classes.ARENA_BYTES, 4099), classes.ARENA_BYTES - 1):
        assert classes.address(*classes.place(address)) == address


# The graph


def edges() -> set[frozenset[int]]:
    return {frozenset((a, b)) for a in ALL for b in classes.neighbours(a)}


def test_vertices():
    assert classes.vertex(0) == (0, 0, 0, -1, 0, 0)
    assert classes.vertex(95) == (1, 1, 1, 1, 1, 1)
    assert [classes.class_of(classes.vertex(c)) for c in ALL] == list(ALL)


def test_neighbours():
    assert classes.neighbours(0) == (1, 6, 12, 24, 48)
    assert classes.neighbours(1) == (0, 2, 7, 13, 25, 49)
    assert classes.neighbours(95) == (47, 71, 83, 89, 94)
    assert len(edges()) == 256
    assert all(len(edge) == 2 for edge in edges())
    for c in ALL:
        assert list(classes.neighbours(c)) == sorted(set(classes.neighbours(c)))
        assert all(c in classes.neighbours(n) for n in classes.neighbours(c))
        assert all(classes.vertex(n).e7 == classes.vertex(c).e7 for n in classes.neighbours(c))


def test_degrees():
    assert Counter(map(classes.degree, ALL)) == {6: 32, 5: 64}
    assert all((classes.degree(c) == 6) == (classes.vertex(c).d45 == 0) for c in ALL)
    assert max(map(classes.degree, ALL)) == classes.MAX_DEGREE


def component(start: int) -> frozenset[int]:
    reached, border = {start}, {start}
    while border:
        border = {n for c in border for n in classes.neighbours(c)} - reached
        reached |= border
    return frozenset(reached)


def test_components():
    found = {component(c) for c in ALL}
    assert sorted(map(len, found)) == [48, 48]
    assert [sum(edge <= part for edge in edges()) for part in found] == [128, 128]


def test_mirror():
    assert {abs(classes.mirror(c) - c) for c in ALL} == {3}
    assert all(classes.mirror(classes.mirror(c)) == c for c in ALL)
    assert len({frozenset((c, classes.mirror(c))) for c in ALL}) == 48
    assert all(frozenset((c, classes.mirror(c))) not in edges() for c in ALL)
    assert {frozenset(map(classes.mirror, edge)) for edge in edges()} == edges()
    assert all(classes.vertex(classes.mirror(c))._replace(e7=classes.vertex(c).e7) == classes.vertex(c) for c in ALL)


def test_unity():
    assert [c for c in ALL if classes.is_unity(c)] == [1, 4] == list(classes.UNITY)
    assert classes.mirror(1) == 4


def test_graph_byte_map():
    assert classes.graph_class(0) == 0
    assert [classes.graph_class(1 << bit) for bit in range(8)] == [48, 24, 12, 6, 3, 1, 2, 0]
    assert classes.graph_class(0x60) == 0
    assert set(map(classes.graph_class, range(256))) == set(ALL)


# Sigils


def test_sigil_byte_map():
    numbers = [classes.sigil_class(b) for b in range(256)]
    assert sha256(bytes(numbers)).hexdigest() == "ff346795c742841b74e7ab483caa69d71562707247370ad83dc839492bf22e9e"
    assert Counter(Counter(numbers).values()) == {4: 32, 2: 64}
    assert classes.sigil_class(0x2A) == 21
    assert classes.sigil_class(0xFF) == 79


def test_canonical_bytes():
    for c in ALL:
        assert classes.canonical_byte(c) == min(b for b in range(256) if classes.sigil_class(b) == c)


def test_classify():
    assert all(classes.classify(bytes([b])) == classes.sigil_class(b) for b in range(256))
    assert classes.classify(b"") == 0
    assert classes.classify(bytes([0x2A, 0xFF, 0xFF])) == 21
    assert classes.classify(bytearray([0xF0, 0x0F])) == classes.classify(memoryview(b"\xff")) == 79


def test_labels():
    assert classes.label(21) == "c21 (h2=0, d=2, l=5)"
    assert classes.label(5) == "c05 (h2=0, d=0, l=5)"
    assert len(set(map(classes.label, ALL))) == 96


TRANSFORMS: dict[str, Any] = {"R": classes.rotate, "D": classes.triality, "T": classes.twist}
ORDERS = {"R": 4, "D": 3, "T": 8}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms(name: str):
    power = TRANSFORMS[name]
    assert [k for k in range(1, 9) if all(power(c, k) == c for c in ALL)][0] == ORDERS[name]
    for c in ALL:
        assert power(power(c, 2), -5) == power(c, -3)
        assert power(c) == power(c, 1) == power(c, 1 + 7 * ORDERS[name])


def test_transforms_together():
    names = list(TRANSFORMS)
    mirror = classes.sigil_mirror
    for c in ALL:
        assert all(TRANSFORMS[a](TRANSFORMS[b](c)) == TRANSFORMS[b](TRANSFORMS[a](c)) for a in names for b in names)
        assert mirror(mirror(c)) == c
        assert mirror(classes.triality(mirror(c))) == classes.triality(c, -1)
        assert all(mirror(power(c)) == power(mirror(c)) for power in (classes.rotate, classes.twist))
        # Simply transitive: each of the 96 products takes c to another class.
        images = {
            classes.rotate(classes.triality(classes.twist(c, t), d), r)
            for r in range(4) for d in range(3) for t in range(8)
        }  # fmt: skip
        assert images == set(ALL)


def test_mirror_makes_the_group_twice_as_large():
    def images(with_mirror: bool, r: int, d: int, t: int) -> tuple[int, ...]:
        start = (classes.sigil_mirror(c) if with_mirror else c for c in ALL)
        return tuple(classes.rotate(classes.triality(classes.twist(c, t), d), r) for c in start)

    group = {images(m, r, d, t) for m in (False, True) for r in range(4) for d in range(3) for t in range(8)}
    assert len(group) == 192


def test_sigil_parts():
    for c in ALL:
        h2, d, l = classes.sigil(c)  # noqa: E741
        assert c == 24 * h2 + 8 * d + l
        assert (h2, d, l) < (4, 3, 8)


# Bad input


@pytest.mark.parametrize(
    "call",
    [
        lambda: classes.address(96), lambda: classes.address(-1), lambda: classes.address(0, 48),
        lambda: classes.address(0, 0, 256), lambda: classes.place(classes.ARENA_BYTES), lambda: classes.place(-1),
        lambda: classes.neighbours(96), lambda: classes.mirror(-1), lambda: classes.is_unity(1 << 64),
        lambda: classes.graph_class(256), lambda: classes.sigil_class(-1), lambda: classes.label(96),
        lambda: classes.class_of(classes.Vertex(2, 0, 0, 0, 0, 0)),
        lambda: classes.class_of(classes.Vertex(0, 0, 0, 2, 0, 0)),
    ],
)  # fmt: skip
def test_out_of_range(call: Any):
    with pytest.raises(InputError, match="out of the range of 0 to") as caught:
        call()
    assert caught.value.code == "class-range"


def test_no_integer():
    with pytest.raises(InputError, match="class must be an integer, found 1.5"):
        classes.mirror(1.5)  # pyright: ignore[reportArgumentType]
