"""Setpoints, heartbeats and commands as fields of PX4's messages, and the names of its topics.

What is not used is NaN, never 0: a position of 0 sends the vehicle to its origin. The time 0
stands for PX4's present time.

A topic has a namespace, and a suffix that a version of its message adds.
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.autopilot_requests import (
    Action, Answer, MavResult, Setpoint, SetpointKind
)
from velocity_mobility_ros.core.coordinate_frames import swapped_world, swapped_yaw
from velocity_mobility_ros.core.velocity_model import Vector

NOTHING: Vector = (math.nan, math.nan, math.nan)

Fields = dict[str, int | float | bool | Vector]


def setpoint_fields(setpoint: Setpoint) -> Fields:
    """Return the fields of a TrajectorySetpoint, in NED."""
    target = swapped_world(setpoint.target)
    is_position = setpoint.kind is SetpointKind.POSITION
    return {
        'timestamp': 0,
        'position': target if is_position else NOTHING,
        'velocity': NOTHING if is_position else target,
        'acceleration': swapped_world(setpoint.acceleration),
        'jerk': NOTHING,
        'yaw': swapped_yaw(setpoint.yaw),
        'yawspeed': -setpoint.yaw_rate,
    }


def heartbeat_fields(kind: SetpointKind, names: tuple[str, ...]) -> Fields:
    """Return the fields of an OffboardControlMode: exactly one flag is set.

    Args:
        kind: What is controlled.
        names: Fields of the installed message, which differ between releases.
    """
    flags = {name: name == kind.value for name in names if name != 'timestamp'}
    return {'timestamp': 0, **flags}


LAND, RETURN_TO_LAUNCH, SET_MODE, ARM_DISARM = 21, 20, 176, 400
FORCE = 21196.0
"""Second parameter of a disarming in the air."""

CUSTOM_MODE, MAIN_OFFBOARD, MAIN_AUTO, SUB_LOITER = 1.0, 6.0, 4.0, 3.0

NAN = math.nan


class Px4Command(NamedTuple):
    """Number and the first three parameters; the other ones are 0."""

    number: int
    param1: float = 0.0
    param2: float = 0.0
    param3: float = 0.0


COMMANDS = {
    Action.OFFBOARD: Px4Command(SET_MODE, CUSTOM_MODE, MAIN_OFFBOARD),
    Action.HOLD: Px4Command(SET_MODE, CUSTOM_MODE, MAIN_AUTO, SUB_LOITER),
    Action.LAND: Px4Command(LAND, NAN, NAN, NAN),
    Action.RETURN: Px4Command(RETURN_TO_LAUNCH),
    Action.ARM: Px4Command(ARM_DISARM, 1.0),
    Action.DISARM: Px4Command(ARM_DISARM, 0.0),
    Action.KILL: Px4Command(ARM_DISARM, 0.0, FORCE),
}

RESULTS = dict(enumerate(MavResult))
"""MAV_RESULT by number, in the order of ``MavResult``; those of 1.18 beyond it are refusals."""


class Address(NamedTuple):
    """Who commands whom.

    Attributes:
        system: MAVLink system id of the vehicle, as it reports it.
        component: Its component id.
        source_component: Of this bridge: PX4 repeats it in its answers.
    """

    system: int
    component: int
    source_component: int


def command_fields(action: Action, to: Address) -> dict[str, float | int | bool]:
    """Return the fields of a VehicleCommand; its time 0 stands for PX4's present time.

    Args:
        action: What is asked for.
        to: Who commands whom.

    Raises:
        KeyError: PX4 has no command for the action.
    """
    number, *params = COMMANDS[action]
    first, second, third = params
    return {
        'timestamp': 0, 'param1': first, 'param2': second, 'param3': third, 'param4': 0.0,
        'param5': 0.0, 'param6': 0.0, 'param7': 0.0, 'command': number,
        'target_system': to.system, 'target_component': to.component,
        'source_system': to.system, 'source_component': to.source_component,
        'confirmation': 0, 'from_external': True,
    }  # fmt: skip


def answer(message: Any, source_component: int, received: float) -> Answer | None:
    """Return a VehicleCommandAck as an answer; None if it is not for this bridge.

    Args:
        message: The message.
        source_component: That of this bridge.
        received: Monotonic time of its arrival [s].
    """
    if message.target_component != source_component:
        return None
    actions = frozenset(
        action for action, command in COMMANDS.items() if command.number == message.command
    )
    if not actions:
        return None
    return Answer(received, actions, RESULTS.get(message.result, MavResult.DENIED))


MESSAGES_IN = {
    'offboard_control_mode': 'OffboardControlMode',
    'trajectory_setpoint': 'TrajectorySetpoint',
    'vehicle_command': 'VehicleCommand',
}
"""Message by topic, to PX4."""

MESSAGES_OUT = {
    'vehicle_status': 'VehicleStatus',
    'vehicle_local_position': 'VehicleLocalPosition',
    'vehicle_odometry': 'VehicleOdometry',
    'vehicle_command_ack': 'VehicleCommandAck',
    'vehicle_land_detected': 'VehicleLandDetected',
    'battery_status': 'BatteryStatus',
    'failsafe_flags': 'FailsafeFlags',
    'timesync_status': 'TimesyncStatus',
}
"""Message by topic, from PX4."""

REQUEST, RESPONSE = 'message_format_request', 'message_format_response'
"""Question for the format of a message, to PX4, and its answer, from 1.15 on."""

MESSAGES_OF_FORMAT = {REQUEST: 'MessageFormatRequest', RESPONSE: 'MessageFormatResponse'}
"""Message by topic, of these two."""

NEEDED = ('vehicle_status', 'vehicle_local_position', 'vehicle_odometry')
"""Topics from PX4 without which nothing flies."""

SUFFIX = re.compile(r'_v(\d+)$')


def topic_name(namespace: str, direction: str, topic: str, version: int) -> str:
    """Return the full name of a topic.

    Args:
        namespace: PX4's own, such as ``px4_1``; empty: none.
        direction: ``in`` (to PX4) or ``out``.
        topic: Its name without a suffix.
        version: MESSAGE_VERSION of its message; 0: no suffix.
    """
    prefix = f'/{namespace.strip("/")}' if namespace.strip('/') else ''
    return f'{prefix}/fmu/{direction}/{topic}{f"_v{version}" if version else ""}'


def version_fault(namespace: str, versions: Mapping[str, int], published: Iterable[str]) -> str:
    """Return the fault of a vehicle with other message versions than ours; empty without one.

    Args:
        namespace: PX4's own.
        versions: MESSAGE_VERSION of the installed messages, by message.
        published: Full names of all topics that somebody publishes.
    """
    names = set(published)
    for topic in NEEDED:
        wanted = versions.get(MESSAGES_OUT[topic], 0)
        if topic_name(namespace, 'out', topic, wanted) in names:
            continue
        base = topic_name(namespace, 'out', topic, 0)
        for name in sorted(names):
            version = 0 if name == base else version_after(base, name)
            if version is not None:
                return (
                    f'px4_msgs is for version {wanted} of {MESSAGES_OUT[topic]}, the vehicle '
                    f'publishes version {version} ({name}); install the branch of px4_msgs that '
                    'belongs to its firmware'
                )
    return ''


def version_after(base: str, name: str) -> int | None:
    """Return the version in a topic's name with a base, None if it is another topic."""
    suffix = SUFFIX.search(name)
    return int(suffix[1]) if suffix and name[: suffix.start()] == base else None


def other_namespaces(namespace: str, published: Iterable[str]) -> tuple[str, ...]:
    """Return the namespaces in which some PX4 publishes its status, other than one's own."""
    namespaces = set()
    for name in published:
        head, middle, tail = name.partition('/fmu/out/vehicle_status')
        if middle and (not tail or SUFFIX.fullmatch(tail)):
            namespaces.add(head.strip('/'))
    return tuple(sorted(namespaces - {namespace.strip('/')}))
