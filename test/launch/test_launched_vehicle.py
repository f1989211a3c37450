"""One vehicle with a bridge under the real launch: an agent that dies, and the one after it."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from diagnostic_msgs.msg import DiagnosticStatus

from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from support.autopilot.ros.process import autopilot_environment
from support.cli import Process, processes_that_mention, start_swarm, wait_until
from support.interfaces.environment import PATHS
from support.px4_emulator.ros.process import EmulatedPx4s
from support.ros.graph import Ros, domain, ros
from support.ros.launched import PACKAGE, START_UP
from velocity_mobility_ros.ros_io.endpoints import LATCHED

from launch.actions import EmitEvent, LogInfo  # isort: skip
from soliton_encirclement_ros.launching.launch_nodes import process_of_node
from soliton_encirclement_ros.launching.launched_fleet import exit_handler

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

AGENT, BRIDGE = NodeSpec('agent_node', 'uav_3', {}), NodeSpec('px4_bridge_node', 'uav_3', {})
COMMAND = ('ros2', 'launch', PACKAGE, 'px4.launch.py', 'id:=2', 'bridge_file:=px4_sitl')


def follows(plan: list[NodeSpec], spec: NodeSpec, code: int, is_whole: bool = False) -> str:
    """Return the line that is logged, or with which the launch fails, when a process has ended."""
    event, context = SimpleNamespace(returncode=code), SimpleNamespace(is_shutdown=False)
    *_, action = exit_handler(plan, is_whole)(process_of_node(spec), event, context)
    if isinstance(action, LogInfo):
        return ''.join(part.perform(None) for part in action.msg)
    assert isinstance(action, EmitEvent)
    return f'fails: {action.event.reason}'


def test_what_ends_beside_a_bridge_is_told_and_the_bridge_goes_on() -> None:
    """Its own end is that of the launch, as that of an agent without one."""
    line = follows([AGENT, BRIDGE], AGENT, -9)
    assert line.startswith('error: uav_3/agent_node ended with exit code -9; the bridge goes on')
    assert follows([AGENT, BRIDGE], BRIDGE, -9) == (
        'fails: uav_3/px4_bridge_node ended with exit code -9'
    )
    assert follows([AGENT], AGENT, 1) == 'fails: uav_3/agent_node ended with exit code 1'
    assert follows([AGENT, BRIDGE], BRIDGE, 1, True).endswith('exit code 1; all others go on')


class Ros2Launch(Process):
    """``ros2 launch`` as typed in a terminal of its own."""

    def __init__(self, domain: int, folder: Path, name: str, *arguments: str) -> None:
        changed = autopilot_environment(domain)
        variables = {key: changed[key] for key in PATHS}
        variables['PYTHONPATH'] = os.pathsep.join([variables['PYTHONPATH'], *sys.path])
        words = (*COMMAND, *arguments)
        self._domain = domain
        super().__init__(('setsid', *words), domain, folder, name, changes={
            **variables, 'PYTHONUNBUFFERED': '1'
        })  # fmt: skip

    def interrupt(self) -> None:
        """Press ctrl-C: all processes in the terminal hear it."""
        os.killpg(self.pid, signal.SIGINT)

    def __exit__(self, *error: object) -> None:
        if self.popen.poll() is None:
            self.interrupt()
            self.end()

    def kill(self, executable: str) -> None:
        """Kill a process of it."""
        ours = f'ROS_DOMAIN_ID={self._domain}\0'
        for pid in processes_that_mention(f'{PACKAGE}/{executable} '):
            if ours in Path(f'/proc/{pid}/environ').read_text(encoding='utf-8'):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture
def vehicle(ros: Ros, tmp_path: Path) -> Iterator[EmulatedPx4s]:
    """Return the PX4 of agent 2."""
    flyable = {'com_obl_rc_act': 5, 'com_rcl_except': 4}
    with EmulatedPx4s(tmp_path, ros.domain, [{'instance': 2, 'parameters': flyable}]) as found:
        yield found


def fly(ros: Ros, folder: Path, *arguments: str) -> None:
    """Run ``swarm fly`` to its end."""
    with start_swarm('fly', *arguments, domain=ros.domain, folder=folder) as process:
        ros.until(lambda: process.popen.poll() is not None, f'swarm fly {arguments}', 180.0)
    assert process.popen.returncode == 0, process.out + process.err


def agent_line(process: Process) -> str:
    """Return what the agent of a launch says at its start: law, limits, times, topics."""
    found = re.compile(r'\[uav_2\.agent\]: (agent 2: .*)')
    return wait_until(lambda: found.search(process.out), 'the agent')[1]


@pytest.mark.nightly
def test_an_agent_that_dies_in_flight_is_started_again_alone(
    ros: Ros, vehicle: EmulatedPx4s, tmp_path: Path
) -> None:
    """Its bridge goes on, holds, and follows the new agent once it is engaged."""
    heard = ros.listen(DiagnosticStatus, '/uav_2/bridge_state', LATCHED)

    def reach(state: str) -> None:
        def is_reached() -> bool:
            values = {pair.key: pair.value for pair in heard.last.values} if heard else {}
            return values.get('state') == state

        ros.until(is_reached, state, START_UP)

    with Ros2Launch(ros.domain, tmp_path, 'first') as first:
        reach('READY')
        for verb in ('takeoff', 'engage'):
            fly(ros, tmp_path, verb, 'uav_2')
        reach('TRACK')
        first.kill('agent_node')
        reach('HOLD')
        wait_until(lambda: 'the bridge goes on' in first.out, 'the line')
        with Ros2Launch(ros.domain, tmp_path, 'again', 'bridge:=false') as again:
            assert agent_line(again) == agent_line(first)
            fly(ros, tmp_path, 'engage', 'uav_2')
            reach('TRACK')
            assert vehicle[2].mode == 'OFFBOARD' and first.popen.poll() is None
            again.interrupt()
            assert again.end() == 0
        reach('HOLD')
        first.interrupt()
        assert first.end() == 0 and first.out.count('the bridge goes on') == 1
        assert vehicle[2].mode == 'AUTO_LOITER' and not vehicle[2].failsafe
