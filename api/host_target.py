"""What code is generated for. LLVM is asked about this machine only where nobody else knows."""

from __future__ import annotations

from hologram.record import Record


class HostTarget(Record):
    """What code is generated for: LLVM's triple, processor name and feature list."""

    triple: str
    cpu: str
    features: str
    """`+name` and `-name`, comma-separated."""

    @property
    def wide_vectors(self) -> bool:
        """Whether there are 512-bit vectors that are worth using."""
        return "+avx512f" in self.features.split(",")

    @property
    def vector_bytes(self) -> int:
        """The bytes of a vector register."""
        features = self.features.split(",")
        return 64 if self.wide_vectors else 32 if "+avx2" in features else 16

    def attributes(self) -> dict[str, str]:
        """The function attributes that say all this, so that the text alone gives the same code."""
        found = {"target-cpu": self.cpu, "target-features": self.features}
        if self.wide_vectors:
            found["prefer-vector-width"] = "512"
        return {name: value for name, value in found.items() if value}


_host: list[HostTarget] = []


def host_target() -> HostTarget:
    """This machine."""
    if not _host:
        from hologram.lowering.emit.native import ask_host

        _host.append(HostTarget(*ask_host()))
    return _host[0]


def host_is_known() -> bool:
    """Whether `host_target` need not ask LLVM."""
    return bool(_host)


def tell_host(target: HostTarget) -> None:
    """Takes it that this is this machine, which LLVM then need not be asked."""
    _host[:] = [target]
