"""Where a report goes, and whom it is about."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.cli.recordings.recording_input import parse_target, report_folder
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.recordings import body, recording_with


@pytest.mark.parametrize(
    ('path', 'folder'),
    [
        ('bags/flight/', 'bags/flight-report'),
        ('a/flight_0.db3.zstd', 'a/flight_0-report'),
        ('a/flight.mcap.zst', 'a/flight-report'),
        ('/a/b.c', '/a/b.c-report'),
    ],
)
def test_a_bag_gets_a_folder_beside_it(path, folder):
    assert report_folder(Path(path), None) == Path(folder)


def test_the_folder_one_stands_in_has_a_name_as_well(tmp_path, monkeypatch):
    (tmp_path / 'flight').mkdir()
    monkeypatch.chdir(tmp_path / 'flight')
    assert report_folder(Path('.'), None) == tmp_path / 'flight-report'


def test_a_run_keeps_its_report_whatever_part_of_it_is_named(tmp_path):
    run = tmp_path / 'run'
    (run / 'bag').mkdir(parents=True)
    (run / 'manifest.json').write_text('{}')
    (run / 'bag' / 'bag.mcap').write_text('')
    for path in (run, run / 'bag', run / 'bag' / 'bag.mcap'):
        assert report_folder(path, None) == run
    assert report_folder(run / 'other', None) == run / 'other-report'


def test_what_the_user_wants_comes_first():
    assert report_folder(Path('bags/flight'), Path('out')) == Path('out')


def test_a_target_is_a_name_or_a_point():
    recording = recording_with(body('1,2', [0.0], (0.0,) * 3))
    assert parse_target(None, recording) is None
    assert parse_target('bob', recording) == 'bob'
    assert parse_target(' 3, -4.5e1', recording) == (3.0, -45.0, 0.0)
    assert parse_target('1,2', recording) == '1,2'


@pytest.mark.parametrize('text', ['1,', ',', '1,2,3', 'nan,0', '0,inf', '1e10,0', 'a,b'])
def test_a_point_that_is_none_is_refused(text):
    with pytest.raises(RunError, match='must be a name in the bag, or X,Y in m'):
        parse_target(text, recording_with())
