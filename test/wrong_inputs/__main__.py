"""Shows what cases without an expectation get (`show CLASS [WORD]`), or writes it into their file (`record CLASS`).

With a WORD, `show` runs the cases whose names have it, and `record` writes their expectations anew.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from wrong_inputs.cases import Case, classes, expectation_text, outright, read_cases, read_errors, run_case


def shown(case: Case) -> tuple[str, str]:
    """What a case gets, with whatever no message may be, and the expectation that says it."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = run_case(case, Path(folder))
        said = read_errors(outcome.errors)
        wrong = list(outright(case, Path(folder), outcome, said))
    text = f"=== {case.title}\n$ {case.command}\n[{outcome.code}] {outcome.errors}"
    return text + "".join(f"WRONG: {line}\n" for line in wrong), expectation_text(outcome.code, said, case.leaves)


def record(path: Path, case: Case, expectation: str) -> None:
    """Writes the expectation of a case into its file, in place of one that is there."""
    text = path.read_text(encoding="utf-8")
    start = text.index(f"=== {case.title}\n")
    end = text.find("\n=== ", start) + 1 or len(text)
    body = re.sub(r"^--- expect\n(?:(?!--- ).*\n)*", "", text[start:end], flags=re.MULTILINE).rstrip("\n") + "\n"
    before, follow, after = body.partition("--- follow\n")
    path.write_text(
        text[:start] + before + expectation + follow + after + "\n" * (end < len(text)) + text[end:], encoding="utf-8"
    )


def main(args: Sequence[str]) -> None:
    command, name, *words = args
    path = classes()[name]
    for case in read_cases(path):
        if words and words[0] not in case.title or not words and case.said:
            continue
        text, expectation = shown(case)
        if command == "show":
            sys.stdout.write(text + "\n")
        else:
            record(path, case, expectation)


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "120")
    main(sys.argv[1:])
