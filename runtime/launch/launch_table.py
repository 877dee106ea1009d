"""The description of an entry for the compiled launcher, as the structs of `native/c/launch_table.h`.

Everything that can be decided without the arguments is decided here: where each size goes, which sizes must agree, how
outputs get theirs. `build` gives None for entries that only Python can launch.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from itertools import chain
from typing import Any, cast

import numpy as np

from hologram.runtime import dtypes
from hologram.runtime.entry import Argument, Entry
from hologram.runtime.expressions import Code
from hologram.runtime.native import MAX_ARGUMENTS, MAX_BUFFERS, MAX_RANK, MAX_STACK, MAX_WORDS, STEPS
from hologram.support.hidden import CLASSES, HIDDEN, RESONANCE, TRAP

C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
"""Flags of numpy's array struct."""
ANY = -1
RELEASE_BYTES = 64 << 10
"""Arrays of more bytes than this together let other threads run during the launch: handing the interpreter over and
back takes 30 ns, an addition of so much 700 ns, and most other work longer. Programs with class memory always do, and
those that may run for long."""
BUFFER, F64, F32, INTEGER, BOOLEAN = range(5)
_INT64 = 1 << 63


Row = tuple[int, ...]
"""A struct of the code: all its fields have 64 bits, pointers too."""


class Axis:
    """The words of the size and stride of one axis, and what they must be: the struct `axis` of `launch_table.h`."""

    def __init__(self, size: int | None, stride: int | None):
        self.size = ANY if size is None else size
        self.word = -1
        self.stride = stride or 0
        self.fixed = int(stride is not None)
        self.stride_word = -1

    @property
    def known(self) -> tuple[str, int]:
        """The step that gives the size."""
        return ("constant", self.size) if self.size >= 0 else ("word", self.word)

    @property
    def reference(self) -> int:
        """The number by which another axis asks for the same size."""
        return self.size if self.size >= 0 else -2 - self.word


class Unfit(Exception):
    """The entry is not for the compiled launcher."""


class Layout:
    """The word of each parameter of an entry in its packed form; what the launcher checks is added to it."""

    def __init__(self, entry: Entry):
        arguments = entry.arguments
        self.entry = entry
        self.axes = [[*map(Axis, a.shape, a.strides or [None] * len(a.shape))] for a in arguments]
        self.words = [0] * len(arguments)
        """The word of each argument's pointer or scalar."""
        self.steps: list[tuple[str, int]] = []
        self.late: list[tuple[str, int]] = []
        self.count = len(entry.parameters)
        self.numbers = {a.name: i for i, a in enumerate(arguments)}
        self.inputs = [i for i, a in enumerate(arguments) if a.result is None]
        self.results = [i for i, a in enumerate(arguments) if a.result is not None]
        self.spare = self._number_words()
        self.parameters = self.spare

    def _number_words(self) -> int:
        """Gives each parameter its word, in the order of the launch ABI; the word behind the last one is spare."""
        self.hidden = dict.fromkeys(HIDDEN, -1)
        for word, (kind, number, axis) in enumerate(self.entry.parameters):
            if kind in HIDDEN:
                self.hidden[kind] = word
            elif kind == "size":
                self.axes[number][axis].word = word
            elif kind == "stride":
                self.axes[number][axis].stride_word = word
            else:
                self.words[number] = word
        spare = self._word()
        for axis in (axis for axes in self.axes for axis in axes):
            axis.word = spare if axis.word < 0 else axis.word
            axis.stride_word = spare if axis.stride_word < 0 else axis.stride_word
        return spare

    def _word(self) -> int:
        self.count += 1
        return self.count - 1

    # Shape expressions

    def constrain(self) -> None:
        """The constraints: equal sizes become sizes wanted, the rest code."""
        for expression in self.entry.checks:
            code = self.translate(expression.parts[0])
            if any(self.numbers[name] in self.results for name in expression.names):
                self.late += [*code, ("require", 0)]
            elif not self._unify(expression.parts[0]):
                self.steps += [*code, ("require", 0)]

    def _unify(self, code: Code) -> bool:
        """Makes `a[i] == b[j]` a size that the later axis wants; False if it is something else."""
        if [step for step, _ in code] != ["size", "size", "=="]:
            return False
        ends: list[tuple[int, int]] = sorted((self.numbers[name], axis) for _, (name, axis) in code[:2])
        first, last = (self.axes[number][axis] for number, axis in ends)
        if last.size != ANY or first is last:
            return False
        last.size = first.reference
        return True

    def shape_results(self) -> None:
        """The sizes of the outputs, as those their axes want."""
        for number, expression in self.entry.result_shapes.items():
            argument = self.entry.arguments[number]
            if len(expression.parts) != len(argument.shape):
                raise Unfit
            if any(self.numbers[name] in self.results for name in expression.names):
                raise Unfit
            for axis, static, code in zip(self.axes[number], argument.shape, expression.parts, strict=True):
                axis.size = self._result_size(self.translate(code), static)

    def _result_size(self, code: list[tuple[str, int]], static: int | None) -> int:
        if len(code) == 1 and code[0][0] == "constant" and static in (None, code[0][1]):
            return code[0][1]
        if len(code) == 1 and code[0][0] == "word" and static is None:
            return -2 - code[0][1]
        word = self._word()
        self.steps += [*code, ("keep", word)]
        if static is not None:
            self.steps += [("word", word), ("constant", static), ("==", 0), ("require", 0)]
        return -2 - word

    def translate(self, code: Code) -> list[tuple[str, int]]:
        """Code over words instead of names."""
        steps: list[tuple[str, int]] = []
        depth = deepest = 0
        for step, operand in code:
            if step == "size":
                name, axis = cast("tuple[str, int]", operand)
                steps.append(self.axes[self.numbers[name]][axis].known)
            elif step == "scalar":
                steps.append(("word", self._scalar_word(operand)))
            elif step == "constant" and operand >= _INT64:
                raise Unfit
            else:
                steps.append((step, operand or 0))
            depth += 1 if step in ("size", "scalar", "constant") else 0 if step == "negate" else -1
            deepest = max(deepest, depth)
        if deepest >= MAX_STACK:
            raise Unfit
        return steps

    def _scalar_word(self, name: str) -> int:
        number = self.numbers[name]
        element = dtypes.dtype(self.entry.arguments[number].dtype)
        if element.kind == "float" or element.limbs:
            raise Unfit
        return self.words[number]


class LaunchTable:
    """The structs of one entry, which stay where they are while this lives."""

    def __init__(self, entry: Entry, call: int, layout: Layout, class_memory: int):
        self._kept: list[Any] = []
        order = [*layout.inputs, *layout.results]
        arguments = [self._argument(entry.arguments[i], layout, i) for i in order]
        pairs = [(layout.words[i], layout.words[j]) for i, j in entry.alias_pairs]
        pairs += [(layout.words[i], layout.hidden[CLASSES]) for i in entry.apart_from_classes]
        kernel = (
            call,
            len(order),
            len(layout.inputs),
            self._place(arguments),
            self._place(map(_step, layout.steps)),
            len(layout.steps),
            self._place(map(_step, layout.late)),
            len(layout.late),
            self._place(pairs),
            len(pairs),
            layout.hidden[TRAP],
            RELEASE_BYTES if entry.classes is None and not entry.unbounded else -1,
            layout.hidden[CLASSES],
            class_memory,
            layout.hidden[RESONANCE],
            int(entry.unbounded),
        )
        self.address = self._place([kernel])
        """Where the struct of the kernel lies."""

    def _place(self, rows: Iterable[Row]) -> int:
        """Keep structs of one kind, one behind the other, and return their address."""
        words = [*chain.from_iterable(rows)]
        array = (ctypes.c_int64 * len(words))(*words)
        self._kept.append(array)
        return ctypes.addressof(array)

    def _argument(self, argument: Argument, layout: Layout, number: int) -> Row:
        element = dtypes.dtype(argument.dtype)
        given = layout.inputs.index(number) if number in layout.inputs else -1
        if not argument.is_buffer:
            low, high = element.range if element.kind == "int" else (0, 0)
            kind, most = _scalar_kind(element), min(int(high), _INT64 - 1)
            return kind, layout.words[number], 0, 0, 0, 0, 0, 0, int(low), most, number, given
        stored = np.dtype(np.uint64) if element.limbs else element.numpy
        self._kept.append(stored)
        axes = [(a.size, a.word, a.stride, a.fixed, a.stride_word) for a in layout.axes[number]]
        if element.limbs:
            axes.append((element.limbs, layout.spare, 0, 0, layout.spare))
        flags = C_CONTIGUOUS | ALIGNED | (WRITEABLE if argument.written else 0)
        shift = stored.itemsize.bit_length() - 1
        head = (BUFFER, layout.words[number], id(stored), len(axes), flags, shift, self._place(axes))
        return *head, argument.strides is not None, 0, 0, number, given


def build(entry: Entry, call: int, class_memory: int) -> LaunchTable | None:
    """The table of an entry whose packed form is at the address `call`, or None if only Python can launch it.

    `class_memory` is the address of what it reaches, if it does.
    """
    wide = [a for a in entry.arguments if dtypes.dtype(a.dtype).limbs]
    if any(not a.is_buffer or a.strides is not None for a in wide):
        return None
    try:
        layout = Layout(entry)
        layout.constrain()
        layout.shape_results()
    except Unfit:
        return None
    buffers = [a for a in entry.arguments if a.is_buffer]
    if layout.count > MAX_WORDS or len(buffers) > MAX_BUFFERS or len(entry.arguments) > MAX_ARGUMENTS:
        return None
    if any(len(a.shape) + (dtypes.dtype(a.dtype).limbs > 0) > MAX_RANK for a in buffers):
        return None
    return LaunchTable(entry, call, layout, class_memory)


def _step(step: tuple[str, int]) -> Row:
    return STEPS.index(step[0]), step[1]


def _scalar_kind(element: dtypes.DType) -> int:
    """Return how the launcher reads a scalar; halves are left to Python (a kind that it does not know)."""
    if element.kind == "float":
        return {8: F64, 4: F32}.get(element.numpy.itemsize, -1)
    return INTEGER if element.kind == "int" else BOOLEAN
