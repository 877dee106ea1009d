"""Records do what frozen data classes do."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import pytest

from hologram.support.record import Record


class Point(Record):
    x: int
    y: int = 0

    @cached_property
    def sum(self) -> int:
        return self.x + self.y


class Named(Point):
    name: str = "here"


def test_fields_and_defaults():
    point = Point(3)
    assert (point.x, point.y, point.sum) == (3, 0, 3)
    assert Point(y=4, x=1).as_dict() == {"x": 1, "y": 4}
    assert Named(1, 2, "there").as_dict() == {"x": 1, "y": 2, "name": "there"}
    assert repr(Named(1)) == "Named(x=1, y=0, name='here')"


def test_equality_and_hashes():
    assert Point(1, 2) == Point(x=1, y=2)
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert len({Point(1, 2), Point(1, 2), Point(2, 1)}) == 2


def test_patterns():
    match Point(1, 2):
        case Point(1, y):
            assert y == 2
        case _:
            raise AssertionError


def test_they_do_not_change():
    point = Point(1, 2)
    assert point.changed(y=3) == Point(1, 3)
    with pytest.raises(AttributeError, match="can't be changed"):
        point.x = 2  # pyright: ignore[reportAttributeAccessIssue]
    assert point == Point(1, 2)


@pytest.mark.parametrize("wrong", [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"z": 1}), ((), {"y": 1})])
def test_wrong_fields(wrong: tuple[tuple[Any, ...], dict[str, Any]]):
    values, named = wrong
    with pytest.raises(TypeError, match="has the fields"):
        Point(*values, **named)
