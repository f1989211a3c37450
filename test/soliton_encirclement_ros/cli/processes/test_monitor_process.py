"""The monitor's process: what it prints and leaves, whoever ends the run."""

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from sensor_msgs.msg import JointState
from support.cli import Process
from support.recorded.run_folder import PICTURES, read_json
from support.ros.bodies import agent, said, target
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

RING = ((20.0, 0.0, 0.0), (-10.0, 17.3, 0.0), (-10.0, -17.3, 0.0))
MONITOR = (
    sys.executable, '-c',
    'import sys; from soliton_encirclement_ros.cli.executables import monitor_node; '
    'sys.exit(monitor_node())',
    '--ros-args', '-p', 'num_agents:=3', '-p', 'sim_duration:=60.0',
)  # fmt: skip


class Swarm:
    """Three agents round a target, played by the tester, and the monitor's process."""

    def __init__(
        self, ros: Ros, folder: Path, *parameters: str, is_killed: bool = False,
        writes: bool = True,
    ) -> None:  # fmt: skip
        """Start the monitor."""
        self.ros = ros
        self.folder = folder / 'run'
        self.folder.mkdir()
        parameters += (f'run_folder:={self.folder}',) * writes
        command = (*MONITOR, *[part for text in parameters for part in ('-p', text)])
        self.process = Process(command, ros.domain, folder, 'monitor', is_killed)
        self.agents = ros.voice(JointState, '/swarm/agent_states', STATE)
        self.target = ros.voice(JointState, '/swarm/target_state', STATE)
        self.diagnostics = ros.voice(DiagnosticArray, '/diagnostics', COMMAND)
        self.seq = 0

    def live(self) -> None:
        """Let everybody say where they are."""
        self.seq += 1
        now = self.ros.now_ns()
        for k, position in enumerate(RING, start=1):
            self.agents.publish(said(now, agent(k, self.seq, position)))
        self.target.publish(said(now, target(self.seq)))
        self.ros.meanwhile(0.03)

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Live until a condition holds."""
        self.ros.until(lambda: (self.live(), condition())[1], what)

    def finish(self, finished: bool = True) -> None:
        """Say as the world whether the run is over."""
        values = {
            'real_time_factor': '1.0', 'missed_answers': '0', 'finished': str(finished),
        }  # fmt: skip
        status = DiagnosticStatus(name='world: simulation')
        status.values = [KeyValue(key=key, value=value) for key, value in values.items()]
        self.diagnostics.publish(DiagnosticArray(status=[status]))

    def summary(self) -> dict:
        """Return the summary on disk."""
        return read_json(self.folder / 'summary.json')

    def pictures(self) -> set[str]:
        """Return the names of the pictures."""
        return {path.name for path in self.folder.glob('*.png')}


def test_it_ends_with_the_world_and_leaves_what_swarm_run_leaves(ros, tmp_path):
    swarm = Swarm(ros, tmp_path)
    with swarm.process as process:
        swarm.finish(False)
        swarm.until(lambda: ' / 60 s  x' in process.out, 'a line of progress')
        assert ' / 60 s  x' in process.out
        swarm.finish()
        assert process.end() == 0
    assert 'ENCIRCLED: E_gap = 0.0' in process.out
    assert f'run folder: {swarm.folder}' in process.out
    summary = swarm.summary()
    assert (summary['interrupted'], summary['complete']) == (False, True)
    assert swarm.pictures() == set(PICTURES)


def test_a_run_that_is_stopped_is_interrupted_and_has_its_pictures(ros, tmp_path):
    swarm = Swarm(ros, tmp_path)
    with swarm.process as process:
        swarm.until(lambda: (swarm.folder / 'summary.json').is_file(), 'a summary')
        process.popen.send_signal(signal.SIGINT)
        assert process.end() == 0
    assert 'interrupted; the run folder has all data up to here' in process.out
    assert (swarm.summary()['interrupted'], swarm.pictures()) == (True, set(PICTURES))


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('world', ['true', 'false'])
def test_by_hand_it_counts_to_no_end_and_says_what_it_saw_when_it_is_stopped(
    ros, tmp_path, number, world
):
    """Without a world, and without a folder."""
    swarm = Swarm(ros, tmp_path, f'world:={world}', writes=False)
    with swarm.process as process:
        swarm.until(lambda: 'E_gap 0.0' in process.out, 'a line of progress')
        process.popen.send_signal(number)
        assert process.end() == 0
    assert ' / 60 s' not in process.out
    assert 'ENCIRCLED: E_gap = 0.0' in process.out
    assert 'run folder' not in process.out
    assert ('interrupted; this is what was seen up to here' in process.out) == (world == 'true')


def test_a_run_that_is_killed_counts_as_interrupted(ros, tmp_path):
    swarm = Swarm(ros, tmp_path, is_killed=True)
    with swarm.process as process:
        swarm.until(lambda: (swarm.folder / 'summary.json').is_file(), 'a summary')
        process.popen.kill()
    assert swarm.summary()['interrupted'] is True


def test_without_a_world_it_watches_as_long_as_it_is_told(ros, tmp_path):
    swarm = Swarm(ros, tmp_path, 'world:=false', 'watch_duration:=1.0')
    with swarm.process as process:
        swarm.until(lambda: process.popen.poll() is not None, 'the end of the watch')
    summary = swarm.summary()
    assert (summary['interrupted'], summary['duration_s'] > 0.0) == (False, True)
    assert 'ENCIRCLED' in process.out
