"""Vehicles with controllers that see nobody, kept apart; what a bag tells of it."""

from pathlib import Path
from typing import Any

import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.findings import Findings, find
from soliton_encirclement_ros.analysis.findings.finding_settings import default_settings
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import NOT_FINITE, OUTSIDE
from soliton_encirclement_ros.core.laws.filter_codes import NONE
from soliton_encirclement_ros.core.laws.telemetry import FILTER_NAMES
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from support.ros.bodies import agent, odometry, target, values
from support.ros.graph import Ros
from support.ros.sky import Sky, along
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import STATE

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
    assert not node.may_start_again  # it would begin its path anew
    ros.until(lambda: node.count_publishers('/swarm/agent_states') >= 2, 'states')
    sky.begin()
    sky.fly(7.0)
    assert LEAST < sky.least_distance(1, 2) < 6.0
    assert sky.place(1)[0] < 0.0 < sky.place(2)[0]
    assert min(sky.farthest_aside(1), sky.farthest_aside(2)) > 0.3


PLACES = {'uav_1': (20.0, 0.0, 5.0), 'uav_2': (20.0, 1.5, 5.0), 'target': (0.0, 0.0, 5.0)}
"""The two are nearer to each other than allowed."""


@pytest.mark.parametrize(('given', 'neighbour'), [({}, -1.0), ({'ring_member': True}, 2.0)])
def test_the_agent_keeps_away_and_leaves_a_place_only_if_told_so(
    ros: Ros, given: dict[str, bool], neighbour: float
) -> None:
    ros.make(AgentNode, '/uav_1')
    ros.make(SafetyNode, '/uav_2', **given)
    ros.make(TargetNode, '/target')
    voices = {name: ros.voice(Odometry, f'/{name}/odom', STATE) for name in PLACES}
    told = ros.listen(JointState, '/uav_1/telemetry', STATE)
    requests = ros.listen(JointState, '/swarm/target_state', STATE)

    def live() -> dict[str, float]:
        for name, place in PLACES.items():
            voices[name].publish(odometry(ros.now_ns(), place))
        ros.meanwhile(0.02)
        return values(told.last) if told else {}

    weighed = {'uav_1/lambda', 'uav_2/lambda'} if given else {'uav_1/lambda'}

    def weights() -> set[str]:
        return {name for name in values(requests.last) if 'lambda' in name} if requests else set()

    ros.until(
        lambda: live().get('succ') == neighbour and weights() == weighed, 'the ring of the agent'
    )
    assert live()['pred'] == neighbour
    if not given:  # as its neighbour it flies away from it anyhow
        ros.until(lambda: live().get('filter_pusher') == 2.0, 'the filter of the agent')
        assert live()['succ'] == neighbour


RECORDED = ('/clock', '/swarm/agent_states', '/swarm/target_state', '/uav_1/telemetry',
            '/uav_2/telemetry', '/uav_1/cmd_vel', '/uav_1/odom')  # fmt: skip


def flown(ros: Ros, folder: Path, **parameters: Any) -> tuple[Sky, Findings]:
    """Let two vehicles fly at each other beside a target; return what the bag tells of it."""
    recorder = ros.make(RecorderNode, None, run_folder=str(folder))
    sky = Sky(ros)
    sky.flyer(1, (-9.0, 0.0, 5.0), along(6.0), **parameters)
    sky.flyer(2, (9.0, 0.0, 5.0), along(-6.0), **parameters)
    voice = sky.voice_of_targets()
    ros.until(lambda: all(recorder.count_subscribers(topic) for topic in RECORDED), 'the recorder')
    sky.begin()
    seq = iter(range(1, 1000))
    sky.fly(4.5, lambda: sky.tell(voice, target(next(seq), (0.0, 60.0, 5.0))))
    ros.meanwhile(0.3)
    recorder.close()
    recording = read_recording(folder / 'bag')
    return sky, find(recording, default_settings(recording))


def test_the_bag_tells_who_was_pushed_by_whom_and_how_near_they_came(
    ros: Ros, tmp_path: Path
) -> None:
    sky, found = flown(ros, tmp_path)
    recording = read_recording(tmp_path / 'bag')
    reasons = [member.telemetry.values[FILTER_NAMES[0]]
               for name, member in recording.members.items() if name != 'target']  # fmt: skip
    assert [len(reason) > 50 for reason in reasons] == [True, True]
    changed = sum(int((reason != NONE).sum()) for reason in reasons)
    share = changed / sum(map(len, reasons))
    assert found.summary['filtered_share'] == pytest.approx(share) and 0.05 < share < 0.95
    pairs = {(pair['agent'], pair['pusher']) for pair in found.summary['filtered_pairs']}
    assert pairs == {('uav_1', 'uav_2'), ('uav_2', 'uav_1')}
    assert found.summary['near_misses_below_1m_per_min'] == 0.0
    assert found.summary['min_separation_m'] == pytest.approx(sky.least_distance(1, 2), abs=0.2)
    assert (found.summary[OUTSIDE], found.summary[NOT_FINITE]) == (0, 0)
    # They are no members of the ring round the target.
    assert set(found.series['alive']) == {0.0}
    assert [agent.radial_error for agent in found.agents] == [None, None]
    assert found.summary['neighbour_switches_per_min'] is None
    assert found.summary['agents'] == 1  # the least that a scenario may have


def test_without_the_filter_the_bag_tells_of_near_misses_and_of_no_filter(
    ros: Ros, tmp_path: Path
) -> None:
    _, found = flown(ros, tmp_path, separation_filter=False, ring_member=True)
    assert found.summary['filtered_share'] is None
    assert found.summary['near_misses_below_1m_per_min'] > 0.0
    assert max(found.series['alive']) == 2.0
    assert None not in [agent.radial_error for agent in found.agents]
