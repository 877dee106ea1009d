"""Writes for hologram-compile: the forms that --emit takes, and the archives, libraries and files they go to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hologram.driver import artifacts
from hologram.driver.artifacts import Artifact, Request, untargeted
from hologram.driver.targets import CPU, HOST, Target, find_target
from hologram.errors import InputError, UsageError, did_you_mean
from hologram.tools.cli import list_of, make_folder, write_output
from hologram.tools.compile.inputs import STDIN
from hologram.tools.compile.jobs import Outcome

if TYPE_CHECKING:
    from hologram.runtime.archive.model import Constant

ARCHIVE, SHARED = "archive", "shared"
STDOUT = "-"


@dataclass(frozen=True)
class Form:
    """A row of the table."""

    name: str
    suffix: str
    """Of its files."""
    artifact: str = ""
    """What is written."""
    device: str = ""
    """The kind of devices that it is for, if it depends on one."""
    default: str = ""
    """The target of that kind that is taken if none is named."""
    title: str = ""


_FORMS = (
    Form(ARCHIVE, ".holo", title="one file with everything for all targets"),
    Form(SHARED, ".so", artifacts.OBJECT, HOST, HOST, "a shared library with the launch ABI, of all files together"),
    Form("object", ".o", artifacts.OBJECT, HOST, HOST, "an object file"),
    Form("ir", ".mlir", artifacts.PLAIN, title="the program as it is read"),
    Form("atlas", ".atlas.mlir", artifacts.ATLAS, title="the program in the atlas dialect"),
    Form("atlas-asm", ".atlas", artifacts.ASSEMBLY, title="assembly of the Atlas ISA"),
    Form("atlas-binary", ".atlasb", artifacts.ISA, title="the binary of the Atlas ISA"),
    Form("json", ".json", artifacts.DOCUMENT, title="kernel documents"),
    Form("llvm", ".ll", artifacts.LLVM, HOST, HOST, "LLVM IR"),
    Form("llvm-opt", ".opt.ll", artifacts.OPTIMISED, HOST, HOST, "LLVM IR behind LLVM's optimiser"),
    Form("asm", ".s", artifacts.NATIVE, HOST, HOST, "assembly of this machine"),
    Form("ptx", ".ptx", artifacts.DEVICE, "cuda", "sm_90", "kernels for NVIDIA's GPUs"),
    Form("spirv", ".spv", artifacts.DEVICE, "vulkan", "vulkan", "kernels for Vulkan"),
    Form("wgsl", ".wgsl", artifacts.DEVICE, "webgpu", "webgpu", "kernels for WebGPU"),
    Form("opencl", ".cl", artifacts.DEVICE, "opencl", "opencl", "kernels in OpenCL C"),
    Form("metal", ".metal", artifacts.DEVICE, "metal", "metal", "kernels in the Metal language"),
    Form("wasm", ".wasm", artifacts.DEVICE, "wasm", "wasm", "a WebAssembly module"),
)
FORMS = {form.name: form for form in _FORMS}
TOGETHER = (ARCHIVE, SHARED)
"""The forms that all files go into together."""


def entries_here(*, unsafe_memory: bool) -> Request:
    """The entry records of code for this machine."""
    return Request(artifacts.ENTRIES, CPU.changed(unsafe_memory=unsafe_memory))


def _here(outcome: Outcome, form: str) -> Artifact | None:
    """An artifact of this machine's code, if it has been made."""
    made = outcome.artifacts.items()
    return next((a for want, a in made if want.form == form and want.target and want.target.device == HOST), None)


def read_forms(text: str) -> tuple[Form, ...]:
    """The forms of a list such as `ir,ptx`."""
    names = list_of("--emit", text)
    for name in names:
        if name not in FORMS:
            raise UsageError(
                "compile-form",
                f"--emit knows no '{name}'",
                hint=did_you_mean(name, FORMS) or f"there are {', '.join(FORMS)}",
            )
    return tuple(FORMS[name] for name in dict.fromkeys(names))


def form_of_file(name: str) -> Form | None:
    """The form that a file's name asks for, if it ends as one's files do."""
    fitting = [form for form in _FORMS if name.lower().endswith(form.suffix)]
    return max(fitting, key=lambda form: len(form.suffix), default=None)


@dataclass(frozen=True)
class Product:
    """A form for a target: what is made of each file."""

    form: Form
    want: Request
    suffix: str
    """Of its files: with the target's name, where there are several."""


def products(
    forms: Sequence[Form], targets: Sequence[Target], *, named: bool = True, unsafe_memory: bool = False
) -> list[Product]:
    """Return what is made of each file, but for archives. Unless the targets were `named`, each form has a default."""
    outputs: list[Product] = []
    for form in forms:
        if form.name == ARCHIVE:
            continue
        if not form.device:
            outputs.append(Product(form, untargeted(form.artifact, unsafe_memory=unsafe_memory), form.suffix))
            continue
        fitting = [t for t in targets if t.device == form.device]
        if not fitting and named:
            others = ", ".join(t.name for t in targets)
            raise UsageError(
                "compile-form-target",
                f"the form '{form.name}' is code for {form.device}, and --target names {others}",
                hint=f"add {form.default} to the targets, or write another form: archives hold code for all of them",
            )
        fitting = fitting or [find_target(form.default).changed(unsafe_memory=unsafe_memory)]
        for target in fitting:
            suffix = form.suffix if len(fitting) == 1 else f".{_plain(target.name)}{form.suffix}"
            outputs.append(Product(form, Request(form.artifact, target), suffix))
    return outputs


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "_.-" else "-" for c in name).strip("-")


# Files


class Writer:
    """Writes outcomes to files."""

    def __init__(
        self,
        output: str | None,
        forms: Sequence[Form],
        products: Sequence[Product],
        first: str,
        header: str | None = None,
    ):
        """`first` is the first file or folder that was given, `header` where the prototypes go."""
        self.output = output
        self.header = header
        self.forms = forms
        self.products = [product for product in products if product.form.name not in TOGETHER]
        self.base = "a" if first == STDIN else Path(first).resolve().name.partition(".")[0] or "a"

    def write(self, outcomes: Sequence[Outcome], targets: Sequence[Target], constants: Sequence[Constant] = ()) -> None:
        """Writes all forms; `constants` go into the archive."""
        folder = self._folder(outcomes)
        together = {f.name: self._place(self.base, f.suffix, folder) for f in self.forms if f.name in TOGETHER}
        alone = [
            (self._place(o.input.program, p.suffix, folder), o.artifacts[p.want].data)
            for o in outcomes
            for p in self.products
            if p.want in o.artifacts
        ]
        headers = [self.header] if self.header is not None else []
        check_places([*headers, *together.values(), *(place for place, _ in alone)], outcomes)
        for header in headers:
            write_header(header, outcomes, Path(self.output or header).name)
        if ARCHIVE in together:
            write_archive(together[ARCHIVE], outcomes, targets, constants)
        if SHARED in together:
            write_shared(together[SHARED], outcomes)
        for place, data in alone:
            if folder is not None:
                make_folder(Path(place).parent)
            write_output(place, data)

    def _place(self, name: str, suffix: str, folder: Path | None) -> str:
        """Return the path of a file."""
        return self.output or f"{name}{suffix}" if folder is None else str(folder / f"{name}{suffix}")

    def _folder(self, outcomes: Sequence[Outcome]) -> Path | None:
        """The folder that files go to, or None if there is but one file."""
        together = len([form for form in self.forms if form.name in TOGETHER])
        count = together + len(self.products) * len(outcomes)
        output = self.output
        if output is not None and output != STDOUT and (output.endswith("/") or Path(output).is_dir()):
            make_folder(Path(output))
            return Path(output)
        if count <= 1:
            return None
        if output is None or output == STDOUT or form_of_file(output) is not None:
            raise UsageError("compile-many", f"{count} files are written", hint="name a folder for them with -o")
        if Path(output).exists():
            raise UsageError(
                "compile-not-folder", f"{count} files are written, and '{output}' is no folder", hint="name one with -o"
            )
        make_folder(Path(output))
        return Path(output)


def check_places(places: Sequence[str], outcomes: Sequence[Outcome]) -> None:
    """Raises a UsageError where a file would be written over one that was compiled, or over another that is written."""
    known = {os.path.realpath(o.input.path): o.input.path for o in outcomes if o.input.path != STDIN}
    for place in places:
        if place == STDOUT:
            continue
        real = os.path.realpath(place)
        if real in known:
            what = f"would be written over '{known[real]}'" if known[real] else "would be written twice"
            raise UsageError("compile-over", f"'{place}' {what}", hint="name another place with -o")
        known[real] = ""


def without_form(outcome: Outcome, wanted: Sequence[Product]) -> Exception | None:
    """Return the error of a file that was compiled, and has not all of the forms that are asked for."""
    missing = [p for p in wanted if p.want in outcome.artifacts and outcome.artifacts[p.want].is_missing]
    if not missing:
        return None
    form, reason = missing[0].form.name, outcome.artifacts[missing[0].want].about["missing"]
    return InputError("compile-no-machine-form", f"'{outcome.input.path}' has no form '{form}': {reason}")


def write_archive(
    place: str, outcomes: Sequence[Outcome], targets: Sequence[Target], constants: Sequence[Constant]
) -> None:
    """Writes the archive of all programs."""
    from hologram.driver.archives.build import program_of
    from hologram.runtime.archive import Archive, save, write
    from hologram.tools.compile.refusals import targets_of

    programs = [
        program_of(o.input.program, o.input.name, o.digest, o.artifacts, targets_of(o, targets, artifacts.LOADABLE))
        for o in outcomes
    ]
    archive = Archive(tuple(programs), tuple(constants))
    if place == STDOUT:
        write_output(place, write(archive))
    else:
        save(archive, place)


def write_shared(place: str, outcomes: Sequence[Outcome]) -> None:
    """Writes the shared object of all programs."""
    from hologram.driver.c.library import programs_shared

    images = [
        (o.input.name, object.data, entries.entries)
        for o in outcomes
        if (object := _here(o, artifacts.OBJECT)) and (entries := _here(o, artifacts.ENTRIES))
    ]
    write_output(place, programs_shared(images, Path(place).name), mapped=True)


def write_header(place: str, outcomes: Sequence[Outcome], name: str) -> None:
    """Writes the prototypes of all entries."""
    from hologram.driver.c.prototypes import program_header

    entries = [e for o in outcomes if (found := _here(o, artifacts.ENTRIES)) for e in found.entries]
    write_output(place, program_header(entries, name).encode())
