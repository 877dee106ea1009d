"""The real mlir-opt accepts what we lower, and what we lower it to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from core_to_llvm import test_control, test_memref, test_vector
from core_to_llvm.jit import LOWER, generic, lower, parse
from core_to_llvm.loops import scalar_loop, vector_loop
from core_to_llvm.test_arith import CASES

MLIR_OPT = os.environ.get("HOLOGRAM_MLIR_OPT", "")
pytestmark = [
    pytest.mark.tools,
    pytest.mark.skipif(not MLIR_OPT, reason="HOLOGRAM_MLIR_OPT does not name mlir-opt"),
]


def mlir_opt(text: str, *args: str) -> str:
    ran = subprocess.run([MLIR_OPT, *args], input=text, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[:4000]
    return ran.stdout


def all_cases() -> str:
    """The operations of test_arith as scalar loops."""
    text = ""
    for case, _ in CASES.values():
        lines = [line for line in case.body.splitlines() if "vector.broadcast" not in line]
        plain = type(case)(case.name, case.inputs, case.outputs, "\n".join(lines).replace("%M", "%m"))
        text += scalar_loop(plain).replace("SELECT", "f32")
        whole = type(case)(case.name, case.inputs, case.outputs, case.body.replace("%M", "%mask"))
        text += vector_loop(whole).replace("SELECT", "vector<4xi1>, vector<4xf32>")
    return text


def test_arithmetic_is_accepted():
    mlir_opt(generic(lower(all_cases())))


def test_arithmetic_is_read_alike():
    """The source that we lower is upstream's language."""
    mlir_opt(generic(parse(all_cases())))


class Caught(Exception):
    """Stops a test where it would compile."""


def texts(module: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The programs that the tests of a module compile."""
    found: list[str] = []

    def catch(text: str, *_: object, **__: object) -> None:
        found.append(text)
        raise Caught

    monkeypatch.setattr(module, "Compiled", catch)
    for name, test in vars(module).items():
        if name.startswith("test_") and name != "test_random_programs":
            arguments = (LOWER,) if "passes" in test.__code__.co_varnames[: test.__code__.co_argcount] else ()
            try:
                test(*arguments)
            except Caught:
                pass
    yield from found


@pytest.mark.parametrize("module", [test_control, test_memref, test_vector], ids=lambda m: m.__name__)
def test_programs_are_accepted(module: object, monkeypatch: pytest.MonkeyPatch):
    """The real mlir-opt accepts the sources, and the output of our passes for them."""
    count = 0
    for text in texts(module, monkeypatch):
        mlir_opt(generic(parse(text)))
        mlir_opt(generic(lower(text)))
        count += 1
    assert count > 5
