"""Runs kernel-level programs one after the other, and writes a line for the outcome of each.

`python run_programs.py LEVEL DEVICE FILE...`: a process that dies at a file has written the lines of those before it.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import hologram
from hologram.tools.run.values import parse_value


def outcome(path: Path, level: int, device: str) -> list[Any]:
    """What comes of a program: the arrays that it was given, as they are afterwards, or an error."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r"// ARGS: (.*)", text)
    assert found is not None
    args = [parse_value(word, None) for word in shlex.split(found[1])]
    try:
        kernel = hologram.compile(path, opt_level=level, device=device, cache=False)
    except hologram.HologramError as error:
        return ["refused", error.code, str(error)]
    try:
        kernel(*args)
    except hologram.HologramError as error:
        return ["trap" if error.code == "program-trap" else "error", error.code, str(error)]
    return ["value", [a.tolist() for a in args if hasattr(a, "tolist") and getattr(a, "ndim", 0)]]


def main() -> None:
    """Says what each file comes to."""
    level, device, *paths = sys.argv[1:]
    for path in paths:
        print(json.dumps([path, "begins"]), flush=True)
        print(json.dumps([path, *outcome(Path(path), int(level), device)]), flush=True)


if __name__ == "__main__":
    main()
