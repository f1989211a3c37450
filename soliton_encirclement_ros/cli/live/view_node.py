"""The node behind the live page: listens to a swarm, simulated or real, and publishes nothing.

Of each stream only the newest message is read, at the rate of the pages and not of the swarm:
whoever publishes is never waited for, and never waits. The health of vehicles is a text: what
their nodes and bridges report.
"""

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import GetParameters
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.cli.fly.fleet_state import VehicleReport, by_number, read_report
from soliton_encirclement_ros.cli.live.swarm_picture import (
    LiveBodyState, SafetyBounds, SwarmPicture
)
from soliton_encirclement_ros.cli.operator.addressees import number_in
from soliton_encirclement_ros.cli.operator.ros_context import bare_node_options
from soliton_encirclement_ros.core.fences import fence_rings
from soliton_encirclement_ros.core.laws.telemetry import BODY, FILTER_NAMES
from soliton_encirclement_ros.core.states.states import TargetState
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, ADVERSARY_STATE, AGENT, DIAGNOSTICS, MAX_MEMBERS, SIMULATION, STOPPED, TARGET,
    TARGET_STATE, TELEMETRY, WORLD, Fleet, uav_id
)
from soliton_encirclement_ros.nodes.odometry_reader import measured
from soliton_encirclement_ros.nodes.state_messages import decoded
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.core.step_time import to_seconds
from velocity_mobility_ros.core.user_errors import NAME, MalformedMessageError, ParameterError
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import BRIDGE_STATES, FLEET_INPUT
from velocity_mobility_ros.ros_io.endpoints import COMMAND_INPUT
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    CoordinateReader, SerializedOdometry
)
from velocity_mobility_ros.ros_io.polling import PolledClient, PollingNode, arrivals, received
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, ODOM

VALID_FOR = 5.0
"""Wall time for which a status counts [s]."""

MOST_TEXT = 200

ERROR = 2
"""Level of a status from which on it is an alarm; stale is one, too."""

TROUBLE = (State.LINK_LOST, State.FAULT, State.KILLING, State.EXTERNAL, None)
"""States of bridges that an operator looks at."""

NEW = (None, 0.0)

MAX_STATUSES = 100
"""Statuses of each member that are kept, by their names."""

NUMBERS = 'filter_share', 'period_p99_ms'
"""The shown values of a status."""


class _Status(NamedTuple):
    level: int
    text: str
    is_stopped: bool
    at: float
    filter_share: float
    period_ms: float


class VehicleHealth:
    """The reported health of each vehicle."""

    def __init__(self, fleet: Fleet) -> None:
        """Start without reports."""
        self._fleet = fleet
        self._statuses: dict[str, dict[str, _Status]] = {}
        self._bridges: dict[str, tuple[VehicleReport, float]] = {}
        self._news: list[tuple[str, str, bool]] = []
        self._world = fleet.full_name(WORLD).strip('/')
        self._simulation: tuple[Mapping[str, str], float] = ({}, -math.inf)

    def take(self, statuses: Iterable[DiagnosticStatus]) -> None:
        """Take statuses of nodes."""
        now = time.monotonic()
        for status in statuses:
            if status.hardware_id == self._world and status.name.endswith(SIMULATION):
                self._simulation = {pair.key: pair.value for pair in status.values}, now
            root, _, name = f'/{status.hardware_id}'.rpartition('/')
            if root != self._fleet.namespace or not NAME.fullmatch(name):
                continue
            values = {pair.key: pair.value for pair in status.values}
            stopped = values.get(STOPPED) == 'true'
            level = status.level[0] if isinstance(status.level, bytes) else status.level
            if name not in self._statuses and len(self._statuses) >= MAX_MEMBERS:
                continue
            known = self._statuses.setdefault(name, {})
            task = status.name[:MOST_TEXT]
            before = known.get(task)
            if before is None and len(known) >= MAX_STATUSES:
                continue
            # A stop has a flag of its own.
            if level >= ERROR and not stopped and (before is None or before.level < ERROR):
                self._news.append((name, status.message[:MOST_TEXT], True))
            share, period = (number_in(values, key, math.nan) for key in NUMBERS)
            text = status.message[:MOST_TEXT]
            known[task] = _Status(level, text, stopped, now, share, period)

    def take_bridge(self, status: DiagnosticStatus) -> None:
        """Take the report of a bridge."""
        root, _, name = status.hardware_id.rpartition('/')
        is_new = name not in self._bridges
        if NAME.fullmatch(name) and root == self._fleet.namespace and not (
            is_new and len(self._bridges) >= MAX_MEMBERS
        ):
            values = {pair.key: pair.value for pair in status.values}
            report, (before, _) = read_report(status.message, values), self._bridges.get(name, NEW)
            self._bridges[name] = report, time.monotonic()
            if before is None or before.state is not report.state:
                text = f'bridge: {report.state_text} ({report.reason})'
                self._news.append((name, text, report.state in TROUBLE))

    def take_news(self) -> list[tuple[str, str, bool]]:
        """Return new errors of nodes and states of bridges: vehicle, text, whether it is bad."""
        news, self._news = self._news, []
        return news

    @property
    def stopped(self) -> frozenset[str]:
        """Names of the members that are stopped."""
        return frozenset(name for name in self._statuses
                         if any(status.is_stopped for status in self._fresh(name)))  # fmt: skip

    @property
    def simulation(self) -> dict[str, Any] | None:
        """How fast simulated time passes, and whether it is paused; None without a world."""
        values, at = self._simulation
        if time.monotonic() - at > VALID_FOR or values.get('finished') == 'True':
            return None
        factor = number_in(values, 'real_time_factor', math.nan)
        known = factor if math.isfinite(factor) else None
        return {'factor': known, 'paused': values.get('paused') == 'True'}

    @property
    def source(self) -> str:
        """What flies, as text; empty until it is known."""
        if self._bridges:
            return 'vehicles with autopilots, real or SITL'
        return 'a simulation' if self._simulation[0] else ''

    @property
    def period_ms(self) -> float | None:
        """The longest control period of an agent [ms], 99 of 100 are shorter; None: not told."""
        periods = (status.period_ms for name in self._statuses for status in self._fresh(name))
        return _largest(periods)

    def row(self, name: str, is_down: bool) -> Mapping[str, Any]:
        """Return a vehicle's row of the table: state, health, share of filtered commands.

        Args:
            name: The vehicle.
            is_down: Whether it has failed.
        """
        statuses = sorted(self._fresh(name), reverse=True)
        faults = [status for status in statuses if status.level > 0]
        bridge, at = self._bridges.get(name, NEW)
        is_bridged = bridge is not None and time.monotonic() - at <= VALID_FOR
        state = 'down' if is_down else 'stopped' if name in self.stopped else 'up'
        health = faults[0].text if faults else 'ok' if statuses else 'no report'
        if is_bridged:
            state = f'{bridge.state_text}' if state == 'up' else f'{bridge.state_text}, {state}'
            state += f', waits for {bridge.waits_for}' if bridge.waits_for else ''
            battery = f'battery {100.0 * bridge.battery:.0f} %' if bridge.battery >= 0.0 else ''
            health = '; '.join(filter(None, [health, battery]))
        is_bad = is_down or any(status.level > 1 for status in faults)
        is_bad |= is_bridged and bridge.state in TROUBLE
        share = _largest(status.filter_share for status in statuses)
        return {'state': state, 'health': health, 'bad': is_bad, 'filtered': share}

    def _fresh(self, name: str) -> list[_Status]:
        now = time.monotonic()
        statuses = self._statuses.get(name, {}).values()
        return [status for status in statuses if now - status.at <= VALID_FOR]


def _largest(numbers: Iterable[float]) -> float | None:
    """Return the largest of some numbers that are known, None if none is."""
    return max((number for number in numbers if not math.isnan(number)), default=None)


STATUSES = QoSProfile(depth=500, reliability=ReliabilityPolicy.BEST_EFFORT)

SEARCH_PERIOD = 0.5
"""Wall time between two searches for members [s]."""

RESTART = 1.0
"""A stamp older than the newest one by more than this [s] is of a restarted swarm."""

PARAMETERS = ('encirclement_radius', 'separation_filter', 'separation_distance', 'fence')
"""Parameters of an agent."""

CHANGED = 1e-3
"""Change of a command from which on a vehicle counts as filtered [m/s]."""


class ViewNode(PollingNode):
    """The listener of one fleet.

    Attributes:
        picture: The state of the swarm; a new one after its restart.
        health: The reports of its nodes.
        radius: Radius of the ring [m] until an agent tells it, NaN if unknown.
    """

    def __init__(self, fleet: Fleet, radius: float = math.nan) -> None:
        """Listen to a fleet, also to members that join later; ``radius`` is an attribute."""
        super().__init__(f'swarm_view_{os.getpid()}', **bare_node_options())
        self.fleet, self.radius = fleet, radius
        self.picture = SwarmPicture()
        self._streams: dict[str, _Stream] = {}
        self._searched_at = -math.inf
        self._newest_ns: int | None = None
        self._origin_ns = 0
        self._client: PolledClient | None = None
        self._has_asked = False
        self._telemetry: dict[str, LiveBodyState] = {}
        self._in_map: set[str] = set()
        self._of_telemetry = {TARGET, ADVERSARY}
        self.health = VehicleHealth(fleet)
        self._statuses = self.hidden(DiagnosticArray, DIAGNOSTICS, STATUSES)
        self._bridges = self.hidden(DiagnosticStatus, fleet.full_name(BRIDGE_STATES), FLEET_INPUT)
        for name, topic in ((TARGET, TARGET_STATE), (ADVERSARY, ADVERSARY_STATE)):
            full, take = fleet.full_name(topic), partial(self._on_state, name)
            self._listen(JointState, full, CoordinateReader().read, take)

    def update(self) -> bool:
        """Take the messages that have arrived; return whether the swarm has restarted."""
        if time.monotonic() - self._searched_at >= SEARCH_PERIOD:
            self._searched_at = time.monotonic()
            self._search()
            self._request_parameters()
        before = self.picture
        for stream in list(self._streams.values()):
            stream.update()
        for message in received(self._statuses, DiagnosticArray):
            self.health.take(message.status)
        for status in received(self._bridges, DiagnosticStatus):
            self.health.take_bridge(status)
        self.picture.stopped = self.health.stopped
        for name, text, is_bad in self.health.take_news():
            self.picture.tell(name, text, is_bad)
        return self.picture is not before

    def vehicles(self) -> list[dict[str, Any]]:
        """Return the table of the vehicles, those in trouble first."""
        ages = self.picture.ages()
        rows = [
            {'name': name, 'age': age, **self.health.row(name, self.picture.is_down(name))}
            for name, age in ages.items()
        ]
        return sorted(rows, key=lambda row: (not row['bad'], by_number(row['name'])))

    def _search(self) -> None:
        for topic, kinds in self.get_topic_names_and_types():
            space, _, name = topic.rpartition('/')
            root, _, member = space.rpartition('/')
            if root != self.fleet.namespace or not member:
                continue
            if name == ODOM and ODOMETRY in kinds and member not in self._of_telemetry:
                take = partial(self._on_odometry, member)
                self._listen(Odometry, topic, SerializedOdometry().read, take)
            elif name == TELEMETRY and uav_id(member) is not None:
                take = partial(self._on_telemetry, member)
                self._listen(JointState, topic, CoordinateReader().read, take)

    def _listen(
        self, kind: type, topic: str, read: Callable[[bytes], Any], take: Callable[[Any], None]
    ) -> None:
        if topic not in self._streams:
            hidden = self.hidden(kind, topic, COMMAND_INPUT)
            self._streams[topic] = _Stream(hidden, kind, read, take)

    def _time(self, stamp_ns: int) -> float:
        """Return the time of the swarm at a stamp [ns], in a new picture if it has restarted."""
        newest = self._newest_ns
        if newest is None or to_seconds(newest - stamp_ns) > RESTART:
            self.picture, self._has_asked = SwarmPicture(), False
            self._of_telemetry = {TARGET, ADVERSARY}
            self.picture.radius = self.radius
            self._origin_ns = newest = stamp_ns
        self._newest_ns = max(newest, stamp_ns)
        return to_seconds(stamp_ns - self._origin_ns)

    def _on_odometry(self, name: str, odometry: Any) -> None:
        if odometry.frame != MAP_FRAME:
            return  # the telemetry of its agent has the position in the map
        state = measured(odometry, odometry.stamp_ns)
        if state.yaw == 0.0 and name in self._telemetry and self.health.simulation is not None:
            self._leave_to_telemetry(name)
            return
        self._in_map.add(name)
        now = self._time(odometry.stamp_ns)
        body = self._telemetry.get(name, NO_TELEMETRY)._replace(
            position=state.pose.position, velocity=state.pose.velocity, yaw=state.yaw,
            heard_at=time.monotonic(),
        )  # fmt: skip
        self.picture.see(name, body, now)

    def _leave_to_telemetry(self, name: str) -> None:
        """Listen no more to the odometry of a simulated vehicle that does not turn.

        The telemetry of its agent has all else: that halves the input from a large swarm.
        """
        self._in_map.discard(name)
        self._of_telemetry.add(name)
        stream = self._streams.pop(self.fleet.member_topic(name, ODOM))
        self.destroy_subscription(stream.subscription)

    def _on_telemetry(self, name: str, message: Any) -> None:
        values = dict(zip(message.names, message.positions, strict=False))
        place, rate = message.positions[:3], message.velocities[:3]
        if tuple(message.names[: len(BODY)]) != BODY or len(rate) < 3:
            return
        body = LiveBodyState(
            tuple(place), tuple(rate), heard_at=time.monotonic(), is_down=values['failed'] != 0.0,
            is_filtered=values.get(FILTER_NAMES[-1], 0.0) > CHANGED,
            neighbours=(values['pred'], values['succ']),
        )  # fmt: skip
        self._telemetry[name] = body
        if name not in self._in_map:
            self.picture.see(name, body, self._time(message.stamp_ns))

    def _on_state(self, name: str, message: Any) -> None:
        for state in decoded(message).states:
            now = self._time(message.stamp_ns)
            body = LiveBodyState(state.position, state.velocity, heard_at=time.monotonic())
            self.picture.see(name, body, now)
            if isinstance(state, TargetState):
                self.picture.set_weights(state.lambdas)

    def _request_parameters(self) -> None:
        """Request the radius of the ring, the separation and the fence from an agent."""
        agents = [name for name in self.picture.names if uav_id(name) is not None]
        if self._client is None and agents:
            service = self.fleet.member_topic(agents[0], f'{AGENT}/get_parameters')
            self._client = PolledClient(self, GetParameters, service)
        if self._client is None:
            return
        if not self._has_asked and self._client.is_ready:
            self._has_asked = True
            self._client.call({'names': PARAMETERS}, self._on_parameters)
        self._client.poll()

    def _on_parameters(self, response: GetParameters.Response) -> None:
        if len(response.values) == len(PARAMETERS):
            radius, is_filtered, separation, fence = response.values
            self.picture.radius = radius.double_value
            if is_filtered.bool_value:
                with suppress(ParameterError):  # of an agent that is not ours
                    rings = fence_rings(fence.string_value)
                    self.picture.bounds = SafetyBounds(separation.double_value, rings)


ODOMETRY = 'nav_msgs/msg/Odometry'

NO_TELEMETRY = LiveBodyState((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
"""Of a vehicle without telemetry yet."""


class _Stream:
    """The newest message of a topic, and its consumer."""

    def __init__(
        self, subscription: Subscription, kind: type, read: Callable[[bytes], Any],
        take: Callable[[Any], None],
    ) -> None:  # fmt: skip
        self.subscription, self._kind, self._read, self._take = subscription, kind, read, take

    def update(self) -> None:
        arrived = list(arrivals(self.subscription, self._kind))
        if not arrived:
            return
        try:
            self._take(self._read(arrived[-1].data))
        except MalformedMessageError:
            return  # the members themselves report what they refuse
