"""Circuits of classes: `parse` makes IR of a text, `read` gives its readings.

    hologram.sigil.read("R+1@ mark@c21").classes        # [45]
    kernel = hologram.compile(hologram.sigil.parse("merge@c00[c01,c02]"))

A text that is no circuit raises `CircuitError`, which has `offset`, `line` and `column`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hologram.errors import CircuitError
from hologram.errors.arguments import checked
from hologram.errors.names import no_other_names

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from hologram.driver.executor import Executor
    from hologram.kernels.circuits import LibraryCircuit


class Circuit:
    """A circuit that was read, and its readings. Nothing of it needs IR."""

    def __init__(self, body: Any):
        self._body = body

    def __repr__(self) -> str:
        text = self.text
        return f"<hologram.sigil.Circuit {text if len(text) < 60 else text[:57] + '...'}>"

    @cached_property
    def text(self) -> str:
        """The canonical text; equal texts are equal circuits."""
        from hologram.dialects.sigil.tree import print_circuit

        return print_circuit(self._body)

    @cached_property
    def classes(self) -> list[int]:
        """The class of each leaf after its transforms, in source order; of a range one for each class."""
        from hologram.dialects.sigil.readings import read_classes

        return read_classes(self._body)

    @cached_property
    def bytes(self) -> list[int]:
        """The canonical byte of each leaf's class."""
        from hologram.classes import canonical_byte

        return [canonical_byte(number) for number in self.classes]

    @cached_property
    def addresses(self) -> list[int]:
        """The belt address, 256 page + byte, of each leaf that names a page."""
        from hologram.dialects.sigil.readings import read_addresses

        return read_addresses(self._body)

    @cached_property
    def words(self) -> list[str]:
        """The words. A range gives those of each of its classes, the last one first, as the sequence of them would."""
        from hologram.dialects.sigil.readings import read_words

        return read_words(self._body)

    @cached_property
    def calls(self) -> list[str]:
        """Each operation on the classes that it works on, in source order: `mark 45`, `copy 29->30`, `quote 58..63`."""
        from hologram.dialects.sigil.readings import read_calls

        return read_calls(self._body)

    def canonical(self) -> Circuit:
        """The circuit that its words come to by the laws of words, which forget tiles (`canonicalize-sigil-words`)."""
        from hologram.dialects.sigil.words import canonical_words

        return Circuit(canonical_words(self._body))


@checked
def read(text: str, *, name: str = "<circuit>") -> Circuit:
    """The readings of a text, which errors call `name`. Raises CircuitError."""
    from hologram.frontend.circuits import parse_tree

    return Circuit(parse_tree(text, name))


@checked
def parse(text: str, *, type: str | None = None, name: str = "<circuit>") -> ModuleOp:
    """The module of a text, with one `sigil.circuit @main`; `type` is that of its tiles' elements (else f32).

    Raises CircuitError, and InputError for a type that tiles can't be of.
    """
    from hologram.frontend.circuits import parse_circuit

    return parse_circuit(text, name, type=type)


def library() -> dict[str, LibraryCircuit]:
    """The standard library by name: each row has `text`, `inputs`, `outputs` and `meaning`."""
    from hologram.kernels.circuits import LIBRARY

    return dict(LIBRARY)


@checked
def stream(
    circuit: str | ModuleOp, *inputs: Any, outputs: Sequence[int] | None = None, executor: Executor | None = None
) -> Iterator[tuple[Any, ...]]:
    """Runs a circuit over arrays of any length through class memory, which stays as it is in size.

    `inputs` are one array for each class that the circuit reads before it writes it, in the order of the classes: of
    one axis, one length, and the type of the tiles. For each part, of at most a class, it gives the classes `outputs`,
    by default all that the circuit writes, as views that the next part overwrites. `circuit` is a text or a module.
    """
    from hologram.kernels.circuit_streams import stream_circuit

    module = parse(circuit) if isinstance(circuit, str) else circuit
    return stream_circuit(module, inputs, outputs, executor)


@checked
def to_text(module: ModuleOp) -> str:
    """The canonical text of a module that is one circuit."""
    import io

    from hologram.dialects import make_context
    from hologram.lowering.numbers.circuit_text import CircuitTarget

    stream = io.StringIO()
    CircuitTarget().emit(make_context(), module, stream)
    return stream.getvalue()


__all__ = ["Circuit", "CircuitError", "library", "parse", "read", "stream", "to_text"]

if not TYPE_CHECKING:
    __getattr__ = no_other_names("hologram.sigil", globals())
