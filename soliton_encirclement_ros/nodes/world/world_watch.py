"""Faults of a simulated world: missing members, its pace, duplicate publishers."""

import time
from collections.abc import Callable, Iterable, Sequence

from rclpy.node import Node
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.graph_faults import several_publishers
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

LOG_PERIOD = 3.0
"""Wall time [s] between two lines about missing members."""

MIN_WINDOW = 0.5
"""Wall time [s] over which the speed is measured."""

SLOW = 0.9
"""Share of the requested real-time factor below which a warning is given."""


class WorldWatch:
    """Checks a world once a second."""

    def __init__(
        self,
        node: Node,
        fleet: Fleet,
        members: Sequence[str],
        missing: Callable[[], Sequence[str]],
        expected: int,
    ) -> None:
        """Start waiting.

        Args:
            node: The world's node.
            fleet: Its fleet.
            members: Names of the bodies.
            missing: Returns the members that have not appeared yet, none once the run has begun.
            expected: How many members have to appear.
        """
        self._node = node
        self._topics = {
            fleet.member_topic(name, topic): level
            for name in members
            for topic, level in ((ODOM, Level.ERROR), (CMD_VEL, Level.WARN))
        }
        self._missing = missing
        self._expected = expected
        self._began = self._logged = time.monotonic()
        self._checked: tuple[float, float] | None = None

    @property
    def waiting_for(self) -> str:
        """The members that have not appeared yet, as text; empty if none."""
        missing = self._missing()
        there = f'{self._expected - len(missing)} of {self._expected} there'
        return f'{named(missing)} ({there})' if missing else ''

    def conditions(self) -> list[Condition]:
        """Return all faults."""
        found = [
            condition
            for topic, level in self._topics.items()
            for condition in several_publishers(self._node, topic, level)
        ]
        waiting_for = self.waiting_for
        if waiting_for:
            self._log_progress(waiting_for)
            found.append(Condition(Level.WARN, f'waiting for {waiting_for}'))
        return found

    def begin(self, missing: Sequence[str]) -> None:
        """Log that the run begins, and which members are missing."""
        waited = time.monotonic() - self._began
        who = f'without {named(missing)}' if missing else f'all {self._expected} are there'
        self._node.get_logger().info(f'the run begins: {who} after {waited:.1f} s')

    def too_slow(self, simulated: float, wanted: float) -> list[Condition]:
        """Return the fault of the speed since the last check, if any.

        Args:
            simulated: Time of the run [s].
            wanted: Requested simulated seconds per second.
        """
        now, before = time.monotonic(), self._checked
        if before is not None and now - before[0] < MIN_WINDOW:
            return []
        self._checked = (now, simulated)
        if before is None:
            return []
        factor = (simulated - before[1]) / (now - before[0])
        if factor >= SLOW * wanted:
            return []
        reason = f'real-time factor {factor:.2f} instead of {wanted:g}: the machine is too slow'
        return [Condition(Level.WARN, reason, 'real-time factor')]

    def forget_speed(self) -> None:
        """Measure the speed anew: the run is paused, or its pace is another one."""
        self._checked = None

    def _log_progress(self, waiting_for: str) -> None:
        now = time.monotonic()
        if now - self._logged >= LOG_PERIOD:
            self._logged = now
            self._node.get_logger().info(f'waiting for {waiting_for}')


def left_behind(absent: Sequence[str], slow: Sequence[str]) -> list[Condition]:
    """Return the fault of a lockstep run that continues without some nodes, if any.

    Args:
        absent: Members that do not answer.
        slow: Observers that have timed out.
    """
    found = []
    if absent:
        reason = f'no answer from {named(absent)}: the run continues without them'
        found.append(Condition(Level.WARN, reason))
    if slow:
        reason = f'{named(slow)} too slow: the run continues without waiting for them'
        found.append(Condition(Level.WARN, reason))
    return found


def members_of(parts: Iterable[str]) -> list[str]:
    """Return the members whose contributions these are: ``uav_1`` for ``uav_1 state``."""
    return sorted({part.partition(' ')[0] for part in parts})
