"""The kinds of emulated autopilots: how they are made, what is true, what can happen to them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from support.ardupilot_emulator import ApDdsEmulator, ArduSettings
from support.autopilot.ros.endpoints import Interface
from support.mavros_emulator import ArduPilotSide, MavrosEmulator, Px4Side
from support.mavros_emulator.px4_side import FLYABLE
from support.px4_emulator.settings import Settings
from velocity_mobility_ros.autopilot.protocols import (
    ap_dds as ardupilot_topics, mavros as mavros_topics
)
from velocity_mobility_ros.ros_io.autopilot.autopilot_link import load

PATIENT = FLYABLE._replace(com_of_loss_t=3.0)
"""PX4 that bears a bridge on a slow machine."""


class Kind(NamedTuple):
    """A kind of autopilot.

    Attributes:
        make: Makes an emulator of changed settings.
        interface: Returns what it has on DDS.
        do: What can happen, by name.
    """

    make: Callable[[dict[str, Any]], Any]
    interface: Callable[[], Interface]
    do: dict[str, Callable[..., None]]


def _ap_dds() -> Interface:
    from geometry_msgs.msg import TwistStamped

    return Interface(
        load(ardupilot_topics.MESSAGES_OUT, 'msg'),
        frozenset({ardupilot_topics.STATUS}),
        load(ardupilot_topics.SERVICES, 'srv'),
        (ardupilot_topics.COMMAND, TwistStamped),
    )


def _mavros() -> Interface:
    target = load({'': ('mavros_msgs', 'PositionTarget')}, 'msg')['']
    return Interface(
        load(mavros_topics.MESSAGES_OUT, 'msg'),
        mavros_topics.LATCHED,
        load(mavros_topics.SERVICES, 'srv'),
        (mavros_topics.SETPOINT, target),
    )


def copter_of(emulator: Any) -> Any:
    """Return the ArduCopter of an emulator."""
    return emulator.copter if isinstance(emulator, ApDdsEmulator) else emulator.side.copter


def operator_word(emulator: Any) -> None:
    """Tell the strict mode of PX4 that the operator speaks."""
    emulator.side.px4.operator_word()


KINDS = {
    'ap_dds': Kind(lambda changed: ApDdsEmulator(ArduSettings(**changed)), _ap_dds, {}),
    'mavros_ardupilot': Kind(
        lambda changed: MavrosEmulator(ArduPilotSide(ArduSettings(**changed))), _mavros, {}
    ),
    'mavros_px4': Kind(
        lambda changed: MavrosEmulator(
            Px4Side(Settings(**({'vehicle': 'kinematic', 'parameters': PATIENT} | changed)))
        ),
        _mavros,
        {'operator_word': operator_word},
    ),
}


def truth(emulator: Any) -> dict[str, Any]:
    """Return what is true about a vehicle."""
    side = getattr(emulator, 'side', None)
    px4 = getattr(side, 'px4', None)
    if px4 is None:
        copter = copter_of(emulator)
        body, mode, armed = copter.body.truth, copter.mode.name, copter.armed
    else:
        body, mode, armed = side.truth, side.heartbeat().mode, side.armed
    return {
        'position': [body.latitude, body.longitude, body.altitude],
        'height': body.height,
        'velocity': list(body.velocity),
        'heading': body.heading,
        'mode': mode,
        'armed': armed,
        'ignored': list(getattr(emulator, 'ignored', []))[-3:],
        'violations': [] if px4 is None else [list(one) for one in px4.violations[:20]],
    }
