"""Work without the cyclic collector, and what it finds afterwards."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

import pytest

from hologram.support.collector import IMPORTED, without_collection


@pytest.fixture(autouse=True)
def _running(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    gc.enable()
    # Python 3.12 freezes a few objects of its own when it starts.
    gc.unfreeze()
    yield
    gc.unfreeze()
    gc.enable()


def imported(count: int) -> None:
    sys.modules.update({f"made_up_{n}": ModuleType("made_up") for n in range(count)})


def generation(found: object) -> int:
    return next(n for n in range(3) if any(known is found for known in gc.get_objects(n)))


def test_the_collector_rests_and_works_again():
    with without_collection():
        assert not gc.isenabled()
        with without_collection():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(KeyError), without_collection():
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    with without_collection():
        imported(IMPORTED)
    assert not gc.isenabled()


@pytest.mark.parametrize(("modules", "expected"), [(IMPORTED, True), (IMPORTED - 1, False)])
def test_objects_are_old_after_many_imports(modules: int, expected: bool):
    with without_collection():
        made: list[object] = []
        imported(modules)
    assert (generation(made) == 2) is expected
    assert gc.get_freeze_count() == 0


def test_what_a_program_froze_stays_frozen():
    gc.freeze()
    with without_collection():
        imported(IMPORTED)
    assert gc.get_freeze_count() > 0
