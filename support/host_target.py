"""The target that code is generated for. LLVM is asked about this machine only where nobody else knows."""

from __future__ import annotations

import functools
from importlib import import_module
from pathlib import Path
from typing import Any

from hologram.support.record import Record


class HostTarget(Record):
    """A target of generated code: LLVM's triple, processor name and feature list."""

    triple: str
    cpu: str
    features: str
    """`+name` and `-name`, comma-separated."""

    @property
    def wide_vectors(self) -> bool:
        """True if there are 512-bit vectors that are worth using."""
        return "+avx512f" in self.features.split(",")

    @property
    def vector_bytes(self) -> int:
        """The bytes of a vector register."""
        features = self.features.split(",")
        return 64 if self.wide_vectors else 32 if "+avx2" in features else 16

    def attributes(self) -> dict[str, str]:
        """The function attributes that say all this, so that the text alone gives the same code."""
        attributes = {"target-cpu": self.cpu, "target-features": self.features}
        if self.wide_vectors:
            attributes["prefer-vector-width"] = "512"
        return {name: value for name, value in attributes.items() if value}


_host: list[HostTarget] = []


def host_target() -> HostTarget:
    """This machine."""
    if not _host:
        _host.append(HostTarget(*ask_host()))
    return _host[0]


def host_is_known() -> bool:
    """Return whether `host_target` need not ask LLVM."""
    return bool(_host)


def tell_host(target: HostTarget) -> None:
    """Takes it that this is this machine, which LLVM then need not be asked."""
    _host[:] = [target]


@functools.cache
def llvm_binding() -> Any:
    """llvmlite's binding, which has no types; imported when code is generated first."""
    binding: Any = import_module("llvmlite.binding")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()
    return binding


def ask_host() -> tuple[str, str, str]:
    """This machine's triple, processor and features. Features are asked for one by one, for processor names say too
    little of virtual machines."""
    llvm = llvm_binding()
    features = llvm.get_host_cpu_features()
    text: str = features.flatten()
    if features.get("avx512f"):
        # Some processor models prefer half of what they have.
        text += ",-prefer-256-bit"
    # LLVM carries bf16 values from block to block as f32, and with these instructions it comes back without subnormals.
    text += "".join(f",-{name}" for name in ("avx512bf16", "avxneconvert") if features.get(name))
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), text


def host_vector_bytes() -> int:
    """The bytes of a vector register of this machine if its instructions are those of x86-64; else 16."""
    target = host_target()
    return target.vector_bytes if target.triple.startswith("x86_64") else 16


@functools.cache
def last_cache_bytes() -> int:
    """The size of this machine's last cache; 32 MiB where it does not say."""
    sizes = [_cache_size(path) for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    return max(sizes, default=0) or 32 * 1024 * 1024


def _cache_size(path: Path) -> int:
    try:
        number = path.read_text().strip()
    except OSError:
        return 0
    return int(number[:-1]) * {"K": 1024, "M": 1024**2}.get(number[-1:], 0) if number[:-1].isdigit() else 0
