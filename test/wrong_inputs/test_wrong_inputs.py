"""Runs the corpus of wrong inputs, and counts it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from wrong_inputs.cases import Case, classes, faults, read_cases, skeleton

CASES = [case for path in classes().values() for case in read_cases(path)]
LEAST = 600
LEAST_OF_CLASS = 20


def _id(case: Case) -> str:
    return f"{case.group}/{re.sub('[^A-Za-z0-9]+', '-', case.title).strip('-')}"


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_wrong_input(case: Case, tmp_path: Path):
    assert case.said, "the case expects nothing: `-m wrong_inputs record` writes what comes"
    found = list(faults(case, tmp_path))
    assert not found, "\n".join([f"$ {case.command}", *found])


def test_there_are_many():
    assert len(CASES) >= LEAST
    assert not {group: count for group, count in Counter(c.group for c in CASES).items() if count < LEAST_OF_CLASS}


def test_none_differ_by_a_name_alone():
    by_skeleton: dict[str, list[str]] = {}
    for case in CASES:
        by_skeleton.setdefault(skeleton(case), []).append(_id(case))
    assert not [names for names in by_skeleton.values() if len(names) > 1]


def test_names_of_cases_are_unique():
    assert not [name for name, count in Counter(map(_id, CASES)).items() if count > 1]
