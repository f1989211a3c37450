"""Reports missing odometry of a member: never received, lost, found again."""

from rclpy.impl.rcutils_logger import RcutilsLogger
from velocity_mobility_ros.core.step_time import lasting, to_seconds
from velocity_mobility_ros.ros_io.conditions import Condition, Level

from soliton_encirclement_ros.nodes.actors.odometry_reader import MeasuredState


class OdometryWatch:
    """Tracks from tick to tick whether there is accepted odometry."""

    def __init__(
        self, logger: RcutilsLogger, topic: str, timeout: float, consequence: str
    ) -> None:
        """Begin without odometry.

        Args:
            logger: Where loss and return are logged.
            topic: Full name of the topic.
            timeout: Age [s] from which an odometry is not accepted.
            consequence: What the member does without.
        """
        self._logger = logger
        self._topic = topic
        self._timeout = timeout
        self._consequence = consequence
        self._last_ns: int | None = None
        self._is_lost = False

    def update(self, now_ns: int, current: MeasuredState | None) -> None:
        """Update with the accepted odometry at a time [ns], None if there is none."""
        if current is None:
            if self._last_ns is not None and not self._is_lost:
                self._is_lost = True
                self._logger.error(f'{self._loss(now_ns)}: {self._consequence} until it is back')
            return
        if self._last_ns is None:
            self._logger.info(f'odometry received on {self._topic}')
        elif self._is_lost:
            away = to_seconds(now_ns - self._last_ns)
            self._logger.info(f'odometry is back on {self._topic} after {away:.1f} s')
        # It is as old as its stamp, or as its arrival if a clock is ahead.
        self._last_ns, self._is_lost = min(current.stamp_ns, current.received_ns), False

    def move(self, step_ns: int) -> None:
        """Keep the time of the last odometry after a step of the clock [ns]."""
        if self._last_ns is not None:
            self._last_ns += step_ns

    def conditions(self, now_ns: int) -> list[Condition]:
        """Return the fault at a time [ns]."""
        if self._last_ns is None:
            reason = f'no odometry received yet on {self._topic}'
            return [Condition(Level.STALE, reason, unheard=self._topic)]
        return [Condition(Level.ERROR, self._loss(now_ns))] if self._is_lost else []

    def _loss(self, now_ns: int) -> str:
        since = lasting(to_seconds(now_ns - self._last_ns))
        limit = f'odom_timeout {self._timeout:g} s'
        return f'odometry lost: none on {self._topic} for {since} ({limit})'
