"""`hologram.load`: the kernels of an archive on a device."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from hologram.errors import InputError, LaunchError, did_you_mean
from hologram.runtime import parallel_loops
from hologram.runtime.archive.choose import choose
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.records import CodeRecord, Host, said
from hologram.runtime.devices import cpu_shared, find_device, open_device
from hologram.runtime.entry import Entry, choose_entry, parse_entries
from hologram.runtime.host import prepare_host
from hologram.runtime.kernel import Kernel, make_kernel

if TYPE_CHECKING:
    from hologram.runtime.class_memory import ClassMemory
    from hologram.runtime.device_program import DeviceObject
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.source import Source


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
        self._loaded: dict[int, _Loaded | None] = {}
        self._lock = threading.RLock()

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

    def _place(self, name: str) -> tuple[int, str]:
        if name not in self._names:
            raise MissingKernel(
                "archive-kernel",
                f"there is no kernel '{name}' in '{self.archive.name}'",
                hint=did_you_mean(name, self._names) or f"there are {len(self)}, such as {', '.join([*self][:3])}",
            )
        return self._names[name]

    def _kernel(self, name: str) -> Kernel:
        number, entry = self._place(name)
        if number not in self._loaded:
            self._loaded[number] = self._find(number)
        loaded = self._loaded[number]
        return self._compile(number, entry) if loaded is None else loaded.kernel(entry)

    def _find(self, number: int) -> _Loaded | None:
        """The program's code for the device, loaded; None where there is none and it may be compiled."""
        codes = self.archive.record(number).codes
        chosen, reasons = self._choose(codes)
        if chosen is None:
            if self._strict:
                self._refuse(number, codes, reasons)
            return None
        return _Loaded(self, number, chosen)

    def _choose(self, codes: Sequence[CodeRecord]) -> tuple[int | None, list[str]]:
        kind = self.device.partition(":")[0]
        options: Mapping[str, str] = {}
        if kind != "cpu":
            options = open_device(self.device).options
        prepare_host()
        return choose(codes, kind, options, Host.here(), cpu_shared.can_load())

    def _refuse(self, number: int, codes: Sequence[CodeRecord], reasons: Sequence[str]) -> NoReturn:
        name = self.archive.manifest.programs[number][0]
        targets = ", ".join(dict.fromkeys(code.target for code in codes)) or "nothing"
        why = "; ".join(reasons) or f"it has code for {targets}"
        message = f"'{self.archive.name}' has no code of program '{name}' that {self.device} can run: {why}"
        hint = "load it without strict, which compiles it from its IR, or make the archive for this target"
        raise InputError("archive-target", message, hint=hint)

    def source(self, number: int) -> Source:
        """The IR of a program as `hologram.compile` takes it."""
        from hologram.runtime.source import Source

        name = self.archive.manifest.programs[number][0]
        return Source("mlir", f"{name}.mlir", bytes(self.archive.ir(number)))

    def _compile(self, number: int, entry: str) -> Kernel:
        from hologram.runtime.compiler import compile

        return compile(self.source(number), device=self.device, entry=entry, classes=self._classes)

    def strided(self, number: int, entry: Entry, argument: str) -> tuple[Entry, CpuModule]:
        """The code of a program for arrays of any strides, which an archive does not hold."""
        if self._strict:
            message = f"argument '{argument}' must be contiguous in C order: the archive has no code for others"
            raise LaunchError(
                "archive-contiguous", message, hint="pass numpy.ascontiguousarray(x), or load without strict"
            )
        from hologram.runtime.compiler import Build
        from hologram.runtime.settings import current

        return Build(self.source(number), current(), "cpu", 3, True, None).load_strided(entry, argument)

    @property
    def classes(self) -> ClassMemory | None:
        """The class memory that was given."""
        return self._classes


class MissingKernel(InputError, KeyError):
    """An archive has no kernel of a name. It is a KeyError too, as of any mapping."""

    __str__ = InputError.__str__


class _Loaded:
    """Code of a program in this process, and on its device."""

    def __init__(self, kernels: Kernels, number: int, part: int):
        archive = kernels.archive
        self._kernels = kernels
        self._number = number
        self._name = f"{archive.name}: {archive.manifest.programs[number][0]}"
        image = bytes(archive.code(number, part))
        is_cpu = kernels.device == "cpu"
        self._module = cpu_shared.load(image, self._name, None if is_cpu else open_device(kernels.device).functions)
        self._entries = parse_entries(self._module.entries())
        if tuple(map(said, self._entries)) != archive.record(number).entries:
            message = f"the code of '{self._name}' has other entries than the archive says"
            raise InputError("archive-entries", message, hint="make the archive again")
        self._object: DeviceObject | None = None
        if not is_cpu or any(entry.device is not None for entry in self._entries):
            from hologram.runtime.device_program import DeviceObject, check_entries

            check_entries(self._entries, self._name, kernels.device)
            self._object = DeviceObject(image, self._name, kernels.device, self._entries, self._module)
            return
        parallel_loops.attach(self._module, image)

    def kernel(self, name: str) -> Kernel:
        """The kernel of an entry."""
        kernels, entry = self._kernels, choose_entry(self._entries, name, self._name)
        if self._object is not None:
            from hologram.runtime.device_kernel import DeviceKernel

            return DeviceKernel(entry, self._object, kernels.device, kernels.classes)

        def strided(argument: str) -> tuple[Entry, CpuModule]:
            return kernels.strided(self._number, entry, argument)

        return make_kernel(entry, self._module, kernels.device, strided, kernels.classes)
