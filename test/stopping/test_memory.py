# Kernels are no Python that a type checker knows, and private tables are looked into.
# pyright: basic
"""Programs that are gone give their memory back; the newest of many are kept; threads compile one program once."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver import graph
from hologram.driver.kernel_decorator import KEPT
from hologram.language import Array, Constant, f32, get_global_id
from hologram.support.recent import Recent
from soak.work import ADD

MEASURE = """
import numpy as np, hologram
from soak.__main__ import memory
from soak.work import ADD

def program(number):
    array = np.zeros(3)
    hologram.compile(ADD.format(number=number), cache=False, opt_level={level})(array)
    assert array[0] == number + 0.5

for number in range(40):
    program(number)
before = memory()
for number in range(1000, 1300):
    program(number)
print((memory() - before) / 300)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system says how much memory a process has in another way")
def test_three_hundred_programs_leave_little(monkeypatch: pytest.MonkeyPatch):
    command = [sys.executable, "-c", MEASURE.replace("{level}", "1")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=200, env=_environment())
    assert float(done.stdout) <= 20


def _environment() -> dict[str, str]:
    import os
    from pathlib import Path

    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}


def test_a_soak_of_some_seconds(tmp_path: Any):
    command = [sys.executable, "-P", "-m", "soak", "--seconds", "8", "--seed", "7", "--json", str(tmp_path / "record")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, env=_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"seed": 7' in (tmp_path / "record").read_text()


def test_recent_keeps_what_was_used_last():
    recent: Recent[int, str] = Recent(2)
    recent.put(1, "one")
    recent.put(2, "two")
    assert recent.get(1) == "one"
    recent.put(3, "three")
    assert [recent.get(n) for n in (1, 2, 3)] == ["one", None, "three"]
    assert len(recent) == 2


def test_threads_that_compile_one_text_at_once_compile_it_once(monkeypatch: pytest.MonkeyPatch):
    made: list[str] = []
    make = graph.Build._make_loaded

    def counted(build: graph.Build, *args: Any) -> Any:
        made.append(build.source.text)
        return make(build, *args)

    monkeypatch.setattr(graph.Build, "_make_loaded", counted)
    graph.clear_memory()
    text = ADD.format(number=987654321)
    monkeypatch.setattr(graph.Build, "_find_loaded", lambda *_: None)
    results: list[float] = []

    def work() -> None:
        array = np.zeros(1)
        hologram.compile(text)(array)
        results.append(array[0])

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [987654321.5] * 6
    assert len(made) == 1
    assert not graph._making


def test_a_failed_compile_lets_the_others_try():
    threads = [threading.Thread(target=_refused) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not graph._making


def _refused() -> None:
    with pytest.raises(hologram.HologramError):
        hologram.compile("func.func @main() { %x = arith.nothing : i32 return }")


def test_a_kernel_keeps_code_for_the_newest_constants():
    @hologram.kernel(lanes="x.shape[0]")
    def scale(x: Array[f32], N: Constant):  # noqa: N803
        i = get_global_id()
        if i < x.shape[0]:
            x[i] = x[i] * f32(N)

    for number in range(3):
        x = np.ones(2, np.float32)
        scale(x, N=number)
        assert (x == number).all()
    scale._compiled.limit = 2
    scale.compile(N=7)
    assert len(scale._compiled) == 2
    assert scale._compiled.limit < KEPT
