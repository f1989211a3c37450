"""The health of a swarm in one word."""

import math

import pytest

from soliton_encirclement_ros.core.run.swarm_health import (
    DEGRADED, FAILED, OK, RingWatch, SwarmCondition, swarm_health
)

WELL = SwarmCondition(10, (), True, 0.1, 2.0, math.inf, 1.0, (), (), 0.5)


def test_a_swarm_without_a_fault_is_ok():
    assert swarm_health(WELL) == (OK, ())


@pytest.mark.parametrize(
    ('changes', 'state', 'reason'),
    [
        ({'silent': ['uav_3', 'uav_4']}, DEGRADED, 'silent: uav_3, uav_4'),
        ({'stopped': ['uav_2']}, DEGRADED, 'stopped: uav_2'),
        ({'near_miss_age': 9.9}, DEGRADED, 'two agents nearer than 1 m 9.9 s ago'),
        ({'relaxed': ['uav_7']}, DEGRADED, 'separation filter relaxed: uav_7'),
        ({'faulty': {'uav_2': 'odometry lost', 'target': 'x'}}, DEGRADED,
         'error at uav_2, target: odometry lost'),
        ({'doubtful': ['uav_2']}, DEGRADED, 'doubtful parameters: uav_2'),
        ({'off_ring': ['uav_5']}, DEGRADED, 'off the ring for 30 s: uav_5'),
        ({'target_age': 2.5}, FAILED, 'target lost: last received 2.5 s ago'),
        ({'has_target': False}, FAILED, 'no state of the target received yet'),
        ({'stopped': ['all']}, FAILED, 'all stopped by the operator'),
    ],
)  # fmt: skip
def test_every_fault_has_its_state_and_its_reason(changes, state, reason):
    assert swarm_health(WELL._replace(**changes)) == (state, (reason,))


def test_too_few_agents_are_a_failure_and_are_named():
    silent = [f'uav_{k}' for k in range(1, 7)]
    state, reasons = swarm_health(WELL._replace(silent=silent))
    assert (state, reasons[0]) == (FAILED, '4 of 10 agents received')
    assert reasons[1].startswith('silent: uav_1')


def test_what_fails_comes_first():
    found = swarm_health(WELL._replace(relaxed=['uav_7'], target_age=9.0))
    assert found.state == FAILED
    assert [reason.split(':')[0] for reason in found.reasons] == [
        'target lost', 'separation filter relaxed'
    ]  # fmt: skip


def test_a_near_miss_is_forgotten():
    assert swarm_health(WELL._replace(near_miss_age=10.1)).state == OK


def test_who_is_off_the_ring_for_long_is_named_until_it_is_back():
    watch = RingWatch(20.0, 0.3)

    def look(now, uav_1, uav_2):
        return watch.look(now, {'uav_1': uav_1, 'uav_2': uav_2})

    assert look(0.0, 26.5, 25.5) == look(29.9, 13.5, 20.0) == []
    assert look(30.0, 40.0, 26.5) == ['uav_1']
    assert look(60.1, 20.0, 26.5) == ['uav_2']
    assert look(61.0, 26.5, 20.0) == []
    assert watch.look(80.0, {}) == look(95.0, 26.5, 20.0) == []
    assert look(5.0, 26.5, 20.0) == look(34.9, 26.5, 20.0) == []  # time went back
    assert look(35.0, 26.5, 20.0) == ['uav_1']
