"""Every setting that comes from the environment, in one typed place.

| variable | meaning | default |
|---|---|---|
| `HOLOGRAM_CACHE_DIR` | folder of the disk cache, a whole path | the user's cache folder of this system |
| `HOLOGRAM_CACHE_MEGABYTES` | its largest size; 0 turns it off | 256 |
| `HOLOGRAM_DEBUG` | 1 says on standard error what was compiled or found, 2 also the time of each stage | 0 |
| `HOLOGRAM_ISOLATE` | what LLVM compiles in a helper process: `foreign` (.ll, .s, .o), `all`, `never` | foreign |
| `HOLOGRAM_NUM_THREADS` | the threads that one call may use, its own among them | the processors of this process |
| `HOLOGRAM_PLUGINS` | plug-ins to load: files, folders or modules, separated as in `PATH` | none |
| `HOLOGRAM_WEBGPU` | features of webgpu devices: the adapter's (`native`) or those of browsers (`browser`) | native |
| `HOLOGRAM_TRACEBACK` | 1 lets the tools show the traceback of an error | 0 |

The limits of the compiler, `HOLOGRAM_MAX_*`, are in `hologram.errors.limits`: every room checks some of them.

The environment is read at each `current()`, so a change takes effect at the next call.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from hologram.support.digits import whole_number
from hologram.support.record import Record

NAMES = tuple(
    f"HOLOGRAM_{word}"
    for word in "CACHE_DIR CACHE_MEGABYTES DEBUG ISOLATE NUM_THREADS PLUGINS WEBGPU TRACEBACK".split()
)
"""The variables in the table above."""
MOST_THREADS = 1024
"""Of one call."""
MOST = 1 << 40
"""Of settings without a bound of their own."""
ISOLATE = ("foreign", "all", "never")
WEBGPU = ("native", "browser")


class Settings(Record):
    """The values in force; see the table of this module."""

    cache_dir: Path
    cache_megabytes: int = 256
    debug: int = 0
    isolate: str = "foreign"
    num_threads: int | None = None
    """None: as many as there are processors for this process."""
    webgpu: str = "native"

    @property
    def cache_bytes(self) -> int:
        """The bound on the disk cache in bytes."""
        return self.cache_megabytes << 20


def current(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that the environment asks for."""
    return Settings(
        cache_dir=_cache_dir(environment.get("HOLOGRAM_CACHE_DIR")),
        cache_megabytes=_count(environment, "HOLOGRAM_CACHE_MEGABYTES", 256),
        debug=_count(environment, "HOLOGRAM_DEBUG", 0),
        isolate=_choice(environment, "HOLOGRAM_ISOLATE", ISOLATE),
        num_threads=_threads(environment.get("HOLOGRAM_NUM_THREADS")),
        webgpu=_choice(environment, "HOLOGRAM_WEBGPU", WEBGPU),
    )


def misspelt(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for each variable whose name is nearly that of a setting. Others may be those of other programs."""
    from hologram.errors import nearest
    from hologram.errors.limits import DEFAULTS, variable

    known = {name.removeprefix("HOLOGRAM_"): name for name in (*NAMES, *map(variable, DEFAULTS))}
    own = [n for n in environment if n.upper().startswith("HOLOGRAM") and n not in known.values()]
    words = {name: name.upper().removeprefix("HOLOGRAM").lstrip("_") for name in own}
    near = {name: word if word in known else nearest(word, known) for name, word in words.items()}
    return [f"there is no setting {name}: did you mean '{known[word]}'?" for name, word in near.items() if word]


def traceback_wanted(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the tools show tracebacks. It is asked while an error is reported, so it raises none itself."""
    return environment.get("HOLOGRAM_TRACEBACK", "0") not in ("", "0")


def _cache_dir(given: str | None) -> Path:
    if given:
        place = Path(given).expanduser()
        if not place.is_absolute():
            from hologram.errors import UsageError

            message = f"HOLOGRAM_CACHE_DIR is '{given}', expected the whole path of a folder"
            hint = "it holds code that is run, so it must not depend on the folder that a program is started in"
            raise UsageError("setting-folder", message, hint=hint)
        return place
    if sys.platform == "linux" and "ANDROID_DATA" not in os.environ:
        # What platformdirs says there, without importing it; but paths that are not absolute are not valid.
        home = os.environ.get("XDG_CACHE_HOME", "").strip()
        return (Path(home) if os.path.isabs(home) else _home() / ".cache") / "hologram"
    import platformdirs

    return Path(platformdirs.user_cache_dir("hologram", appauthor=False))


def _home() -> Path:
    """The user's folder; where there is none, a path that nothing can be made under."""
    home = os.path.expanduser("~")
    if os.path.isabs(home):
        return Path(home)
    import pwd

    try:
        return Path(os.sep, pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return Path(os.devnull)


def _threads(text: str | None) -> int | None:
    if not text:
        return None
    number = whole_number(text, MOST_THREADS)
    if not number:
        from hologram.errors import UsageError

        message = f"HOLOGRAM_NUM_THREADS is {_shown(text)}, expected a whole number from 1 to {MOST_THREADS}"
        raise UsageError("setting-threads", message, hint="1 runs everything on the calling thread")
    return number


def _choice(environment: Mapping[str, str], name: str, choices: Sequence[str]) -> str:
    """One of some words, the first where nothing is asked for."""
    chosen = environment.get(name) or choices[0]
    if chosen not in choices:
        from hologram.errors import UsageError, did_you_mean

        message = f"{name} is '{chosen}', expected one of {', '.join(choices)}"
        hint = did_you_mean(chosen, choices) or f"unset it for '{choices[0]}'"
        raise UsageError("setting-choice", message, hint=hint)
    return chosen


def _count(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name)
    if not text:
        return default
    number = whole_number(text, MOST)
    if number is None:
        from hologram.errors import UsageError

        message = f"{name} is {_shown(text)}, expected a whole number up to {MOST}"
        raise UsageError("setting-number", message, hint=f"try {name}={default}")
    return number


def _shown(text: str) -> str:
    return f"'{text}'" if len(text) <= 60 else f"'{text[:50]}...' of {len(text)} characters"
