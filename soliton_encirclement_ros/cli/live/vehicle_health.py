"""How the vehicles of a fleet are, by what their nodes and bridges report, in words."""

import math
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from diagnostic_msgs.msg import DiagnosticStatus
from velocity_mobility_ros.autopilot.engage.states import State

from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport, read_report
from soliton_encirclement_ros.cli.operator.member_reports import number_in
from soliton_encirclement_ros.core.states.swarm_topics import SIMULATION, STOPPED, WORLD, Fleet

VALID_FOR = 5.0
"""Wall time for which a status counts [s]."""

MOST_TEXT = 200

ERROR = 2
"""Level of a status from which on it is an alarm; stale is one, too."""

TROUBLE = (State.LINK_LOST, State.FAULT, State.KILLING, State.EXTERNAL, None)
"""States of bridges that an operator looks at."""

NEW = (None, 0.0)


NUMBERS = 'filter_share', 'period_p99_ms'
"""What of the values of a status is shown."""


class _Status(NamedTuple):
    level: int
    text: str
    is_stopped: bool
    at: float
    filter_share: float
    period_ms: float


class VehicleHealth:
    """What is reported of each vehicle."""

    def __init__(self, fleet: Fleet) -> None:
        """Know nothing."""
        self._fleet = fleet
        self._statuses: dict[str, dict[str, _Status]] = {}
        self._bridges: dict[str, tuple[VehicleReport, float]] = {}
        self._news: list[tuple[str, str, bool]] = []
        self._world = fleet.full_name(WORLD).strip('/')
        self._simulation: tuple[Mapping[str, str], float] = ({}, -math.inf)

    def take(self, statuses: Iterable[DiagnosticStatus]) -> None:
        """Take statuses of nodes."""
        now = time.monotonic()
        for one in statuses:
            if one.hardware_id == self._world and one.name.endswith(SIMULATION):
                self._simulation = {pair.key: pair.value for pair in one.values}, now
            root, _, name = f'/{one.hardware_id}'.rpartition('/')
            if root != self._fleet.namespace:
                continue
            values = {pair.key: pair.value for pair in one.values}
            stopped = values.get(STOPPED) == 'true'
            level = one.level[0] if isinstance(one.level, bytes) else one.level
            known = self._statuses.setdefault(name, {})
            before = known.get(one.name)
            # That it was stopped, its flag tells.
            if level >= ERROR and not stopped and (before is None or before.level < ERROR):
                self._news.append((name, one.message[:MOST_TEXT], True))
            share, period = (number_in(values, key, math.nan) for key in NUMBERS)
            text = one.message[:MOST_TEXT]
            known[one.name] = _Status(level, text, stopped, now, share, period)

    def take_bridge(self, status: DiagnosticStatus) -> None:
        """Take the report of a bridge."""
        root, _, name = status.hardware_id.rpartition('/')
        if name and root == self._fleet.namespace:
            values = {one.key: one.value for one in status.values}
            report, (before, _) = read_report(status.message, values), self._bridges.get(name, NEW)
            self._bridges[name] = report, time.monotonic()
            if before is None or before.state is not report.state:
                text = f'bridge: {report.in_words} ({report.reason})'
                self._news.append((name, text, report.state in TROUBLE))

    def take_news(self) -> list[tuple[str, str, bool]]:
        """Return since the last call whose nodes report an error, and which bridges do what.

        Returns:
            The vehicle, a text, and whether it is bad.
        """
        news, self._news = self._news, []
        return news

    @property
    def stopped(self) -> frozenset[str]:
        """Names of the members that are stopped."""
        return frozenset(
            name for name in self._statuses if any(one.is_stopped for one in self._fresh(name))
        )

    @property
    def simulation(self) -> dict[str, Any] | None:
        """How fast simulated time passes, and whether it is paused; None without a world."""
        values, at = self._simulation
        if time.monotonic() - at > VALID_FOR or values.get('finished') == 'True':
            return None
        factor = number_in(values, 'real_time_factor', math.nan)
        return {
            'factor': factor if math.isfinite(factor) else None,
            'paused': values.get('paused') == 'True',
        }

    @property
    def source(self) -> str:
        """What flies, in words; empty until that is known."""
        if self._bridges:
            return 'vehicles with autopilots, real or SITL'
        return 'a simulation' if self._simulation[0] else ''

    @property
    def period_ms(self) -> float | None:
        """The longest control period of an agent [ms], 99 of 100 are shorter; None: not told."""
        every = (one.period_ms for name in self._statuses for one in self._fresh(name))
        return _largest(every)

    def row(self, name: str, is_down: bool) -> Mapping[str, Any]:
        """Return what the table says of a vehicle: state, health, share of filtered commands.

        Args:
            name: The vehicle.
            is_down: Whether it has failed.
        """
        found = sorted(self._fresh(name), reverse=True)
        faults = [one for one in found if one.level > 0]
        bridge, at = self._bridges.get(name, (None, 0.0))
        is_bridged = bridge is not None and time.monotonic() - at <= VALID_FOR
        state = 'down' if is_down else 'stopped' if name in self.stopped else 'up'
        words = faults[0].text if faults else 'ok' if found else 'no report'
        if is_bridged:
            state = f'{bridge.in_words}' if state == 'up' else f'{bridge.in_words}, {state}'
            state += f', waits for {bridge.waits_for}' if bridge.waits_for else ''
            battery = f'battery {100.0 * bridge.battery:.0f} %' if bridge.battery >= 0.0 else ''
            words = '; '.join(filter(None, [words, battery]))
        is_bad = is_down or any(one.level > 1 for one in faults)
        is_bad |= is_bridged and bridge.state in TROUBLE
        share = _largest(one.filter_share for one in found)
        return {'state': state, 'health': words, 'bad': is_bad, 'filtered': share}

    def _fresh(self, name: str) -> list[_Status]:
        now = time.monotonic()
        return [one for one in self._statuses.get(name, {}).values() if now - one.at <= VALID_FOR]


def _largest(numbers: Iterable[float]) -> float | None:
    """Return the largest of some numbers that are known, None if none is."""
    return max((one for one in numbers if not math.isnan(one)), default=None)
