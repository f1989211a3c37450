"""Reports agents that were received before and are not any more."""

from collections.abc import Iterable

from rclpy.impl.rcutils_logger import RcutilsLogger
from velocity_mobility_ros.ros_io.conditions import Condition, Level

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.run.swarm_health import NEIGHBOURS_LOST
from soliton_encirclement_ros.core.states.swarm_topics import uav

FORGOTTEN_AFTER = 60.0
"""Time [s] after which a lost agent is no longer reported."""

LOG_PERIOD = 5.0
"""Shortest time [s] between two lines."""


class NeighbourWatch:
    """Compares the received agents from check to check."""

    def __init__(self, logger: RcutilsLogger) -> None:
        """Begin without neighbours."""
        self._logger = logger
        self._received_at: dict[int, float] = {}
        self._logged: set[int] = set()
        self._logged_at = -LOG_PERIOD

    def update(self, now: float, wall: float, alive: Iterable[int]) -> None:
        """Update with the received agents.

        Args:
            now: Time of the agent [s].
            wall: Wall time [s], for the rate of the log.
            alive: Numbers of the agents received.
        """
        self._received_at.update(dict.fromkeys(alive, now))
        for k in [k for k, at in self._received_at.items() if now - at > FORGOTTEN_AFTER]:
            del self._received_at[k]
        if wall - self._logged_at >= LOG_PERIOD:
            self._log(now, wall)

    def forget(self) -> None:
        """Reset, for an agent that received nothing while it was down."""
        self._received_at, self._logged = {}, set()

    def lost(self, now: float) -> dict[int, float]:
        """Return the agents lost at a time [s], and for how long [s]."""
        return {k: now - at for k, at in sorted(self._received_at.items()) if at < now}

    def conditions(self, now: float) -> list[Condition]:
        """Return the faults at a time [s]."""
        lost = self.lost(now)
        if not lost:
            return []
        names = named([f'{uav(k)} (for {since:.0f} s)' for k, since in lost.items()])
        return [Condition(Level.WARN, f'{NEIGHBOURS_LOST}: {names}')]

    def _log(self, now: float, wall: float) -> None:
        lost = set(self.lost(now))
        gone, back = (
            sorted(lost - self._logged),
            sorted((self._logged - lost) & set(self._received_at)),
        )
        if gone:
            self._logger.warning(f'neighbours lost: {named([uav(k) for k in gone])}')
        if back:
            self._logger.info(f'neighbours received again: {named([uav(k) for k in back])}')
        if gone or back:
            self._logged_at = wall
        self._logged = lost
