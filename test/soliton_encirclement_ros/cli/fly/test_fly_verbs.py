"""``swarm fly`` as a process of its own, with played bridges and real agents."""

import json

import pytest

from support.cli import run_swarm
from support.fly.field import Field
from support.here import swarm_here
from support.ros.stopping import Operator, is_zero
from support.ros.told import ERROR, Told

__all__ = ['swarm_here']

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
    assert field.called == {name: ['arm_takeoff', 'go'] for name in ALL}
    assert 'hold in the air: uav_1, uav_2, uav_3 (3 of 3)\n' in done.out
    assert 'next: swarm fly engage' in done.out


def test_nothing_is_armed_if_one_is_not_ready(field):
    field['uav_2'].values.update(ready='false', waits_for='eph = 3.0 m, at most 1.5 m')
    done = field.fly('takeoff', '--agents', '4')
    assert done.popen.returncode == 1
    assert field.called == {name: [] for name in ALL}
    assert 'error: uav_2: eph = 3.0 m, at most 1.5 m\n' in done.err
    assert 'error: uav_4: not heard: start its bridge' in done.err
    assert 'no take-off, nothing was armed: 2 of 4 vehicles not ready; ready: uav_1, uav_3' in (
        done.err
    )


def test_if_one_refuses_nobody_arms(field):
    field['uav_2'].refuses['arm_takeoff'] = 'the safety switch is not pressed'
    done = field.fly('takeoff', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'uav_2 not confirmed: refused: the safety switch is not pressed' in done.err
    assert 'nobody was released, so no motor turns' in done.err
    assert field.states == dict.fromkeys(ALL, 'READY')
    assert not any('go' in called for called in field.called.values())


def test_if_one_fails_on_its_way_the_others_reach_their_height(field):
    field['uav_3'].goes_wrong['TAKE_OFF'] = 'EXTERNAL'
    done = field.fly('takeoff', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'uav_3 not confirmed: somebody else flies (in EXTERNAL)' in done.err
    assert field.states == {'uav_1': 'HOLD', 'uav_2': 'HOLD', 'uav_3': 'EXTERNAL'}
    assert 'uav_1, uav_2: in the air, holding; uav_3: armed, somebody else flies' in done.out
    assert done.out.endswith('next: swarm fly status, swarm fly land\n')


def test_ctrl_c_before_the_release_arms_nobody(field):
    field['uav_2'].goes_wrong['PRECHECK'] = 'PRECHECK'
    done = field.fly('takeoff', '--agents', '3', ends=lambda _: field['uav_1'].state == 'ARMING')
    assert done.popen.returncode == 1
    assert field.called == {name: ['arm_takeoff', 'cancel'] for name in ALL}
    assert field.states == dict.fromkeys(ALL, 'READY')
    assert 'uav_1, uav_2, uav_3: on the ground, not armed' in done.out


def test_ctrl_c_in_the_climb_says_who_climbs(field):
    for name in ALL:
        field[name].goes_wrong['TAKE_OFF'] = 'TAKE_OFF'
    done = field.fly('takeoff', '--agents', '3', ends=lambda _: field['uav_1'].state == 'TAKE_OFF')
    assert done.popen.returncode == 1
    assert 'uav_1, uav_2, uav_3: climbing, will hold at the top' in done.out
    assert 'nobody' not in done.out + done.err
    assert field.states == dict.fromkeys(ALL, 'TAKE_OFF')


def test_ctrl_c_at_the_gate_arms_nobody(field):
    field['uav_2'].values.update(ready='false', waits_for='no battery')
    done = field.fly('takeoff', '--agents', '3', ends=lambda said: 'no battery' in said)
    assert done.popen.returncode == 1
    assert 'uav_1: ended by the operator' in done.err
    assert field.called == {name: [] for name in ALL}


def test_one_vehicle_of_a_scenario_takes_off_by_name(field):
    done = field.fly('takeoff', 'uav_2', '--scenario', 'first_flight')
    assert done.popen.returncode == 0, done.err
    assert field.called == {'uav_1': [], 'uav_2': ['arm_takeoff', 'go'], 'uav_3': []}


@pytest.mark.parametrize('is_ready', [True, False])
def test_a_dry_run_tells_and_orders_nothing(field, is_ready):
    field.add_agents()
    if not is_ready:
        field['uav_2'].values.update(ready='false', waits_for='no battery')
    done = field.fly('takeoff', '--dry-run')
    assert done.popen.returncode == (0 if is_ready else 1), done.err
    assert field.called == {name: [] for name in ALL}
    told = 'ready: uav_1, uav_2, uav_3 (3 of 3); nothing was ordered'
    assert (told in done.out) == is_ready and ('uav_2: no battery' in done.err) != is_ready
    assert not field.stops


def test_a_refused_engagement_stops_nobody_who_flies(field):
    field.add_agents()
    field.in_the_air('TRACK')
    field['uav_3'].go('EXTERNAL')
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'not engaged, nothing was changed: 1 of 3 vehicles not ready' in done.err
    assert field.called == {name: [] for name in ALL}
    assert not field.stops


def test_nobody_is_engaged_while_an_agent_finds_its_twist_in_another_frame(field):
    field.add_agents()
    field.in_the_air()
    told = Told(field.ros)
    field['uav_2'].north = 1.0
    line = "set odom_twist_frame to 'map'"
    field.ros.until(lambda: told.shows('uav_2/agent: control', ERROR, line), 'the fault')
    field['uav_2'].north = 0.0
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'error: uav_2: its agent finds its twist in another frame than odom_twist' in done.err
    assert field.called == {name: [] for name in ALL}


def test_who_flew_before_a_failed_engagement_flies_on(field):
    field.add_agents()
    field.in_the_air('TRACK')
    field['uav_3'].go('HOLD')
    field['uav_3'].refuses['engage'] = 'the vehicle fault'
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'not engaged; uav_1, uav_2 flew before and may go on' in done.err
    assert field.states == {'uav_1': 'TRACK', 'uav_2': 'TRACK', 'uav_3': 'HOLD'}
    assert (field.stops[0], field.stops[-1]) == ('stop everybody', 'release everybody')


def test_all_are_engaged_and_then_released_together(field):
    field.add_agents()
    field.in_the_air()
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 0, done.err
    assert field.states == dict.fromkeys(ALL, 'TRACK')
    assert 'released: uav_1, uav_2, uav_3 (3 of 3)\n' in done.out


def test_if_one_is_not_engaged_all_hold_and_nobody_is_released(field):
    field.add_agents()
    field.in_the_air()
    field['uav_2'].refuses['engage'] = 'the vehicle fault'
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert field.states == dict.fromkeys(ALL, 'HOLD')
    assert 'not engaged, the agents stay stopped' in done.err
    heard = {name: len(said) for name, said in field.commands.items()}
    field.ros.until(
        lambda: all(len(said) > heard[name] + 20 for name, said in field.commands.items()),
        'a second of commands',
    )
    for name, said in field.commands.items():
        assert all(map(is_zero, said[heard[name] :]))


def test_one_that_does_not_hold_again_is_named(field):
    field.add_agents()
    field.in_the_air()
    field['uav_2'].refuses['engage'] = 'the vehicle fault'
    field['uav_1'].refuses['hold'] = 'the switch of the pilot'
    done = field.fly('engage', '--agents', '3')
    assert done.popen.returncode == 1
    assert 'uav_1 does not hold again: refused: the switch of the pilot' in done.err


def test_an_emergency_stop_in_force_keeps_all_where_they_are(field):
    field.add_agents()
    Operator(field.ros, readers=3).order(True)
    for verb in ('takeoff', 'engage'):
        done = field.fly(verb)
        assert done.popen.returncode == 1
        assert 'an emergency stop is in force, by the tester: swarm stop --release' in done.err
    assert field.called == {name: [] for name in ALL}


def test_an_emergency_stop_amid_an_engagement_stays_in_force(field):
    field.add_agents()
    field.in_the_air()
    operator = Operator(field.ros, readers=3)
    field['uav_3'].begins['engage'] = ('HOLD', 'HOLD')  # it takes its time

    def stop_amid(said):
        if 'engage' not in field['uav_3'].called:
            return False
        by = [message.status[-1].hardware_id for message in field.orders]
        if 'the tester' not in by:
            operator.order(True)
        elif field['uav_3'].state == 'HOLD':
            field['uav_3'].go('TRACK')
        return False

    done = field.fly('engage', '--agents', '3', ends=stop_amid)
    assert done.popen.returncode == 1
    assert 'an emergency stop is in force, by the tester: swarm stop --release' in done.err
    assert 'release everybody' not in field.stops


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


def test_motors_are_stopped_by_two_calls_of_one_who_is_sure(field):
    field.in_the_air()
    done = field.fly('kill', 'uav_2', '--yes-let-it-fall')
    assert done.popen.returncode == 0, done.err
    assert field.called == {'uav_1': [], 'uav_2': ['kill', 'kill'], 'uav_3': []}


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
    assert 'not heard: start its bridge' in rows['uav_4']
    assert done.out.endswith('\n3 of 4 report\n')
    told = json.loads(field.fly('status', '--json').out)
    assert [*told] == [*ALL]
    assert (told['uav_1']['state'], told['uav_1']['armed']) == ('READY', False)


def test_a_fleet_has_vehicles_of_its_own(ros, tmp_path):
    theirs = Field(ros, tmp_path, 1)
    ours = Field(ros, tmp_path, 2, '/alpha')
    for field in (theirs, ours):
        field.in_the_air()
    done = ours.fly('land', '--namespace', 'alpha')
    assert (done.popen.returncode, done.out.splitlines()[-1]) == (
        0, 'stand, disarmed: uav_1, uav_2 (2 of 2)'
    )  # fmt: skip
    assert theirs.states == {'uav_1': 'HOLD'}


@nightly
@pytest.mark.parametrize('verb', ['takeoff', 'hold'])
def test_without_bridges_one_line_says_what_to_compare(domain, tmp_path, verb):
    done = run_swarm('fly', verb, '--within', '1', domain=domain, folder=tmp_path)
    assert done.popen.returncode == 1
    assert done.err.startswith('error: no bridge of a vehicle found: start one (px4.launch.py)')
    assert done.err.count('\n') == 1


@nightly
def test_the_console_needs_a_terminal(domain, tmp_path):
    done = run_swarm('fly', 'console', domain=domain, folder=tmp_path)
    assert (done.popen.returncode, done.err.count('\n')) == (2, 1)
    assert 'swarm fly console needs a terminal' in done.err


@pytest.mark.parametrize(
    ('arguments', 'line'),
    [
        (['land', 'uav 1'], "VEHICLE = 'uav 1' must be a name"),
        (['takeoff', 'uav_3', '--agents', '2'], 'uav_3 is none of the vehicles of --agents 2'),
        (['takeoff', '--min-battery', '2'], "'--min-battery': 2.0 is not in the range 0.0<=x<="),
        (['engage', '--separation', '-1'], "'--separation': -1.0 is not in the range x>=0.0"),
        (['takeoff', '--places', 'nope'], 'nope: cannot read the places'),
        (['hold', '--within', '0'], "'--within': 0.0 is not in the range 0.0<x<=600.0"),
        (['hold', '--namespace', '1a'], "--namespace = '1a' must be a namespace"),
        (['status', '--json', '--watch'], '--watch and --json exclude each other'),
        (['kill', 'uav_1'], 'there is no terminal: add --yes-let-it-fall'),
    ],
)
def test_invalid_options_are_refused_in_one_line(swarm_here, arguments, line):
    done = swarm_here('fly', *arguments)
    assert (done.code, done.err.count('\n')) == (2, 1)
    assert line in done.err
