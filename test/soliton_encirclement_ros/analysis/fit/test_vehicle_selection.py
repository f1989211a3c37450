"""Whom to fit: every agent with commands and odometry, or who was named."""

from pathlib import Path

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.vehicle_selection import chosen
from soliton_encirclement_ros.analysis.recording import SIMULATED, Recording
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.planted import flight

NAMES = ('uav_1', 'uav_2', 'uav_3', 'target')


@pytest.fixture
def recording():
    members = {name: flight(np.zeros((40, 3)), name=name) for name in NAMES}
    members['uav_2'] = members['uav_2']._replace(commands=None)
    return Recording(Path('bag'), 0, SIMULATED, 2.0, members, None, (), ())


def names(members):
    return [one.name for one in members]


def test_by_default_all_agents_that_can_be_fitted_and_no_target(recording):
    assert names(chosen(recording, [])) == ['uav_1', 'uav_3']


def test_who_is_named_once_or_twice_is_taken_once_also_the_target(recording):
    assert names(chosen(recording, ['target', 'uav_1', 'target'])) == ['target', 'uav_1']


@pytest.mark.parametrize(
    ('wanted', 'said'),
    [
        ('uav_11', r"bag: no agent 'uav_11'; did you mean 'uav_1'\?"),
        ('uav_99', r"no agent 'uav_99'; members are uav_1, uav_2, uav_3, target"),
        ('drone', r"no agent 'drone'; members are uav_1, uav_2, uav_3, target"),
        ('uav_2', 'uav_2 has no cmd_vel; name its topics with --map'),
    ],
)
def test_who_cannot_be_fitted_is_refused(recording, wanted, said):
    with pytest.raises(RunError, match=said):
        chosen(recording, [wanted])


def test_a_recording_without_commands_is_refused(recording):
    bare = {name: one._replace(commands=None) for name, one in recording.members.items()}
    with pytest.raises(
        RunError, match=r'no agent has both cmd_vel and odom \(uav_1 has no cmd_vel'
    ):
        chosen(recording._replace(members=bare), [])
    with pytest.raises(RunError, match='no agents'):
        chosen(recording._replace(members={}), [])


def test_what_was_lost_of_a_recording_is_told_with_what_it_lacks(recording):
    bare = {name: one._replace(commands=None) for name, one in recording.members.items()}
    lost = ('the metadata are odd', *(f'/a{k}: 3 setpoints: left out' for k in range(9)))
    poor = recording._replace(members=bare, problems=lost)
    for wanted in ([], ['uav_1']):
        with pytest.raises(RunError, match='/a0: 3 setpoints: left out; /a1') as refused:
            chosen(poor, wanted)
        assert '/a3' not in str(refused.value) and 'metadata' not in str(refused.value)
