"""Which paths are recordings, and what they are called."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.analysis.compare.recording_paths import (
    expanded,
    is_recording,
    names_of,
)
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.runs import a_scenario, a_summary, leave_run


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
    found = expanded([paths / 'flight', paths / 'runs'])
    assert found == [paths / 'flight', paths / 'runs' / 'one', paths / 'runs' / 'two']
    assert expanded([paths / 'runs' / 'two' / 'bag']) == [paths / 'runs' / 'two']


@pytest.mark.parametrize(
    ('name', 'expected'),
    [
        ('nowhere', 'nowhere: no such file or folder'),
        ('notes.txt', 'notes.txt: is not a bag: its name does not end with .mcap or .db3'),
        ('.', 'no run folder and none inside'),
    ],
)
def test_anything_else_is_refused(paths, name, expected):
    with pytest.raises(RunError, match=expected):
        expanded([paths / name])


def test_names_are_short_and_tell_them_apart(paths):
    one, two, flight = paths / 'runs' / 'one', paths / 'runs' / 'two' / 'bag', paths / 'flight'
    assert names_of([one, two, flight]) == ['one', 'two', 'flight']
    other = paths / 'x' / 'flight'
    assert names_of([flight, other]) == [str(flight), str(other)]
    assert names_of([one, one]) == [str(one), f'{one} (2)']
