"""Whether the twist of an odometry is in the frame in which it is read, as a fault of a node."""

from velocity_mobility_ros.core.motion import Attitude, velocity_of
from velocity_mobility_ros.core.time import to_seconds
from velocity_mobility_ros.core.twist_frame import Reading, TwistWatch
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.messages import OdometryValues
from velocity_mobility_ros.ros_io.vehicle_topics import BASE_FRAME, MAP_FRAME

TWIST_FRAMES = (BASE_FRAME, MAP_FRAME)
"""Frames of a twist: that of the body, as nav_msgs wants it, and that of the pose."""

FAULTS = (Reading.OTHER, Reading.NEITHER)

BY_PUBLISHER = 'its publisher must turn it into child_frame_id'
"""What to do where no parameter says in which frame a twist is."""


class TwistCheck:
    """Looks at the odometry of one vehicle."""

    def __init__(self, topic: str, frame: str = BASE_FRAME, parameter: str = '') -> None:
        """Know nothing.

        Args:
            topic: Full name of the topic.
            frame: That of the twist, as it is read: one of ``TWIST_FRAMES``.
            parameter: The parameter that says so; empty: none does.
        """
        self._topic, self._frame, self._parameter = topic, frame, parameter
        self._watch = TwistWatch()

    @property
    def reading(self) -> Reading:
        """What the displacements say so far."""
        return self._watch.reading

    def take(self, odometry: OdometryValues) -> bool:
        """Compare a valid odometry with those before; return whether a fault begins with it."""
        before = self.reading
        attitude, linear = odometry.attitude, odometry.linear
        turned = velocity_of(Attitude(attitude, linear, odometry.angular))
        read, other = (turned, linear) if self._frame == BASE_FRAME else (linear, turned)
        self._watch.add(to_seconds(odometry.stamp_ns), odometry.position, read, other)
        return self.reading in FAULTS and self.reading is not before

    def conditions(self) -> list[Condition]:
        """Return the fault."""
        key = f'twist of {self._topic}'
        if self.reading is Reading.OTHER:
            of_body = self._frame == BASE_FRAME
            told, true = ('body', 'pose') if of_body else ('pose', 'body')
            remedy = BY_PUBLISHER
            if self._parameter:
                remedy = f'set {self._parameter} to {TWIST_FRAMES[of_body]!r}'
            reason = (
                f'{self._topic}: the twist is in the frame of the {true}, not of the {told}, by '
                f'the displacements: {remedy}'
            )
            return [Condition(Level.ERROR, reason, key)]
        if self.reading is Reading.NEITHER:
            reason = (
                f'{self._topic}: the positions do not move as the twist says: it is 0, or in '
                'another frame or unit'
            )
            return [Condition(Level.WARN, reason, key)]
        return []
