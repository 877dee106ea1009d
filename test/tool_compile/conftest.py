"""Each test has a disk cache of its own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache_dir(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(found))
    return found
