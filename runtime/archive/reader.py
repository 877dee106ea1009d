"""Opens archives: what is asked for is read and checked then."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hologram.errors import InputError, did_you_mean
from hologram.runtime.archive import layout
from hologram.runtime.archive.content import Bytes, Content, content_of
from hologram.runtime.archive.documents import read_manifest, read_record
from hologram.runtime.archive.layout import Frame
from hologram.runtime.archive.records import Manifest, ProgramRecord

if TYPE_CHECKING:
    import numpy as np

    from hologram.runtime.archive.model import Archive, Constant, Program


class OpenArchive:
    """An archive that is open. Its header, table and manifest are checked; all else is when it is asked for."""

    def __init__(self, content: Content, name: str):
        """`name` is what messages call the archive."""
        self.name = name
        self.frame = Frame(content, name)
        self.manifest: Manifest = read_manifest(
            bytes(self.frame.read(layout.MANIFEST)), name, exact=not self.frame.is_newer
        )
        self._numbers = {program: number for number, (program, _) in enumerate(self.manifest.programs)}
        self._records: dict[int, ProgramRecord] = {}
        for kind, count in (
            (layout.PROGRAM, len(self._numbers)), (layout.EXTENSION, len(self.manifest.extensions)),
        ):  # fmt: skip
            if self.frame.counts[kind] != count:
                actual = self.frame.counts[kind]
                self.frame.refuse(f"the manifest names {count} of what there are {actual}: {kind.decode()}")

    def __repr__(self) -> str:
        return f"<archive {self.name}: {len(self._numbers)} programs for {', '.join(self.manifest.targets) or 'none'}>"

    @property
    def programs(self) -> tuple[str, ...]:
        """The names of the programs."""
        return tuple(self._numbers)

    def number(self, program: str) -> int:
        """The number of a program; an InputError if there is none of that name."""
        if program not in self._numbers:
            hint = did_you_mean(program, self._numbers) or f"there are {len(self._numbers)} programs in it"
            message = f"there is no program '{program}' in '{self.name}'"
            raise InputError("archive-program", message, hint=hint)
        return self._numbers[program]

    def record(self, number: int) -> ProgramRecord:
        """Return the description of the program with a number."""
        if number not in self._records:
            data = bytes(self.frame.read(layout.PROGRAM, number))
            record = read_record(data, number, self.name, exact=not self.frame.is_newer)
            self._check_record(record, number)
            self._records[number] = record
        return self._records[number]

    def _check_record(self, record: ProgramRecord, number: int) -> None:
        name, entries = self.manifest.programs[number]
        if (record.name, tuple(entry.name for entry in record.entries)) != (name, entries):
            self.frame.refuse(f"the record of program {number} is not that of '{name}'")
        count = len(record.codes)
        there = [self.frame.section(layout.CODE, number, part) is not None for part in (count - 1, count)]
        if there != [count > 0, False]:
            self.frame.refuse(f"program '{name}' has not the {count} codes that its record tells of")
        if not {code.target for code in record.codes} <= set(self.manifest.targets):
            self.frame.refuse(f"program '{name}' has code for a target that the manifest does not name")

    def ir(self, number: int) -> memoryview:
        """The MLIR text of a program."""
        return self.frame.read(layout.TEXT, number)

    def isa(self, number: int) -> memoryview | None:
        """The program in the binary form of the Atlas ISA, where it has one."""
        return self.frame.read(layout.ISA, number) if self.frame.section(layout.ISA, number) is not None else None

    def code(self, number: int, part: int) -> memoryview:
        """The bytes of the code with the number `part` of a program."""
        return self.frame.read(layout.CODE, number, part)

    @functools.cached_property
    def constants(self) -> Mapping[str, Constant]:
        """The constants by name; `array` gives one as a numpy array."""
        if self.frame.section(layout.TENSORS) is None:
            return {}
        from hologram.runtime.archive.tensors import read_tensors

        return read_tensors(self.frame.read(layout.TENSORS), self.name)

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """A constant as a numpy array, which can't be written to."""
        import numpy as np

        from hologram.runtime.dtypes import dtype

        if name not in self.constants:
            hint = did_you_mean(name, self.constants) or f"there are {len(self.constants)} constants in it"
            message = f"there is no constant '{name}' in '{self.name}'"
            raise InputError("archive-constant", message, hint=hint)
        constant = self.constants[name]
        return np.ndarray(constant.shape, dtype(constant.dtype).numpy, constant.data)

    def extension(self, name: str) -> memoryview | None:
        """The bytes of an extension, or None if it has none of that name."""
        if name not in self.manifest.extensions:
            return None
        return self.frame.read(layout.EXTENSION, self.manifest.extensions.index(name))

    def essential_extensions(self) -> list[str]:
        """The names of the extensions that a program must know to use the archive."""
        sections = [(name, self.frame.section(layout.EXTENSION, n)) for n, name in enumerate(self.manifest.extensions)]
        return [name for name, section in sections if section is not None and section.flags & layout.ESSENTIAL]

    def contents(self) -> Archive:
        """All that it holds."""
        from hologram.runtime.archive.model import Archive, Extension

        essential = self.essential_extensions()
        programs = tuple(self._program(number) for number in range(len(self._numbers)))
        targets = {code.target for program in programs for code in program.codes}
        if targets != set(self.manifest.targets):
            self.frame.refuse("the manifest names a target that no program has code for")
        extensions = [(name, bytes(self.extension(name) or b"")) for name in self.manifest.extensions]
        return Archive(
            programs,
            tuple(self.constants.values()),
            tuple(Extension(name, data, name in essential) for name, data in extensions),
            self.manifest.compiler,
            self.manifest.provenance,
        )

    def _program(self, number: int) -> Program:
        from hologram.runtime.archive.model import Code, Program

        record, isa = self.record(number), self.isa(number)
        codes = [
            Code(code.target, code.format, bytes(self.code(number, part)), code.host, code.options)
            for part, code in enumerate(record.codes)
        ]
        return Program(
            record.name, record.source_name, record.source_digest, bytes(self.ir(number)),
            None if isa is None else bytes(isa), record.entries, tuple(codes),
        )  # fmt: skip


def open(source: str | os.PathLike[str] | bytes) -> OpenArchive:
    """Opens an archive, a file or its bytes. Raises an InputError if it is none."""
    if isinstance(source, bytes):
        return OpenArchive(Bytes(source), "<archive>")
    path = Path(source)
    try:
        content = content_of(path)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError("archive-file", f"the archive '{path}' can't be opened: {reason}") from None
    return OpenArchive(content, str(path))
