"""Object files as shared objects that load without LLVM, linked here: what an archive had best hold."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from hologram.host_target import host_target
from hologram.lowering.emit.elf import Image, link_shared
from hologram.lowering.emit.native import to_object
from hologram.runtime.archive.model import Code
from hologram.runtime.archive.records import Host
from hologram.runtime.devices import cpu_builtins
from hologram.runtime.devices.cpu_shared import device_functions_ir


def host_code(target: str, image: bytes, name: str, options: Mapping[str, str] | None = None) -> Code:
    """The code that an object file made for this machine is, in the form that loads fastest on this system.

    `name` is that of the program, and `options` those of the target's pipeline.
    """
    format, data = loadable(image, name, for_device=target != "cpu")
    return Code(target, format, data, Host.here(), dict(options or {}))


def loadable(image: bytes, name: str, *, for_device: bool) -> tuple[str, bytes]:
    """The format and the bytes of the code that an object file is: a shared object, where its system has those.

    One for a device reaches the functions of its device by a table.
    """
    if not image.startswith(b"\x7fELF"):
        return "object", image
    images: list[Image] = [(name, image)]
    if for_device:
        images.append(("its device's functions", _device_functions()))
    halves = ("the conversions of half floats", _halves())
    return "shared", link_shared(images, f"{name}.so", [halves])


@functools.cache
def _device_functions() -> bytes:
    return to_object(device_functions_ir(), host_target(), 1)


@functools.cache
def _halves() -> bytes:
    return to_object(cpu_builtins.IR, host_target(), 1)
