"""The real mlir-opt gives each named operation of linalg the same body and maps."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from hologram.dialects import make_context
from hologram.dialects.linalg.named import OPERATIONS, Named
from hologram.dialects.linalg.named_table import BINARY
from hologram.dialects.mlir_parser import parse_module
from hologram.dialects.mlir_printer import print_operation
from hologram.transforms.analysis.verifier import verify_module
from upstream.forms import normal

pytestmark = pytest.mark.tools

SPLIT = "// -----\n"
BY_SHAPES = {"fill": [0, 2], "copy": [2, 2], "select": [2, 2, 2, 2], **dict.fromkeys(BINARY, [2, 2, 2])}
OF_FLOATS = "exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf powf".split()


def ranks(op: type[Named]) -> list[int]:
    """The number of axes of each operand."""
    operands = op.LOOPS.partition("|")[2].replace("->", ",").split(",")
    if op.LOOPS:
        return [len(words.replace("-", "").split()) for words in operands]
    return BY_SHAPES.get(op.name.partition(".")[2], [2, 2])


def program(op: type[Named], element: str, result: str) -> str:
    """A function with the operation, of these elements."""
    name, sizes = op.name.partition(".")[2], ranks(op)
    last = len(sizes) - 1
    number = "f32" if element[0] == "f" else result
    types = [f"memref<{'?x' * n}{element}>" if n else number for n in sizes[:-1]]
    types.append(f"memref<{'?x' * sizes[-1]}{result}>")
    if name == "fill_rng_2d":
        types[:3] = ["f64", "f64", "i32"]
    if name == "select":
        types[0] = "memref<?x?xi1>"
    windows = op.LOOPS.partition("->")[0].count("~")
    steps = ", ".join(
        f"{key} = dense<{numbers[:windows]}> : tensor<{windows}xi64>"
        for key, numbers in (("dilations", [2, 3, 5]), ("strides", [7, 11, 13]))
    )
    names = [f"%{k}" for k in range(last + 1)]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True)).replace("%", "%a")
    ins = f"{', '.join(names[:-1])} : {', '.join(types[:-1])}".replace("%", "%a")
    given = f"{{{steps}}} " if windows else ""
    return f"func.func @f({arguments}) {{\n  {op.name} {given}ins({ins}) outs(%a{last} : {types[-1]})\n  return\n}}\n"


def programs() -> Iterator[str]:
    for op in OPERATIONS:
        name = op.name.partition(".")[2]
        if name in ("contract", "elementwise"):
            continue
        cast = bool(op.LOOPS) or name == "copy"
        if name != "div_unsigned" and not name.endswith("_unsigned"):
            yield program(op, "f16" if cast else "f32", "f32")
        if name not in OF_FLOATS:
            yield program(op, "i8" if cast else "i32", "i32")
    maps = "[affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, i)>]"
    operands = "ins(%a, %a : memref<?x?xi8>, memref<?x?xi8>) outs(%o : memref<?x?xi32>)"
    for text in (
        f"linalg.contract indexing_maps = {maps} {{cast = #linalg.type_fn<cast_unsigned>}} {operands}",
        f"linalg.matmul indexing_maps = {maps} {operands}",
        "linalg.elementwise kind=#linalg.elementwise_kind<max_unsigned> ins(%o, %o : memref<?x?xi32>, memref<?x?xi32>)"
        " outs(%o : memref<?x?xi32>)",
        "linalg.map { arith.addi } ins(%o, %o : memref<?x?xi32>, memref<?x?xi32>) outs(%o : memref<?x?xi32>)",
        "linalg.transpose ins(%o : memref<?x?xi32>) outs(%o : memref<?x?xi32>) permutation = [1, 0]",
        "linalg.broadcast ins(%r : memref<?xi32>) outs(%o : memref<?x?xi32>) dimensions = [0]",
        "linalg.reduce { arith.muli } ins(%o : memref<?x?xi32>) outs(%r : memref<?xi32>) dimensions = [1]",
    ):
        yield f"func.func @f(%a: memref<?x?xi8>, %o: memref<?x?xi32>, %r: memref<?xi32>) {{\n  {text}\n  return\n}}\n"


def test_named_operations_are_upstreams():
    texts = [*programs()]
    command = [os.environ["HOLOGRAM_MLIR_OPT"], "--split-input-file", "--mlir-print-op-generic"]
    done = subprocess.run(command, input=SPLIT.join(texts), capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    theirs = done.stdout.split(SPLIT)
    assert len(theirs) == len(texts) > 100
    for text, other in zip(texts, theirs, strict=True):
        module = parse_module(text, "text", make_context())
        verify_module(module)
        ours = print_operation(module, generic=True)
        assert normal(ours.replace("999e-10", "999E-10")) == normal(other), text
        printed = print_operation(module)
        assert print_operation(parse_module(printed, "printed", make_context())) == printed
