"""Keeps what LLVM says of this machine on disk: to load LLVM for it alone would take most of a short program's time."""

from __future__ import annotations

import os
import sys

from hologram.runtime.cache import disk_cache, key_of
from hologram.runtime.fingerprint import package_version
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
    key = key_of("host in lines", processor, sys.platform, os.uname().machine, package_version("llvmlite"))
    disk = disk_cache()
    if (known := disk.read(key, _parse_target)) is not None:
        tell_host(known)
        return known
    target = host_target()
    disk.put(key, "\n".join(target.as_dict().values()).encode())
    return target


def _parse_target(content: bytes) -> HostTarget | None:
    try:
        return HostTarget(*content.decode().split("\n"))
    except (ValueError, TypeError):
        return None


def _processor() -> bytes:
    """Return what the system says of the first processor, without what changes; empty where it says nothing."""
    try:
        with open(_PROCESSORS, "rb") as file:
            first = file.read(1 << 14).partition(b"\n\n")[0]
    except OSError:
        return b""
    return b"\n".join(line for line in first.splitlines() if not line.startswith(_CHANGING))
