"""What agents know of the target but by its own words: passed on by others, or estimated."""

import math

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core.laws.telemetry import ESTIMATE_NAMES
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.received_states import AGE, AHEAD, FIELDS, NO_REPORT
from soliton_encirclement_ros.core.states.state_codec import StateDecoder, encode
from soliton_encirclement_ros.core.states.states import (
    Pose, TargetState, is_sound, validation_error
)
from support.plain_loop import make_actors

DT, HERE, STILL = 0.05, (30.0, 0.0, 0.0), (0.0, 0.0, 0.0)
HOLD = 2.5
SILENT = {**dict.fromkeys(FIELDS, 0.0), AGE: NO_REPORT}
RUN = {'run': {'num_agents': 3}, 'failure': {'failure_enable': False}}


def crew(**changes):
    """Return the actors of a scenario."""
    return make_actors(Scenario().with_changes({**RUN, **changes}, 'test'))


def target(tick, age=DT):
    """Return what the target says at a tick: it flies north from the origin at 3 m/s."""
    return TargetState(tick + 1, (0.0, 3.0 * tick * DT, 0.0), (0.0, 3.0, 0.0), (), 0.1, age)


def passed(state, age=DT):
    """Return a state as it is received."""
    return state._replace(age=state.age + age)


def relay_of(state):
    """Return what a state tells of the target."""
    return {name: value for name, value in state.prop if name in FIELDS}


@pytest.fixture
def pair():
    """Return agents 1 and 2; the target has told agent 1 at tick 1."""
    actors = crew()
    one, two = actors['uav_1'], actors['uav_2']
    one.receive(DT, [target(0)])
    return one, two


def test_an_agent_tells_what_it_heard_and_how_old_it_is(pair):
    one, _ = pair
    one.pose_age = 0.02
    told = relay_of(one.decide(DT, Pose(HERE, STILL)).state)
    assert tuple(told) == FIELDS
    assert [*told.values()] == [0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.1, DT, 0.02]
    later = relay_of(one.decide(5 * DT, Pose(HERE, STILL)).state)
    assert later[AGE] == pytest.approx(5 * DT) and later['relay_y'] == 0.0


def test_who_knows_nothing_says_so(pair):
    _, two = pair
    assert relay_of(two.decide(DT, Pose(HERE, STILL)).state) == SILENT


def test_it_is_told_as_long_as_it_is_held(pair):
    one, _ = pair
    for tick in range(1, 60):
        told = relay_of(one.decide(tick * DT, Pose(HERE, STILL)).state)
        assert (told[AGE] >= 0.0) == (tick * DT <= HOLD + 1e-9)


def test_one_out_of_reach_wakes_by_a_relayed_report(pair):
    one, two = pair
    said = one.decide(DT, Pose(HERE, STILL)).state
    assert two.decide(DT, Pose(HERE, STILL)).command == STILL
    two.receive(2 * DT, [passed(said)])
    assert two.decide(2 * DT, Pose((40.0, 10.0, 0.0), STILL)).command[0] < 0.0
    assert two.hears_target(2 * DT) and two.target_age(2 * DT) == pytest.approx(2 * DT)


@pytest.mark.parametrize(('younger', 'is_taken'), [(0.4, False), (0.6, True)])
def test_a_report_younger_by_less_than_half_a_period_is_not_taken(pair, younger, is_taken):
    """As one that goes round with clocks that differ; the period is that of the swarm."""
    one, two = pair
    said = passed(one.decide(DT, Pose(HERE, STILL)).state)
    two.receive(2 * DT, [said, target(0, age=(2.0 + younger) * DT)])
    two.decide(2 * DT, Pose(HERE, STILL))
    assert two.target_age(2 * DT) == pytest.approx((2.0 if is_taken else 2.0 + younger) * DT)


def test_one_out_of_reach_follows_the_target_that_its_neighbour_hears():
    actors = crew()
    near, far = actors['uav_1'], actors['uav_2']
    places, messages = [(20.0, 0.0, 0.0), (30.0, 5.0, 0.0)], [None, None]
    for tick in range(1, 401):
        now, sent = tick * DT, [*messages]
        near.receive(now, [target(tick - 1), *(passed(one) for one in sent[1:] if one)])
        far.receive(now, [passed(message) for message in sent[:1] if message])
        for k, agent in enumerate((near, far)):
            before = agent.now and (sent[k].velocity if sent[k] else STILL)
            done = agent.decide(now, Pose(places[k], before or STILL))
            places[k] = tuple(x + DT * v for x, v in zip(places[k], done.command, strict=True))
            messages[k] = done.state._replace(velocity=done.command)
    there = (0.0, 3.0 * 400 * DT, 0.0)
    assert math.dist(places[0], there) == pytest.approx(20.0, abs=1.0)
    assert math.dist(places[1], there) == pytest.approx(20.0, abs=1.0)


def test_an_operators_hold_does_not_stop_the_chain(pair):
    one, two = pair
    said = one.decide(DT, Pose(HERE, STILL)).state
    two.receive(2 * DT, [passed(said)])
    told = relay_of(two.hold(2 * DT, Pose(HERE, STILL)).state)
    assert told[AGE] == pytest.approx(2 * DT)


def test_a_vehicle_off_the_ring_is_not_asked(pair):
    one, two = pair
    said = one.decide(DT, Pose(HERE, STILL)).state
    two.receive(2 * DT, [passed(said)._replace(ring_member=False)])
    two.decide(2 * DT, Pose(HERE, STILL))
    assert not two.hears_target(2 * DT)


@pytest.mark.parametrize('law', [name for name in CONTROLLERS if name != 'predictive'])
def test_with_other_laws_nothing_is_told_or_taken(pair, law):
    said = pair[0].decide(DT, Pose(HERE, STILL)).state
    other = crew(control={'controller': law})['uav_2']
    other.receive(2 * DT, [passed(said)])
    assert relay_of(other.decide(2 * DT, Pose(HERE, STILL)).state) == {}
    assert not other.hears_target(2 * DT)


def test_it_can_be_switched_off_in_flight(pair):
    one, _ = pair
    assert relay_of(one.decide(DT, Pose(HERE, STILL)).state)
    scenario = Scenario()
    off = Setup(ControlParameters(target_relay=False), swarm=scenario.swarm)
    one.retune(off, scenario.safety)
    assert relay_of(one.decide(2 * DT, Pose(HERE, STILL)).state) == {}


def test_an_estimated_target_is_not_relayed():
    one = crew(target_sensing={'target_broadcasts': False})['uav_1']
    assert relay_of(one.decide(DT, Pose(HERE, STILL)).state) == {}


@pytest.mark.parametrize('name', FIELDS)
@pytest.mark.parametrize('value', [math.nan, 1e300])
def test_a_report_that_is_not_plausible_is_refused_with_its_sender(pair, name, value):
    said = pair[0].decide(DT, Pose(HERE, STILL)).state
    false = said._replace(prop=tuple((k, value if k == name else v) for k, v in said.prop))
    assert not is_sound(false) and f'prop/{name}' in validation_error(false)
    decoded = StateDecoder().decode(*encode([false, said._replace(agent_id=9)]))
    assert [state.agent_id for state in decoded.states] == [9]
    assert f'uav_1/prop/{name}' in decoded.problems[0]


@pytest.mark.parametrize('ahead', [1e6, -1e6])
def test_a_report_said_to_come_from_the_future_is_no_younger_than_the_message(pair, ahead):
    one, two = pair
    said = one.decide(DT, Pose(HERE, STILL)).state
    false = said._replace(prop=tuple((k, ahead if k == AHEAD else v) for k, v in said.prop))
    two.receive(2 * DT, [passed(false)])
    two.decide(2 * DT, Pose(HERE, STILL))
    assert two.target_age(2 * DT) >= DT


ESTIMATING = {'target_broadcasts': False, 'range_noise': 0.1, 'ring_omega_ref': 0.2}
THERE = Pose((20.0, 0.0, 0.0), STILL)
TO_ORIGIN = (-20.0, 0.0, 0.0)
MEASURED, VARIANCE = map(ESTIMATE_NAMES.index, ('estimate_age', 'estimate_var_xx'))


@pytest.fixture
def seers():
    """Return agents 1 and 2, which have cameras and know nothing."""
    actors = crew(target_sensing=ESTIMATING)
    return actors['uav_1'], actors['uav_2']


def told(agent, tick, vector, pose_age=0.0):
    """Let an agent see a vector; return what others receive of it a period later."""
    agent.see(vector)
    agent.pose_age = pose_age
    return passed(agent.decide(tick * DT, THERE).state)


def estimated(agent, tick, *states):
    """Let an agent receive states; return age and variance of its estimate."""
    agent.receive(tick * DT, states)
    agent.decide(tick * DT, THERE)
    return agent.estimated[MEASURED], agent.estimated[VARIANCE]


def test_the_law_gets_an_estimate_once_per_new_bearing(seers):
    one, _ = seers
    one.see(TO_ORIGIN)
    assert estimated(one, 1)[0] == 0.0
    report = one.rows.target
    assert (report.seq, report.omega_ref) == (1, 0.2)
    assert (report.x, report.y, report.z) == pytest.approx(STILL, abs=1e-6)
    assert estimated(one, 2)[0] == pytest.approx(DT)
    assert report.seq == 1 and one.target_age(2 * DT) == pytest.approx(DT)


def test_a_bearing_older_than_the_timeout_is_no_news(seers):
    one, _ = seers
    one.see(TO_ORIGIN, 0.6)
    assert estimated(one, 20)[0] == pytest.approx(0.6)
    assert not one.hears_target(20 * DT) and math.isinf(one.target_age(20 * DT))


def test_a_message_is_used_once_and_its_age_counts(seers):
    one, two = seers
    age, before = estimated(one, 2, told(two, 1, TO_ORIGIN))
    assert age == pytest.approx(DT)
    age, after = estimated(one, 3)
    assert age == pytest.approx(2 * DT)
    assert after > before  # nothing new: less sure


def test_the_age_of_the_senders_pose_is_not_that_of_its_estimate(seers):
    one, two = seers
    said = told(two, 1, TO_ORIGIN, pose_age=0.1)
    assert dict(said.prop)['estimate_ahead'] == 0.1
    assert estimated(one, 2, said)[0] == pytest.approx(DT)


def test_states_without_a_message_are_passed_over(seers):
    one, two = seers
    assert estimated(one, 4, told(two, 3, TO_ORIGIN)._replace(prop=()))[0] == -1.0
    assert len(one.estimated) == len(ESTIMATE_NAMES)
    said = one.decide(5 * DT, THERE).state.prop
    assert {value for name, value in said if name.startswith('estimate_')} == {0.0}


def test_a_restart_forgets_the_estimate(seers):
    one, _ = seers
    one.see(TO_ORIGIN)
    estimated(one, 1)
    one.restart()
    assert one.estimated[MEASURED] == -1.0
    assert estimated(one, 2)[0] == -1.0


def test_an_agent_that_estimates_does_not_listen_to_the_target(pair, seers):
    for (agent, _), hears in ((pair, True), (seers, False)):
        agent.receive(1.0, [target(20)])
        assert agent.hears_target(1.0) is hears
