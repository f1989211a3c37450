"""A swarm on three computers without multicast: static peers, a discovery server, wrong peers."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.run.run_folder import SUMMARY
from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, agent_part, monitor_part, recorder_part, target_part
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from support.cli import SWARM, Process, wait_until
from support.recorded.run_folder import read_bag_with_rosbags
from support.ros.computers import Computers

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

DOMAIN = 7
"""Namespaces share no ports, so any domain is free."""

WATCHED = 20.0
"""Duration [s] that the monitor watches; a machine that is busy needs most of it to start."""

PATIENT = {'agent_state_timeout': 2.0, 'target_state_timeout': 2.0}
"""Timeouts [s] that a slow machine does not reach; the network must not either."""

TOPICS = '/swarm/.*'

CODE = 'import sys; from soliton_encirclement_ros.cli import executables as e; sys.exit(e.{}())'

LISTENER = """
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from velocity_mobility_ros.ros_io.endpoints import LATCHED
rclpy.init()
node = rclpy.create_node('listener')
said = lambda _: print('heard', flush=True)
node.create_subscription(DiagnosticArray, 'swarm/fly_orders', said, LATCHED)
rclpy.spin(node)
"""

OPERATOR = """
import sys
from pathlib import Path
import rclpy
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from velocity_mobility_ros.autopilot.engage.engage_records import Request
rclpy.init()
node = FlyNode(Fleet())
while not node.count_subscribers('/swarm/fly_orders'):
    node.turn()
print('found', flush=True)
while not Path(sys.argv[1]).exists():
    node.turn()
node.give(Request.HOLD, ['uav_1'])
print('ordered', flush=True)
node.destroy_node()
"""

Settings = Callable[[Computers, str], Mapping[str, str]]
"""Returns the environment of a computer, by its name."""


def static_peers(computers: Computers, name: str) -> Mapping[str, str]:
    """Return the settings for LOCALHOST and the addresses of all other computers."""
    others = [computer.address for other, computer in computers.items() if other != name]
    return {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST', 'ROS_STATIC_PEERS': ';'.join(others)}


def discovery_server(computers: Computers, name: str) -> Mapping[str, str]:
    """Return the settings for a discovery server on the laptop."""
    address = f'{computers["laptop"].address}:11811'
    return {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET', 'ROS_DISCOVERY_SERVER': address}


class Fleet:
    """Three computers, and what was started there by hand."""

    def __init__(self, computers: Computers, folder: Path, stack: ExitStack) -> None:
        """Start without processes."""
        self.computers, self._folder, self._stack = computers, folder, stack

    def start(
        self, name: str, settings: Mapping[str, str], parts: Sequence[NodeSpec]
    ) -> list[Process]:
        """Start nodes on a computer."""
        return [self._start_node(name, settings, part) for part in parts]

    def _start_node(self, name: str, settings: Mapping[str, str], part: NodeSpec) -> Process:
        label = f'{part.namespace}-{part.executable}'
        file = self._folder / f'{label}.yaml'
        file.write_text(json.dumps({'/**': {'ros__parameters': part.parameters}}))
        place = ('-r', f'__ns:=/{part.namespace}') if part.namespace else ()
        return self.run(
            name, settings, label, sys.executable, '-c', CODE.format(part.executable),
            '--ros-args', *place, '--params-file', str(file),
        )  # fmt: skip

    def run(self, name: str, settings: Mapping[str, str], label: str, *command: str) -> Process:
        """Start any command on a computer."""
        full = self.computers[name].command(settings, *command)
        return self._stack.enter_context(Process(full, DOMAIN, self._folder, label))


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    """Return a laptop and two companion computers."""
    with Computers('laptop', 'drone1', 'drone2') as computers, ExitStack() as stack:
        yield Fleet(computers, tmp_path, stack)


@pytest.fixture
def field() -> Scenario:
    """Return the scenario that every computer has: three agents."""
    return Scenario('field').with_changes(
        {
            'run': {'num_agents': 3},
            'swarm': PATIENT,
            'failure': {'failure_enable': False},
            'target': {'target_motion_speed_xy': 2.0},
            'adversary': {'adversary_enable': False},
        },
        'test',
    )


def start_server(fleet: Fleet) -> None:
    """Start the discovery server on the laptop, as the page says."""
    tools = Path(sys.executable).parent
    search_path = {'PATH': f'{tools}:/usr/bin:/bin'}
    tool = shutil.which('fastdds', path=f'{tools}') or shutil.which('fastdds')
    if tool is None:
        pytest.skip('no fastdds: it comes with ROS 2 (ros-fastdds, ros-kilted-fastdds)')
    address = fleet.computers['laptop'].address
    server = fleet.run(
        'laptop', search_path, 'server', tool, 'discovery', '-i', '0', '-l', address, '-p', '11811'
    )
    wait_until(lambda: 'GUID prefix' in server.out, 'the discovery server')


def start_recorders(
    fleet: Fleet, settings: Mapping[str, str], bags: Sequence[Path]
) -> list[Process]:
    """Start the recorder and ``swarm record`` on the laptop, each with its own bag."""
    node, command = bags
    recorder = fleet.start('laptop', settings, [recorder_part(str(node), TOPICS)])
    arguments = 'record', TOPICS, '--out', str(command)
    return [*recorder, fleet.run('laptop', settings, 'swarm-record', *SWARM, *arguments)]


@pytest.mark.parametrize('settings', [static_peers, discovery_server])
def test_the_swarm_encircles_over_the_network(
    fleet: Fleet, field: Scenario, tmp_path: Path, settings: Settings
) -> None:
    """And both recorders get what all of them said. Nothing goes by shared memory: who is
    unplugged is lost for the others, and back with the cable.
    """
    own = {name: settings(fleet.computers, name) for name in fleet.computers}
    if settings is discovery_server:
        start_server(fleet)
    run_folder, bags = tmp_path / 'run', [tmp_path / 'node', tmp_path / 'command']
    simulated = PartOptions()
    recorders = start_recorders(fleet, own['laptop'], bags)
    agents = fleet.start('drone1', own['drone1'], agent_part(field, 1, simulated))[:1]
    for k in (2, 3):
        agents += fleet.start('drone2', own['drone2'], agent_part(field, k, simulated))[:1]
    fleet.start('laptop', own['laptop'], target_part(field, simulated))
    watch = monitor_part(field, str(run_folder), WATCHED)
    (monitor,) = fleet.start('laptop', own['laptop'], [watch])
    assert monitor.end(WATCHED + 60.0) == 0, monitor.err
    for recorder in recorders:
        recorder.interrupt()
        assert recorder.end() == 0, recorder.err

    summary = json.loads((run_folder / SUMMARY).read_text())
    assert summary['verdict']['encircled'], summary['verdict']
    assert summary['metrics_last']['E_gap'] < 0.1
    assert summary['metrics_last']['E_r'] < 0.1
    assert [agent.err for agent in agents if 'neighbours lost' in agent.err] == []
    for bag in bags:
        recorded = read_bag_with_rosbags(bag)
        assert {'/swarm/agent_states', '/swarm/target_state', '/swarm/metrics'} <= set(recorded)

    fleet.computers.unplug('drone1')
    for agent in agents[1:]:
        wait_until(lambda a=agent: 'neighbours lost: uav_1\n' in a.err, 'the loss of uav_1')
    fleet.computers.plug('drone1')
    for agent in agents[1:]:
        wait_until(lambda a=agent: 'received again: uav_1\n' in a.err, 'uav_1 to be back')


def test_a_computer_that_finds_nobody_says_what_it_lacks_and_what_is_set(
    fleet: Fleet, field: Scenario
) -> None:
    """Its diagnostics reach nobody, so its log must say it."""
    address = '10.77.0.99'
    wrong = {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST', 'ROS_STATIC_PEERS': address}
    alone = {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET', 'ROS_STATIC_PEERS': ''}
    fleet.start('laptop', alone, target_part(field, PartOptions()))
    first, *_ = fleet.start('drone1', wrong, agent_part(field, 1, PartOptions()))
    second, *_ = fleet.start('drone2', alone, agent_part(field, 2, PartOptions()))
    lacking = (
        'no state of the target received yet on /swarm/target_state: nobody publishes it: start '
        'who does, or compare ROS_DOMAIN_ID and the settings of discovery '
        f'(ROS domain {DOMAIN}, '
    )
    told = (
        (first, f'discovery LOCALHOST with static peers {address})'),
        (second, 'discovery SUBNET)'),
    )
    for agent, setting in told:
        wait_until(lambda a=agent, s=setting: f'{lacking}{s}' in a.err, f'the line with {setting}')
        assert 'odometry received' in agent.err
        assert agent.err.count(lacking) == 1


def test_an_agent_whose_network_comes_later_starts_again_and_hears_others(
    fleet: Fleet, field: Scenario
) -> None:
    """Fast DDS would never use it."""
    fleet.computers.unplug('drone1')
    own = {name: static_peers(fleet.computers, name) for name in fleet.computers}
    agent, *_ = fleet.start('drone1', own['drone1'], agent_part(field, 1, PartOptions()))
    wait_until(lambda: 'odometry received' in agent.err, 'its vehicle, on the same computer')
    assert agent.err.startswith('warning: no network interface is up but lo: ')
    fleet.computers.plug('drone1')
    address = fleet.computers['drone1'].address
    line = f'network interface eth0 ({address}) came up, and this process has used none: it starts'
    wait_until(lambda: line in agent.err, 'the interface')
    fleet.start('laptop', own['laptop'], target_part(field, PartOptions()))
    wait_until(lambda: 'target received' in agent.err, 'the target')
    assert agent.err.count('odometry received') == 2  # of its vehicle, which has not started again


def test_a_command_that_ends_at_once_waits_for_a_listener_whose_cable_is_out(
    fleet: Fleet, tmp_path: Path
) -> None:
    own = {name: static_peers(fleet.computers, name) for name in fleet.computers}
    python = sys.executable, '-c'
    listener = fleet.run('drone1', own['drone1'], 'listener', *python, LISTENER)
    go = tmp_path / 'go'
    operator = fleet.run('laptop', own['laptop'], 'operator', *python, OPERATOR, str(go))
    wait_until(lambda: 'found' in operator.out, 'the listener')
    fleet.computers.unplug('drone1')
    go.touch()
    wait_until(lambda: 'ordered' in operator.out, 'the order')
    assert 'heard' not in listener.out
    fleet.computers.plug('drone1')
    assert operator.end() == 0, operator.err
    wait_until(lambda: 'heard' in listener.out, 'the order at the listener')
