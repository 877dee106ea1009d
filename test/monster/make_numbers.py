"""Makes `api/monster_numbers.json` from GAP's character table library: the degrees of the 194 irreducible
characters of the Monster and the orders of the centralisers of its 194 conjugacy classes.

    apt-get download gap-character-tables && dpkg -x gap-character-tables_*.deb build/ctbl
    .venv/bin/python test/monster/make_numbers.py build/ctbl/usr/share/gap/pkg/CtblLib/data/ctomonst.tbl.gz

The numbers in the repository are those of CTblLib 1.3.4 (Debian's gap-character-tables 1.3.4-1). GAP itself is not
needed. The file holds calls `MOT("M", text, centralisers, power maps, irreducibles, automorphisms, ...)`. Of these
arguments the third is the list of the centralisers' orders, and the fifth holds a row for each irreducible character,
which is one of

- the list of its values, of which the first, at the identity, is its degree;
- `[GALOIS,[i,k]]`, a Galois conjugate of character i, of the same degree, as degrees are rational;
- `[TENSOR,[i,j]]`, the product of the characters i and j, so the degree is the product of theirs.

What is written has passed `checked`: the sums that tie these numbers to the group's order.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

NUMBERS = Path(__file__).resolve().parents[2] / "api" / "monster_numbers.json"
COUNT = 194


def arguments(text: str, name: str) -> list[str]:
    """The texts of the arguments of `MOT("name", ...)`, the name left out."""
    start = text.index(f'MOT("{name}",') + len(f'MOT("{name}",')
    return list(parts(text, start))


def parts(text: str, at: int) -> Iterator[str]:
    """The texts between commas from a position to the bracket that closes what it is in; brackets and strings nest."""
    depth, begin, quoted = 0, at, False
    while True:
        mark = text[at]
        if mark == '"':
            quoted = not quoted
        elif not quoted and mark in "([":
            depth += 1
        elif not quoted and mark in ")],":
            if depth == 0 and text[begin:at].strip() or depth == 0 and mark == ",":
                yield text[begin:at].strip()
            if depth == 0 and mark != ",":
                return
            begin = at + 1 if depth == 0 else begin
            depth -= mark != ","
        at += 1


def elements(text: str) -> list[str]:
    """The texts of the elements of a list."""
    return list(parts(text, text.index("[") + 1))


def degrees_of(rows: list[str]) -> list[int]:
    """The degree of each irreducible character."""
    found: dict[int, int] = {}

    def degree(number: int) -> int:
        if number not in found:
            row = rows[number - 1]
            if reference := re.match(r"\[\s*(GALOIS|TENSOR)\s*,\s*\[\s*(\d+)\s*,\s*(\d+)\s*\]", row):
                kind, first, second = reference[1], int(reference[2]), int(reference[3])
                found[number] = degree(first) * (degree(second) if kind == "TENSOR" else 1)
            else:
                found[number] = int(elements(row)[0])
        return found[number]

    return [degree(number) for number in range(1, len(rows) + 1)]


def checked(degrees: list[int], centralisers: list[int]) -> dict[str, list[int]]:
    """The numbers, if they are what they should be."""
    order = centralisers[0]
    if len(degrees) != COUNT or len(centralisers) != COUNT:
        raise SystemExit(f"found {len(degrees)} degrees and {len(centralisers)} centralisers, not {COUNT} each")
    if sum(d * d for d in degrees) != order:
        raise SystemExit("the squares of the degrees do not add up to the order of the group")
    if any(order % c for c in centralisers) or sum(order // c for c in centralisers) != order:
        raise SystemExit("the sizes of the classes do not add up to the order of the group")
    if degrees[:2] != [1, 196_883]:
        raise SystemExit(f"the first degrees are {degrees[:2]}")
    return {"degrees": degrees, "centralisers": centralisers}


def main() -> None:
    path = Path(sys.argv[1])
    opened = gzip.open(path, "rt", encoding="latin-1") if path.suffix == ".gz" else path.open(encoding="latin-1")
    with opened as file:
        given = arguments(file.read(), "M")
    numbers = checked(degrees_of(elements(given[3])), [int(n) for n in elements(given[1])])
    NUMBERS.write_text(json.dumps(numbers, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
