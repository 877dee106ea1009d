"""`make device-conformance`: runs the twelve kernels and the instructions of lanes on the devices that are here, and
writes the columns and the page of `docs/devices`.

    python -P -m devices --kinds cuda,opencl --name h200      writes columns/h200-cuda.json and h200-opencl.json
    python -P -m devices --kinds wasm --types f32,i32 --groups scalar --no-kernels
    python -P -m devices --kinds cuda --name h200 --processes 8
"""

from __future__ import annotations

import argparse
import time

from device_kernels import KERNELS
from devices import page, results
from devices.columns import LOCAL, Column


def main() -> int:
    """Writes the files; 1 if something did not pass."""
    parser = argparse.ArgumentParser(prog="devices")
    parser.add_argument("--kinds", default=",".join(c.kind for c in LOCAL), help="kinds of devices, by commas")
    parser.add_argument("--name", default="", help="of the machine: before the kind in the column's name")
    parser.add_argument("--types", help="only these types, by commas")
    parser.add_argument("--groups", help="only groups whose titles begin so, by commas")
    parser.add_argument("--no-kernels", action="store_true", help="leave the twelve kernels out")
    parser.add_argument("--no-cells", action="store_true", help="leave the instructions out")
    parser.add_argument("--processes", type=int, default=1, help="how many work on a column at a time (default 1)")
    given = parser.parse_args()
    types, groups = ((text.split(",") if text else None) for text in (given.types, given.groups))
    jobs: list[results.Job] = [] if given.no_kernels else [([kernel], []) for kernel in KERNELS]
    jobs += [] if given.no_cells else [([], [job]) for job in results.jobs(types, groups)]
    for kind in given.kinds.split(","):
        column = Column(kind)
        if column.missing:
            print(f"not run: {kind}: {column.missing}")
            continue
        name = f"{given.name}-{kind}" if given.name else kind
        start = time.perf_counter()
        # Kept part by part: a column takes minutes.
        for found, said in results.parts(kind, jobs, given.processes):
            results.write(name, results.merged(results.read(name), found))
            for text in said:
                print(f"{time.perf_counter() - start:7.1f} s  {name}: {text}", flush=True)
    page.PAGE.write_text(page.text(results.columns()), "utf-8")
    return page.report(results.columns())


if __name__ == "__main__":
    raise SystemExit(main())
