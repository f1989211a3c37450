"""The health of a swarm in one word."""

import math

import pytest

from soliton_encirclement_ros.core.run.swarm_health import (
    DEGRADED, FAILED, OK, SwarmCondition, swarm_health
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
