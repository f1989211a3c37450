"""``swarm fly`` as a process of its own, with played bridges and real agents."""

import json

import pytest
from support.cli import run_swarm
from support.fly.field import Field
from support.ros.stopping import Operator, is_zero

pytestmark = [pytest.mark.ros]

nightly = pytest.mark.nightly

ALL = ('uav_1', 'uav_2', 'uav_3')


@pytest.fixture
def field(ros, tmp_path):
    """Return three vehicles on the ground."""
    return Field(ros, tmp_path)


def test_all_take_off_together(field):
    done = field.fly('takeoff', '--agents', '3')
    assert done.popen.returncode == 0, done.err
    assert field.called == {name: ['arm_takeoff'] for name in ALL}
    assert 'hold in the air: uav_1, uav_2, uav_3' in done.out
    assert 'next: swarm fly engage' in done.out


def test_nothing_is_armed_if_one_is_not_ready(field):
    field['uav_2'].values.update(ready='false', waits_for='eph = 3.0 m, at most 1.5 m')
    done = field.fly('takeoff', '--agents', '4')
    assert done.popen.returncode == 1
    assert field.called == {name: [] for name in ALL}
    assert 'error: uav_2: eph = 3.0 m, at most 1.5 m\n' in done.err
    assert 'error: uav_4: no bridge reports for it' in done.err
    assert 'no take-off, nothing was armed: 2 of 4 vehicles not ready; ready: uav_1, uav_3' in (
        done.err
    )


@nightly
def test_one_that_stands_at_another_place_keeps_all_on_the_ground(field):
    places = field.folder / 'places.yaml'
    places.write_text('uav_1: [8, 0]\nuav_2: [24, 0]\nuav_3: [16, 0]\n', encoding='utf-8')
    done = field.fly('takeoff', '--places', str(places))
    assert done.popen.returncode == 1
    assert 'error: uav_2: 8.0 m from its place' in done.err
    assert field.called == {name: [] for name in ALL}


@nightly
def test_if_one_refuses_those_in_the_air_hold(field):
    field['uav_2'].refuses['arm_takeoff'] = 'the safety switch is not pressed'
    done = field.fly('takeoff', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'uav_2 not confirmed: refused: the safety switch is not pressed' in done.err
    for name in ('uav_1', 'uav_3'):  # whoever was armed by then is up, the other one stays
        assert field[name].state in ('HOLD', 'READY')
        assert 'engage' not in field[name].called
    assert field['uav_2'].state == 'READY'


def test_if_one_fails_on_its_way_the_others_reach_their_height(field):
    field['uav_3'].goes_wrong['TAKE_OFF'] = 'EXTERNAL'
    done = field.fly('takeoff', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'uav_3 not confirmed: somebody else flies (in EXTERNAL)' in done.err
    assert field.states == {'uav_1': 'HOLD', 'uav_2': 'HOLD', 'uav_3': 'EXTERNAL'}
    assert 'uav_1, uav_2 hold: swarm fly land, or mend the rest and swarm fly takeoff uav_3' in (
        done.out
    )


def test_ctrl_c_keeps_on_the_ground_whoever_is_not_armed(field):
    field['uav_2'].goes_wrong['PRECHECK'] = 'PRECHECK'
    up = ('uav_1', 'uav_3')
    done = field.fly('takeoff', '--agents', '3', ends=lambda: field['uav_1'].state == 'HOLD')
    assert done.popen.returncode == 1
    assert field['uav_2'].called == ['arm_takeoff', 'hold']
    field.ros.until(lambda: all(field[name].state == 'HOLD' for name in up), 'the others up')
    assert (field['uav_2'].state, field['uav_1'].called) == ('READY', ['arm_takeoff'])


def test_ctrl_c_keeps_one_on_the_ground_that_begins_late(field):
    field['uav_2'].delays['arm_takeoff'] = 1.0
    done = field.fly('takeoff', '--agents', '3', ends=lambda: field['uav_1'].state == 'TAKE_OFF')
    assert done.popen.returncode == 1
    assert field['uav_2'].called == ['arm_takeoff', 'hold']
    field.ros.until(lambda: field['uav_3'].state == 'HOLD', 'the others up')
    assert field['uav_2'].state == 'READY'


@nightly
def test_ctrl_c_at_the_gate_arms_nobody(field):
    field['uav_2'].values.update(ready='false', waits_for='no battery')
    asked = []

    def is_late():
        asked.append(1)
        return len(asked) > 50

    done = field.fly('takeoff', '--agents', '3', ends=is_late)
    assert done.popen.returncode in (1, 130)
    assert field.called == {name: [] for name in ALL}


def test_all_are_engaged_and_then_released_together(field):
    field.add_agents()
    field.in_the_air()
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 0, done.err
    assert field.states == dict.fromkeys(ALL, 'TRACK')
    assert done.out.endswith('released: uav_1, uav_2, uav_3\n')


def test_if_one_is_not_engaged_all_hold_and_nobody_is_released(field):
    field.add_agents()
    field.in_the_air()
    field['uav_2'].refuses['engage'] = 'the vehicle fault'
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert field.states == dict.fromkeys(ALL, 'HOLD')
    assert 'the swarm is not released: all hold again' in done.err
    heard = {name: len(said) for name, said in field.commands.items()}
    field.ros.meanwhile(1.0)
    for name, said in field.commands.items():
        assert len(said) > heard[name] and all(map(is_zero, said[heard[name] :]))


def test_one_that_engages_late_holds_again_too(field):
    field.add_agents()
    field.in_the_air()
    field['uav_2'].refuses['engage'] = 'the vehicle fault'
    field['uav_3'].delays['engage'] = 1.0
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert field['uav_3'].called == ['engage', 'hold']
    assert field.states == dict.fromkeys(ALL, 'HOLD')


def test_one_that_does_not_hold_again_is_named(field):
    field.add_agents()
    field.in_the_air()
    field['uav_2'].refuses['engage'] = 'the vehicle fault'
    field['uav_1'].refuses['hold'] = 'the switch of the pilot'
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'uav_1 does not hold again: refused: the switch of the pilot' in done.err
    assert 'all hold again' not in done.err


@nightly
def test_without_an_agent_nobody_is_engaged(field):
    field.in_the_air()
    done = field.fly('engage')
    assert done.popen.returncode == 1
    assert 'uav_1: its agent does not confirm the stop: no agent found' in done.err
    assert field.states == dict.fromkeys(ALL, 'HOLD')


def test_an_emergency_stop_in_force_keeps_all_where_they_are(field):
    field.add_agents()
    Operator(field.ros, readers=3).order(True)
    for verb in ('takeoff', 'engage'):
        done = field.fly(verb)
        assert done.popen.returncode == 1
        assert 'an emergency stop is in force, by the tester: swarm stop --release' in done.err
    assert field.called == {name: [] for name in ALL}


@nightly
@pytest.mark.parametrize(
    ('verb', 'begins', 'ends'),
    [('hold', 'TRACK', 'HOLD'), ('land', 'TRACK', 'READY'), ('rtl', 'HOLD', 'READY'),
     ('disarm', 'HOLD', 'READY'), ('reset', 'FAULT', 'READY')],
)  # fmt: skip
def test_an_order_is_for_all_and_confirmed_by_their_states(field, verb, begins, ends):
    field.in_the_air(begins)
    done = field.fly(verb)
    assert done.popen.returncode == 0, done.err
    assert 'uav_1, uav_2, uav_3' in done.out
    field.ros.until(lambda: set(field.states.values()) == {ends}, ends)
    assert field.called == {name: [verb] for name in ALL}


@nightly
def test_an_order_may_be_for_one(field):
    field.in_the_air()
    done = field.fly('land', 'uav_3')
    assert (done.popen.returncode, done.out.splitlines()[-1]) == (0, 'stand, disarmed: uav_3')
    assert field.states == {'uav_1': 'HOLD', 'uav_2': 'HOLD', 'uav_3': 'READY'}


@nightly
def test_who_does_not_obey_is_named(field):
    field.in_the_air('TRACK')
    field['uav_1'].refuses['hold'] = 'no'
    field['uav_3'].goes_wrong['BRAKE'] = 'BRAKE'
    done = field.fly('hold', '--within', '4')
    assert done.popen.returncode == 1
    assert 'uav_1 not confirmed: refused: no' in done.err
    assert 'uav_3 not confirmed: brakes (in BRAKE)' in done.err
    assert 'hold: uav_2' in done.out


@nightly
def test_a_vehicle_that_stands_needs_no_landing(field):
    field['uav_1'].go('TRACK')
    done = field.fly('land')
    assert done.popen.returncode == 0, done.err


def test_motors_are_stopped_by_two_calls_of_one_who_is_sure(field):
    field.in_the_air()
    done = field.fly('kill', 'uav_2', '--yes-let-it-fall')
    assert done.popen.returncode == 0, done.err
    assert field.called == {'uav_1': [], 'uav_2': ['kill', 'kill'], 'uav_3': []}


@nightly
def test_a_bridge_that_does_not_allow_it_stops_no_motors(field):
    field.in_the_air()
    field['uav_2'].refuses['kill'] = 'allow_kill is false: land instead'
    done = field.fly('kill', 'uav_2', '--yes-let-it-fall')
    assert done.popen.returncode == 1
    assert 'uav_2 not confirmed: refused: allow_kill is false' in done.err
    assert field['uav_2'].state == 'HOLD'


def test_a_table_says_what_every_vehicle_does(field):
    field['uav_2'].go('TRACK')
    field['uav_3'].values.update(ready='false', waits_for='no battery')
    done = field.fly('status', '--agents', '4')
    assert done.popen.returncode == 1  # uav_4 is not there
    rows = {line.split('│')[1].strip(): line for line in done.out.splitlines() if 'uav_' in line}
    assert [*rows] == [*ALL, 'uav_4']
    for text in ('tracks', 'AUTO_LOITER', 'yes', '90 %', '16.0, 0.0, 0.0'):
        assert text in rows['uav_2']
    assert 'waits for: no battery' in rows['uav_3']
    assert 'no bridge reports for it' in rows['uav_4']


@nightly
def test_the_same_as_json(field):
    done = field.fly('status', '--json')
    assert done.popen.returncode == 0, done.err
    said = json.loads(done.out)
    assert [*said] == [*ALL]
    assert (said['uav_1']['state'], said['uav_1']['position']) == ('READY', [8.0, 0.0, 0.0])
    assert (said['uav_1']['armed'], said['uav_1']['silent']) == (False, None)


@nightly
def test_a_name_that_is_not_there_is_not_waited_for(field):
    field.in_the_air()
    done = field.fly('land', 'uav_3', 'uav_9')
    assert done.popen.returncode == 1
    assert 'stand, disarmed: uav_3' in done.out
    assert 'uav_9 not confirmed: no bridge reports for it' in done.err


def test_a_fleet_has_vehicles_of_its_own(ros, tmp_path):
    theirs = Field(ros, tmp_path, 1)
    ours = Field(ros, tmp_path, 2, '/alpha')
    for field in (theirs, ours):
        field.in_the_air()
    done = ours.fly('land', '--namespace', 'alpha')
    assert (done.popen.returncode, done.out.splitlines()[-1]) == (
        0, 'stand, disarmed: uav_1, uav_2'
    )  # fmt: skip
    assert theirs.states == {'uav_1': 'HOLD'}


@nightly
@pytest.mark.parametrize('verb', ['takeoff', 'hold', 'status'])
def test_without_bridges_one_line_says_what_to_compare(domain, tmp_path, verb):
    done = run_swarm('fly', verb, '--within', '1', domain=domain, folder=tmp_path)
    assert done.popen.returncode == 1
    assert done.err.startswith('error: no bridge of a vehicle found: start one (px4.launch.py)')
    assert done.err.count('\n') == 1


@nightly
@pytest.mark.parametrize(
    ('arguments', 'line'),
    [
        (['land', 'uav 1'], "VEHICLE = 'uav 1' must be a name"),
        (['takeoff', 'uav_1', '--agents', '2'], 'give one of them'),
        (['takeoff', '--agents', '0'], '--agents = 0 must be from 1'),
        (['takeoff', '--min-battery', '2'], '--min-battery = 2 must be from 0 to 1'),
        (['takeoff', '--separation', '-1'], '--separation = -1 m must be at least 0'),
        (['takeoff', '--scenario', 'nope'], 'nope: no such scenario file'),
        (['takeoff', '--places', 'nope'], 'nope: cannot read the places'),
        (['hold', '--within', '0'], '--within = 0 s must be above 0'),
        (['hold', '--namespace', '1a'], "--namespace = '1a' must be a namespace"),
        (['status', '--json', '--watch'], '--watch and --json exclude each other'),
        (['kill'], 'name the vehicles, or --all'),
        (['kill', 'uav_1', '--all'], 'name the vehicles, or --all'),
        (['kill', 'uav_1'], 'there is no terminal: add --yes-let-it-fall'),
    ],
)
def test_invalid_options_are_refused_in_one_line(arguments, line, domain, tmp_path):
    done = run_swarm('fly', *arguments, domain=domain, folder=tmp_path)
    assert done.popen.returncode == 2
    assert line in done.err
    assert done.err.count('\n') == 1
