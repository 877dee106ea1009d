"""`hologram.load`: the kernels of an archive on a device."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from hologram.errors import InputError, LaunchError, did_you_mean
from hologram.errors.arguments import checked
from hologram.runtime.archive.choose import choose
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.records import CodeRecord, Host, said
from hologram.runtime.devices import find_device, open_device
from hologram.runtime.devices.cpu import shared
from hologram.runtime.entry import Entry, choose_entry
from hologram.runtime.host import prepare_host
from hologram.runtime.launch.kernel import Kernel
from hologram.runtime.launch.loaded import Loaded
from hologram.support import forks

if TYPE_CHECKING:
    from hologram.driver.source import Source
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.memory.class_memory import ClassMemory

UNSAFE = b"// trusted: compiled with unsafe-memory\n"
"""How the IR of a program in an archive begins where it was compiled without guards, and is again."""


@checked
def load(
    path: str | os.PathLike[str] | bytes,
    *,
    device: str = "cpu",
    strict: bool = False,
    extensions: Sequence[str] = (),
    classes: ClassMemory | None = None,
) -> Kernels:
    """The kernels of the archive at `path`, by name, as callables on `device`.

    Nothing is compiled where the archive has code that the device runs. Where it has none, the program is compiled from
    the archive's IR when one of its kernels is first asked for, and kept in the cache; with `strict` that is an error.
    `extensions` are the names of the extensions that the caller knows: an archive may ask for some. `classes` is the
    class memory that programs reach, as for `hologram.compile`.

    An archive holds machine code, which does what it likes: load only what you would run. Its digests find damage, and
    not that somebody changed it.
    """
    archive = open(path)
    unknown = [name for name in archive.essential_extensions() if name not in extensions]
    if unknown:
        message = f"'{archive.name}' can't be used without knowing its extension '{unknown[0]}'"
        raise InputError("archive-extension", message, hint="load it with the package that made it")
    return Kernels(archive, find_device(device), strict, classes)


class Kernels(Mapping[str, Kernel]):
    """The kernels of an archive by name. Each is loaded when it is first asked for."""

    def __init__(self, archive: OpenArchive, device: str, strict: bool, classes: ClassMemory | None):
        self.archive = archive
        """The archive that they are in."""
        self.device = device
        """Where they run."""
        self._strict = strict
        self._classes = classes
        self._names = archive.manifest.kernels
        self._kernels: dict[str, Kernel] = {}
        self._loaded: dict[int, Loaded | None] = {}
        self._lock = forks.rlock()

    def __repr__(self) -> str:
        return f"<{len(self)} kernels of {self.archive.name} on {self.device}>"

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> Kernel:
        with self._lock:
            if name not in self._kernels:
                self._kernels[name] = self._kernel(name)
            return self._kernels[name]

    def signature(self, name: str) -> str:
        """The signature of a kernel, which is not loaded for it."""
        number, entry = self._place(name)
        return next(e.signature for e in self.archive.record(number).entries if e.name == entry)

    def why_compiled(self, name: str) -> str:
        """Why a kernel is not taken from the archive, but compiled from its IR; empty if it is taken."""
        number, _ = self._place(name)
        codes = self.archive.record(number).codes
        chosen, reasons = self._choose(codes)
        return self._lacks(number, codes, reasons) if chosen is None else ""

    def _place(self, name: str) -> tuple[int, str]:
        if name not in self._names:
            some = f"there are {len(self)}, such as {', '.join([*self][:3])}" if len(self) else "it holds none"
            hint = did_you_mean(str(name), self._names) or some
            raise MissingKernel("archive-kernel", f"there is no kernel '{name}' in '{self.archive.name}'", hint=hint)
        return self._names[name]

    def _kernel(self, name: str) -> Kernel:
        number, entry = self._place(name)
        if number not in self._loaded:
            self._loaded[number] = self._find(number)
        loaded = self._loaded[number]
        if loaded is None:
            from hologram.driver.compiler import compile

            source = self._source(number)
            trusted = source.data.startswith(UNSAFE)
            return compile(source, device=self.device, entry=entry, classes=self._classes, unsafe_memory=trusted)
        chosen = choose_entry(loaded.entries, entry, loaded.name)
        return loaded.kernel(chosen, self._classes, lambda argument: self._strided(number, chosen, argument))

    def _find(self, number: int) -> Loaded | None:
        """The program's code for the device, loaded; None where there is none and it may be compiled."""
        codes = self.archive.record(number).codes
        chosen, reasons = self._choose(codes)
        if chosen is None:
            if self._strict:
                self._refuse(number, codes, reasons)
            return None
        return self._load(number, chosen)

    def _load(self, number: int, part: int) -> Loaded:
        archive = self.archive
        name = f"{archive.name}: {archive.manifest.programs[number][0]}"
        loaded = Loaded.of(bytes(archive.code(number, part)), name, self.device)
        if tuple(map(said, loaded.entries)) != archive.record(number).entries:
            message = f"the code of '{name}' has other entries than the archive says"
            raise InputError("archive-entries", message, hint="make the archive again")
        return loaded

    def _choose(self, codes: Sequence[CodeRecord]) -> tuple[int | None, list[str]]:
        kind = self.device.partition(":")[0]
        options: Mapping[str, str] = {}
        if kind != "cpu":
            options = open_device(self.device).options
        prepare_host()
        return choose(codes, kind, options, Host.here(), shared.can_load())

    def _lacks(self, number: int, codes: Sequence[CodeRecord], reasons: Sequence[str]) -> str:
        name = self.archive.manifest.programs[number][0]
        targets = ", ".join(dict.fromkeys(code.target for code in codes)) or "nothing"
        why = "; ".join(reasons) or f"it has code for {targets}"
        return f"'{self.archive.name}' has no code of program '{name}' that {self.device} can run: {why}"

    def _refuse(self, number: int, codes: Sequence[CodeRecord], reasons: Sequence[str]) -> NoReturn:
        message = self._lacks(number, codes, reasons)
        hint = "load it without strict, which compiles it from its IR, or make the archive for this target"
        raise InputError("archive-target", message, hint=hint)

    def _source(self, number: int) -> Source:
        """The IR of a program as `hologram.compile` takes it."""
        from hologram.driver.source import Source

        name = self.archive.manifest.programs[number][0]
        return Source("mlir", f"{name}.mlir", bytes(self.archive.ir(number)))

    def _strided(self, number: int, entry: Entry, argument: str) -> tuple[Entry, CpuModule]:
        """The code of a program for arrays of any strides, which an archive does not hold."""
        if self._strict:
            message = f"argument '{argument}' must be contiguous in C order: the archive has no code for others"
            hint = f"load it without strict, or make '{argument}' contiguous: numpy.ascontiguousarray({argument})"
            raise LaunchError("archive-contiguous", message, hint=hint)
        from hologram.driver.graph import Build
        from hologram.driver.targets import CPU

        source = self._source(number)
        target = CPU.changed(unsafe_memory=source.data.startswith(UNSAFE))
        return Build(source).load_strided(target, entry, argument)


class MissingKernel(InputError, KeyError):
    """An archive has no kernel of a name. It is a KeyError too, as of any mapping."""

    __str__ = InputError.__str__
