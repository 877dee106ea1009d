"""The outputs of hologram-compile: it never overwrites its sources, and never writes only a part of the outputs."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from hologram.runtime import archive

from .programs import compiled, kernel, write

TENSORS = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = hologram.neg %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
"""


def test_a_form_that_some_have_not_is_told_of_all_and_nothing_is_written(tmp_path: Path):
    write(tmp_path / "k", a=kernel("a"))
    for name in ("b", "c"):
        (tmp_path / "k" / f"{name}.mlir").write_text(TENSORS)
    found = compiled(tmp_path, "k", "--emit", "ir,atlas-asm", "-o", "out", code=1).errors
    assert re.findall(r"'k/(.)\.mlir' has no form 'atlas-asm'", found) == ["b", "c"]
    assert found.endswith("2 files of 3 could not be compiled\n")
    assert not (tmp_path / "out").exists()
    assert compiled(tmp_path, "k", "--emit", "archive", "-o", "out/").errors == ""


def test_sources_are_not_written_over(tmp_path: Path):
    source = tmp_path / "a.mlir"
    source.write_text(TENSORS)
    (tmp_path / "link.mlir").symlink_to("a.mlir")
    calls = ("a.mlir --emit ir", "a.mlir -o ./a.mlir", "link.mlir --emit ir,llvm -o .")
    for args in map(str.split, calls):
        assert "would be written over" in compiled(tmp_path, *args, code=2).errors
    assert source.read_text() == TENSORS
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mlir", "link.mlir"]


def test_two_files_of_one_name_are_not_written(tmp_path: Path):
    (tmp_path / "a.mlir").write_text(TENSORS)
    (tmp_path / "a.atlas.mlir").write_text(TENSORS)
    found = compiled(tmp_path, "a.mlir", "a.atlas.mlir", "--emit", "ir,atlas", "-o", "out", code=2).errors
    assert "'out/a.atlas.mlir' would be written twice" in found


def test_a_file_is_no_folder_for_several(tmp_path: Path):
    write(tmp_path, a=kernel("a"), b=kernel("b"))
    found = compiled(tmp_path, "a.py", "b.py", "-o", "both.o", code=2).errors
    assert "2 files are written" in found
    assert not (tmp_path / "both.o").exists()


@pytest.mark.parametrize("name", ["x.holo", "x.so"])
def test_links_stay(tmp_path: Path, name: str):
    """A link stays, and a process that has mapped the old file keeps its content."""
    write(tmp_path, a=kernel("a"))
    (tmp_path / name).symlink_to("real")
    compiled(tmp_path, "a.py", "-o", name)
    before = (tmp_path / "real").stat().st_ino
    compiled(tmp_path, "a.py", "-o", name)
    assert (tmp_path / name).is_symlink()
    assert (tmp_path / "real").stat().st_ino != before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.py", "real", name]


def test_what_is_no_file_is_written_to(tmp_path: Path):
    """A pipe here; as root a device would be replaced otherwise."""
    write(tmp_path, a=kernel("a"))
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        compiled(tmp_path, "a.py", "--emit", "archive", "-o", "pipe")
        assert archive.open(os.read(reader, 1 << 20)).programs == ("a",)
    finally:
        os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_two_kernels_of_one_name(tmp_path: Path):
    """An archive has both, by the names of their programs; a library has one symbol of a name."""
    write(tmp_path / "k", a=kernel("same"), b=kernel("same", "x[i] - 1.0"))
    compiled(tmp_path, "k", "-o", "k.holo")
    assert [*archive.open(tmp_path / "k.holo").manifest.kernels] == ["a.same", "b.same"]
    found = compiled(tmp_path, "k", "-o", "k.so", code=1).errors
    assert "'k/a.py' and 'k/b.py' both have an entry 'same'" in found
    assert not (tmp_path / "k.so").exists()


def test_two_kernels_of_one_name_in_a_file(tmp_path: Path):
    write(tmp_path, a=kernel("same") + kernel("same", head="").replace("same", "same"))
    found = compiled(tmp_path, "a.py", "-o", "a.holo", code=1).errors
    assert "a.py:6:1: error: another function below is called 'same' too" in found
