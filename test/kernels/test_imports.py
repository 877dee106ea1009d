"""Files of kernels, which are read and not run, find functions and numbers in other files."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.driver.source import Source
from hologram.errors import InputError
from hologram.frontend.kernels.document import write
from hologram.frontend.kernels.files import python_documents

KERNEL = """
import hologram
{imports}
from hologram.language import Array, i64

HALF = CHUNK // 2


@hologram.kernel(lanes="1", block=1)
def kernel(x: Array[i64]):
    x[0] = chunks(x[0]) + HALF
"""


def run(text: str, folder: Path) -> int:
    file = folder / "sub" / "kernel.py"
    (document,) = python_documents(text, str(file))
    x = np.array([4097])
    hologram.compile(Source("json", "kernel.json", write(document).encode()))(x)
    return int(x[0])


def test_of_the_library(tmp_path: Path):
    imports = "from hologram.kernels.stdlib.blocks import CHUNK, chunks"
    assert run(KERNEL.format(imports=imports), tmp_path) == 2 + 2048


@pytest.mark.parametrize("dots", [".", ".."])
def test_beside_the_file(tmp_path: Path, dots: str):
    folder = tmp_path if dots == ".." else tmp_path / "sub"
    folder.mkdir(exist_ok=True)
    (folder / "sizes.py").write_text(
        "from .other import CHUNK\n\n\ndef chunks(n):\n    return n + OWN\n\n\nOWN = CHUNK + 1\n"
    )
    (folder / "other.py").write_text("CHUNK = 10\n")
    assert run(KERNEL.format(imports=f"from {dots}sizes import CHUNK, chunks as chunks"), tmp_path) == 4097 + 11 + 5


def test_files_that_change_meanwhile(tmp_path: Path):
    """In one process: a file whose text stays means something else when one that it imports changes, or comes."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "sizes.py").write_text("from .other import CHUNK\n\n\ndef chunks(n):\n    return n + CHUNK\n")
    text = KERNEL.format(imports="from .sizes import CHUNK, chunks")
    with pytest.raises(hologram.InputError, match=r"sizes.py:1:1: error: there is no file '.*other.py'"):
        run(text, tmp_path)
    for size in (10, 20):
        (tmp_path / "sub" / "other.py").write_text(f"CHUNK = {size}\n")
        assert run(text, tmp_path) == 4097 + size + size // 2
    (tmp_path / "sub" / "other.py").write_bytes(b"CHUNK = 10  # \xe9\n")
    with pytest.raises(hologram.InputError, match=r"sizes.py:1:1: error: the file '.*other.py' can't be read as text"):
        run(text, tmp_path)


def test_files_that_import_each_other(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text("from .b import CHUNK, chunks\n")
    (tmp_path / "sub" / "b.py").write_text("from .a import CHUNK, chunks\n")
    with pytest.raises(hologram.InputError, match=r"b.py:1:1: error: there is no function or number 'CHUNK'"):
        run(KERNEL.format(imports="from .a import CHUNK, chunks"), tmp_path)


def test_faults_name_the_file_that_they_are_in(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text("CHUNK = 8\n\n\ndef chunks(n):\n    return n + wrong\n")
    with pytest.raises(hologram.InputError, match=r"sub/a.py:5:16: error: there is no variable 'wrong'"):
        run(KERNEL.format(imports="from .a import CHUNK, chunks"), tmp_path)


def test_faults_of_a_function_that_a_shared_function_calls_name_its_file(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    shared = "CHUNK = 8\n\n\ndef inner(n):\n    return n + wrong\n\n\ndef chunks(n):\n    return inner(n)\n"
    (tmp_path / "sub" / "a.py").write_text(shared)
    with pytest.raises(hologram.InputError, match=r"sub/a.py:5:16: error: there is no variable 'wrong'"):
        run(KERNEL.format(imports="from .a import CHUNK, chunks"), tmp_path)


SHARED = """
from hologram.language import Element, barrier, lane_id, shared

T = Element("T", "f32", "f64", "i64")


def total(x):
    part = shared(T, 4)
    part[lane_id()] = x[lane_id()]
    barrier()
    return part[0] + part[1] + part[2] + part[3]


def twice(x):
    return total(x) + total(x)
"""
FLOATS = """
import hologram
from hologram.language import Array, Element, lane_id

from .sums import twice

T = Element("T", {types})


@hologram.kernel(lanes="4", block=4)
def kernel(x: Array[T], out: Array[T]):
    total = twice(x)
    if lane_id() == 0:
        out[0] = total
"""


def test_shared_functions_declare_arrays_and_serve_fewer_types(tmp_path: Path):
    (tmp_path / "sums.py").write_text(SHARED)
    (document,) = python_documents(FLOATS.format(types='"f64", "f32"'), str(tmp_path / "kernel.py"))
    assert document.types == {"T": ("f64", "f32")}
    x, out = np.arange(4.0), np.zeros(1)
    hologram.compile(Source("json", "kernel.json", write(document).encode()))(x, out)
    assert out[0] == 12.0
    with pytest.raises(InputError, match="there are two element types 'T'"):
        python_documents(FLOATS.format(types='"f64", "f16"'), str(tmp_path / "kernel.py"))


def test_a_loaded_file_that_was_changed_since(tmp_path: Path):
    """Another function's text is not taken for the kernel's."""
    kernel = "@hologram.kernel\ndef {}():\n    pass\n"
    text = f"import hologram\n{kernel.format('first')}{kernel.format('other')}"
    path = tmp_path / "kernels.py"
    path.write_text(text)
    names = runpy.run_path(str(path))
    path.write_text(text.replace("first", "third") + "\n")
    with pytest.raises(InputError, match="the text of 'first' can't be read"):
        _ = names["first"].document
    assert names["other"].document
