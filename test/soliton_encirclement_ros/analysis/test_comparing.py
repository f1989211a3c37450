"""Recordings compared: their paths and names, figures, curves, notes."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.comparison_records import (
    UNITS, side_from_recording, side_from_tables
)
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.recording_comparison import (
    MAX_SAMPLES, _row, as_json, compare_sides
)
from soliton_encirclement_ros.analysis.recording_paths import expand_paths, is_recording, names_of
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.recordings import recording_of, without
from support.recorded.runs import a_scenario, a_summary, leave_run
from support.ros.swarm import scenario


@pytest.fixture(scope='module')
def flight() -> Recording:
    return recording_of(scenario(run={'sim_duration': 8.0}))


def side_of(recording: Recording, name: str = 'flight'):
    return side_from_recording(name, find(recording))


def later(recording: Recording, delay: float) -> Recording:
    """Return the same flight in a recording that began earlier by some time [s]."""

    def moved(part):
        return None if part is None else part._replace(time=part.time + delay)

    members = {
        name: member._replace(
            track=moved(member.track), commands=moved(member.commands),
            states=moved(member.states), telemetry=moved(member.telemetry),
        )
        for name, member in recording.members.items()
    }  # fmt: skip
    return recording._replace(members=members, metrics=None, duration=recording.duration + delay)


def thinned(recording: Recording, keep: int) -> Recording:
    """Return a recording whose target speaks more rarely."""
    target = recording.members['target']
    words = target.states._replace(
        **{name: getattr(target.states, name)[::keep]
           for name in ('time', 'seq', 'position', 'velocity')},
        values={name: values[::keep] for name, values in target.states.values.items()},
    )  # fmt: skip
    members = {**recording.members, 'target': target._replace(states=words)}
    return recording._replace(members=members, metrics=None)


def test_a_recording_differs_from_itself_by_nothing(flight):
    found = compare_sides([side_of(flight), side_of(flight, 'again')], 'motion')
    assert len(found.deviations) == 8 and found.differing == () and found.notes == ()
    for deviation in found.deviations:
        assert (deviation.bias, deviation.rms, deviation.largest) == (0.0, 0.0, 0.0)
        assert deviation.samples == len(found.time) and deviation.mean == deviation.mean_first
    for row in found.rows:
        value, ratio = row.values[1], row.ratios[1]
        assert row.differences[1] in (0.0, None) and ratio in (1.0, None)
        assert row.values[0] == value
    assert {row.name for row in found.rows} >= {'E_gap', 'tracking RMS (median agent)', 'agents'}
    assert len(found.tracks) == len(found.sides[0].motions)
    assert all((track.rms, track.largest) == (0.0, 0.0) for track in found.tracks)


def test_tracks_are_as_far_from_those_of_the_first_as_they_were_flown(flight):
    first = side_of(later(flight, 12.0))
    motions = {name: motion._replace(position=np.add(motion.position, (0.0, 3.0, 4.0)))
               for name, motion in side_of(flight).motions.items()}  # fmt: skip
    found = compare_sides([first, side_of(flight)._replace(name='B', motions=motions)], 'start')
    assert [track.agent for track in found.tracks] == [*motions]
    assert all(track.mean == pytest.approx(5.0) and track.largest == pytest.approx(5.0)
               for track in found.tracks)  # fmt: skip
    nothing, distances = found.distances
    assert nothing is None and np.nanmin(distances) == pytest.approx(np.nanmax(distances))
    assert np.nanmax(distances) == pytest.approx(5.0)


def test_recordings_without_a_date_are_not_aligned_by_dates(flight):
    with pytest.raises(RunError, match='flight: its clock tells no date; use another alignment'):
        compare_sides([side_of(flight), side_of(flight, 'again')], 'date')


@pytest.mark.parametrize('align', ['motion', 'start', 'failure'])
def test_a_flight_recorded_from_earlier_on_is_aligned(flight, align):
    sides = [side_of(flight), side_of(later(flight, 37.25), 'earlier')]
    comparison = compare_sides(sides, align)
    assert math.isclose(comparison.zeros[1] - comparison.zeros[0], 37.25, abs_tol=1e-9)
    for deviation in comparison.deviations:
        assert deviation.largest < 1e-9, deviation
    (settling,) = [row for row in comparison.rows if row.name == 'settling time']
    assert settling.differences[1] in (None, pytest.approx(0.0, abs=1e-9))


def test_recordings_of_different_rates_are_compared_at_common_times(flight):
    comparison = compare_sides([side_of(flight), side_of(thinned(flight, 7), 'rare')], 'start')
    assert np.allclose(np.diff(comparison.time), 0.35)
    radial = next(deviation for deviation in comparison.deviations if deviation.curve == 'E_r')
    assert radial.largest < 1e-9 and radial.samples == len(comparison.time)


def test_a_difference_is_measured_with_its_time(flight):
    side = side_of(flight)
    shifted = dict(side.series)
    shifted['E_r'] = shifted['E_r'] + 0.25
    shifted['E_r'][60] += 1.0
    other = side._replace(name='other', series=shifted)
    comparison = compare_sides([side, other], 'none')
    one = next(deviation for deviation in comparison.deviations if deviation.curve == 'E_r')
    assert math.isclose(one.bias, 0.25 + 1.0 / len(comparison.time))
    assert math.isclose(one.largest, 1.25) and one.at == side.series['time'][60]


def test_what_one_side_does_not_know_is_left_empty(flight):
    bare = without(flight, 'telemetry', 'commands', 'states', 'metrics', 'scenario')
    comparison = compare_sides([side_of(flight), side_of(bare, 'bare')], 'start')
    rows = {row.name: row for row in comparison.rows}
    assert rows['tracking RMS (median agent)'].values[1] is None
    assert rows['tracking RMS (median agent)'].differences == (None, None)
    assert rows['agents'].ratios == (None, 1.0)


@pytest.mark.parametrize(
    ('first', 'value', 'ratio'),
    [(2.0, 1.0, 0.5), (2.0, 0.0, 0.0), (0.5, 1e-13, None), (1e-13, 0.5, None), (0.0, 0.5, None)],
)
def test_a_rounding_error_has_no_ratio(first, value, ratio):
    assert _row('E_r', '', [first, value]).ratios == (None, ratio)


def test_without_a_target_there_are_separations_only(flight):
    members = {name: member for name, member in flight.members.items() if name != 'target'}
    lost = flight._replace(members=members, metrics=None)
    comparison = compare_sides([side_of(lost), side_of(lost, 'again')], 'motion')
    assert {deviation.curve for deviation in comparison.deviations} == {'alive', 'min_separation'}
    assert 'settling time' not in {row.name for row in comparison.rows}


def test_differences_in_scenario_agents_and_length_are_noted(flight):
    other = recording_of(scenario(run={'sim_duration': 4.0, 'num_agents': 3, 'seed': 9}))
    comparison = compare_sides([side_of(flight), side_of(other, 'short')], 'none')
    assert comparison.differing == ('run.seed', 'run.sim_duration', 'run.num_agents')
    assert comparison.notes[0] == 'the numbers of agents differ: flight 4, short 3'
    assert comparison.notes[1].startswith('flight: curves are compared over 4.0 s of its 8.0 s;')


def test_one_recording_or_an_empty_one_cannot_be_compared(flight):
    side = side_of(flight)
    with pytest.raises(RunError, match='name two or more'):
        compare_sides([side], 'none')
    empty = side._replace(name='empty', series={'time': np.empty(0)})
    with pytest.raises(RunError, match='empty: has no samples of any metric'):
        compare_sides([side, empty], 'none')


def test_json_is_strict_and_short(flight):
    side = side_of(flight)
    long = side._replace(series={
        'time': 0.05 * np.arange(5000.0), 'E_r': np.r_[np.nan, np.zeros(4999)]
    })  # fmt: skip
    never = long._replace(name='never', figures={**side.figures, 'settling time': math.inf})
    found = json.loads(json.dumps(as_json(compare_sides([long, never], 'none')), allow_nan=False))
    assert len(found['curves']['time_s']) <= MAX_SAMPLES
    assert found['curves']['E_r']['values'][0][0] is None
    (settling,) = [row for row in found['figures'] if row['name'] == 'settling time']
    assert settling['values'][1] == 'never' and settling['unit'] == 's'
    assert {row['name'] for row in found['figures']} <= set(UNITS)


AGENTS = 'node_id,timestamp,u,velocity_norm\n' + ''.join(
    f'{k},{0.1 * i},0,{2.0 if i >= 10 * k else 0.0}\n' for i in range(40) for k in (1, 2)
)


def test_a_run_without_a_bag_is_known_by_its_tables(tmp_path: Path, flight):
    folder = leave_run(tmp_path / 'run', a_scenario(), a_summary(duration_s=4.0))
    rows = [f'{0.1 * k},0.5,0.5,0.1,1.5,0.5' for k in range(40)]
    text = '\n'.join(['timestamp,E_r,E_vr,rho,G_max,E_gap', *rows, ''])
    (folder / 'target_telemetry.csv').write_text(text, encoding='utf-8')
    side = side_from_tables('tables', folder)
    assert side.moved_at is None and side.figures['E_gap'] == 0.2
    (folder / 'summary.json').rename(folder / 'lost.json')
    assert side_from_tables('killed', folder).figures == {}
    (folder / 'lost.json').rename(folder / 'summary.json')
    (folder / 'agent_telemetry.csv').write_text(AGENTS, encoding='utf-8')
    side = side_from_tables('tables', folder)
    assert side.moved_at == pytest.approx(0.925)
    found = compare_sides([side, side_of(flight)], 'motion')
    assert {one.curve for one in found.deviations} == {'E_r', 'E_vr', 'rho', 'G_max', 'E_gap'}
    assert side.problems == ('no bag: only its tables and its summary are used',)
    (folder / 'target_telemetry.csv').write_text(text.split('\n')[0] + '\n', encoding='utf-8')
    with pytest.raises(RunError, match=r'telemetry\.csv: not a table'):
        side_from_tables('tables', folder)


@pytest.fixture
def paths(tmp_path: Path):
    for name in ('one', 'two'):
        leave_run(tmp_path / 'runs' / name, a_scenario(), a_summary())
        (tmp_path / 'runs' / name / 'bag').mkdir()
        (tmp_path / 'runs' / name / 'bag' / 'bag.mcap').touch()
    (tmp_path / 'flight').mkdir()
    (tmp_path / 'flight' / 'flight_0.db3').touch()
    (tmp_path / 'notes.txt').touch()
    return tmp_path


def test_bags_are_recordings_and_runs_are_not(paths):
    assert is_recording(paths / 'flight') and is_recording(paths / 'flight' / 'flight_0.db3')
    assert is_recording(paths / 'runs' / 'one' / 'bag')
    for other in ('runs', 'runs/one', 'notes.txt', 'nowhere'):
        assert not is_recording(paths / other)


def test_a_folder_of_runs_stands_for_them(paths):
    found = expand_paths([paths / 'flight', paths / 'runs'])
    assert found == [paths / 'flight', paths / 'runs' / 'one', paths / 'runs' / 'two']
    assert expand_paths([paths / 'runs' / 'two' / 'bag']) == [paths / 'runs' / 'two']


@pytest.mark.parametrize(
    ('name', 'expected'),
    [
        ('nowhere', 'nowhere: no such file or folder'),
        ('notes.txt', 'notes.txt: is neither a bag nor a log: its name does not end with '),
        ('.', 'no run folder and none inside'),
    ],
)
def test_anything_else_is_refused(paths, name, expected):
    with pytest.raises(RunError, match=expected):
        expand_paths([paths / name])


def test_names_are_short_and_tell_them_apart(paths):
    one, two, flight = paths / 'runs' / 'one', paths / 'runs' / 'two' / 'bag', paths / 'flight'
    assert names_of([one, two, flight]) == ['one', 'two', 'flight']
    other = paths / 'x' / 'flight'
    assert names_of([flight, other]) == [str(flight), str(other)]
    assert names_of([one, one]) == [str(one), f'{one} (2)']
