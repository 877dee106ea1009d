"""arith and math, as scalars and vectors, against numpy and Python integers over edge values and random ones."""

# The references are functions of arrays of any type, which say nothing to the type checker.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from core_to_llvm.jit import Compiled
from core_to_llvm.loops import LANES, NUMPY, Case, scalar_loop, vector_loop

Reference = Callable[..., Any]
INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("f32", "f64")
CASES: dict[str, tuple[Case, Reference]] = {}


def case(name: str, inputs: Sequence[str], outputs: Sequence[str], body: str, reference: Reference) -> None:
    CASES[name] = (Case(name, inputs, outputs, body), reference)


def bits_of(type: str) -> int:
    return 64 if type == "index" else int(type[1:])


def wrap(value: int, bits: int) -> int:
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def unsigned(value: int, bits: int) -> int:
    return value % (1 << bits)


def quotient(a: int, b: int) -> int:
    """Towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INT_BINARY: dict[str, Callable[[int, int, int], int]] = {
    "addi": lambda a, b, w: a + b,
    "subi": lambda a, b, w: a - b,
    "muli": lambda a, b, w: a * b,
    "andi": lambda a, b, w: a & b,
    "ori": lambda a, b, w: a | b,
    "xori": lambda a, b, w: a ^ b,
    "maxsi": lambda a, b, w: max(a, b),
    "minsi": lambda a, b, w: min(a, b),
    "maxui": lambda a, b, w: max(unsigned(a, w), unsigned(b, w)),
    "minui": lambda a, b, w: min(unsigned(a, w), unsigned(b, w)),
    "divsi": lambda a, b, w: quotient(a, b),
    "remsi": lambda a, b, w: a - quotient(a, b) * b,
    "divui": lambda a, b, w: unsigned(a, w) // unsigned(b, w),
    "remui": lambda a, b, w: unsigned(a, w) % unsigned(b, w),
    "floordivsi": lambda a, b, w: a // b,
    "ceildivsi": lambda a, b, w: -(-a // b),
    "ceildivui": lambda a, b, w: -(-unsigned(a, w) // unsigned(b, w)),
    "shli": lambda a, b, w: a << (b % w),
    "shrsi": lambda a, b, w: a >> (b % w),
    "shrui": lambda a, b, w: unsigned(a, w) >> (b % w),
}
PREDICATES: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def pairwise(function: Callable[[int, int, int], int], width: int) -> Reference:
    def apply(a: Any, b: Any) -> Any:
        pairs = zip(a.tolist(), b.tolist(), strict=True)
        return np.array([wrap(function(x, y, width), width) for x, y in pairs], a.dtype)

    return apply


def compared(predicate: str, width: int) -> Reference:
    def apply(a: Any, b: Any) -> Any:
        if predicate in ("eq", "ne"):
            return PREDICATES[predicate](a, b).astype(np.uint8)
        kind = a.dtype if predicate[0] == "s" else np.dtype(f"uint{width}")
        return PREDICATES[predicate[1:]](a.view(kind), b.view(kind)).astype(np.uint8)

    return apply


def integers() -> None:
    for t in INTEGERS:
        w = bits_of(t)
        for name, function in INT_BINARY.items():
            body = f"    %r = arith.{name} %a, %b : T<{t}>"
            if name.startswith("sh"):
                body = f"""    %m = arith.constant {w - 1} : {t}
    %mask = vector.broadcast %m : {t} to vector<{LANES}x{t}>
    %amount = arith.andi %b, %M : T<{t}>
    %r = arith.{name} %a, %amount : T<{t}>"""
            case(f"{name}_{t}", [t, t], [t], body, pairwise(function, w))
        for p in ("eq", "ne", *(s + o for s in "su" for o in ("lt", "le", "gt", "ge"))):
            case(f"cmpi_{p}_{t}", [t, t], ["i1"], f"    %r = arith.cmpi {p}, %a, %b : T<{t}>", compared(p, w))
        extended(t, w)


def extended(t: str, w: int) -> None:
    def carry(a: Any, b: Any) -> Any:
        sums = [unsigned(x, w) + unsigned(y, w) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        return np.array([wrap(s, w) for s in sums], a.dtype), np.array([s >> w for s in sums], np.uint8)

    def product(sign: bool) -> Reference:
        def apply(a: Any, b: Any) -> Any:
            pairs = zip(a.tolist(), b.tolist(), strict=True)
            full = [x * y if sign else unsigned(x, w) * unsigned(y, w) for x, y in pairs]
            return np.array([wrap(f, w) for f in full], a.dtype), np.array([wrap(f >> w, w) for f in full], a.dtype)

        return apply

    case(f"addui_extended_{t}", [t, t], [t, "i1"], f"    %r, %s = arith.addui_extended %a, %b : T<{t}>, T<i1>", carry)
    for sign in "su":
        body = f"    %r, %s = arith.mul{sign}i_extended %a, %b : T<{t}>"
        case(f"mul{sign}i_extended_{t}", [t, t], [t, t], body, product(sign == "s"))


def floats() -> None:
    binary: dict[str, Reference] = {
        "addf": lambda a, b: a + b,
        "subf": lambda a, b: a - b,
        "mulf": lambda a, b: a * b,
        "divf": lambda a, b: a / b,
        "remf": np.fmod,
        "maximumf": lambda a, b: extreme(a, b, True),
        "minimumf": lambda a, b: extreme(a, b, False),
        "maxnumf": np.fmax,
        "minnumf": np.fmin,
    }
    for t in FLOATS:
        for name, reference in binary.items():
            case(f"{name}_{t}", [t, t], [t], f"    %r = arith.{name} %a, %b : T<{t}>", reference)
        case(f"negf_{t}", [t], [t], f"    %r = arith.negf %a : T<{t}>", lambda a: -a)
        for p in ("eq", "gt", "ge", "lt", "le", "ne", "rd", "un"):
            comparisons(t, p)
        for p, value in (("false", 0), ("true", 1)):
            body = f"    %r = arith.cmpf {p}, %a, %b : T<{t}>"
            case(f"cmpf_{p}_{t}", [t, t], ["i1"], body, lambda a, b, value=value: np.full(len(a), value, np.uint8))


def extreme(a: Any, b: Any, greater: bool) -> Any:
    """IEEE maximum and minimum: NaN wins, and -0 is less than 0."""
    first = np.where(np.signbit(a) == greater, b, a)
    picked = np.maximum(a, b) if greater else np.minimum(a, b)
    return np.where((a == b) & (a == 0), first, picked)


def comparisons(t: str, p: str) -> None:
    def ordered(a: Any, b: Any) -> Any:
        if p in ("rd", "un"):
            return ~(np.isnan(a) | np.isnan(b))
        return PREDICATES[p](a, b) & ~(np.isnan(a) | np.isnan(b))

    def loose(a: Any, b: Any) -> Any:
        nan = np.isnan(a) | np.isnan(b)
        return nan if p in ("rd", "un") else PREDICATES[p](a, b) | nan

    first = {"rd": "ord", "un": "uno"}.get(p, f"o{p}")
    second = {"rd": "uno", "un": "uno"}.get(p, f"u{p}")
    for name, reference in ((first, ordered if p != "un" else loose), (second, loose)):
        body = f"    %r = arith.cmpf {name}, %a, %b : T<{t}>"
        case(f"cmpf_{name}_{t}", [t, t], ["i1"], body, lambda a, b, f=reference: f(a, b).astype(np.uint8))


def casts() -> None:
    for narrow, wide in (("i8", "i32"), ("i16", "i64"), ("i32", "i64")):
        n, w = np.dtype(NUMPY[narrow]), np.dtype(NUMPY[wide])
        u = np.dtype(f"u{NUMPY[narrow]}")
        body = f" %a : T<{narrow}> to T<{wide}>"
        case(f"extsi_{narrow}_{wide}", [narrow], [wide], "    %r = arith.extsi" + body, lambda a, w=w: a.astype(w))
        case(
            f"extui_{narrow}_{wide}",
            [narrow],
            [wide],
            "    %r = arith.extui" + body,
            lambda a, u=u, w=w: a.view(u).astype(w),
        )
        body = f"    %r = arith.trunci %a : T<{wide}> to T<{narrow}>"
        case(f"trunci_{wide}_{narrow}", [wide], [narrow], body, lambda a, n=n: a.astype(n))
    for i in ("i8", "i32", "i64"):
        for f in FLOATS:
            u, d = np.dtype(f"u{NUMPY[i]}"), np.dtype(NUMPY[f])
            body = f"    %r = arith.sitofp %a : T<{i}> to T<{f}>"
            case(f"sitofp_{i}_{f}", [i], [f], body, lambda a, d=d: a.astype(d))
            case(
                f"uitofp_{i}_{f}",
                [i],
                [f],
                f"    %r = arith.uitofp %a : T<{i}> to T<{f}>",
                lambda a, u=u, d=d: a.view(u).astype(d),
            )
    case("extf", ["f32"], ["f64"], "    %r = arith.extf %a : T<f32> to T<f64>", lambda a: a.astype(np.float64))
    case("truncf", ["f64"], ["f32"], "    %r = arith.truncf %a : T<f64> to T<f32>", lambda a: a.astype(np.float32))
    case("bitcast_i", ["f32"], ["i32"], "    %r = arith.bitcast %a : T<f32> to T<i32>", lambda a: a.view(np.int32))
    case("bitcast_f", ["i64"], ["f64"], "    %r = arith.bitcast %a : T<i64> to T<f64>", lambda a: a.view(np.float64))
    for i in ("i8", "i32", "i64"):
        d, u = np.dtype(NUMPY[i]), np.dtype(f"u{NUMPY[i]}")
        for name, from_int in (("index_cast", d), ("index_castui", u)):
            case(
                f"{name}_{i}_index",
                [i],
                ["index"],
                f"    %r = arith.{name} %a : T<{i}> to T<index>",
                lambda a, k=from_int: a.view(k).astype(np.int64),
            )
            case(
                f"{name}_index_{i}",
                ["index"],
                [i],
                f"    %r = arith.{name} %a : T<index> to T<{i}>",
                lambda a, d=d: a.astype(d),
            )
    case(
        "select",
        ["i1", "f32", "f32"],
        ["f32"],
        "    %r = arith.select %a, %b, %c : " + "SELECT",
        lambda a, b, c: np.where(a != 0, b, c),
    )


def maths() -> None:
    unary: dict[str, Reference] = {
        "absf": np.abs,
        "ceil": np.ceil,
        "floor": np.floor,
        "trunc": np.trunc,
        "roundeven": np.rint,
        "round": lambda a: np.copysign(half_away(np.abs(a)), a),
        "sqrt": np.sqrt,
        "rsqrt": lambda a: 1 / np.sqrt(a),
    }
    for t in FLOATS:
        for name, reference in unary.items():
            case(f"{name}_{t}", [t], [t], f"    %r = math.{name} %a : T<{t}>", reference)
        case(f"copysign_{t}", [t, t], [t], f"    %r = math.copysign %a, %b : T<{t}>", np.copysign)
    for t in INTEGERS:
        w = bits_of(t)
        counts: dict[str, Callable[[int], int]] = {
            "ctpop": lambda x: x.bit_count(),
            "ctlz": lambda x, w=w: w - x.bit_length(),
            "cttz": lambda x, w=w: (x & -x).bit_length() - 1 if x else w,
            "absi": lambda x, w=w: abs(wrap(x, w)),
        }
        for name, count in counts.items():
            case(
                f"{name}_{t}",
                [t],
                [t],
                f"    %r = math.{name} %a : T<{t}>",
                lambda a, f=count, w=w: np.array([wrap(f(unsigned(x, w)), w) for x in a.tolist()], a.dtype),
            )


def half_away(a: Any) -> Any:
    low = np.floor(a)
    return np.where(a - low >= 0.5, low + 1, low)


integers()
floats()
casts()
maths()


# Running


@cache
def compiled() -> Compiled:
    """All cases in one module, each with elements and with vectors."""
    text = ""
    for c, _ in CASES.values():
        select = {"SELECT": f"vector<{LANES}xi1>, vector<{LANES}xf32>"}
        text += scalar_loop(_without_broadcast(c)).replace("SELECT", "f32")
        text += vector_loop(_with_broadcast(c)).replace("SELECT", select["SELECT"])
    return Compiled(text)


def _without_broadcast(c: Case) -> Case:
    lines = [line for line in c.body.splitlines() if "vector.broadcast" not in line]
    return Case(c.name, c.inputs, c.outputs, "\n".join(lines).replace("%M", "%m"))


def _with_broadcast(c: Case) -> Case:
    return Case(c.name, c.inputs, c.outputs, c.body.replace("%M", "%mask"))


EDGES_F = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-40, 3.4e38, -3.4e38, 1e-310, math.inf, -math.inf, math.nan,
]  # fmt: skip


def edges(type: str) -> list[Any]:
    if type == "i1":
        return [0, 1]
    if type.startswith("f"):
        return EDGES_F
    w = bits_of(type)
    return [0, 1, 2, 3, -1, -2, -3, 7, (1 << (w - 1)) - 1, -(1 << (w - 1)), 1 - (1 << (w - 1)), 85, -86]


def inputs(name: str, c: Case, seed: int) -> list[Any]:
    """All pairs of edge values, then random ones; without those that the operation leaves undefined."""
    random = np.random.default_rng(seed)
    lists: list[list[Any]] = []
    grid = np.meshgrid(*[np.arange(len(edges(t))) for t in c.inputs])
    for t, places in zip(c.inputs, grid, strict=True):
        dtype = np.dtype(NUMPY[t])
        with np.errstate(over="ignore"):
            some = np.array(edges(t)).astype(dtype)[places.ravel()]
        count = 64
        if t == "i1":
            more = random.integers(0, 2, count).astype(dtype)
        elif t.startswith("f"):
            more = (random.standard_normal(count) * 10.0 ** random.integers(-5, 6, count)).astype(dtype)
        else:
            more = random.integers(0, 256, (count, dtype.itemsize)).astype(np.uint8).view(dtype).ravel()
        lists.append([*some.tolist(), *more.tolist()])
    rows = [row for row in zip(*lists, strict=True) if defined(name, row, c)]
    rows += [rows[0]] * (-len(rows) % LANES)
    return [np.array(column).astype(NUMPY[t]) for column, t in zip(zip(*rows, strict=True), c.inputs, strict=True)]


def defined(name: str, row: Sequence[Any], c: Case) -> bool:
    if "div" not in name and "rem" not in name or name.endswith(FLOATS):
        return True
    least = -(1 << (bits_of(c.inputs[0]) - 1))
    return row[1] != 0 and not ("si" in name and row[1] == -1 and row[0] == least)


def check(name: str, suffix: str, seed: int) -> None:
    c, reference = CASES[name]
    given = inputs(name, c, seed)
    results = [np.zeros(len(given[0]), NUMPY[t]) for t in c.outputs]
    sizes = [len(given[0])] * (len(given) + len(results))
    compiled().call(name + suffix, *given, *results, *sizes)
    with np.errstate(all="ignore"):
        expected = reference(*given)
    columns: Any = expected if isinstance(expected, tuple) else (expected,)
    for found, wanted in zip(results, columns, strict=True):
        same = found == wanted
        if found.dtype.kind == "f":
            # Of a zero and a negative zero, maxnum and minnum may give either.
            signs = (np.signbit(found) == np.signbit(wanted)) | name.startswith(("maxnumf", "minnumf"))
            same = (same & signs) | (np.isnan(found) & np.isnan(wanted))
        wrong = np.flatnonzero(~same)
        rows = [tuple(g[i] for g in given) for i in wrong[:5]]
        assert not len(wrong), f"{name}{suffix} at {rows}: {found[wrong[:5]]} is not {wanted[wrong[:5]]}"


@pytest.mark.slow
@pytest.mark.xdist_group("arith")  # one worker compiles all of them at once
@pytest.mark.parametrize("suffix", ["", "_v"], ids=["scalar", "vector"])
@pytest.mark.parametrize("name", CASES)
def test_operation(name: str, suffix: str):
    for seed in range(3):
        check(name, suffix, seed)
