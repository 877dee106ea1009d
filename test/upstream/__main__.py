"""Judges all pieces: `make test-upstream ARGS="--show vector"`."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from upstream.canonical import canonical_forms, canonical_verdict
from upstream.pieces import FOLDER, pieces, verdict
from upstream.table import count_canonical, kept, reasons, rows_of, worse, write, written


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", metavar="DIALECT", help="print what is wrong with each of its pieces")
    parser.add_argument("--reasons", metavar="DIALECT", help="print how often its pieces are refused for what")
    parser.add_argument("--canonical", action="store_true", help="show what canonicalize makes of pieces instead")
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
        forms = canonical_forms(pieces())
        known = [p for p in ours if p.id in forms]
        wanted_forms = [forms[p.id] for p in known]
        canonical = list(zip(known, pool.map(canonical_verdict, known, wanted_forms, chunksize=32), strict=True))
    shown = canonical if options.canonical else judged
    for piece, said in shown if options.show else ():
        if said.word not in ("right", "same"):
            sys.stdout.write(f"{piece.id} {'valid' if piece.valid else 'invalid'} {said.word}: {said.why}\n")
    if options.reasons:
        for kind in (True, False):
            for reason, count in reasons(j for j in shown if j[0].valid is kind):
                sys.stdout.write(f"{count:5} {'valid' if kind else 'invalid'} {reason}\n")
    rows = rows_of(judged)
    count_canonical(rows, canonical)
    if not wanted:
        sys.stdout.write(written(rows))
    if options.write:
        write(rows)
        return 0
    before = kept()
    if not forms:
        sys.stdout.write("not run: canonicalisation, for which there is no mlir-opt ('make test-tools' installs it)\n")
        before = {name: replace(row, canonical=0) for name, row in before.items()}
    lost = worse(rows, before)
    sys.stdout.write("".join(f"less than docs/upstream.mdx has: {line}\n" for line in lost))
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
