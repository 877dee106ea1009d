"""A worker of hologram-compile: jobs on standard input, their outcomes on standard output."""

from __future__ import annotations

import os
import pickle
import sys
from typing import cast

from hologram.tools.compile_jobs import Job, run_job


def main() -> None:
    """Does jobs until there are no more."""
    # What others print must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            job = cast("Job", pickle.load(sys.stdin.buffer))
        except EOFError:
            return
        outcome = run_job(job)
        try:
            pickle.dump(outcome, answers)
            answers.flush()
        except BrokenPipeError:  # Whoever asked is gone.
            os._exit(1)


if __name__ == "__main__":
    main()
