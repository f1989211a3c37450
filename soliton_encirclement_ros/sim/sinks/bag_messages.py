"""The messages of a run, serialized without ROS, laid out as the nodes lay them out.

What a member sends is described by a function from its numbers to the values of a message. A
template learns from one such message, with marks as numbers, where each number stands, and
serializes any number of them at once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.laws.telemetry import telemetry_lists
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.states.state_codec import encode
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, Pose, SilentBody, State, TargetState
)
from soliton_encirclement_ros.sim.chunk import Floats
from velocity_mobility_ros.core import cdr
from velocity_mobility_ros.core.coordinate_frames import quaternion_from_yaw
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, body_frame

Values = Callable[[Sequence[float]], Mapping[str, Any]]
"""From numbers to the values of a message by the names of its fields."""


class MessageType(NamedTuple):
    """A type: its name, and its fields."""

    name: str
    fields: cdr.Fields


CLOCK = MessageType('rosgraph_msgs/msg/Clock', cdr.CLOCK)
COMMAND = MessageType('geometry_msgs/msg/TwistStamped', cdr.TWIST_STAMPED)
ODOMETRY = MessageType('nav_msgs/msg/Odometry', cdr.ODOMETRY)
JOINT_STATE = MessageType('sensor_msgs/msg/JointState', cdr.JOINT_STATE)

EAST, STILL = quaternion_from_yaw(0.0), (0.0, 0.0, 0.0)


def nothing(m: Sequence[float]) -> Mapping[str, Any]:
    """Return the values of a clock: the stamp is all."""
    return {}


def odometry(name: str, tilts: bool = False) -> Values:
    """Position [m] and velocity [m/s] of a body that heads east, so in either frame.

    Of one that tilts also the rotation to map before the velocity, and after it the rates [rad/s],
    both in the body frame.
    """

    def values(m: Sequence[float]) -> Mapping[str, Any]:
        attitude, linear, angular = (m[3:7], m[7:10], m[10:]) if tilts else (EAST, m[3:], STILL)
        return {
            'frame': MAP_FRAME, 'child': body_frame(name), 'position': m[:3],
            'attitude': attitude, 'linear': linear, 'angular': angular,
        }  # fmt: skip

    return values


def command(m: Sequence[float]) -> Mapping[str, Any]:
    """Return the values of a wanted velocity [m/s, map]."""
    return {'frame': MAP_FRAME, 'linear': m}


def agent(agent_id: int, silent: Sequence[int] = (), aged: bool = False) -> Values:
    """Position, velocity, seq, u, u_ss, age if ``aged``; the same of silent agents."""
    return lambda m: _state(agent_state(agent_id, m, silent, aged))


def target(agent_ids: Sequence[int], aged: bool = False) -> Values:
    """Position, velocity, seq, omega_ref, age if ``aged``, weights of the arcs of some."""
    return lambda m: _state(
        TargetState(
            m[6], tuple(m[:3]), tuple(m[3:6]),
            tuple(zip(agent_ids, m[8 + aged :], strict=True)), m[7], _age(m, 8, aged),
        )
    )  # fmt: skip


def adversary(aged: bool = False) -> Values:
    """Position, velocity, seq, age if ``aged``."""
    return lambda m: _state(AdversaryState(m[6], tuple(m[:3]), tuple(m[3:6]), _age(m, 7, aged)))


def telemetry(names: Sequence[str]) -> Values:
    """Position, velocity, failed, pred, succ, and the values of the law by these names."""
    return lambda m: _coordinates(
        *telemetry_lists(Pose(tuple(m[:3]), tuple(m[3:6])), m[6:9], names, m[9:])
    )


def metrics(m: Sequence[float]) -> Mapping[str, Any]:
    """Return the values of ``SAMPLE_NAMES``."""
    return _coordinates(SAMPLE_NAMES, m)


def _state(state: State) -> Mapping[str, Any]:
    return _coordinates(*encode([state]))


def _coordinates(
    names: Sequence[str], positions: Sequence[float], velocities: Sequence[float] = ()
) -> Mapping[str, Any]:
    return {'frame': MAP_FRAME, 'name': names, 'position': positions, 'velocity': velocities}


def agent_state(
    agent_id: int, m: Sequence[float], silent: Sequence[int] = (), aged: bool = False
) -> AgentState:
    """Return the state of an agent, from the numbers of ``agent``."""
    end = 9 + aged
    return AgentState(
        agent_id, m[6], tuple(m[:3]), tuple(m[3:6]), m[7], m[8], age=_age(m, 9, aged),
        silent=tuple(_silent(k, m[end + 7 * p :]) for p, k in enumerate(silent)),
    )  # fmt: skip


def _age(m: Sequence[float], at: int, aged: bool) -> float:
    return m[at] if aged else 0.0


def _silent(agent_id: int, m: Sequence[float]) -> SilentBody:
    return SilentBody(agent_id, tuple(m[:3]), tuple(m[3:6]), m[6])


MARK = -7.0e15
"""Marks are whole numbers from here on, all different, and like no length or zero."""

MAX_LAYOUTS = 256
"""Layouts remembered at most."""


class MessageTemplate:
    """Serializes messages that differ in stamp and numbers only."""

    def __init__(self, kind: MessageType, values: Values, count: int) -> None:
        """Find the places of the numbers.

        Args:
            kind: The type, which begins with a stamp.
            values: Returns the values of a message that holds these numbers, each once.
            count: How many numbers it holds.
        """
        marks = [MARK - i for i in range(count)]
        example = cdr.encode(kind.fields, values(marks))
        self._layout = cdr.Layout(kind.fields, example)
        numbers = self._layout.read(example)[2:]
        self._places = [numbers.index(mark) for mark in marks]
        self._constant = np.array(numbers, float)

    def serialize(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count)."""
        filled = np.tile(self._constant, (len(stamps_ns), 1))
        filled[:, self._places] = numbers
        return self._layout.write_many(stamps_ns, filled)


class GroupTemplates:
    """Serializes messages that name some members, each with its numbers.

    A row of numbers is the fixed ones, then groups of ``size`` and the index of the member, which
    is negative where the group is of none.
    """

    def __init__(
        self, kind: MessageType, values: Callable[[Sequence[int]], Values], count: int, size: int
    ) -> None:
        """Have no layout yet.

        Args:
            kind: The type.
            values: Returns, for the indices of the members named, what a message says.
            count: How many numbers are always there.
            size: How many numbers belong to a member.
        """
        self._kind, self._values, self._count, self._size = kind, values, count, size
        self._known: dict[tuple[int, ...], MessageTemplate] = {}

    def serialize(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count + most * (size + 1))."""
        groups = numbers[:, self._count :].reshape(len(numbers), -1, self._size + 1)
        messages = [b''] * len(stamps_ns)
        for rows, pattern in _alike(groups[:, :, -1].astype(int)):
            is_named = pattern >= 0
            gossip = groups[rows][:, is_named, :-1].reshape(len(rows), -1)
            template = self._template(tuple(pattern[is_named].tolist()))
            whole = np.hstack([numbers[rows, : self._count], gossip])
            found = template.serialize(stamps_ns[rows], whole)
            for row, message in zip(rows.tolist(), found, strict=True):
                messages[row] = message
        return messages

    def _template(self, named: tuple[int, ...]) -> MessageTemplate:
        if named not in self._known:
            if len(self._known) >= MAX_LAYOUTS:
                self._known.clear()
            count = self._count + self._size * len(named)
            self._known[named] = MessageTemplate(self._kind, self._values(named), count)
        return self._known[named]


def _alike(keys: NDArray) -> Iterator[tuple[NDArray[np.intp], NDArray]]:
    """Iterate over the different rows of a table: where they are, and one of them."""
    if len(keys) and (keys == keys[0]).all():
        yield np.arange(len(keys)), keys[0]
        return
    patterns, which = np.unique(keys, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield np.flatnonzero(which.ravel() == number), pattern
