"""Random programs at the kernel level: guarded, each traps where the interpreter raises, and agrees elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from fuzz.counts import PROGRAMS, WORKERS, seed
from fuzz.kernel_programs import Generator, KernelProgram
from hologram.dialects import make_context
from hologram.errors import HologramError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.transforms.guards.guard_memory import GuardMemoryPass

COUNT = -(-PROGRAMS // WORKERS)
"""The programs of a worker."""
TOGETHER = 25
"""The programs of a module: one compile for all of them."""
MOST_REFUSED = 0.3
WORKER = """
import json, sys
import numpy as np
import hologram

text, level, calls = json.load(sys.stdin)
for name, args in calls:
    print(json.dumps([name, "begins"]), flush=True)
    arrays = [np.array(a, np.int32).reshape(shape) for a, shape in args[2:]]
    try:
        hologram.compile(text, entry=name, opt_level=level)(*args[:2], *arrays)
        print(json.dumps([name, "value", [a.tolist() for a in arrays]]), flush=True)
    except hologram.HologramError as error:
        print(json.dumps([name, error.code, str(error)]), flush=True)
"""


def arrays_of(program: KernelProgram) -> list[Any]:
    """The arrays that a program is called with."""
    a, b, c = program.sizes
    return [np.arange(a, dtype=np.int32), np.arange(b * c, dtype=np.int32).reshape(b, c) - 2]


def interpreted(program: KernelProgram) -> list[Any] | None:
    """What the interpreter leaves in the arrays; None if it raises."""
    arrays = arrays_of(program)
    try:
        interpret(
            parse_module(program.oracle, "oracle.mlir", make_context()), program.name, [*program.numbers, *arrays]
        )
    except HologramError:
        return None
    return [a.tolist() for a in arrays]


def is_refused(program: KernelProgram) -> bool:
    """Return whether a program can't be guarded."""
    context = make_context()
    module = parse_module(program.text, "program.mlir", context)
    module.verify()
    code = ""
    try:
        GuardMemoryPass().apply(context, module)
    except HologramError as error:
        code = error.code
    assert code.startswith("guard-") or not code, f"{program.text}\n{code}"
    return bool(code)


def compiled(programs: Sequence[KernelProgram], level: int) -> dict[str, list[Any]]:
    """What each program comes to, in a process of its own."""
    calls = [(p.name, [*p.numbers, *((a.ravel().tolist(), a.shape) for a in arrays_of(p))]) for p in programs]
    given = json.dumps(["\n".join(p.text for p in programs), level, calls])
    done = subprocess.run([sys.executable, "-c", WORKER], input=given, capture_output=True, text=True)
    lines: list[list[Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 2 * len(programs), (
        f"the process died of @{lines[-1:]}: {done.returncode} {done.stderr}\n{given}"
    )
    return {str(line[0]): line[1:] for line in lines[1::2]}


@pytest.mark.parametrize("worker", range(WORKERS))
def test_guarded_programs_trap_where_the_interpreter_raises(worker: int):
    random = Random(f"{seed('guards')} {worker}")
    refused = values = traps = 0
    for start in range(0, COUNT, TOGETHER):
        programs = [Generator(random, f"f{start + n}").program() for n in range(min(TOGETHER, COUNT - start))]
        kept = [p for p in programs if not is_refused(p)]
        refused += len(programs) - len(kept)
        outcomes = compiled(kept, random.choice((0, 0, 0, 3)))
        for program in kept:
            wanted, (kind, found) = interpreted(program), outcomes[program.name]
            if wanted is None:
                assert kind in ("program-trap", "launch-memory"), f"{program.text}\n{program}\n{kind} {found}"
            else:
                assert (kind, found) == ("value", wanted), f"{program.text}\n{program}\n{wanted}"
            values, traps = values + (wanted is not None), traps + (wanted is None)
    assert refused < MOST_REFUSED * COUNT
    assert min(values, traps) >= COUNT // 10 - 1, (values, traps, refused)
