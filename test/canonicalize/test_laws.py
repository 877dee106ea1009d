"""Each law of arithmetic by its meaning: a program of its left side gives the same before and after."""

from __future__ import annotations

import ast
import itertools
import operator
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from hologram.dialects import make_context
from hologram.errors import HologramError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.transforms.canonical.canonicalize import canonicalize
from hologram.transforms.canonical.rules.arith import LAWS
from hologram.transforms.canonical.rules.integers import PREDICATES
from hologram.transforms.canonical.rules.laws import Law

WIDTHS = (8, 16, 32, 64)
PLACES = random.Random(7)
EDGES = (0, 1, -1, 2, 5, -7, 127, -128, 255, 32767, -32768)
_CASTS = ("extsi", "extui", "trunci", "index_cast", "index_castui", "bitcast", "extf", "truncf", "sitofp", "uitofp")
FLOATS = ("addf", "subf", "mulf", "divf", "negf", "maximumf", "minimumf", "maxnumf", "minnumf")


class Writer:
    """Writes a part of a law as IR, with types that fit it: `width` is that of the outermost operation's operands."""

    def __init__(self, rng: random.Random, flags: str):
        self.rng, self.flags = rng, flags
        self.lines: list[str] = []
        self.arguments: dict[str, str] = {}
        self.constants: dict[str, str] = {}

    def operation(self, node: ast.Call, type: str) -> str:
        """An operation that gives a type; the name of its result."""
        function = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        assert isinstance(function, ast.Name)
        name = function.id
        out = f"%v{len(self.lines)}_{self.rng.randrange(10**9)}"
        if name in _CASTS:
            source = self.source_of(name, type)
            contract = " fastmath<contract>" if name in ("extf", "truncf") else ""
            value = self.value(node.args[0], source)
            self.lines.append(f"{out} = arith.{name} {value}{contract} : {source} to {type}")
            return out
        inside = (
            type
            if name != "cmpi"
            else self.arguments.get(_only_name(node.args[0]), f"i{self.rng.choice((1, *WIDTHS))}")
        )
        if name == "select":
            given = [self.value(node.args[0], "i1"), *(self.value(a, type) for a in node.args[1:])]
        else:
            given = [self.value(a, inside) for a in node.args]
        flags = f" overflow<{self.flags}>" if self.flags and name in ("addi", "subi", "muli") else ""
        flags = " fastmath<nnan,nsz>" if name == "mulf" else flags
        if name == "cmpi":
            assert isinstance(node.func, ast.Subscript)
            wanted = node.func.slice
            number = wanted.value if isinstance(wanted, ast.Constant) else self.rng.randrange(10)
            assert isinstance(number, int)
            self.lines.append(f"{out} = arith.cmpi {PREDICATES[number]}, {given[0]}, {given[1]} : {inside}")
        else:
            self.lines.append(f"{out} = arith.{name} {', '.join(given)}{flags} : {type}")
        return out

    def source_of(self, name: str, type: str) -> str:
        """A type that a conversion may have begun with."""
        if name.startswith("index"):
            return f"i{self.rng.choice((8, 32, 64))}" if type == "index" else "index"
        if name in ("extsi", "extui", "trunci"):
            width = int(type[1:]) if type != "index" else 0
            fits = [w for w in (1, *WIDTHS) if (w > width if name == "trunci" else w < width)]
            if not fits:
                raise LookupError(type)
            return f"i{self.rng.choice(fits)}"
        if name == "extf":
            return {"f64": self.rng.choice(("f16", "f32")), "f32": "f16"}[type]
        if name == "truncf":
            return {"f16": self.rng.choice(("f32", "f64")), "f32": "f64"}[type]
        return {"sitofp": "i8", "uitofp": "i8"}.get(name, {"i32": "f32", "f32": "i32"}.get(type, "i32"))

    def value(self, node: ast.expr, type: str) -> str:
        """A value of a type: an argument, a constant, or an operation."""
        if isinstance(node, ast.Call):
            return self.operation(node, type)
        if isinstance(node, ast.Name) and node.id not in ("inf", "nan") and not node.id[0].isupper():
            if self.arguments.setdefault(node.id, type) != type:
                raise LookupError(type)
            return f"%{node.id}"
        text = ast.unparse(node)
        if isinstance(node, ast.Name) and node.id[0].isupper():
            text = str(self.rng.choice((self.rng.randrange(-9, 9), self.rng.choice((0, 1, 127, -128)))))
        name = f"%c{len(self.constants)}_{self.rng.randrange(10**9)}"
        special = {"inf": "0x7F800000", "-inf": "0xFF800000", "nan": "0x7FC00000"}.get(text, text)
        if type == "i1":
            special = "true" if special in ("1", "-1") else "false"
        self.lines.append(f"{name} = arith.constant {special}{'' if type == 'i1' else f' : {type}'}")
        self.constants[name] = text
        return name


def _only_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def program(law: Law, seed: int, flags: str) -> tuple[str, Mapping[str, str]] | None:
    """A function of the left side of a law, and the types of its arguments; None where the types drawn do not fit."""
    rng = random.Random(f"{law.text} {seed}")
    name = law.name
    if name in ("cmpi",):
        type = "i1"
    elif name in FLOATS:
        type = "f32"
    elif name in ("truncf", "extf"):
        type = rng.choice(("f16", "f32") if name == "truncf" else ("f32", "f64"))
    elif name == "bitcast":
        type = rng.choice(("f32", "i32"))
    elif name.startswith("index"):
        type = "index" if rng.random() < 0.5 else f"i{rng.choice((8, 32, 64))}"
    else:
        has_bits = not name.startswith(("div", "ceil", "floor", "rem", "sh"))
        type = rng.choice((*["i1"] * has_bits, *(f"i{w}" for w in WIDTHS)))
    writer = Writer(rng, flags)
    try:
        left = ast.parse(law.text.partition("->")[0].strip(), mode="eval").body
        assert isinstance(left, ast.Call)
        result = writer.operation(left, type)
    except LookupError:
        return None
    arguments = ", ".join(f"%{n}: {t}" for n, t in writer.arguments.items())
    body = "\n  ".join([*writer.lines, f"func.return {result} : {type}"])
    return f"func.func @f({arguments}) -> {type} {{\n  {body}\n}}", writer.arguments


def parsed(text: str) -> ModuleOp | None:
    """The module of a text; None where the types drawn do not fit."""
    try:
        module = parse_module(text, "law.mlir", make_context())
        module.verify()
    except Exception:
        return None
    return module


def number(type: str, rng: random.Random) -> Any:
    """A value of a type, an extreme one often."""
    if type == "i1":
        return np.bool_(rng.randrange(2))
    if type[0] == "f":
        special = (0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, 6e4, 1e-40)
        return np.dtype(f"float{type[1:]}").type(rng.choice((*special, rng.uniform(-9, 9))))
    width = 64 if type == "index" else int(type[1:])
    value = rng.choice((rng.choice(EDGES), rng.randrange(1 << width), 1 << (width - 1)))
    value &= (1 << width) - 1
    return np.dtype(f"int{width}").type(value - (1 << width) if value >> (width - 1) else value)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.text)
def test_law_keeps_the_meaning(law: Law):
    matched = compared = 0
    for seed, flags in itertools.product(range(40), ("", "nsw, nuw")):
        made = program(law, seed, flags)
        before = None if made is None else parsed(made[0])
        after = None if made is None else parsed(made[0])
        if made is None or before is None or after is None:
            continue
        canonicalize(make_context(), after)
        after.verify()
        matched += str(after) != str(before)
        if flags:
            continue  # Values that break the promises are poison; the test below is about those.
        rng = random.Random(seed)
        for _ in range(6):
            arguments = [number(t, rng) for t in made[1].values()]
            try:
                wanted = interpret(before, "f", arguments)
            except HologramError:
                continue
            if law.name == "mulf" and np.isnan(wanted[0]):
                continue  # The flag `nnan` of these laws makes it poison.
            if law.name == "extf" and str(after) != str(before):
                wanted = arguments  # The flag `contract` leaves out the rounding.
            (found,) = interpret(after, "f", arguments)
            np.testing.assert_array_equal(found, wanted[0], err_msg=f"{before}\n{after}\n{arguments}")
            compared += 1
        if matched > 6 and compared > 40:
            break
    assert matched, "no program of the law was rewritten"


def with_promises(module: ModuleOp, arguments: Sequence[int]) -> int | None:
    """The result of a function of i8; None where an operation breaks a promise not to overflow."""
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    values: dict[SSAValue, int] = dict(zip(function.args, arguments, strict=True))
    join = {"arith.addi": operator.add, "arith.subi": operator.sub, "arith.muli": operator.mul}
    for op in function.body.block.ops:
        if isinstance(op, arith.ConstantOp):
            values[op.result] = int(np.int8(op.value.value.data))  # pyright: ignore
        elif op.name in join:
            pair = [values[o] for o in op.operands]
            promised = {f.value for f in op.properties["overflowFlags"].data}  # pyright: ignore
            exact, unsigned = join[op.name](*pair), join[op.name](*(v & 255 for v in pair))
            if ("nsw" in promised and not -128 <= exact <= 127) or ("nuw" in promised and not 0 <= unsigned <= 255):
                return None
            values[op.results[0]] = (exact + 128) % 256 - 128
    return values[function.get_return_op().operands[0]]  # pyright: ignore


@pytest.mark.parametrize("law", [each for each in LAWS if each.exact], ids=lambda law: law.text)
def test_law_keeps_promises(law: Law):
    kept = 0
    for seed, flags in itertools.product(range(50), ("nsw", "nuw", "nsw, nuw")):
        made = program(law, seed, flags)
        if made is None or "-> i8" not in made[0]:
            continue
        before, after = parsed(made[0]), parsed(made[0])
        assert before is not None
        assert after is not None
        canonicalize(make_context(), after)
        rng = random.Random(seed)
        for _ in range(60):
            arguments = [rng.randrange(-128, 128) for _ in made[1]]
            wanted = with_promises(before, arguments)
            if wanted is not None:
                assert with_promises(after, arguments) == wanted, f"{before}\n{after}\n{arguments}"
                kept += 1
    assert kept, "no program kept its promises"
