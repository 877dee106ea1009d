"""Settings from the environment."""

from __future__ import annotations

import re
from pathlib import Path

import platformdirs
import pytest

from hologram.errors import UsageError
from hologram.runtime import settings
from hologram.runtime.settings import current, misspelt, traceback_wanted
from in_process import run_tool


def test_defaults():
    found = current({})
    assert found.cache_dir.name
    assert (found.cache_megabytes, found.debug, found.isolate, found.webgpu) == (256, 0, "foreign", "native")
    assert found.cache_bytes == 256 << 20


@pytest.mark.parametrize("home", [None, "", "/somewhere/else"])
def test_the_cache_is_where_the_system_keeps_caches(home: str | None, monkeypatch: pytest.MonkeyPatch):
    if home is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert current({}).cache_dir == Path(platformdirs.user_cache_dir("hologram", appauthor=False))


def test_given():
    found = current(
        {
            "HOLOGRAM_CACHE_DIR": "~/somewhere",
            "HOLOGRAM_CACHE_MEGABYTES": "7",
            "HOLOGRAM_DEBUG": "2",
            "HOLOGRAM_ISOLATE": "all",
        }
    )
    assert found.cache_dir == Path.home() / "somewhere"
    assert (found.cache_megabytes, found.debug, found.isolate) == (7, 2, "all")


def test_tracebacks():
    assert traceback_wanted({"HOLOGRAM_TRACEBACK": "1"})
    assert not any(traceback_wanted(e) for e in ({}, {"HOLOGRAM_TRACEBACK": "0"}, {"HOLOGRAM_TRACEBACK": ""}))


def test_the_names_are_those_of_the_table():
    assert list(settings.NAMES) == re.findall(r"(?m)^\| `(HOLOGRAM_\w+)`", settings.__doc__ or "")


def test_names_that_are_nearly_those_of_settings_are_told(monkeypatch: pytest.MonkeyPatch):
    others = ["HOLOGRAM_FUZZ", "HOLOGRAM_CLANG", "HOLOGRAM_MLIR_OPT", "HOLOGRAM_SEED", "DEBUG", *settings.NAMES]
    assert not misspelt(dict.fromkeys(others, ""))
    meant = {
        "HOLOGRAM_CACHEDIR": "HOLOGRAM_CACHE_DIR",
        "HOLOGRAM_THREADS": "HOLOGRAM_NUM_THREADS",
        "HOLOGRAM_MAX_OPS": "HOLOGRAM_MAX_OPERATIONS",
        "hologram_debug": "HOLOGRAM_DEBUG",
        "HOLOGRAMDEBUG": "HOLOGRAM_DEBUG",
    }
    sentences = [f"there is no setting {name}: did you mean '{word}'?" for name, word in meant.items()]
    assert misspelt(dict.fromkeys(meant, "")) == sentences
    monkeypatch.setenv("HOLOGRAM_CACHEDIR", "x")
    for tool in ("hologram-opt", "hologram-doctor"):
        assert run_tool(tool, ["--version"]).errors == f"warning: {sentences[0]}\n"


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("HOLOGRAM_DEBUG", "much", "setting-number"),
        ("HOLOGRAM_CACHE_MEGABYTES", "-1", "setting-number"),
        ("HOLOGRAM_ISOLATE", "al", "setting-choice"),
        ("HOLOGRAM_WEBGPU", "chrome", "setting-choice"),
    ],
)
def test_wrong(name: str, value: str, code: str):
    with pytest.raises(UsageError, match=name) as caught:
        current({name: value})
    assert caught.value.code == code
    assert caught.value.exit_code == 2
