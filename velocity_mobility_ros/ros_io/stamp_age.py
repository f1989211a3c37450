"""Check of a stamp against the clock."""

from velocity_mobility_ros.core.time import to_ns
from velocity_mobility_ros.ros_io.messages import MalformedMessageError

CLOCKS = 'are the clocks of all computers synchronised, and is use_sim_time the same everywhere?'

LATE = 'it came late (a busy machine or network), or the clocks of the computers differ'

LATE_BY_NS = 1_000_000_000
"""Age [ns] beyond the limit that a message may well have, which waited while a node started."""


class StampError(MalformedMessageError):
    """A stamp differs too much from the clock, or is out of order."""


def check_stamp(stamp_ns: int, now_ns: int, limit: float, name: str) -> None:
    """Refuse a stamp that differs too much from the clock.

    Args:
        stamp_ns: Stamp of the message [ns].
        now_ns: The node's time [ns].
        limit: Largest difference of the two [s].
        name: Parameter with the limit.

    Raises:
        StampError: The stamp is too old, too far in the future, or was never set.
    """
    age_ns = now_ns - stamp_ns
    if abs(age_ns) <= to_ns(limit):
        return
    if stamp_ns == 0:
        raise StampError(f'stamp is 0, so it was never set; limit {name} = {limit:g} s')
    when = f'{age_ns / 1e9:.3f} s old' if age_ns > 0 else f'{-age_ns / 1e9:.3f} s in the future'
    why = LATE if 0 < age_ns <= to_ns(limit) + LATE_BY_NS else CLOCKS
    raise StampError(f'stamp is {when}, limit {name} = {limit:g} s; {why}')
