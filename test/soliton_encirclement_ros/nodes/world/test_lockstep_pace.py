"""A lockstep run that operators pause, step and pace: its tables are those of any other run."""

import pytest
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from std_srvs.srv import SetBool, Trigger

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from support.ros.swarm import Swarm, fly, scenario, take_down

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

TABLES = ('agent_telemetry.csv', 'target_telemetry.csv')


@pytest.fixture
def swarm(ros, tmp_path):
    """Return a swarm that flies."""
    found = Swarm(ros, scenario(), PlanOptions(True, str(tmp_path / 'disturbed'), record=False))
    ros.until(lambda: found['world'].world.tick > 3, 'some ticks')
    return found


def pause(ros, is_paused):
    return ros.call(SetBool, '/world/pause', SetBool.Request(data=is_paused))


def step(ros):
    return ros.call(Trigger, '/world/step', Trigger.Request())


def set_factor(ros, node, factor):
    changed = Parameter('real_time_factor', value=factor).to_parameter_msg()
    request = SetParameters.Request(parameters=[changed])
    return ros.call(SetParameters, f'/{node}/set_parameters', request).results[0]


def test_a_run_that_is_paused_stepped_and_paced_is_the_same_run(ros, swarm, tmp_path):
    world = swarm['world']
    assert pause(ros, is_paused=True).success
    ros.meanwhile(0.3)  # until all have answered
    tick = world.world.tick
    ros.meanwhile(0.5)
    assert world.world.tick == tick
    assert world.drive.diagnostic_values()['paused'] is True
    assert step(ros).success
    ros.until(lambda: world.world.tick == tick + 1, 'the step')
    ros.meanwhile(0.3)
    assert world.world.tick == tick + 1
    assert pause(ros, is_paused=True).message.startswith('already')
    assert set_factor(ros, 'world', 2.0).successful
    assert pause(ros, is_paused=False).success
    ros.meanwhile(1.0)
    assert world.world.tick <= tick + 1 + 2.0 * 1.5 / 0.05
    assert not step(ros).success
    assert set_factor(ros, 'world', 0.0).successful
    swarm.fly()
    take_down(ros, swarm.nodes.values())
    fly(ros, scenario(), tmp_path / 'undisturbed')
    for name in TABLES:
        one, other = ((tmp_path / of / name).read_bytes() for of in ('disturbed', 'undisturbed'))
        assert one == other


def test_a_pause_is_no_slow_machine_and_no_lost_member(ros, swarm):
    world = swarm['world']
    assert set_factor(ros, 'world', 1.0).successful
    pause(ros, is_paused=True)
    ros.meanwhile(2.5, lambda: world.drive.conditions())
    pause(ros, is_paused=False)
    assert world.drive.missed_answers == 0
    assert not [one for one in world.drive.conditions() if 'slow' in one.reason]


def test_only_the_world_has_a_pace(ros, swarm):
    del swarm
    answer = set_factor(ros, 'monitor', 2.0)
    assert not answer.successful
    assert answer.reason.startswith('real_time_factor 0 -> 2: the world of a lockstep run alone')
