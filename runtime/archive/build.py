"""Programs and archives of sources, compiled for a list of targets that need not be there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from blake3 import blake3

from hologram.errors import InternalError
from hologram.runtime.archive import pieces
from hologram.runtime.archive.model import Archive, Code, Host, Program
from hologram.runtime.archive.pieces import Piece, Pieces, Want
from hologram.runtime.archive.records import said
from hologram.runtime.archive.sources import Place
from hologram.runtime.archive.targets import HOST, Target, read_targets
from hologram.runtime.cache import DiskCache
from hologram.runtime.settings import current

if TYPE_CHECKING:
    from hologram.runtime.source import Source


def wants_of(targets: Sequence[Target]) -> list[Want]:
    """The pieces that a program of an archive is made of."""
    return [Want(pieces.LOCATED), Want(pieces.ISA), *(Want(pieces.LOADABLE, target) for target in targets)]


def program_of(
    name: str, source_name: str, digest: str, found: Mapping[Want, Piece], targets: Sequence[Target]
) -> Program:
    """The program of a source's pieces."""
    codes = [found[Want(pieces.LOADABLE, target)] for target in targets]
    isa = found[Want(pieces.ISA)]
    records = [tuple(map(said, code.entries)) for code in codes]
    if any(other != records[0] for other in records):
        raise InternalError("compile-entries-differ", f"the entries of '{source_name}' differ from target to target")
    return Program(
        name,
        source_name,
        digest,
        found[Want(pieces.LOCATED)].data,
        None if isa.is_missing else isa.data,
        records[0],
        tuple(code_of(target, piece) for target, piece in zip(targets, codes, strict=True)),
    )


def code_of(target: Target, piece: Piece) -> Code:
    """The code that a piece is."""
    name, options = target.name.partition("{")[0], {k: v for k, v in target.options if k != "arch"}
    return Code(name, piece.about["format"], piece.data, Host.here(), options)


def build_program(place: Place, targets: Sequence[Target], *, name: str = "", opt_level: int = 3) -> Program:
    """A source, compiled for targets; what was compiled before comes from the disk cache."""
    from hologram.runtime.archive.making import get

    settings = current()
    cache = DiskCache(settings.cache_dir, settings.cache_bytes)
    made = get(Pieces(place, cache, opt_level, settings.isolate == "all"), wants_of(targets))
    source = place.source
    return program_of(name or PurePath(source.name).stem, source.name, digest_of(source), made, targets)


def digest_of(source: Source) -> str:
    """The digest of a source, as programs have it."""
    return blake3(source.data).hexdigest()


def build(
    sources: Mapping[str, Source], targets: str = HOST, *, types: Sequence[str] = (), opt_level: int = 3
) -> Archive:
    """The archive of sources by the names of their programs, compiled for a list of targets (`cpu,sm_90`).

    With `types` (`f32`, `f64`) kernels over element types have an entry for each of these that they may be.
    """
    found = read_targets(targets, "targets")
    places = {name: Place(source, types=tuple(types)) for name, source in sources.items()}
    return Archive(tuple(build_program(p, found, name=n, opt_level=opt_level) for n, p in places.items()))
