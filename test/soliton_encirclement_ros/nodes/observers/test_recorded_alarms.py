"""Watchdogs, emergency stops and the health of a swarm, from nodes to the table of events."""

from pathlib import Path
from typing import Any

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.recording_tables import tables_of
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from support.cli import only_run_folder, run_swarm
from support.recorded.run_folder import read_json
from support.ros.bodies import odometry, said, target
from support.ros.graph import Ros
from support.ros.sent_messages import command_to_twist
from support.ros.stopping import call_stop
from support.ros.told import ERROR, OK, WARN, Told
from support.ros_domain import domain_of_its_own
from velocity_mobility_ros.ros_io.endpoints import STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

STATUS, HEALTH = 'uav_1/safety: control', 'monitor: health'


class Flight:
    """A vehicle under its filter, on the ring of a target, with monitor and recorder."""

    def __init__(self, ros: Ros, folder: Path) -> None:
        self.ros = ros
        self.recorder = ros.make(RecorderNode, None, run_folder=str(folder))
        self.told = Told(ros)
        ros.make(MonitorNode, None, num_agents=1)
        ros.make(SafetyNode, '/uav_1', ring_member=True)
        self._odom = ros.voice(Odometry, '/uav_1/odom', STATE, 2)
        self._wish = ros.voice(Twist, '/uav_1/cmd_vel_raw', readers=2)
        self._target = ros.voice(JointState, '/swarm/target_state', STATE, 3)
        self._seq = 0

    def until(self, name: str, level: Any, text: str, *left_out: str) -> None:
        """Live until a status has a level and a text; some inputs may be left out."""
        self.ros.until(
            lambda: (self._live(*left_out), self.told.shows(name, level, text))[1], text
        )

    def _live(self, *left_out: str) -> None:
        self._seq += 1
        now = self.ros.now_ns()
        if 'odom' not in left_out:
            self._odom.publish(odometry(now, (20.0, 0.0, 5.0)))
        if 'wish' not in left_out:
            self._wish.publish(command_to_twist((0.0, 0.1, 0.0), 0.0))
        self._target.publish(said(now, target(self._seq, (0.0, 0.0, 5.0))))
        self.ros.meanwhile(0.05)


def events(folder: Path) -> list[tuple[str, str, float, float | None]]:
    """Return source, text, begin and end of the alarms in the table of events of a bag."""
    recording = read_recording(folder / 'bag')
    *_, table = tables_of(find(recording, default_settings(recording)))
    (part,) = table.parts()
    names = ('event', 'name', 'text', 'timestamp', 'end')
    rows = zip(*(part[name] for name in names), strict=True)
    return [tuple(row) for event, *row in rows if event == 'alarm']


def test_what_went_wrong_in_flight_is_in_the_table_of_events(ros: Ros, tmp_path: Path) -> None:
    flight = Flight(ros, tmp_path)
    flight.until(HEALTH, OK, 'ok')
    flight.until(STATUS, OK, 'ok')
    flight.until(STATUS, WARN, 'no command on /uav_1/cmd_vel_raw', 'wish')
    flight.until(STATUS, OK, 'ok')
    flight.until(STATUS, ERROR, 'odometry lost', 'odom')
    flight.until(HEALTH, ERROR, '0 of 1 agents received', 'odom')
    flight.until(HEALTH, OK, 'ok')
    call_stop(ros, '/swarm/emergency_stop', True)
    flight.until(STATUS, ERROR, 'stopped by the operator')
    flight.until(HEALTH, ERROR, 'all stopped by the operator')
    ros.meanwhile(0.3)
    flight.recorder.close()
    told = events(tmp_path)
    for who, text, has_end in (
        ('uav_1/safety', 'no command on /uav_1/cmd_vel_raw for ', True),
        ('uav_1/safety', 'odometry lost: none on /uav_1/odom for ', True),
        ('monitor', 'health FAILED: 0 of 1 agents received', True),
        ('all', 'emergency stop by ', False),
        ('uav_1/safety', 'stopped by the operator', False),
        ('monitor', 'health FAILED: all stopped by the operator', False),
    ):
        ends = [end for name, what, _, end in told if name == who and what.startswith(text)]
        assert ends and (ends[-1] is not None) == has_end, (who, text, told)
    begins = [one[2] for one in told]
    assert begins == sorted(begins) and begins[0] > 0.0


@pytest.mark.nightly
def test_who_a_wind_keeps_off_the_ring_is_named_while_it_flies_and_after(tmp_path: Path) -> None:
    """All of them leave it by 17 s; the health is looked at every 5 s of the flight or more."""
    wind = '--set', 'mobility.wind_east=40', '--set', 'mobility.gust_intensity=0'
    words = '--agents', '3', '--seed', '1', '--duration', '60', '--real-time-factor', '5', *wind
    with domain_of_its_own() as domain:
        run_swarm('run', 'gusts', *words, domain=domain, folder=tmp_path)
    folder = only_run_folder(tmp_path)
    recording = read_recording(folder)
    told = {
        status.message: status.time for status in recording.statuses
        if status.name == HEALTH and 'off the ring' in status.message
    }  # fmt: skip
    assert 30.0 < told['off the ring for 30 s: uav_1, uav_2, uav_3'] < 57.0
    agents = find(recording, default_settings(recording)).agents
    assert all(one.radial_error > 0.3 * 20.0 for one in agents)
    assert 'E_r' in read_json(folder / 'summary.json')['verdict']['why']
