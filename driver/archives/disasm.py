"""The code of an archive as text: IR, Atlas assembly, code of devices, and instructions of processors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from hologram.driver.archives.verify import entries_of
from hologram.errors import HologramError, UsageError, did_you_mean
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.records import HOSTED, CodeRecord
from hologram.runtime.devices.protocol import CODE as DEVICE_CODE

FORMS = ("ir", "isa")
"""What can be asked for beside the names of targets."""
_TEXTS = ("ptx", "wgsl", "opencl-c", "msl", "mlir", "llvm")
_DISASSEMBLERS = (("llvm-objdump", "-d", "--no-show-raw-insn"), ("objdump", "-d", "--no-show-raw-insn"))


def disassemble(source: str | os.PathLike[str] | bytes, names: Sequence[str] = (), forms: Sequence[str] = ()) -> str:
    """The programs of an archive as text. `names` are those of programs or kernels (all without), `forms` are `ir`,
    `isa` and targets (all that there are without)."""
    archive = open(source)
    known = (*FORMS, *archive.manifest.targets)
    for form in forms:
        if form not in known:
            hint = did_you_mean(form, known) or f"there are {', '.join(known)}"
            raise UsageError("disasm-form", f"'{archive.name}' has no code of form '{form}'", hint=hint)
    kernels = archive.manifest.kernels
    numbers = [kernels[name][0] if name in kernels else archive.number(name) for name in names]
    parts = [part for number in numbers or range(len(archive.programs)) for part in _program(archive, number, forms)]
    return "\n".join(parts)


def _program(archive: OpenArchive, number: int, forms: Sequence[str]) -> Iterator[str]:
    record = archive.record(number)
    wanted = forms or (*FORMS, *archive.manifest.targets)
    if "ir" in wanted:
        yield _titled(record.name, "ir", str(archive.ir(number), "utf-8", "backslashreplace"))
    isa = archive.isa(number)
    if "isa" in wanted and isa is not None:
        yield _titled(record.name, "isa", _assembly(bytes(isa), record.name))
    for part, code in enumerate(record.codes):
        if code.target in wanted:
            for title, text in _code(code, bytes(archive.code(number, part)), record.name):
                yield _titled(record.name, f"{code.target} {title}", text)


def _titled(program: str, form: str, text: str) -> str:
    return f"==== {program}: {form}\n{text.rstrip()}\n"


def _assembly(isa: bytes, name: str) -> str:
    from hologram import isa as machine

    return machine.disassemble(machine.decode(isa, f"{name}.atlasb"))


def _code(code: CodeRecord, data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """The parts of a code, each with what it is."""
    if code.format not in HOSTED:
        yield code.format, _device_text(code.format, data)
        return
    yield f"{code.format} for {code.host.triple if code.host else ''}", _host_text(data, name)
    device = next((entry.device for entry in entries_of(data, name) if entry.device is not None), None)
    if device is not None:
        from hologram.lowering.targets.objects.elf import symbol_data

        inside = symbol_data(data, DEVICE_CODE, name) or b""
        inside = inside[: device.nbytes] if device.nbytes is not None else inside.partition(b"\0")[0]
        yield f"{device.format} of {device.kind}", _device_text(device.format, inside)


def _device_text(format: str, data: bytes) -> str:
    if format in _TEXTS:
        return data.decode(errors="replace")
    if format == "spirv":
        from hologram.lowering.targets.spirv.reader import read_module

        try:
            return str(read_module(data))
        except HologramError as error:
            return f"; {len(data)} bytes of SPIR-V that can't be read: {error.message}"
    return f"; {len(data)} bytes of {format}, which have no text form here"


def _host_text(data: bytes, name: str) -> str:
    """The instructions, where a disassembler is installed; else the functions."""
    import shutil
    import subprocess
    import tempfile

    for program, *options in _DISASSEMBLERS:
        if shutil.which(program) is None:
            continue
        with tempfile.NamedTemporaryFile(suffix=".o") as file:
            file.write(data)
            file.flush()
            done = subprocess.run([program, *options, file.name], capture_output=True, text=True, errors="replace")
        if not done.returncode:
            return done.stdout.replace(file.name, name).strip()
    from hologram.lowering.targets.objects.elf import defined_symbols

    lines = ["; its functions; with objdump or llvm-objdump installed, their instructions"]
    return "\n".join(
        [*lines, *(f"{s.offset:#010x} {s.size:8} {s.name}" for s in defined_symbols(data, name) if s.is_function)]
    )
