"""Timeouts: whether one is over, since when, and whether it is shorter than a period."""

import math

from velocity_mobility_ros.core.time import to_ns


def short_timeout(name: str, timeout: float, period_name: str, period: float, effect: str) -> str:
    """Return a warning for a timeout shorter than the period of its messages, else empty.

    Args:
        name: Name of the timeout.
        timeout: The timeout [s]; 0: none.
        period_name: Name of the period.
        period: Time between two messages [s].
        effect: The consequence.
    """
    if timeout == 0.0 or timeout >= period:
        return ''
    return (
        f'{name} = {timeout:g} s is below {period_name} = {period:g} s: {effect}; '
        f'set it to {period:g} or more'
    )


def lasting(age: float) -> str:
    """Return for how long something has lasted [s], as text.

    It is rounded up, so that what is longer than a limit is not said to be shorter.
    """
    return f'{math.ceil(round(10.0 * age, 6)) / 10.0:.1f} s'


def is_overdue(command_ns: int, now_ns: int, timeout: float) -> bool:
    """Return whether a command has timed out.

    Args:
        command_ns: Time of its arrival [ns].
        now_ns: Time [ns].
        timeout: Its timeout [s]; 0: none.
    """
    return timeout > 0.0 and now_ns - command_ns > to_ns(timeout)
