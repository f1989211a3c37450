"""The offboard signal, and the estimates that its flag needs."""

from typing import Any, NamedTuple

FLAGS = 'position', 'velocity', 'acceleration', 'attitude', 'body_rate'
OTHER_FLAGS = 'actuator', 'thrust_and_torque', 'direct_actuator'


class Heartbeat(NamedTuple):
    """The last OffboardControlMode: boot time [us] and the flags that are set."""

    stamp: int
    flags: frozenset[str]

    @property
    def controls_position(self) -> bool:
        """Whether PX4's position controller runs."""
        return bool(self.flags & {'position', 'velocity', 'acceleration'})


NEVER = Heartbeat(-1_000_000_000, frozenset())


def read(message: Any, stamp: int) -> Heartbeat:
    """Return the signal of a message."""
    names = FLAGS + OTHER_FLAGS
    return Heartbeat(stamp, frozenset(name for name in names if getattr(message, name, False)))


def is_fresh(heartbeat: Heartbeat, now: int, limit: float) -> bool:
    """Return whether the signal is there: by the stamp, not by the arrival."""
    return bool(heartbeat.flags) and now < heartbeat.stamp + round(1e6 * limit)


def has_estimates(heartbeat: Heartbeat, local_position: bool, attitude: bool) -> bool:
    """Return whether the estimates that the flags need are valid."""
    needs = heartbeat.flags & {'position', 'velocity'}
    return attitude and (local_position or not needs)
