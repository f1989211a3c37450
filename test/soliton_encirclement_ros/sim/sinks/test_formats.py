"""Sinks by the names of their formats."""

import subprocess
import sys
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import FORMATS, make_sinks
from support.chunks import fly_into, lively

PLACES = {
    'csv': ('agent_telemetry.csv', 'target_telemetry.csv'),
    'parquet': ('agents.parquet', 'target.parquet'),
    'bag': ('bag',),
}


@pytest.mark.parametrize('name', FORMATS)
def test_a_format_leaves_its_own_files(tmp_path: Path, name: str) -> None:
    (sink,) = make_sinks([name, name], tmp_path, lively())
    fly_into(sink, lively())
    assert sink.error == ''
    assert {path.name for path in tmp_path.iterdir()} == set(PLACES[name])


def test_an_unknown_format_is_refused_and_nothing_is_created(tmp_path: Path) -> None:
    assert make_sinks([], tmp_path, lively()) == []
    with pytest.raises(RunError) as caught:
        make_sinks(['csv', 'xlsx'], tmp_path, lively())
    assert str(caught.value) == "format 'xlsx' must be one of csv, parquet, bag, none"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize('name', FORMATS)
def test_a_folder_that_is_not_there_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    place = tmp_path / 'gone'
    place.write_text('a file')
    (sink,) = make_sinks([name], place, lively())
    sink.close()
    assert sink.error.startswith(f'{place}')
    assert 'cannot write: Not a directory; it ends here' in sink.error


@pytest.mark.parametrize('name', ['parquet', 'bag'])
def test_the_place_is_named_and_nothing_there_is_overwritten(tmp_path: Path, name: str) -> None:
    place = tmp_path / PLACES[name][0]
    place.mkdir()
    (sink,) = make_sinks([name], tmp_path, lively())
    assert 'cannot write: File exists' in sink.error
    assert list(place.iterdir()) == []


@pytest.mark.parametrize('name', ['parquet', 'bag'])
def test_a_folder_that_vanishes_ends_the_sink_once(tmp_path: Path, name: str) -> None:
    folder = tmp_path / 'run'
    folder.mkdir()
    (sink,) = make_sinks([name], folder, lively())
    folder.rename(tmp_path / 'elsewhere')
    fly_into(sink, lively())
    assert 'cannot write: No such file or directory; it ends here' in sink.error


def test_libraries_are_loaded_only_for_their_format() -> None:
    script = (
        'import sys, soliton_encirclement_ros.sim.sinks; '
        "sys.exit(str({'pyarrow', 'pandas', 'rosbags', 'rclpy'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True)
    assert done.stderr.strip() == ''
