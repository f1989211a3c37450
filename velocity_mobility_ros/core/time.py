"""Time is a step count: ``t_k = t_0 + k dt``, never a running sum."""

LARGEST_RATIO = 1e9


def step_ns(step: int, period: float, start_ns: int = 0) -> int:
    """Return the time of a step [ns], rounded to a whole nanosecond.

    Args:
        step: Step count.
        period: Step length [s].
        start_ns: Time of step 0 [ns].
    """
    return start_ns + round(step * period * 1e9)


def to_seconds(time_ns: int) -> float:
    """Return a time or a duration in seconds."""
    return time_ns / 1e9


def to_ns(seconds: float) -> int:
    """Return a duration in whole nanoseconds."""
    return round(seconds * 1e9)


def whole_ratio(period: float, part: float) -> int | None:
    """Return ``period / part`` if it is an integer, else None."""
    exact = period / part
    ratio = round(exact) if exact < LARGEST_RATIO else 0
    if ratio >= 1 and abs(ratio * part - period) <= 1e-9 * period:
        return ratio
    return None
