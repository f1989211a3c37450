"""A world whose vehicles measure their motion with noise, late or not at all."""

import itertools
import math

import numpy as np
import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.bodies import odometry_to_body, values
from support.ros.sent_messages import command_to_twist
from support.ros.swarm import Swarm, fly, scenario
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, STATE
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

REAL_TIME = {'lockstep': False, 'num_agents': 1, 'sim_duration': 600.0, 'cmd_vel_timeout': 0.0}


class Scene:
    """A world that moves by the clock; what its first vehicle measures, and its true motion."""

    def __init__(self, ros, **parameters):
        """Start the world."""
        self.odom = ros.listen(Odometry, '/uav_1/odom', STATE)
        self.truth = ros.listen(Odometry, '/uav_1/ground_truth', STATE)
        self.node = ros.make(WorldNode, None, **{**REAL_TIME, **parameters})
        self.voice = ros.voice(Twist, '/uav_1/cmd_vel')
        ros.until(lambda: self.odom, 'the first odometry')

    def command(self, velocity):
        """Command the vehicle."""
        self.voice.publish(command_to_twist(velocity, 0.0))


def stamps(heard) -> list[int]:
    """Return the stamps of messages [ns]."""
    return [time_to_ns(one.header.stamp) for one in heard]


def places(heard) -> dict[int, tuple]:
    """Return positions [m] by their times [ns]."""
    return {time_to_ns(one.header.stamp): odometry_to_body(one)[0] for one in heard}


def test_a_late_odometry_has_the_time_of_its_measurement_and_comes_once(ros):
    scene = Scene(ros, odom_latency=0.3, odom_period=0.1)
    scene.command((3.0, 0.0, 0.0))
    ros.until(lambda: odometry_to_body(scene.odom.last)[1][0] > 1.0, 'its motion')
    late = stamps(scene.truth)[-1] - stamps(scene.odom)[-1]
    assert 0.2e9 < late < 0.6e9
    steps = [b - a for a, b in itertools.pairwise(stamps(scene.odom))]
    assert min(steps) == 100_000_000


def test_the_true_motion_is_in_map_wherever_the_odometry_begins(ros):
    scene = Scene(ros, position_noise_xy=0.01, odom_frame='odom')
    ros.until(lambda: scene.truth, 'the truth')
    assert scene.odom[0].header.frame_id == 'uav_1/odom'
    assert scene.truth[0].header.frame_id == 'map'
    assert math.hypot(*odometry_to_body(scene.odom[0])[0]) < 0.1
    assert odometry_to_body(scene.truth[0])[0] == scene.node.world.positions['uav_1']


def test_a_world_of_perfect_vehicles_has_no_second_odometry(ros):
    Scene(ros)
    assert ros.tester.count_publishers('/uav_1/ground_truth') == 0


def test_in_lockstep_the_received_states_say_how_old_the_odometry_is(ros, tmp_path):
    """It is published when it is measured, with the time of the measurement."""
    late = {'odom_latency': 0.07, 'odom_period': 0.2}
    flown = scenario(run={'sim_duration': 2.0}, mobility=late)
    odom = ros.listen(Odometry, '/uav_1/odom', LOCKSTEP)
    received = ros.listen(JointState, '/uav_1/received_states', LOCKSTEP)
    fly(ros, flown, tmp_path)
    measured = [at for at in stamps(odom) if at > 0]
    assert measured == [k * 200_000_000 for k in range(1, len(measured) + 1)]
    ages = {time_to_ns(one.header.stamp): values(one).get('odom/age') for one in received}
    assert len(measured) == 9 and len(ages) == 41
    for tick in range(1, 41):
        arrived = (50 * tick - 70) // 200 * 200  # the last measurement that is 70 ms old
        assert ages[tick * 50_000_000] == pytest.approx((50 * tick - max(0, arrived)) / 1e3)


def test_by_the_clock_metrics_are_those_of_the_true_motion(ros, tmp_path):
    """All vehicles stand, a metre and more beside where they believe to be."""
    blurred = {'position_drift_xy': 8.0, 'drift_time': 1e6, 'max_speed_xy': 0.0}
    flown = scenario(
        run={'sim_duration': 2.0}, mobility=blurred, swarm={'encirclement_radius': 20.0},
        failure={'failure_enable': False}, adversary={'adversary_enable': False},
    )  # fmt: skip
    swarm = Swarm(ros, flown, PlanOptions(False, str(tmp_path), record=False))
    monitor = swarm['monitor_node']
    ros.until(lambda: len(monitor.observer.received) == 4, 'all agents')
    ros.until(lambda: swarm.samples > 30, 'samples')
    world, observer = swarm['world'].world, monitor.observer
    distances = [math.dist(world.positions[f'uav_{k}'], (0, 0, 0)) for k in range(1, 5)]
    error = math.sqrt(np.mean([(r / 20.0 - 1.0) ** 2 for r in distances]))
    assert observer.last.metrics[0] == pytest.approx(error, abs=1e-9)
    off = [math.dist(world.pose(f'uav_{k}').position, world.positions[f'uav_{k}'])
           for k in range(1, 5)]  # fmt: skip
    assert max(off) > 1.0


def test_by_the_clock_agents_find_the_target_that_the_world_lets_them_see(ros):
    """It broadcasts nothing."""
    flown = scenario(
        run={'sim_duration': 600.0}, failure={'failure_enable': False},
        target={'target_swarm_spin_enable': False, 'protection_angle_deg': 360.0,
                'target_motion_speed_xy': 0.5},
        target_sensing={'target_broadcasts': False, 'range_noise': 0.5, 'bearing_noise_deg': 1.0},
    )  # fmt: skip
    swarm = Swarm(ros, flown, PlanOptions(lockstep=False))
    agents = [swarm[f'uav_{k}'] for k in flown.agent_ids]
    world = swarm['world'].world

    def is_found() -> bool:
        truth = world.positions['target']
        found = [agent.actor.estimated for agent in agents]
        return all(one[6] >= 0.0 and math.dist(one[:3], truth) < 1.5 for one in found)

    ros.until(is_found, 'estimates')
    assert all(agent.actor.hears_target(agent.actor.now) for agent in agents)
    heard = ros.tester.get_subscriptions_info_by_topic('/swarm/target_state')
    assert 'agent' not in {info.node_name for info in heard}
