"""What a world tells people: who is missing, who is silent, whether it is fast enough."""

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.swarm import Swarm, scenario
from support.ros.told import ERROR, OK, WARN, Told
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

NAME, LOGGER = 'world: simulation', 'world'
SMALL = {'num_agents': 2, 'adversary_enable': False}
REAL_TIME = {**SMALL, 'lockstep': False}


@pytest.fixture
def told(ros):
    """Return what nodes tell, from the beginning."""
    return Told(ros)


class Commanders:
    """The tester as all members of a world in real time."""

    def __init__(self, ros, names=('uav_1', 'uav_2', 'target')):
        """Find the world."""
        self.ros = ros
        self.voices = {name: ros.voice(Twist, f'/{name}/cmd_vel') for name in names}

    def speak(self, *names):
        """Send a command as some members, as all without names."""
        for name in names or self.voices:
            self.voices[name].publish(Twist())
        self.ros.meanwhile(0.05)
        return True


@pytest.mark.parametrize('parameters', [REAL_TIME, SMALL])
def test_who_is_missing_at_the_start_is_named_every_few_seconds(ros, told, parameters):
    ros.make(WorldNode, None, **parameters)
    text = 'waiting for target, uav_1, uav_2 (0 of 3 there)'
    ros.until(lambda: told.shows(NAME, WARN, text), 'the status')
    ros.until(lambda: told.lines(LOGGER).count(text) == 2, 'two lines')
    values = {pair.key: pair.value for pair in told.statuses(NAME)[-1].values}
    assert values['waiting_for'] == 'target, uav_1, uav_2 (0 of 3 there)'


def test_when_all_are_there_it_says_so_and_all_is_well(ros, told):
    ros.make(WorldNode, None, **REAL_TIME)
    members = Commanders(ros)
    ros.until(lambda: members.speak() and told.shows(NAME, OK, 'ok'), 'the status ok')
    assert told.logged(LOGGER, 'the run begins: all 3 are there after ')


def test_members_that_fall_silent_are_named(ros, told):
    ros.make(WorldNode, None, **REAL_TIME)
    members = Commanders(ros)
    ros.until(lambda: members.speak() and told.shows(NAME, OK), 'the status ok')
    text = 'no command from uav_1 for up to '
    ros.until(
        lambda: members.speak('uav_2', 'target') and told.shows(NAME, WARN, text), 'the status'
    )
    assert told.logged(LOGGER, text)
    ros.until(lambda: members.speak() and told.shows(NAME, OK), 'the status ok again')


def test_who_never_appeared_stays_in_the_status(ros, told):
    ros.make(WorldNode, None, **REAL_TIME, startup_timeout=0.5)
    members = Commanders(ros)
    ros.until(
        lambda: members.speak('uav_2', 'target') and len(told.statuses(NAME)) > 3, 'statuses'
    )
    assert told.shows(NAME, WARN, 'uav_1 did not appear')
    assert told.logged(LOGGER, 'the run begins: without uav_1 after ')


def test_other_publishers_of_a_bodys_topics_are_named(ros, told):
    ros.make(WorldNode, None, **REAL_TIME)
    ros.add(Node('driver')).create_publisher(Odometry, '/uav_2/odom', STATE)
    text = '2 publishers on /uav_2/odom: /driver, /world'
    ros.until(lambda: told.shows(NAME, ERROR, text), 'the status')
    for name in ('agent', 'teleop'):
        ros.add(Node(name)).create_publisher(Twist, '/uav_1/cmd_vel', COMMAND)
    ros.until(lambda: told.shows(NAME, ERROR, text, 'on /uav_1/cmd_vel: /agent, /teleop'), 'both')


def test_a_real_time_world_on_a_slow_machine_is_told(ros, told):
    ros.make(WorldNode, None, **REAL_TIME)

    def slow():
        ros.stall(0.3)
        ros.spin()
        return told.shows(NAME, ERROR, 'period of the world 0.', ' s instead of 0.05 s')

    ros.until(slow, 'the status')


def test_a_lockstep_world_below_the_speed_that_is_asked_for_is_told(ros, told, tmp_path):
    flown = scenario(run={'real_time_factor': 10.0, 'sim_duration': 60.0})
    world = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False))['world'].world
    ticks = set()

    def slow():
        if world.tick not in ticks:  # a tick of 0.05 s takes more than 0.01 s
            ros.stall(0.01)
        ticks.add(world.tick)
        return told.shows(
            NAME, WARN, 'real-time factor ', ' instead of 10: the machine is too slow'
        )

    ros.until(slow, 'the status')


def test_a_member_that_does_not_answer_any_more_stays_in_the_status(ros, tmp_path):
    flown = scenario(run={'lockstep_timeout': 0.5, 'sim_duration': 600.0})
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False))
    ros.until(lambda: swarm.samples > 5, 'some ticks')
    ros.remove(swarm['uav_3'])
    text = 'no answer from uav_3: the run continues without them'
    world = swarm['world']
    reasons = lambda: [one.reason for one in world.drive.conditions()]  # noqa: E731
    ros.until(lambda: text in reasons(), 'the condition')
    tick = world.world.tick
    ros.until(lambda: world.world.tick > tick + 20, 'further ticks')
    assert text in reasons()
