"""Holds two checkouts against each other: every stage of every example and library kernel, through every pipeline.

Run from the root of each checkout, by the Python of its own environment; a refactoring leaves all files equal::

    .venv/bin/python -P test/dumps.py write build/dumps/before    # in the old checkout
    .venv/bin/python -P test/dumps.py write build/dumps/after     # in the new one
    .venv/bin/python -P test/dumps.py compare OLD/build/dumps/before build/dumps/after

`compare --canonical` compares files of IR after `canonicalize` and `cse`, with values numbered anew, and objects not
at all. Programs that a pipeline refuses are compared by the text of the refusal. This file imports nothing of the
package by module: it finds the command as pip installs it, so that it also serves checkouts with another layout.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FORMS = (".mlir", ".ll")
COMPILED = (".o", ".s")
"""The dumps that follow from the LLVM IR: with `--canonical` they may differ by an order of registers."""


def hologram_opt(*args: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command, run in this process."""
    (point,) = (point for point in entry_points(group="console_scripts") if point.name == "hologram-opt")
    out, err = io.TextIOWrapper(io.BytesIO(), write_through=True), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: int = point.load()(list(args)) or 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
    return code, out.buffer.getvalue().decode("utf-8", "replace"), err.getvalue()


def programs() -> Iterator[Path]:
    """The examples and the kernels of the library, as paths from the root."""
    yield from sorted(path.relative_to(ROOT) for path in (ROOT / "examples").glob("*.mlir"))
    for path in sorted((ROOT / "kernels/stdlib").glob("*/*.py")):
        if path.name != "__init__.py":
            yield path.relative_to(ROOT)


def pipelines() -> list[str]:
    code, text, error = hologram_opt("--list-pipelines", "--json")
    if code:
        raise SystemExit(error)
    return [row["name"] for row in json.loads(text)]


def write_one(job: tuple[str, str, str]) -> str:
    """Dumps one program's stages below the folder; gives what became of it."""
    folder, program, pipeline = job
    place = Path(folder, pipeline, program.replace("/", "__"))
    place.mkdir(parents=True)
    os.chdir(ROOT)
    try:
        code, _, error = hologram_opt(program, "-p", pipeline, "--dump-stages-to", str(place), "-o", os.devnull)
    except Exception as fault:
        code, error = 70, f"{type(fault).__name__}: {fault}"
    if code:
        (place / "error.txt").write_text(f"exit code {code}\n{error}".replace(str(place), "PLACE"))
    return "dumped" if not code else f"exit code {code}"


def write(folder: Path, jobs: int, only: str) -> None:
    """Dumps all programs through all pipelines into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    work = [(str(folder), str(program), line) for line in pipelines() for program in programs() if only in str(program)]
    with ProcessPoolExecutor(jobs) as pool:
        counts = Counter(pool.map(write_one, work, chunksize=8))
    for outcome, count in sorted(counts.items()):
        print(f"{count:6} {outcome}")


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def canonical(path: Path) -> bytes:
    """The text of a dumped file after canonicalize and cse; a file that is no IR of ours as it is."""
    if path.suffix != ".mlir":
        return path.read_bytes()
    code, text, error = hologram_opt(str(path), "-p", "canonicalize,cse,canonicalize")
    return (text if not code else error).encode()


def differences(job: tuple[Path, Path, Path, bool]) -> str | None:
    """The difference between a file of one folder and of the other, if there is any."""
    old, new, name, loosely = job
    if (old / name).read_bytes() == (new / name).read_bytes():
        return None
    if loosely and (name.suffix not in FORMS or canonical(old / name) == canonical(new / name)):
        return None
    return f"differs: {name}"


def compare(old: Path, new: Path, loosely: bool, jobs: int) -> list[str]:
    """A line for every file that one folder lacks or that differs."""
    before, after = files(old), files(new)
    found = [f"only before: {name}" for name in sorted(before - after)]
    found += [f"only after: {name}" for name in sorted(after - before)]
    work = [(old, new, name, loosely) for name in sorted(before & after)]
    with ProcessPoolExecutor(jobs) as pool:
        found += [line for line in pool.map(differences, work, chunksize=32) if line is not None]
    print(f"{len(before)} files before, {len(after)} after, {len(found)} differences")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    writer = verbs.add_parser("write", help="dump everything into a new folder")
    writer.add_argument("folder", type=Path)
    writer.add_argument("--only", default="", metavar="WORD", help="programs whose path holds WORD")
    comparer = verbs.add_parser("compare", help="hold two such folders against each other")
    comparer.add_argument("old", type=Path)
    comparer.add_argument("new", type=Path)
    comparer.add_argument("--canonical", action="store_true", help="compare IR after canonicalize and cse")
    for verb in (writer, comparer):
        verb.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args: Any = parser.parse_args()
    if args.verb == "write":
        write(args.folder.resolve(), args.jobs, args.only)
        return 0
    found = compare(args.old.resolve(), args.new.resolve(), args.canonical, args.jobs)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
