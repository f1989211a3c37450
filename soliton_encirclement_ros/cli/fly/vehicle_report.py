"""What the bridge of a vehicle reports, on ``bridge_state`` and on the topic of its fleet."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.cli.operator.member_reports import FENCE, number_in
from soliton_encirclement_ros.core.stop.stop_words import MEMBER

MAX_TEXT = 300
"""Characters of a text of a bridge that are kept."""


class VehicleReport(NamedTuple):
    """One message of a bridge.

    Attributes:
        state: What the bridge does; None: a state that this program does not know.
        reason: Why, in words.
        ready: Whether all checks for a take-off hold.
        waits_for: The checks that fail, in words; empty: none.
        autopilot: Type of the autopilot.
        mode: The autopilot's own name of its mode.
        armed: Whether the motors may turn; None: not known.
        landed: Whether the vehicle stands; None: not known.
        system_id: MAVLink system id; 0: not known.
        battery: Share that is left, 0 to 1; NaN: not known.
        position: In the frame of the swarm [m]; None: not known.
        origin: Origin of that frame, as the bridge was told.
        clock_offset: Stamp of its last odometry minus the clock of its computer [s]; NaN: not
            known.
        command_age: Age of its last velocity command [s]; infinite: none yet.
        odometry_age: Age of its last odometry [s]; infinite: none yet.
        fence: How far inside its own bounds to the side it is [m]; negative: outside; infinite: it
            has none.
        warnings: What its operator should know, in words; empty: nothing.
        agrees: Whether it would arm now, and waits for the release of all.
        fleet: Names of all vehicles that it knows of, its own included.
        fleet_is_stated: Whether it was told them, and has not only heard them.
        hears: Names of the vehicles whose bridges it hears now.
        silent: What it last heard of bridges that are silent, in words.
        order_id: The last order that it has answered; empty: none.
        order: What was ordered.
        order_by: Who ordered it.
        order_accepted: Whether it carries it out.
        order_answer: The answer, in words.
        bridge_id: Which process reports; empty: not known.
    """

    state: State | None
    reason: str
    ready: bool
    waits_for: str
    autopilot: str
    mode: str
    armed: bool | None
    landed: bool | None
    system_id: int
    battery: float
    position: Vector | None
    origin: str
    clock_offset: float
    command_age: float
    odometry_age: float
    fence: float = math.inf
    warnings: str = ''
    agrees: bool = False
    fleet: tuple[str, ...] = ()
    fleet_is_stated: bool = False
    hears: tuple[str, ...] = ()
    silent: str = ''
    order_id: str = ''
    order: str = ''
    order_by: str = ''
    order_accepted: bool = False
    order_answer: str = ''
    bridge_id: str = ''

    @property
    def in_words(self) -> str:
        """The state, in words."""
        return 'unknown state' if self.state is None else self.state.value


def read_report(message: str, values: Mapping[str, str]) -> VehicleReport:
    """Return the report in a status; what is missing or malformed is not known.

    Args:
        message: The text of the status.
        values: Its key values.
    """
    place = tuple(number_in(values, key, math.nan) for key in ('x', 'y', 'z'))
    return VehicleReport(
        state=State.__members__.get(values.get('state', '')),
        reason=message[:MAX_TEXT],
        ready=values.get('ready') == 'true',
        waits_for=values.get('waits_for', '')[:MAX_TEXT],
        autopilot=values.get('autopilot', '')[:MAX_TEXT],
        mode=values.get('autopilot_mode', '')[:MAX_TEXT],
        armed=_flag(values, 'armed'),
        landed=_flag(values, 'landed'),
        system_id=_whole(values, 'system_id'),
        battery=number_in(values, 'battery', math.nan),
        position=place if all(map(math.isfinite, place)) else None,
        origin=values.get('origin', '')[:MAX_TEXT],
        clock_offset=number_in(values, 'clock_offset_s', math.nan),
        command_age=number_in(values, 'command_age_s', math.inf),
        odometry_age=number_in(values, 'odometry_age_s', math.inf),
        fence=number_in(values, FENCE, math.inf),
        agrees=values.get('agrees') == 'true',
        fleet=_names(values.get('fleet', '')),
        hears=_names(values.get('hears', '')),
        fleet_is_stated=values.get('fleet_is_stated') == 'true',
        order_accepted=values.get('order_accepted') == 'true',
        **{key: values.get(key, '')[:MAX_TEXT] for key in TEXTS},
    )


TEXTS = (
    'warnings', 'silent', 'order_id', 'order', 'order_by', 'order_answer', 'bridge_id'
)  # fmt: skip
"""Attributes that are texts of the same name."""


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(',') if MEMBER.fullmatch(name))


def _flag(values: Mapping[str, str], key: str) -> bool | None:
    return {'true': True, 'false': False}.get(values.get(key, ''))


def _whole(values: Mapping[str, str], key: str) -> int:
    text = values.get(key, '')
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
