"""What is in an archive, for people and as JSON."""

from __future__ import annotations

import os
from typing import Any

from hologram.runtime.archive import layout
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.records import CodeRecord, ProgramRecord, said_json


def describe(source: str | os.PathLike[str] | bytes) -> dict[str, Any]:
    """All that an archive says, without the bytes of its sections, as JSON data."""
    archive = open(source)
    manifest = archive.manifest
    return {
        "version": f"{layout.MAJOR}.{archive.frame.minor}",
        "bytes": len(archive.frame.data),
        "compiler": manifest.compiler,
        "provenance": dict(manifest.provenance),
        "targets": list(manifest.targets),
        "kernels": {name: f"{manifest.programs[n][0]}.{entry}" for name, (n, entry) in manifest.kernels.items()},
        "programs": [_program(archive, number) for number in range(len(manifest.programs))],
        "constants": [
            {"name": c.name, "dtype": c.dtype, "shape": list(c.shape)} for c in archive.constants.values()
        ],
        "extensions": [
            {
                "name": name,
                "bytes": archive.frame.sections[layout.EXTENSION, number, 0].length,
                "essential": name in archive.essential_extensions(),
            }
            for number, name in enumerate(manifest.extensions)
        ],
    }  # fmt: skip


def _program(archive: OpenArchive, number: int) -> dict[str, Any]:
    record, sections = archive.record(number), archive.frame.sections
    isa = sections.get((layout.ISA, number, 0))
    return {
        "name": record.name,
        "source": record.source_name,
        "source_digest": record.source_digest,
        "ir_bytes": sections[layout.TEXT, number, 0].length,
        "isa_bytes": None if isa is None else isa.length,
        "entries": [{"signature": entry.signature, **said_json(entry)} for entry in record.entries],
        "codes": [
            {
                "target": code.target,
                "format": code.format,
                "bytes": sections[layout.CODE, number, part].length,
                "host": None if code.host is None else code.host.triple,
                "processor": None if code.host is None else code.host.cpu,
                "options": dict(code.options),
            }
            for part, code in enumerate(record.codes)
        ],
    }


def show(source: str | os.PathLike[str] | bytes) -> str:
    """What is in an archive, as text for people."""
    archive = open(source)
    manifest, frame = archive.manifest, archive.frame
    count = len(manifest.programs)
    lines = [
        f"{archive.name}: archive {layout.MAJOR}.{frame.minor} by {manifest.compiler}, {len(frame.data):,} bytes",
        *(f"{name}: {text}" for name, text in manifest.provenance.items()),
        f"{count} program{'s' * (count != 1)} for {', '.join(manifest.targets) or 'no target'}",
    ]
    names = {place: name for name, place in manifest.kernels.items()}
    for number in range(count):
        lines += _lines(archive, number, archive.record(number), names)
    if archive.constants:
        lines += ["", "constants"]
        lines += [f"  {c.name}: {c.dtype}[{'x'.join(map(str, c.shape))}]" for c in archive.constants.values()]
    if manifest.extensions:
        lines += ["", "extensions"]
        essential = archive.essential_extensions()
        lines += [f"  {name}{' (must be known)' if name in essential else ''}" for name in manifest.extensions]
    return "\n".join(lines) + "\n"


def _lines(archive: OpenArchive, number: int, record: ProgramRecord, names: dict[tuple[int, str], str]) -> list[str]:
    sections = archive.frame.sections
    lines = ["", record.name + (f" ({record.source_name})" if record.source_name else "")]
    for entry in record.entries:
        name = names[number, entry.name]
        lines.append(f"  {entry.signature}" + (f", called {name}" if name != entry.name else ""))
    sizes = [f"ir {sections[layout.TEXT, number, 0].length:,}"]
    if (isa := sections.get((layout.ISA, number, 0))) is not None:
        sizes.append(f"isa {isa.length:,}")
    for part, code in enumerate(record.codes):
        sizes.append(f"{_named(code)} {sections[layout.CODE, number, part].length:,}")
    return [*lines, f"  bytes: {', '.join(sizes)}"]


def _named(code: CodeRecord) -> str:
    where = f" on {code.host.triple.partition('-')[0]}" if code.host is not None else ""
    return f"{code.target} {code.format}{where}"
