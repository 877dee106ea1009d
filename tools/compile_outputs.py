"""Writes what hologram-compile made: archives, libraries, and files of each program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hologram.errors import InputError, UsageError
from hologram.runtime.archive.targets import Target
from hologram.tools.cli import write_output
from hologram.tools.compile_forms import ARCHIVE, SHARED, TOGETHER, Form, Product, form_of_file, host_code
from hologram.tools.compile_inputs import STDIN
from hologram.tools.compile_jobs import Outcome

if TYPE_CHECKING:
    from hologram.runtime.archive.model import Constant

STDOUT = "-"


class Writer:
    """Where outcomes go."""

    def __init__(self, output: str | None, forms: Sequence[Form], products: Sequence[Product], first: str):
        """`first` is the first file or folder that was given."""
        self.output = output
        self.forms = forms
        self.products = [product for product in products if product.form.name not in TOGETHER]
        self.base = "a" if first == STDIN else Path(first).resolve().name.partition(".")[0] or "a"

    def write(self, outcomes: Sequence[Outcome], targets: Sequence[Target], constants: Sequence[Constant] = ()) -> None:
        """Writes all forms; `constants` go into the archive."""
        folder = self._folder(outcomes)
        together = {form.name: self._together(form, folder) for form in self.forms if form.name in TOGETHER}
        alone = [(self._place(o, p, folder), o.pieces[p.want].data) for o in outcomes for p in self.products]
        check_places([*together.values(), *(place for place, _ in alone)], outcomes)
        if ARCHIVE in together:
            write_archive(together[ARCHIVE], outcomes, targets, constants)
        if SHARED in together:
            write_shared(together[SHARED], outcomes)
        for place, data in alone:
            if folder is not None:
                make_folder(Path(place).parent)
            write_output(place, data)

    def _place(self, outcome: Outcome, product: Product, folder: Path | None) -> str:
        """Where a form of one program goes."""
        if folder is not None:
            return str(product.place(folder, outcome.input.program))
        return self.output or f"{outcome.input.program}{product.suffix}"

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
            raise UsageError("compile-not-folder", f"{count} files are written, and '{output}' is no folder")
        make_folder(Path(output))
        return Path(output)

    def _together(self, form: Form, folder: Path | None) -> str:
        """The file of a form that all programs go into."""
        if folder is not None:
            return str(folder / f"{self.base}{form.suffix}")
        return self.output or f"{self.base}{form.suffix}"


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
    """What is wrong with a file that was compiled, and has not all of the forms that are asked for."""
    missing = [p for p in wanted if not outcome.error and outcome.pieces[p.want].is_missing]
    if not missing:
        return None
    form, reason = missing[0].form.name, outcome.pieces[missing[0].want].about["missing"]
    return InputError("compile-no-machine-form", f"'{outcome.input.path}' has no form '{form}': {reason}")


def make_folder(folder: Path) -> None:
    """Makes a folder, with those that it is in."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the folder '{folder}' can't be made: {error.strerror}"
        raise UsageError("compile-folder-unmade", message) from None


def write_archive(
    place: str, outcomes: Sequence[Outcome], targets: Sequence[Target], constants: Sequence[Constant]
) -> None:
    """Writes the archive of all programs."""
    from hologram.runtime.archive import Archive, save, write
    from hologram.runtime.archive.build import program_of

    programs = [program_of(o.input.program, o.input.name, o.digest, o.pieces, targets) for o in outcomes]
    archive = Archive(tuple(programs), tuple(constants))
    if place == STDOUT:
        write_output(place, write(archive))
    else:
        save(archive, place)


def write_shared(place: str, outcomes: Sequence[Outcome]) -> None:
    """Writes the shared object of all programs."""
    from hologram.runtime.c.library import programs_shared

    code = [(o.input.name, o.pieces[host_code()]) for o in outcomes]
    images = [(name, piece.data, piece.entries) for name, piece in code]
    write_output(place, programs_shared(images, Path(place).name), mapped=True)


def write_header(place: str, outcomes: Sequence[Outcome], name: str) -> None:
    """Writes the prototypes of all entries."""
    from hologram.runtime.c.prototypes import program_header

    entries = [entry for o in outcomes for entry in o.pieces[host_code()].entries]
    write_output(place, program_header(entries, name).encode())
