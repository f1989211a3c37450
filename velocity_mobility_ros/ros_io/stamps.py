"""Stamps of messages, and whole nanoseconds."""

from builtin_interfaces.msg import Time


def time_to_ns(stamp: Time) -> int:
    """Return a stamp in nanoseconds."""
    return stamp.sec * 1_000_000_000 + stamp.nanosec


def ns_to_time(time_ns: int) -> Time:
    """Return nanoseconds as a stamp."""
    sec, nanosec = divmod(time_ns, 1_000_000_000)
    return Time(sec=sec, nanosec=nanosec)
