"""The kernel library on the CPU, and in all its forms."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from hologram.dialects import make_context
from hologram.dialects.mlir_parser import parse_module
from hologram.frontend.kernels.build import build
from hologram.frontend.kernels.document import read, write
from hologram.frontend.kernels.files import python_documents
from hologram.frontend.kernels.model import Document
from hologram.kernels import stdlib
from kernels.stdlib.cases import Row, cases, copied, load, rows

SOON = ("vector_add",)
"""Kernels that `make test` runs; `make programs` runs all."""
FILES = [path.relative_to(stdlib.ROOT).with_suffix("").as_posix() for path in stdlib.files()]


def run(row: Row, dtype: str) -> None:
    """Runs a kernel on all its sizes."""
    for sizes in row.sizes:
        given = row.draw(dtype, sizes)
        found = copied(given)
        row.kernel(*found, **row.constants)
        assert (problem := row.wrong(given, found)) is None, f"{row.title} of {dtype} at {sizes}: {problem}"


def named(case: tuple[Row, str]) -> str:
    return f"{case[0].title}-{case[1]}"


@pytest.mark.parametrize("case", cases(r for r in rows() if r.title in SOON), ids=named)
def test_some(case: tuple[Row, str]):
    run(*case)


def test_wrong_results_are_found():
    row = next(r for r in rows() if r.title == "vector_add")
    given = row.draw("f32", (7,))
    right = [*given[:2], given[0] + given[1]]
    assert row.wrong(given, right) is None
    assert row.wrong(given, given) is not None
    assert row.wrong(given, [right[1], *right[1:]]) == "argument 0 was changed"
    near = right[2] * np.float32(1 + 2.0**-22)
    assert row.wrong(given, [*right[:2], near]) is not None
    assert row.wrong(given, [*right[:2], near], bounded=True) is None


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(r for r in rows() if r.title not in SOON), ids=named)
def test_kernels(case: tuple[Row, str]):
    run(*case)


@cache
def documents(file: str) -> list[Document]:
    """The documents of a file of the library."""
    path = stdlib.ROOT / f"{file}.py"
    return python_documents(path.read_text(encoding="utf-8"), str(path))


def test_each_kernel_has_a_row():
    known = {(row.file, row.kernel_name) for row in rows()}
    assert {(file, document.kernel.name) for file in FILES for document in documents(file)} == known


def test_names_are_there_once():
    names = [document.kernel.name for file in FILES for document in documents(file)]
    assert sorted(names) == sorted(set(names))


def test_forms_of_one():
    same_in_all_forms("vector/vector_add")


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_forms(file: str):
    same_in_all_forms(file)


def same_in_all_forms(file: str) -> None:
    """The file that is read, the function, and the JSON text are one document; its IR is read back as it is."""
    for document in documents(file):
        assert load(file, document.kernel.name).document == document
        again = read(write(document))
        assert again == document
        text = str(build(again))
        assert text == str(build(document))
        module = parse_module(text, "kernel.mlir", make_context())
        module.verify()
        assert str(module) == text


PARTS = {"Shapes", "Types", "Source"}


@pytest.mark.parametrize("file", FILES)
def test_docstrings(file: str):
    """A formula, then what `Shapes:`, `Types:` and `Source:` say."""
    for document in documents(file):
        formula, _, rest = document.kernel.doc.partition("\n\n")
        assert formula.strip()
        assert set(re.findall(r"^([A-Z]\w+): .", rest, re.MULTILINE)) >= PARTS, document.kernel.name


def test_areas_are_packages():
    assert all((Path(stdlib.ROOT) / file).parent.joinpath("__init__.py").exists() for file in FILES)
    assert all(ast.get_docstring(ast.parse(p.read_text(encoding="utf-8"))) for p in stdlib.files())
