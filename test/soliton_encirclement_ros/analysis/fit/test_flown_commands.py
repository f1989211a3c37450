"""Commands that a bridge did not pass on say nothing about the vehicle."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.flown_commands import with_flown_commands
from soliton_encirclement_ros.analysis.recording import BridgeChange
from support.recorded.planted import flight, steps


@pytest.fixture(scope='module')
def member():
    return flight(steps(np.random.default_rng(1), duration=10.0))


def change(time, state, name='uav_1'):
    return BridgeChange(time, name, state, 'why')


def test_only_tracked_commands_are_kept(member):
    bridges = [
        change(0.5, 'HOLD'), change(2.0, 'TRACK'), change(3.0, 'TRACK', 'uav_2'),
        change(4.0, 'BRAKE'), change(4.5, 'HOLD'), change(6.0, 'TRACK'), change(9.0, 'LANDING'),
    ]  # fmt: skip
    found = with_flown_commands(member, bridges).commands
    time = member.commands.time
    kept = ((time >= 2.0) & (time < 4.0)) | ((time >= 6.0) & (time < 9.0))
    assert found.time.tolist() == time[kept].tolist()
    assert np.array_equal(found.velocity, member.commands.velocity[kept])


def test_without_a_bridge_of_its_own_all_are_kept(member):
    for bridges in ([], [change(1.0, 'HOLD', 'uav_2')]):
        assert with_flown_commands(member, bridges) is member


def test_a_member_without_commands_stays_so(member):
    bare = member._replace(commands=None)
    assert with_flown_commands(bare, [change(1.0, 'TRACK')]) is bare
