"""Timeouts below a tick: every node says so when it starts."""

import pytest
from rcl_interfaces.msg import Log
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.cockpit import Cockpit
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.qos import COMMAND

pytestmark = pytest.mark.ros


def warned(ros, words: str) -> list[str]:
    """Return the first warning that begins with some words."""
    return ros.until(lambda: [m.msg for m in ros.log if m.msg.startswith(words)], words)


@pytest.fixture
def log(ros):
    """Listen to the log."""
    ros.log = ros.listen(Log, '/rosout', COMMAND)
    return ros.log


@pytest.mark.parametrize('name', ['odom_timeout', 'agent_state_timeout', 'target_state_timeout'])
def test_a_member_names_a_timeout_below_its_tick(ros, log, name):
    Cockpit(ros, **{name: 0.001})
    (line, *_) = warned(ros, f'{name} = 0.001 s is below control_period = ')
    assert 'or more' in line


def test_a_vehicle_names_a_command_timeout_below_its_update(ros, log):
    ros.make(MobilityNode, '/uav_1', cmd_vel_timeout=0.001)
    assert warned(ros, 'cmd_vel_timeout = 0.001 s is below update_rate = 0.01 s')


def test_a_world_names_a_command_timeout_below_its_tick(ros, log):
    ros.make(WorldNode, None, lockstep=False, num_agents=1, cmd_vel_timeout=0.01)
    assert warned(ros, 'cmd_vel_timeout = 0.01 s is below control_period = 0.05 s')
