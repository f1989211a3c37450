"""One vehicle with a bridge under the real launch: an agent that dies, and the one after it."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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
from soliton_encirclement_ros.launching.arguments import AGAIN
from soliton_encirclement_ros.launching.launch_nodes import process_of_node
from soliton_encirclement_ros.launching.launched_fleet import after_of

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

AGENT, BRIDGE = NodeSpec('agent_node', 'uav_3', {}), NodeSpec('px4_bridge_node', 'uav_3', {})
TARGET = NodeSpec('target_node', 'target', {})
COMMAND = ('ros2', 'launch', PACKAGE, 'px4.launch.py', 'id:=2', 'bridge_file:=px4_sitl')
AGAIN_COMMAND = ' '.join([*COMMAND, 'bridge:=false'])


class Told:
    """What follows the ends of some processes of a launch."""

    def __init__(self, *plan: NodeSpec) -> None:
        self._after = after_of(plan, {AGAIN: 'the command'})

    def __call__(self, spec: NodeSpec, code: int, is_shutdown: bool = False) -> str:
        """Return the line that is logged, or with which the launch fails; empty: nothing."""
        event, context = SimpleNamespace(returncode=code), SimpleNamespace(is_shutdown=is_shutdown)
        actions: list[Any] = self._after(process_of_node(spec), event, context)
        if not actions:
            return ''
        (action,) = actions
        if isinstance(action, LogInfo):
            return ''.join(part.perform(None) for part in action.msg)
        assert isinstance(action, EmitEvent)
        return f'fails: {action.event.reason}'


def test_an_agent_that_dies_is_told_and_makes_the_launch_fail_when_that_is_ended() -> None:
    """With the command that starts it again."""
    told = Told(AGENT, BRIDGE)
    line = told(AGENT, -9)
    assert line.startswith('error: uav_3/agent_node ended with exit code -9; the bridge goes on')
    assert '`the command`, then `swarm fly engage uav_3`' in line
    end = told(BRIDGE, 0, is_shutdown=True)
    assert end == 'fails: uav_3/agent_node ended with exit code -9'


def test_a_bridge_that_dies_ends_the_launch() -> None:
    """Nothing is left for it."""
    assert Told(AGENT, BRIDGE)(BRIDGE, -9) == (
        'fails: uav_3/px4_bridge_node ended with exit code -9'
    )


def test_what_ends_well_or_by_ctrl_c_is_no_failure() -> None:
    """An agent may be stopped by hand."""
    told = Told(AGENT, BRIDGE)
    assert 'exit code 0; the bridge goes on' in told(AGENT, 0)
    assert told(AGENT, -2, is_shutdown=True) == told(BRIDGE, 0, is_shutdown=True) == ''


def test_who_has_no_bridge_is_named_as_ever() -> None:
    """Alone, its end is that of the launch."""
    assert Told(AGENT, BRIDGE, TARGET)(TARGET, 1).endswith('exit code 1; all others go on')
    assert Told(AGENT)(AGENT, 1) == 'fails: uav_3/agent_node ended with exit code 1'


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
        assert f'`{AGAIN_COMMAND}`' in first.out
        with Ros2Launch(ros.domain, tmp_path, 'again', 'bridge:=false') as again:
            assert agent_line(again) == agent_line(first)
            fly(ros, tmp_path, 'engage', 'uav_2')
            reach('TRACK')
            assert vehicle[2].mode == 'OFFBOARD' and first.popen.poll() is None
            again.interrupt()
            assert again.end() == 0
        reach('HOLD')
        first.interrupt()
        assert first.end() == 1 and first.out.count('the bridge goes on') == 1
        assert vehicle[2].mode == 'AUTO_LOITER' and not vehicle[2].failsafe
