"""The Monster's numbers by the sums that tie them together; lifting, projecting and routing."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hologram import monster
from hologram.errors import InputError
from hologram.monster import MonsterElement, lift_to_monster, project_to_torus, route_add, route_mul

HERE = Path(__file__).parent
COORDINATES = st.tuples(st.integers(0, 47), st.integers(0, 95))


def test_sums():
    """Both sums give the order of the group, whose factors are known."""
    found = monster.numbers()
    factors = {2: 46, 3: 20, 5: 9, 7: 6, 11: 2, 13: 3, 17: 1, 19: 1, 23: 1, 29: 1, 31: 1, 41: 1, 47: 1, 59: 1, 71: 1}
    assert found.order == prod(p**n for p, n in factors.items())
    assert found.order == 808017424794512875886459904961710757005754368 * 10**9
    assert len(found.degrees) == len(found.centralisers) == monster.CONJUGACY_CLASSES == 194
    assert sum(d * d for d in found.degrees) == found.order
    assert sum(found.class_sizes) == found.order
    assert all(found.order % c == 0 for c in found.centralisers)
    assert all(found.order % d == 0 for d in found.degrees)


def test_least_degrees():
    degrees = monster.numbers().degrees
    assert sorted(degrees)[:4] == [1, 196_883, 21_296_876, 842_609_326]
    assert degrees[1] == monster.MINIMAL_DIMENSION == 196_883 == 47 * 59 * 71
    assert monster.DIMENSION == 196_884
    # The coefficients of j are sums of degrees.
    assert degrees[0] + degrees[1] + degrees[2] == 21_493_760


TABLE = """MOT("M2",[1],[1]);
MOT("M",
[
"text, with [brackets, and commas"
],
[6,3,2],
[,[1,2,1],[1,1,3]],
[[1,1,1],[GALOIS,[1,5]],
[TENSOR,[4,4]],[2,-1,E(3)
+E(3)^2]],
[(2,3)]);
"""


def test_script_reads_the_library(tmp_path: Path):
    """The script reads a table in the library's form; it refuses numbers that do not add up, and writes nothing."""
    sys.path.insert(0, str(HERE))
    try:
        import make_numbers
    finally:
        sys.path.remove(str(HERE))
    given = make_numbers.arguments(TABLE, "M")
    rows = make_numbers.elements(given[3])
    assert make_numbers.elements(given[1]) == ["6", "3", "2"]
    assert make_numbers.degrees_of(rows) == [1, 1, 4, 2]
    found = json.loads(make_numbers.NUMBERS.read_text())
    assert make_numbers.checked(found["degrees"], found["centralisers"]) == found
    for degrees in (found["degrees"][:-1], [*found["degrees"][:-1], 1], found["degrees"][::-1]):
        with pytest.raises(SystemExit):
            make_numbers.checked(degrees, found["centralisers"])
    with pytest.raises(SystemExit, match="classes"):
        make_numbers.checked(found["degrees"], [*found["centralisers"][:-1], 2])
    path = tmp_path / "table.tbl.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    before = make_numbers.NUMBERS.read_text()
    refused = subprocess.run([sys.executable, HERE / "make_numbers.py", path], capture_output=True, text=True)
    assert "found 4 degrees and 3 centralisers" in refused.stderr
    assert make_numbers.NUMBERS.read_text() == before


@given(COORDINATES)
def test_project_undoes_lift(a: tuple[int, int]):
    lifted = lift_to_monster(a)
    assert list(lifted.items()) == [(1 + 96 * a[0] + a[1], 1)]
    assert project_to_torus(lifted) == a


def test_lifts_are_distinct():
    assert len({lift_to_monster((p, r)) for p in range(48) for r in range(96)}) == 48 * 96


@given(st.integers(), st.integers())
def test_routes(m: int, n: int):
    """Routes give the coordinate of the sum and of the product, of integers of any size."""

    def project(k: int) -> tuple[int, int]:
        return k % 48, k % 96

    a, b = (project_to_torus(lift_to_monster(project(k))) for k in (m, n))
    assert route_add(a, b) == project(m + n)
    assert route_mul(a, b) == project(m * n)


def test_known_routes():
    assert route_mul((7, 7), (11, 11)) == (29, 77)
    assert route_mul((10, 20), (15, 30)) == (6, 24)
    assert route_add((45, 90), (5, 10)) == (2, 4)


TERMS = st.dictionaries(st.integers(0, monster.DIMENSION - 1), st.integers(-5, 5), max_size=4)


@given(TERMS, TERMS, st.integers(-3, 3))
def test_vectors(a: dict[int, int], b: dict[int, int], k: int):
    x, y = MonsterElement(a), MonsterElement(b)
    assert x + y == y + x
    assert x - x == MonsterElement()
    assert k * (x + y) == x * k + y * k
    assert -x + x == MonsterElement()
    assert all((x + y)[i] == a.get(i, 0) + b.get(i, 0) for i in {*a, *b, 0})
    assert x.dot(y) == sum(v * b.get(i, 0) for i, v in a.items())
    assert list(x) == sorted(i for i, v in a.items() if v)
    assert len({x, MonsterElement(a)}) == 1


def test_vectors_of_fractions():
    x = MonsterElement.basis(5) * Fraction(1, 3)
    assert x + x + x == MonsterElement.basis(5)
    assert repr(MonsterElement.basis(5)) == "MonsterElement({5: 1})"
    assert x[4] == 0


@pytest.mark.parametrize(
    "element",
    [MonsterElement(), MonsterElement.basis(0), MonsterElement.basis(1 + 48 * 96), MonsterElement({1: 2}),
     MonsterElement({1: 1, 2: 1}), MonsterElement({i: 1 for i in range(9)})],
)  # fmt: skip
def test_no_lifted_element(element: MonsterElement):
    with pytest.raises(InputError, match="is no lifted coordinate") as caught:
        project_to_torus(element)
    assert caught.value.code == "monster-not-lifted"


@pytest.mark.parametrize("a", [(48, 0), (-1, 0), (0, 96), (0, -1)])
def test_coordinates_out_of_range(a: tuple[int, int]):
    for call in (lambda: lift_to_monster(a), lambda: route_add(a, (0, 0)), lambda: route_mul((0, 0), a)):
        with pytest.raises(InputError, match="out of the range of 0 to"):
            call()
