"""The real mlir-opt accepts, in generic form, what we print at the kernel level and below it.

Needs `make test-tools`, which names the tool in HOLOGRAM_MLIR_OPT. The texts are what the lit files' commands
print, and the stages of the example programs, as far as they hold upstream's operations alone.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.tools

ROOT = Path(__file__).resolve().parents[2]
LIT = sorted((ROOT / "test/lit").rglob("*.mlir"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.mlir"))
OPT = Path(sys.executable).with_name("hologram-opt")

UPSTREAM = frozenset("arith builtin cf func gpu index llvm math memref scf ub vector".split())
OP = re.compile(r'^\s*(?:[%\w:#, ]+= )?"(\w+)\.[\w.]+"[(<]', re.MULTILINE)
PRINTS_NO_IR = re.compile(r"--(verify-diag|parsing-diag|list|help|dump|timing|version|run-reproducer|mlir-print)")
SPLIT = "// -----"


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def opt(*arguments: str | Path) -> str | None:
    """The output of hologram-opt in generic form; None where it fails, which other tests judge."""
    command = [OPT, *arguments, "--print-op-generic"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else None


def commands(path: Path) -> list[list[str]]:
    """The arguments of the hologram-opt commands in a file's RUN lines, if they print IR."""
    found: list[list[str]] = []
    for line in re.findall(r"^// RUN:(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE):
        words = shlex.split(line.partition("|")[0].replace("%s", str(path)))
        is_plain = words[:1] == ["hologram-opt"] and not {"-t", "-o", ">", "<", "&&", "%t"} & set(words)
        if is_plain and not PRINTS_NO_IR.search(line) and words[1:] not in found:
            found.append(words[1:])
    return found


def is_upstream(text: str) -> bool:
    """Return whether all operations are upstream's. Device code names its target by a word, for which upstream requires
    an attribute of the target's dialect."""
    dialects = set(OP.findall(text))
    return bool(dialects - {"builtin"}) and dialects <= UPSTREAM and '#gpu.object<"' not in text


def check(text: str) -> None:
    """Attributes of our dialects may stand on upstream's operations, hence the flag."""
    tool = os.environ["HOLOGRAM_MLIR_OPT"]
    command = [tool, "--allow-unregistered-dialect", "-o", os.devnull]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.stderr}\n{text}"


@pytest.mark.parametrize("path", LIT, ids=name)
def test_accepts_what_lit_files_print(path: Path):
    for arguments in commands(path):
        for text in (opt(*arguments) or "").split(SPLIT):
            if is_upstream(text):
                check(text)


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_accepts_stages_of_examples(path: Path, tmp_path: Path):
    assert opt(path, "-p", "hologram-to-cpu", "--dump-stages-to", tmp_path) is not None
    texts = [opt(stage) or "" for stage in sorted(tmp_path.rglob("*.mlir"))]
    accepted = [text for text in texts if is_upstream(text)]
    assert accepted, "no stage holds upstream's operations alone"
    for text in accepted:
        check(text)


@pytest.mark.parametrize("path", EXAMPLES[:3], ids=name)
def test_accepts_binaries_for_cuda(path: Path):
    """Modules of device code name their target as upstream's do."""
    text = opt(path, "-p", "hologram-to-cuda{arch=sm_90 to=binary}")
    assert text is not None
    assert '"gpu.binary"' in text
    assert is_upstream(text)
    check(text)
