"""The frame of a `.holo` archive: its header, the table of its sections, and their digests.

`docs/archive.mdx` has every byte. What is in the sections is no business of this module.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

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


Key = tuple[bytes, int, int]
"""A section's kind, number and part."""


class Frame:
    """The sections of an archive, whose header and table are checked; those of a section are when it is read."""

    def __init__(self, data: memoryview, name: str):
        """`name` is what messages call the archive."""
        self.data = data
        self.name = name
        self._checked: set[Key] = set()
        self.minor, count = self._check_head()
        self.counts: Counter[bytes] = Counter()
        """How many sections of each kind there are."""
        self.rows: dict[Key, tuple[Any, ...]] = {}
        """The rows of the table by kind, number and part, in their order; `sections` has them with names."""
        self._check_table(count)

    @cached_property
    def sections(self) -> dict[Key, Section]:
        """The sections by kind, number and part, in their order."""
        return {key: Section._make(row) for key, row in self.rows.items()}

    @property
    def is_newer(self) -> bool:
        """Whether a later minor version wrote it, so that there may be what this one does not know."""
        return self.minor > MINOR

    def read(self, kind: bytes, number: int = 0, part: int = 0) -> memoryview:
        """The bytes of a section that is there, in place; they are held against their digest the first time."""
        section = Section._make(self.rows[kind, number, part])
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

    def _check_table(self, count: int) -> None:
        """The sections follow each other without gaps to the end of the file, kind by kind, and count from 0."""
        end = HEADER + count * ROW.size
        at, group, rank, expected = end, b"", -1, (0, 0)
        for row in ROW.iter_unpack(self.data[HEADER:end]):
            kind, flags, number, part, offset, length, _ = row
            if offset != at:
                self.refuse(f"section {Section._make(row)} is at byte {offset}, and the one before it ends at {at}")
            at += -(-length // ALIGNMENT) * ALIGNMENT
            if kind != group:
                group, before, rank, expected = kind, rank, RANKS.get(kind, len(RANKS)), (0, 0)
                if rank < before:
                    self.refuse(f"section {Section._make(row)} is not in its place")
            place = (number, part)
            if place != expected and not self._may_follow(kind, place, expected):
                self.refuse(f"section {Section._make(row)} is not in its place")
            if flags != ESSENTIAL or kind in OPTIONAL or rank == len(RANKS):
                self._check_flags(Section._make(row))
            expected = (number, part + 1) if kind == CODE else (number + 1, 0)
            self.counts[kind] += 1
            self.rows[kind, number, part] = row
        if at != len(self.data):
            self.refuse(f"its sections end at byte {at}, and the file has {len(self.data)}")
        self._check_counts(count)

    def _may_follow(self, kind: bytes, place: tuple[int, int], expected: tuple[int, int]) -> bool:
        """Programs may have no code and no ISA binary; of kinds that are not known nothing is."""
        if kind in (ISA, CODE):
            return place[1] == 0 and place[0] >= expected[0]
        return kind not in RANKS

    def _check_flags(self, section: Section) -> None:
        """Each kind has its flags; a section of an unknown one may be passed over if it says so."""
        essential, known = bool(section.flags & ESSENTIAL), section.kind in RANKS
        if section.flags & ~ESSENTIAL and (known or not self.is_newer):
            self.refuse(f"section {section} has flags that there are not")
        if not known and (essential or not self.is_newer):
            self.refuse(f"section {section} is of an unknown kind")
        if known and section.kind != EXTENSION and essential != (section.kind not in OPTIONAL):
            self.refuse(f"section {section} has the flags of another kind")

    def _check_counts(self, count: int) -> None:
        """There is one manifest, at most one section of constants, and a text for each program."""
        counts = self.counts
        if counts[MANIFEST] != 1 or counts[TENSORS] > 1:
            self.refuse(f"it has {counts[MANIFEST]} manifests and {counts[TENSORS]} sections of constants")
        if len(self.rows) != count:
            self.refuse("two sections have one number")
        if counts[TEXT] != counts[PROGRAM]:
            self.refuse(f"it has {counts[PROGRAM]} programs, and the text of {counts[TEXT]}")
        for kind in (ISA, CODE):
            last = next((number for k, number, _ in reversed(self.rows) if k == kind), -1)
            if last >= counts[PROGRAM]:
                self.refuse(f"it has {counts[PROGRAM]} programs, and {kind.decode()} of number {last}")
