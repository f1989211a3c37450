"""The health of the swarm as a status of the monitor, once a second, by what members tell.

They also tell whether they keep their control period.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.flight_statistics.near_misses import THRESHOLDS
from soliton_encirclement_ros.core.run.observer import NEAR, Observer
from soliton_encirclement_ros.core.run.swarm_health import (
    ALARM_PERIOD, DEGRADED, EVERYBODY, FAILED, HEALTH, OK, RingWatch, SwarmCondition, SwarmHealth,
    swarm_health
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, DIAGNOSTICS, MISSED_TICKS, STOPPED, TARGET, Fleet, uav, uav_id
)
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.node_diagnostics import DOUBTS, status_name
from velocity_mobility_ros.ros_io.node_time import SHED_FROM, ns_to_time

PERIOD = 1.0
"""Wall time [s] between two statuses."""

VALID_FOR = 5.0
"""Wall time [s] for which a status of a member counts."""

LONGEST = 200
"""Largest number of characters shown of an error of a member."""

LEVELS = {
    OK: DiagnosticStatus.OK, DEGRADED: DiagnosticStatus.WARN, FAILED: DiagnosticStatus.ERROR,
}  # fmt: skip


class HealthStatus:
    """Publishes the health as ``monitor: health``.

    Attributes:
        reasons: Why the swarm is not well, as published last; none before the first sample.
    """

    def __init__(
        self,
        node: Node,
        fleet: Fleet,
        scenario: Scenario,
        observer: Observer,
        stopped: Callable[[], list[str]],
        now_ns: Callable[[], int],
        patience: float,
    ) -> None:
        """Start to publish.

        Args:
            node: The monitor.
            fleet: The swarm.
            scenario: Its number of agents and timeouts.
            observer: What was received.
            stopped: Returns who is stopped by order, ``all`` for everybody.
            now_ns: Returns the time of the last message [ns].
            patience: Wall time without a sample [s] after which the target counts as lost.
        """
        self._node, self._fleet, self._scenario, self._observer = node, fleet, scenario, observer
        self._stopped, self._now_ns = stopped, now_ns
        self._patience = max(patience, PERIOD)
        self._ring = RingWatch(scenario.swarm.encirclement_radius, scenario.run.max_e_r)
        self._statuses: dict[str, tuple[float, DiagnosticStatus]] = {}
        self._seen: tuple[float, float] = (math.nan, time.monotonic())
        self.reasons: Sequence[str] = ()
        self._publisher = node.create_publisher(DiagnosticArray, DIAGNOSTICS, COMMAND)
        node.create_timer(PERIOD, self._publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def take(self, message: DiagnosticArray) -> None:
        """Keep the diagnostics of the members."""
        now = time.monotonic()
        for status in message.status:
            if self._is_of_member(status):
                self._statuses[status.name] = now, status
        self._statuses = {
            name: received
            for name, received in self._statuses.items()
            if now - received[0] <= VALID_FOR
        }

    def late_members(self) -> list[Condition]:
        """Return the fault of the members that miss many ticks, if any."""
        return late_members(self._present())

    def health(self) -> SwarmHealth:
        """Return the present health."""
        observer = self._observer
        last = observer.last
        now = last.time if last else 0.0
        ring = [k for k in self._scenario.agent_ids if k not in observer.beside]
        silent = [k for k in ring if k not in observer.received]
        relaxed = [k for k, at in observer.alarmed.items() if now - at <= ALARM_PERIOD]
        stopped = self._who_is_stopped()
        return swarm_health(
            SwarmCondition(
                agents=len(ring),
                silent=[*map(uav, silent)] if last else [],
                has_target=last is not None,
                target_age=self._target_age(now),
                target_timeout=self._patience,
                near_miss_age=now - observer.near_miss_at,
                near_miss_distance=THRESHOLDS[NEAR],
                stopped=stopped,
                relaxed=[*map(uav, sorted(relaxed))],
                min_alive_share=self._scenario.run.min_alive_share if last else 0.0,
                faulty=self._faulty(),
                doubtful=self._who_tells(DOUBTS),
                off_ring=self._ring.look(now, self._distances(stopped)),
            )
        )

    def _distances(self, stopped: Sequence[str]) -> dict[str, float]:
        """Return distances from the target [m] of the agents that fly, by name."""
        observer = self._observer
        if observer.last is None or EVERYBODY in stopped:
            return {}
        x, y, *_ = observer.last.target
        known = observer.received & {*observer.telemetry}
        flown = {uav(k): observer.telemetry[k] for k in sorted(known)}
        return {
            name: math.hypot(row.position[0] - x, row.position[1] - y)
            for name, row in flown.items() if not row.failed and name not in stopped
        }  # fmt: skip

    def _target_age(self, now: float) -> float:
        """Return the wall time since the last sample [s], by looks once a period."""
        if now != self._seen[0]:
            self._seen = (now, time.monotonic())
        return time.monotonic() - self._seen[1]

    def _who_is_stopped(self) -> list[str]:
        """Return who is stopped, by an order or by itself; all, if an order says so."""
        ordered = self._stopped()
        if EVERYBODY in ordered:
            return ordered
        return [*ordered, *(name for name in self._who_tells(STOPPED) if name not in ordered)]

    def _is_of_member(self, status: DiagnosticStatus) -> bool:
        name = _member(status)
        is_member = uav_id(name) is not None or name in (TARGET, ADVERSARY)
        return is_member and self._fleet.full_name(name) == f'/{status.hardware_id}'

    def _faulty(self) -> dict[str, str]:
        """Return the errors of members by name; a stop by an operator is none."""
        return {
            _member(status): status.message[:LONGEST]
            for status in self._present()
            if bytes(status.level) == DiagnosticStatus.ERROR and not _has(status, STOPPED)
        }

    def _who_tells(self, key: str) -> list[str]:
        """Return the names of the members in whose status something is set."""
        return sorted({_member(status) for status in self._present() if _has(status, key)})

    def _present(self) -> list[DiagnosticStatus]:
        """Return the statuses that still count, by name."""
        oldest = time.monotonic() - VALID_FOR
        return [status for _, (at, status) in sorted(self._statuses.items()) if at >= oldest]

    def _publish(self) -> None:
        health = self.health()
        self.reasons = health.reasons if self._observer.last else ()
        name = self._node.get_fully_qualified_name().strip('/')
        status = DiagnosticStatus(name=status_name(name, HEALTH), hardware_id=name)
        status.level = LEVELS[health.state]
        status.message = '; '.join(health.reasons) or 'ok'
        status.values = [
            KeyValue(key='state', value=health.state),
            KeyValue(key='reasons', value=str(len(health.reasons))),
        ]
        message = DiagnosticArray(status=[status])
        message.header.stamp = ns_to_time(self._now_ns())
        self._publisher.publish(message)


def late_members(statuses: Iterable[DiagnosticStatus]) -> list[Condition]:
    """Return the fault of members that miss many ticks by their statuses, if any."""
    late = {
        status.hardware_id: missed
        for status in statuses
        if (missed := _missed_share(status)) >= SHED_FROM
    }
    if not late:
        return []
    reason = (
        f'{named(sorted(late))} miss up to {100.0 * max(late.values()):.0f} % of their '
        'control ticks: the machine is too slow; fly fewer agents, let more of them share a '
        'process (--processes), or raise control_period'
    )
    return [Condition(Level.WARN, reason, 'control ticks of the swarm')]


def _missed_share(status: DiagnosticStatus) -> float:
    """Return the share of missed ticks in a status, 0 without a sound one."""
    text = next((pair.value for pair in status.values if pair.key == MISSED_TICKS), '')
    with suppress(ValueError):  # no number, from whoever it comes
        return missed if 0.0 <= (missed := float(text)) <= 1.0 else 0.0
    return 0.0


def _member(status: DiagnosticStatus) -> str:
    return status.hardware_id.rpartition('/')[2]


def _has(status: DiagnosticStatus, key: str) -> bool:
    return any(pair.key == key and pair.value not in ('', '0', 'false') for pair in status.values)
