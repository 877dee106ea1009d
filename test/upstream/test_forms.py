"""What counts as the same generic form, and what does not; and that a table which lost something is refused."""

from __future__ import annotations

import pytest

from upstream.forms import normal
from upstream.pieces import Piece, verdict
from upstream.table import Row, rows_of, worse, written

SAME = [
    (
        '%0:2 = "a.b"() : () -> (i1, i1)\n"a.c"(%0#1) : (i1) -> ()',
        '%x, %y = "a.b"() : () -> (i1, i1)\n"a.c"(%y) : (i1) -> ()',
    ),
    (
        '#map = affine_map<(d0) -> (d0 - 1)>\n"a.b"() {m = #map} : () -> ()',
        '"a.b"() {m = affine_map<(d0) -> ((d0 + -1))>} : () -> ()',
    ),
    (
        '"a.b"() <{x = 1 : i64, y = dense<[2, 3]> : tensor<2xi32>}> : () -> ()',
        '"a.b"() <{y = dense<[2, 3]> : tensor<2xi32>, x = 1}> : () -> ()',
    ),
    ('"a.b"() <{l = #llvm.linkage<"external">}> : () -> ()', '"a.b"() <{l = #llvm.linkage<external>}> : () -> ()'),
    ('^bb0:  // pred: ^bb1\n"a.b"() : () -> ()', '^a:\n"a.b"() : () -> ()'),
    ('"a.b"(%0) : (memref<2xf32, affine_map<(d0) -> (d0)>>) -> ()', '"a.b"(%x) : (memref<2xf32>) -> ()'),
]
OTHER = [
    ('"a.b"() <{x = 1 : i32}> : () -> ()', '"a.b"() <{x = 1 : i64}> : () -> ()'),
    ('"a.b"(%0, %1) : (i1, i1) -> ()\n"a.b"(%0, %1)', '"a.b"(%0, %1) : (i1, i1) -> ()\n"a.b"(%1, %0)'),
    ('"a.b"() {m = affine_map<(d0) -> (d0 + 1)>} : () -> ()', '"a.b"() {m = affine_map<(d0) -> (d0 + 2)>} : () -> ()'),
    ('"a.b"() {x = "a  b"} : () -> ()', '"a.b"() {x = "a b"} : () -> ()'),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same(one: str, other: str):
    assert normal(one) == normal(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other(one: str, other: str):
    assert normal(one) != normal(other)


def piece(text: str, generic: str = "", *, valid: bool = True) -> Piece:
    return Piece("p", "Arith", text, valid, generic)


ADD = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n"


def test_verdicts():
    generic = (
        '"builtin.module"() ({\n  "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({\n'
        "  ^bb0(%arg0: i32):\n"
        '    %0 = "arith.addi"(%arg0, %arg0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32\n'
        '    "func.return"(%0) : (i32) -> ()\n  }) : () -> ()\n}) : () -> ()\n'
    )
    assert verdict(piece(ADD, generic)).word == "right"
    assert verdict(piece(ADD, generic.replace("addi", "muli"))).word == "other form"
    assert verdict(piece("arith.nothing", generic)).word == "refused"
    assert verdict(piece(ADD, valid=False)).word == "accepted"
    wrong = ADD.replace("  %b", "  // expected-error @below {{types}}\n  %b").replace(": i32\n  r", ": i64\n  r")
    assert verdict(piece(wrong, valid=False)).word == "right"
    assert verdict(piece(wrong.replace("@below", "@+3"), valid=False)).word == "elsewhere"


def test_a_table_may_only_get_better():
    judged = [(p, verdict(p)) for p in (piece(ADD), piece("arith.nothing"), piece(ADD, valid=False))]
    rows = rows_of(judged)
    assert rows == {"arith": Row(2, 1, 1, 1, 0, 0)}
    assert "| `arith` | 2 | 1 | 1 | 1 | 0 | 0 |" in written(rows)
    assert worse(rows, rows) == []
    assert worse({"arith": Row(2, 0, 0, 1, 0, 0)}, rows) == ["arith: read 0, before 1", "arith: equal 0, before 1"]
