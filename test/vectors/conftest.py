"""A disk cache of their own for the programs that the tests compile."""

from __future__ import annotations

from collections.abc import Generator

import pytest


@pytest.fixture(autouse=True, scope="module")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("HOLOGRAM_ISOLATE", "never")
        yield
