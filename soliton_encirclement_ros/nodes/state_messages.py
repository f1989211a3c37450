"""JointState messages that carry states, in pairs; refusals are counted, never raised."""

from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.shown import shown
from velocity_mobility_ros.core.time import to_seconds
from velocity_mobility_ros.ros_io.messages import time_to_ns, values_to_joint_state
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.stamp_age import StampError, check_stamp
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.state_codec import StateDecoder, encode
from soliton_encirclement_ros.core.states.states import State


def states_to_message(stamp_ns: int, states: list[State]) -> JointState:
    """Return states, all valid at one time [ns], as a message."""
    return values_to_joint_state(stamp_ns, *encode(states))


def silence(stamp_ns: int, name: str) -> JointState:
    """Return the lockstep answer of a member without a state at this tick."""
    return values_to_joint_state(stamp_ns, [], [], frame=name)


def wrong_frame(message: JointState) -> str:
    """Return the fault of named coordinates that are not in map, empty if there is none."""
    return f'header.frame_id = {shown(message.header.frame_id)} must be {MAP_FRAME!r}'


class StateReader:
    """Reads states from messages of one topic."""

    def __init__(self, topic: str, health: NodeDiagnostics) -> None:
        """Report refusals of ``topic`` to ``health``."""
        self._topic = topic
        self._health = health
        self._decoder = StateDecoder()

    def read(self, message: JointState) -> list[State]:
        """Return the states of a message, without the malformed ones."""
        try:
            decoded = self._decoder.decode(message.name, message.position, message.velocity)
        except MalformedStateError as error:
            self._health.refuse(self._topic, str(error))
            return []
        if message.name and message.header.frame_id != MAP_FRAME:
            self._health.refuse(self._topic, wrong_frame(message), 'frame')
            return []
        for problem in decoded.problems:
            self._health.refuse(self._topic, problem)
        return decoded.states

    def read_fresh(self, message: JointState, now_ns: int, tolerance_ns: int) -> list[State]:
        """Return the states of a message whose stamp is near the present, with their age.

        Args:
            message: The message.
            now_ns: The present [ns].
            tolerance_ns: Largest distance of the stamp from the present [ns].
        """
        stamp_ns = time_to_ns(message.header.stamp)
        try:
            check_stamp(stamp_ns, now_ns, to_seconds(tolerance_ns), 'stamp_tolerance')
        except StampError as error:
            self._health.refuse(self._topic, str(error))
            return []
        age = max(0.0, to_seconds(now_ns - stamp_ns))
        return [state._replace(age=age + state.age) for state in self.read(message)]
