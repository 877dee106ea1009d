"""Packing for `atlas.gemm`: a block of b as panels of columns, the rows of a tile of a side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.gemm_product import Product
from hologram.lowering.schedules.vectors import Vectors

STEP = 16
"""The rows of b that are packed at once."""


@dataclass(frozen=True)
class BlockOfRight:
    """A block of b: from a column and a step of the sums on."""

    batch: Sequence[Index]
    column: Index
    columns: Index
    start: Index
    count: Index


@dataclass(frozen=True)
class Panels:
    """The packed block: the panel of columns p lies in the rows from p * depth on, one for each step of the sums."""

    buffer: SSAValue
    depth: Index
    width: int
    lanes: int


def pack_right(product: Product, panels: Panels, block: BlockOfRight) -> None:
    """Copies the block, in parallel; the last panel is filled up with zeros."""
    if product.rows_are_dense(1):
        _pack_rows(product, panels, block)
    else:
        _pack_columns(product, panels, block)


def _pack_rows(product: Product, panels: Panels, block: BlockOfRight) -> None:
    """Row by row, as they lie."""
    b, v = product.b, Vectors(product.b, product.wide, panels.lanes)
    source, width = product.values[1], panels.width
    whole = b.mul(b.div(block.columns, width), width)

    def copy(row: Index, column: Index, mask: SSAValue | None) -> SSAValue:
        at = product.place(1, block.batch, b.add(block.start, row), b.add(block.column, column))
        return v.load(source, at, mask)

    with b.parallel([block.count], [STEP], name="k") as (first,):
        with b.loop(first, b.min(b.add(first, STEP), block.count), name="k") as row:
            with b.loop(0, whole, width, name="j", as_it_is=True) as column:
                target = b.add(b.mul(b.div(column, width), panels.depth), row)
                for at in range(0, width, panels.lanes):
                    v.store(copy(row, b.add(column, at), None), panels.buffer, [target, at])
            if block.columns == whole:
                return
            with b.when(b.compare("ult", whole, block.columns)):
                target = b.add(b.mul(b.div(whole, width), panels.depth), row)
                for at in range(0, width, panels.lanes):
                    column = b.add(whole, at)
                    mask = v.mask(b.sub(block.columns, column))
                    v.store(copy(row, column, mask), panels.buffer, [target, at])


def _pack_columns(product: Product, panels: Panels, block: BlockOfRight) -> None:
    """Panel by panel, a few steps of the sums at a time, so that what is written stays in the nearest cache."""
    b, width = product.b, panels.width
    with b.parallel([b.ceildiv(block.columns, width)], name="p") as (panel,):
        column, base = b.mul(panel, width), b.mul(panel, panels.depth)
        present = b.min(b.sub(block.columns, column), width)
        with b.loop(0, block.count, STEP, name="k") as first:
            end = b.min(b.add(first, STEP), block.count)
            with b.loop(0, present, name="j") as j, b.loop(first, end, name="k") as k:
                value = product.element(1, block.batch, b.add(block.start, k), b.add(block.column, b.add(column, j)))
                b.store(value, panels.buffer, [b.add(base, k), j])
            if present != width:
                with b.loop(present, width, name="j") as j, b.loop(first, end, name="k") as k:
                    b.store(b.constant(0, product.wide), panels.buffer, [b.add(base, k), j])


def pack_left(product: Product, rows: int, depth: int, batch: Sequence[Index], row: Index, start: Index, count: Index
) -> SSAValue:  # fmt: skip
    """A small array with the elements of some rows of a for each step of the sums; rows past the last repeat it."""
    b: Builder = product.b
    buffer = b.alloca(product.wide.ir, depth, rows)
    places = clamped(product, rows, row)
    with b.loop(0, count, name="k") as k:
        for number, place in enumerate(places):
            b.store(product.element(0, batch, place, b.add(start, k)), buffer, [k, number])
    return buffer


def clamped(product: Product, rows: int, row: Index) -> list[Index]:
    """The rows of a tile; the last row in place of those past it."""
    b, m = product.b, product.m
    if isinstance(m, int) and m % rows == 0:
        return [b.add(row, n) for n in range(rows)]
    return [row, *(b.min(b.add(row, n), b.sub(m, 1)) for n in range(1, rows))]
