"""The language of Python kernels: types of parameters, ids of lanes, functions of numbers, memory.

    import hologram
    from hologram.language import Array, f32, get_global_id

    @hologram.kernel(lanes="y.shape[0]")
    def saxpy(a: f32, x: Array[f32], y: Array[f32]):
        i = get_global_id()
        if i < y.shape[0]:
            y[i] = a * x[i] + y[i]

The names mean something in kernels alone; called elsewhere they raise UsageError. docs/python-kernels.mdx lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hologram.dialects.atlas.instructions.composites import ROWS as COMPOSITION_ROWS
from hologram.dialects.atlas.instructions.table import ROWS as INSTRUCTION_ROWS
from hologram.errors import UsageError, missing_name
from hologram.plugins import discover
from hologram.plugins.tables import KINDS
from hologram.support.promotion import STORED, TYPES

_GENERIC = ("Array", "StridedArray", "Pointer", "Constant")
_IDS = (
    "get_global_id get_global_size get_local_id get_local_size get_group_id get_num_groups lane_id block_id block_size "
    "grid_size"
).split()
_MATH = ("muladd", *(i.word for i in (*INSTRUCTION_ROWS, *COMPOSITION_ROWS) if i.word and not i.code))
"""Every instruction and composition that Python has no operator or function for."""
_MEMORY = "shared local barrier dim".split()
_LIMITS = ("least", "greatest")
_ATOMIC = [f"atomic_{name}" for name in "add min max and or xor exch cas".split()]


def __getattr__(name: str) -> Any:
    """A word of an instruction of a plug-in."""
    if name not in outside_words(name):
        raise missing_name("hologram.language", name, (*WORDS, *outside_words()))
    word = globals()[name] = _Word(name)
    return word


def outside_words(name: str = "") -> set[str]:
    """The words that plug-ins bring; installed ones are looked for where `name` is none of these."""
    rows = KINDS["instruction"].rows
    if name and not name.startswith("__") and not any(row.thing.word == name for row in rows.values()):
        discover()
    return {row.thing.word for row in rows.values()} - {""}


_tensor_calls: list[Callable[[str, Sequence[Any]], Any]] = []


def call_on_tensors(call: Callable[[str, Sequence[Any]], Any]) -> None:
    """Has the names mean what `call` gives for a name and arguments in tensor functions; elsewhere it gives None."""
    _tensor_calls.append(call)


class _Word:
    """A name of the language."""

    def __init__(self, word: str):
        self.hologram_word = word
        self.__name__ = word

    def __repr__(self) -> str:
        return f"hologram.language.{self.hologram_word}"

    def __getitem__(self, _: Any) -> _Word:
        return self

    __iter__ = None
    """A type with a parameter has no end of them."""

    def __call__(self, *args: Any) -> Any:
        for call in _tensor_calls:
            if (result := call(self.hologram_word, args)) is not None:
                return result
        is_type = self.hologram_word in _GENERIC
        raise UsageError(
            "language-outside",
            f"'{self.hologram_word}' is a type, which is not called"
            if is_type
            else f"'{self.hologram_word}' means something in kernels alone",
            hint=f"write {self.hologram_word}[f32], with brackets"
            if is_type
            else "put @hologram.kernel before the function that calls it",
        )


class Element(_Word):
    """A type of elements that each call picks from its arrays: one of `dtypes`, the first unless something says more.

    Example::

        T = Element("T", "f32", "f64")

        @hologram.kernel(lanes="len(x)")
        def double(x: Array[T]):
            i = get_global_id()
            if i < len(x):
                x[i] *= T(2)
    """

    def __init__(self, name: str, *dtypes: str):
        super().__init__(name)
        if (wrong := wrong_element(name, dtypes)) is not None:
            raise UsageError("language-element", wrong, hint='write T = Element("T", "f32", "f64")')
        self.dtypes = dtypes
        self.is_wide = False

    @property
    def wide(self) -> Element:
        """The type that sums of it are taken in: f32 for narrower floats, else the type itself."""
        element = Element(self.hologram_word, *self.dtypes)
        element.is_wide = True
        return element


def wrong_element(name: Any, dtypes: Sequence[Any]) -> str | None:
    """Return what is wrong with the name of an element type, or with the types that it may be; None if nothing is."""
    if not isinstance(name, str) or not name.isidentifier() or name in (*TYPES, *STORED):
        return f"an element type has a name of its own, and {name!r} is none"
    if not dtypes:
        return f"nothing says which types '{name}' may be"
    for dtype in dtypes:
        if dtype not in (*TYPES, *STORED):
            return f"'{name}' can't be {dtype!r}, which is no type"
    return f"'{name}' names a type twice" if len(set(dtypes)) < len(dtypes) else None


WORDS = (*TYPES, *STORED, *_GENERIC, *_IDS, *_MATH, *_LIMITS, *_MEMORY, *_ATOMIC)
__all__ = ["Element", *(n for n in WORDS if n not in ("bool", "round", "pow"))]  # pyright: ignore[reportUnsupportedDunderAll]
"""What `from hologram.language import *` gives: all but the names that Python has itself."""

globals().update({n: _Word(n) for n in WORDS})
