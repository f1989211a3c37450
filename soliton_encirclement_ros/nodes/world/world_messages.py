"""Messages of a simulated world."""

from collections import defaultdict

from geometry_msgs.msg import TransformStamped
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    OdometryValues,
    checked_command,
    is_body_frame,
)
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    OdometryWriter,
    ReceivedCommand,
)
from velocity_mobility_ros.ros_io.messages.tf import VehicleFrames
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, body_frame

from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.states.swarm_topics import Fleet


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
        found = [frames.origin_message(stamp_ns) for frames in self._frames.values()]
        return [message for message in found if message is not None]

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
