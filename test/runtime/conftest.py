"""Each test has a disk cache of its own and starts with nothing in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hologram
from hologram.driver import graph
from hologram.runtime.launch import kernel as kernels
from hologram.runtime.launch import launcher as launchers
from hologram.runtime.launch.kernel import Kernel
from runtime_programs import Counted, add


@pytest.fixture(scope="session", autouse=True)
def launcher() -> None:
    """The compiled launcher is made by the first kernel of a process: before tests look at their caches."""
    hologram.compile(add(), cache=False)


@pytest.fixture(autouse=True)
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOLOGRAM_ISOLATE", "never")
    graph.clear_memory()
    return tmp_path / "cache"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Kernels made in the test count their calls of Python."""
    counter = Counted()

    def slow(self: Kernel, *args: Any, **named: Any) -> Any:
        counter.slow += 1
        return Kernel.__call__(self, *args, **named)

    made = launchers.Launcher(Kernel, slow, kernels._trapped, launchers.load())  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(kernels, "_launcher", lambda: made)
    return counter
