"""The frame of a `.holo` archive: its header, the table of its sections, and their digests.

`docs/archive.mdx` has every byte. What is in the sections is no business of this module.
"""

from __future__ import annotations

import struct
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate, zip_longest
from typing import NoReturn

from blake3 import blake3

from hologram.errors import InputError, Where
from hologram.runtime.archive.content import Content
from hologram.support.record import Record

MAGIC = b"HOLO"
MAJOR, MINOR = 1, 0
ALIGNMENT = 64
"""Sections start on multiples of it, and so does what would follow the last one."""
HEAD = struct.Struct("<4sHHQI12s")
"""Magic, versions, length of the file, number of sections, zeros; the digest follows."""
HEADER = HEAD.size + 32
ROW = struct.Struct("<4sIIIQQ32s")
_LOW = (1 << 32) - 1
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
FOREIGN = "it was not written by this format's writer; make the archive again"
"""The hint of errors of what is whole, and can't be."""


class Section(Record):
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


class Piece(Record):
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
    sections = list(pieces)
    at = HEADER + ROW.size * len(sections)
    rows: list[bytes] = []
    body: list[bytes] = []
    for piece in sections:
        padding = bytes(aligned(len(piece.data)) - len(piece.data))
        digest = digest_of(piece.data, padding)
        rows.append(ROW.pack(piece.kind, piece.flags, piece.number, piece.part, at, len(piece.data), digest))
        body += (piece.data, padding)
        at += len(piece.data) + len(padding)
    head = HEAD.pack(MAGIC, MAJOR, MINOR, at, len(sections), bytes(12))
    table = b"".join(rows)
    return b"".join((head, digest_of(head, table), table, *body))


Key = tuple[bytes, int, int]
"""A section's kind, number and part."""


class Frame:
    """The sections of an archive, whose header and table are checked; those of a section are when it is read.

    A table may have thousands of rows, all of which are checked before the first kernel runs: column by column.
    """

    def __init__(self, content: Content, name: str):
        """`name` is what messages call the archive."""
        self.content = content
        self.name = name
        self.minor, self._table = self._check_head()
        count = len(self._table) // ROW.size
        heads, self._places, offsets, lengths = _columns(self._table)
        self.counts: Counter[bytes] = Counter()
        """How many sections of each kind there are."""
        for head, times in Counter(heads).items():
            self.counts[_kind(head)] += times
        self._check_offsets(offsets, lengths)
        self._starts: dict[bytes, int] = {}
        self._check_kinds(heads)
        self._rows: dict[bytes, dict[int, int]] = {}
        """The rows of a kind by number and part; of kinds that are known since they were asked for."""
        self._check_unknown(range(sum(self.counts[kind] for kind in RANKS), count))
        self._check_counts()

    @cached_property
    def sections(self) -> dict[Key, Section]:
        """The sections by kind, number and part, in their order."""
        return {(s.kind, s.number, s.part): s for s in (Section(*row) for row in ROW.iter_unpack(self._table))}

    @property
    def is_newer(self) -> bool:
        """True if a later minor version wrote it, so that there may be what this one does not know."""
        return self.minor > MINOR

    def section(self, kind: bytes, number: int = 0, part: int = 0) -> Section | None:
        """A section; None if there is none."""
        rows = self._rows.get(kind)
        if rows is None:
            start = self._starts.get(kind, 0)
            stop = start + self.counts[kind]
            rows = self._rows[kind] = dict(zip(self._places[start:stop], range(start, stop), strict=True))
        row = rows.get(_place(number, part))
        return None if row is None else self._section(row)

    def read(self, kind: bytes, number: int = 0, part: int = 0) -> memoryview:
        """The bytes of a section that is there, held against their digest."""
        section = self.section(kind, number, part)
        assert section is not None
        data = self.content.read(section.offset, aligned(section.length))
        if digest_of(data) != section.digest:
            self._damaged(f"section {section}")
        if any(data[section.length :]):
            self.refuse(f"there is something behind section {section}")
        return data[: section.length]

    def _section(self, row: int) -> Section:
        return Section(*ROW.unpack_from(self._table, row * ROW.size))

    def refuse(self, reason: str) -> NoReturn:
        """Raises the error of a table or section that can't be."""
        raise InputError(
            "archive-sections", f"the archive is not in order: {reason}", hint=FOREIGN, where=Where(self.name)
        )

    def _damaged(self, what: str) -> NoReturn:
        message = f"{what} does not fit its digest: the file was damaged or changed"
        raise InputError("archive-digest", message, hint="get the file again", where=Where(self.name))

    def _check_head(self) -> tuple[int, memoryview]:
        """Checks what stands before the table; gives the minor version and the table."""
        data, where, size = self.content.read(0, HEADER), Where(self.name), len(self.content)
        if len(data) < HEADER or bytes(data[:4]) != MAGIC:
            hint = "hologram-compile makes one of sources"
            raise InputError("archive-magic", "this is no archive: it does not begin as one", hint=hint, where=where)
        _, major, minor, length, count, zeros = HEAD.unpack_from(data)
        if major != MAJOR:
            hint = f"this version reads {MAJOR}.0 and later versions of {MAJOR}"
            raise InputError(
                "archive-version", f"archives of version {major}.{minor} are not known here", hint=hint, where=where
            )
        if length != size:
            message = f"the header says {length} bytes, the file has {size}"
            hint = "the file was cut off, or something was appended"
            raise InputError("archive-length", message, hint=hint, where=where)
        if length % ALIGNMENT or HEADER + count * ROW.size > length:
            self.refuse(f"{count} sections do not fit in {length} bytes")
        table = self.content.read(HEADER, count * ROW.size)
        if digest_of(data[: HEAD.size], table) != bytes(data[HEAD.size :]):
            self._damaged("the header")
        if any(zeros):
            self.refuse("the header has something where zeros belong")
        return minor, table

    def _check_offsets(self, offsets: list[int], lengths: list[int]) -> None:
        """The sections follow each other without gaps, to the end of the file."""
        first = HEADER + len(lengths) * ROW.size
        *starts, end = accumulate([length + -length % ALIGNMENT for length in lengths], initial=first)
        if (row := _difference(offsets, starts)) is not None:
            section = self._section(row)
            self.refuse(f"section {section} is at byte {section.offset}, and the one before it ends at {starts[row]}")
        if end != len(self.content):
            self.refuse(f"its sections end at byte {end}, and the file has {len(self.content)}")

    def _check_kinds(self, heads: list[int]) -> None:
        """Sections of kinds that are known stand kind by kind, count from 0, and have the flags of their kind."""
        at = 0
        for kind in RANKS:
            self._starts[kind] = start = at
            at += self.counts[kind]
            places = self._places[start:at]
            usual = _head(kind, 0 if kind in OPTIONAL else ESSENTIAL)
            if (odd := _difference(heads[start:at], [usual] * len(places))) is not None:
                self._check_rows(kind, range(start + odd, at))
            if (wrong := _difference(places, _expected(kind, places))) is not None:
                self._misplaced(start + wrong)

    def _check_rows(self, kind: bytes, rows: range) -> None:
        """Each row is of a kind, and each kind has its flags."""
        for row in rows:
            section = self._section(row)
            if section.kind != kind:
                self._misplaced(row)
            if section.flags & ~ESSENTIAL:
                self.refuse(f"section {section} has flags that there are not")
            if kind != EXTENSION and bool(section.flags) == (kind in OPTIONAL):
                self.refuse(f"section {section} has the flags of another kind")

    def _check_unknown(self, rows: range) -> None:
        """Sections of unknown kinds may be passed over if they say so, where a later version wrote them; they stand
        behind the others."""
        for row in rows:
            section = self._section(row)
            if section.flags & ESSENTIAL or not self.is_newer:
                self.refuse(f"section {section} is of an unknown kind")
            if self._rows.setdefault(section.kind, {}).setdefault(self._places[row], row) != row:
                self.refuse("two sections have one number")

    def _misplaced(self, row: int) -> NoReturn:
        self.refuse(f"section {self._section(row)} is not in its place")

    def _check_counts(self) -> None:
        """There is one manifest, at most one section of constants, and a text for each program."""
        counts = self.counts
        if counts[MANIFEST] != 1 or counts[TENSORS] > 1:
            self.refuse(f"it has {counts[MANIFEST]} manifests and {counts[TENSORS]} sections of constants")
        if counts[TEXT] != counts[PROGRAM]:
            self.refuse(f"it has {counts[PROGRAM]} programs, and the text of {counts[TEXT]}")
        for kind in (ISA, CODE):
            last = self._section(self._starts[kind] + counts[kind] - 1).number if counts[kind] else -1
            if last >= counts[PROGRAM]:
                self.refuse(f"it has {counts[PROGRAM]} programs, and {kind.decode()} of number {last}")


def _columns(table: memoryview) -> list[list[int]]:
    """The columns of the table in front of the digests: kind and flags, number and part, offset, length."""
    words = table.cast("Q") if sys.byteorder == "little" else struct.unpack(f"<{len(table) // 8}Q", table)
    return [list(words[column :: ROW.size // 8]) for column in range(4)]


def _head(kind: bytes, flags: int) -> int:
    return int.from_bytes(kind, "little") | flags << 32


def _kind(head: int) -> bytes:
    return (head & _LOW).to_bytes(4, "little")


def _place(number: int, part: int) -> int:
    return number | part << 32


def _expected(kind: bytes, places: list[int]) -> list[int]:
    """The places of as many sections of a kind. Programs may have no code and no binary."""
    if kind not in (ISA, CODE):
        return [*range(len(places))]
    parts = Counter([place & _LOW for place in places])
    if kind == ISA:
        return sorted(parts)
    return [_place(number, part) for number in sorted(parts) for part in range(parts[number])]


def _difference(actual: list[int], wanted: list[int]) -> int | None:
    """The first place at which two lists are not the same; None if they are."""
    if actual == wanted:
        return None
    return next(place for place, (one, other) in enumerate(zip_longest(actual, wanted)) if one != other)
