"""LLVM IR, assembly or an object file to object code that can be loaded, if need be in a helper process.

LLVM ends the process on some inputs (an intrinsic the target has not, a damaged object). So what a user hands over as
`.ll` or `.o` is compiled and loaded in a helper first; if that dies, this process reports it and lives on. Assembly
always goes through a helper of its own.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass

from hologram.errors import HologramError, InputError, Where
from hologram.lowering.targets.objects.native import assemble, compile_object, to_object
from hologram.runtime.devices.cpu import shared
from hologram.support.host_target import host_target


class HelperRefused(InputError):
    """An error that the helper process raised, raised here."""


@dataclass(frozen=True)
class Job:
    """One piece of code generation."""

    kind: str
    """`ll`, `s` or `o`."""
    name: str | None
    """What messages call a user's text; None for our own."""
    opt_level: int = 3
    optimise: bool = True
    """Run LLVM's optimiser; false for IR that comes out of it."""


def generate(job: Job, data: bytes, *, isolate: bool) -> bytes:
    """The object code of `data`; an InputError if LLVM refuses it."""
    if not isolate or job.kind == "s" or not sys.executable:
        return generate_here(job, data)
    command = [sys.executable, "-P", "-m", "hologram.driver.codegen"]
    import subprocess  # Few compiles need it.

    done = subprocess.run(command, input=json.dumps(asdict(job)).encode() + b"\n" + data, capture_output=True)
    status, _, rest = done.stdout.partition(b"\n")
    if done.returncode == 0 and status == b"object":
        return rest
    if done.returncode == 0 and status == b"error":
        code, message, hint, where = json.loads(rest)
        raise HelperRefused(code, message, hint=hint, where=Where(**where) if where else None)
    reason = done.stderr.decode(errors="replace").strip().splitlines()
    message = f"LLVM gave up on it: {reason[0] if reason else f'exit status {done.returncode}'}"
    hint = "it is damaged, or uses what this processor has not"
    raise InputError("llvm-abort", message, hint=hint, where=Where(job.name or "<llvm-ir>"))


def generate_here(job: Job, data: bytes) -> bytes:
    """The same in this process."""
    if job.kind == "o":
        return data
    text, target = data.decode(), host_target()
    if job.kind == "s":
        return assemble(text, target, origin=job.name)
    if not job.optimise:
        return to_object(text, target, job.opt_level, origin=job.name)
    return compile_object(text, target, job.opt_level, origin=job.name)


def main() -> None:
    """The helper process: a job and its data on standard input, the object or the error on standard output."""
    header, _, data = sys.stdin.buffer.read().partition(b"\n")
    job = Job(**json.loads(header))
    try:
        image = generate_here(job, data)
        shared.load(image, job.name or "")
        answer = b"object\n" + image
    except HologramError as error:
        where = error.where.as_dict() if error.where else None
        answer = b"error\n" + json.dumps([error.code, error.message, error.hint, where]).encode()
    sys.stdout.buffer.write(answer)


if __name__ == "__main__":
    main()
