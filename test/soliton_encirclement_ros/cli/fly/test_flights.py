"""``swarm fly`` with real bridges and agents, each a process, and emulated PX4s on DDS."""

import pytest

from support.fly.autopilot_field import AutopilotField
from support.ros.graph import domain

__all__ = ['domain']

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

EXPECTED = ('--agents', '3')


@pytest.fixture
def field(domain, tmp_path):
    """Return three vehicles on the ground with all that flies them."""
    with AutopilotField(domain, tmp_path) as field:
        yield field


def test_one_px4_that_is_not_ready_keeps_all_on_the_ground(field):
    field.do(2, 'accuracy', eph=3.0)
    refused = field.fly('takeoff', *EXPECTED)
    assert refused.popen.returncode == 1
    assert 'error: uav_2: the position is uncertain: eph = 3.0 m' in refused.err
    assert not any(one.armed for one in field.vehicles)
    field.do(2, 'accuracy', eph=0.5)
    assert field.fly('takeoff', *EXPECTED).popen.returncode == 0


def test_a_pilot_keeps_his_vehicle_until_it_is_named(field):
    assert field.fly('takeoff', *EXPECTED).popen.returncode == 0
    field.do(2, 'pilot_takes', mode='POSCTL')
    engaged = field.fly('engage', *EXPECTED)
    assert engaged.popen.returncode == 1
    assert 'uav_2: somebody else flies (mode POSCTL by the pilot or another program' in engaged.err
    assert 'only if it is named, swarm fly engage takes it over' in engaged.err
    assert field.vehicles[1].mode == 'POSCTL'
    for k in (1, 2, 3):  # a busy machine may have lost a heartbeat of the others
        field.do(k, 'operator_word')
    is_named = field.fly('engage', 'uav_1', 'uav_2', 'uav_3')
    assert is_named.popen.returncode == 0, is_named.err
    field.until(lambda: field.vehicles[1].mode == 'OFFBOARD', 'the vehicle in our hands')
    field.assert_lawful()


def test_a_bridge_that_is_killed_is_named_and_the_others_are_not_engaged(field):
    assert field.fly('takeoff', *EXPECTED).popen.returncode == 0
    field.processes['uav_3.px4_bridge_node'].popen.kill()
    engaged = field.fly('engage', *EXPECTED)
    assert engaged.popen.returncode == 1
    assert 'error: uav_3: ' in engaged.err
    assert [one.mode for one in field.vehicles[:2]] == ['OFFBOARD'] * 2
    field.until(lambda: field.vehicles[2].mode == 'AUTO_LOITER', 'the failsafe of uav_3')


def test_vehicles_of_three_kinds_fly_as_one_swarm(domain, tmp_path):
    with AutopilotField(domain, tmp_path, ('px4', 'ardupilot', 'mavros')) as field:
        up = field.fly('takeoff', *EXPECTED)
        assert up.popen.returncode == 0, up.err
        assert [one.mode for one in field.vehicles] == ['OFFBOARD', 'GUIDED', 'OFFBOARD']
        engaged = field.fly('engage', *EXPECTED)
        assert engaged.popen.returncode == 0, engaged.err
        field.until(
            lambda: all(one.height == pytest.approx(4.0, abs=0.4) for one in field.vehicles),
            'the height of the ring',
        )
        assert 'released: target, uav_1, uav_2, uav_3 (4 of 4)' in engaged.out
        for verb in ('hold', 'land'):
            done = field.fly(verb)
            assert done.popen.returncode == 0, done.err
        field.until(lambda: not any(one.armed for one in field.vehicles), 'motors that stand')
