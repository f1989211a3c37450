"""Vehicles with controllers that see nobody, kept apart over real DDS in simulated time."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from support.ros.bodies import agent, target
from support.ros.graph import Ros
from support.ros.sky import Sky, along
from velocity_mobility_ros.core.model import Vector

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

LEAST = 1.9
"""The distance of the parameters, less what discretisation costs [m]."""

MIDDLE: Vector = (0.0, 0.0, 5.0)


def head_on(ros: Ros, **parameters: object) -> Sky:
    """Let two vehicles fly at each other, through each other's place and on."""
    sky = Sky(ros)
    sky.flyer(1, (-9.0, 0.0, 5.0), along(6.0), **parameters)
    sky.flyer(2, (9.0, 0.0, 5.0), along(-6.0), **parameters)
    sky.begin()
    sky.fly(4.5)
    return sky


def test_two_that_fly_at_each_other_pass(ros: Ros) -> None:
    sky = head_on(ros)
    assert sky.least_distance(1, 2) > LEAST
    assert sky.place(1)[0] > 2.0
    assert sky.place(2)[0] < -2.0


def test_without_the_filter_they_collide(ros: Ros) -> None:
    sky = head_on(ros, separation_filter=False)
    assert sky.least_distance(1, 2) < 0.5


def test_a_silent_one_is_passed(ros: Ros) -> None:
    """It is heard once, hovers in the way for ever, and nobody hears it again."""
    sky = Sky(ros)
    sky.flyer(1, (-9.0, 0.0, 5.0), along(6.0))
    voice = sky.voice_of_agents()
    sky.begin()
    sky.tell(voice, agent(3, 1, MIDDLE))
    sky.fly(4.5)
    assert sky.least_to(1, MIDDLE) > LEAST
    assert sky.place(1)[0] > 2.0


def test_the_silent_are_told_to_those_that_come_later(ros: Ros) -> None:
    """One that was not there when it was heard avoids it, too."""
    sky = Sky(ros)
    sky.flyer(1, (-9.0, 9.0, 5.0), along(0.0))
    voice = sky.voice_of_agents()
    sky.begin()
    sky.tell(voice, agent(3, 1, MIDDLE))
    sky.fly(0.5)
    sky.flyer(2, (-9.0, 0.0, 5.0), along(6.0))
    sky.begin()
    sky.fly(4.5)
    assert sky.least_to(2, MIDDLE) > LEAST
    assert sky.place(2)[0] > 2.0


@pytest.mark.parametrize('kind', ['stranger', 'filtered'])
def test_a_vehicle_that_has_only_odometry_is_passed(ros: Ros, kind: str) -> None:
    sky = Sky(ros)
    sky.vehicle(7, MIDDLE)
    sky.flyer(1, (-9.0, 0.0, 5.0), along(6.0),
              odometry_topics='uav_7/odom', odometry_kind=kind)  # fmt: skip
    sky.begin()
    sky.fly(4.5)
    assert sky.least_distance(1, 7) > LEAST
    assert sky.place(1)[0] > 2.0


def test_the_target_keeps_its_distance(ros: Ros) -> None:
    sky = Sky(ros)
    sky.flyer(1, (-12.0, 0.3, 5.0), along(5.0), target_distance=4.0)
    voice = sky.voice_of_targets()
    sky.begin()
    seq = iter(range(1, 1000))
    sky.fly(4.0, lambda: sky.tell(voice, target(next(seq), MIDDLE)))
    assert 3.9 < sky.least_to(1, MIDDLE) < 6.0


def test_one_of_our_agents_and_a_commanded_vehicle_avoid_each_other(
    ros: Ros, tmp_path: Path
) -> None:
    """The agent flies a path that the other one comes along; both give way."""
    way = tmp_path / 'way.csv'
    way.write_text('x,y,z\n12,0,5\n-12,0,5\n')
    sky = Sky(ros)
    sky.flyer(2, (-12.0, 0.0, 5.0), along(4.0))
    sky.vehicle(1, (12.0, 0.0, 5.0))
    node = sky.add(ros.make(AgentNode, '/uav_1', use_sim_time=True, path=str(way)))
    ros.until(lambda: node.count_publishers('/swarm/agent_states') >= 2, 'states')
    sky.begin()
    sky.fly(7.0)
    assert LEAST < sky.least_distance(1, 2) < 6.0
    assert sky.place(1)[0] < 0.0 < sky.place(2)[0]
    assert min(sky.farthest_aside(1), sky.farthest_aside(2)) > 0.3
