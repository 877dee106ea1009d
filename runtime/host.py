"""Keeps what LLVM says of this machine on disk: to load LLVM for it alone would take most of a short program's time."""

from __future__ import annotations

import os
import sys

from hologram.runtime.cache import disk_cache, key_of
from hologram.runtime.fingerprint import LLVM, assume_llvm, is_installed, llvm_version
from hologram.support.host_target import HostTarget, host_is_known, host_target, tell_host

_PROCESSORS = "/proc/cpuinfo"
_CHANGING = (
    b"cpu MHz", b"bogomips", b"processor", b"core id", b"apicid", b"initial apicid", b"physical id", b"microcode"
)  # fmt: skip


def prepare_host() -> HostTarget:
    """Has `host_target` known, from the disk cache where it is there; LLVM is not loaded then."""
    return host_target() if host_is_known() else _find_or_ask()


def _find_or_ask() -> HostTarget:
    processor = _processor()
    if not processor:
        return host_target()
    key = key_of("host and LLVM", processor, sys.platform, os.uname().machine)
    disk = disk_cache()
    if (known := disk.read(key, _parse_target)) is not None and (known[0] == llvm_version() or not is_installed(LLVM)):
        assume_llvm(known[0])
        tell_host(known[1])
        return known[1]
    target = host_target()
    disk.put(key, "\n".join([llvm_version(), *target.as_dict().values()]).encode())
    return target


def _parse_target(content: bytes) -> tuple[str, HostTarget] | None:
    """The version of LLVM that said it, and what it said."""
    try:
        version, *target = content.decode().split("\n")
        found = HostTarget(*target)
    except (ValueError, TypeError):
        return None
    is_one = found.triple.startswith(os.uname().machine) and set(found.features.split(",")[0][:1]) <= {"+", "-"}
    return (version, found) if is_one and version else None


def _processor() -> bytes:
    """Return what the system says of the first processor, without what changes; empty where it says nothing."""
    try:
        with open(_PROCESSORS, "rb") as file:
            first = file.read(1 << 14).partition(b"\n\n")[0]
    except OSError:
        return b""
    return b"\n".join(line for line in first.splitlines() if not line.startswith(_CHANGING))
