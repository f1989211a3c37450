"""Timeouts: whether one is over, and whether one is too short for the period of its messages."""

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


def is_overdue(command_ns: int, now_ns: int, timeout: float) -> bool:
    """Return whether a command has timed out.

    Args:
        command_ns: Time of its arrival [ns].
        now_ns: Time [ns].
        timeout: Its timeout [s]; 0: none.
    """
    return timeout > 0.0 and now_ns - command_ns > to_ns(timeout)
