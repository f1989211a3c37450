"""Report of a bridge on its vehicle: on every change and answer, and twice a second.

The same message goes to ``bridge_state`` of the vehicle and to the topic of its fleet.
The log tells each new state and each new reason once.
"""

import math
import re
from collections.abc import Callable, Mapping

from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.node import Node
from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.bridge import Bridge, LinkFacts
from velocity_mobility_ros.autopilot.engage.engage_records import FLYING, Outputs, State
from velocity_mobility_ros.ros_io.endpoints import LATCHED, make_publisher
from velocity_mobility_ros.ros_io.vehicle_topics import BRIDGE_STATE

NAME = 'autopilot bridge'
PERIOD = 0.5
UNKNOWN = 'unknown'

STRAYED = 2.0
"""Distance from the place that a vehicle keeps from which on it is said to stray [m]."""

ERRORS = frozenset({State.FAULT, State.LINK_LOST})
WAITS = frozenset({State.WAIT_LINK, State.EXTERNAL, State.HOLD_REENTRY})


class BridgeReport:
    """Publishes the state of the bridge."""

    def __init__(
        self,
        node: Node,
        kind: str,
        also_to: Publisher | None = None,
        further: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """Open the topic.

        Args:
            node: The node.
            kind: Name of the autopilot.
            also_to: Publishes the same message on another topic.
            further: Returns further values.
        """
        own = make_publisher(node, DiagnosticStatus, BRIDGE_STATE, LATCHED)
        self._publishers = [own, also_to] if also_to else [own]
        self._further, self._is_due = further, False
        self._namespace, self._kind = node.get_namespace(), kind
        self._last: tuple[State, bool] | None = None
        self._warnings: tuple[str, ...] = ()
        self._sent, self._longest_tick = -math.inf, 0.0
        self._faults: tuple[str, ...] = ()

    def hasten(self) -> None:
        """Publish at the next step."""
        self._is_due = True

    def update(
        self, bridge: Bridge, out: Outputs, link: LinkFacts, now: float, tick: float, offset: float
    ) -> None:
        """Publish if the state has changed, or if it is time to.

        Args:
            bridge: The bridge.
            out: What its last step said.
            link: What the transport knows.
            now: Monotonic time [s].
            tick: Time since the step before [s].
            offset: Stamp of the last odometry less this computer's clock [s]; NaN: unknown.
        """
        self._longest_tick = max(self._longest_tick, tick)
        news = out.state, bridge.memory.agrees
        if news == self._last and not self._is_due and 0.0 <= now - self._sent < PERIOD:
            return
        self._last, self._sent, self._is_due = news, now, False
        self._faults = waits_for(bridge, out)
        self._warnings = warnings(bridge, out)
        message = self._message(bridge, out, link, now, offset)
        for publisher in self._publishers:
            publisher.publish(message)
        self._longest_tick = 0.0

    def reason(self, out: Outputs) -> str:
        """Return the reason of the state of the bridge, as text, with the checks that fail."""
        if out.state is State.READY and self._faults:
            return f'not ready: {"; ".join(self._faults)}'
        return '; '.join((*self._warnings, out.reason))

    def level(self, out: Outputs, link: LinkFacts) -> bytes:
        """Return the severity of the state of the bridge."""
        if link.fault or out.state in ERRORS:
            return DiagnosticStatus.ERROR
        is_unready = out.state is State.READY and self._faults
        warns = is_unready or self._warnings or out.state in WAITS
        return DiagnosticStatus.WARN if warns else DiagnosticStatus.OK

    def _message(
        self, bridge: Bridge, out: Outputs, link: LinkFacts, now: float, offset: float
    ) -> DiagnosticStatus:
        message = DiagnosticStatus(
            name=NAME, hardware_id=self._namespace, level=self.level(out, link),
            message=self.reason(out),
        )  # fmt: skip
        values = {
            'autopilot': self._kind,
            **vehicle_values(bridge, out, now),
            **self._further(),
            'clock_offset_s': number(offset),
            'tick_ms': f'{1e3 * self._longest_tick:.0f}',
        }
        message.values = [KeyValue(key=key, value=value) for key, value in values.items()]
        return message


def vehicle_values(bridge: Bridge, out: Outputs, now: float) -> Mapping[str, str]:
    """Return the known values of the vehicle, by name.

    Args:
        bridge: The bridge.
        out: What its last step said.
        now: Monotonic time [s].
    """
    known, faults = bridge.known, waits_for(bridge, out)
    status, battery, odometry = known.status, known.battery, known.odometry
    x, y, z = bridge.position or (math.nan, math.nan, math.nan)
    radius = bridge.parameters.guidance.keep_in_radius
    origin = bridge.parameters.frame.origin
    return {
        'state': out.state.name,
        'ready': flag(out.state is State.READY and not faults),
        'waits_for': '; '.join(faults),
        'warnings': '; '.join(warnings(bridge, out)),
        'agrees': flag(bridge.memory.agrees),
        'state_s': number(now - bridge.memory.since),
        'autopilot_mode': UNKNOWN if status is None else status.mode_name or status.mode.value,
        'armed': UNKNOWN if status is None else flag(status.is_armed),
        'landed': UNKNOWN if known.land is None else flag(known.land.landed),
        'system_id': UNKNOWN if status is None else str(status.system_id),
        'battery': UNKNOWN if battery is None else number(battery.remaining),
        'x': number(x),
        'y': number(y),
        'z': number(z),
        'fence_distance_m': number(radius - math.hypot(x, y)) if radius > 0.0 else UNKNOWN,
        'origin': f'{origin.latitude:.7f},{origin.longitude:.7f},{origin.altitude:.2f}',
        'command_age_s': number(bridge.command_age),
        'odometry_age_s': UNKNOWN if odometry is None else number(now - odometry.received),
    }


def waits_for(bridge: Bridge, out: Outputs) -> tuple[str, ...]:
    """Return faults that keep a standing vehicle from take-off, or a waiting one from flight."""
    if out.state in (State.READY, State.PRECHECK):
        return bridge.faults
    return () if out.state in FLYING - {State.HOLD_REENTRY} else (out.reason,)


def warnings(bridge: Bridge, out: Outputs) -> tuple[str, ...]:
    """Return warnings to the operator of a vehicle in flight, the gravest first."""
    battery, least = bridge.known.battery, bridge.parameters.engage.min_battery
    status = bridge.known.status
    if status is None or not status.is_armed:
        return ()
    texts = []
    if battery is not None and battery.is_connected and battery.remaining < least:
        texts.append(f'battery at {100.0 * battery.remaining:.0f} %: land soon')
    if bridge.outside > 0.0 and out.state in FLYING - {State.TAKE_OFF}:
        texts.append(f'{bridge.outside:.1f} m outside of its room')
    if bridge.hold_deviation > STRAYED:
        texts.append(f'{bridge.hold_deviation:.1f} m from the place that it is to keep')
    return tuple(texts)


def flag(value: bool) -> str:
    """Return true or false as text."""
    return 'true' if value else 'false'


def number(value: float) -> str:
    """Return a number as text, ``unknown`` if it is not finite."""
    return f'{value:.3f}' if math.isfinite(value) else UNKNOWN


NUMBERS = re.compile(r'[-\d.]+')

LASTS = 3.0
"""Time for which the reason of a vehicle that stands must last until it is logged [s]: at the
start one follows another."""

PASSING = (State.WAIT_LINK, State.READY)
"""States whose reasons have to last."""


class StateLog:
    """Logs changes of state and reason."""

    def __init__(self, logger: RcutilsLogger) -> None:
        """Begin without an entry.

        Args:
            logger: Of the node.
        """
        self._logger = logger
        self._said, self._next, self._since = '', '', 0.0
        self._last: tuple[State, str] | None = None

    def tell(self, state: State, reason: str, level: bytes, now: float) -> None:
        """Log state and reason if they are new; numbers in it alone are not news.

        Args:
            state: The state.
            reason: The reason in words.
            level: Its severity, as in DiagnosticStatus.
            now: Monotonic time [s].
        """
        if (state, reason) == self._last and self._next == self._said:
            return  # most steps: nothing is new, nothing waits to be said
        self._last = state, reason
        text = NUMBERS.sub('', f'{state.name}: {reason}')
        if text != self._next:
            self._next, self._since = text, now
        has_lasted = level == DiagnosticStatus.OK or state not in PASSING
        if text == self._said or not (has_lasted or now - self._since >= LASTS):
            return
        self._said = text
        line = f'{state.name}: {reason}'
        if level == DiagnosticStatus.OK:
            self._logger.info(line)
        elif level == DiagnosticStatus.WARN:
            self._logger.warning(line)
        else:
            self._logger.error(line)
