"""Writes what hologram-compile made: archives, libraries, and files of each program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hologram.errors import InputError, UsageError
from hologram.runtime.archive.targets import Target
from hologram.tools.cli import write_output
from hologram.tools.compile_forms import ARCHIVE, SHARED, TOGETHER, Form, Product, host_code
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
        for form in self.forms:
            if form.name == ARCHIVE:
                write_archive(self._together(form, folder), outcomes, targets, constants)
            elif form.name == SHARED:
                write_shared(self._together(form, folder), outcomes)
        for outcome in outcomes:
            for product in self.products:
                data = content(outcome, product)
                if folder is None:
                    write_output(self.output or f"{outcome.input.program}{product.suffix}", data)
                else:
                    place = product.place(folder, outcome.input.program)
                    make_folder(place.parent)
                    write_output(str(place), data)

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
        if output is None or output == STDOUT:
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


def content(outcome: Outcome, product: Product) -> bytes:
    """The bytes of a form of one program."""
    piece = outcome.pieces[product.want]
    if piece.is_missing:
        raise InputError(
            "compile-no-machine-form",
            f"'{outcome.input.path}' has no form '{product.form.name}': {piece.about['missing']}",
        )
    return piece.data


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
    write_output(place, programs_shared(images, Path(place).name))


def write_header(place: str, outcomes: Sequence[Outcome], name: str) -> None:
    """Writes the prototypes of all entries."""
    from hologram.runtime.c.prototypes import program_header

    entries = [entry for o in outcomes for entry in o.pieces[host_code()].entries]
    write_output(place, program_header(entries, name).encode())
