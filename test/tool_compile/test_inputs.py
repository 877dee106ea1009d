"""The files that hologram-compile finds, and its errors for those that it can't read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hologram.runtime import archive
from hologram.tools.compile.inputs import find_inputs

from .programs import compiled, kernel, write


def test_links_in_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder is not looked for in itself; a link to another one is followed."""
    write(tmp_path / "k" / "inner", a=kernel("a"))
    write(tmp_path / "other", b=kernel("b"))
    (tmp_path / "k" / "inner" / "up").symlink_to("..")
    (tmp_path / "k" / "other").symlink_to("../other")
    monkeypatch.chdir(tmp_path)
    assert [i.name for i in find_inputs(["k"])] == ["k/inner/a.py", "k/other/b.py"]


def test_what_is_no_file_is_passed_over(tmp_path: Path):
    write(tmp_path / "k", a=kernel("a"))
    os.mkfifo(tmp_path / "k" / "pipe.py")
    (tmp_path / "k" / "folder.mlir").mkdir()
    compiled(tmp_path, "k", "-o", "k.holo")
    assert archive.open(tmp_path / "k.holo").programs == ("a",)


def test_files_that_can_not_be_read_are_told_with_the_others(tmp_path: Path):
    write(tmp_path / "k", a=kernel("a", "y"), b=kernel("b"))
    (tmp_path / "k" / "gone.py").symlink_to("nowhere")
    (tmp_path / "k" / "itself.mlir").symlink_to("itself.mlir")
    (tmp_path / "k" / "latin.py").write_bytes(b"@kernel\n# \xe9\n")
    found = compiled(tmp_path, "k", "missing", "-o", "k.holo", code=1).errors
    assert "k/a.py:10:16: error: there is no variable 'y'" in found
    assert "there is no file 'k/gone.py' [source-missing]\nhint: it is a link to 'nowhere', which is not there" in found
    assert "'k/itself.mlir' can't be read: Too many levels of symbolic links" in found
    assert "'k/latin.py' is not UTF-8 text: byte 10 can't be read [source-encoding]\n" in found
    assert "there is no file 'missing' [source-missing]" in found
    assert found.endswith("5 files of 6 could not be compiled\n")


def test_names_that_can_not_be_shown(tmp_path: Path):
    """They are refused with the errors of other files: nothing could be called by them."""
    write(tmp_path / "k", **{"a": kernel("a"), "two\nlines": kernel("b"), "no\udcfftext": kernel("c")})
    found = compiled(tmp_path, "k", "-o", "k.holo", code=1).errors
    assert "the name 'k/two\\nlines.py' has characters that can't be shown" in found
    assert "the name 'k/no\\udcfftext.py' has characters that can't be shown" in found
    assert found.endswith("2 files of 3 could not be compiled\n")


def test_names_are_no_programs(tmp_path: Path):
    """A name with braces is a file's here, not the text of a program."""
    write(tmp_path, **{"a{1}": kernel("a")})
    compiled(tmp_path, "a{1}.py", "-o", "a.holo")
    assert archive.open(tmp_path / "a.holo").programs == ("a{1}",)


def test_documents_on_one_line(tmp_path: Path):
    """Documents are read with their members in any order, in JSON and in the form of YAML that is like it."""
    write(tmp_path, a=kernel("a"))
    compiled(tmp_path, "a.py", "-o", "a.json")
    document = {"version": "1.0", **json.loads((tmp_path / "a.json").read_text())}
    folder = tmp_path / "k"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(document))
    (folder / "b.json").write_text(json.dumps({"version": "1.0", "kernels": [{"kernel": document["kernel"]}]}))
    plain = json.dumps(document).replace('"version"', "version").replace('"kernel":', "kernel :")
    (folder / "c.yaml").write_text(plain)
    (folder / "d.json").write_text('{"kernelspec": {"name": "python3"}, "kernel_size": 3}')
    assert [Path(i.path).name for i in find_inputs([str(folder)])] == ["a.json", "b.json", "c.yaml"]


def test_marks_of_byte_order(tmp_path: Path):
    """Editors put them in front of texts; what follows is the program."""
    (tmp_path / "a.py").write_text(kernel("a"), encoding="utf-8-sig")
    compiled(tmp_path, "a.py", "--emit", "json,ir", "-o", "out")
    for name in ("a.json", "a.mlir"):
        text = (tmp_path / "out" / name).read_text()
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        compiled(tmp_path, name, "--check")


def test_a_name_that_is_too_long(tmp_path: Path):
    for name in ("n" * 5000, "n" * 5000 + ".py"):
        assert "error: " in compiled(tmp_path, name, "--check", code=1).errors
