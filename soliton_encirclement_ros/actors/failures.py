"""Failures of an agent: random with recovery, scheduled, and by an operator's request."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.parameters.failure_parameters import FailureParameters
from soliton_encirclement_ros.core.schedules.outage_schedule import outages
from soliton_encirclement_ros.core.schedules.periodic import ROUNDING, Periodic, counted, due
from soliton_encirclement_ros.core.schedules.windows import Window


def failure_probability(mean_per_min: float, period: float) -> float:
    """Return the probability of a failure within one check period, ``1 - exp(-rate dt)``.

    Args:
        mean_per_min: Mean failures per minute of up-time.
        period: Check period dt [s].
    """
    return 1.0 - math.exp(-(mean_per_min / 60.0) * period)


def injection_text(parameters: FailureParameters, agent_id: int) -> str:
    """Return as text how failures are injected into an agent, empty if they are not.

    Raises:
        ScenarioError: The schedule is invalid.
    """
    rate, off_time = parameters.failure_mean_failures_per_min, parameters.failure_off_time
    parts = []
    if parameters.failure_enable and rate > 0.0:
        parts.append(f'at random (mean {rate:g} per minute of up-time, each for {off_time:g} s)')
    windows = [_span(window) for window in outages(parameters.failure_schedule, agent_id)]
    if windows:
        parts.append(f'by schedule ({", ".join(windows)})')
    return ' and '.join(parts)


def _span(window: Window) -> str:
    begin, end = window.begin, window.end
    return f'from {begin:g} s on' if math.isinf(end) else f'{begin:g}..{end:g} s'


class OutageState(NamedTuple):
    """Whether an agent is down at random or by an operator, until when [s], and its checks."""

    broken: bool
    back_at: float
    checks: Periodic


def healthy(now: float) -> OutageState:
    """Return the health of an agent that is up from a time [s] on; its checks start then."""
    return OutageState(False, math.inf, Periodic(now, 0))


def down_until(health: OutageState, back_at: float) -> OutageState:
    """Return the health of an agent that goes down until a time [s]."""
    return OutageState(True, back_at, health.checks)


def back_in_time(health: OutageState, now: float) -> OutageState:
    """Return the health of an agent that is down, at a time [s]: it may recover."""
    return healthy(now) if now + ROUNDING >= health.back_at else health


def checked(health: OutageState, checks: int, fails: bool, back_at: float) -> OutageState:
    """Return the health after some checks.

    Args:
        health: That of an agent that is up.
        checks: How many were made.
        fails: Whether one of them was a failure.
        back_at: When it recovers then [s].
    """
    after = OutageState(health.broken, health.back_at, counted(health.checks, checks))
    return down_until(after, back_at) if fails else after


class Failures:
    """One agent's state of health.

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
        self._health = healthy(start)
        self._outages = list(scheduled)
        self._injecting = True
        self._out = False
        self._reason = ''

    @property
    def failed(self) -> bool:
        """Whether the agent was down after the last update."""
        return self._health.broken or self._out

    @property
    def cause(self) -> str:
        """Why the agent is down, as text; empty while it is up."""
        if self._out:
            return 'scheduled failure'
        if not self._health.broken:
            return ''
        return self._reason if math.isinf(self._health.back_at) else 'random failure'

    def is_down(self, now: float) -> bool:
        """Return whether the agent receives nothing at a time [s] at or after the last update."""
        return self._health.broken or self._is_out(now)

    def update(self, now: float) -> bool:
        """Fail or recover if the time has come; return whether the agent is down at ``now`` [s].

        After a random failure the tick of recovery still counts as down: control resumes one
        period later. A scheduled outage is over at the first tick at or after its end.
        """
        self._out = self._is_out(now)
        return self._is_broken(now) or self._out

    def inject(self, on: bool, now: float) -> None:
        """Enable or disable random and scheduled failures from ``now`` [s] on; not the operator's.

        While disabled nothing is drawn, and an agent that was down because of them comes back.
        """
        if on == self._injecting:
            return
        self._injecting = on
        self._out = self._is_out(now)
        by_chance = math.isfinite(self._health.back_at)
        if not self._health.broken or (by_chance and not on):
            self._health = healthy(now)

    def fail(self, back_at: float = math.inf, reason: str = 'operator') -> None:
        """Go down until ``back_at`` [s]; without a time until ``recover``."""
        self._reason = reason
        self._health = down_until(self._health, back_at)

    def recover(self, now: float) -> None:
        """Come back at ``now`` [s], also from an outage that is scheduled to go on."""
        self._outages = [outage for outage in self._outages if not outage.is_open(now)]
        self._out = False
        self._health = healthy(now)

    def _is_out(self, now: float) -> bool:
        return self._injecting and any(outage.is_open(now) for outage in self._outages)

    def _is_broken(self, now: float) -> bool:
        if self._health.broken:
            self._health = back_in_time(self._health, now)
            return True
        if self._injecting and self._parameters.failure_enable:
            checks = due(self._health.checks, now, self._parameters.failure_check_period)
            back_at = now + self._parameters.failure_off_time
            self._health = checked(self._health, checks, self._draws_failure(checks), back_at)
        return self._health.broken

    def _draws_failure(self, checks: int) -> bool:
        """Make all the draws that are due, so that a fast check keeps its rate on slow ticks."""
        draws = [self._stream.random() for _ in range(checks)]
        return any(draw < self._probability for draw in draws)
