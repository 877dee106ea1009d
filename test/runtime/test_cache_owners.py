"""The cache runs only what its user wrote, whoever else may write to the folders around it."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from struct import pack

import numpy as np
import pytest

import hologram
from hologram.driver import graph
from hologram.driver.artifacts import LOCATED, Artifact, Request
from hologram.driver.graph import Build
from hologram.driver.portable import PortableSource
from hologram.driver.source import text_source
from hologram.driver.targets import CPU
from hologram.errors import HologramError
from hologram.runtime import cache as caches
from hologram.runtime import native
from hologram.runtime.cache import DiskCache
from hologram.runtime.devices.cpu import resources
from hologram.runtime.ownership import why_unsafe_way
from hologram.runtime.settings import current

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no owners of POSIX's kind")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
OTHER = 54321
KEY = f"{1:064x}"
VECTOR = np.arange(4, dtype=np.float32)


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_ways", {})
    monkeypatch.setattr(caches, "_said", set[str]())


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that everybody can reach, as those below pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def filled(folder: Path) -> DiskCache:
    cache = DiskCache(folder, 1 << 24)
    assert cache.put(KEY, b"content")
    assert cache.get(KEY) == b"content"
    return cache


@pytest.mark.parametrize("mask", [0, 0o002, 0o022, 0o777])
def test_what_is_made_is_the_users_alone(mask: int, tmp_path: Path):
    before = os.umask(mask)
    try:
        cache = filled(tmp_path / "new" / "cache")
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "new").rglob("*")}
    assert modes.pop(cache.path(KEY)) == 0o600
    assert set(modes.values()) == {0o700}


# Entries


def in_its_place(make: Callable[[Path], None]) -> Callable[[Path], None]:
    def replace(path: Path) -> None:
        path.unlink()
        make(path)

    return replace


def elsewhere(path: Path) -> Path:
    shutil.copy(path, target := path.parent.parent.parent / "elsewhere")
    return target


def bind(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # Addresses of sockets are short.
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


ENTRIES: dict[str, Callable[[Path], None]] = {
    "writable by the group": lambda path: path.chmod(0o620),
    "writable by all": lambda path: path.chmod(0o602),
    "a link": lambda path: (
        in_its_place(lambda place: place.symlink_to(elsewhere_of))(path) if (elsewhere_of := elsewhere(path)) else None
    ),
    "a link to nothing": in_its_place(lambda path: path.symlink_to("/nonexistent")),
    "a second name": lambda path: os.link(path, path.parent.parent.parent / "elsewhere"),
    "a pipe": in_its_place(lambda path: os.mkfifo(path)),
    "a socket": in_its_place(bind),
    "a folder": in_its_place(lambda path: (path / "inside").mkdir(parents=True)),
    "endless": in_its_place(lambda path: path.symlink_to("/dev/zero")),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_entries_that_are_not_ours(name: str, tmp_path: Path):
    cache = filled(tmp_path)
    ENTRIES[name](cache.path(KEY))
    assert cache.get(KEY) is None
    assert cache.put(KEY, b"new")
    assert cache.get(KEY) == b"new"


@as_root
@pytest.mark.parametrize("kind", ["entry", "folder of entries", "device"])
def test_entries_of_others(kind: str, tmp_path: Path):
    cache = filled(tmp_path)
    path = cache.path(KEY)
    if kind == "device":
        path.unlink()
        try:
            os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("this container may make no devices")
    else:
        os.chown(path if kind == "entry" else path.parent, OTHER, OTHER)
    assert cache.get(KEY) is None
    assert cache.put(KEY, b"new")
    assert cache.get(KEY) == b"new"


# Folders


@as_root
@pytest.mark.parametrize("place", ["cache/objects", "cache", "."])
def test_folders_of_others(place: str, shared_folder: Path, capsys: pytest.CaptureFixture[str]):
    filled(shared_folder / "cache")
    os.chown(shared_folder / place, OTHER, OTHER)
    caches._ways.clear()  # pyright: ignore[reportPrivateUsage]
    cache = DiskCache(shared_folder / "cache", 1 << 24, debug=1)
    for _ in range(2):
        assert cache.get(KEY) is None
    assert not cache.put(KEY, b"new")
    assert (cache.usage(), cache.writable()) == ((0, 0), False)
    said = capsys.readouterr().err
    assert said.count("the cache is not used") == 1
    assert str(shared_folder) in said
    cache.clear()
    assert DiskCache(shared_folder / "cache", 1).path(KEY).exists()
    os.chown(shared_folder / place, os.geteuid(), os.getegid())


@pytest.mark.parametrize(("mode", "used"), [(0o777, False), (0o1777, True), (0o757, False), (0o755, True)])
@pytest.mark.parametrize("place", [".", "a"])
def test_folders_that_others_may_write(mode: int, used: bool, place: str, tmp_path: Path):
    filled(tmp_path / "a" / "cache")
    (tmp_path / place).chmod(mode)
    caches._ways.clear()  # pyright: ignore[reportPrivateUsage]
    assert (DiskCache(tmp_path / "a" / "cache", 1 << 24).get(KEY) is not None) == used
    (tmp_path / place).chmod(0o700)


def test_our_own_folders_are_mended(tmp_path: Path):
    cache = filled(tmp_path)
    for folder in (cache.root, cache.path(KEY).parent):
        folder.chmod(0o777)
        assert cache.get(KEY) == b"content"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_links_on_the_way(tmp_path: Path):
    filled(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    assert DiskCache(tmp_path / "link", 1 << 24).get(KEY) == b"content"
    (tmp_path / "loop").symlink_to("loop")
    assert "links" in why_unsafe_way(tmp_path / "loop")
    (tmp_path / "real" / "objects").rename(tmp_path / "moved")
    (tmp_path / "real" / "objects").symlink_to(tmp_path / "moved")
    assert DiskCache(tmp_path / "real", 1 << 24).get(KEY) is None


@as_root
def test_links_of_others(shared_folder: Path):
    filled(shared_folder / "real")
    (shared_folder / "link").symlink_to("real")
    os.lchown(shared_folder / "link", OTHER, OTHER)
    assert f"belongs to user {OTHER}" in why_unsafe_way(shared_folder / "link")


PROGRAM = """
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.mul %a, %a : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""
CHILD = f"""
import os, sys, tempfile
os.environ["HOLOGRAM_DEBUG"] = "1"
import numpy as np, hologram
from hologram.driver import graph
def run():
    graph.clear_memory()
    return hologram.compile('''{PROGRAM}''')(np.ones(3, np.float32)).tolist()
with tempfile.TemporaryDirectory() as folder:  # All that is imported is, before another user may not read it.
    os.environ["HOLOGRAM_CACHE_DIR"] = folder
    run(), run()
before, user = hologram.cache_stats().written, int(sys.argv[1])
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
os.environ["HOLOGRAM_CACHE_DIR"] = sys.argv[2]
print(run(), hologram.cache_stats().written > before)
"""


def as_user(user: int, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CHILD, str(user), str(folder)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)


@as_root
@pytest.mark.slow
def test_the_cache_of_another_user():
    """In `/tmp`, which is sticky: who comes first has the cache; the others, root too, compile without."""
    folder = Path(tempfile.gettempdir()) / f"hologram-test-{os.getpid()}"
    try:
        assert as_user(OTHER, folder).stdout == "[1.0, 1.0, 1.0] True\n"
        for user in (0, OTHER + 1):
            second = as_user(user, folder)
            assert second.stdout == "[1.0, 1.0, 1.0] False\n"
            assert f"belongs to user {OTHER}" in second.stderr
        assert as_user(OTHER, folder).stdout == "[1.0, 1.0, 1.0] False\n"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# What is whole, ours, and not what its key says


def contents(content: bytes) -> dict[str, bytes]:
    packed = {"list": b"[]", "number": b"7", "same": b'{"same":"a"}', "empty": b"{}"}
    return {
        **{"nothing": b"", "text": b"no artifact", "cut": content[: len(content) // 2], "head": content[:20]},
        **{name: pack("<IQ", len(about), 0) + about for name, about in packed.items()},
    }


@pytest.mark.parametrize("name", [*contents(b"")])
def test_other_content_under_our_keys(name: str, cache_dir: Path):
    """Every artifact of a program and each module of the runtime is made again."""
    source = PortableSource.of(text_source(PROGRAM.encode(), "square.mlir"))
    wanted = [Request(LOCATED), *(Request(form, CPU) for form in ("object", "loadable", "entries"))]
    made = Build(source).get(wanted)
    disk = DiskCache(cache_dir, 1 << 28)
    for path in [p for p in disk.root.rglob("*") if p.is_file()]:
        key = f"{path.parent.name}{path.name}"
        assert disk.put(key, contents(disk.get(key) or b"")[name])
    found = Build(source).get(wanted)
    assert {want: a.data for want, a in found.items()} == {want: a.data for want, a in made.items()}
    graph.clear_memory()
    np.testing.assert_array_equal(hologram.compile(PROGRAM)(VECTOR), VECTOR * VECTOR)


@pytest.mark.parametrize("form", ["object", "loadable", "device"])
def test_code_for_another_target(form: str, cache_dir: Path):
    from hologram.driver.targets import find_target

    source, other = PortableSource.of(text_source(PROGRAM.encode(), "mul.mlir")), find_target("webgpu")
    theirs = Build(source).get([Request(form, other)])[Request(form, other)]
    want = Request(form, CPU)
    DiskCache(cache_dir, 1 << 28).put(Build(source).key(want), theirs.packed())
    assert form == "device" or want not in Build(source).find([want])
    if form == "object":
        kernel = hologram.compile(PROGRAM)
        np.testing.assert_array_equal(kernel(VECTOR), VECTOR * VECTOR)


@pytest.mark.parametrize("form", ["object", "shared"])
@pytest.mark.parametrize("content", ["text", "cut", "other"])
def test_other_content_of_the_runtimes_own_code(
    form: str, content: str, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
):
    name = native.THREAD_POOL
    monkeypatch.setattr(resources, "_made", {})
    whole = resources.object_of(name) if form == "object" else resources._shared(name)  # pyright: ignore
    wrong = {"text": b"text", "cut": whole[: len(whole) // 2], "other": b"\x7fELF" + whole[4:300]}[content]
    disk, key = DiskCache(cache_dir, 1 << 28), resources._key(form, name)  # pyright: ignore[reportPrivateUsage]
    assert disk.put(key, wrong)
    resources._made.clear()  # pyright: ignore[reportPrivateUsage]
    functions = native.addresses(__import__("ctypes").CDLL(None), ["memcpy"])
    if form == "object":
        assert resources.object_of(name) == whole
    else:
        assert resources.load(name, functions, native.POOL_SYMBOLS).find(native.RUN)
    assert disk.get(key) == whole


# Where the folder is


@pytest.mark.parametrize("name", ["cache", "./cache", "../cache", " "])
def test_relative_folders(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", name)
    if sys.platform == "linux":
        assert current({}).cache_dir == Path.home() / ".cache" / "hologram"
    with pytest.raises(HologramError) as caught:
        current({"HOLOGRAM_CACHE_DIR": name})
    assert caught.value.code == "setting-folder"


@pytest.mark.parametrize("home", ["relative", "", None])
def test_without_a_home(home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", home)
    assert current({}).cache_dir.is_absolute()


def test_artifacts_are_told_from_others():
    assert Artifact.unpacked(b"") is None
    assert Artifact.unpacked(Artifact(b"x", {"format": "object"}).packed()) == Artifact(b"x", {"format": "object"})
