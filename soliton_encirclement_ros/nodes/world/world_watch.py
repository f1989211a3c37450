"""What can be wrong with a simulated world: who is missing, its pace, who else publishes."""

import time
from collections.abc import Callable, Iterable, Sequence

from rclpy.node import Node
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.duplicate_nodes import several_publishers
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM

from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.states.fleet_names import Fleet

LOG_PERIOD = 3.0
"""Wall time [s] between two lines about who is waited for."""

SHORTEST_LOOK = 0.5
"""Wall time [s] over which a speed means something."""

SLOW = 0.9
"""Share of the wanted real-time factor below which it is a warning."""


class WorldWatch:
    """Looks at a world once a second."""

    def __init__(
        self,
        node: Node,
        fleet: Fleet,
        members: Sequence[str],
        missing: Callable[[], Sequence[str]],
        expected: int,
    ) -> None:
        """Begin to wait.

        Args:
            node: The world's node.
            fleet: Its fleet.
            members: Names of the bodies.
            missing: Returns who has not appeared yet, nobody once the run has begun.
            expected: How many have to appear.
        """
        self._node = node
        self._topics = {
            fleet.member_topic(name, topic): level
            for name in members
            for topic, level in ((ODOM, Level.ERROR), (CMD_VEL, Level.WARN))
        }
        self._missing = missing
        self._expected = expected
        self._began = self._told = time.monotonic()
        self._looked: tuple[float, float] | None = None

    @property
    def waiting_for(self) -> str:
        """Who has not appeared yet, in words; empty if nobody is waited for."""
        missing = self._missing()
        there = f'{self._expected - len(missing)} of {self._expected} there'
        return f'{named(missing)} ({there})' if missing else ''

    def conditions(self) -> list[Condition]:
        """Return everything that is wrong."""
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
        """Say that the run begins, and without whom."""
        waited = time.monotonic() - self._began
        who = f'without {named(missing)}' if missing else f'all {self._expected} are there'
        self._node.get_logger().info(f'the run begins: {who} after {waited:.1f} s')

    def too_slow(self, simulated: float, wanted: float) -> list[Condition]:
        """Return what is wrong with the speed since the last look.

        Args:
            simulated: Time of the run [s].
            wanted: Simulated seconds per second that are asked for.
        """
        now, before = time.monotonic(), self._looked
        if before is not None and now - before[0] < SHORTEST_LOOK:
            return []
        self._looked = (now, simulated)
        if before is None:
            return []
        factor = (simulated - before[1]) / (now - before[0])
        if factor >= SLOW * wanted:
            return []
        reason = f'real-time factor {factor:.2f}, wanted {wanted:g}: the machine is too slow'
        return [Condition(Level.WARN, reason, 'real-time factor')]

    def _log_progress(self, waiting_for: str) -> None:
        now = time.monotonic()
        if now - self._told >= LOG_PERIOD:
            self._told = now
            self._node.get_logger().info(f'waiting for {waiting_for}')


def left_behind(absent: Sequence[str], slow: Sequence[str]) -> list[Condition]:
    """Return what is wrong with a lockstep run that goes on without some.

    Args:
        absent: Members that do not answer.
        slow: Observers that do not follow.
    """
    found = []
    if absent:
        reason = f'no answer from {named(absent)}: the run goes on without'
        found.append(Condition(Level.WARN, reason))
    if slow:
        reason = f'{named(slow)} too slow: the run does not wait any more'
        found.append(Condition(Level.WARN, reason))
    return found


def members_of(parts: Iterable[str]) -> list[str]:
    """Return the members whose contributions these are: ``uav_1`` for ``uav_1 state``."""
    return sorted({part.partition(' ')[0] for part in parts})
