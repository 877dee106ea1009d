"""The standard library of circuits. The inputs of an operation are in classes 0, 1, ..., scratch is in 80 and
above, and each row says where its results are. `hologram.sigil.library()` gives the texts, to be run or changed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LibraryCircuit:
    """An operation on classes, element by element."""

    name: str
    meaning: str
    inputs: int
    """How many classes it takes: 0, 1, ... up to this."""
    outputs: tuple[int, ...]
    """The classes of its results."""
    text: str
    """The circuit."""


def _unary(name: str, meaning: str) -> LibraryCircuit:
    return LibraryCircuit(name, meaning, 1, (1,), f"merge.{name}@c00[c00,c01]")


def _binary(name: str, generator: str, variant: str, meaning: str) -> LibraryCircuit:
    return LibraryCircuit(name, meaning, 2, (2,), f"{generator}.{variant}@c00[c01,c02]")


_ROWS = (
    # What one operation does
    LibraryCircuit("copy", "a", 1, (1,), "copy@c00->c01"),
    LibraryCircuit("swap", "b, a", 2, (0, 1), "swap@c00<->c01"),
    _unary("abs", "|a|"),
    _unary("exp", "e^a"),
    _unary("log", "ln a"),
    _unary("sqrt", "the square root of a"),
    _unary("sigmoid", "1 / (1 + e^-a)"),
    _unary("tanh", "tanh a"),
    _unary("gelu", "a times the normal distribution up to a"),
    _unary("relu", "max(a, 0)"),
    _binary("add", "merge", "add", "a + b"),
    _binary("mul", "merge", "mul", "a b"),
    _binary("minimum", "merge", "min", "the lesser; where one is NaN, the other"),
    _binary("maximum", "merge", "max", "the greater; where one is NaN, the other"),
    _binary("sub", "split", "sub", "a - b"),
    _binary("div", "split", "div", "a / b"),
    # Powers and roots
    LibraryCircuit("square", "a^2", 1, (1,), "merge.mul@c00[c00,c01]"),
    LibraryCircuit("cube", "a^3", 1, (1,), "merge.mul@c00[c00,c80] . merge.mul@c80[c00,c01]"),
    LibraryCircuit("double", "2 a", 1, (1,), "merge@c00[c00,c01]"),
    LibraryCircuit("reciprocal", "1 / a, for a finite and not 0", 1, (1,),
                   "split.div@c00[c00,c80] . split.div@c80[c00,c01]"),
    LibraryCircuit("power", "a^b = e^(b ln a), for a > 0", 2, (2,),
                   "merge.log@c00[c00,c80] . merge.mul@c80[c01,c80] . merge.exp@c80[c80,c02]"),
    LibraryCircuit("geometric_mean", "the square root of a b", 2, (2,),
                   "merge.mul@c00[c01,c80] . merge.sqrt@c80[c80,c02]"),
    LibraryCircuit("hypotenuse", "the square root of a^2 + b^2", 2, (2,),
                   "(merge.mul@c00[c00,c80] || merge.mul@c01[c01,c81]) . merge@c80[c81,c80] . merge.sqrt@c80[c80,c02]"),
    # Activations
    LibraryCircuit("swish", "a sigmoid(a)", 1, (1,), "merge.sigmoid@c00[c00,c80] . merge.mul@c00[c80,c01]"),
    LibraryCircuit("log_sigmoid", "ln sigmoid(a)", 1, (1,), "merge.sigmoid@c00[c00,c80] . merge.log@c80[c80,c01]"),
    LibraryCircuit("softplus", "ln(1 + e^a) = a - ln sigmoid(a), for a > -80", 1, (1,),
                   "merge.sigmoid@c00[c00,c80] . merge.log@c80[c80,c80] . split@c00[c80,c01]"),
    LibraryCircuit("mish", "a tanh(softplus(a)), for a > -80", 1, (1,),
                   "merge.sigmoid@c00[c00,c80] . merge.log@c80[c80,c80] . split@c00[c80,c80] . merge.tanh@c80[c80,c80]"
                   " . merge.mul@c00[c80,c01]"),
    LibraryCircuit("tanh_shrink", "a - tanh a", 1, (1,), "merge.tanh@c00[c00,c80] . split@c00[c80,c01]"),
    LibraryCircuit("glu", "a sigmoid(b)", 2, (2,), "merge.sigmoid@c01[c01,c80] . merge.mul@c00[c80,c02]"),
    LibraryCircuit("swiglu", "a sigmoid(a) b", 2, (2,),
                   "merge.sigmoid@c00[c00,c80] . merge.mul@c00[c80,c80] . merge.mul@c80[c01,c02]"),
    LibraryCircuit("gated_tanh", "tanh(a) sigmoid(b)", 2, (2,),
                   "(merge.tanh@c00[c00,c80] || merge.sigmoid@c01[c01,c81]) . merge.mul@c80[c81,c02]"),
    # Differences and orders
    LibraryCircuit("absolute_difference", "|a - b|", 2, (2,), "split@c00[c01,c80] . merge.abs@c80[c80,c02]"),
    LibraryCircuit("squared_difference", "(a - b)^2", 2, (2,), "split@c00[c01,c80] . merge.mul@c80[c80,c02]"),
    LibraryCircuit("log_ratio", "ln(a / b)", 2, (2,), "split.div@c00[c01,c80] . merge.log@c80[c80,c02]"),
    LibraryCircuit("sort2", "the lesser and the greater", 2, (0, 1),
                   "(merge.min@c00[c01,c80] || merge.max@c00[c01,c81]) . (copy@c80->c00 || copy@c81->c01)"),
    LibraryCircuit("clamp", "a, at least b and at most c", 3, (3,), "merge.max@c00[c01,c80] . merge.min@c80[c02,c03]"),
    LibraryCircuit("median3", "the middle one of three", 3, (3,),
                   "(merge.min@c00[c01,c80] || merge.max@c00[c01,c81]) . merge.min@c81[c02,c81]"
                   " . merge.max@c80[c81,c03]"),
    # Of several numbers
    LibraryCircuit("rotate3", "c, a, b", 3, (0, 1, 2), "swap@c00<->c01 . swap@c00<->c02"),
    LibraryCircuit("multiply_add", "a b + c in two roundings", 3, (3,), "merge.mul@c00[c01,c80] . merge@c80[c02,c03]"),
    LibraryCircuit("lerp", "a + (b - a) c", 3, (3,),
                   "split@c01[c00,c80] . merge.mul@c80[c02,c80] . merge@c00[c80,c03]"),
    LibraryCircuit("sum4", "(a + b) + (c + d)", 4, (4,),
                   "(merge@c00[c01,c80] || merge@c02[c03,c81]) . merge@c80[c81,c04]"),
    LibraryCircuit("dot2", "a b + c d", 4, (4,),
                   "(merge.mul@c00[c01,c80] || merge.mul@c02[c03,c81]) . merge@c80[c81,c04]"),
    LibraryCircuit("butterfly", "a + b, a - b", 2, (0, 1),
                   "(merge@c00[c01,c80] || split@c00[c01,c81]) . (copy@c80->c00 || copy@c81->c01)"),
    LibraryCircuit("complex_mul", "(a + b i)(c + d i): a c - b d, a d + b c", 4, (4, 5),
                   "(merge.mul@c00[c02,c80] || merge.mul@c01[c03,c81] || merge.mul@c00[c03,c82]"
                   " || merge.mul@c01[c02,c83])"
                   " . (split@c80[c81,c04] || merge@c82[c83,c05])"),
    # Amplitudes; c80 is 1 / 2, the sigmoid of a - a
    LibraryCircuit("reflection4", "2 m - x of each of four finite amplitudes x, with their mean m", 4, (0, 1, 2, 3),
                   "split@c00[c00,c80] . merge.sigmoid@c80[c80,c80]"
                   " . (merge@c00[c01,c81] || merge@c02[c03,c82]) . merge@c81[c82,c81] . merge.mul@c80[c81,c81]"
                   " . split@c81[c00,c00] . split@c81[c01,c01] . split@c81[c02,c02] . split@c81[c03,c03]"),
    LibraryCircuit("amplify4", "a step of amplitude amplification: the sign of the last of four finite amplitudes"
                   " turns, then each is reflected about the mean", 4, (0, 1, 2, 3),
                   "split@c00[c00,c80] . merge.sigmoid@c80[c80,c80]"
                   " . (merge@c00[c01,c81] || split@c02[c03,c82]) . merge@c81[c82,c81] . merge.mul@c80[c81,c81]"
                   " . split@c81[c00,c00] . split@c81[c01,c01] . split@c81[c02,c02] . merge@c81[c03,c03]"),
)  # fmt: skip
LIBRARY = {row.name: row for row in _ROWS}
"""Every operation by name."""
