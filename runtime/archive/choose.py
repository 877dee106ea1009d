"""Chooses the code of a program that a device can run, and says why it can't run the others."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from string import ascii_lowercase

from hologram.runtime.archive.records import CodeRecord, Host
from hologram.support.digits import whole_number

Rule = Callable[[str, str], bool]
"""Whether code made with the first value of an option runs where a device has the second."""
MOST = 1 << 62
"""The largest number that an option or an architecture has."""


def _cuda(target: str) -> tuple[int, str] | None:
    """The number and the letters of an architecture of NVIDIA's (`sm_90a`); None of other targets."""
    number = target.removeprefix("sm_").rstrip(ascii_lowercase)
    version = whole_number(number, MOST) if target.startswith("sm_") else None
    return None if version is None else (version, target[len("sm_") + len(number) :])


def kind_of(target: str) -> str:
    """The kind of devices that a target is of: `sm_90` is one of `cuda`."""
    return target if _cuda(target) is None else "cuda"


def _defaults(kind: str) -> Mapping[str, str]:
    """Return the options of a kind of devices, and what they are unless they are given."""
    from hologram.lowering.pipelines.device_targets import TARGETS

    return TARGETS[kind].options if kind in TARGETS else {}


def options_of(code: CodeRecord) -> dict[str, str]:
    """The options that code was made with, those with their default too."""
    kind = kind_of(code.target)
    arch = {"arch": code.target} if kind != code.target else {}
    return {**_defaults(kind), **arch, **code.options}


def _at_most(needed: str, there: str) -> bool:
    least, most = whole_number(needed, MOST), whole_number(there, MOST)
    return least is not None and most is not None and least <= most


def _unless_asked(needed: str, there: str) -> bool:
    """Return True too of code that does not count on it: that runs anywhere."""
    return needed in ("false", "none") or needed == there


def _architecture(needed: str, there: str) -> bool:
    """PTX of an architecture runs on later ones, but for what is of one alone (`sm_90a`)."""
    ours, theirs = _cuda(needed), _cuda(there)
    if ours is None or theirs is None or ours[1]:
        return needed == there
    return ours[0] <= theirs[0]


_RULES: dict[str, Rule] = {
    "arch": _architecture,
    "bindings": _at_most,
    "features": lambda needed, there: set(filter(None, needed.split(","))) <= set(there.split(",")),
    "float-controls": _unless_asked,
    "fma": _unless_asked,
    "limb": _at_most,
    "shared": _at_most,
    "texels": _unless_asked,
    **dict.fromkeys(("block", "chains", "lookups", "native-fma", "schedule", "tables"), lambda needed, there: True),
}
"""By option; of those that are not here both must have one value."""


def why_not_host(host: Host, here: Host) -> str:
    """Return why code for the processor `host` can't run on `here`; empty if it can."""
    if host.triple != here.triple:
        return f"it is for {host.triple}, and this is {here.triple}"
    missing = sorted(set(host.features) - set(here.features))
    more = f" and {len(missing) - 3} others" if len(missing) > 3 else ""
    return f"this processor has not {', '.join(missing[:3])}{more}" if missing else ""


def why_not_device(code: CodeRecord, options: Mapping[str, str]) -> str:
    """Return why code can't run on a device with these options of its pipeline; empty if it can."""
    there = {**_defaults(kind_of(code.target)), **options}
    for name, needed in sorted(options_of(code).items()):
        if name not in there or not _RULES.get(name, operator.eq)(needed, there[name]):
            return f"it is made for {name} '{needed}', and the device has '{there.get(name, 'none')}'"
    return ""


def choose(
    codes: Sequence[CodeRecord], kind: str, options: Mapping[str, str], here: Host, shared: bool
) -> tuple[int | None, list[str]]:
    """The number of the code that a device of a kind runs best, and why not the others of its kind.

    `options` are those of the device's pipeline; `shared` says whether shared objects can be loaded here.
    """
    reasons: list[str] = []
    fitting: list[tuple[int, int, bool, int]] = []
    for number, code in enumerate(codes):
        if kind_of(code.target) != kind or code.host is None or (code.format == "shared" and not shared):
            continue
        reason = why_not_host(code.host, here) or (why_not_device(code, options) if kind != "cpu" else "")
        if reason:
            reasons.append(f"{code.target}: {reason}")
        else:
            arch, _ = _cuda(code.target) or (0, "")
            fitting.append((arch, len(code.host.features), code.format == "shared", number))
    return (max(fitting)[-1] if fitting else None), reasons


__all__ = ["choose", "kind_of", "options_of", "why_not_device", "why_not_host"]
