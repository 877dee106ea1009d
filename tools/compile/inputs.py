"""The files that hologram-compile is given: single ones, those of folders that hold programs, and when they change."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from hologram.errors import InputError, UsageError
from hologram.frontend.kernels.imports import imported_files
from hologram.plugins.tables import KINDS
from hologram.support.regular_files import read_file

PROGRAMS = frozenset({".mlir", ".atlas", ".atlasb", ".circuit", ".py", ".json", ".yaml", ".yml", ".toml"})
"""What is looked for in folders."""
_KERNEL = {
    ".py": re.compile(rb"^@(?:\w+\.)*kernel\b", re.MULTILINE),
    **dict.fromkeys(
        (".json", ".yaml", ".yml", ".toml"),
        re.compile(rb"""^\W*kernels?\b|[{,]\s*["']?kernels?["']?\s*:""", re.MULTILINE),
    ),
}
"""Forms that other things are written in too, and what a file of kernels has."""
STDIN = "-"
Stamp = tuple[int, int] | None
"""The time and the size of a file; None where there is none."""


@dataclass(frozen=True)
class Input:
    """A file to be compiled."""

    path: str
    """As this process reads it."""
    name: str
    """What its outcome calls it: the same wherever the folder lies."""
    program: str
    """What an archive calls it, and how the names of files begin that are made of it."""


def find_inputs(given: Sequence[str]) -> list[Input]:
    """The files, in the order in which they are given; those of a folder by their names.

    Each is called by as little of its path as tells it from the others.
    """
    inputs: list[Input] = []
    for text in given:
        inputs += _files(text) if text != STDIN and os.path.isdir(text) else [_single(text)]
    unique = list({os.path.realpath(i.path) if i.path != STDIN else STDIN: i for i in reversed(inputs)}.values())[::-1]
    named = {i: i for i in unique}
    for name in _SHORTER:
        counts = Counter(name(i) for i in unique)
        named |= {i: replace(i, program=name(i)) for i in unique if counts[name(i)] == 1 and named[i] is i}
    taken = Counter(named[i].program for i in unique)
    for one in unique:
        if taken[named[one].program] > 1:
            raise UsageError(
                "compile-same-name",
                f"'{one.path}' and another file would both be called '{one.name}'",
                hint="compile from the folder that both are in, by relative paths",
            )
    return [named[i] for i in unique]


_SHORTER: tuple[Callable[[Input], str], ...] = (
    lambda given: given.program.rpartition("/")[2],
    lambda given: given.program,
    lambda given: _without_suffix(given.name),
    lambda given: given.name,
)
"""How a file may be called: by the last part of its path, by the path in its folder, with the folder, exactly."""


def _single(text: str) -> Input:
    if text == STDIN:
        return Input(text, "<stdin>", "a")
    path = Path(os.path.normpath(text))
    name = path.name if path.is_absolute() or path.parts[0] == ".." else path.as_posix()
    return Input(text, name, _without_suffix(path.name))


def _files(folder: str) -> list[Input]:
    base = Path(os.path.normpath(folder))
    if base == Path("."):
        head = Path()
    else:
        head = Path(base.name) if base.is_absolute() or base.parts[0] == ".." else base
    inputs: list[Input] = []
    suffixes = PROGRAMS | {f".{name}" for name in KINDS["front end"].all()}
    for inner in sorted(_walk(base, Path(), suffixes, frozenset())):
        if _holds_program(base / inner):
            inputs.append(Input(str(base / inner), (head / inner).as_posix(), _without_suffix(inner.as_posix())))
    if not inputs:
        raise InputError(
            "compile-empty-folder",
            f"the folder '{folder}' holds no program",
            hint=f"programs are files of kernels, and others that end in {', '.join(sorted(PROGRAMS))}",
        )
    return inputs


def _walk(base: Path, inner: Path, suffixes: Collection[str], above: frozenset[str]) -> Iterator[Path]:
    """The files of a folder that may be programs; `above` are the folders that it is in, to which links may lead."""
    real = os.path.realpath(base / inner)
    if real in above:
        return
    try:
        entries = list(os.scandir(base / inner))
    except OSError as error:
        _unreadable(base / inner, error)
    for entry in entries:
        if entry.name.startswith((".", "__")):
            continue
        if os.path.isdir(entry.path):
            yield from _walk(base, inner / entry.name, suffixes, above | {real})
        elif Path(entry.name).suffix.lower() in suffixes:
            yield inner / entry.name


def _holds_program(path: Path) -> bool:
    """Return whether a file of a folder is to be compiled: of forms for many things, the text tells.

    One that can't be read is, so that this is told with the errors of the others.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        pattern = _KERNEL.get(path.suffix.lower())
        return pattern is None or pattern.search(read_file(path)) is not None
    except OSError:
        return True


def _unreadable(path: Path, error: OSError) -> NoReturn:
    reason = (error.strerror or str(error)).lower()
    raise InputError(
        "compile-unreadable", f"'{path}' can't be read: {reason}", hint="leave it out, or mend it"
    ) from None


def _without_suffix(name: str) -> str:
    return name.removesuffix(Path(name).suffix)


def check_given(files: Iterable[str]) -> None:
    """Raises a UsageError where standard input is given with other files, or something is no file's name."""
    given = list(files)
    if STDIN in given and len(given) > 1:
        raise UsageError("compile-stdin", "standard input is compiled alone", hint="leave out '-', or the other files")
    if "" in given:
        raise UsageError("compile-empty-name", "the name of a file is empty", hint="'.' is the folder that this is in")


# Watching


class Watched:
    """The files that a run depends on: those that are compiled, and those that they import functions from."""

    def __init__(self) -> None:
        self._imports: dict[str, tuple[Stamp, list[str]]] = {}
        """What each file imports, as long as it has this stamp."""

    def state(self, paths: Iterable[str]) -> dict[str, Stamp]:
        """The stamp of each file, and of all that it imports."""
        stamps: dict[str, Stamp] = {}
        left = list(paths)
        while left:
            path = left.pop()
            if path not in stamps:
                stamps[path] = _stamp(path)
                left += self._imported(path, stamps[path])
        return stamps

    def _imported(self, path: str, stamp: Stamp) -> list[str]:
        """The files that a file names in its imports, whether they are there or not."""
        if not path.endswith(".py"):
            return []
        known = self._imports.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            names = list(imported_files(read_file(path), path))
        except OSError:
            names = []
        self._imports[path] = stamp, names
        return names


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
