"""Gains and limits of real nodes, changed over DDS while they fly."""

import math

import pytest
from std_srvs.srv import Trigger

from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from support.ros.bodies import values
from support.ros.cockpit import Cockpit
from support.ros.graph import answers, set_parameters
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


@pytest.mark.parametrize('safety', [False, True])
def test_a_fence_far_from_the_vehicle_is_refused_in_flight_as_at_the_start(ros, cockpit, safety):
    """As a place of the start outside of the fence is."""
    name = '/uav_1/agent'
    if safety:
        ros.make(SafetyNode, '/uav_1', separation_distance=3.0)
        name = '/uav_1/safety'
    far = '1000 1000, 1010 1000, 1010 1010, 1000 1010'
    taken = set_parameters(ros, name, fence='-60 -60, 60 -60, 60 60, -60 60')
    assert taken == ['']
    cockpit.until(lambda: len(cockpit.commands) > 20, 'its way', place=OUTSIDE)
    assert set_parameters(ros, name, fence=far) == [
        'uav_1 is at (21.0, 0.0) m, outside of fence; move the fence, or fly it inside first'
    ]
    assert set_parameters(ros, name, fence='') == ['']


def test_who_has_fallen_silent_still_counts_on_the_ring(ros, cockpit):
    """So does everybody else for an agent that is down, which has no neighbours."""
    cockpit.until(lambda: len(cockpit.commands) > 10, 'its way', neighbours=SPREAD)
    ros.call(Trigger, '/uav_1/fail', Trigger.Request())
    ros.meanwhile(2.0)
    (answer,) = answers(ros, AGENT, separation_distance=100.0)
    assert answer.reason.startswith('separation_distance = 100 m: a ring of 20 m with 3 agents')


SPREAD = (NEAR, (20.0 * math.cos(2.0), 20.0 * math.sin(2.0), 0.0))
TARGET, ADVERSARY = '/target/target', '/adversary/adversary'


@pytest.mark.parametrize(
    ('name', 'value', 'doubt'),
    [
        ('separation_distance', 100.0, 'separation_distance = 100 m: a ring of 20 m with 3 '),
        ('target_distance', 30.0, 'target_distance = 30 m: agents are kept off the ring'),
        ('lowest_height', 2000.0, 'lowest_height = 2000 m: uav_1 is at 0.0 m and climbs'),
        ('r_min', 50.0, 'r_min = 50 m is above encirclement_radius = 20 m'),
    ],
)
def test_a_distance_without_sense_is_told_by_answer_log_and_status_while_it_holds(
    ros, cockpit, name, value, doubt
):
    told, around = Told(ros), {'place': OUTSIDE, 'neighbours': SPREAD}
    cockpit.until(lambda: told.shows(STATUS, OK), 'the status', **around)
    before = ros.nodes[1].get_parameter(name).value
    (answer,) = answers(ros, AGENT, **{name: value})
    assert answer.successful
    assert answer.reason.startswith(doubt)
    cockpit.until(lambda: told.shows(STATUS, WARN, doubt), 'the doubt', **around)
    assert len([line for line in told.lines(LOGGER) if line.startswith(doubt)]) == 1
    assert [one.reason for one in answers(ros, AGENT, **{name: before})] == ['']
    cockpit.until(lambda: told.shows(STATUS, OK), 'the end', **around)


@pytest.mark.parametrize(
    ('node', 'name', 'doubt'),
    [
        (TARGET, 'target_motion_speed_xy', 'agents (max_speed_xy = 10 m/s) cannot keep up'),
        (TARGET, 'target_swarm_omega_ref', 'agents on the ring would fly 2e+10 m/s, above max_sp'),
        (ADVERSARY, 'adversary_roam_speed_xy', 'its vehicle flies at most 10 m/s'),
    ],
)
def test_a_speed_that_no_vehicle_has_is_told(ros, node, name, doubt):
    told, kind = Told(ros), {TARGET: TargetNode, ADVERSARY: AdversaryNode}[node]
    made = ros.make(kind, node.rpartition('/')[0])
    usual = made.get_parameter(name).value
    status = f'{node[1:]}: control'
    ros.until(lambda: told.statuses(status), 'a status')
    assert not any(doubt in one.message for one in told.statuses(status))
    (answer,) = answers(ros, node, **{name: 1e9})
    assert answer.successful and doubt in answer.reason
    ros.until(lambda: doubt in told.statuses(status)[-1].message, 'the doubt')
    assert answers(ros, node, **{name: usual})[0].reason == ''
    ros.until(lambda: doubt not in told.statuses(status)[-1].message, 'the end')


@pytest.mark.parametrize('node', [TARGET, ADVERSARY])
def test_limits_that_would_do_nothing_are_refused(ros, node):
    """They are for the plan of a path."""
    ros.make({TARGET: TargetNode, ADVERSARY: AdversaryNode}[node], node.rpartition('/')[0])
    (why,) = set_parameters(ros, node, max_speed_xy=1.0)
    assert why.startswith('max_speed_xy cannot change in flight')
    assert set_parameters(ros, node, max_speed_xy=10.0) == ['']
