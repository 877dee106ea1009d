"""Forks while other threads import, compile and launch: the child compiles and launches, and never hangs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FORKS = """
import faulthandler, os, signal, sys, threading, time
import hologram
faulthandler.dump_traceback_later(60, exit=True)

def work(number):
    import numpy as np
    text = (
        f"func.func @main(%a: memref<?xf64>) {{ %c0 = arith.constant 0 : index %z = arith.constant {number}.5 : f64 "
        "memref.store %z, %a[%c0] : memref<?xf64> return }"
    )
    array = np.zeros(2)
    hologram.compile(text)(array)
    assert array[0] == number + 0.5

    @hologram.jit
    def add(x):
        return x + float(number)

    assert add(np.ones(3, np.float32))[0] == 1 + number

if sys.argv[2] == "warm":
    work(0)
threads = [threading.Thread(target=work, args=(n,)) for n in (1, 1, 2)]
for thread in threads:
    thread.start()
time.sleep(float(sys.argv[1]))
children = []
for number in range(2):
    child = os.fork()
    if not child:
        signal.alarm(40)
        work(1)
        work(100 + number)
        os._exit(7)
    children.append(child)
assert [os.waitstatus_to_exitcode(os.waitpid(c, 0)[1]) for c in children] == [7, 7]
for thread in threads:
    thread.join()
print("fine")
"""
COUNT = int(os.environ.get("HOLOGRAM_FUZZ", "0")) // 100
STEPS = [0.02, 0.3] + [0.01 * n for n in range(COUNT)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("after", STEPS)
def test_fork_while_threads_compile_for_the_first_time(after: float, tmp_path: Path):
    environment = {**os.environ, "HOLOGRAM_CACHE_DIR": str(tmp_path)}
    # The data lock of coverage.py stays taken in a child that is forked while another thread meets a new file.
    environment.pop("COVERAGE_PROCESS_CONFIG", None)
    command = [
        sys.executable,
        "-P",
        "-W",
        "ignore",
        "-c",
        FORKS,
        str(after),
        "warm" if after in (0.02, 0.1) else "cold",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, env=environment)
    assert done.stdout == "fine\n", done.stderr


IN_A_BUILDER = """
import os, threading
from xdsl.builder import ImplicitBuilder
from xdsl.ir import Block
from hologram.frontend.mlir import parse_module
from hologram.dialects import make_context

inside, leave = threading.Event(), threading.Event()

def build():
    with ImplicitBuilder(Block()):
        inside.set()
        leave.wait()

TEXT = '''
func.func @main(%n: index, %s: index) {
  scf.for %i = %n to %n step %s { scf.for %j = %n to %n step %s { } }
  return
}'''
parse_module(TEXT, "before", make_context())
thread = threading.Thread(target=build, daemon=True)
thread.start()
inside.wait()
child = os.fork()
if not child:
    parse_module(TEXT, "child", make_context())
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
leave.set()
thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_fork_while_a_thread_builds_implicitly():
    """Such a builder of xDSL changes `Operation`, and in the child nobody would change it back."""
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", IN_A_BUILDER], capture_output=True, text=True, timeout=90
    )
    assert done.returncode == 0, done.stderr
