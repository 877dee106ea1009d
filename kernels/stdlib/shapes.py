"""What the kernels of `shape` share: elements of an axis, and axes in another order."""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import Element, get_global_id

from .blocks import quotient

T = Element("T", "f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool")


def take(x, out, start, step):
    """Store out[o, a, i] = x[o, start + a * step, i]."""
    place = get_global_id()
    if place < out.shape[0] * out.shape[1] * out.shape[2]:
        row = quotient(place, out.shape[2])
        o = quotient(row, out.shape[1])
        a = row - o * out.shape[1]
        i = place - row * out.shape[2]
        out[o, a, i] = x[o, start + a * step, i]


def reorder(x, out, FIRST, SECOND, THIRD, FOURTH):
    """Store the elements of x, of which axis FIRST is axis 0 of out, and so on."""
    place = get_global_id()
    if place < out.shape[0] * out.shape[1] * out.shape[2] * out.shape[3]:
        row = quotient(place, out.shape[3])
        plane = quotient(row, out.shape[2])
        i = quotient(plane, out.shape[1])
        j = plane - i * out.shape[1]
        k = row - plane * out.shape[2]
        m = place - row * out.shape[3]
        a = i if FIRST == 0 else j if SECOND == 0 else k if THIRD == 0 else m
        b = i if FIRST == 1 else j if SECOND == 1 else k if THIRD == 1 else m
        c = i if FIRST == 2 else j if SECOND == 2 else k if THIRD == 2 else m
        d = i if FIRST == 3 else j if SECOND == 3 else k if THIRD == 3 else m
        out[i, j, k, m] = x[a, b, c, d]
