"""The number of threads: what is set, what the environment says, what the system grants."""

from __future__ import annotations

from pathlib import Path

import pytest

import hologram
from hologram.errors import UsageError
from hologram.runtime import threads
from hologram.runtime.settings import current


def test_set_and_get(monkeypatch: pytest.MonkeyPatch):
    threads.CHOSEN.clear()
    monkeypatch.delenv("HOLOGRAM_NUM_THREADS", raising=False)
    assert hologram.get_num_threads() == threads.usable_processors() >= 1
    monkeypatch.setenv("HOLOGRAM_NUM_THREADS", "5")
    assert hologram.get_num_threads() == 5
    hologram.set_num_threads(3)
    assert hologram.get_num_threads() == 3


@pytest.mark.parametrize("n", [0, -1, 1025, 2.0, "2", True, None])
def test_wrong_numbers(n: object):
    before = hologram.get_num_threads()
    with pytest.raises(UsageError) as caught:
        hologram.set_num_threads(n)  # pyright: ignore[reportArgumentType]
    assert caught.value.code == "threads-number"
    assert hologram.get_num_threads() == before


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "5000"])
def test_wrong_setting(text: str):
    with pytest.raises(UsageError) as caught:
        current({"HOLOGRAM_NUM_THREADS": text})
    assert caught.value.code == "setting-threads"


def test_setting():
    assert current({}).num_threads is None
    assert current({"HOLOGRAM_NUM_THREADS": ""}).num_threads is None
    assert current({"HOLOGRAM_NUM_THREADS": "12"}).num_threads == 12


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_quota(tmp_path: Path):
    root, mine = tmp_path / "cgroup", tmp_path / "mine"
    assert threads.processor_quota(root, mine) is None
    write(mine, "0::/a/b\n")
    write(root / "cpu.max", "max 100000\n")
    assert threads.processor_quota(root, mine) is None
    write(root / "a/cpu.max", "250000 100000\n")
    assert threads.processor_quota(root, mine) == 2.5
    write(root / "a/b/cpu.max", "50000 100000\n")
    assert threads.processor_quota(root, mine) == 0.5


def test_quota_of_the_older_kind(tmp_path: Path):
    root, mine = tmp_path / "cgroup", tmp_path / "mine"
    write(mine, "4:cpu,cpuacct:/box\n2:memory:/other\n")
    write(root / "cpu/cpu.cfs_quota_us", "-1\n")
    write(root / "cpu/cpu.cfs_period_us", "100000\n")
    assert threads.processor_quota(root, mine) is None
    write(root / "cpu/box/cpu.cfs_quota_us", "300000\n")
    write(root / "cpu/box/cpu.cfs_period_us", "100000\n")
    assert threads.processor_quota(root, mine) == 3.0
