"""LLVM IR or assembly to object code, in this process or in a helper process.

LLVM ends the process on some inputs (an unknown instruction in assembly, an intrinsic the target has not, a damaged
object). So what a user hands over as `.ll`, `.s` or `.o` is compiled and loaded in a helper first; if that dies, this
process reports it and lives on.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from hologram.errors import HologramError, InputError, Where
from hologram.runtime.devices import cpu
from hologram.runtime.devices.cpu import llvm

PLACE = re.compile(r"^(?:error: )?(?:<string>|asm|<inline asm>):(\d+):(\d+): (?:error: )?(.*)$", re.MULTILINE)


class HelperRefused(InputError):
    """What the helper process raised, raised here."""


@dataclass(frozen=True)
class Job:
    """One piece of code generation."""

    kind: str
    """`ll`, `s` or `o`."""
    name: str
    opt_level: int = 3
    optimise: bool = True
    """Run LLVM's optimiser; false for IR that comes out of it."""


def generate(job: Job, text: bytes, *, isolate: bool) -> bytes:
    """The object code of `text`; an InputError if LLVM refuses it."""
    if not isolate or not sys.executable:
        return generate_here(job, text)
    command = [sys.executable, "-P", "-m", "hologram.runtime.codegen"]
    done = subprocess.run(command, input=json.dumps(asdict(job)).encode() + b"\n" + text, capture_output=True)
    status, _, rest = done.stdout.partition(b"\n")
    if done.returncode == 0 and status == b"object":
        return rest
    if done.returncode == 0 and status == b"error":
        code, message, hint, where = json.loads(rest)
        raise HelperRefused(code, message, hint=hint, where=Where(**where) if where else None)
    reason = done.stderr.decode(errors="replace")
    where, message = _place(job.name, reason)
    message = f"LLVM gave up on '{job.name}': {message or f'exit status {done.returncode}'}"
    raise InputError("llvm-abort", message, hint="the input is damaged or not for this processor", where=where)


def generate_here(job: Job, text: bytes) -> bytes:
    """The same in this process."""
    makers: dict[str, Callable[[Job, bytes], bytes]] = {
        "ll": _from_ir,
        "s": _from_assembly,
        "o": lambda _, image: image,
    }
    return makers[job.kind](job, text)


def main() -> None:
    """The helper process: a job and its text on standard input, the object or the error on standard output."""
    header, _, text = sys.stdin.buffer.read().partition(b"\n")
    job = Job(**json.loads(header))
    try:
        image = generate_here(job, text)
        cpu.load(image, job.name)
        answer = b"object\n" + image
    except HologramError as error:
        where = asdict(error.where) if error.where else None
        answer = b"error\n" + json.dumps([error.code, error.message, error.hint, where]).encode()
    sys.stdout.buffer.write(answer)


def _machine(opt_level: int) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_triple(cpu.host().triple)
    return target.create_target_machine(
        cpu=cpu.host().cpu, features=cpu.host().features, opt=opt_level, reloc="pic", codemodel="small"
    )


def _from_ir(job: Job, text: bytes) -> bytes:
    machine = _machine(job.opt_level)
    try:
        module = llvm.parse_assembly(text.decode())
        module.verify()
    except RuntimeError as error:
        where, message = _place(job.name, str(error))
        hint = "the file must hold LLVM IR that LLVM's verifier accepts"
        raise InputError("llvm-refused", f"LLVM refuses it: {message}", hint=hint, where=where) from None
    _check_triple(job.name, module.triple)
    if job.optimise:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=job.opt_level))
        builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def _check_triple(name: str, triple: str) -> None:
    if triple and triple.partition("-")[0] != (mine := cpu.host().triple).partition("-")[0]:
        message = f"'{name}' is for {triple}, this machine is {mine}"
        raise InputError("llvm-triple", message, hint="remove the 'target triple' line, or run it there")


def _from_assembly(job: Job, text: bytes) -> bytes:
    """Assembles by way of module-level inline assembly."""
    lines = (line.replace("\\", "\\5C").replace('"', "\\22") for line in text.decode().splitlines())
    module = llvm.parse_assembly("\n".join(f'module asm "{line}"' for line in lines))
    return _machine(job.opt_level).emit_object(module)


def _place(name: str, reason: str) -> tuple[Where, str]:
    """Where in `name` LLVM's message points to, and the message."""
    if (match := PLACE.search(reason)) is None:
        return Where(name), " ".join(reason.split())
    return Where(name, int(match[1]), int(match[2])), match[3]


if __name__ == "__main__":
    main()
