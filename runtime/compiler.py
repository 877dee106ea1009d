"""`hologram.compile`: from a program in any form to a kernel, by way of the caches.

The key of the source finds the object without looking at IR; xDSL is imported only on a miss. Then the key of the IR
behind the first stage finds equal programs from other sources: with other names, comments or line breaks, or other in
what that stage folds.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hologram.collector import without_collection
from hologram.errors import HologramError, InputError, LaunchError, UsageError
from hologram.host_target import host_target
from hologram.lowering.emit.native import load_ahead
from hologram.runtime import codegen, launcher, parallel_loops
from hologram.runtime.cache import STATS, DiskCache, key_of
from hologram.runtime.codegen import Job
from hologram.runtime.devices import cpu_pool, cpu_shared, find_device
from hologram.runtime.entry import Entry, choose_entry, parse_entries
from hologram.runtime.fingerprint import compiler_fingerprint
from hologram.runtime.kernel import Kernel, make_kernel
from hologram.runtime.settings import Settings, current
from hologram.runtime.source import Source, read_source

if TYPE_CHECKING:
    from hologram.runtime.class_memory import ClassMemory
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.lower import Lowering

load_ahead()

SAME_AS = b"the same as "
"""How the disk's entry of a source begins that has an equal program's code."""
KEPT = 128
"""How many loaded modules the memory keeps for sources that are compiled again."""
_loaded: OrderedDict[str, Loaded] = OrderedDict()
_memory = threading.Lock()


@dataclass(frozen=True)
class Loaded:
    """Code in memory and what it holds."""

    module: CpuModule
    entries: tuple[Entry, ...]


def compile(
    source: Any,
    *,
    device: str = "cpu",
    entry: str | None = None,
    opt_level: int = 3,
    cache: bool = True,
    pipeline: str | None = None,
    classes: ClassMemory | None = None,
    coherence: bool = False,
) -> Kernel:
    """Compiles a program into a callable on numpy arrays, or on arrays of a device.

    `source` is a path (`.mlir` at any stage, `.atlas`, `.atlasb`, `.ll`, `.s`, `.o`), IR text, or an xDSL module, which
    stays as it is.
    `device` names where it runs (`cpu`, `cuda`, `opencl:1`); `auto` takes the first GPU that is there, else the
    processor, and the kernel's `device` says which. `entry`
    chooses among several public functions. `opt_level` (0 to 3) is LLVM's. `cache=False` neither reads nor writes the
    caches. `pipeline` names another table of stages than the device's own. `classes` is the class memory that the
    program reaches: that of the device's default executor, unless an `Executor` compiles it. With `coherence` the
    program checks its integer sums and products by residues, and traps on a mismatch (pass `insert-coherence-checks`).
    """
    program, found = read_source(source), find_device(device)
    if coherence:
        pipeline = _coherent(program, found, pipeline)
    if found != "cpu":
        from hologram.runtime.device_compiler import compile_for

        try:
            return compile_for(program, found, opt_level, cache, pipeline, entry, classes, device)
        except InputError as error:
            # Only IR leaves `auto` a choice: code is for one device, which it names once it is read.
            if device != "auto" or error.code != "object-device":
                raise
            found = "cpu"
    build = Build(program, current(), found, opt_level, cache, pipeline)
    loaded = build.load()
    chosen = choose_entry(loaded.entries, entry, build.source.name)
    if device == "auto":
        build.say(1, f"device '{build.device}' is used")
    _check_device(chosen, build.source.name)

    def strided(argument: str) -> tuple[Entry, CpuModule]:
        return build.load_strided(chosen, argument)

    return make_kernel(chosen, loaded.module, build.device, strided, classes)


def _check_device(entry: Entry, name: str) -> None:
    if entry.device is not None:
        from hologram.runtime.device_program import check_entries

        check_entries((entry,), name, "cpu")


def _coherent(source: Source, device: str, pipeline: str | None) -> str:
    """The pipeline with checks, unless another one is asked for."""
    from hologram.lowering.pipelines import COHERENT

    if not source.is_ir:
        raise UsageError(
            "compile-coherence-source",
            f"'{source.name}' holds code, in which sums and products can't be checked any more",
            hint="compile its MLIR with coherence=True",
        )
    if device not in COHERENT:
        raise UsageError(
            "compile-coherence-device",
            f"there is no pipeline with coherence checks to device '{device}'",
            hint="compile it for device 'cpu'",
        )
    if pipeline not in (None, COHERENT[device]):
        raise UsageError(
            "compile-coherence",
            f"coherence=True asks for the pipeline '{COHERENT[device]}', pipeline= for '{pipeline}'",
            hint="give one of them; insert-coherence-checks may stand before any pipeline in hologram-opt",
        )
    return COHERENT[device]


def clear_memory() -> None:
    """Forgets the loaded modules; kernels in use keep theirs."""
    with _memory:
        _loaded.clear()


def _recall(key: str) -> Loaded | None:
    with _memory:
        if (known := _loaded.get(key)) is not None:
            _loaded.move_to_end(key)
        return known


def _remember(key: str, loaded: Loaded) -> Loaded:
    with _memory:
        _loaded[key] = loaded
        while len(_loaded) > KEPT:
            _loaded.popitem(last=False)
    return loaded


@dataclass(frozen=True)
class Build:
    """One source with the options that decide what becomes of it."""

    source: Source
    settings: Settings
    device: str
    opt_level: int
    cache: bool
    pipeline: str | None

    def __post_init__(self) -> None:
        if type(self.opt_level) is not int or not 0 <= self.opt_level <= 3:
            message = f"opt_level is {self.opt_level!r}, expected 0, 1, 2 or 3"
            raise UsageError("compile-opt-level", message, hint="3 is the default")

    def load(self, layout: str = "identity") -> Loaded:
        """The code in memory: loaded before, found on disk, or made now."""
        if not self.cache:
            with without_collection():
                return self._map(self._generate(layout))
        key = self.key(layout, *self.source.parts)
        if (known := _recall(key)) is not None:
            STATS.memory_hits += 1
            return known
        with without_collection():
            return _remember(key, self._find(key) or self._make(key, layout))

    def image(self) -> tuple[bytes, tuple[Entry, ...]]:
        """The object file and what it holds, made now."""
        image = self._generate("identity")
        return image, self._map(image).entries

    def load_strided(self, entry: Entry, argument: str) -> tuple[Entry, CpuModule]:
        """The same program for arrays of any strides; `argument` names the one that asks for it."""
        if self.source.is_ir:
            loaded = self.load("strided")
            strided = next((e for e in loaded.entries if e.name == entry.name), entry)
            if all(a.strides is not None for a in strided.arguments if a.shape):
                return strided, loaded.module
        message = f"argument '{argument}' must be contiguous in C order: the program says so in its memory layout"
        raise LaunchError("launch-contiguous", message, hint="pass numpy.ascontiguousarray(x)")

    def key(self, layout: str, *program: str | bytes) -> str:
        """Everything that decides the object code: the program, the options, the target and the compiler."""
        host = host_target()
        target = (host.triple, host.cpu, host.features)
        options = (self.source.kind, str(self.opt_level), self.pipeline or "", layout, self.device)
        return key_of(*options, *target, compiler_fingerprint(), *program)

    def say(self, level: int, text: str) -> None:
        """Writes a line to standard error if HOLOGRAM_DEBUG is at least `level`."""
        if self.settings.debug >= level:
            sys.stderr.write(f"hologram: {text}\n")

    @property
    def _disk(self) -> DiskCache:
        return DiskCache(self.settings.cache_dir, self.settings.cache_bytes)

    def _find(self, key: str) -> Loaded | None:
        """What the disk holds under a key: object code, or the key of an equal program's."""
        image = self._disk.get(key)
        if image is not None and image.startswith(SAME_AS):
            key = image[len(SAME_AS) :].decode()
            if (known := _recall(key)) is not None:
                return known
            image = self._disk.get(key)
        if image is None:
            return None
        try:
            loaded = self._map(image)
        except HologramError:
            # Whole, but not ours: it is made again.
            self._disk.discard(key)
            return None
        STATS.disk_hits += 1
        self.say(1, f"'{self.source.name}' found in the cache")
        return _remember(key, loaded)

    def _make(self, key: str, layout: str) -> Loaded:
        """Code for a source that is not known, which may yet be an equal program's."""
        if not self.source.is_ir:
            image = self._generate(layout)
            self._disk.put(key, image)
            return self._map(image)
        launcher.prepare()
        cpu_pool.prepare()
        lowering = self._lowering(layout)
        # Code that can trap tells the places of its own source, so it is kept under a key that knows them.
        anywhere, here = (self.key(layout, "equal", lowering.digest(places=p)) for p in (False, True))
        for equal in (anywhere, here):
            if (found := _recall(equal) or self._find(equal)) is not None:
                STATS.equal_hits += 1
                self._disk.put(key, SAME_AS + equal.encode())
                return found
        image = self._generate(layout, lowering)
        loaded = self._map(image)
        equal = here if any(entry.sites for entry in loaded.entries) else anywhere
        if self._disk.put(equal, image):
            self._disk.put(key, SAME_AS + equal.encode())
        return _remember(equal, loaded)

    def _map(self, image: bytes) -> Loaded:
        module = cpu_shared.load(image, self.source.name)
        parallel_loops.attach(module, image)
        return Loaded(module, parse_entries(module.entries()))

    def _generate(self, layout: str, lowering: Lowering | None = None) -> bytes:
        """Object code, by way of the stages that the source has not behind it."""
        start = time.perf_counter()
        source = self.source
        if source.is_ir:
            text = (lowering or self._lowering(layout)).finish().encode()
            image = codegen.generate(Job("ll", None, self.opt_level), text, isolate=self.settings.isolate == "all")
        else:
            job = Job(source.kind, source.name, self.opt_level, optimise=not source.name.endswith(".opt.ll"))
            image = codegen.generate(job, source.data, isolate=self.settings.isolate != "never")
        STATS.compiled += source.kind != "o"
        self.say(1, f"'{source.name}' compiled in {(time.perf_counter() - start) * 1e3:.0f} ms")
        return image

    def _lowering(self, layout: str) -> Lowering:
        """An MLIR source behind the first stage of its pipeline."""
        from hologram.runtime.lower import Lowering

        return Lowering(self.source, self.device, self.pipeline, layout, self._note)

    def _note(self, stage: str, seconds: float) -> None:
        self.say(2, f"  stage {stage}: {seconds * 1e3:.1f} ms")
