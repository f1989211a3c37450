"""Whole flights around a target with ``swarm fly``: emulated autopilots, bridges, agents."""

import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.core.scenario.part_plan import recorder_part
from support.cli import run_swarm
from support.fly.autopilot_field import AutopilotField
from support.fly.ring_flight import LENIENT, PATIENT, SAFETY, Flight
from support.ros.graph import domain, ros

__all__ = ['domain', 'ros']

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

ROUNDS = 'x,y,z\n' + '0,0,0\n-50,0,0\n-50,-50,0\n0,-50,0\n' * 8 + '0,0,0\n'
"""Way of a fast target: along the sides of a square, so that it leaves who stands still behind."""

SPEED = 3.0
WHOLE = 'TAKE_OFF', 'HOLD', 'TRACK', 'LANDING', 'READY'
"""States of every vehicle in its flight."""

RECORDED = '/uav_.*|/target/.*|/swarm/.*|/diagnostics'
VICTIM, RECORDER = 'uav_3.agent_node', 'recorder_node'


@pytest.mark.timeout(400)
def test_three_px4s_encircle_a_target_whatever_happens_to_one_of_them(ros, domain, tmp_path):
    kinds = ('px4',) * 3
    (tmp_path / 'rounds.csv').write_text(ROUNDS)
    paths = {'target_path': str(tmp_path / 'rounds.csv'), 'path_cruise_speed': SPEED}
    changes = {'paths': paths, 'safety': SAFETY}
    with AutopilotField(domain, tmp_path, kinds, PATIENT, LENIENT, (VICTIM,), **changes) as field:
        field.start(recorder_part(str(tmp_path / 'bag'), RECORDED))
        flight = Flight(ros, field)
        flight.begin()
        lose_links(flight)
        kill_an_agent(flight)
        flight.end(without_agent=(1,))
        field.stop(RECORDER)
    assert_reported(tmp_path, domain)


@pytest.mark.timeout(400)
def test_a_ring_of_px4s_ardupilots_and_simulated_vehicles(ros, domain, tmp_path):
    kinds = 'px4', 'px4', 'ardupilot', 'ardupilot', 'simulated', 'simulated'
    changes = {'target': {'target_motion_speed_xy': 1.0}, 'safety': SAFETY}
    with AutopilotField(domain, tmp_path, kinds, PATIENT, LENIENT, **changes) as field:
        flight = Flight(ros, field)
        flight.begin([f'uav_{k}' for k in (1, 2, 3, 4)])
        flight.end()


def assert_reported(folder, domain):
    """The bag has the participants, and what their bridges did as events."""
    recording = read_recording(folder / 'bag')
    assert {'uav_1', 'uav_2', 'uav_3', 'target'} <= {*recording.members}
    events = find(recording, default_settings(recording)).alarms
    told = {(one.who, one.what.partition(':')[0]) for one in events}
    for event in (('uav_2', 'LINK_LOST'), ('uav_1', 'LINK_LOST'), ('uav_3', 'BRAKE'),
                  *((f'uav_{k}', state) for k in (1, 2, 3) for state in WHOLE)):  # fmt: skip
        assert (event[0], f'bridge {event[1]}') in told
    done = run_swarm('report', 'bag', '--no-pictures', domain=domain, folder=folder)
    assert done.popen.returncode == 0, done.err


def lose_links(flight):
    """Cut the link of a vehicle for some seconds; then the uXRCE-DDS agent of another restarts."""
    px4s, mark = flight.field.px4s, flight.watch.mark()
    for direction in ('in', 'out'):
        px4s.do(2, 'link', direction=direction, loss=1.0)
    flight.until_state('uav_2', 'LINK_LOST')
    flight.field.until(lambda: px4s[2].mode == 'AUTO_LOITER', 'the failsafe')
    assert all(flight.watch.goes_on(name, mark) for name in ('uav_1', 'uav_3'))
    px4s.do(1, 'agent_down', seconds=0.5)
    flight.until_state('uav_1', 'LINK_LOST')
    for direction in ('in', 'out'):
        px4s.do(2, 'link', direction=direction)
    for name in ('uav_1', 'uav_2'):
        flight.until_state(name, 'EXTERNAL', 'HOLD_REENTRY')
    assert flight.watch.goes_on('uav_3', mark)
    flight.engage('uav_1', 'uav_2')
    flight.closes(flight.names)


def kill_an_agent(flight):
    """Kill an agent: its vehicle brakes and holds, the others close the ring."""
    mark = flight.watch.mark()
    flight.field.processes[VICTIM].popen.kill()
    flight.until_state('uav_3', 'HOLD')
    assert 'BRAKE' in flight.watch.story('uav_3', mark['uav_3'])
    flight.closes(['uav_1', 'uav_2'])
    assert all(flight.watch.goes_on(name, mark) for name in ('uav_1', 'uav_2'))
