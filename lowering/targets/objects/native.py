"""LLVM IR text to optimised IR, assembly and object code, through llvmlite: all that calls LLVM for processors.

Texts that we wrote and LLVM refuses are our fault (InternalError). A text of the user's comes with `origin`, the name
it is known by: what LLVM refuses of it is then an InputError with the place.

LLVM ends the whole process on a few inputs (assembly with errors, an intrinsic that the target lacks), so assembly is
assembled in a helper process.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import threading
from dataclasses import dataclass
from typing import Any, NoReturn

from hologram.errors import HologramError, InputError, InternalError, UsageError, Where, at_text, register_source
from hologram.errors.limits import limit
from hologram.support.host_target import HostTarget, host_target, llvm_binding

_PLACE = re.compile(r"^(?:error: )?<(?:string|inline asm|stdin)>:(\d+):(\d+): (?:error: )?(.*)$", re.MULTILINE)
_DEFINE = re.compile(r"^define .*$", re.MULTILINE)
_FUNCTION = re.compile(r"^define (?:.*\n)+?}", re.MULTILINE)
_SCALABLE = re.compile(r"<vscale x \d")
_SCALES = re.compile(r"\+(?:sve|sme|v|zve\w+)(?:,|$)")
"""The features of processors that have scalable vectors; LLVM ends the process for those that have none."""
_GROUP = re.compile(r"#(\d{1,9})\b")
_AFTER_PARAMETERS = re.compile(r"\s*(?:local_unnamed_addr|unnamed_addr|addrspace\(\d+\))")


@dataclass(frozen=True)
class Artifacts:
    """The results of one compilation."""

    optimised: str
    """The IR after LLVM's optimiser."""
    object: bytes
    """An object file of the platform's format."""


def load_ahead() -> None:
    """Loads LLVM in a thread, while this one imports what else a first compile needs: mapping it takes a while."""
    loading = threading.Thread(target=_try_host_target, name="hologram-llvm")
    with contextlib.suppress(RuntimeError):  # There may be no more threads: then it is loaded when it is needed.
        loading.start()
        if hasattr(os, "register_at_fork"):
            # A child forked within an import would find the import's lock taken for ever.
            os.register_at_fork(before=loading.join)


def _try_host_target() -> None:
    with contextlib.suppress(Exception):  # Whoever needs it gets the error.
        host_target()


@functools.cache
def prepare_all_targets() -> None:
    """Makes every target that llvmlite brings known."""
    llvm_binding().initialize_all_targets()
    llvm_binding().initialize_all_asmprinters()


def verify(text: str, *, origin: str | None = None) -> None:
    """Raises an error unless LLVM reads the text and its verifier accepts it."""
    _parse(text, origin)


def optimise(text: str, target: HostTarget, level: int = 3, *, origin: str | None = None) -> str:
    """The text after LLVM's optimiser, with the vectorisers on."""
    level = _level(text, level)
    machine = _machine(target, level)
    module = _prepared(text, target, machine, origin)
    _run_passes(module, machine, level)
    return str(module)


def to_object(text: str, target: HostTarget, level: int = 3, *, origin: str | None = None) -> bytes:
    """Object code for the text as it is."""
    return _generate("emit_object", text, target, level, origin)


def to_assembly(text: str, target: HostTarget, level: int = 3, *, origin: str | None = None) -> str:
    """Assembly for the text as it is."""
    return _generate("emit_assembly", text, target, level, origin)


def compile_ir(text: str, target: HostTarget, level: int = 3, *, origin: str | None = None) -> Artifacts:
    """Optimises and generates code, reading the text once."""
    level = _level(text, level)
    machine = _machine(target, _code_level(text, level))
    module = _prepared(text, target, machine, origin)
    _run_passes(module, machine, level)
    # The printed form comes first: generating code changes the module.
    optimised = str(module)
    return Artifacts(optimised, _emit(machine, "emit_object", module))


def compile_object(text: str, target: HostTarget, level: int = 3, *, origin: str | None = None) -> bytes:
    """The object of `compile_ir` alone: to print the optimised form takes time."""
    return _generate("emit_object", text, target, level, origin, passes=True)


def _generate(form: str, text: str, target: HostTarget, level: int, origin: str | None, *, passes: bool = False) -> Any:
    level = _level(text, level)
    machine = _machine(target, _code_level(text, level))
    module = _prepared(text, target, machine, origin)
    if passes:
        _run_passes(module, machine, level)
    return _emit(machine, form, module)


def device_assembly(text: str, target: HostTarget, level: int) -> str:
    """Optimises for another machine and gives its assembly. LLVM may end the process: call it in a helper."""
    level = _level(text, level)
    machine = _machine(target, level)
    # LLVM gives accesses their alignment while it reads, by the layout that stands before them.
    layout = f'target datalayout = "{machine.target_data}"\n'
    module = _prepared(layout + text, target, machine, None)
    _run_passes(module, machine, level)
    return _emit(machine, "emit_assembly", module)


def assemble(assembly: str, target: HostTarget, *, origin: str | None = None) -> bytes:
    """Object code for assembly text, such as `to_assembly` gives; made in a helper process."""
    if not sys.executable:
        return _assemble_here(assembly, target, origin)
    header = f"{target.triple}\n{target.cpu}\n{target.features}\n"
    command = [sys.executable, "-P", "-m", __name__]
    import subprocess  # Few compiles need it.

    done = subprocess.run(command, input=(header + assembly).encode(), capture_output=True)
    if done.returncode:
        _refuse_assembly(assembly, origin, done.stderr.decode(errors="replace"))
    return done.stdout


# Modules


def _parse(text: str, origin: str | None) -> Any:
    try:
        module = llvm_binding().parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        _refuse(text, origin, str(error))
    return module


def _parse_for(text: str, target: HostTarget, origin: str | None) -> Any:
    """The module of a text whose functions get the target's attributes."""
    try:
        return _parse(with_attributes(text, target), origin)
    except HologramError:
        _parse(text, origin)  # The place is the one in the text as it was given.
        raise


def _prepared(text: str, target: HostTarget, machine: Any, origin: str | None) -> Any:
    """The module for a target. A text that names another triple is refused, as are vectors that it can't have."""
    if _SCALABLE.search(text) and not _SCALES.search(target.features):
        message = f"the program has scalable vectors, which {target.cpu or target.triple} does not have"
        where = Where(origin) if origin is not None else None
        raise InputError("llvm-ir-scalable", message, hint="use vectors of a fixed length", where=where)
    module = _parse_for(text, target, origin)
    given: str = module.triple
    if given and given.partition("-")[0] != target.triple.partition("-")[0]:
        message = f"the LLVM IR is for {given}, not for {target.triple}"
        where = Where(origin) if origin is not None else None
        raise InputError("llvm-ir-other-target", message, hint="remove its 'target triple' line", where=where)
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    return module


def self_contained(text: str, target: HostTarget) -> str:
    """The text with all that code is generated by, so that LLVM's own tools give the code that we run."""
    layout = _machine(target, 3).target_data
    head = f'target datalayout = "{layout}"\ntarget triple = "{target.triple}"\n\n'
    return head + with_attributes(text, target)


def with_attributes(text: str, target: HostTarget) -> str:
    """The text with the target's attributes on each function, unless it names a processor already."""
    words = "".join(f' "{name}"="{value}"' for name, value in target.attributes().items())
    if '"target-cpu"' in text or not words:
        return text
    group = 1 + max((int(number) for number in _GROUP.findall(text)), default=-1)

    def insert(match: re.Match[str]) -> str:
        line = match[0]
        end = _end_of_parameters(line)
        return line if end is None else f"{line[:end]} #{group}{line[end:]}"

    return f"{_DEFINE.sub(insert, text).rstrip()}\n\nattributes #{group} = {{{words} }}\n"


def _end_of_parameters(line: str) -> int | None:
    """The place for function attributes in the header of a function: after its parameters, and what may follow them."""
    start = line.find("@")
    if line[start + 1 : start + 2] == '"':
        start = line.find('"', start + 2)
    position = line.find("(", start)
    depth = 0
    while 0 <= position < len(line):
        character = line[position]
        if character == '"':
            position = line.find('"', position + 1)
        depth += (character == "(") - (character == ")")
        position += 1
        if depth == 0:
            break
    else:
        return None
    while (match := _AFTER_PARAMETERS.match(line, position)) is not None:
        position = match.end()
    return position


def _machine(target: HostTarget, level: int) -> Any:
    """A new machine each time: LLVM's are not safe to share between threads, and some uses consume them."""
    llvm = llvm_binding()
    if target.triple != llvm.get_process_triple():
        prepare_all_targets()
    try:
        llvm_target = llvm.Target.from_triple(target.triple)
    except RuntimeError as error:
        message = f"LLVM has no target '{target.triple}': {' '.join(str(error).split())}"
        raise InputError("llvm-no-target", message) from None
    return llvm_target.create_target_machine(
        cpu=target.cpu, features=target.features, opt=level, reloc=_reloc(target), codemodel="small"
    )


def _reloc(target: HostTarget) -> str:
    """The relocation model: WebAssembly modules are linked to their place, others find themselves."""
    return "static" if target.triple.startswith("wasm") else "pic"


def _level(text: str, level: int) -> int:
    """The level at which a text is optimised: 0 where it has a function beyond the limit, since LLVM's passes and its
    allocation of registers take time that grows with the square of a function's length."""
    most = limit("optimised_instructions")
    if text.count("\n") <= most:
        return level
    lengths = (match[0].count("\n") - 1 for match in _FUNCTION.finditer(text))
    return 0 if max(lengths, default=0) > most else level


def _code_level(text: str, level: int) -> int:
    """The level at which code is generated: at level 0 LLVM loses bf16 results of calls that another block reads, by
    taking their 16 bits for the whole of an f32."""
    return max(level, 1) if "bfloat" in text else level


def _run_passes(module: Any, machine: Any, level: int) -> None:
    llvm = llvm_binding()
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    vectorise = level >= 2
    tuning.loop_vectorization = vectorise
    tuning.slp_vectorization = vectorise
    tuning.loop_interleaving = vectorise
    tuning.loop_unrolling = level >= 1
    builder = llvm.create_pass_builder(machine, tuning)
    manager = builder.getModulePassManager()
    manager.run(module, builder)
    # llvmlite 0.50 keeps the passes, 68 KB, for ever: the first base of the class has a `_dispose` without effect.
    owner, *_ = (base for base in type(manager).__mro__ if "_dispose" in vars(base))
    if owner is llvm.ffi.ObjectRef:
        llvm.newpassmanagers.NewPassManager._dispose(manager)


def _emit(machine: Any, method: str, module: Any) -> Any:
    try:
        return getattr(machine, method)(module)
    except RuntimeError as error:
        message = f"LLVM can't generate this for {machine.triple}: {' '.join(str(error).split())}"
        raise InputError("llvm-codegen", message, hint="some targets have assembly only") from error


# What LLVM says


def _refuse(text: str, origin: str | None, reason: str) -> NoReturn:
    where, message = _place(text, origin or "<llvm-ir>", reason)
    if origin is None:
        raise InternalError("llvm-ir-broken", f"LLVM refuses the IR that was made for it: {message}", where=where)
    raise InputError("llvm-ir-refused", f"LLVM refuses it: {message}", where=where)


def _refuse_assembly(assembly: str, origin: str | None, reason: str) -> NoReturn:
    where, message = _place(assembly, origin or "<assembly>", reason)
    hint = "assembly must be for this kind of processor, in the syntax that LLVM prints"
    raise InputError("llvm-assembly", f"the assembler refuses it: {message}", hint=hint, where=where)


def _place(text: str, name: str, reason: str) -> tuple[Where, str]:
    """The place that LLVM's message points to, and the message."""
    match = _PLACE.search(reason)
    if match is None:
        return Where(name), " ".join(reason.split()) or "no reason given"
    register_source(name, text)
    return at_text(Where(name, int(match[1]), int(match[2])), text), match[3]


# Assembly


def _assemble_here(assembly: str, target: HostTarget, origin: str | None) -> bytes:
    """Assembles by way of module-level inline assembly. Errors in it end the process."""
    lines = (line.replace("\\", "\\5C").replace('"', "\\22") for line in assembly.splitlines())
    machine = _machine(target, 0)
    module = _parse("\n".join(f'module asm "{line}"' for line in lines), origin)
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    return _emit(machine, "emit_object", module)


def _main() -> None:
    """The helper: the target in three lines and then assembly on standard input, object code on standard output."""
    triple, cpu, features, assembly = sys.stdin.buffer.read().decode().split("\n", 3)
    try:
        image = _assemble_here(assembly, HostTarget(triple, cpu, features), None)
    except HologramError as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(image)


if __name__ == "__main__":
    _main()


def checked_level(level: int) -> int:
    """The level, if there is such."""
    if not 0 <= level <= 3:
        raise UsageError("llvm-level", f"there is no optimisation level {level}", hint="levels go from 0 to 3")
    return level
