"""The node behind the live page: listens to a swarm, however it came to be, and says nothing.

Of each stream only the newest message is read, at the rate of the pages and not of the swarm:
whoever publishes is never waited for, and never waits. The health of vehicles is told in words, by
what their nodes and bridges report.
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
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription
from sensor_msgs.msg import JointState
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.core.step_time import to_seconds
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import BRIDGE_STATES, FLEET_INPUT
from velocity_mobility_ros.ros_io.endpoints import COMMAND_INPUT
from velocity_mobility_ros.ros_io.messages.message_conversion import MalformedMessageError
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    CoordinateReader,
    SerializedOdometry,
)
from velocity_mobility_ros.ros_io.polling import PolledClient, PollingNode, arrivals
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, ODOM

from soliton_encirclement_ros.cli.fly.fleet_state import VehicleReport, by_number, read_report
from soliton_encirclement_ros.cli.live.swarm_picture import BodyState, Bounds, SwarmPicture
from soliton_encirclement_ros.cli.operator.addressees import number_in
from soliton_encirclement_ros.core.fences import fence_rings
from soliton_encirclement_ros.core.laws.telemetry import BODY, FILTER_NAMES
from soliton_encirclement_ros.core.states.states import TargetState
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY,
    ADVERSARY_STATE,
    AGENT,
    DIAGNOSTICS,
    SIMULATION,
    STOPPED,
    TARGET,
    TARGET_STATE,
    TELEMETRY,
    WORLD,
    Fleet,
    uav_id,
)
from soliton_encirclement_ros.nodes.odometry_reader import measured
from soliton_encirclement_ros.nodes.state_messages import decoded

VALID_FOR = 5.0
"""Wall time for which a status counts [s]."""

MOST_TEXT = 200

ERROR = 2
"""Level of a status from which on it is an alarm; stale is one, too."""

TROUBLE = (State.LINK_LOST, State.FAULT, State.KILLING, State.EXTERNAL, None)
"""States of bridges that an operator looks at."""

NEW = (None, 0.0)


NUMBERS = 'filter_share', 'period_p99_ms'
"""What of the values of a status is shown."""


class _Status(NamedTuple):
    level: int
    text: str
    is_stopped: bool
    at: float
    filter_share: float
    period_ms: float


class VehicleHealth:
    """What is reported of each vehicle."""

    def __init__(self, fleet: Fleet) -> None:
        """Know nothing."""
        self._fleet = fleet
        self._statuses: dict[str, dict[str, _Status]] = {}
        self._bridges: dict[str, tuple[VehicleReport, float]] = {}
        self._news: list[tuple[str, str, bool]] = []
        self._world = fleet.full_name(WORLD).strip('/')
        self._simulation: tuple[Mapping[str, str], float] = ({}, -math.inf)

    def take(self, statuses: Iterable[DiagnosticStatus]) -> None:
        """Take statuses of nodes."""
        now = time.monotonic()
        for one in statuses:
            if one.hardware_id == self._world and one.name.endswith(SIMULATION):
                self._simulation = {pair.key: pair.value for pair in one.values}, now
            root, _, name = f'/{one.hardware_id}'.rpartition('/')
            if root != self._fleet.namespace:
                continue
            values = {pair.key: pair.value for pair in one.values}
            stopped = values.get(STOPPED) == 'true'
            level = one.level[0] if isinstance(one.level, bytes) else one.level
            known = self._statuses.setdefault(name, {})
            before = known.get(one.name)
            # That it was stopped, its flag tells.
            if level >= ERROR and not stopped and (before is None or before.level < ERROR):
                self._news.append((name, one.message[:MOST_TEXT], True))
            share, period = (number_in(values, key, math.nan) for key in NUMBERS)
            text = one.message[:MOST_TEXT]
            known[one.name] = _Status(level, text, stopped, now, share, period)

    def take_bridge(self, status: DiagnosticStatus) -> None:
        """Take the report of a bridge."""
        root, _, name = status.hardware_id.rpartition('/')
        if name and root == self._fleet.namespace:
            values = {one.key: one.value for one in status.values}
            report, (before, _) = read_report(status.message, values), self._bridges.get(name, NEW)
            self._bridges[name] = report, time.monotonic()
            if before is None or before.state is not report.state:
                text = f'bridge: {report.in_words} ({report.reason})'
                self._news.append((name, text, report.state in TROUBLE))

    def take_news(self) -> list[tuple[str, str, bool]]:
        """Return since the last call whose nodes report an error, and which bridges do what.

        Returns:
            The vehicle, a text, and whether it is bad.
        """
        news, self._news = self._news, []
        return news

    @property
    def stopped(self) -> frozenset[str]:
        """Names of the members that are stopped."""
        return frozenset(
            name for name in self._statuses if any(one.is_stopped for one in self._fresh(name))
        )

    @property
    def simulation(self) -> dict[str, Any] | None:
        """How fast simulated time passes, and whether it is paused; None without a world."""
        values, at = self._simulation
        if time.monotonic() - at > VALID_FOR or values.get('finished') == 'True':
            return None
        factor = number_in(values, 'real_time_factor', math.nan)
        return {
            'factor': factor if math.isfinite(factor) else None,
            'paused': values.get('paused') == 'True',
        }

    @property
    def source(self) -> str:
        """What flies, in words; empty until that is known."""
        if self._bridges:
            return 'vehicles with autopilots, real or SITL'
        return 'a simulation' if self._simulation[0] else ''

    @property
    def period_ms(self) -> float | None:
        """The longest control period of an agent [ms], 99 of 100 are shorter; None: not told."""
        every = (one.period_ms for name in self._statuses for one in self._fresh(name))
        return _largest(every)

    def row(self, name: str, is_down: bool) -> Mapping[str, Any]:
        """Return what the table says of a vehicle: state, health, share of filtered commands.

        Args:
            name: The vehicle.
            is_down: Whether it has failed.
        """
        found = sorted(self._fresh(name), reverse=True)
        faults = [one for one in found if one.level > 0]
        bridge, at = self._bridges.get(name, (None, 0.0))
        is_bridged = bridge is not None and time.monotonic() - at <= VALID_FOR
        state = 'down' if is_down else 'stopped' if name in self.stopped else 'up'
        words = faults[0].text if faults else 'ok' if found else 'no report'
        if is_bridged:
            state = f'{bridge.in_words}' if state == 'up' else f'{bridge.in_words}, {state}'
            state += f', waits for {bridge.waits_for}' if bridge.waits_for else ''
            battery = f'battery {100.0 * bridge.battery:.0f} %' if bridge.battery >= 0.0 else ''
            words = '; '.join(filter(None, [words, battery]))
        is_bad = is_down or any(one.level > 1 for one in faults)
        is_bad |= is_bridged and bridge.state in TROUBLE
        share = _largest(one.filter_share for one in found)
        return {'state': state, 'health': words, 'bad': is_bad, 'filtered': share}

    def _fresh(self, name: str) -> list[_Status]:
        now = time.monotonic()
        return [one for one in self._statuses.get(name, {}).values() if now - one.at <= VALID_FOR]


def _largest(numbers: Iterable[float]) -> float | None:
    """Return the largest of some numbers that are known, None if none is."""
    return max((one for one in numbers if not math.isnan(one)), default=None)


STATUSES = QoSProfile(depth=500, reliability=ReliabilityPolicy.BEST_EFFORT)

SEARCH_PERIOD = 0.5
"""Wall time between two looks at who is there [s]."""

RESTART = 1.0
"""A stamp older than the newest one by more than this [s] is of a swarm that began anew."""

KEPT = ('encirclement_radius', 'separation_filter', 'separation_distance', 'fence')
"""Parameters of an agent."""

CHANGED = 1e-3
"""Change of a command from which on a vehicle counts as filtered [m/s]."""


class ViewNode(PollingNode):
    """The listener of one fleet.

    Attributes:
        picture: What is known; a new one when the swarm has begun anew.
        health: What its nodes report.
        radius: Radius of the ring [m] until an agent tells it, NaN if unknown.
    """

    def __init__(self, fleet: Fleet, radius: float = math.nan) -> None:
        """Listen to a fleet, whoever of it is there or comes; ``radius`` is an attribute."""
        super().__init__(
            f'swarm_view_{os.getpid()}', enable_rosout=False, start_parameter_services=False
        )
        self.fleet, self.radius = fleet, radius
        self.picture = SwarmPicture()
        self._streams: dict[str, _Stream] = {}
        self._searched_at = -math.inf
        self._newest_ns: int | None = None
        self._origin_ns = 0
        self._client: PolledClient | None = None
        self._has_asked = False
        self._told: dict[str, BodyState] = {}
        self._in_map: set[str] = set()
        self._of_telemetry = {TARGET, ADVERSARY}
        self.health = VehicleHealth(fleet)
        self._statuses = self.hidden(DiagnosticArray, DIAGNOSTICS, STATUSES)
        self._bridges = self.hidden(DiagnosticStatus, fleet.full_name(BRIDGE_STATES), FLEET_INPUT)
        for name, topic in ((TARGET, TARGET_STATE), (ADVERSARY, ADVERSARY_STATE)):
            full, take = fleet.full_name(topic), partial(self._on_state, name)
            self._listen(JointState, full, CoordinateReader().read, take)

    def update(self) -> bool:
        """Take what has arrived; return whether the swarm has begun anew."""
        if time.monotonic() - self._searched_at >= SEARCH_PERIOD:
            self._searched_at = time.monotonic()
            self._search()
            self._ask_what_is_kept()
        before = self.picture
        for stream in list(self._streams.values()):
            stream.update()
        for arrival in arrivals(self._statuses, DiagnosticArray):
            self.health.take(deserialize_message(arrival.data, DiagnosticArray).status)
        for arrival in arrivals(self._bridges, DiagnosticStatus):
            self.health.take_bridge(deserialize_message(arrival.data, DiagnosticStatus))
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
        """Return the time of the swarm at a stamp [ns], in a new picture if it begins anew."""
        newest = self._newest_ns
        if newest is None or to_seconds(newest - stamp_ns) > RESTART:
            self.picture, self._has_asked = SwarmPicture(), False
            self._of_telemetry = {TARGET, ADVERSARY}
            self.picture.radius = self.radius
            self._origin_ns = newest = stamp_ns
        self._newest_ns = max(newest, stamp_ns)
        return to_seconds(stamp_ns - self._origin_ns)

    def _on_odometry(self, name: str, found: Any) -> None:
        if found.frame != MAP_FRAME:
            return  # its agent knows where that is, and says so
        state = measured(found, found.stamp_ns)
        if state.yaw == 0.0 and name in self._told and self.health.simulation is not None:
            self._leave_to_telemetry(name)
            return
        self._in_map.add(name)
        now = self._time(found.stamp_ns)
        seen = self._told.get(name, NO_REPORT)._replace(
            position=state.pose.position, velocity=state.pose.velocity, yaw=state.yaw,
            heard_at=time.monotonic(),
        )  # fmt: skip
        self.picture.see(name, seen, now)

    def _leave_to_telemetry(self, name: str) -> None:
        """Listen no more to the odometry of a simulated vehicle that does not turn.

        All else its agent says as well: that is half of what a large swarm sends here.
        """
        self._in_map.discard(name)
        self._of_telemetry.add(name)
        stream = self._streams.pop(self.fleet.member_topic(name, ODOM))
        self.destroy_subscription(stream.subscription)

    def _on_telemetry(self, name: str, found: Any) -> None:
        values = dict(zip(found.names, found.positions, strict=False))
        place, rate = found.positions[:3], found.velocities[:3]
        if tuple(found.names[: len(BODY)]) != BODY or len(rate) < 3:
            return
        seen = BodyState(
            tuple(place), tuple(rate), heard_at=time.monotonic(), is_down=values['failed'] != 0.0,
            is_filtered=values.get(FILTER_NAMES[-1], 0.0) > CHANGED,
            neighbours=(values['pred'], values['succ']),
        )  # fmt: skip
        self._told[name] = seen
        if name not in self._in_map:
            self.picture.see(name, seen, self._time(found.stamp_ns))

    def _on_state(self, name: str, found: Any) -> None:
        for state in decoded(found).states:
            now = self._time(found.stamp_ns)
            seen = BodyState(state.position, state.velocity, heard_at=time.monotonic())
            self.picture.see(name, seen, now)
            if isinstance(state, TargetState):
                self.picture.weigh(state.lambdas)

    def _ask_what_is_kept(self) -> None:
        """Ask an agent how wide the ring is to be, and what it keeps."""
        agents = [name for name in self.picture.names if uav_id(name) is not None]
        if self._client is None and agents:
            service = self.fleet.member_topic(agents[0], f'{AGENT}/get_parameters')
            self._client = PolledClient(self, GetParameters, service)
        if self._client is None:
            return
        if not self._has_asked and self._client.is_ready:
            self._has_asked = True
            self._client.call({'names': KEPT}, self._take_what_is_kept)
        self._client.poll()

    def _take_what_is_kept(self, response: GetParameters.Response) -> None:
        if len(response.values) == len(KEPT):
            radius, is_filtered, separation, fence = response.values
            self.picture.radius = radius.double_value
            if is_filtered.bool_value:
                with suppress(ParameterError):  # of an agent that is not ours
                    rings = fence_rings(fence.string_value)
                    self.picture.bounds = Bounds(separation.double_value, rings)


ODOMETRY = 'nav_msgs/msg/Odometry'

NO_REPORT = BodyState((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
"""Of a vehicle whose agent has not spoken."""


class _Stream:
    """The newest message of a topic, and what takes it."""

    def __init__(
        self, subscription: Subscription, kind: type, read: Callable[[bytes], Any],
        take: Callable[[Any], None],
    ) -> None:  # fmt: skip
        self.subscription, self._kind, self._read, self._take = subscription, kind, read, take

    def update(self) -> None:
        newest = None
        for arrival in arrivals(self.subscription, self._kind):
            newest = arrival.data
        if newest is None:
            return
        try:
            self._take(self._read(newest))
        except MalformedMessageError:
            return  # the members themselves report what they refuse
