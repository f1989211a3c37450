"""Failures: how often, for how long, and on whose word."""

import math

import pytest

from soliton_encirclement_ros.core.parameters.swarm_parameters import FailureParameters
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.schedules import outages
from soliton_encirclement_ros.swarm.failures import Failures, failure_probability, injection_text

TICK = 0.05


class Scripted:
    """A stream that hands out given numbers and counts them."""

    def __init__(self, *draws: float) -> None:
        """Hand out these, then 0.999 for ever."""
        self.draws, self.count = list(draws), 0

    def random(self) -> float:
        """Return the next number."""
        self.count += 1
        return self.draws.pop(0) if self.draws else 0.999


def failures(stream: object, **changes: float) -> Failures:
    """Return a state of health with default parameters, some changed."""
    return Failures(FailureParameters(**changes), stream, 0.0)


def down(health: Failures, ticks: range) -> list[int]:
    """Return the ticks at which the agent is down."""
    return [k for k in ticks if health.update(k * TICK)]


def test_golden_default_probability() -> None:
    """Spec part 9: one failure per minute, checked every 0.1 s."""
    assert failure_probability(1.0, 0.1) == pytest.approx(0.0016652785490612887, rel=1e-12)


@pytest.mark.parametrize(
    ('rate', 'period'), [(6.0, TICK), (600.0, TICK), (60.0, 0.01), (60.0, 0.04)]
)
def test_invariant_15_counts_match_the_probability(rate: float, period: float) -> None:
    """Invariant 15: failures per check are 1 - exp(-rate dt), within four sigma.

    With a check period shorter than the tick, too, which nothing refuses: 0.01 s on ticks of
    0.05 s once gave a fifth of the failures.
    """
    health = failures(
        random_stream(1, f'rate {rate} {period}'),
        failure_mean_failures_per_min=rate,
        failure_off_time=0.0,
        failure_check_period=period,
    )
    ticks = 40_000
    failed = sum(health.update(k * TICK) and health.failed for k in range(1, ticks + 1))
    checks = ticks - failed
    p = 1.0 - math.exp(-rate / 60.0 * TICK)
    assert abs(failed - checks * p) < 4.0 * math.sqrt(checks * p * (1.0 - p))


def test_invariant_15_down_for_the_off_time_and_one_tick() -> None:
    """Invariant 15: down from the failing tick to the one at the end of the off time."""
    health = failures(Scripted(0.0), failure_off_time=1.0)
    assert down(health, range(1, 100)) == list(range(2, 23))


def test_checks_start_anew_after_recovery() -> None:
    """Spec part 9: nothing is drawn while down, the next check is one period after recovery."""
    stream = Scripted(0.999, 0.0, 0.0)
    health = failures(stream, failure_off_time=1.0)
    assert down(health, range(1, 24)) == list(range(4, 25))[:20]
    assert stream.count == 2
    assert down(health, range(24, 30)) == [24, 26, 27, 28, 29]


def test_one_draw_per_check_and_none_without_failures() -> None:
    """Also when nothing can fail: spec part 9, fail if and only if p > 0 and draw < p."""
    for changes, draws in (({'failure_mean_failures_per_min': 0.0}, 50), ({}, 0)):
        stream = Scripted(0.0)
        assert down(failures(stream, failure_enable=draws > 0, **changes), range(1, 101)) == []
        assert stream.count == draws


def test_an_operator_may_fail_and_recover_an_agent() -> None:
    """Down until told otherwise, even with random failures off."""
    health = failures(Scripted(), failure_enable=False)
    health.fail()
    assert down(health, range(1, 1000)) == list(range(1, 1000))
    health.recover(50.0)
    assert down(health, range(1000, 1010)) == []


def scheduled(text: str, stream: object = None, **changes: float) -> Failures:
    """Return the state of health of agent 3 with a schedule."""
    parameters = FailureParameters(**changes)
    return Failures(parameters, stream or Scripted(), 0.0, outages(text, 3))


def times(health: Failures, ticks: int) -> list[int]:
    """Return the ticks at which the agent is down, at exact times."""
    return [k for k in range(ticks) if health.update(round(k * TICK * 1e9) / 1e9)]


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('1..2: 3', range(20, 40)),
        ('0..1: 3', range(20)),
        ('0.96..1.01: 3', range(20, 21)),
        ('0.99..1.02: 3; 1.02..1.1: 2 3', range(20, 22)),
        ('8..: 3', range(160, 200)),
        ('1..2: 4', range(0)),
    ],
)
def test_down_in_a_scheduled_window_and_up_at_its_end(text: str, expected: range) -> None:
    """Down from begin on, up again at the first tick at or after the end."""
    assert times(scheduled(text, failure_enable=False), 200) == list(expected)


def test_a_schedule_shifts_no_draw() -> None:
    """Chance goes on below the schedule, and what it breaks stays broken for its time."""
    often = {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 0.5}
    by_chance = times(scheduled('', random_stream(1, 'x'), **often), 2000)
    both = times(scheduled('20..30: 3', random_stream(1, 'x'), **often), 2000)
    assert len(by_chance) > 100
    assert both == sorted({*by_chance, *range(400, 600)})


def test_deaf_from_begin_to_end() -> None:
    """An agent hears before it is updated: what counts is the time of hearing."""
    health = scheduled('1..2: 3', failure_enable=False)
    assert [health.is_down(now) for now in (0.95, 1.0, 1.95, 2.0)] == [False, True, True, False]
    health.fail()
    assert health.is_down(5.0)


def test_an_operator_may_end_an_outage_and_only_that_one() -> None:
    """The word of a person counts more than a schedule."""
    health = scheduled('1..2: 3; 3..4: 3', failure_enable=False)
    assert times(health, 30) == list(range(20, 30))
    assert health.failed
    health.recover(1.45)
    assert not health.failed
    assert [k for k in range(30, 100) if health.update(k * TICK)] == list(range(60, 80))


def test_without_injection_neither_chance_nor_schedule_counts() -> None:
    """No number is drawn, and no outage is open."""
    stream = Scripted(0.0)
    health = Failures(FailureParameters(), stream, 0.0, outages('0..: 3', 3))
    health.inject(False, 0.0)
    assert down(health, range(1, 100)) == []
    assert not health.is_down(3.0)
    assert stream.count == 0


def test_injection_that_is_switched_on_draws_nothing_for_the_time_before() -> None:
    """A vehicle that flew for an hour does not fail from an hour's draws at once."""
    stream = Scripted()
    health = failures(stream)
    health.inject(False, 0.0)
    down(health, range(1, 1001))
    health.inject(True, 1000 * TICK)
    down(health, range(1001, 1021))
    assert stream.count == 10


def test_switching_injection_off_ends_what_it_began() -> None:
    """And not what an operator began."""
    health = failures(Scripted(0.0))
    assert down(health, range(1, 10))
    health.inject(False, 9 * TICK)
    assert not health.failed and down(health, range(10, 100)) == []
    health.fail()
    health.inject(True, 100 * TICK)
    health.inject(False, 101 * TICK)
    assert health.failed


@pytest.mark.parametrize(
    ('changes', 'text'),
    [
        ({}, 'at random (mean 1 per minute of up-time, each for 8 s)'),
        ({'failure_enable': False}, ''),
        ({'failure_mean_failures_per_min': 0.0}, ''),
        ({'failure_enable': False, 'failure_schedule': '1..2.5: 3; 4..: 3; 5..: 4'},
         'by schedule (1..2.5 s, from 4 s on)'),
        ({'failure_schedule': '1..2: 3'},
         'at random (mean 1 per minute of up-time, each for 8 s) and by schedule (1..2 s)'),
    ],
)  # fmt: skip
def test_what_is_injected_in_words(changes: dict, text: str) -> None:
    """Empty where nothing would fail."""
    assert injection_text(FailureParameters(**changes), 3) == text
