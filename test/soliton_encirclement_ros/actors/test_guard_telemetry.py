"""What the filter of an agent says of its last command."""

import math

import pytest
from soliton_encirclement_ros.actors.separation_guard import SeparationGuard
from soliton_encirclement_ros.core.states.message_acceptance import SingleCache
from soliton_encirclement_ros.core.states.states import AgentState, Pose
from soliton_encirclement_ros.safety.codes import NOBODY, NONE, SEPARATION, STOP
from soliton_encirclement_ros.safety.records import FilterSettings

LIMITS = (10.0, 10.0, 4.0, 4.0, 0.2, 0.2)
ORIGIN = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
TIMEOUT = 1.0


@pytest.fixture
def guard() -> SeparationGuard:
    """Return the filter of agent 1, which has heard agent 7 just ahead."""
    found = SeparationGuard(1, FilterSettings(LIMITS), (), TIMEOUT)
    found.receive([AgentState(7, 1, (2.01, 0.0, 0.0), (0.0, 0.0, 0.0))], 0.0, TIMEOUT)
    return found


def asked(guard: SeparationGuard, *wanted: float) -> tuple[float, float, float]:
    """Return the command for a wanted velocity [m/s]."""
    return guard.command(wanted, 0.0, ORIGIN, TIMEOUT, SingleCache(TIMEOUT))


def test_before_the_first_command_nobody_pushes(guard) -> None:
    assert guard.telemetry == (NONE, NOBODY, 0.0)


def test_it_says_who_changed_the_command_and_by_how_much(guard) -> None:
    command = asked(guard, 8.0, 0.0, 0.0)
    reason, pusher, change = guard.telemetry
    assert (reason, pusher) == (SEPARATION, 7.0)
    assert change == pytest.approx(math.dist(command, (8.0, 0.0, 0.0)), abs=1e-12)
    assert change > 1.0


def test_a_command_that_passes_is_not_changed(guard) -> None:
    assert asked(guard, -0.1, 0.0, 0.0) == (-0.1, 0.0, 0.0)
    assert guard.telemetry == (NONE, NOBODY, 0.0)


def test_a_stop_is_not_a_change(guard) -> None:
    asked(guard, 8.0, 0.0, 0.0)
    guard.stop()
    assert guard.telemetry == (NONE, NOBODY, 0.0)


def test_a_wish_that_is_not_finite_counts_as_0(guard) -> None:
    assert asked(guard, math.nan, 0.0, 0.0) == (0.0, 0.0, 0.0)
    assert guard.telemetry == (STOP, NOBODY, 0.0)
