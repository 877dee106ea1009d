"""What `canonicalize` makes of upstream's pieces, beside what the real mlir-opt makes of them.

The verdict on a piece is `same` where mlir-opt's pass changes nothing, `right` where ours comes to its result, and
`other` where it does not.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hologram.dialects import make_context
from hologram.dialects.mlir_parser import parse_module
from hologram.dialects.mlir_printer import print_operation
from hologram.errors import HologramError
from hologram.transforms.canonical.canonicalize import canonicalize
from upstream.forms import normal
from upstream.pieces import FOLDER, Piece, Verdict, difference

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "upstream" / "canonical.json"
"""What mlir-opt said, which takes a minute to ask: a text for each piece that it takes."""
_SPLIT = "// -----"
_AT_ONCE = 50


def mlir_opt() -> str | None:
    """The real mlir-opt: what HOLOGRAM_MLIR_OPT names, or that of `make test-tools`."""
    found = sorted((ROOT / "build" / "tools").glob("lib/python*/site-packages/mlir/bin/mlir-opt"))
    return os.environ.get("HOLOGRAM_MLIR_OPT") or (str(found[0]) if found else None)


def canonical_forms(pieces: Sequence[Piece]) -> dict[str, str]:
    """Upstream's canonical form of each valid piece that has one, by the piece's id; empty without an mlir-opt."""
    tool = mlir_opt()
    if tool is None:
        return {}
    key = f"{tool} {(FOLDER / 'pieces.jsonl.xz').stat().st_mtime}"
    if KEPT.exists() and (kept := json.loads(KEPT.read_text(encoding="utf-8")))["key"] == key:
        return kept["forms"]
    valid = [p for p in pieces if p.is_ours and p.valid and p.generic]
    forms: dict[str, str] = {}
    for start in range(0, len(valid), _AT_ONCE):
        forms |= _ask(tool, valid[start : start + _AT_ONCE])
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps({"key": key, "forms": forms}), encoding="utf-8")
    return forms


def _ask(tool: str, pieces: Sequence[Piece]) -> dict[str, str]:
    """Ask for the forms of several pieces at once; where one is refused, for those of each half."""
    options = ["--allow-unregistered-dialect", "--canonicalize", "--mlir-print-op-generic", "--split-input-file"]
    text = f"\n{_SPLIT}\n".join(p.generic for p in pieces)
    done = subprocess.run([tool, *options, "-"], input=text, capture_output=True, text=True, check=False)
    forms = done.stdout.split(_SPLIT)
    if done.returncode == 0 and len(forms) == len(pieces):
        return {p.id: form for p, form in zip(pieces, forms, strict=True)}
    half = len(pieces) // 2
    return _ask(tool, pieces[:half]) | _ask(tool, pieces[half:]) if half else {}


def canonical_verdict(piece: Piece, wanted: str) -> Verdict:
    """Canonicalize a piece, and compare it with what upstream makes of it."""
    context = make_context(allow_unregistered=True)
    try:
        theirs = normal(wanted)
        if normal(piece.generic) == theirs:
            return Verdict("same")
        module = parse_module(piece.text, piece.id, context)
        canonicalize(context, module)
        ours = normal(print_operation(module, generic=True))
    except HologramError as error:
        return Verdict("other", str(error))
    except Exception as error:
        return Verdict("crash", f"{type(error).__name__}: {error}")
    return Verdict("right") if ours == theirs else Verdict("other", difference(ours, theirs))
