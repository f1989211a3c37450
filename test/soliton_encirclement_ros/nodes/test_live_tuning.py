"""Gains and limits of real nodes, changed over DDS while they fly."""

import math

import pytest
from support.ros.bodies import values
from support.ros.cockpit import Cockpit
from support.ros.graph import set_parameters
from support.ros.told import OK, WARN, Told

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

AGENT, LOGGER, STATUS = '/uav_1/agent', 'uav_1.agent', 'uav_1/agent: control'
OUTSIDE = (21.0, 0.0, 0.0)
NEAR = (20.0 * math.cos(-0.3), 20.0 * math.sin(-0.3), 0.0)


@pytest.fixture
def cockpit(ros):
    """Return an agent of ``soliton`` in real time."""
    return Cockpit(ros, controller='soliton')


def inwards(cockpit: Cockpit, speed: float) -> None:
    """Live a metre outside the ring until the command leads inwards at a speed [m/s]."""
    cockpit.until(
        lambda: cockpit.commands and cockpit.commands.last.linear.x == pytest.approx(-speed, 0.01),
        f'{speed} m/s inwards', place=OUTSIDE,
    )  # fmt: skip


def test_gains_and_limits_change_together_from_the_next_tick_on(ros, cockpit):
    """At rest the command is tau k_v k_r times the radial error."""
    inwards(cockpit, 4.0)
    count = len(cockpit.commands)
    assert set_parameters(ros, AGENT, True, k_r=0.5, k_v=2.0, max_speed_xy=0.7) == ['']
    inwards(cockpit, 0.7)
    between = {round(m.linear.x, 2) for m in list(cockpit.commands)[count:]}
    assert between <= {-4.0, -0.7}
    assert set_parameters(ros, AGENT, k_r=1.0, k_v=4.0, max_speed_xy=10.0) == [''] * 3
    inwards(cockpit, 4.0)


@pytest.mark.parametrize('name', ['controller', 'separation_filter'])
def test_what_cannot_change_is_refused_and_a_bad_value_leaves_all_as_they_were(
    ros, cockpit, name
):
    inwards(cockpit, 4.0)
    value = {'controller': 'two_channel', 'separation_filter': False}[name]
    (reason,) = set_parameters(ros, AGENT, **{name: value})
    assert reason.startswith(f'{name} is read-only (')
    (why,) = set_parameters(ros, AGENT, True, k_r=0.5, max_speed_xy=-1.0)
    assert why == 'max_speed_xy = -1.0 must be at least 0 m/s'
    inwards(cockpit, 4.0)


@pytest.mark.parametrize('law', ['soliton', 'two_channel'])
def test_the_memory_of_the_law_stays(ros, law):
    """U neither jumps nor starts again, the neighbour stays, the numbers go on."""
    often = {'control_period': 0.02}
    cockpit = Cockpit(ros, controller=law, propagation_method='advection', **often)
    told = cockpit.telemetry

    def u() -> float:
        return values(told.last)['u']

    around = {'place': (20.0, 0.0, 0.0), 'neighbours': (NEAR,)}
    cockpit.until(lambda: len(told) > 60, 'a few seconds', **around)
    before, count, sent = u(), len(told), len(cockpit.own_states())
    assert abs(before) > 0.01
    changes = {'k_r': 2.0, 'k_z': 0.5, 'advection_c': 3.0, 'target_hold_time': 1.0}
    assert set_parameters(ros, AGENT, True, **changes) == ['']
    cockpit.until(lambda: len(told) > count + 20, 'further ticks', **around)
    later = [values(message) for message in list(told)[count:]]
    assert [one['u'] for one in later] == pytest.approx([before] * len(later), rel=0.05)
    assert {one['pred'] for one in later} == {2.0}
    numbers = [values(message)['uav_1/seq'] for message in cockpit.own_states()[sent - 1 :]]
    assert numbers == [numbers[0] + i for i in range(len(numbers))]


def test_doubtful_gains_are_taken_with_the_warning_of_a_start(ros):
    told = Told(ros)
    cockpit = Cockpit(ros, controller='soliton', k_v=30.0)
    swings = lambda: [one for one in told.lines(LOGGER) if 'may oscillate' in one]  # noqa: E731
    ros.until(swings, 'the warnings')
    assert swings()[0].startswith('control.k_s = 1.5 1/s may oscillate: k_v = 30 1/s is too high')
    assert set_parameters(ros, AGENT, k_v=4.0) == ['']
    cockpit.until(lambda: told.shows(STATUS, OK), 'no warning', place=OUTSIDE)
    before = len(swings())
    assert set_parameters(ros, AGENT, k_s=30.0) == ['']
    cockpit.until(lambda: told.shows(STATUS, WARN, 'may oscillate'), 'the status', place=OUTSIDE)
    assert len(swings()) == before + 1
    assert told.logged(LOGGER, 'parameters changed: k_s 1.5 -> 30.0 1/s')
