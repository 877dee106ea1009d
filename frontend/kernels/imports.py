"""The files that a file of Python kernels imports functions and numbers from: those beside it, and the library's."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path

from hologram.support.regular_files import read_file

LIBRARY = "hologram.kernels."
"""How the names of the library's modules begin."""
_MAY_IMPORT = re.compile(rb"\bfrom[\s\\]+(?:\.|hologram[\s\\]*\.)")


def is_of_file(node: ast.ImportFrom) -> bool:
    """Return whether an import is of a file of functions."""
    return bool(node.level) or (node.module or "").startswith(LIBRARY)


def imported_file(node: ast.ImportFrom, file: str) -> str:
    """The path of the file that an import of `file` names."""
    parts = (node.module or "").split(".")
    if node.level:
        folder = Path(file).parent.joinpath(*[".."] * (node.level - 1))
    else:
        folder, parts = library_folder(), parts[2:]
    return os.path.normpath(folder.joinpath(*parts).with_suffix(".py"))


def library_folder() -> Path:
    """Return where the library's files are, whose modules are `hologram.kernels` and its parts."""
    spec = importlib.util.find_spec("hologram.kernels")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def imported_contents(data: bytes, file: str) -> list[bytes]:
    """The contents of all files that the file with a content imports, and they; what it means depends on them too."""
    contents: dict[str, bytes] = {}
    _gather(data, file, contents)
    return list(contents.values())


def imported_files(data: bytes, file: str) -> Iterator[str]:
    """The paths of the files that a file with a content imports, whether they are there or not."""
    if _MAY_IMPORT.search(data) is None:
        return
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return  # Whoever compiles it says so.
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and is_of_file(node):
            yield imported_file(node, file)


def _gather(data: bytes, file: str, contents: dict[str, bytes]) -> None:
    for path in imported_files(data, file):
        if path in contents:
            continue
        try:
            contents[path] = read_file(path)
        except OSError:
            continue
        _gather(contents[path], path, contents)
