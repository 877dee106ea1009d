"""The build graph: what can be made of a source, the key of each outcome, where it is found, and what makes it.

    source ─┬─ `ir`, `located`, `json`
            stage `shapes` ── `atlas-binary`, `atlas-asm`
            stage `atlas` ── `atlas`
            the other stages of each target ─┬─ `device`: the code of its kernels
                                             ├─ `llvm` ── `llvm-opt` ── `asm`
                                             └─ `object` ─┬─ `entries`: its entry records
                                                          ├─ `loadable`: a shared object ── archives
                                                          ├─ tables for C ── libraries
                                                          └─ code in this process ── kernels

Each outcome is an artifact with a key: of the source's content, and of all else that decides it. An artifact whose key
the disk cache knows is taken from there, and the source is not read into IR. `hologram.driver.compilation` makes those
that are missing together: what several are made of is made once. Object code has a second key, of the IR behind the
first stage: equal programs from other sources, with other names, comments or line breaks, share it. Code in this
process is kept in memory by the same keys.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hologram.driver.artifacts import OBJECT, Artifact, Artifacts, FindEqual, Inputs, Request
from hologram.driver.targets import HOST, STRIDED, Target
from hologram.errors import HologramError, LaunchError
from hologram.plugins import discover
from hologram.runtime.cache import STATS, DiskCache, disk_cache
from hologram.support import forks
from hologram.support.collector import without_collection
from hologram.support.recent import Recent

if TYPE_CHECKING:
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.entry import Entry
    from hologram.runtime.launch.loaded import Loaded

NEEDS_PLUGINS = "plugins"
"""What is said in the place of an artifact that installed plug-ins had a part in: with them it has another key."""
KEPT = 128
"""How many loaded modules the memory keeps for sources that are compiled again."""
_loaded: Recent[tuple[str, str], Loaded] = Recent(KEPT)
"""By key and device."""
_making: dict[tuple[str, str], Any] = {}
"""By the same, a lock of who makes the code now: others wait for it."""
_memory = forks.lock()


def clear_memory() -> None:
    """Forgets the loaded modules; kernels in use keep theirs."""
    _loaded.clear()


def _recall(key: str, device: str) -> Loaded | None:
    return _loaded.get((key, device))


def _remember(key: str, loaded: Loaded) -> Loaded:
    return _loaded.put((key, loaded.device), loaded)


@contextmanager
def _alone(key: str, device: str) -> Generator[None]:
    """Lets one thread at a time make the code of a key; the others find it then."""
    with _memory:
        lock = _making.setdefault((key, device), forks.rlock())
    with lock:
        try:
            yield
        finally:
            with _memory:
                _making.pop((key, device), None)


def _forget_makers() -> None:
    """Forget who makes code in other threads than the one of a forked child."""
    for key, lock in [*_making.items()]:
        if not lock._is_owned():
            _making.pop(key, None)


forks.after_in_child(_forget_makers)


class Build(Inputs):
    """The artifacts of one source: each is found, or made."""

    def get(self, wanted: Sequence[Request]) -> dict[Request, Artifact]:
        """Each wanted artifact, found or made. Raises the error of the first that can't be made."""
        artifacts = self.find(wanted)
        return artifacts | self.make([want for want in wanted if want not in artifacts])

    def find(self, wanted: Sequence[Request]) -> dict[Request, Artifact]:
        """Return those that the disk cache holds."""
        artifacts: dict[Request, Artifact] = {}
        for want in wanted if self.cache else ():
            artifact = self._read(self.key(want), want)
            if artifact is not None and NEEDS_PLUGINS in artifact.about:
                artifact = self._read(self.key(want), want) if discover() else None
            if artifact is not None and artifact.equal:
                artifact = self._read(artifact.equal, want)
            if artifact is not None:
                STATS.disk_hits += 1
                artifacts[want] = artifact
        return artifacts

    def make(self, wanted: Sequence[Request], equal: FindEqual | None = None) -> dict[Request, Artifact]:
        """Makes artifacts, and keeps each in the disk cache when it is done."""
        artifacts: dict[Request, Artifact] = {}
        if not wanted:
            return artifacts
        before = {want: self.key(want) for want in wanted} if self.cache else {}
        with without_collection():
            for want, artifact in self._made(wanted, (equal or self._read_object) if self.cache else None):
                artifacts[want] = artifact
                STATS.equal_hits += artifact.is_known
                self._keep(want, artifact)
                if self.cache and self.key(want) != before.get(want, self.key(want)):
                    # A name in it was looked for in the installed plug-ins: others need not do without them first.
                    self._disk.put(before[want], Artifact(b"", {NEEDS_PLUGINS: True}).packed())
        return artifacts

    def _made(self, wanted: Sequence[Request], equal: FindEqual | None) -> Artifacts:
        if self.source.is_ir:
            from hologram.driver.compilation import Compilation

            return Compilation(self, wanted, equal).artifacts()
        from hologram.driver.objects import artifacts_of_code

        return artifacts_of_code(self, wanted)

    @property
    def _disk(self) -> DiskCache:
        return disk_cache(self.settings)

    def _read(self, key: str, want: Request | None = None) -> Artifact | None:
        """Return what the disk cache holds under a key: an artifact, which may be what is wanted, or the key of equal
        programs."""
        artifact = self._disk.read(key, Artifact.unpacked)
        if artifact is None or "same" in artifact.about:
            return None if artifact is None else Artifact(b"", {}, artifact.about["same"])
        if want is not None and self._may_judge(artifact) and not artifact.fits(want):
            self._disk.discard(key, "it is not what it should be")
            return None
        return artifact

    def _may_judge(self, artifact: Artifact) -> bool:
        """Return whether artifacts of the source have a form, and this is one."""
        return self.source.is_ir and NEEDS_PLUGINS not in artifact.about

    def _read_object(self, key: str) -> Artifact | None:
        """Return the object code of equal programs."""
        return self._read(key, Request(OBJECT))

    def _keep(self, want: Request, artifact: Artifact) -> None:
        """Puts an artifact into the disk cache; one of equal programs under their key, and that under its own."""
        if not self.cache:
            return
        if not artifact.equal:
            self._disk.put(self.key(want), artifact.packed())
        elif artifact.is_known or self._disk.put(artifact.equal, artifact.packed()):
            self._disk.put(self.key(want), Artifact(b"", {"same": artifact.equal}).packed())

    # Code in this process

    def load(self, target: Target, device: str) -> Loaded:
        """The object code for a target in memory, to run on a device: loaded before, found on disk, or made now."""
        want = Request(OBJECT, target)
        if not self.cache:
            with without_collection():
                return self._map(self._object(want, None).data, device)
        key = self.key(want)
        if (known := _recall(key, device)) is not None:
            STATS.memory_hits += 1
            return known
        with _alone(key, device), without_collection():
            if (known := _recall(key, device)) is not None:
                STATS.memory_hits += 1
                return known
            found = self._find_loaded(key, device)
            if found is None and (anew := self.key(want)) != key:
                found = self._find_loaded(anew, device)
            found = found or self._make_loaded(want, device)
            return _remember(self.key(want), found)

    def _find_loaded(self, key: str, device: str) -> Loaded | None:
        """Load what the disk holds under a key: object code, or the key of equal programs."""
        artifact = self._read(key)
        if artifact is not None and NEEDS_PLUGINS in artifact.about:
            discover()
            return None
        if artifact is not None and artifact.equal:
            key = artifact.equal
            if (known := _recall(key, device)) is not None:
                return known
            artifact = self._read(key)
        return None if artifact is None else self._try_map(key, artifact, device)

    def _try_map(self, key: str, artifact: Artifact, device: str) -> Loaded | None:
        """Maps object code that was found; what can't be loaded is not ours, and is made again."""
        try:
            loaded = self._map(artifact.data, device)
            if self.source.is_ir:
                loaded.check()
        except HologramError:
            self._disk.discard(key, "it can't be loaded")
            return None
        STATS.disk_hits += 1
        self.say(1, f"'{self.source.name}' found in the cache")
        return _remember(key, loaded)

    def _make_loaded(self, want: Request, device: str) -> Loaded:
        """Code for a source that is not known, which may yet be an equal program's."""
        from hologram.runtime.devices import open_device
        from hologram.runtime.devices.cpu import pool
        from hologram.runtime.launch import launcher

        if self.source.is_ir:
            launcher.prepare()
            pool.prepare()
            if device != HOST:
                open_device(device).will_compile()
        known: list[Loaded] = []

        def equal(key: str) -> Artifact | None:
            cached = _recall(key, device) or self._find_loaded(key, device)
            known.extend(() if cached is None else (cached,))
            return None if cached is None else Artifact(b"")

        artifact = self._object(want, equal)
        if known:
            return known[0]
        loaded = self._map(artifact.data, device)
        return _remember(artifact.equal, loaded) if artifact.equal else loaded

    def _object(self, want: Request, equal: FindEqual | None) -> Artifact:
        """The object code that is wanted, made now."""
        start = time.perf_counter()
        artifact = self.make([want], equal)[want]
        if not artifact.is_known:
            self.say(1, f"'{self.source.name}' compiled in {(time.perf_counter() - start) * 1e3:.0f} ms")
        return artifact

    def _map(self, image: bytes, device: str) -> Loaded:
        from hologram.runtime.launch.loaded import Loaded

        return Loaded.of(image, self.source.name, device)

    def load_strided(self, target: Target, entry: Entry, argument: str) -> tuple[Entry, CpuModule]:
        """The same program for arrays of any strides; `argument` names the one that asks for it."""
        if self.source.is_ir:
            loaded = self.load(target.changed(layout=STRIDED), HOST)
            strided = next((e for e in loaded.entries if e.name == entry.name), entry)
            if all(a.strides is not None for a in strided.arguments if a.shape):
                return strided, loaded.module
        from hologram.runtime.launch.checks import remedy

        given = next(a for a in entry.arguments if a.name == argument)
        message = f"argument '{argument}' must be contiguous in C order: the program says so in its memory layout"
        raise LaunchError("launch-contiguous", message, hint=remedy(given, "numpy.ascontiguousarray(x)"))
