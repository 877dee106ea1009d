"""A disk cache for the tests of this folder alone, and an archive of a few programs for this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hologram.driver import graph
from hologram.runtime.archive import Archive, Program, save
from sample_archives import PROGRAMS, compiled


@pytest.fixture(scope="session", autouse=True)
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("HOLOGRAM_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def nothing_in_memory() -> None:
    graph.clear_memory()


@pytest.fixture(scope="session")
def programs(cache_dir: Path) -> tuple[Program, ...]:
    return tuple(compiled(name) for name in PROGRAMS)


@pytest.fixture(scope="session")
def path(programs: tuple[Program, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of all of them."""
    place = tmp_path_factory.mktemp("archive") / "programs.holo"
    save(Archive(programs), place)
    return place
