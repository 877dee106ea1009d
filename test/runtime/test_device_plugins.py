"""Kinds of devices of plugins that are broken, and names that are none."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from hologram.errors import DeviceError
from hologram.runtime import devices
from hologram.runtime.devices import find_device
from in_process import run_tool

BROKEN = {
    "absent": ("no_such_module:KIND", "'no_such_module:KIND' can't be used: ModuleNotFoundError"),
    "other": ("math:pi", "'math:pi' can't be used: that is a float, no Kind"),
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
    def points(group: str) -> list[EntryPoint]:
        return [EntryPoint(name, place, group) for name, (place, _) in BROKEN.items()] * (group == devices.GROUP)

    monkeypatch.setattr("importlib.metadata.entry_points", points)
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
