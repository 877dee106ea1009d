"""Writes archives. Equal archives give equal bytes, on every platform."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

from hologram.errors import InputError
from hologram.runtime.archive import layout
from hologram.runtime.archive.documents import manifest_bytes, read_manifest, read_record, record_bytes
from hologram.runtime.archive.layout import Piece
from hologram.runtime.archive.model import Archive, Program
from hologram.runtime.archive.records import Manifest, ProgramRecord
from hologram.runtime.archive.tensors import DTYPES, fits, nbytes, write_tensors
from hologram.runtime.files import replace_file
from hologram.support.regular_files import why_unwritable

_NAME = "<archive>"


def write(archive: Archive) -> bytes:
    """The bytes of an archive. Raises an InputError where it holds what an archive can't."""
    programs = sorted(archive.programs, key=lambda program: program.name)
    extensions = sorted(archive.extensions, key=lambda extension: extension.name)
    manifest = Manifest(
        archive.compiler,
        archive.provenance,
        tuple((program.name, tuple(entry.name for entry in program.entries)) for program in programs),
        tuple(sorted({code.target for program in programs for code in program.codes})),
        tuple(extension.name for extension in extensions),
    )
    if len({name for name, _ in manifest.programs}) != len(programs):
        _refuse("two programs have one name")
    head = manifest_bytes(manifest)
    read_manifest(head, _NAME)
    pieces = [Piece(layout.MANIFEST, head)]
    for number, program in enumerate(programs):
        pieces += _program(program, number)
    if archive.constants:
        pieces.append(Piece(layout.TENSORS, _tensors(archive)))
    for number, extension in enumerate(extensions):
        flags = layout.ESSENTIAL if extension.essential else 0
        pieces.append(Piece(layout.EXTENSION, extension.data, number, flags=flags))
    return layout.pack(sorted(pieces, key=lambda piece: (layout.RANKS[piece.kind], piece.number, piece.part)))


def save(archive: Archive, path: str | os.PathLike[str]) -> None:
    """Writes an archive to a file. Whoever has the old one open keeps it."""
    data, place = write(archive), Path(path)
    try:
        replace_file(place, data)
    except OSError as error:
        reason, hint = why_unwritable(str(place), error)
        message = f"the archive '{place}' can't be written: {reason}"
        raise InputError("archive-unwritable", message, hint=hint or "choose another place") from None


def _program(program: Program, number: int) -> list[Piece]:
    codes = sorted(program.codes, key=lambda code: code.record.order)
    about = tuple(code.record for code in codes)
    record = record_bytes(
        ProgramRecord(program.name, program.source_name, program.source_digest, program.entries, about)
    )
    read_record(record, number, _NAME)
    try:
        program.ir.decode()
    except UnicodeDecodeError:
        _refuse(f"the IR of program '{program.name}' is not UTF-8 text")
    pieces = [Piece(layout.PROGRAM, record, number), Piece(layout.TEXT, program.ir, number)]
    if program.isa is not None:
        pieces.append(Piece(layout.ISA, program.isa, number, flags=0))
    return pieces + [Piece(layout.CODE, code.data, number, part) for part, code in enumerate(codes)]


def _tensors(archive: Archive) -> bytes:
    names = [constant.name for constant in archive.constants]
    for constant in archive.constants:
        if constant.dtype not in DTYPES:
            _refuse(f"constant '{constant.name}' has elements of type '{constant.dtype}', which constants have not")
        if not constant.name or not constant.name.isprintable() or names.count(constant.name) > 1:
            _refuse(f"{constant.name!r} is no name of one constant alone")
        if any(n < 0 for n in constant.shape) or not fits(constant.shape) or nbytes(constant) != len(constant.data):
            _refuse(f"constant '{constant.name}' of shape {constant.shape} has {len(constant.data)} bytes")
    return write_tensors(archive.constants)


def _refuse(reason: str) -> NoReturn:
    raise InputError("archive-content", f"this can't be put into an archive: {reason}")
