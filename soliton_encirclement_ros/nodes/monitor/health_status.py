"""The health of the swarm as a status of the monitor, once a second."""

import math
import time
from collections.abc import Callable

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from velocity_mobility_ros.ros_io.messages import ns_to_time
from velocity_mobility_ros.ros_io.node_diagnostics import status_name
from velocity_mobility_ros.ros_io.qos import COMMAND

from soliton_encirclement_ros.core.run.observer import NEAR, Observer
from soliton_encirclement_ros.core.run.separation.near_misses import THRESHOLDS
from soliton_encirclement_ros.core.run.swarm_health import (
    ALARM_PERIOD,
    DEGRADED,
    EVERYBODY,
    FAILED,
    HEALTH,
    OK,
    SwarmCondition,
    SwarmHealth,
    swarm_health,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS, STOPPED, uav

PERIOD = 1.0
"""Wall time [s] between two statuses."""

VALID_FOR = 5.0
"""Wall time [s] for which a status of a member counts."""

LEVELS = {
    OK: DiagnosticStatus.OK, DEGRADED: DiagnosticStatus.WARN, FAILED: DiagnosticStatus.ERROR,
}  # fmt: skip


class HealthStatus:
    """Publishes the health as ``monitor: health``."""

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
        self._members: dict[str, tuple[str, float]] = {}
        self._seen: tuple[float, float] = (math.nan, time.monotonic())
        self._publisher = node.create_publisher(DiagnosticArray, DIAGNOSTICS, COMMAND)
        node.create_timer(PERIOD, self._publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def take(self, message: DiagnosticArray) -> None:
        """Read from the diagnostics of the members whether they are stopped."""
        for status in message.status:
            if not self._fleet.has(f'/{status.hardware_id}'):
                continue
            for pair in status.values:
                if pair.key == STOPPED and pair.value == 'true':
                    self._members[status.name] = status.hardware_id, time.monotonic()
                elif pair.key == STOPPED:
                    self._members.pop(status.name, None)

    def health(self) -> SwarmHealth:
        """Return the present health."""
        observer = self._observer
        last = observer.last
        now = last.time if last else 0.0
        ring = [k for k in self._scenario.agent_ids if k not in observer.beside]
        silent = [k for k in ring if k not in observer.received]
        relaxed = [k for k, at in observer.alarmed.items() if now - at <= ALARM_PERIOD]
        return swarm_health(
            SwarmCondition(
                agents=len(ring),
                silent=[*map(uav, silent)] if last else [],
                has_target=last is not None,
                target_age=self._target_age(now),
                target_timeout=self._patience,
                near_miss_age=now - observer.near_miss_at,
                near_miss_distance=THRESHOLDS[NEAR],
                stopped=self._who_is_stopped(),
                relaxed=[*map(uav, sorted(relaxed))],
                min_alive_share=self._scenario.run.min_alive_share if last else 0.0,
            )
        )

    def _target_age(self, now: float) -> float:
        """Return the wall time since the last sample [s], by looks once a period."""
        if now != self._seen[0]:
            self._seen = (now, time.monotonic())
        return time.monotonic() - self._seen[1]

    def _who_is_stopped(self) -> list[str]:
        """Return who is stopped, by an order or by itself; all, if an order says so."""
        ordered, oldest = self._stopped(), time.monotonic() - VALID_FOR
        if EVERYBODY in ordered:
            return ordered
        told = {who.rpartition('/')[2] for who, at in self._members.values() if at >= oldest}
        return [*ordered, *sorted(told - set(ordered))]

    def _publish(self) -> None:
        found = self.health()
        name = self._node.get_fully_qualified_name().strip('/')
        status = DiagnosticStatus(name=status_name(name, HEALTH), hardware_id=name)
        status.level = LEVELS[found.state]
        status.message = '; '.join(found.reasons) or 'ok'
        status.values = [
            KeyValue(key='state', value=found.state),
            KeyValue(key='reasons', value=str(len(found.reasons))),
        ]
        message = DiagnosticArray(status=[status])
        message.header.stamp = ns_to_time(self._now_ns())
        self._publisher.publish(message)
