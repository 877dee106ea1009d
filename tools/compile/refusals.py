"""Kernels in several element types for several targets, of which some targets refuse some types: what they refuse is
left out, and said; the rest is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hologram.driver.artifacts import Request
from hologram.driver.targets import Target
from hologram.tools.compile.jobs import Job, Outcome, run_job


def without_refused(job: Job, failed: Outcome) -> list[Outcome]:
    """The outcomes of a file's kernels by the targets that take them; the failure where none is taken, or another
    fault was found."""
    names = [document.kernel.name for document in job.source.documents()]
    targets = list(dict.fromkeys(want.target for want in job.wanted if want.target is not None))
    groups: dict[tuple[Target, ...], list[str]] = {}
    skipped: list[str] = []
    for name in names:
        taken: list[Target] = []
        for target in targets:
            outcome = _alone(job, target, name)
            if outcome.error and not outcome.is_refused:
                return [outcome]
            if outcome.is_refused:
                reason = outcome.error.partition("error: ")[2].splitlines()[0]
                skipped.append(f"skipped: '{name}' of {job.input.path} for {target.name}: {reason}")
            else:
                taken.append(target)
        if taken:
            groups.setdefault(tuple(taken), []).append(name)
    outcomes = [_group(job, kernels, of, len(of) == len(targets)) for of, kernels in groups.items()]
    if not outcomes:
        return [failed]
    outcomes[0].skipped = skipped
    return outcomes


def _alone(job: Job, target: Target, kernel: str) -> Outcome:
    """The outcome of one kernel for one target."""
    wanted = tuple(want for want in job.wanted if want.target == target)
    return run_job(replace(job, source=replace(job.source, kernels=(kernel,)), wanted=wanted))


def _group(job: Job, kernels: Sequence[str], targets: Sequence[Target], is_whole: bool) -> Outcome:
    """The outcome of the kernels that the same targets take; what only some take is another program, called after
    them."""
    given = job.input
    if not is_whole:
        only = "-".join(target.name.partition("{")[0] for target in targets)
        given = replace(given, program=f"{given.program}.{only}")
    wanted = tuple(want for want in job.wanted if want.target is None or want.target in targets)
    return run_job(replace(job, input=given, source=replace(job.source, kernels=tuple(kernels)), wanted=wanted))


def targets_of(outcome: Outcome, targets: Sequence[Target], form: str) -> list[Target]:
    """The targets that an outcome has a form for."""
    return [target for target in targets if Request(form, target) in outcome.artifacts]
