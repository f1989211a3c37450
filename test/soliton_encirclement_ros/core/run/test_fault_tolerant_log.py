"""A log that ends at the first error, once, and takes nothing down with it."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.ring.metrics import Metrics
from soliton_encirclement_ros.core.run.observer import ObservedSample
from soliton_encirclement_ros.core.run.run_folder import RunLog
from support.recorded.run_folder import read_json, read_table

MOTION = (4.0, 5.0, 6.0, 0.1, 0.2, 0.3)
ROW = TelemetryRow(1, 0.05, (1.0, 2.0, 3.0), (0.0, 3.0, 4.0), False, (0.5,))
SAMPLE = ObservedSample(0.05, Metrics(0.1, 0.2, 0.3, 1.4, 0.5, 0.5), 1, 7.0, MOTION)


def test_tables_and_the_last_summary_are_on_disk_after_closing(tmp_path: Path) -> None:
    """The first sample brings a summary, closing the last one; later rows are not written."""
    counts = iter(range(10))
    log = RunLog(tmp_path, ('u',), lambda: {'n': next(counts)}, pytest.fail)
    log.add_agent(ROW)
    log.add_sample(SAMPLE)
    assert read_json(tmp_path / 'summary.json') == {'n': 0}
    log.close()
    log.add_agent(ROW)
    assert read_json(tmp_path / 'summary.json') == {'n': 1}
    assert read_table(tmp_path / 'agent_telemetry.csv')[1] == [
        [1.0, 0.05, 0.5, 5.0, 1.0, 2.0, 3.0, 0.0, 3.0, 4.0]
    ]
    (row,) = read_table(tmp_path / 'target_telemetry.csv')[1]
    assert row == [0.05, 0.1, 0.2, 0.3, 1.4, 0.5, 0.5, *MOTION]


def test_an_error_is_told_once_and_ends_the_log(tmp_path: Path) -> None:
    """A folder that is gone takes no summary."""
    folder = tmp_path / 'run'
    folder.mkdir()
    errors: list[OSError] = []
    log = RunLog(folder, ('u',), dict, errors.append)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    for _ in range(3):
        log.add_sample(SAMPLE)
    log.close()
    assert [error.strerror for error in errors] == ['No such file or directory']
