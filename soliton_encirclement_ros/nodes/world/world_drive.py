"""What both modes of the world have in common: bodies, messages, transforms, diagnostics.

Its faults are missing members, its pace, and duplicate publishers.
"""

import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters, refuse_pace
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import SIMULATION, Fleet
from soliton_encirclement_ros.nodes.node_parameters import WorldMode
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.graph_faults import several_publishers
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    OdometryValues, checked_command, is_body_frame
)
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    OdometryWriter, ReceivedCommand
)
from velocity_mobility_ros.ros_io.messages.tf import TransformPublisher, VehicleFrames
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, MAP_FRAME, ODOM, body_frame


class WorldMessages:
    """The bodies of a world as messages, each in its own frames."""

    def __init__(self, world: World, fleet: Fleet, odom_frame: str = '') -> None:
        """Name the frames; the bodies are where they start.

        Args:
            world: The bodies.
            fleet: Fleet whose name the frames begin with.
            odom_frame: Frame of every odometry in the namespace of its body; empty: map.
        """
        self._world = world
        self._frames = {}
        for name, body in world.bodies.items():
            own, start = fleet.full_name(name), body.motion
            self._frames[name] = VehicleFrames(
                body_frame(own), odom=odom_frame and body_frame(own, odom_frame),
                origin=start.position, heading=start.yaw,
            )  # fmt: skip
        self._writers: defaultdict[tuple[str, str], OdometryWriter] = defaultdict(OdometryWriter)

    def odometry(self, name: str, stamp_ns: int) -> OdometryValues:
        """Return what a member has measured of itself at a time [ns]."""
        motion, attitude, *_ = self._world.bodies[name].measured
        return self._frames[name].odometry(stamp_ns, motion, attitude)

    def truth(self, name: str, stamp_ns: int) -> OdometryValues:
        """Return a member's true motion at a time [ns], in map."""
        body = self._world.bodies[name]
        return self._frames[name].true_odometry(stamp_ns, body.motion, body.attitude)

    def serialized(self, odometry: OdometryValues) -> bytes:
        """Return an odometry as a message."""
        return self._writers[odometry.frame, odometry.body].write(odometry)

    def origins(self, stamp_ns: int) -> list[TransformStamped]:
        """Return the poses of the odometry frames in map, none if they are in map."""
        messages = [frames.origin_message(stamp_ns) for frames in self._frames.values()]
        return [message for message in messages if message is not None]

    def command(self, name: str, command: ReceivedCommand) -> None:
        """Give a member's vehicle a command in some frame; one that names none is in map.

        Raises:
            MalformedMessageError: A number is not finite or the frame is not known.
        """
        self._world.note_command(name, command.velocity)
        velocity, yaw_rate = checked_command(command.velocity, command.yaw_rate)
        frame = MAP_FRAME if command.frame is None else command.frame
        in_body = is_body_frame(frame, self._frames[name].body)
        self._world.command(name, velocity, yaw_rate, in_body)


class WorldDrive(ABC):
    """Moves the bodies of a world; the subclass says when."""

    def __init__(
        self,
        node: Node,
        fleet: Fleet,
        scenario: Scenario,
        world: World,
        mode: WorldMode,
        now_ns: Callable[[], int] | None = None,
        transform_period: float = 0.0,
    ) -> None:
        """Begin to publish diagnostics; nothing moves yet.

        Args:
            node: The world's node.
            fleet: Its fleet.
            scenario: Parameters of the run.
            world: The bodies.
            mode: Parameters of the mode.
            now_ns: Time for the stamps of the diagnostics [ns]; the node's clock by default.
            transform_period: Shortest wall time [s] between two messages on ``/tf``.
        """
        self._node = node
        self._fleet = fleet
        self._scenario = scenario
        self._world = world
        self._mode = mode
        self._messages = WorldMessages(world, fleet, mode.odom_frame)
        self._transforms = TransformPublisher(node, mode.publish_tf, transform_period)
        self.health = NodeDiagnostics(
            node, SIMULATION, self.diagnostic_values, self.conditions, now_ns
        )
        self.finished = False

    @property
    def leaves(self) -> bool:
        """Whether the process is to end."""
        return self.finished

    def check_pace(self, before: RunParameters, after: RunParameters) -> None:
        """Refuse another pace: the clock sets it.

        Raises:
            ParameterError: Always; a drive that can go on at another pace overrides this.
        """
        refuse_pace(before, after)

    def change_pace(self, run: RunParameters) -> None:
        """Go on at another real-time factor."""
        del run

    @abstractmethod
    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""

    @abstractmethod
    def conditions(self) -> list[Condition]:
        """Return all present faults."""

    @abstractmethod
    def _missing(self) -> Sequence[str]:
        """Return the members that have not appeared yet; none once the run has begun."""


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
        text = f'{self._expected - len(missing)} of {self._expected} there'
        return f'{named(missing)} ({text})' if missing else ''

    def conditions(self) -> list[Condition]:
        """Return all faults."""
        faults = [
            condition
            for topic, level in self._topics.items()
            for condition in several_publishers(self._node, topic, level)
        ]
        waiting_for = self.waiting_for
        if waiting_for:
            self._log_progress(waiting_for)
            faults.append(Condition(Level.WARN, f'waiting for {waiting_for}'))
        return faults

    def begin(self, missing: Sequence[str]) -> None:
        """Log that the run begins, and which members are missing."""
        waited = time.monotonic() - self._began
        text = f'without {named(missing)}' if missing else f'all {self._expected} are there'
        self._node.get_logger().info(f'the run begins: {text} after {waited:.1f} s')

    def too_slow(self, simulated: float, wanted: float) -> list[Condition]:
        """Return the fault of the speed since the last check, if any.

        Args:
            simulated: Time of the run [s].
            wanted: Requested simulated seconds per second.
        """
        now, previous = time.monotonic(), self._checked
        if previous is not None and now - previous[0] < MIN_WINDOW:
            return []
        self._checked = (now, simulated)
        if previous is None:
            return []
        factor = (simulated - previous[1]) / (now - previous[0])
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


def members_of(parts: Iterable[str]) -> list[str]:
    """Return the members whose contributions these are: ``uav_1`` for ``uav_1 state``."""
    return sorted({part.partition(' ')[0] for part in parts})
