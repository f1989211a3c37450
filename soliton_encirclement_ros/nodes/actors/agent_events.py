"""Events of an agent as log lines: down and up, target lost and found, limits reached."""

import math
from typing import Protocol

from rclpy.impl.rcutils_logger import RcutilsLogger
from velocity_mobility_ros.core.velocity_model import Vector

LONG = 5.0
"""Time [s] at the speed limit after which a line is logged."""

NEARLY = 1.0 - 1e-9
"""Share of a limit from which a speed counts as at the limit."""


class WatchedFailures(Protocol):
    """An agent's state of health."""

    failed: bool
    cause: str


class WatchedAgent(Protocol):
    """The observed properties of an agent."""

    failures: WatchedFailures
    max_speed: float

    def target_age(self, now: float) -> float:
        """Return the age [s] of the target's last state, infinite without one."""

    def hears_target(self, now: float) -> bool:
        """Return whether the target counts as received at a time [s]."""


class AgentEvents:
    """Compares an agent with its state a tick ago; logs only changes."""

    def __init__(self, logger: RcutilsLogger, agent: WatchedAgent) -> None:
        """Begin with an agent that is up and has received nothing."""
        self._logger = logger
        self._agent = agent
        self._down_at: float | None = None
        self._has_target = False
        self._lost_at: float | None = None
        self._is_new = True
        self._fast_since: float | None = None
        self._is_fast_logged = False

    def after_tick(self, now: float, command: Vector) -> None:
        """Check the agent after a tick at a time [s] with its command [m/s]."""
        self._check_failures(now)
        if self._down_at is None:
            self._check_target(now)
            self._check_speed(now, math.hypot(command[0], command[1]))

    def _check_failures(self, now: float) -> None:
        failures = self._agent.failures
        if failures.failed and self._down_at is None:
            self._down_at, self._has_target, self._lost_at = now, False, None
            self._logger.warning(
                f'the agent is down ({failures.cause}): it stops and sends no state'
            )
        elif not failures.failed and self._down_at is not None:
            self._logger.info(f'the agent is up again after {now - self._down_at:.1f} s')
            self._down_at = self._fast_since = None
            self._is_fast_logged = False

    def _check_target(self, now: float) -> None:
        received = self._agent.hears_target(now)
        if received == self._has_target:
            return
        if received and self._is_new:
            self._logger.info('target received for the first time')
        elif received and self._lost_at is not None:
            self._logger.info(f'target received again after {now - self._lost_at:.1f} s')
        elif not received:
            age = self._agent.target_age(now)
            self._lost_at = now - age
            self._logger.warning(f'target lost: last received {age:.2f} s ago')
        self._has_target, self._is_new = received, False

    def _check_speed(self, now: float, speed: float) -> None:
        if speed < NEARLY * self._agent.max_speed:
            if self._is_fast_logged:
                self._logger.info(f'below the speed limit again after {self._fast_for(now):.1f} s')
            self._fast_since, self._is_fast_logged = None, False
        elif self._fast_since is None:
            self._fast_since = now
        elif not self._is_fast_logged and self._fast_for(now) > LONG:
            self._is_fast_logged = True
            limit = f'max_speed_xy = {self._agent.max_speed:g} m/s'
            self._logger.info(f'commands at the speed limit for {LONG:g} s ({limit})')

    def _fast_for(self, now: float) -> float:
        return now - self._fast_since
