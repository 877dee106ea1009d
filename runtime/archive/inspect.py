"""Shows the content of an archive: as text for people, and as JSON."""

from __future__ import annotations

import os
from typing import Any

from hologram.runtime.archive import layout
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.records import said_json


def describe(source: str | os.PathLike[str] | bytes) -> dict[str, Any]:
    """Return all that an archive says, without the bytes of its sections, as JSON data."""
    archive = open(source)
    manifest = archive.manifest
    return {
        "version": f"{layout.MAJOR}.{archive.frame.minor}",
        "bytes": len(archive.frame.content),
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
    """Return the content of an archive as text for people."""
    archive, about = open(source), describe(source)
    programs, constants, extensions = about["programs"], about["constants"], about["extensions"]
    lines = [
        f"{archive.name}: archive {about['version']} by {about['compiler']}, {about['bytes']:,} bytes",
        *(f"{name}: {text}" for name, text in about["provenance"].items()),
        f"{len(programs)} program{'s' * (len(programs) != 1)} for {', '.join(about['targets']) or 'no target'}",
    ]
    names = {place: name for name, place in about["kernels"].items()}
    for program in programs:
        lines += ["", program["name"] + (f" ({program['source']})" if program["source"] else "")]
        for entry in program["entries"]:
            name = names[f"{program['name']}.{entry['name']}"]
            lines.append(f"  {entry['signature']}" + (f", called {name}" if name != entry["name"] else ""))
        sizes = [(form, program[f"{form}_bytes"]) for form in ("ir", "isa")]
        sizes += [(_title(code), code["bytes"]) for code in program["codes"]]
        lines.append(f"  bytes: {', '.join(f'{title} {size:,}' for title, size in sizes if size is not None)}")
    if constants:
        lines += [
            "",
            "constants",
            *(f"  {c['name']}: {c['dtype']}[{'x'.join(map(str, c['shape']))}]" for c in constants),
        ]
    if extensions:
        lines += ["", "extensions"]
        lines += [f"  {e['name']}{' (must be known)' if e['essential'] else ''}" for e in extensions]
    return "\n".join(lines) + "\n"


def _title(code: dict[str, Any]) -> str:
    where = f" on {code['host'].partition('-')[0]}" if code["host"] is not None else ""
    return f"{code['target']} {code['format']}{where}"
