"""The real mlir-opt reads what our llvm dialect prints, in both forms, and prints it back the same."""

from __future__ import annotations

import os
import subprocess
from io import StringIO

import pytest
from xdsl.printer import Printer

from emit.every_op import text
from emit.jit import parse

MLIR_OPT = os.environ.get("HOLOGRAM_MLIR_OPT", "")
pytestmark = [pytest.mark.tools, pytest.mark.skipif(not MLIR_OPT, reason="not run: mlir-opt absent")]


def mlir_opt(source: str, *arguments: str) -> str:
    done = subprocess.run([MLIR_OPT, *arguments], input=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    return done.stdout


def printed(source: str, *, generic: bool) -> str:
    """A text after our parser, verifier and printer."""
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(parse(source))
    return stream.getvalue()


@pytest.mark.parametrize("ours", [False, True], ids=["custom", "generic"])
@pytest.mark.parametrize("theirs", [False, True], ids=["custom", "generic"])
def test_round_trip_through_upstream(theirs: bool, ours: bool):
    expected = mlir_opt(text(), "--mlir-print-op-generic")
    source = expected if theirs else mlir_opt(text())
    assert mlir_opt(printed(source, generic=ours), "--mlir-print-op-generic") == expected


@pytest.mark.parametrize("ours", [False, True], ids=["custom", "generic"])
def test_upstream_accepts_what_we_print(ours: bool):
    mlir_opt(printed(text(), generic=ours))
