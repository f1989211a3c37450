"""``swarm simulate --publish`` as a process: topics while it flies, files when it has flown."""

import math
import os

import pytest
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.cli.runs import published_flight
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.sim.chunk import RealTimePace
from support.cli import only_run_folder, run_swarm, start_swarm, wait_until
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import read_json
from support.ros.bodies import values
from support.ros.graph import Ros
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.endpoints import STATE

__all__ = ['laws', 'swarm_here']

pytestmark = [pytest.mark.ros, NO_HURRY]

ARGUMENTS = ('simulate', 'still', '--agents', '4', '--no-pictures', '--duration')
LOOSE = ('--set', 'run.max_e_gap=9', '--set', 'run.max_e_r=9')


class CountedPace(RealTimePace):
    """Waits for nobody, and counts."""

    turns = 0

    def turn(self, advance):
        """Advance at once."""
        CountedPace.turns += 1
        advance(1)


def test_a_published_flight_leaves_the_same_tables_tick_by_tick(
    domain, swarm_here, tmp_path, monkeypatch
):
    """By the pace of the clock, which has tests of its own."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    monkeypatch.setattr(published_flight, 'RealTimePace', CountedPace)
    for name, more in (('published', ('--publish',)), ('alone', ())):
        done = swarm_here(*ARGUMENTS, '3', *LOOSE, '--out', name, *more)
        assert (done.code, done.err) == (0, '')
    published, alone = (tmp_path / name / 'latest' for name in ('published', 'alone'))
    for table in (AGENT_CSV, TARGET_CSV):
        assert (published / table).read_bytes() == (alone / table).read_bytes()
    assert CountedPace.turns == read_json(published / 'summary.json')['ticks'] == 60


def test_ctrl_c_ends_it_with_complete_files(ros: Ros, tmp_path):
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    with start_swarm(
        *ARGUMENTS, '600', '--publish', domain=ros.domain, folder=tmp_path
    ) as process:
        ros.until(lambda: len(metrics) > 20, 'a second of metrics')
        process.interrupt()
        assert process.end() == 130
    summary = read_json(only_run_folder(tmp_path) / 'summary.json')
    assert (summary['interrupted'], summary['complete']) == (True, True)
    assert summary['ticks'] > 20


def test_a_real_agent_flies_among_those_of_the_engine(ros: Ros, tmp_path):
    """Agent and vehicle are nodes of their own; the engine has the other three, and the target."""
    vehicle = ros.make(MobilityNode, '/uav_3', initial_x=30.0, initial_y=-25.0)
    agent = ros.make(AgentNode, '/uav_3')
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    ros.until(lambda: agent.health.conditions() is not None, 'the nodes')
    with start_swarm(
        *ARGUMENTS, '600', '--publish', '--external', 'uav_3', domain=ros.domain, folder=tmp_path
    ) as flight:

        def are_in_a_ring() -> bool:
            last = values(metrics.last) if metrics else {}
            errors = [last.get(name, math.inf) for name in ('E_gap', 'E_r')]
            radius = math.hypot(*vehicle._body.motion.position[:2])
            return max(errors) < 0.2 and abs(radius - 20.0) < 0.5

        ros.until(are_in_a_ring, 'the ring of four')
        flight.interrupt()
        assert flight.end() == 130, flight.out + flight.err
    summary = read_json(only_run_folder(tmp_path) / 'summary.json')
    assert summary['alive_share_mean'] > 0.75  # without uav_3 it would be less


@pytest.mark.parametrize(
    ('arguments', 'line'),
    [
        (('--seeds', '2', '--publish'), '--publish: 2 runs are asked for, one can be published'),
        (('--namespace', 'a'), '--namespace a: has no effect without --publish'),
        (('--publish', '--external', 'uav_9'), "external member 'uav_9' must be one of uav_1, "),
        (('--publish', '--namespace', '1a'), "--namespace = '1a' must be a namespace such as"),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_in_one_line(swarm_here, tmp_path, arguments, line):
    result = swarm_here('simulate', 'still', *arguments)
    assert result.code == 2
    assert result.err.startswith(f'error: {line}')
    assert result.err.count('\n') == 1
    assert not (tmp_path / 'runs').exists()


def test_a_second_swarm_in_the_domain_is_refused_and_leaves_no_folder(ros: Ros, tmp_path):
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    with start_swarm(
        *ARGUMENTS, '600', '--publish', domain=ros.domain, folder=tmp_path, name='first'
    ) as first:
        ros.until(lambda: metrics, 'metrics')
        runs = os.listdir(tmp_path / 'runs')
        second = run_swarm(
            *ARGUMENTS, '3', '--publish', domain=ros.domain, folder=tmp_path, name='second'
        )
        assert second.popen.returncode == 2
        assert 'already has a swarm (another run uses it)' in second.err
        assert sorted(os.listdir(tmp_path / 'runs')) == sorted(runs)
        first.interrupt()
        wait_until(lambda: first.popen.poll() is not None, 'its end')
