"""The monitor's process: what it prints and leaves, whoever ends the run."""

import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.run.finished_run import INCOMPLETE
from support.cli import Process
from support.recorded.run_folder import PICTURES, read_json, read_table
from support.ros.bodies import agent, said, target
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

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

    def recorder(self, **values: str) -> None:
        """Say as the recorder how it is."""
        status = DiagnosticStatus(name='recorder: recording')
        status.values = [KeyValue(key=key, value=value) for key, value in values.items()]
        self.diagnostics.publish(DiagnosticArray(status=[status]))

    def world(self, **more: str) -> None:
        """Say as the world how the run is."""
        values = {'real_time_factor': '1.0', 'missed_answers': '0', **more}
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
    swarm = Swarm(ros, tmp_path, 'sim_duration:=6.0')
    with swarm.process as process:
        swarm.until(lambda: (swarm.world(), 'E_gap 0.0' in process.out)[1], 'a line of progress')
        assert ' / 6 s  x' in process.out
        swarm.until(lambda: (swarm.world(), process.popen.poll() is not None)[1], 'the end')
        assert process.end() == 0
    assert 'ENCIRCLED: E_gap = 0.0' in process.out
    assert f'run folder: {swarm.folder}' in process.out
    summary = swarm.summary()
    assert (summary['interrupted'], summary['complete']) == (False, True)
    assert summary['duration_s'] >= 6.0
    assert swarm.pictures() == set(PICTURES)


def test_time_is_that_of_the_world_and_nothing_before_counts(ros, tmp_path):
    swarm = Swarm(ros, tmp_path, 'sim_duration:=1.0')
    with swarm.process as process:
        swarm.until(lambda: (swarm.world(begun_ns='None'), 'waiting' in process.out)[1], 'waiting')
        begun_ns = ros.now_ns()
        swarm.until(lambda: ros.now_ns() > begun_ns + 300_000_000, 'news that come late')
        swarm.until(
            lambda: (swarm.world(begun_ns=str(begun_ns)), process.popen.poll() is not None)[1],
            'the end',
        )
        assert process.end() == 0
    _, rows = read_table(swarm.folder / 'target_telemetry.csv')
    times = [row[0] for row in rows]
    assert 0.0 <= times[0] < 0.3 and times[-2] < 1.0 <= times[-1]
    assert times == sorted(set(times))
    assert swarm.summary()['first_sample_s'] == times[0]


def test_a_run_whose_target_fell_silent_says_how_much_is_missing(ros, tmp_path):
    swarm = Swarm(ros, tmp_path)
    with swarm.process as process:
        swarm.until(lambda: 'E_gap' in process.out, 'its start')
        swarm.world(finished='True')
        assert process.end() == INCOMPLETE
    line = r'incomplete, data is missing: no state of the target in the last [45][0-9.]+ s of 60 s'
    assert re.search(line, process.out)


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


def test_the_death_of_the_recorder_is_told_at_once_and_counts_in_the_end(ros, tmp_path):
    swarm = Swarm(ros, tmp_path)
    with swarm.process as process:
        swarm.until(lambda: 'waiting' in process.out or 'E_gap' in process.out, 'its start')
        for _ in range(5):
            swarm.recorder(ended='False', writes_to='bag')
            swarm.live()
        swarm.until(lambda: 'the recorder has died' in process.err, 'the news')
        assert 'nothing is recorded; start it again with the same command' in process.err
        swarm.world(finished='True')
        assert process.end() == INCOMPLETE
    assert 'the recorder has died, and was not started again\n  no state of the tar' in process.out
    assert swarm.summary()['complete'] is False


def test_a_recorder_that_says_that_it_ends_is_missed_by_nobody(ros, tmp_path):
    swarm = Swarm(ros, tmp_path, 'sim_duration:=10.0')
    with swarm.process as process:
        swarm.until(lambda: 'E_gap' in process.out, 'its start')
        swarm.recorder(ended='False', writes_to='bag')
        swarm.live()
        swarm.recorder(ended='True', writes_to='bag')
        swarm.until(lambda: (swarm.world(), process.popen.poll() is not None)[1], 'ten seconds')
        assert process.end() == 0
    assert 'the recorder' not in process.err and 'incomplete' not in process.out
