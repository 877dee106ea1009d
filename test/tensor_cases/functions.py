"""Tensor functions by hand, each with its arguments: element-wise operations, choices, reductions, products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from hologram.dialects.hologram.elementwise import ROWS as ELEMENTWISE
from hologram.dialects.hologram.elementwise import InstructionOp

Array = np.ndarray[Any, np.dtype[Any]]
NAN, INF = float("nan"), float("inf")
EDGES = [0.0, -0.0, 1.0, -1.5, 2.5, 3.5, -0.5, INF, -INF, NAN, 1e-3, 7.25]


def f32(*shape: int) -> Array:
    return (np.arange(int(np.prod(shape)), dtype=np.float32) * 0.75 - 3).reshape(shape)


def i64(*shape: int) -> Array:
    return (np.arange(int(np.prod(shape)), dtype=np.int64) * 5 - 7).reshape(shape)


def edges(dtype: Any = np.float32) -> Array:
    return np.array(EDGES, dtype)


def function(signature: str, result: str, *lines: str) -> str:
    """A function of one or more results: the values after `return`, their types after `:`."""
    values, types = result.split(" : ")
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @f({signature}) -> ({types}) {{\n{body}\n  func.return {values} : {types}\n}}\n"


def rows(operands: int, type: str) -> list[type[InstructionOp]]:
    """The element-wise operations of so many operands that are defined for a type."""
    return [r for r in ELEMENTWISE if len(r.INSTRUCTION.operands) == operands and type in r.INSTRUCTION.types]


def names(operands: int, type: str) -> list[str]:
    """The names of these operations."""
    return [r.name.partition(".")[2] for r in rows(operands, type)]


INTEGER_BINARY = [r.name.partition(".")[2] for r in rows(2, "i32") if r.INSTRUCTION.traps is None]

ROWS = "%x: tensor<?x4xf32>"
TOTAL = "hologram.reduce sum %x {axes = [1 : i64]} : tensor<?x4xf32> to tensor<?xf32>"

Case = tuple[str, str, list[Any]]


def chain(names: Sequence[str], type: str, operands: str) -> list[str]:
    """Each operation on the arguments, and the parts in one concatenation."""
    lines = [f"%r{i} = hologram.{name} {operands} : {type}" for i, name in enumerate(names)]
    parts = ", ".join(f"%r{i}" for i in range(len(names)))
    types = ", ".join([type] * len(names))
    return [*lines, f"%all = hologram.concat {parts} {{axis = 0 : i64}} : ({types}) -> {type}"]


def elementwise() -> list[Case]:
    """Every element-wise operation, over the types it is defined for."""
    cases: list[Case] = []
    for element, dtype in (("f32", np.float32), ("f64", np.float64), ("f16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        type = f"tensor<?x{element}>"
        lines = chain(names(1, "f32"), type, "%x")
        cases.append((f"unary-{element}", function(f"%x: {type}", f"%all : {type}", *lines), [edges(dtype)]))
        pairs = [np.repeat(edges(dtype), 12), np.tile(edges(dtype), 12)]
        lines = chain(names(2, "f32"), type, "%x, %y")
        cases.append((f"binary-{element}", function(f"%x: {type}, %y: {type}", f"%all : {type}", *lines), pairs))
        lines = chain(names(3, "f32"), type, "%x, %y, %z")
        signature = f"%x: {type}, %y: {type}, %z: {type}"
        cases.append(
            (f"ternary-{element}", function(signature, f"%all : {type}", *lines), [*pairs, pairs[0][::-1].copy()])
        )
    for element, dtype in (("i8", np.int8), ("i32", np.int32), ("i64", np.int64)):
        info = np.iinfo(dtype)
        numbers = np.array([0, 1, -1, 7, -7, info.min, info.max, 33], dtype)
        pairs = [np.repeat(numbers, 8), np.tile(numbers, 8)]
        type = f"tensor<?x{element}>"
        both = [f"{name}{flag}" for name in INTEGER_BINARY for flag in ("", " unsigned")]
        lines = chain(both, type, "%x, %y")
        cases.append((f"binary-{element}", function(f"%x: {type}, %y: {type}", f"%all : {type}", *lines), pairs))
        lines = chain(["abs", "neg", "sign", "relu", "not", "abs unsigned", "sign unsigned"], type, "%x")
        cases.append((f"unary-{element}", function(f"%x: {type}", f"%all : {type}", *lines), [numbers]))
        divisors = [pairs[0], np.where(pairs[1] == 0, 3, pairs[1]).astype(dtype)]
        lines = chain(["div", "rem", "div unsigned", "rem unsigned"], type, "%x, %y")
        cases.append((f"division-{element}", function(f"%x: {type}, %y: {type}", f"%all : {type}", *lines), divisors))
        cases.append((f"division-trap-{element}", function(f"%x: {type}, %y: {type}", f"%all : {type}", *lines), pairs))
    return cases


def choices() -> list[Case]:
    """Comparisons, selections, conversions."""
    lines = [f"%p{i} = hologram.compare {c} %x, %y : tensor<?xf32>" for i, c in enumerate("eq ne lt le gt ge".split())]
    lines += [f"%s{i} = hologram.select %p{i}, %x, %y : tensor<?xf32>" for i in range(6)]
    both = ", ".join(f"%s{i}" for i in range(6))
    types = ", ".join(["tensor<?xf32>"] * 6)
    lines.append(f"%r = hologram.concat {both} {{axis = 0 : i64}} : ({types}) -> tensor<?xf32>")
    pairs = [np.repeat(edges(), 12), np.tile(edges(), 12)]
    signature = "%x: tensor<?xf32>, %y: tensor<?xf32>"
    cases: list[Case] = [("select", function(signature, "%r : tensor<?xf32>", *lines), pairs)]
    unsigned = [f"%p{i} = hologram.compare {c} %x, %x : tensor<?xi32>" for i, c in enumerate("ltu leu gtu geu".split())]
    unsigned += ["%a = hologram.xor %p0, %p1 : tensor<?xi1>", "%b = hologram.and %p2, %p3 : tensor<?xi1>"]
    unsigned += ["%r = hologram.or %a, %b : tensor<?xi1>", "%n = hologram.not %r : tensor<?xi1>"]
    numbers = np.array([0, -1, 5, -(2**31)], np.int32)
    cases.append(
        ("predicates", function("%x: tensor<?xi32>", "%n, %r : tensor<?xi1>, tensor<?xi1>", *unsigned), [numbers])
    )
    for source, values in (
        ("f32", edges()),
        ("i64", i64(12)),
        ("i1", np.array([True, False])),
        ("f64", edges(np.float64)),
    ):
        for flag in ("", "unsigned ") if source == "i64" else ("",):
            targets = ["f16", "f32", "f64", "i8", "i32", "i64", "i1"]
            casts = [
                f"%r{i} = hologram.cast {flag}%x : tensor<?x{source}> to tensor<?x{t}>" for i, t in enumerate(targets)
            ]
            casts.append(f"%u = hologram.cast {flag}to_unsigned %x : tensor<?x{source}> to tensor<?xi32>")
            names = ", ".join([*(f"%r{i}" for i in range(len(targets))), "%u"])
            types = ", ".join(f"tensor<?x{t}>" for t in [*targets, "i32"])
            text = function(f"%x: tensor<?x{source}>", f"{names} : {types}", *casts)
            cases.append((f"cast-{flag.strip()}{source}", text, [values]))
    return [*cases, *_bitcasts()]


def _bitcasts() -> list[Case]:
    """The bits of elements as other types and back."""
    types = {"f16": "i16", "f32": "i32", "f64": "i64"}
    return [
        (
            f"bitcast-{element}",
            function(
                f"%x: tensor<?x{element}>",
                f"%i, %r : tensor<?x{word}>, tensor<?x{element}>",
                f"%i = hologram.bitcast %x : tensor<?x{element}> to tensor<?x{word}>",
                f"%r = hologram.bitcast %i : tensor<?x{word}> to tensor<?x{element}>",
            ),
            [edges(np.dtype(f"float{element[1:]}").type)],
        )
        for element, word in types.items()
    ]


def reductions() -> list[Case]:
    """Reductions of each kind and type, of nothing too."""
    cases: list[Case] = []
    arguments = {
        "f32": edges(),
        "f16": f32(40).astype(np.float16),
        "bf16": f32(40).astype(ml_dtypes.bfloat16),
        "i32": i64(12).astype(np.int32),
    }
    for element, values in arguments.items():
        for kind in ("sum", "product", "min", "max"):
            for flag in ("", " unsigned") if element == "i32" else ("",):
                text = function(
                    f"%x: tensor<?x{element}>",
                    f"%r : tensor<{element}>",
                    f"%r = hologram.reduce {kind}{flag} %x {{axes = [0 : i64]}} "
                    f": tensor<?x{element}> to tensor<{element}>",
                )
                cases.append((f"{kind}{flag.strip()}-{element}", text, [values]))
                cases.append((f"{kind}{flag.strip()}-{element}-empty", text, [values[:0]]))
    return cases


def axes() -> list[Case]:
    """One axis, several, all and none."""
    return [
        (
            "axes",
            function(
                "%x: tensor<2x?x3x2xf32>",
                "%r : tensor<?x2xf32>",
                "%r = hologram.reduce max %x {axes = [0 : i64, 2 : i64]} : tensor<2x?x3x2xf32> to tensor<?x2xf32>",
            ),
            [f32(2, 5, 3, 2)],
        ),
        (
            "no-axes",
            function(ROWS, "%r : tensor<?x4xf32>", "%r = hologram.reduce sum %x {axes = []} : tensor<?x4xf32>"),
            [f32(3, 4)],
        ),
        (
            "all-axes",
            function(
                ROWS,
                "%r : tensor<f32>",
                "%a = hologram.mul %x, %x : tensor<?x4xf32>",
                "%r = hologram.reduce sum %a {axes = [0 : i64, 1 : i64]} : tensor<?x4xf32> to tensor<f32>",
            ),
            [f32(3000, 4)],
        ),
    ]


def finishes() -> list[Case]:
    """Element-wise operations that follow a reduction and fuse with it."""
    return [
        (
            "finish",
            function(
                ROWS + ", %y: tensor<?xf32>",
                "%r : tensor<?xf32>",
                f"%s = {TOTAL}",
                "%a = hologram.div %s, %y : tensor<?xf32>",
                "%r = hologram.sqrt %a : tensor<?xf32>",
            ),
            [f32(3, 4), f32(3)],
        ),
        (
            "finish-rank-0",
            function(
                "%x: tensor<?xf32>",
                "%r : tensor<f32>",
                "%s = hologram.reduce sum %x {axes = [0 : i64]} : tensor<?xf32> to tensor<f32>",
                "%r = hologram.exp %s : tensor<f32>",
            ),
            [f32(5)],
        ),
        (
            "finish-transposed",
            function(
                "%x: tensor<2x3x4xf32>",
                "%r : tensor<3x2xf32>",
                "%s = hologram.reduce sum %x {axes = [2 : i64]} : tensor<2x3x4xf32> to tensor<2x3xf32>",
                "%r = hologram.transpose %s {permutation = [1 : i64, 0 : i64]} : tensor<2x3xf32> to tensor<3x2xf32>",
            ),
            [f32(2, 3, 4)],
        ),
        (
            "finish-with-dear-producer",
            function(
                ROWS + ", %y: tensor<?xf32>",
                "%r : tensor<?xf32>",
                "%e = hologram.exp %y : tensor<?xf32>",
                f"%s = {TOTAL}",
                "%r = hologram.mul %s, %e : tensor<?xf32>",
            ),
            [f32(3, 4), f32(3)],
        ),
    ]


def meetings() -> list[Case]:
    """Results that meet what they were made of."""
    return [
        (
            "mean-removed",
            function(
                "%x: tensor<3x4xf32>",
                "%r : tensor<3x4xf32>",
                "%s = hologram.reduce sum %x {axes = [1 : i64]} : tensor<3x4xf32> to tensor<3xf32>",
                "%b = hologram.broadcast %s {axes = [0 : i64]} : tensor<3xf32> to tensor<3x4xf32>",
                "%r = hologram.sub %x, %b : tensor<3x4xf32>",
            ),
            [f32(3, 4)],
        ),
        (
            "itself-transposed",
            function(
                "%x: tensor<3x3xf32>",
                "%r : tensor<3x3xf32>",
                "%e = hologram.exp %x : tensor<3x3xf32>",
                "%t = hologram.transpose %e {permutation = [1 : i64, 0 : i64]} : tensor<3x3xf32>",
                "%r = hologram.add %e, %t : tensor<3x3xf32>",
            ),
            [f32(3, 3)],
        ),
        (
            "softmax",
            function(
                ROWS,
                "%r, %s : tensor<?x4xf32>, tensor<?x4xf32>",
                "%r = hologram.softmax %x {axis = 1 : i64} : tensor<?x4xf32>",
                "%s = hologram.softmax %x {axis = 0 : i64} : tensor<?x4xf32>",
            ),
            [f32(3, 4)],
        ),
    ]


def products() -> list[Case]:
    """Products of matrices."""
    return [
        (
            "matmul",
            function(
                "%a: tensor<?x4xf32>, %b: tensor<4x?xf32>",
                "%r : tensor<?x?xf32>",
                "%c = hologram.matmul %a, %b : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>",
                "%r = hologram.relu %c : tensor<?x?xf32>",
            ),
            [f32(3, 4), f32(4, 2)],
        ),
        (
            "matmul-batch",
            function(
                "%a: tensor<2x?x3xi64>, %b: tensor<?x3x2xi64>",
                "%r : tensor<2x?x2xi64>",
                "%r = hologram.matmul %a, %b : (tensor<2x?x3xi64>, tensor<?x3x2xi64>) -> tensor<2x?x2xi64>",
            ),
            [i64(2, 3, 3), i64(2, 3, 2)],
        ),
        (
            "matmul-misfit",
            function(
                "%a: tensor<?x?xf32>, %b: tensor<?x?xf32>",
                "%r : tensor<?x?xf32>",
                "%r = hologram.matmul %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
            ),
            [f32(3, 4), f32(3, 2)],
        ),
    ]


def promises() -> list[Case]:
    """Types that say more than the operands do."""
    return [
        (
            "promised-size",
            function(
                "%x: tensor<?xf32>", "%r : tensor<4xf32>", "%r = hologram.neg %x : (tensor<?xf32>) -> tensor<4xf32>"
            ),
            [f32(4)],
        ),
        (
            "broken-promise",
            function(
                "%x: tensor<?xf32>", "%r : tensor<4xf32>", "%r = hologram.neg %x : (tensor<?xf32>) -> tensor<4xf32>"
            ),
            [f32(5)],
        ),
    ]


CASES: list[Case] = [
    *elementwise(), *choices(), *reductions(), *axes(), *finishes(), *meetings(), *products(), *promises(),
]  # fmt: skip
