"""Kinds of devices of plugins that are broken, and names that are none."""

from __future__ import annotations

import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from hologram.driver.artifacts import OBJECT, Inputs, Request
from hologram.driver.source import read_source
from hologram.driver.targets import Target
from hologram.errors import DeviceError
from hologram.runtime import devices
from hologram.runtime.devices import find_device
from in_process import run_tool
from plugin_state import fresh_plugins

BROKEN = {
    "absent": ("no_such_module:KIND", "can't be loaded from 'no_such_module:KIND': ModuleNotFoundError"),
    "other": ("math:pi", "the device 'other' of the plug-in 'other (device)' is no Kind, but a float"),
    "failing": ("torn_device:KIND", "its module fails: OSError: its library is torn"),
}


def count() -> int:
    raise OSError("its library is torn")


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> devices.Kind:
    """The kind of devices of the module `torn_device`."""
    module = ModuleType("torn_device")
    made = devices.Kind("failing", "a device", module.__name__)
    vars(module).update(count=count, KIND=made)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return made


def test_a_plugin_that_is_broken_is_no_fault_of_others(kind: devices.Kind, monkeypatch: pytest.MonkeyPatch):
    with fresh_plugins([EntryPoint(name, place, "hologram.devices") for name, (place, _) in BROKEN.items()]):
        shown = run_tool("hologram-doctor", []).text
        assert find_device("cpu") == "cpu"
        for name, (_, why) in BROKEN.items():
            assert why in shown
            with pytest.raises(DeviceError, match="can't be used") as caught:
                find_device(name)
            assert caught.value.code == "device-missing"
    # What breaks of ours is a fault that is to be reported.
    monkeypatch.setitem(devices.DEVICES, "failing", kind)
    with pytest.raises(OSError, match="torn"):
        devices.status("failing")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("CUDA", "did you mean 'cuda'?"), ("metal", "hologram-to-metal{to=device}"), ("rocm", "convert-gpu-to-rocdl"),
        ("abacus", "the devices are cpu, cuda"),
    ],
)  # fmt: skip
def test_names_that_are_none_are_explained(name: str, hint: str):
    with pytest.raises(DeviceError, match="there is no device") as caught:
        find_device(name)
    assert hint in (caught.value.hint or "")


def test_code_of_a_plugin_that_changed_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Keys tell the contents of plug-ins apart, of equal size and time too."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    want, keys = Request(OBJECT, Target("abacus", "abacus")), list[str]()
    for text in ("KIND = 1", "KIND = 2"):
        (tmp_path / "abacus_device.py").write_text(text, encoding="utf-8")
        os.utime(tmp_path / "abacus_device.py", ns=(0, 0))
        with fresh_plugins([EntryPoint("abacus", "abacus_device:KIND", "hologram.devices")]):
            assert "abacus" in devices.kinds()
            keys.append(Inputs(read_source("module {\n}")).key(want))
    assert len({*keys}) == 2
