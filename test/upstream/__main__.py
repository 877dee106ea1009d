"""Judges all pieces: `make test-upstream ARGS="--show vector"`."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor

from upstream.pieces import FOLDER, pieces, verdict
from upstream.table import kept, reasons, rows_of, worse, write, written


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", metavar="DIALECT", help="print what is wrong with each of its pieces")
    parser.add_argument("--reasons", metavar="DIALECT", help="print how often its pieces are refused for what")
    parser.add_argument("--write", action="store_true", help="write the table of docs/upstream.mdx")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not FOLDER.exists():
        sys.stdout.write(f"not run: there is no suite at {FOLDER}\n")
        return 0
    wanted = options.show or options.reasons
    ours = [p for p in pieces() if p.is_ours and wanted in (None, p.group)]
    with ProcessPoolExecutor(options.jobs) as pool:
        judged = list(zip(ours, pool.map(verdict, ours, chunksize=32), strict=True))
    for piece, said in judged if options.show else ():
        if said.word != "right":
            sys.stdout.write(f"{piece.id} {'valid' if piece.valid else 'invalid'} {said.word}: {said.why}\n")
    if options.reasons:
        for kind in (True, False):
            for reason, count in reasons(j for j in judged if j[0].valid is kind):
                sys.stdout.write(f"{count:5} {'valid' if kind else 'invalid'} {reason}\n")
    rows = rows_of(judged)
    if not wanted:
        sys.stdout.write(written(rows))
    if options.write:
        write(rows)
        return 0
    lost = worse(rows, kept())
    sys.stdout.write("".join(f"less than docs/upstream.mdx has: {line}\n" for line in lost))
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
