"""Tensor functions by hand: making, moving, slicing and joining."""

from __future__ import annotations

import numpy as np

from tensor_cases.functions import ROWS, Case, f32, function, i64

PAIRS = "%x: tensor<?x2xf32>"
TWO = "(tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>"


def makings() -> list[Case]:
    """Constants, and one value everywhere."""
    return [
        (
            "constant",
            function(
                "%x: tensor<2x2xf32>",
                "%r, %c : tensor<2x2xf32>, tensor<2x2xf32>",
                "%c = hologram.constant dense<[[1.0, 2.0], [-0.0, 4.0]]> : tensor<2x2xf32>",
                "%s = hologram.constant dense<3.0> : tensor<2x2xf32>",
                "%t = hologram.add %c, %s : tensor<2x2xf32>",
                "%r = hologram.mul %t, %x : tensor<2x2xf32>",
            ),
            [f32(2, 2)],
        ),
        (
            "constant-empty",
            function(
                "%x: tensor<0xf32>",
                "%r : tensor<0xf32>",
                "%c = hologram.constant dense<> : tensor<0xf32>",
                "%r = hologram.sub %x, %c : tensor<0xf32>",
            ),
            [f32(0)],
        ),
        (
            "fill",
            function(
                "%k: f32, %n: index", "%r : tensor<?x3xf32>", "%r = hologram.fill %k sizes(%n) : f32 to tensor<?x3xf32>"
            ),
            [np.float32(2.5), 4],
        ),
        (
            "fill-none",
            function(
                "%k: f32, %n: index", "%r : tensor<?xf32>", "%r = hologram.fill %k sizes(%n) : f32 to tensor<?xf32>"
            ),
            [np.float32(2.5), 0],
        ),
        (
            "fill-negative",
            function(
                "%k: f32, %n: index", "%r : tensor<?xf32>", "%r = hologram.fill %k sizes(%n) : f32 to tensor<?xf32>"
            ),
            [np.float32(2.5), -1],
        ),
        *_indices(),
    ]


def _indices() -> list[Case]:
    """The indices along an axis in each type, which wrap in the narrow ones and are rounded in f16."""
    types = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")
    long = function("", "%r : tensor<2051x2xf16>", "%r = hologram.iota {axis = 0 : i64} : tensor<2051x2xf16>")
    rows = [
        (
            f"iota-{name}-{size}",
            function(
                "%n: index", f"%r : tensor<2x?x{name}>",
                f"%r = hologram.iota sizes(%n) {{axis = 1 : i64}} : tensor<2x?x{name}>",
            ),
            [size],
        )
        for name in types for size in (0, 1, 301)
    ]  # fmt: skip
    return [*rows, ("iota-long", long, [])]


def broadcasts() -> list[Case]:
    """Sizes as numbers, and axes that repeat what is there."""
    return [
        (
            "dim",
            function(
                ROWS,
                "%r : tensor<?xf32>",
                "%n = hologram.dim %x {axis = 0 : i64} : tensor<?x4xf32> to index",
                "%m = hologram.dim %x {axis = 1 : i64} : tensor<?x4xf32> to index",
                "%k = arith.muli %n, %m : index",
                "%r = hologram.reshape %x sizes(%k) : tensor<?x4xf32> to tensor<?xf32>",
            ),
            [f32(3, 4)],
        ),
        (
            "broadcast",
            function(
                "%x: tensor<?xf32>, %n: index",
                "%r : tensor<?x?x2xf32>",
                "%d = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index",
                "%r = hologram.broadcast %x sizes(%n, %d) {axes = [1 : i64]} : tensor<?xf32> to tensor<?x?x2xf32>",
            ),
            [f32(3), 2],
        ),
        (
            "broadcast-one",
            function(
                "%x: tensor<1x3xf32>",
                "%r : tensor<4x3xf32>",
                "%r = hologram.broadcast %x : tensor<1x3xf32> to tensor<4x3xf32>",
            ),
            [f32(1, 3)],
        ),
        (
            "broadcast-scalar",
            function(
                "%x: tensor<f32>", "%r : tensor<2x0xf32>", "%r = hologram.broadcast %x : tensor<f32> to tensor<2x0xf32>"
            ),
            [f32()],
        ),
    ]


def reshapes() -> list[Case]:
    """The same elements in another shape."""
    return [
        (
            "reshape",
            function(
                ROWS,
                "%r : tensor<2x?xf32>",
                "%a = hologram.neg %x : tensor<?x4xf32>",
                "%b = hologram.reshape %a : tensor<?x4xf32> to tensor<?xf32>",
                "%r = hologram.reshape %b : tensor<?xf32> to tensor<2x?xf32>",
            ),
            [f32(3, 4)],
        ),
        (
            "reshape-argument",
            function(
                "%x: tensor<2x3xf32>",
                "%r : tensor<6xf32>",
                "%r = hologram.reshape %x : tensor<2x3xf32> to tensor<6xf32>",
            ),
            [f32(2, 3)],
        ),
        (
            "reshape-misfit",
            function(ROWS, "%r : tensor<5x?xf32>", "%r = hologram.reshape %x : tensor<?x4xf32> to tensor<5x?xf32>"),
            [f32(3, 4)],
        ),
        (
            "reshape-empty",
            function(
                "%x: tensor<?x0xf32>",
                "%r : tensor<0x?xf32>",
                "%r = hologram.reshape %x : tensor<?x0xf32> to tensor<0x?xf32>",
            ),
            [f32(3, 0)],
        ),
        (
            "reshape-of-slice",
            function(
                "%x: tensor<4x4xf32>",
                "%r : tensor<4xf32>",
                "%a = hologram.slice %x {starts = [0 : i64, 0 : i64], strides = [1 : i64, 1 : i64]} "
                ": tensor<4x4xf32> to tensor<2x2xf32>",
                "%r = hologram.reshape %a : tensor<2x2xf32> to tensor<4xf32>",
            ),
            [f32(4, 4)],
        ),
    ]


def rearrangements() -> list[Case]:
    """Elements in another order, and those that are asked for."""
    return [
        (
            "transpose",
            function(
                "%x: tensor<2x?x4xf32>",
                "%r : tensor<4x2x?xf32>",
                "%a = hologram.transpose %x {permutation = [1 : i64, 2 : i64, 0 : i64]} "
                ": tensor<2x?x4xf32> to tensor<?x4x2xf32>",
                "%r = hologram.transpose %a {permutation = [1 : i64, 2 : i64, 0 : i64]} "
                ": tensor<?x4x2xf32> to tensor<4x2x?xf32>",
            ),
            [f32(2, 3, 4)],
        ),
        (
            "gather",
            function(
                "%x: tensor<3x4xf32>, %i: tensor<?x2xi64>",
                "%r : tensor<3x?x2xf32>",
                "%a = hologram.exp %x : tensor<3x4xf32>",
                "%r = hologram.gather %a, %i {axis = 1 : i64} "
                ": (tensor<3x4xf32>, tensor<?x2xi64>) -> tensor<3x?x2xf32>",
            ),
            [f32(3, 4), np.array([[0, 3], [2, 2], [1, 0]])],
        ),
        (
            "gather-trap",
            function(
                "%x: tensor<4xf32>, %i: tensor<?xi32>",
                "%r : tensor<?xf32>",
                "%r = hologram.gather %x, %i {axis = 0 : i64} : (tensor<4xf32>, tensor<?xi32>) -> tensor<?xf32>",
            ),
            [f32(4), np.array([0, -1], np.int32)],
        ),
    ]


def arguments() -> list[Case]:
    """Arguments that are results, and results that are given twice."""
    return [
        (
            "no-operation",
            function("%x: tensor<?xf32>", "%x : tensor<?xf32>"),
            [f32(3)],
        ),
        (
            "twice",
            function(
                "%x: tensor<?xf32>",
                "%r, %r, %x : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>",
                "%r = hologram.neg %x : tensor<?xf32>",
            ),
            [f32(3)],
        ),
    ]


def cut(source: str, starts: list[int], strides: list[int], result: str, sizes: str = "") -> str:
    """A slice of a vector."""
    texts = [", ".join(f"{v} : i64" for v in values) for values in (starts, strides)]
    return f"hologram.slice {source}{sizes} {{starts = [{texts[0]}], strides = [{texts[1]}]}} : {result}"


def prefixes() -> list[Case]:
    """Slices from the start of a longer axis."""
    x = "%x: tensor<8xf32>"
    return [
        (
            "prefix",
            function(x, "%r : tensor<3xf32>", "%r = " + cut("%x", [0], [1], "tensor<8xf32> to tensor<3xf32>")),
            [f32(8)],
        ),
        (
            "prefix-sum",
            function(
                x,
                "%r : tensor<f32>",
                "%a = " + cut("%x", [0], [1], "tensor<8xf32> to tensor<3xf32>"),
                "%r = hologram.reduce sum %a {axes = [0 : i64]} : tensor<3xf32> to tensor<f32>",
            ),
            [f32(8)],
        ),
        (
            "prefix-product",
            function(
                x + ", %y: tensor<3xf32>",
                "%r : tensor<f32>",
                "%a = " + cut("%x", [0], [1], "tensor<8xf32> to tensor<3xf32>"),
                "%b = hologram.mul %a, %y : tensor<3xf32>",
                "%r = hologram.reduce sum %b {axes = [0 : i64]} : tensor<3xf32> to tensor<f32>",
            ),
            [f32(8), f32(3)],
        ),
        (
            "trap-outside",
            function(
                "%x: tensor<4xi64>, %y: tensor<4xi64>",
                "%r : tensor<2xi64>",
                "%q = hologram.div %x, %y : tensor<4xi64>",
                "%r = " + cut("%q", [0], [1], "tensor<4xi64> to tensor<2xi64>"),
            ),
            [i64(4), np.array([1, 2, 3, 0])],
        ),
    ]


def differences() -> list[Case]:
    """Slices of dynamic size, one of another place than the other."""
    d = "%x: tensor<?xf32>"
    n = "%n = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index"
    less = ["%one = arith.constant 1 : index", "%k = arith.subi %n, %one : index"]
    first = "%a = " + cut("%x", [0], [1], "tensor<?xf32> to tensor<?xf32>", " sizes(%k)")
    rest = "%b = " + cut("%x", [1], [1], "tensor<?xf32> to tensor<?xf32>", " sizes(%k)")
    return [
        (
            "differences",
            function(d, "%r : tensor<?xf32>", n, *less, first, rest, "%r = hologram.sub %b, %a : tensor<?xf32>"),
            [f32(6)],
        ),
        (
            "differences-of-none",
            function(d, "%r : tensor<?xf32>", n, *less, first, rest, "%r = hologram.sub %b, %a : tensor<?xf32>"),
            [f32(1)],
        ),
        (
            "differences-misfit",
            function(d, "%r : tensor<?xf32>", n, *less, first, rest, "%r = hologram.sub %b, %a : tensor<?xf32>"),
            [f32(0)],
        ),
    ]


def steps() -> list[Case]:
    """Slices with strides, backwards, and of slices."""
    x = "%x: tensor<8xf32>"
    return [
        (
            "strided",
            function(x, "%r : tensor<3xf32>", "%r = " + cut("%x", [1], [3], "tensor<8xf32> to tensor<3xf32>")),
            [f32(8)],
        ),
        (
            "backwards",
            function(x, "%r : tensor<8xf32>", "%r = " + cut("%x", [7], [-1], "tensor<8xf32> to tensor<8xf32>")),
            [f32(8)],
        ),
        (
            "back-and-forth",
            function(
                x,
                "%r : tensor<3xf32>",
                "%a = " + cut("%x", [2], [-1], "tensor<8xf32> to tensor<3xf32>"),
                "%r = " + cut("%a", [2], [-1], "tensor<3xf32> to tensor<3xf32>"),
            ),
            [f32(8)],
        ),
        (
            "back-and-forth-dynamic",
            function(
                "%x: tensor<8xf32>, %n: index",
                "%r : tensor<?xf32>",
                "%a = " + cut("%x", [2], [-1], "tensor<8xf32> to tensor<?xf32>", " sizes(%n)"),
                "%r = " + cut("%a", [2], [-1], "tensor<?xf32> to tensor<?xf32>", " sizes(%n)"),
            ),
            [f32(8), 3],
        ),
        (
            "empty-of-backwards",
            function(
                x,
                "%r : tensor<0xf32>",
                "%a = " + cut("%x", [0], [-1], "tensor<8xf32> to tensor<1xf32>"),
                "%r = " + cut("%a", [5], [1], "tensor<1xf32> to tensor<0xf32>"),
            ),
            [f32(8)],
        ),
    ]


def concatenations() -> list[Case]:
    """Parts that are computed in place, parts that can't be."""
    return [
        (
            "concat-in-place",
            function(
                PAIRS,
                "%r : tensor<?x2xf32>",
                "%a = hologram.exp %x : tensor<?x2xf32>",
                "%b = hologram.neg %x : tensor<?x2xf32>",
                f"%r = hologram.concat %a, %b {{axis = 0 : i64}} : {TWO}",
            ),
            [f32(3, 2)],
        ),
        (
            "concat-arguments",
            function(
                PAIRS + ", %y: tensor<1x2xf32>",
                "%r : tensor<?x2xf32>",
                "%r = hologram.concat %x, %y, %x {axis = 0 : i64} : "
                "(tensor<?x2xf32>, tensor<1x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>",
            ),
            [f32(2, 2), f32(1, 2)],
        ),
        (
            "concat-empty",
            function(
                "%x: tensor<0x2xf32>, %y: tensor<?x2xf32>",
                "%r : tensor<?x2xf32>",
                "%r = hologram.concat %x, %y {axis = 0 : i64} : (tensor<0x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>",
            ),
            [f32(0, 2), f32(2, 2)],
        ),
        (
            "concat-misfit",
            function(
                "%x: tensor<?x?xf32>, %y: tensor<?x?xf32>",
                "%r : tensor<?x?xf32>",
                "%r = hologram.concat %x, %y {axis = 0 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
            ),
            [f32(2, 2), f32(2, 3)],
        ),
    ]


def joined_again() -> list[Case]:
    """Concatenations of what is used elsewhere too, and of concatenations."""
    return [
        (
            "concat-shared",
            function(
                PAIRS,
                "%r, %a : tensor<?x2xf32>, tensor<?x2xf32>",
                "%a = hologram.exp %x : tensor<?x2xf32>",
                f"%r = hologram.concat %a, %a {{axis = 0 : i64}} : {TWO}",
            ),
            [f32(3, 2)],
        ),
        (
            "concat-nested",
            function(
                PAIRS,
                "%s : tensor<?x4xf32>",
                "%a = hologram.exp %x : tensor<?x2xf32>",
                "%b = hologram.neg %x : tensor<?x2xf32>",
                f"%r = hologram.concat %a, %b {{axis = 0 : i64}} : {TWO}",
                "%c = hologram.abs %r : tensor<?x2xf32>",
                "%s = hologram.concat %r, %c {axis = 1 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>",
            ),
            [f32(3, 2)],
        ),
        (
            "concat-reshaped",
            function(
                PAIRS,
                "%s : tensor<?xf32>",
                "%a = hologram.exp %x : tensor<?x2xf32>",
                "%b = hologram.neg %x : tensor<?x2xf32>",
                f"%r = hologram.concat %a, %b {{axis = 0 : i64}} : {TWO}",
                "%s = hologram.reshape %r : tensor<?x2xf32> to tensor<?xf32>",
            ),
            [f32(3, 2)],
        ),
    ]


CASES: list[Case] = [
    *makings(), *broadcasts(), *reshapes(), *rearrangements(), *arguments(),
    *prefixes(), *differences(), *steps(),
    *concatenations(), *joined_again(),
]  # fmt: skip
