"""The world stays near its observers, so that nothing is lost on the way to them."""

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from std_msgs.msg import Header

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from soliton_encirclement_ros.nodes.world.flow_control import (
    ObserverProgress, ProgressPublisher, lead_ticks
)
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED
from velocity_mobility_ros.ros_io.node_time import ns_to_time

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

TICK = 50_000_000
MEMBERS = 6
"""Four agents, target and adversary."""


class Pair:
    """A world's followers and one observer, both on real nodes."""

    def __init__(self, ros):
        self.ros = ros
        self.news = []
        world = ros.add(Node('world'))
        self.followers = ObserverProgress(
            world, ROOT, ['monitor'], 0.1, lambda: self.news.append(1)
        )
        self.monitor = None

    def appear(self):
        self.monitor = ProgressPublisher(self.ros.add(Node('monitor')), ROOT)
        self.ros.until(lambda: self.followers.all_here, 'the monitor')


def test_an_observer_is_expected_from_the_start(ros):
    pair = Pair(ros)
    assert not pair.followers.all_here
    assert pair.followers.behind(2 * TICK) == []
    assert pair.followers.behind(3 * TICK) == ['monitor']
    pair.appear()
    assert pair.followers.behind(3 * TICK) == ['monitor']


def test_what_it_saw_lets_the_world_go_on(ros):
    pair = Pair(ros)
    pair.appear()
    told = len(pair.news)
    pair.monitor.saw(TICK)
    ros.until(lambda: len(pair.news) > told, 'news')
    assert pair.followers.behind(3 * TICK) == []
    assert pair.followers.behind(4 * TICK) == ['monitor']


def test_an_older_stamp_changes_nothing(ros):
    pair = Pair(ros)
    pair.appear()
    pair.monitor.saw(5 * TICK)
    pair.monitor.saw(TICK)
    ros.meanwhile(0.3)
    assert pair.followers.behind(7 * TICK) == []


def test_who_is_given_up_counts_again_once_heard_of(ros):
    pair = Pair(ros)
    pair.appear()
    assert pair.followers.give_up(9 * TICK) == ['monitor']
    assert pair.followers.behind(9 * TICK) == []
    pair.monitor.saw(TICK)
    ros.until(lambda: pair.followers.behind(9 * TICK), 'the monitor to be waited for again')


@pytest.mark.parametrize('name', ['stranger', 'Monitor'])
def test_what_strangers_say_does_not_count(ros, name):
    pair = Pair(ros)
    voice = ros.voice(Header, '/swarm/observer_progress', LATCHED)
    voice.publish(Header(stamp=ns_to_time(9 * TICK), frame_id=name))
    ros.meanwhile(0.3)
    assert not pair.followers.all_here and not pair.news


def test_observers_of_another_fleet_do_not_count(ros):
    pair = Pair(ros)
    other = ProgressPublisher(ros.add(Node('monitor', namespace='/fleet')), Fleet('/fleet'))
    other.saw(9 * TICK)
    ros.meanwhile(0.3)
    assert not pair.followers.all_here and not pair.news


def test_an_early_observer_is_not_missed(ros):
    monitor = ProgressPublisher(ros.add(Node('monitor')), ROOT)
    monitor.saw(TICK)
    pair = Pair(ros)
    ros.until(lambda: pair.followers.all_here, 'the monitor')
    ros.until(lambda: not pair.followers.behind(3 * TICK), 'what it saw')


@pytest.mark.parametrize(('members', 'ticks'), [(1, 51), (12, 4), (50, 1), (5000, 1)])
def test_large_swarms_get_a_short_lead(members, ticks):
    assert lead_ticks(members) == ticks


def test_the_world_waits_for_a_slow_observer(ros, tmp_path, monkeypatch):
    swarm = Swarm(ros, scenario(), PlanOptions(True, str(tmp_path), record=False))
    world, saw, newest = swarm['world'], ProgressPublisher.saw, []
    monkeypatch.setattr(ProgressPublisher, 'saw', lambda _, stamp_ns: newest.append(stamp_ns))
    ahead = lead_ticks(MEMBERS)
    ros.until(lambda: world.world.tick >= ahead, 'the first ticks')
    ros.meanwhile(0.5)
    assert world.world.tick == ahead
    monkeypatch.setattr(ProgressPublisher, 'saw', saw)
    swarm['monitor_node']._input._follower.saw(max(newest))
    swarm.fly()
    assert world.drive.missed_answers == 0
    assert swarm.samples == swarm.scenario.ticks


def test_the_world_goes_on_without_an_observer_that_hangs(ros, tmp_path, monkeypatch):
    monkeypatch.setattr(ProgressPublisher, 'saw', lambda *_: None)
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    flown = scenario(run={'lockstep_timeout': 0.5, 'sim_duration': 3.0})
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=False))
    swarm.fly()
    told = [s.message for m in diagnostics for s in m.status if s.name == 'world: simulation']
    assert any('monitor did not follow; going on without' in line for line in told)
    assert swarm['world'].drive.missed_answers == 0
