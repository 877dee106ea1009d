# pyright: basic
"""Calls of everything public with wrong arguments: what is called, with what, and what may come out."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np

import hologram
from hologram import torus
from hologram.errors import HologramError, arguments
from hologram.language import Array, f32, get_global_id

MODULES = ("classes", "isa", "language", "monster", "ops", "sigil", "torus", "resonance")
PROTOCOL = re.compile(
    r"(takes|missing|got (an unexpected|multiple|some|the)|expected (at (most|least) )?\d+|no keyword arguments)"
)
"""What Python says itself of a call with too many, too few or other arguments."""
NOT_CALLED = {f"hologram.{n}" for n in ("Kernel", "DeviceArray", "sigil.Circuit", "CacheStats", "set_num_threads")}
"""What others make, and a setting that later tests would have."""


@hologram.kernel(lanes="len(y)")
def a_kernel(x: Array[f32], y: Array[f32]):
    i = get_global_id()
    if i < len(y):
        y[i] = x[i]


@hologram.jit
def a_function(x: Any) -> Any:
    return x + 1


@hologram.operation
def an_operation(a: Any, b: Any) -> Any:
    return a + b


SAXPY = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %x, %y : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""


@cache
def things() -> dict[str, Any]:
    """Objects of the public classes, by what they are called."""
    compiled = hologram.compile(SAXPY)
    executor = hologram.Executor()
    builder = hologram.isa.ProgramBuilder()
    pool = hologram.Pool(4096)
    return {
        "kernel": compiled,
        "executor": executor,
        "class_memory": executor.classes,
        "buffer": executor.allocate(16),
        "pool": pool,
        "ring": pool.ring(),
        "launch_config": hologram.LaunchConfig.linear(10),
        "builder": builder,
        "code": builder.program("p"),
        "arrays": builder.arrays("q"),
        "name": hologram.isa.Name("r1"),
        "group": hologram.DeviceGroup(["cpu"]),
        "python_kernel": a_kernel,
        "tensor_function": a_function,
        "operation": an_operation,
        "circuit": hologram.sigil.read("mark@c21"),
        "resonance": hologram.Resonance([0] * 96),
        "ring_of_residues": hologram.torus.Residues(7),
        "torus": hologram.torus.Torus(),
        "monster_element": hologram.monster.MonsterElement.basis(3),
        "transform": hologram.classes.Transform(),
        "element": hologram.language.Element("T", "f32"),
        "word": hologram.language.exp,
    }


def public(owner: Any) -> Iterator[tuple[str, Any]]:
    """The public names of a module or an object, with some that operators call."""
    names = getattr(owner, "__all__", None) if isinstance(owner, types.ModuleType) else dir(owner)
    for name in sorted(names or dir(owner)):
        if not name.startswith("_") or name in ("__call__", "__getitem__"):
            if inspect.ismodule(owner) and isinstance(getattr(owner, name, None), types.ModuleType):
                continue
            yield name, owner


def _is_ours(value: Any) -> bool:
    module = getattr(value, "__module__", None) or getattr(type(value), "__module__", "")
    return str(module).partition(".")[0] == "hologram" and not (
        isinstance(value, type) and issubclass(value, BaseException)
    )


@cache
def callables() -> tuple[tuple[str, Callable[..., Any]], ...]:
    """Everything public that can be called, by name."""
    found: dict[str, Callable[..., Any]] = {}
    modules = {"hologram": hologram} | {
        f"hologram.{name}": __import__(f"hologram.{name}", fromlist=["x"]) for name in MODULES
    }
    for path, module in modules.items():
        for name, _ in public(module):
            value = getattr(module, name)
            if callable(value) and _is_ours(value):
                found[f"{path}.{name}"] = value
    for path, thing in things().items():
        for name, _ in public(thing):
            value = getattr(thing, name)
            if callable(value) and (inspect.ismethod(value) or inspect.isfunction(value)) and _is_ours(value):
                found[f"{path}.{name}"] = value
    return tuple((name, value) for name, value in sorted(found.items()) if name not in NOT_CALLED)


_CALLERS = {module.__file__ for module in (arguments, contextlib, functools, torus)}
"""The files of functions that pass calls on."""


class Nothing:
    """An object that knows nothing."""

    def __repr__(self) -> str:
        return "Nothing()"


@cache
def wrong() -> tuple[Any, ...]:
    """Wrong arguments of every kind, and some that are right here and there."""
    x = np.arange(16, dtype=np.float32)
    readonly = x.copy()
    readonly.flags.writeable = False
    numbers = (-1, 0, 1, 3, 1.5, -0.0, 10**30, -(10**30), float("nan"), float("inf"), True, 1j)
    texts = ("", "abc", "f32", "cpu", "r0", "é\0", b"", b"abc", bytearray(b"x"))
    several = ([], [1, 2], ["a"], [[1], [2, 3]], (), (4,), (1, 2, 3), {}, {"a": 1}, {3}, range(3), slice(1, 2))
    things_of_python = (None, Nothing(), Nothing, len, lambda x: x, iter([1]), ..., NotImplemented, np)
    arrays = (x, x[::2], x[::-1], x.reshape(4, 4), readonly, *(x.astype(t) for t in (">f4", object, "f8", "i4", "c8")))
    odd = (np.array(1.5), np.array([]), np.array(["a"]), np.array(["2020-01-01"], "M8[D]"), np.zeros(3, [("a", "f4")]))
    of_numpy = (np.ma.masked_array(x, x > 3), np.float32(1), np.int64(3), np.bool_(True), np.dtype("f4"), np.float32)
    of_ours = (hologram.LaunchConfig.linear(10), *things().values())
    return (*numbers, *texts, *several, *things_of_python, *arrays, *odd, *of_numpy, *of_ours)


def a_call(random: Random) -> tuple[str, Callable[..., Any], list[Any], dict[str, Any]]:
    """A call of one of them with some arguments."""
    name, function = random.choice(callables())
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    count = len(plain)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        count += random.randrange(4)
    needed = sum(p.default is p.empty for p in plain)
    count = random.choice((count, needed, needed, random.randrange(5), count + 1))
    args = [random.choice(wrong()) for _ in range(count)]
    chosen = [p for p in named if p.default is p.empty or random.random() < 0.3]
    kwargs = {p.name: random.choice(wrong()) for p in chosen}
    if random.random() < 0.05:
        kwargs[random.choice(("device", "x", "nothing"))] = random.choice(wrong())
    return name, function, args, kwargs


def outcome(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> BaseException | None:
    """What is wrong with what a call raises; None if it may."""
    try:
        result = function(*args, **kwargs)
        if isinstance(result, types.GeneratorType):
            next(result, None)
        elif result is not None and not isinstance(result, np.ndarray):
            assert len(repr(result)) > 0
    except HologramError:
        return None
    except TypeError as error:
        frames = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        if frames[-1] == a_function.function.__code__.co_filename and len(frames) > 1:
            return None  # The user's own function can't be called so.
        return None if PROTOCOL.search(str(error)) and set(frames[1:]) <= _CALLERS else error
    except Exception as error:
        return error
    return None
