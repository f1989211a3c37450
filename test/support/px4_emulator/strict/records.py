"""What strict mode sees, and what it writes down."""

from typing import NamedTuple

from support.px4_emulator.commander.heartbeat import Heartbeat
from support.px4_emulator.constants import NavState


class Violation(NamedTuple):
    """What was done wrong, when [s], and the rule's name."""

    time: float
    rule: str
    what: str


class Scene(NamedTuple):
    """The state of the vehicle when a message is sent: times [s], NED [m]."""

    now: float
    nav_state: NavState
    nav_state_since: float
    armed: bool
    landed: bool
    position_valid: bool
    position: tuple[float, float, float]
    heartbeat: Heartbeat
