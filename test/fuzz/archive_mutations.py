"""Archives with one thing wrong, sealed anew: their digests fit, so only checks of what they say can refuse them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from blake3 import blake3

from hologram.runtime.archive.layout import HEAD, HEADER, ROW, Section, aligned

ODD = (0, 1, 2, 63, 64, 65, 4096, (1 << 31) - 1, 1 << 32, 1 << 63, (1 << 64) - 1)
KINDS = (b"MANI", b"PROG", b"TEXT", b"ISAB", b"CODE", b"TENS", b"EXTN", b"\0\0\0\0", b"HOLO", b"\xff\xfe\xfd\xfc")
DOCUMENTS = (b"MANI", b"PROG", b"TENS")
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1 << 70, "", "x", "\ud800", "a\nb", "../../etc", [], [[]], {}, {"": ""}, ["x", "x"],
)  # fmt: skip


@dataclass
class Parts:
    """An archive taken apart: what the header says, its rows, and the bytes behind the table."""

    head: list[Any]
    rows: list[Section]
    body: bytearray
    at: int
    """The offset of the body."""

    @staticmethod
    def of(data: bytes) -> Parts:
        head = list(HEAD.unpack_from(data))
        at = HEADER + ROW.size * head[4]
        return Parts(head, [Section(*row) for row in ROW.iter_unpack(data[HEADER:at])], bytearray(data[at:]), at)

    def sealed(self) -> bytes:
        """The bytes, with digests that fit."""
        data = bytes(self.body)

        def digest(row: Section) -> bytes:
            start = max(0, min(row.offset - self.at, len(data)))
            return blake3(data[start : start + min(aligned(row.length), len(data))]).digest()

        table = b"".join(ROW.pack(*[*row.as_dict().values()][:6], digest(row)) for row in self.rows)
        head = HEAD.pack(*self.head)
        return head + blake3(head + table).digest() + table + data

    def laid_out(self, bodies: list[bytes]) -> None:
        """Takes new bytes for each section, in their order, so that the frame is right."""
        self.at = HEADER + ROW.size * len(self.rows)
        at, body = self.at, bytearray()
        for place, content in enumerate(bodies):
            self.rows[place] = self.rows[place].changed(offset=at, length=len(content))
            body += content + bytes(aligned(len(content)) - len(content))
            at += aligned(len(content))
        self.body, self.head[3], self.head[4] = body, at, len(self.rows)

    def content(self, row: Section) -> bytes:
        return bytes(self.body[row.offset - self.at : row.offset - self.at + row.length])


def _change_head(parts: Parts, random: Random) -> None:
    field = random.randrange(6)
    limit = {1: 1 << 16, 2: 1 << 16, 3: 1 << 64, 4: 1 << 32}
    if field in limit:
        near = parts.head[field] + random.choice((-64, -1, 1, 64))
        parts.head[field] = random.choice((near, random.choice(ODD))) % limit[field]
    else:
        content = bytearray(parts.head[field])
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        parts.head[field] = bytes(content)


def _change_row(parts: Parts, random: Random) -> None:
    place = random.randrange(len(parts.rows))
    row = parts.rows[place]
    field = random.choice(("kind", "flags", "number", "part", "offset", "length"))
    if field == "kind":
        parts.rows[place] = row.changed(kind=random.choice(KINDS))
        return
    limit = 1 << (64 if field in ("offset", "length") else 32)
    value = getattr(row, field) + random.choice((-64, -1, 1, 64)) if random.random() < 0.6 else random.choice(ODD)
    parts.rows[place] = row.changed(**{field: value % limit})


def _change_rows(parts: Parts, random: Random) -> None:
    """Rows that are missing, doubled, out of order, or over each other."""
    place, other = random.randrange(len(parts.rows)), random.randrange(len(parts.rows))
    bodies = [parts.content(row) for row in parts.rows]
    match random.randrange(5):
        case 0:
            del parts.rows[place], bodies[place]
            parts.laid_out(bodies)
        case 1:
            parts.rows.insert(other, parts.rows[place])
            bodies.insert(other, bodies[place])
            parts.laid_out(bodies)
        case 2:
            parts.rows[place], parts.rows[other] = parts.rows[other], parts.rows[place]
        case 3:
            parts.rows[place] = parts.rows[place].changed(offset=parts.rows[other].offset)
        case _:
            parts.rows[place], parts.rows[other] = parts.rows[other], parts.rows[place]
            bodies[place], bodies[other] = bodies[other], bodies[place]
            parts.laid_out(bodies)


def _change_bytes(parts: Parts, random: Random) -> None:
    """Change any bytes after the table, padding too."""
    for _ in range(random.randint(1, 4)):
        parts.body[random.randrange(len(parts.body))] = random.randrange(256)


def _change_length(parts: Parts, random: Random) -> None:
    """A section that is longer or shorter, in a frame that is right."""
    bodies = [parts.content(row) for row in parts.rows]
    place = random.randrange(len(bodies))
    cut = random.randrange(len(bodies[place]) + 1)
    bodies[place] = random.choice((bodies[place][:cut], bodies[place] + random.randbytes(random.randint(1, 70))))
    parts.laid_out(bodies)


def _change_document(parts: Parts, random: Random) -> None:
    """A value within a document, written as documents are, in a frame that is right."""
    bodies = [parts.content(row) for row in parts.rows]
    place = random.choice([n for n, row in enumerate(parts.rows) if row.kind in DOCUMENTS])
    tensors = parts.rows[place].kind == b"TENS"
    content = bodies[place]
    start = 8 if tensors else 0
    end = start + struct.unpack_from("<Q", content)[0] if tensors else len(content)
    root = json.loads(content[start:end])
    _change_value(root, random)
    text = json.dumps(root, sort_keys=random.random() < 0.9, separators=(",", ":")).encode()
    if tensors:
        text += b" " * (-(8 + len(text)) % 64)
        text = struct.pack("<Q", len(text)) + text
    bodies[place] = text + content[end:]
    parts.laid_out(bodies)


def _change_value(root: Any, random: Random) -> None:
    """Replaces, removes, doubles or adds a value somewhere in JSON data."""
    places: list[tuple[Any, Any]] = []
    pending = [root]
    while pending:
        node: Any = pending.pop()
        for key in _keys(node):
            places.append((node, key))
            if isinstance(node[key], (dict, list)):
                pending.append(node[key])
    if not places:
        return
    node, key = random.choice(places)
    match random.randrange(5):
        case 0:
            del node[key]
        case 1 if type(node) is list:
            cast("list[Any]", node).insert(random.randrange(len(_keys(node)) + 1), node[key])
        case 1:
            node[random.choice(("x", "name", "zz", ""))] = random.choice(VALUES)
        case 2 if isinstance(node[key], str) and node[key]:
            text = node[key]
            at = random.randrange(len(text))
            node[key] = text[:at] + random.choice(("", "z", "\0", " ", "é", "{", "((((")) + text[at + 1 :]
        case 3:
            other, there = random.choice(places)
            node[key] = json.loads(json.dumps(other[there]))
        case _:
            node[key] = json.loads(json.dumps(random.choice(VALUES)))


def _keys(node: Any) -> list[Any]:
    """The keys of an object, or the indices of a list."""
    return list(node) if isinstance(node, dict) else list(range(len(node)))  # pyright: ignore[reportUnknownArgumentType]


def _nest(parts: Parts, random: Random) -> None:
    """A document of brackets alone."""
    bodies = [parts.content(row) for row in parts.rows]
    place = random.choice([n for n, row in enumerate(parts.rows) if row.kind in DOCUMENTS])
    depth = random.choice((10, 1000, 100_000))
    bodies[place] = random.choice((b"[" * depth, b'{"a":' * depth, b"[" * depth + b"]" * depth, b"1" * depth))
    parts.laid_out(bodies)


KINDS_OF_CHANGES: tuple[Callable[[Parts, Random], None], ...] = (
    _change_head, _change_row, _change_row, _change_rows, _change_bytes, _change_bytes, _change_length,
    _change_document, _change_document, _change_document, _nest,
)  # fmt: skip


def mutated(data: bytes, random: Random) -> bytes:
    """The archive with one thing changed, or two, and digests that fit; sometimes cut off or with something behind."""
    for _ in range(random.choice((1, 1, 2))):
        parts = Parts.of(data)
        if not parts.rows or not parts.body:
            break
        random.choice(KINDS_OF_CHANGES)(parts, random)
        sealed = parts.sealed()
        if not _can_be_taken_apart(sealed):
            return sealed
        data = sealed
    if random.random() < 0.05:
        data = random.choice((data[: random.randrange(len(data))], data + random.randbytes(random.randint(1, 200))))
    return data


def _can_be_taken_apart(data: bytes) -> bool:
    """Return whether a second change finds a part that it can change."""
    parts = Parts.of(data) if HEADER + ROW.size * HEAD.unpack_from(data)[4] <= len(data) else None
    if parts is None or not any(row.kind in DOCUMENTS for row in parts.rows):
        return False
    end = len(data)
    if any(row.offset < parts.at or row.offset + row.length > end for row in parts.rows):
        return False
    return all(_is_document(parts.content(row), row.kind) for row in parts.rows if row.kind in DOCUMENTS)


def _is_document(content: bytes, kind: bytes) -> bool:
    try:
        if kind == b"TENS":
            content = content[8 : 8 + struct.unpack_from("<Q", content)[0]]
        return isinstance(json.loads(content), (dict, list))
    except (ValueError, RecursionError, struct.error, OverflowError):
        return False


__all__ = ["mutated"]
