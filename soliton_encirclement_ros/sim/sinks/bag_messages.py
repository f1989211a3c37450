"""The messages of a run, serialized without ROS, laid out as the nodes lay them out.

Each function returns a draw for a ``Stencil``: from numbers to a serialized message.

Many messages are serialized at once: all that differs is the stamp and numbers.

A layout is found by serializing one message with marks in it, so the serializer alone decides
where a number stands.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from velocity_mobility_ros.core.coordinate_frames import quaternion_from_yaw
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, body_frame

from soliton_encirclement_ros.core.laws.telemetry import telemetry_lists
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.states.state_codec import encode
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    AgentState,
    Pose,
    SilentBody,
    TargetState,
)
from soliton_encirclement_ros.sim.chunk import Floats

CLOCK_TYPE = 'rosgraph_msgs/msg/Clock'
COMMAND_TYPE = 'geometry_msgs/msg/TwistStamped'
ODOMETRY_TYPE = 'nav_msgs/msg/Odometry'
JOINT_STATE_TYPE = 'sensor_msgs/msg/JointState'

EAST, STILL = quaternion_from_yaw(0.0), (0.0, 0.0, 0.0)

Draw = Callable[[Sequence[float]], bytes]


class BagMessages:
    """Draws messages of known types."""

    def __init__(self, types: Any) -> None:
        """Serialize with a typestore of rosbags."""
        self._types = types

    def clock(self) -> Draw:
        """No numbers: the stamp is all."""
        return lambda _: self._bytes(CLOCK_TYPE, clock=self._stamp())

    def odometry(self, name: str) -> Draw:
        """Position [m] and velocity [m/s] of a body that heads east, so in either frame."""
        return lambda m: self._bytes(
            ODOMETRY_TYPE,
            header=self._header(),
            child_frame_id=body_frame(name),
            pose=self._pose(m[:3]),
            twist=self._twist(m[3:]),
        )

    def tilted_odometry(self, name: str) -> Draw:
        """Position [m], rotation to map, velocity [m/s] and rates [rad/s] in the body frame."""
        return lambda m: self._bytes(
            ODOMETRY_TYPE,
            header=self._header(),
            child_frame_id=body_frame(name),
            pose=self._pose(m[:3], m[3:7]),
            twist=self._twist(m[7:10], m[10:]),
        )

    def command(self) -> Draw:
        """Wanted velocity [m/s, map]."""
        return lambda m: self._bytes(COMMAND_TYPE, header=self._header(), twist=self._twist_of(m))

    def agent(self, agent_id: int, silent: Sequence[int] = (), aged: bool = False) -> Draw:
        """Position, velocity, seq, u, u_ss, age if ``aged``; the same of silent agents."""
        return lambda m: self._states(agent_state(agent_id, m, silent, aged))

    def target(self, agent_ids: Sequence[int], aged: bool = False) -> Draw:
        """Position, velocity, seq, omega_ref, age if ``aged``, weights of the arcs of some."""
        return lambda m: self._states(
            TargetState(
                m[6], tuple(m[:3]), tuple(m[3:6]),
                tuple(zip(agent_ids, m[8 + aged :], strict=True)), m[7], _age(m, 8, aged),
            )
        )  # fmt: skip

    def adversary(self, aged: bool = False) -> Draw:
        """Position, velocity, seq, age if ``aged``."""
        return lambda m: self._states(
            AdversaryState(m[6], tuple(m[:3]), tuple(m[3:6]), _age(m, 7, aged))
        )

    def telemetry(self, names: Sequence[str]) -> Draw:
        """Position, velocity, failed, pred, succ, and the values of the law by these names."""
        return lambda m: self._joint_state(
            *telemetry_lists(Pose(tuple(m[:3]), tuple(m[3:6])), m[6:9], names, m[9:])
        )

    def metrics(self) -> Draw:
        """The values of ``SAMPLE_NAMES``."""
        return lambda m: self._joint_state([*SAMPLE_NAMES], m)

    def _states(self, *states: AgentState | TargetState | AdversaryState) -> bytes:
        return self._joint_state(*encode(states))

    def _joint_state(
        self, names: list[str], positions: Sequence[float], velocities: Sequence[float] = ()
    ) -> bytes:
        return self._bytes(
            JOINT_STATE_TYPE,
            header=self._header(),
            name=names,
            position=np.array(positions, float),
            velocity=np.array(velocities, float),
            effort=np.array((), float),
        )

    def _pose(self, position: Sequence[float], rotation: Sequence[float] = EAST) -> Any:
        pose = self._make(
            'geometry_msgs/msg/Pose',
            position=self._vector('Point', position),
            orientation=self._vector('Quaternion', rotation),
        )
        return self._make(
            'geometry_msgs/msg/PoseWithCovariance', pose=pose, covariance=np.zeros(36)
        )

    def _twist(self, velocity: Sequence[float], rates: Sequence[float] = STILL) -> Any:
        return self._make(
            'geometry_msgs/msg/TwistWithCovariance',
            twist=self._twist_of(velocity, rates),
            covariance=np.zeros(36),
        )

    def _twist_of(self, velocity: Sequence[float], rates: Sequence[float] = STILL) -> Any:
        return self._make(
            'geometry_msgs/msg/Twist',
            linear=self._vector('Vector3', velocity),
            angular=self._vector('Vector3', rates),
        )

    def _vector(self, kind: str, values: Sequence[float]) -> Any:
        return self._make(f'geometry_msgs/msg/{kind}', **dict(zip('xyzw', values, strict=False)))

    def _header(self) -> Any:
        return self._make('std_msgs/msg/Header', stamp=self._stamp(), frame_id=MAP_FRAME)

    def _stamp(self) -> Any:
        return self._make('builtin_interfaces/msg/Time', sec=0, nanosec=0)

    def _make(self, kind: str, **fields: Any) -> Any:
        return self._types.types[kind](**fields)

    def _bytes(self, kind: str, **fields: Any) -> bytes:
        return bytes(self._types.serialize_cdr(self._make(kind, **fields), kind))


def agent_state(
    agent_id: int, m: Sequence[float], silent: Sequence[int] = (), aged: bool = False
) -> AgentState:
    """Return the state of an agent, from the numbers of ``BagMessages.agent``."""
    end = 9 + aged
    return AgentState(
        agent_id, m[6], tuple(m[:3]), tuple(m[3:6]), m[7], m[8], age=_age(m, 9, aged),
        silent=tuple(_silent(k, m[end + 7 * p :]) for p, k in enumerate(silent)),
    )  # fmt: skip


def _age(m: Sequence[float], at: int, aged: bool) -> float:
    return m[at] if aged else 0.0


def _silent(agent_id: int, m: Sequence[float]) -> SilentBody:
    return SilentBody(agent_id, tuple(m[:3]), tuple(m[3:6]), m[6])


STAMP_AT = 4
"""Where the stamp stands: first, behind the four bytes that announce the encoding."""

MARK = -7.0e15
"""Marks are whole numbers from here on, all different, and like no length, text or zero."""

MAX_LAYOUTS = 256
"""Layouts remembered at most."""


class MessageTemplate:
    """Prints messages whose type begins with a stamp, little-endian."""

    def __init__(self, draw: Callable[[Sequence[float]], bytes], count: int) -> None:
        """Find the places of the numbers.

        Args:
            draw: Returns a serialized message that holds these numbers, each once, as float64.
            count: How many numbers it holds.
        """
        marks = [MARK - i for i in range(count)]
        drawn = draw(marks)
        starts = [drawn.index(struct.pack('<d', mark)) for mark in marks]
        self._blank = np.frombuffer(drawn, np.uint8)
        self._places = np.add.outer(starts, np.arange(8)).astype(int).ravel()

    def print(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count)."""
        sheet = np.tile(self._blank, (len(stamps_ns), 1))
        stamps = np.stack(np.divmod(stamps_ns, 1_000_000_000), axis=1).astype('<u4')
        sheet[:, STAMP_AT : STAMP_AT + 8] = stamps.view(np.uint8)
        filled = np.ascontiguousarray(numbers, '<f8')
        sheet[:, self._places] = filled.view(np.uint8).reshape(len(stamps_ns), -1)
        text, size = sheet.tobytes(), sheet.shape[1]
        return [text[at : at + size] for at in range(0, len(text), size)]


class MessageTemplates:
    """Prints messages that may leave some numbers out: those that are NaN."""

    def __init__(
        self, draw: Callable[[Sequence[int]], Callable[[Sequence[float]], bytes]], count: int
    ) -> None:
        """Have no layout yet.

        Args:
            draw: Returns, for the indices of the optional numbers that are there, what serializes
                such a message.
            count: How many numbers are always there; the optional ones follow.
        """
        self._draw, self._count = draw, count
        self._known: dict[tuple[int, ...], MessageTemplate] = {}

    def print(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count + optional)."""
        there = ~np.isnan(numbers[:, self._count :])
        printed = [b''] * len(stamps_ns)
        for rows, pattern in _alike(there):
            optional = np.flatnonzero(pattern)
            columns = [*range(self._count), *(self._count + optional)]
            template = self._template(tuple(optional.tolist()))
            found = template.print(stamps_ns[rows], numbers[np.ix_(rows, columns)])
            for row, message in zip(rows.tolist(), found, strict=True):
                printed[row] = message
        return printed

    def _template(self, optional: tuple[int, ...]) -> MessageTemplate:
        if optional not in self._known:
            if len(self._known) >= MAX_LAYOUTS:
                self._known.clear()
            count = self._count + len(optional)
            self._known[optional] = MessageTemplate(self._draw(optional), count)
        return self._known[optional]


class GroupTemplates:
    """Prints messages that name some members, each with its numbers.

    A row of numbers is the fixed ones, then ``most`` groups of ``size`` and the index of the
    member, which is negative after the last group.
    """

    def __init__(
        self,
        draw: Callable[[Sequence[int]], Callable[[Sequence[float]], bytes]],
        count: int,
        size: int,
    ) -> None:
        """Have no layout yet.

        Args:
            draw: Returns, for the indices of the members named, what serializes such a message.
            count: How many numbers are always there.
            size: How many numbers belong to a member.
        """
        self._draw, self._count, self._size = draw, count, size
        self._known: dict[tuple[int, ...], MessageTemplate] = {}

    def print(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count + most * (size + 1))."""
        groups = numbers[:, self._count :].reshape(len(numbers), -1, self._size + 1)
        printed = [b''] * len(stamps_ns)
        for rows, pattern in _alike(groups[:, :, -1].astype(int)):
            named = tuple(pattern[pattern >= 0].tolist())
            told = groups[rows, : len(named), :-1].reshape(len(rows), -1)
            fixed = numbers[rows, : self._count]
            found = self._template(named).print(stamps_ns[rows], np.hstack([fixed, told]))
            for row, message in zip(rows.tolist(), found, strict=True):
                printed[row] = message
        return printed

    def _template(self, named: tuple[int, ...]) -> MessageTemplate:
        if named not in self._known:
            if len(self._known) >= MAX_LAYOUTS:
                self._known.clear()
            count = self._count + self._size * len(named)
            self._known[named] = MessageTemplate(self._draw(named), count)
        return self._known[named]


def _alike(keys: NDArray) -> Iterator[tuple[NDArray[np.intp], NDArray]]:
    """Iterate over the different rows of a table: where they are, and one of them."""
    if len(keys) and (keys == keys[0]).all():
        yield np.arange(len(keys)), keys[0]
        return
    patterns, which = np.unique(keys, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield np.flatnonzero(which.ravel() == number), pattern
