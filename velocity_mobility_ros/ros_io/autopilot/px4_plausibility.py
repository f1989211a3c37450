"""Whether the first messages of a PX4 make sense with the installed definitions."""

from typing import Any

from velocity_mobility_ros.autopilot.px4.plausibility import (
    mismatch,
    odometry_faults,
    position_faults,
    status_faults,
)

CHECKS = {
    'vehicle_status': status_faults,
    'vehicle_odometry': odometry_faults,
    'vehicle_local_position': position_faults,
}

LOOKED_AT = 10
"""Messages of a topic that are looked at."""


class FirstMessages:
    """Looks at the first messages of each topic.

    Attributes:
        trouble: What makes no sense; empty: nothing. It stays until the node is restarted.
    """

    def __init__(self) -> None:
        """Look at nothing yet."""
        self.trouble = ''
        self._left = dict.fromkeys(CHECKS, LOOKED_AT)

    def look(self, topic: str, message: Any) -> None:
        """Look at a message of a topic."""
        if not self._left.get(topic, 0) or self.trouble:
            return
        self._left[topic] -= 1
        self.trouble = mismatch([*CHECKS[topic](message)])
