"""`make conformance`: runs what was declared anew or did not pass (ARGS=--all: everything), writes the table, its page
and the golden vectors, which are run on the CPU."""

from __future__ import annotations

import sys
import time

from conformance import page, table, vectors
from conformance.batch import on_cpu
from machine_form import array_vectors


def main() -> int:
    """Writes the files; 1 if a cell did not pass."""
    kept = table.read()
    names = table.declared() if "--all" in sys.argv[1:] else [*table.stale(kept), *table.failed(kept)]
    start = time.process_time()
    found = table.run(names, lambda text: print(f"{time.process_time() - start:6.1f} s  {text}", flush=True))
    rows = {name: row for name, row in (kept | found).items() if name in table.declared()}
    rows = {name: rows[name] for name in table.declared()}
    table.DATA.write_text(table.written(rows), "utf-8")
    page.PAGE.write_text(page.text(rows), "utf-8")
    titles = table.GROUPS if "--all" in sys.argv[1:] else vectors.stale()
    for title in titles:
        vectors.write(title)
        for program in vectors.read(title)["programs"]:
            vectors.check(program, on_cpu(program["assembly"]))
    array_vectors.write()
    differences = [d for row in array_vectors.read() if (d := array_vectors.difference(row, array_vectors.compiled))]
    print("".join(f"{d}\n" for d in differences), end="")
    failed = table.failed(rows)
    print(f"{len(found)} instructions run, {len(failed)} have outcomes that are not 'pass'")
    return 1 if failed or differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
