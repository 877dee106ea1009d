"""Each test has a disk cache of its own and starts with nothing in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from hologram.runtime import compiler


@pytest.fixture(autouse=True)
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOLOGRAM_ISOLATE", "never")
    compiler.clear_memory()
    return tmp_path / "cache"
