"""The readiness gate: every fault as one line for the vehicle that has it."""

import pytest

from soliton_encirclement_ros.cli.fly.gate import GateSettings, engage_faults, takeoff_faults
from support.fly.reports import HOLDING, snapshot

NAMES = ['uav_1', 'uav_2']
APART = {'x': 6.0}
SETTINGS = GateSettings()


def before_takeoff(settings=SETTINGS, names=NAMES, **changes):
    """Return the faults of two vehicles of which the second one is changed."""
    seen = {'uav_1': snapshot(), 'uav_2': snapshot(**{**APART, **changes})}
    return takeoff_faults(settings, names, seen)


def in_the_air(settings=SETTINGS, **changes):
    """Return the faults before they are engaged."""
    seen = {
        'uav_1': snapshot('holds', **HOLDING),
        'uav_2': snapshot('holds', **{**HOLDING, **APART, **changes}),
    }
    return engage_faults(settings, NAMES, seen)


def test_a_swarm_without_faults_passes():
    assert before_takeoff() == {}
    assert in_the_air() == {}


@pytest.mark.parametrize(
    ('changes', 'line'),
    [
        ({'reports': 1}, 'its bridge has reported only once'),
        ({'age': 3.0}, 'its bridge has not reported for 3.0 s, at most 2 s'),
        ({'bridges': 2}, '2 bridges report for it: stop all but one'),
        ({'landed': 'false'}, 'it does not stand on the ground'),
        ({'battery': '0.29'}, 'battery at 29 %, at least 30 %'),
        (
            {'battery': 'unknown'},
            'its battery is not known: --min-battery 0 takes off all the same',
        ),
        ({'odometry_age_s': '1.5'}, 'its autopilot has sent no odometry for 1.5 s'),
        (
            {'odometry_age_s': 'unknown'},
            'its autopilot has sent no odometry for as long as its bridge runs',
        ),
        ({'odometry_age': 1.5}, 'its odometry has not arrived here for 1.5 s'),
        ({'x': 'unknown'}, 'its position in the frame of the swarm is not known'),
        (
            {'clock_offset_s': '-0.7'},
            "its odometry is stamped 0.70 s behind its companion computer's clock, at most 0.5 s",
        ),
        (
            {'offset': 0.61},
            'its odometry is stamped 0.61 s ahead of the clock here, at most 0.5 s',
        ),
        (
            {'origin': '47.4,8.6,488'},
            'origin of the swarm 47.4,8.6,488, but 47.4,8.5,488 at uav_1',
        ),
    ],
)
def test_each_fault_is_one_line(changes, line):
    assert before_takeoff(**changes) == {'uav_2': [line]}


@pytest.mark.parametrize('check', [takeoff_faults, engage_faults])
def test_a_twist_that_its_agent_finds_in_another_frame_is_a_fault(check):
    changes = HOLDING if check is engage_faults else {}
    seen = {'uav_1': snapshot(**changes)}
    assert check(SETTINGS, ['uav_1'], seen) == {}
    seen = {'uav_1': seen['uav_1']._replace(has_wrong_twist=True)}
    assert check(SETTINGS, ['uav_1'], seen) == {
        'uav_1': ['its agent finds its twist in another frame than odom_twist_frame says']
    }


def test_the_checks_of_the_bridge_are_listed():
    faults = before_takeoff(ready='false', waits_for='eph = 3.0 m; no battery')
    assert faults == {'uav_2': ['eph = 3.0 m', 'no battery']}


def test_a_bridge_that_is_not_ready_without_a_reason_is_not_ready():
    assert before_takeoff(ready='false') == {'uav_2': ['not ready (ready)']}


@pytest.mark.parametrize('state', ['HOLD', 'EXTERNAL', 'FAULT', 'WAIT_LINK', 'DANCE'])
def test_only_a_vehicle_in_state_ready_takes_off(state):
    assert [*before_takeoff(state=state)] == ['uav_2']


def test_vehicles_stand_apart():
    assert before_takeoff(x=3.0) == {}
    assert before_takeoff(x=2.0) == {'uav_1': ['1.0 m from uav_2, at least 2 m']}


def test_a_difference_in_height_helps_in_the_air_alone():
    assert [*before_takeoff(x=1.0, z=30.0)] == ['uav_1']
    assert in_the_air(x=1.0, z=30.0) == {}


def test_a_bound_is_for_the_operator_to_set():
    assert before_takeoff(GateSettings(separation=0.5), x=2.0) == {}
    assert before_takeoff(GateSettings(min_battery=0.0), battery='unknown') == {}
    assert before_takeoff(GateSettings(max_clock_offset=float('inf')), offset=500.0) == {}


def test_swapped_vehicles_are_found():
    settings = GateSettings(places={'uav_1': (6.0, 2.0), 'uav_2': (1.0, 2.0)})
    faults = before_takeoff(settings)
    assert faults['uav_1'] == ['nearer to the place of uav_2 than to its own']
    assert faults['uav_2'] == ['nearer to the place of uav_1 than to its own']


def test_places_do_not_count_in_the_air():
    assert in_the_air(GateSettings(places={'uav_1': (99.0, 99.0)})) == {}


@pytest.mark.parametrize('state', ['READY', 'EXTERNAL', 'LANDING', 'FAULT', 'LINK_LOST'])
def test_only_a_vehicle_that_its_bridge_flies_is_engaged(state):
    assert [*in_the_air(state=state)] == ['uav_2']


@pytest.mark.parametrize('state', ['READY', 'EXTERNAL'])
def test_a_vehicle_that_somebody_else_flies_is_taken_over_by_name_alone(state):
    assert 'only if it is named' in in_the_air(state=state)['uav_2'][0]
    is_named = GateSettings(is_named=True)
    assert in_the_air(is_named, state=state) == {}
    assert (
        'only a vehicle that holds' in in_the_air(is_named, state=state, armed='false')['uav_2'][0]
    )


def test_without_commands_nobody_is_engaged():
    assert in_the_air(command_age_s='unknown') == {
        'uav_2': ['no velocity command for as long as its bridge runs: start its agent']
    }


def test_every_fault_of_a_vehicle_is_listed():
    faults = before_takeoff(battery='0.1', bridges=2, offset=9.0)
    assert len(faults['uav_2']) == 3
