"""Normal random numbers by the ziggurat method, one for each key and count.

The area below exp(-x^2 / 2), x >= 0, is covered by layers of equal area: rectangles, below them
one with the tail. A point of a random layer is within the inner part of it in 99 of 100 cases;
then a hash, a product and a comparison are all that a number takes. Otherwise the point is
compared with the curve, and the next one is tried if it is above. Source: Marsaglia, Tsang: The
ziggurat method for generating random variables, J. Stat. Software 5 (2000), in the form of
Doornik: An improved ziggurat method to generate normal random samples (2005), whose layer and
place in it come from different bits.

A sixth of the time of ``random_numbers.normal_pair``, which has no loop and can so be computed for
many vehicles at a time.
"""

import math

import numpy as np

from velocity_mobility_ros.core.random_numbers import hashed, mix, unit_number

LAYERS = 256
TOP = LAYERS - 1
TAIL = 3.6541528853610088
"""Where the tail begins, for so many layers."""

TAIL_AREA = math.sqrt(0.5 * math.pi) * math.erfc(TAIL / math.sqrt(2.0))
AREA = TAIL * math.exp(-0.5 * TAIL * TAIL) + TAIL_AREA
"""Area of a layer."""


def layer_widths() -> list[float]:
    """Return the widths of the layers from below, and 0 for the top."""
    widths = [AREA / math.exp(-0.5 * TAIL * TAIL), TAIL]
    while len(widths) < LAYERS:
        height = math.exp(-0.5 * widths[-1] * widths[-1]) + AREA / widths[-1]
        widths.append(math.sqrt(-2.0 * math.log(height)))
    return [*widths, 0.0]


WIDTHS = np.array(layer_widths())
INNER = WIDTHS[1:] / WIDTHS[:-1]
"""Share of the width of a layer that is below the curve at any height of it."""


def normal_number(key: int, count: int) -> float:
    """Return a number from the standard normal distribution.

    Args:
        key: Well-mixed bits of the stream, see ``hashed``.
        count: Which number of the stream it is.
    """
    bits = hashed(key, count)
    while True:
        layer, place = int(bits & TOP), 2.0 * unit_number(bits) - 1.0
        x = place * float(WIDTHS[layer])
        if abs(place) < INNER[layer]:
            return x
        if layer == 0:
            return math.copysign(_beyond(bits), place)
        bits = mix(bits)
        if _is_below(layer, x, unit_number(bits)):
            return x
        bits = mix(bits)


def _is_below(layer: int, x: float, share: float) -> bool:
    """Return whether a point is below the curve.

    Args:
        layer: Its layer.
        x: Its place.
        share: Its height, as a share of that of the layer.
    """
    low = math.exp(0.5 * (x * x - float(WIDTHS[layer]) ** 2))
    high = math.exp(0.5 * (x * x - float(WIDTHS[layer + 1]) ** 2))
    return low + share * (high - low) < 1.0


def _beyond(bits: int) -> float:
    """Return the size of a number in the tail (Marsaglia 1964)."""
    while True:
        bits = mix(bits)
        x = -math.log(1.0 - unit_number(bits)) / TAIL
        bits = mix(bits)
        if -2.0 * math.log(1.0 - unit_number(bits)) > x * x:
            return TAIL + x
