"""The inverse of the error function, of numbers between -1 and 1: what random numbers of a normal distribution are of
uniform ones.

erf(y) = x is y = x g(w) of w = -log(1 - x^2), where g is a polynomial around the middle of a part: of w where that is
small, else of its root. Of f32 it is within 3 ulp, of f64 within 4.
"""

from __future__ import annotations

from typing import Any

from hologram.frontend.tensors.ops import math
from hologram.frontend.tensors.trace.trace import Traced

Part = tuple[float, float, tuple[float, ...]]
"""The end of a part in w, its middle (in w for the first, in the root of w for the others), and the coefficients."""

PARTS: dict[str, tuple[Part, ...]] = {
    "f32": (
        (5.0, 2.5, (
            1.5014094114303589, 0.24664072692394257, -0.004177707713097334, -0.001253707567229867,
            0.00021860205742996186, -4.39677160102292e-06, -3.52883103005297e-06, 3.437259010752314e-07,
            2.8532815221637975e-08,
        )),
        (float("inf"), 3.2001953125, (
            3.033832550048828, 1.0046916007995605, 0.0059800464659929276, -0.004247606731951237,
            0.002890700241550803, -0.0021553514525294304, 0.0012091229436919093, -0.0001370254612993449,
            -0.0001409875403624028,
        )),
    ),
    "f64": (
        (6.25, 3.125, (
            1.653654562683103, 0.2401581824255895, -0.006033670871430705, -0.0007407025341653041,
            0.00018673420803639026, -1.388252336490278e-05, -1.3654692038818016e-06, 4.2347878041109844e-07,
            -2.9070366798957206e-08, -4.1126351602914094e-09, 1.0512107454070798e-09, -5.4153728051958e-11,
            -1.2974673657949388e-11, 2.633427500605891e-12, -8.160794915140892e-14, -4.0534895825541865e-14,
            6.648594149910506e-15, 2.0104150380328345e-17, -1.341572090332303e-16, 1.1197092274483623e-17,
            1.3222057825514993e-18, -1.6926456601552218e-19, -4.3232841024724195e-21,
        )),
        (16.0, 3.25, (
            3.0838856104922203, 1.0052589676941597, 0.0053709145536025545, -0.0037512085075980424,
            0.002491442095513088, -0.0016882755553149964, 0.0009532893906200699, -0.00035503752818391565,
            2.4031010763787628e-05, 6.828489722963411e-05, -4.731771718288606e-05, 1.2475152573569008e-05,
            2.921901315367072e-06, -4.013580455712975e-06, 1.5054520901046495e-06, 1.7951842151241088e-08,
            -2.7774186417865945e-07, 9.087532935736771e-08, 3.22652941320022e-09,
        )),
        (float("inf"), 5.0498046875, (
            4.9002237301446625, 1.010285083925665, -0.00016974070483042673, -0.00020036767026574315,
            7.125826073732758e-05, -1.8379450533621886e-05, 4.1951032223597416e-06, -9.074068569279844e-07,
            2.0167290299898896e-07, -5.495730721712136e-08, 2.1958652505289173e-08, -1.1250764829236196e-08,
            5.638154897060152e-09, -2.604992835438768e-09, 1.2066408447708793e-09, -4.020888611759132e-10,
            1.0234666350389777e-12, 3.216475614239058e-11,
        )),
    ),
}  # fmt: skip
"""`test/math_expansions/minimax.py` computes them."""


def inverse_erf(x: Traced) -> Any:
    """The number whose error function is x, in f32 or f64."""
    w = math.neg(math.log((1.0 - x) * (1.0 + x)))  # pyright: ignore[reportOperatorIssue]
    root = math.sqrt(w)
    found: Any = None
    for number, (end, middle, coefficients) in reversed([*enumerate(PARTS[x.dtype])]):
        value = polynomial((root if number else w) - middle, coefficients)
        found = value if found is None else math.where(math.less(w, end), value, found)
    return found * x


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """The value of a polynomial, the constant coefficient first."""
    value: Any = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value
