"""Random Python kernels: what compiled ones write is what Python writes with the same function, to the bit; the kernel
as JSON and as YAML is the same IR."""

# Kernels are whatever their texts say.
# pyright: basic

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver.interpreted import interpret_kernel
from hologram.driver.source import Source
from hologram.frontend.kernels.build import build
from hologram.frontend.kernels.document import read, write
from hologram.frontend.kernels.files import python_documents, yaml_documents

from .counts import FUZZING, PROGRAMS, WORKERS, numbers
from .python_numbers import Memory, Number, names
from .python_programs import COLUMNS, INPUTS, LANES, OUTPUTS, source

COUNT = PROGRAMS if FUZZING else 40
NUMPY: dict[str, Any] = {
    "bool": np.bool_, "i8": np.int8, "i64": np.int64, "u8": np.uint8, "u32": np.uint32, "f32": np.float32,
    "f64": np.float64,
}  # fmt: skip


def arguments(seed: int) -> list[Any]:
    """Arrays and numbers for a kernel, with values at the ends of their types."""
    rng = np.random.default_rng(seed)
    found: list[Any] = []
    for dtype in INPUTS:
        kind = NUMPY[dtype]
        if np.dtype(kind).kind == "f":
            given = (rng.standard_normal(8) * rng.choice([1, 100, 1e6], 8)).astype(kind)
        elif dtype == "bool":
            given = rng.integers(0, 2, 8).astype(kind)
        else:
            ends = np.iinfo(kind)
            given = rng.integers(max(ends.min, -20), 20, 8).astype(kind)
            given[rng.integers(8)] = rng.choice([ends.min, ends.max])
        found.append(given)
    found += [np.zeros((LANES, COLUMNS), NUMPY[t]) for t in OUTPUTS]
    return [*found, np.zeros(3, np.int64), int(rng.integers(-9, 9))]


def by_python(text: str, given: list[Any]) -> None:
    """Python runs the function lane after lane."""
    now = [0]
    tree = ast.parse(text)
    tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.Assign)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.decorator_list, node.returns = [], None
            for parameter in node.args.args:
                parameter.annotation = None
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and "local" in ast.unparse(node.value):
            node.value = ast.parse("own_array()", mode="eval").body
    space = names(lambda: now[0])
    space["own_array"] = lambda: Memory(np.zeros(COLUMNS, np.int64), "i64")
    exec(compile(ast.fix_missing_locations(tree), "<kernel>", "exec"), space)
    types = [*INPUTS, *OUTPUTS, "i64"]
    memories = [Memory(a, t) for a, t in zip(given[:-1], types, strict=True)]
    with np.errstate(all="ignore"):
        for now[0] in range(LANES):
            space["kernel"](*memories, Number(given[-1], "i32"))


def same(a: Any, b: Any) -> bool:
    return bool(np.all((a == b) & (np.signbit(a) == np.signbit(b)) | (a != a) & (b != b))) if a.dtype.kind == "f" else (
        bool(np.array_equal(a, b))
    )  # fmt: skip


def check(seed: int, folder: Path) -> None:
    """One kernel by all ways."""
    text = source(seed)
    wanted = arguments(seed)
    by_python(text, wanted)
    file = folder / "kernel.py"
    file.write_text(text, encoding="utf-8")
    (document,) = python_documents(text, str(file))
    ir = str(build(document))
    written = write(document)
    assert str(build(read(written))) == ir, text
    if not FUZZING or seed % 8 == 0:  # Reading YAML takes as long as a compile.
        (again,) = yaml_documents(written, "kernel.yaml")
        assert str(build(again)) == ir, text
    given = arguments(seed)
    pipeline = "hologram-to-cpu-simt" if seed % 2 else "hologram-to-cpu"
    hologram.compile(file, cache=False, opt_level=seed % 3, pipeline=pipeline)(*given)
    compare(seed, text, given, wanted)
    if not FUZZING or seed % 8 == 1:
        again = arguments(seed)
        interpret_kernel(Source("py", str(file), text.encode()), document.kernel.name, again, None)
        compare(seed, text, again, wanted)


def compare(seed: int, text: str, given: list[Any], wanted: list[Any]) -> None:
    """Refuse what differs from what Python writes."""
    for found, right in zip(given, wanted, strict=True):
        assert not isinstance(found, np.ndarray) or same(found, right), f"seed {seed}\n{text}\n{found}\n{right}"


@pytest.mark.parametrize("worker", range(WORKERS))
def test_python_kernels(worker: int, tmp_path: Path):
    for seed in numbers(worker, COUNT):
        check(seed, tmp_path)
