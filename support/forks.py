"""Locks that a forked child can take, and what else a fork must find at rest. Imports nothing of ours.

A child has the thread that forked, and no other. What the others held would stay locked for ever: locks of ours are
free there, imports and calls of LLVM are waited for before the fork.
"""

from __future__ import annotations

import _thread
import contextlib
import functools
import importlib._bootstrap as bootstrap
import os
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 10.0
"""Seconds that a fork waits for the imports of other threads. A thread that waits for the fork would wait for ever."""
_locks: weakref.WeakSet[Any] = weakref.WeakSet()
_held: list[Any] = []
"""The lock of LLVM, while a fork is under way."""


def lock() -> _thread.LockType:
    """A lock that is free in a forked child."""
    return _known(_thread.allocate_lock())


def rlock() -> Any:
    """A lock that its thread may take again, and that is free in a child that another thread forked."""
    return _known(_thread.RLock())


class once(Generic[P, R]):  # noqa: N801 - a decorator
    """As functools.cache for what there is to be one of in a process: threads that ask at the same time for the first
    time wait for one of them, and all get the same. `functools.cache` has each make its own, and keeps the last."""

    def __init__(self, make: Callable[P, R]) -> None:
        self._make = make
        self._made: dict[Any, R] = {}
        self._guard = rlock()
        functools.update_wrapper(self, make)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (args, *kwargs.items())
        if key not in self._made:
            with self._guard:
                if key not in self._made:
                    self._made[key] = self._make(*args, **kwargs)
        return self._made[key]

    def cache_clear(self) -> None:
        """Forgets what was made: the next call makes anew."""
        self._made.clear()


def after_in_child(function: Callable[[], object]) -> None:
    """Has a function called in each forked child."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def _known(made: Any) -> Any:
    _locks.add(made)
    return made


def _before() -> None:
    end = time.monotonic() + PATIENCE
    while _imports() and time.monotonic() < end:
        time.sleep(0.001)
    # llvmlite has one lock for all that it calls.
    binding = sys.modules.get("llvmlite.binding.ffi")
    taken = getattr(getattr(binding, "lib", None), "_lock", None)
    if taken is not None:
        taken.__enter__()
        _held.append(taken)


def _release() -> None:
    if _held:
        _held.pop().__exit__(None, None, None)


def _after_in_child() -> None:
    with contextlib.suppress(RuntimeError):
        _release()
    for lock in [*_locks]:
        if not (hasattr(lock, "_is_owned") and lock._is_owned()):
            lock._at_fork_reinit()
    for found in _properties():
        found.lock._at_fork_reinit()
    # Imports that the wait did not outlast: the child begins them anew.
    for name in _imports():
        getattr(bootstrap, "_module_locks", {}).pop(name, None)
        sys.modules.pop(name, None)


def _properties() -> Iterator[Any]:
    """The cached properties of our classes and those of xDSL that have a lock, as before Python 3.12."""
    if sys.version_info >= (3, 12):
        return
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] in ("hologram", "xdsl"):
            classes = [c for c in [*vars(module).values()] if isinstance(c, type)]
            yield from (p for c in classes for p in [*vars(c).values()] if isinstance(p, cached_property))


def _imports() -> list[str]:
    """The modules that other threads are importing."""
    here = _thread.get_ident()
    locks: dict[str, Callable[[], Any]] = getattr(bootstrap, "_module_locks", {})
    found: list[str] = []
    for name, known in [*locks.items()]:
        owner = getattr(known(), "owner", None)
        if owner not in (None, here) and not (isinstance(owner, tuple) and here in owner):
            found.append(name)
    return found


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_release, after_in_child=_after_in_child)
