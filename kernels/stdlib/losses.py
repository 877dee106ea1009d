"""What the losses share: their terms, and what a lane adds up of a chunk of them."""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import block_id, exp, lane_id, log, log1p, shared

from .blocks import CHUNK, LANES, chunks, combine_lanes, keep_chunk, sum_of_chunks
from .blocks import FLOATS as T

SQUARE = 0
DISTRIBUTION = 1
PROBABILITY = 2
LOGIT = 3


def loss(out, pred, target, kind):
    """Stores the loss of a kind, by a block of 128 lanes: the mean of its terms, and of `DISTRIBUTION` their sum."""
    part = shared(T.wide, LANES)
    tree = shared(T.wide, 48)
    count = chunks(len(pred))
    for chunk in range(count):
        keep_chunk(part, tree, chunk, lane_sum(pred, target, chunk, kind))
    total = sum_of_chunks(tree, count)
    if lane_id() == 0:
        out[0] = T(total if kind == DISTRIBUTION else total / T.wide(len(pred)))


def loss_of_chunk(sums, pred, target, kind):
    """Stores the sum of the terms of the block's chunk."""
    part = shared(T.wide, LANES)
    chunk = block_id()
    combine_lanes(part, lane_sum(pred, target, chunk, kind))
    if lane_id() == 0:
        sums[chunk] = part[0]


def lane_sum(pred, target, chunk, kind):
    """The sum of the terms of a kind that are the lane's in a chunk."""
    lane = lane_id()
    first = chunk * CHUNK
    count = min(len(pred) - first, CHUNK)
    total = T.wide(-0.0)
    for step in range((count + LANES - 1) >> 7):
        i = step * LANES + lane
        if i < count:
            total += term(T.wide(pred[first + i]), T.wide(target[first + i]), kind)
    return total


def term(pred, target, kind):
    """What one element adds to a loss."""
    if kind == SQUARE:
        return (pred - target) * (pred - target)
    if kind == DISTRIBUTION:
        return -times(target, log(pred))
    if kind == PROBABILITY:
        return -(times(target, log(pred)) + times(1.0 - target, log1p(-pred)))
    return (max(pred, 0.0) - pred * target) + log1p(exp(-abs(pred)))


def times(weight, logarithm):
    """weight * logarithm; a weight of 0 leaves nothing of an infinity."""
    return weight * logarithm if weight != 0.0 else weight
