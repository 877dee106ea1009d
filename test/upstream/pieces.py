"""The pieces of upstream's tests, and what we make of each: read, verified, printed, read again."""

from __future__ import annotations

import json
import lzma
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import make_context
from hologram.dialects.mlir_parser import parse_module
from hologram.dialects.mlir_printer import print_operation
from hologram.errors import HologramError
from hologram.transforms.analysis.verifier import collect_errors
from upstream.forms import normal

FOLDER = Path(os.environ.get("HOLOGRAM_SUITES", Path(__file__).parents[3] / "shared" / "suites")) / "mlir"
"""Where the suite lies, which is not part of the project."""
CLAIMED = (
    "affine arith builtin cf complex func gpu index linalg llvm math memref nvvm scf spirv tensor ub vector".split()
)
"""The dialects that are ours to read. Pieces with operations of others are not counted."""
GROUPS = {
    "Arith": "arith", "ControlFlow": "cf", "Func": "func", "GPU": "gpu", "IR": "builtin", "Builtin": "builtin",
    "Index": "index", "LLVMIR": "llvm", "LLVMIR-lean": "llvm", "Math": "math", "MemRef": "memref", "SCF": "scf",
    "Vector": "vector", "Affine": "affine", "Linalg": "linalg", "Tensor": "tensor", "SPIRV": "spirv",
    "Complex": "complex",
}  # fmt: skip
"""The dialects that the folders of upstream's tests are about."""
_OPERATION = re.compile(r'(?:^|=|\{)\s*"?([a-z_]\w*)\.[a-z_]', re.MULTILINE)
_EXPECTED = re.compile(r"expected-error(?:-re)?\s*(?:@(above|below|[+-]\d+|\w+))?")


@dataclass(frozen=True)
class Piece:
    """One operation at the top of a test, with what it needs, and what the real mlir-opt says of it."""

    id: str
    dialect: str
    text: str
    valid: bool
    generic: str

    @property
    def group(self) -> str:
        """The dialect that it is about."""
        return GROUPS.get(self.dialect, "conversions")

    @property
    def is_ours(self) -> bool:
        """Return whether all its operations are of dialects that are ours to read."""
        text = re.sub(r"//.*", "", self.text)
        return {*_OPERATION.findall(self.generic or text)} <= {*CLAIMED}


@dataclass(frozen=True)
class Verdict:
    """What we make of a piece: `right`, or what is wrong, and why."""

    word: str
    why: str = ""


@cache
def pieces() -> Sequence[Piece]:
    """All pieces."""
    with lzma.open(FOLDER / "pieces.jsonl.xz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    # A remark that a pass did not make, since none ran, is nothing that is wrong with a piece.
    rows = [row for row in rows if not row["message"].endswith("was not produced")]
    return [Piece(r["id"], r["dialect"], r["text"], r["valid"], r["generic"] or "") for r in rows]


def verdict(piece: Piece) -> Verdict:
    """Read, verify, print and read a piece again."""
    module: ModuleOp | None = None
    try:
        module = parse_module(piece.text, piece.id, make_context(allow_unregistered=True))
        errors = collect_errors(module)
    except HologramError as error:
        errors = [error]
    except Exception as error:
        return Verdict("crash", f"{type(error).__name__}: {error}")
    if not piece.valid:
        return _refusal(piece, errors)
    if module is None or errors:
        return Verdict("refused", str(errors[0]))
    try:
        text, generic = print_operation(module), print_operation(module, generic=True)
        again = print_operation(parse_module(text, piece.id, make_context(allow_unregistered=True)))
    except Exception as error:
        return Verdict("unstable", f"{type(error).__name__}: {error}")
    if again != text:
        return Verdict("unstable", difference(again.split(), text.split()))
    if piece.generic and (ours := normal(generic)) != (theirs := normal(piece.generic)):
        return Verdict("other form", difference(ours, theirs))
    return Verdict("right")


def difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """The first place where two lists of tokens differ, with what stands around it in each."""
    place = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    a, b = (" ".join(tokens[max(0, place - 4) : place + 6]) for tokens in (ours, theirs))
    return f"{a}  |  {b}"


def _refusal(piece: Piece, errors: Sequence[HologramError]) -> Verdict:
    """Whether a piece that is wrong is refused, and at the line where upstream's test expects it."""
    if not errors:
        return Verdict("accepted")
    lines = _expected_lines(piece.text)
    found = {e.where.line for e in errors if e.where is not None}
    if lines and not found & lines:
        return Verdict("elsewhere", f"{errors[0]} at {found}, not {lines}")
    return Verdict("right")


def _expected_lines(text: str) -> set[int]:
    """The lines where a test expects errors; those that it names by words are not known."""
    lines: set[int] = set()
    rows = text.split("\n")
    marked = [bool(_EXPECTED.search(row)) or row.strip().startswith("//") for row in rows]
    for number, row in enumerate(rows, 1):
        for match in _EXPECTED.finditer(row):
            where = match.group(1)
            if where in ("above", "below"):
                step = 1 if where == "below" else -1
                at = number + step
                while 0 < at <= len(rows) and marked[at - 1]:
                    at += step
                lines.add(at)
            elif where is None:
                lines.add(number)
            elif where[0] in "+-":
                lines.add(number + int(where))
    return lines
