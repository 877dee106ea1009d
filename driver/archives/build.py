"""Programs and archives of sources, compiled for a list of targets that need not be there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from blake3 import blake3

from hologram.driver.archives.load import UNSAFE
from hologram.driver.artifacts import ENTRIES, ISA, LOADABLE, LOCATED, Artifact, Request, untargeted
from hologram.driver.graph import Build
from hologram.driver.portable import PortableSource
from hologram.driver.source import Source
from hologram.driver.targets import HOST, Target, read_targets
from hologram.errors import InternalError, UsageError
from hologram.errors.arguments import checked, described
from hologram.runtime.archive.choose import options_of
from hologram.runtime.archive.model import Archive, Code, Host, Program
from hologram.runtime.archive.records import CodeRecord, said


def wants_of(targets: Sequence[Target]) -> list[Request]:
    """The artifacts that a program of an archive is made of."""
    return [
        Request(LOCATED),
        _isa(targets),
        *(Request(form, target) for target in targets for form in (LOADABLE, ENTRIES)),
    ]


def program_of(
    name: str, source_name: str, digest: str, artifacts: Mapping[Request, Artifact], targets: Sequence[Target]
) -> Program:
    """The program of a source's artifacts."""
    isa = artifacts[_isa(targets)]
    records = [tuple(map(said, artifacts[Request(ENTRIES, target)].entries)) for target in targets]
    if any(other != records[0] for other in records):
        raise InternalError("compile-entries-differ", f"the entries of '{source_name}' differ from target to target")
    trusted = UNSAFE if _isa(targets).unsafe_memory else b""
    return Program(
        name,
        source_name,
        digest,
        trusted + artifacts[Request(LOCATED)].data,
        None if isa.is_missing else isa.data,
        records[0],
        tuple(_code(target, artifacts[Request(LOADABLE, target)]) for target in targets),
    )


def _isa(targets: Sequence[Target]) -> Request:
    """The machine form: what is trusted for one target is for all."""
    return untargeted(ISA, unsafe_memory=any(target.unsafe_memory for target in targets))


def _code(target: Target, artifact: Artifact) -> Code:
    """The code that an artifact is, with all options, as later versions may have other defaults."""
    name, form, host = target.name.partition("{")[0], artifact.about["format"], Host.here()
    options = options_of(CodeRecord(name, form, host, dict(target.options)))
    return Code(name, form, artifact.data, host, {k: v for k, v in options.items() if k != "arch"})


def build_program(source: PortableSource, targets: Sequence[Target], *, name: str = "", opt_level: int = 3) -> Program:
    """A source, compiled for targets; what was compiled before comes from the disk cache."""
    artifacts = Build(source, opt_level=opt_level).get(wants_of(targets))
    return program_of(name or PurePath(source.name).stem, source.name, digest_of(source), artifacts, targets)


def digest_of(source: Source) -> str:
    """The digest of a source, as programs have it."""
    return blake3(source.data).hexdigest()


@checked
def build(
    sources: Mapping[str, Source],
    targets: str = HOST,
    *,
    types: Sequence[str] = (),
    opt_level: int = 3,
    unsafe_memory: bool = False,
) -> Archive:
    """The archive of sources by the names of their programs, compiled for a list of targets (`cpu,sm_90`).

    With `types` (`f32`, `f64`) kernels over element types have an entry for each of these that they may be.
    `unsafe_memory` is that of `hologram.compile`.
    """
    parsed = [target.changed(unsafe_memory=unsafe_memory) for target in read_targets(targets, "targets")]
    for name, source in sources.items():
        if not isinstance(source, Source):  # pyright: ignore[reportUnnecessaryIsInstance]
            message = f"program '{name}' is a source, not {described(source)}"
            hint = "text_source(b'...', 'name.mlir') is one, and read_source(path)"
            raise UsageError("archive-source", message, hint=hint)
    portable = {name: PortableSource.of(source, types=types) for name, source in sources.items()}
    return Archive(tuple(build_program(p, parsed, name=n, opt_level=opt_level) for n, p in portable.items()))
