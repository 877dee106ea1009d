"""Each test has a disk cache of its own and starts with nothing in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import hologram
from hologram.runtime import compiler
from runtime_programs import add


@pytest.fixture(scope="session", autouse=True)
def launcher() -> None:
    """The compiled launcher is made by the first kernel of a process: before tests look at their caches."""
    hologram.compile(add(), cache=False)


@pytest.fixture(autouse=True)
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOLOGRAM_ISOLATE", "never")
    compiler.clear_memory()
    return tmp_path / "cache"
