"""Logs of several vehicles are one flight: the same figures as of its bag, whatever the clocks."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.flight_window import longest_flight
from soliton_encirclement_ros.analysis.logs.alignment import match_motions, take_off_time
from soliton_encirclement_ros.analysis.logs.flight_parts import FlightPart, join_parts
from soliton_encirclement_ros.analysis.logs.log_files import expand_flight, read_log, vehicle_names
from soliton_encirclement_ros.analysis.recording import Member, Track
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.recorded_data import recording_of
from support.ready import NO_HURRY, laws
from support.recorded.logs import UTC, Aircraft, ulog_of, write_dataflash, write_tlog, write_ulog
from support.ros.swarm import scenario

__all__ = ['laws']

pytestmark = NO_HURRY

STARTS = {'uav_1': (0.0, 0.0, 0.0), 'uav_2': (4.0, -3.0, 0.5), 'uav_3': (9.0, 5.0, -1.0)}
"""Origins of the vehicles in the map [m]."""


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """Return the recording of a simulated flight of three, from its bag."""
    one = scenario(run={'sim_duration': 20.0, 'num_agents': 3},
                   failure={'failure_mean_failures_per_min': 0.0})  # fmt: skip
    folder = create_run_folder(tmp_path_factory.mktemp('runs'), one, ['test'])
    Simulation(one, folder, recording_of(one, ('bag',), None, False, False)).fly(
        lambda: False, lambda: None
    )
    return read_recording(folder)


def write_logs(folder, bag, **changes):
    """Write a log of every body that was flown, each with an origin and a boot of its own."""
    for k, (name, member) in enumerate(bag.members.items()):
        if member.track is not None:
            start, boot = STARTS.get(name, (0.0, 0.0, 0.0)), -10.0 - 5.0 * k
            aircraft = Aircraft(boot=boot, start=start)._replace(**changes)
            write_ulog(folder / f'{name}.ulg', ulog_of(member, aircraft))
    return folder


def read_logs(*paths):
    """Return the recording of all logs in files and folders."""
    files = expand_flight(paths)
    names = vehicle_names(files)
    return join_parts([part for file in files for part in read_log(file, names[file])], paths[0])


def figures(recording):
    """Return what the acceptance of logs is measured by."""
    found = find(recording, default_settings(recording, None, 20.0))
    return [found.averages['E_gap'], found.averages['E_r'], found.min_separation.distance]


def test_figures_of_logs_are_those_of_the_bag(bag, tmp_path):
    logs = read_logs(write_logs(tmp_path, bag))
    assert [*logs.members] == ['uav_1', 'uav_2', 'uav_3', 'target', 'adversary']
    assert figures(logs) == pytest.approx(figures(bag), rel=0.01)
    assert any(line.startswith('times are dates: ') and 'GPS time (± 0.' in line
               for line in logs.notes)  # fmt: skip
    assert any('one global origin, 10.3 m from' in line for line in logs.notes)
    assert logs.problems == ()


def lags(recording, bag):
    """Return by how much the clock of each body is late against that of the bag [s]."""
    return [match_motions(bag.members[name].track, member.track).lag
            for name, member in recording.members.items() if name.startswith('uav')]  # fmt: skip


def test_clocks_that_began_at_different_times_are_one_by_gps(bag, tmp_path):
    found = lags(read_logs(write_logs(tmp_path, bag)), bag)
    assert np.ptp(found) < 0.01


@pytest.mark.parametrize('moment', [3.0, 17.3])
def test_without_a_date_vehicles_take_off_together(tmp_path, moment):
    time = np.arange(0.0, 40.0, 0.02)
    height = np.clip(1.2 * (time - moment), 0.0, 10.0)
    for k in range(3):
        x = 5.0 * k + np.sin(0.5 * time) * (height > 5.0)
        places = np.column_stack([x, 0.0 * time, height])
        track = Track(time, places, np.gradient(places, time, axis=0), 0.0 * time)
        member = Member(f'uav_{k}', track)
        rows = ulog_of(member, Aircraft(boot=-10.0 - 5.0 * k, has_gps=False))
        late = {field: (kind, np.asarray(values)[20 * k :])
                for field, (kind, values) in rows['vehicle_local_position'].items()}  # fmt: skip
        write_ulog(tmp_path / f'uav_{k}.ulg', {'vehicle_local_position': late})
    recording = read_logs(tmp_path)
    risen = [take_off_time(member.track.time, member.track.position[:, 2])
             for member in recording.members.values()]  # fmt: skip
    assert np.ptp(risen) < 0.1
    assert sum('aligned with uav_0 by take-off' in line for line in recording.problems) == 2
    assert recording.has_unknown_distances and 'origins' in recording.doubt


def test_without_a_take_off_vehicles_begin_to_move_together(tmp_path):
    for k in range(3):
        time = np.arange(0.0, 40.0 - k, 0.02 + 0.01 * k)
        x = np.clip(time - 12.0 + 5.0 * k, 0.0, 20.0)  # clocks are 5 s apart
        places = np.column_stack([x, 0.0 * time, 10.0 + 0.0 * time])
        track = Track(time, places, np.gradient(places, time, axis=0), 0.0 * time)
        member = Member(f'uav_{k}', track)
        write_ulog(tmp_path / f'uav_{k}.ulg', ulog_of(member, Aircraft(has_gps=False)))
    recording = read_logs(tmp_path)
    begun = [np.interp(1.0, *member.track.position.T[:1], member.track.time)
             for member in recording.members.values()]  # fmt: skip
    assert np.ptp(begun) < 0.1
    assert sum('aligned with uav_0 by begin of motion' in line for line in recording.problems) == 2


def test_a_log_without_a_date_follows_the_bag_that_has_its_motion(bag, tmp_path):
    member = bag.members['uav_2']
    write_ulog(tmp_path / 'uav_2.ulg', ulog_of(member, Aircraft(has_gps=False, start=(7, 0, 1))))
    parts = [FlightPart(bag), *read_log(tmp_path / 'uav_2.ulg', 'uav_2')]
    joined = join_parts(parts, tmp_path)
    assert any('by the motion of uav_2' in line for line in joined.notes)
    assert any('where the track of uav_2 fits' in line for line in joined.notes)
    assert figures(joined) == pytest.approx(figures(bag), rel=1e-6)
    moments = [event.time for event in joined.events if event.text == 'mode OFFBOARD']
    assert moments == pytest.approx([bag.duration], abs=0.06)


CHANCE = np.random.default_rng(56)


def late_log(path, member, noise):
    """Write the log of a vehicle whose first 5 s and date are lost, with errors [m/s]."""
    keep = slice(int(np.searchsorted(member.track.time, 5.0)), None)
    track = Track(*(column[keep] for column in member.track))
    errors = CHANCE.normal(0.0, noise, track.velocity.shape)
    track = track._replace(time=track.time - 5.0, velocity=track.velocity + errors)
    return write_ulog(path, ulog_of(Member(member.name, track), Aircraft(has_gps=False)))


@pytest.mark.parametrize('noise', [0.0, 0.3])
def test_clocks_five_seconds_apart_are_found_by_motion(bag, tmp_path, noise):
    late_log(tmp_path / 'uav_2.ulg', bag.members['uav_2'], noise)
    (log,) = read_log(tmp_path / 'uav_2.ulg', 'uav_2')
    motions = (one.members['uav_2'].track for one in (bag, log.recording))
    match = match_motions(*motions)
    assert match.lag == pytest.approx(5.0, abs=0.1) and match.rival is None
    assert abs(match.lag - 5.0) < 3.0 * match.spread + 0.01 and match.spread < 0.1
    (note,) = (line for line in join_parts([FlightPart(bag), log], tmp_path).notes
               if 'by the motion of uav_2' in line)  # fmt: skip
    assert f'(± {match.spread:.2f} s)' in note


def test_a_motion_that_repeats_is_said_to_be_unsure(tmp_path):
    time = np.arange(0.0, 60.0, 0.04)
    places = 5.0 * np.column_stack([np.cos(time), np.sin(time), 0.0 * time])
    member = Member('uav_2', Track(time, places, np.gradient(places, time, axis=0), 0.0 * time))
    write_ulog(tmp_path / 'uav_2.ulg', ulog_of(member))
    (part,) = read_log(tmp_path / 'uav_2.ulg', 'uav_2')
    late_log(tmp_path / 'late.ulg', member, 0.1)
    joined = join_parts([part, *read_log(tmp_path / 'late.ulg', 'uav_2')], tmp_path)
    assert any('by the motion of uav_2' in line and 'hardly more' in line
               for line in joined.problems)  # fmt: skip


def test_vehicles_that_differ_in_their_kinds_of_logs_are_one_flight(bag, tmp_path):
    members = bag.members
    write_ulog(tmp_path / 'uav_1.ulg', ulog_of(members['uav_1'], Aircraft(start=STARTS['uav_1'])))
    write_dataflash(tmp_path / 'uav_2.bin', members['uav_2'], Aircraft(start=STARTS['uav_2']))
    write_tlog(tmp_path / 'uav_3.tlog', {3: members['uav_3']}, Aircraft(start=STARTS['uav_3']))
    joined = read_logs(tmp_path)
    assert np.ptp(lags(joined, bag)) < 0.01
    for name in STARTS:
        there, here = bag.members[name].track, joined.members[name].track
        assert math.dist(here.position[-1], there.position[-1]) < 0.15  # ORGN has centimetres
        assert here.velocity[-1] == pytest.approx(there.velocity[-1], abs=1e-3)
    assert joined.start_ns == pytest.approx(UTC * 1e9, abs=1e8)


def test_vehicles_of_one_file_are_joined_as_well(bag, tmp_path):
    named = {1: bag.members['uav_1'], 2: bag.members['uav_2']}
    joined = read_logs(write_tlog(tmp_path / 'gcs.tlog', named))
    assert [*joined.members] == ['uav_1', 'uav_2'] and np.ptp(lags(joined, bag)) < 0.01


def test_only_the_flight_is_judged(bag, tmp_path):
    recording = longest_flight(read_logs(write_logs(tmp_path, bag, airborne=(4.0, 15.0))))
    assert (recording.begin, recording.duration) == pytest.approx((3.95, 14.95), abs=0.01)
    assert 'while uav_1, uav_2, uav_3, target, adversary flew' in recording.judged


def test_logs_of_different_days_are_said(bag, tmp_path):
    write_logs(tmp_path, bag)
    parts = [part for file in sorted(tmp_path.iterdir()) for part in read_log(file, file.stem)]
    late = parts[1].recording
    parts[1] = parts[1]._replace(recording=late._replace(start_ns=late.start_ns + 3_600 * 10**9))
    assert any('not one flight, or a clock that was not set' in line
               for line in join_parts(parts, tmp_path).problems)  # fmt: skip


def test_files_of_one_name_are_vehicles_of_their_folders(tmp_path):
    files = [tmp_path / 'a' / '10_59_01.ulg', tmp_path / 'b' / '10_59_01.ulg', tmp_path / 'c.ulg']
    assert [*vehicle_names(files).values()] == ['a_10_59_01', 'b_10_59_01', 'c']
