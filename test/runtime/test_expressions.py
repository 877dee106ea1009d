"""Shape expressions: what they compute, and that nothing else gets through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hologram.errors import InputError
from hologram.runtime.expressions import parse_constraint, parse_shape

RANKS = {"a": 2, "b": 1, "n": None, "in": 1, "x.y": 1}
VALUES = {"a": (3, 4), "b": (5,), "n": 7, "in": (2,), "x.y": (9,)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()", ()),
        ("(a[0],)", (3,)),
        ("(a[0])", (3,)),
        ("(a[0], a[1] * 2, n)", (3, 8, 7)),
        ("(a[0] - a[1] - 1, -b[0] + 9, --3)", (-2, 4, 3)),
        ("(b[0] // 2 * 2 + b[0] % 2,)", (5,)),
        ("(2 * (a[0] + 1), min(a[0], b[0], 1), max(a[0], n))", (8, 1, 7)),
        ("(in[0], x.y[0])", (2, 9)),
        ("  ( 1 ,2 )  ", (1, 2)),
    ],
)
def test_shapes(text: str, expected: tuple[int, ...]):
    found = parse_shape(text, RANKS)
    assert found.evaluate(VALUES) == expected
    assert found.text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a[0] == 3", 1), ("a[0] != 3", 0), ("a[0] < n", 1), ("n <= 6", 0), ("n > 6", 1), ("b[0] >= a[0] + a[1]", 0)],
)
def test_constraints(text: str, expected: int):
    assert parse_constraint(text, RANKS).evaluate(VALUES) == (expected,)


def test_names_are_those_used():
    assert parse_constraint("a[0] + n == a[1]", RANKS).names == ("a", "n")


def test_division_by_zero_is_the_callers_to_report():
    with pytest.raises(ZeroDivisionError):
        parse_shape("(1 // (n - 7),)", RANKS).evaluate(VALUES)


@pytest.mark.parametrize(
    "text",
    [
        "", "a[0]", "(a[2],)", "(a,)", "(c[0],)", "(a[0]", "(a[n],)", "(1 2)", "(1,) 2", "(__import__('os'),)",
        "(a.shape,)", "(lambda: 0,)", "(1 ** 2,)", "(1 +,)", "(min(),)", "(open(1),)", "(n[0],)", "(1; 2)",
        "(" * 80 + "1" + ")" * 80, "(" + "-" * 80 + "1,)",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str):
    with pytest.raises(InputError, match="entry-expression"):
        parse_shape(text, RANKS)


@pytest.mark.parametrize("text", ["1", "1 = 1", "a[0] == 3 == 3", "(1 == 1)", "1 == 1 and 2 == 2"])
def test_constraints_are_one_comparison(text: str):
    with pytest.raises(InputError, match="entry-expression"):
        parse_constraint(text, RANKS)


TREES = st.recursive(
    st.integers(0, 9).map(str) | st.just("n") | st.just("a[1]"),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
        | inner.map(lambda t: f"-{t}")
        | st.tuples(inner, inner).map(lambda t: f"min({t[0]}, {t[1]})")
    ),
    max_leaves=12,
)


@given(TREES)
def test_agrees_with_python(text: str):
    spoken = text.replace("a[1]", "4").replace("n", "7").replace("mi7", "min")
    try:
        expected = eval(spoken, {"min": min})
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            parse_shape(f"({text},)", RANKS).evaluate(VALUES)
        return
    assert parse_shape(f"({text},)", RANKS).evaluate(VALUES) == (expected,)


@given(st.text(alphabet="ab01n[](),+-*/%<>=! min", max_size=20))
def test_never_breaks(text: str):
    for parse in (parse_shape, parse_constraint):
        try:
            parse(text, RANKS).evaluate(VALUES)
        except (InputError, ZeroDivisionError):
            pass
