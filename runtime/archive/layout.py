"""The frame of a `.holo` archive: its header, the table of its sections, and their digests.

`docs/archive.mdx` has every byte. What is in the sections is no business of this module.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple, NoReturn

from blake3 import blake3

from hologram.errors import InputError, Where

MAGIC = b"HOLO"
MAJOR, MINOR = 1, 0
ALIGNMENT = 64
"""Sections start on multiples of it, and so does what would follow the last one."""
HEAD = struct.Struct("<4sHHQI12s")
"""Magic, versions, length of the file, number of sections, zeros; the digest follows."""
HEADER = HEAD.size + 32
ROW = struct.Struct("<4sIIIQQ32s")
THREADED = 1 << 20
"""The bytes from which a digest is worth several threads."""

MANIFEST, PROGRAM, TEXT, ISA, CODE, TENSORS, EXTENSION = (
    b"MANI", b"PROG", b"TEXT", b"ISAB", b"CODE", b"TENS", b"EXTN",
)  # fmt: skip
RANKS = {kind: rank for rank, kind in enumerate((MANIFEST, PROGRAM, TEXT, ISA, CODE, TENSORS, EXTENSION))}
"""The kinds of sections in the order in which they stand."""
ESSENTIAL = 1
"""The flag of a section that a reader must know to make use of the archive."""
OPTIONAL = (ISA, EXTENSION)
"""The kinds that are not essential in themselves."""


class Section(NamedTuple):
    """A row of the table."""

    kind: bytes
    flags: int
    number: int
    """Of what it belongs to: the program, or the extension."""
    part: int
    """Of the program's codes."""
    offset: int
    length: int
    digest: bytes

    def __str__(self) -> str:
        return f"{self.kind.decode('ascii', 'backslashreplace')} {self.number} {self.part}"


class Piece(NamedTuple):
    """A section to be written."""

    kind: bytes
    data: bytes
    number: int = 0
    part: int = 0
    flags: int = ESSENTIAL


def aligned(size: int) -> int:
    """The next multiple of the alignment."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def digest_of(*parts: bytes | memoryview) -> bytes:
    """The BLAKE3 digest of bytes one after the other."""
    digest = blake3(max_threads=blake3.AUTO if sum(map(len, parts)) >= THREADED else 1)
    for part in parts:
        digest.update(part)
    return digest.digest()


def pack(pieces: Iterable[Piece]) -> bytes:
    """The archive of sections, which are in order."""
    found = list(pieces)
    at = HEADER + ROW.size * len(found)
    rows: list[bytes] = []
    body: list[bytes] = []
    for piece in found:
        padding = bytes(aligned(len(piece.data)) - len(piece.data))
        digest = digest_of(piece.data, padding)
        rows.append(ROW.pack(piece.kind, piece.flags, piece.number, piece.part, at, len(piece.data), digest))
        body += (piece.data, padding)
        at += len(piece.data) + len(padding)
    head = HEAD.pack(MAGIC, MAJOR, MINOR, at, len(found), bytes(12))
    table = b"".join(rows)
    return b"".join((head, digest_of(head, table), table, *body))


class Frame:
    """The sections of an archive, whose header and table are checked; those of a section are when it is read."""

    def __init__(self, data: memoryview, name: str):
        """`name` is what messages call the archive."""
        self.data = data
        self.name = name
        self._checked: set[tuple[bytes, int, int]] = set()
        self.minor, count = self._check_head()
        self.sections = self._check_table(count)
        """By kind, number and part, in their order."""

    @property
    def is_newer(self) -> bool:
        """Whether a later minor version wrote it, so that there may be what this one does not know."""
        return self.minor > MINOR

    def read(self, kind: bytes, number: int = 0, part: int = 0) -> memoryview:
        """The bytes of a section that is there, in place; they are held against their digest the first time."""
        section = self.sections[kind, number, part]
        start, stop = section.offset, section.offset + section.length
        if (kind, number, part) not in self._checked:
            end = aligned(stop)
            if digest_of(self.data[start:end]) != section.digest:
                self._damaged(f"section {section}")
            if any(self.data[stop:end]):
                self.refuse(f"there is something behind section {section}")
            self._checked.add((kind, number, part))
        return self.data[start:stop]

    def refuse(self, reason: str) -> NoReturn:
        """Raises the error of a table or section that can't be."""
        hint = "it was not written by this format's writer; make the archive again"
        raise InputError(
            "archive-sections", f"the archive is not in order: {reason}", hint=hint, where=Where(self.name)
        )

    def _damaged(self, what: str) -> NoReturn:
        message = f"{what} does not fit its digest: the file was damaged or changed"
        raise InputError("archive-digest", message, hint="get the file again", where=Where(self.name))

    def _check_head(self) -> tuple[int, int]:
        """Checks what stands before the table; gives the minor version and the number of sections."""
        data, where = self.data, Where(self.name)
        if len(data) < HEADER or bytes(data[:4]) != MAGIC:
            hint = "hologram-compile makes one of sources"
            raise InputError("archive-magic", "this is no archive: it does not begin as one", hint=hint, where=where)
        _, major, minor, length, count, zeros = HEAD.unpack_from(data)
        if major != MAJOR:
            hint = f"this version reads {MAJOR}.0 and later versions of {MAJOR}"
            raise InputError(
                "archive-version", f"archives of version {major}.{minor} are not known here", hint=hint, where=where
            )
        if length != len(data):
            message = f"the header says {length} bytes, the file has {len(data)}"
            hint = "the file was cut off, or something was appended"
            raise InputError("archive-length", message, hint=hint, where=where)
        if length % ALIGNMENT or HEADER + count * ROW.size > length:
            self.refuse(f"{count} sections do not fit in {length} bytes")
        if digest_of(data[: HEAD.size], data[HEADER : HEADER + count * ROW.size]) != bytes(data[HEAD.size : HEADER]):
            self._damaged("the header")
        if any(zeros):
            self.refuse("the header has something where zeros belong")
        return minor, count

    def _check_table(self, count: int) -> dict[tuple[bytes, int, int], Section]:
        """The sections follow each other without gaps to the end of the file, in the order of kinds and numbers."""
        at, last = HEADER + count * ROW.size, (-1, -1, -1)
        found: dict[tuple[bytes, int, int], Section] = {}
        for row in ROW.iter_unpack(self.data[HEADER:at]):
            section = Section._make(row)
            kind, _, number, part, offset, length, _ = section
            if offset != at:
                self.refuse(f"section {section} is at byte {offset}, and {at} is where the one before it ends")
            rank = RANKS.get(kind, len(RANKS))
            if (rank, number, part) <= last or (rank == len(RANKS) and (kind, number, part) in found):
                self.refuse(f"section {section} is not in its place")
            self._check_flags(section)
            last = (rank, number, part) if rank < len(RANKS) else (rank, -1, -1)
            at += aligned(length)
            found[kind, number, part] = section
        if at != len(self.data):
            self.refuse(f"its sections end at byte {at}, and the file has {len(self.data)}")
        self._check_numbers(found)
        return found

    def _check_flags(self, section: Section) -> None:
        """Each kind has its flags; a section of an unknown one may be passed over if it says so."""
        essential, known = bool(section.flags & ESSENTIAL), section.kind in RANKS
        if section.flags & ~ESSENTIAL and (known or not self.is_newer):
            self.refuse(f"section {section} has flags that there are not")
        if not known and (essential or not self.is_newer):
            self.refuse(f"section {section} is of an unknown kind")
        if known and section.kind != EXTENSION and essential != (section.kind not in OPTIONAL):
            self.refuse(f"section {section} has the flags of another kind")

    def _check_numbers(self, found: Mapping[tuple[bytes, int, int], Section]) -> None:
        """There is one manifest; programs, and what belongs to one, count from 0."""
        if (MANIFEST, 0, 0) not in found:
            self.refuse("it has no manifest")
        numbers = Counter(kind for kind, _, _ in found)
        programs = numbers[PROGRAM]
        for kind, number, part in found:
            alone = number == 0 if kind in (MANIFEST, TENSORS) else number < numbers[kind]
            if kind in (ISA, CODE):
                alone = number < programs
            before = part == 0 or (kind == CODE and (kind, number, part - 1) in found)
            if kind in RANKS and not (alone and before):
                self.refuse(f"section {kind.decode()} {number} {part} has a number that it can't have")
        if numbers[TEXT] != programs:
            self.refuse(f"it has {programs} programs, and the text of {numbers[TEXT]}")
