"""Resting point of an excitable cell (FitzHugh-Nagumo) without input."""

FIRST_GUESS = -1.2
MAX_STEPS = 60
MIN_SLOPE = 1e-14
MIN_STEP = 1e-12


def resting_point(a: float, b: float) -> tuple[float, float]:
    """Return V and W at rest, ``V - V^3/3 = W``, ``W = (V + a) / b``, by Newton's method.

    Args:
        a: Offset of the recovery.
        b: Slope of the recovery, above 0.
    """
    v = FIRST_GUESS
    for _ in range(MAX_STEPS):
        slope = 1.0 - v * v - 1.0 / b
        if abs(slope) < MIN_SLOPE:
            break
        step = (v - v * v * v / 3.0 - (v + a) / b) / slope
        v -= step
        if abs(step) < MIN_STEP:
            break
    return v, (v + a) / b
