"""Failures of an agent: random with recovery, scheduled, and by an operator's request."""

import math
from collections.abc import Sequence

import numpy as np

from soliton_encirclement_ros.core.parameters.swarm_parameters import FailureParameters
from soliton_encirclement_ros.core.schedules import (
    ROUNDING, Periodic, Window, due, is_open, outages
)
from soliton_encirclement_ros.swarm.memory import FlightMemory
from soliton_encirclement_ros.swarm.memory_rows import Health
from soliton_encirclement_ros.swarm.rules import Rules


def failure_probability(mean_per_min: float, period: float) -> float:
    """Return the probability of a failure within one check period, ``1 - exp(-rate dt)``.

    Args:
        mean_per_min: Mean failures per minute of up-time.
        period: Check period dt [s].
    """
    return 1.0 - math.exp(-(mean_per_min / 60.0) * period)


def take_down(health: Health, back_at: float) -> None:
    """Let an agent be down until a time [s]."""
    health.broken, health.back_at = True, back_at


def bring_back(health: Health, now: float) -> None:
    """Let an agent be up from a time [s] on; its checks start then."""
    health.broken, health.back_at = False, math.inf
    health.checked_since, health.checks = now, 0


def come_back_in_time(health: Health, now: float) -> None:
    """Let an agent that is down come back if its time [s] has come."""
    if now + ROUNDING >= health.back_at:
        bring_back(health, now)


def due_checks(health: Health, now: float, period: float) -> int:
    """Return how many checks of a period [s] are due at a time [s]."""
    return due(Periodic(health.checked_since, health.checks), now, period)


def note_checks(health: Health, checks: int, fails: bool, back_at: float) -> None:
    """Note some checks, and whether one was a failure, from which it is back at a time [s]."""
    health.checks += checks
    if fails:
        take_down(health, back_at)


def is_failed(health: Health) -> bool:
    """Return whether an agent was down after the last update."""
    return health.broken or health.out


def is_out(flight: FlightMemory, i: int, now: float) -> bool:
    """Return whether an agent is scheduled to be down at a time [s]."""
    schedule = flight.schedule
    for w in range(schedule.outage_from[i], schedule.outage_from[i + 1]):
        if is_open(schedule.outages[w, 0], schedule.outages[w, 1], now):
            return True
    return False


def is_down(flight: FlightMemory, i: int, now: float) -> bool:
    """Return whether an agent receives nothing at a time [s]."""
    return flight.health[i].broken or is_out(flight, i, now)


def update_health(rules: Rules, flight: FlightMemory, i: int, now: float) -> bool:
    """Let an agent fail or recover; return whether it is down at this tick.

    After a random failure the tick of recovery still counts as down: control resumes one period
    later. A scheduled outage is over at the first tick at or after its end.
    """
    health, failure = flight.health[i], rules.failure
    health.out = is_out(flight, i, now)
    if health.broken:
        come_back_in_time(health, now)
        return True
    if failure.enable:
        checks = due_checks(health, now, failure.period)
        note_checks(health, checks, draws_failure(flight, i, checks), now + failure.off_time)
    return is_failed(health)


def draws_failure(flight: FlightMemory, i: int, count: int) -> bool:
    """Make some draws, which are known beforehand; return whether one of them is a failure."""
    health, schedule = flight.health[i], flight.schedule
    health.drawn += count
    k, end = health.next_fail, schedule.fail_from[i + 1]
    fails = False
    while k < end and schedule.fails[k] < health.drawn:
        fails = True
        k += 1
    health.next_fail = k
    return fails


def injection_text(parameters: FailureParameters, agent_id: int) -> str:
    """Return as text how failures are injected into an agent, empty if they are not.

    Raises:
        ScenarioError: The schedule is invalid.
    """
    rate, off_time = parameters.failure_mean_failures_per_min, parameters.failure_off_time
    causes = []
    if parameters.failure_enable and rate > 0.0:
        causes.append(f'at random (mean {rate:g} per minute of up-time, each for {off_time:g} s)')
    windows = [_span(window) for window in outages(parameters.failure_schedule, agent_id)]
    if windows:
        causes.append(f'by schedule ({", ".join(windows)})')
    return ' and '.join(causes)


def _span(window: Window) -> str:
    begin, end = window.begin, window.end
    return f'from {begin:g} s on' if math.isinf(end) else f'{begin:g}..{end:g} s'


class Failures:
    """The health of an agent that draws as it flies, and that an operator takes down.

    Random failures and schedule are independent: a scheduled outage shifts no draw.
    """

    def __init__(
        self,
        parameters: FailureParameters,
        stream: np.random.Generator,
        start: float,
        scheduled: Sequence[Window] = (),
    ) -> None:
        """Be up from ``start`` [s] on, except in scheduled outages.

        Args:
            parameters: How often it fails at random, and for how long.
            stream: Random stream of all draws.
            start: When the first check period begins [s].
            scheduled: When it is down in any case.
        """
        self._parameters = parameters
        self._stream = stream
        self._probability = failure_probability(
            parameters.failure_mean_failures_per_min, parameters.failure_check_period
        )
        self._health = Health(checked_since=start)  # type: ignore[call-arg]  # a row
        self._outages = list(scheduled)
        self._injecting = True
        self._reason = ''

    @property
    def failed(self) -> bool:
        """Whether the agent was down after the last update."""
        return is_failed(self._health)

    @property
    def cause(self) -> str:
        """Why the agent is down, as text; empty while it is up."""
        if self._health.out:
            return 'scheduled failure'
        if not self._health.broken:
            return ''
        return self._reason if math.isinf(self._health.back_at) else 'random failure'

    def is_down(self, now: float) -> bool:
        """Return whether the agent receives nothing at a time [s] at or after the last update."""
        return self._health.broken or self._is_out(now)

    def update(self, now: float) -> bool:
        """Fail or recover if the time has come; return whether the agent is down at ``now`` [s].

        As ``update_health``, with draws made now.
        """
        health, parameters = self._health, self._parameters
        health.out = self._is_out(now)
        if health.broken:
            come_back_in_time(health, now)
            return True
        if self._injecting and parameters.failure_enable:
            checks = due_checks(health, now, parameters.failure_check_period)
            back_at = now + parameters.failure_off_time
            note_checks(health, checks, self._draws_failure(checks), back_at)
        return is_failed(health)

    def inject(self, on: bool, now: float) -> None:
        """Enable or disable random and scheduled failures from ``now`` [s] on; not the operator's.

        While disabled nothing is drawn, and an agent that was down because of them comes back.
        """
        if on == self._injecting:
            return
        self._injecting = on
        self._health.out = self._is_out(now)
        by_chance = math.isfinite(self._health.back_at)
        if not self._health.broken or (by_chance and not on):
            bring_back(self._health, now)

    def fail(self, back_at: float = math.inf, reason: str = 'operator') -> None:
        """Go down until ``back_at`` [s]; without a time until ``recover``."""
        self._reason = reason
        take_down(self._health, back_at)

    def recover(self, now: float) -> None:
        """Come back at ``now`` [s], also from an outage that is scheduled to go on."""
        self._outages = [outage for outage in self._outages if not outage.is_open(now)]
        self._health.out = False
        bring_back(self._health, now)

    def _is_out(self, now: float) -> bool:
        return self._injecting and any(outage.is_open(now) for outage in self._outages)

    def _draws_failure(self, checks: int) -> bool:
        """Make all the draws that are due, so that a fast check keeps its rate on slow ticks."""
        draws = [self._stream.random() for _ in range(checks)]
        return any(draw < self._probability for draw in draws)
