"""Symbolic sizes against Python's integers: algebra, normal form, text, evaluation, what can't be negative."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from hologram.dialects.sizes import Atom, Requirement, Size
from hologram.runtime.expressions import parse_constraint, parse_shape

NAMES = {"a[0]": 3, "a[1]": 0, "b[0]": 7, "n": -2}
"""Atoms with the values they get; `n` is a number that a caller gives, the others are sizes."""

SHAPES: dict[str, tuple[int, ...] | int] = {"a": (3, 0), "b": (7,), "n": -2}
RANKS = {"a": 2, "b": 1, "n": None}
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": lambda a, b: a // b,
}
Pair = tuple[Size, Callable[[dict[str, int]], int]]


def atom(name: str) -> Size:
    return Size.atom(name, natural=name != "n")


def _leaf(draw: st.DrawFn) -> Pair:
    if draw(st.booleans()):
        value = draw(st.integers(-5, 5))
        return Size.of(value), lambda env: value
    name = draw(st.sampled_from(list(NAMES)))
    return atom(name), lambda env: env[name]


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> Pair:
    """A symbolic size, and the same computed by Python."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return _leaf(draw)
    left, lf = draw(expressions(depth - 1))
    right, rf = draw(expressions(depth - 1))
    kind = draw(st.sampled_from(list(OPERATIONS)))
    if kind == "//":
        # Symbolic division is exact where the divisor's value is not zero, whatever it is.
        divisor = draw(st.integers(1, 4))
        return left // Size.of(divisor), lambda env: lf(env) // divisor
    operation = OPERATIONS[kind]
    return operation(left, right), lambda env: operation(lf(env), rf(env))


def evaluate(size: Size, env: dict[str, int]) -> int:
    def leaf(found: Atom) -> int:
        assert found.text is not None
        return env[found.text]

    def number(value: int) -> int:
        return value

    def combine(kind: str, a: int, b: int) -> int:
        return OPERATIONS[kind](a, b)

    return size.evaluate(leaf, number, combine)


@given(expressions(), st.fixed_dictionaries({n: st.integers(0, 9) for n in NAMES}))
def test_evaluates_as_python_does(pair: Pair, env: dict[str, int]):
    size, function = pair
    assert evaluate(size, env) == function(env)
    if size.constant is not None:
        assert size.constant == function(env)


@given(expressions())
def test_text_is_python_and_what_the_runtime_reads(pair: Pair):
    size, function = pair
    assert size.text is not None
    wanted = function(NAMES)
    assert eval(size.text, {}, dict(SHAPES)) == wanted
    assume(size.text.count("(") < 40)  # the runtime refuses deeper nesting
    assert parse_shape(f"({size.text},)", RANKS).evaluate(SHAPES) == (wanted,)


@given(expressions(), expressions(), expressions())
def test_equal_polynomials_are_equal(x: Pair, y: Pair, z: Pair):
    a, b, c = x[0], y[0], z[0]
    assert a + b == b + a
    assert a * b == b * a
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert (a - b) + b == a
    assert a - a == Size.of(0)
    assert hash(a * b) == hash(b * a)
    assert (a * b).text == (b * a).text


@given(expressions(), st.sampled_from(list(NAMES)))
def test_a_factor_divides_exactly(pair: Pair, name: str):
    factor = atom(name)
    assert (pair[0] * factor) // factor == pair[0]


@given(expressions(), st.fixed_dictionaries({n: st.integers(0, 9) for n in NAMES}))
def test_natural_means_not_negative(pair: Pair, env: dict[str, int]):
    size, function = pair
    for number in (-3, 0, env["n"]):
        if size.natural:
            assert function(env | {"n": number}) >= 0


@given(expressions(), expressions(), st.sampled_from(["==", "<=", ">="]))
def test_requirements_tell_the_truth(x: Pair, y: Pair, relation: str):
    requirement = Requirement(x[0], relation, y[0])
    truth = {"==": operator.eq, "<=": operator.le, ">=": operator.ge}[relation](x[1](NAMES), y[1](NAMES))
    if requirement.holds is not None:
        assert requirement.holds == truth
    assert requirement.text is not None
    assume(requirement.text.count("(") < 40)
    assert parse_constraint(requirement.text, RANKS).evaluate(SHAPES) == (truth,)


def test_unknowns_without_text():
    unknown = Size.atom(None, "key", order="~1")
    other = Size.atom(None, "other", order="~2")
    assert unknown * other == other * unknown
    assert unknown != other
    assert (unknown + Size.of(1)).text is None
    assert (unknown // Size.of(2)).text is None
    assert Requirement(unknown, "==", unknown).holds is True
    assert Requirement(unknown, "==", other).holds is None
    assert Requirement(unknown, "==", other).text is None


def test_texts():
    a, b = atom("a[0]"), atom("b[0]")
    assert Size.of(0).text == "0"
    assert (a * b * Size.of(2) + Size.of(3) - a).text == "a[0] * b[0] * 2 + a[0] * -1 + 3"
    assert ((a - Size.of(1)) // Size.of(2)).text == "((a[0] + -1) // (2))"
    assert (a * Size.of(4) // Size.of(2)).text == "a[0] * 2"
    assert (Size.of(7) // Size.of(-2)).constant == -4
    assert (a // Size.of(0)).text == "((a[0]) // (0))"
