"""A summary that is there from the start, is replaced now and then, and never ends a flight."""

import pytest
from soliton_encirclement_ros.sim import fault_tolerant_summary
from soliton_encirclement_ros.sim.fault_tolerant_summary import FaultTolerantSummary
from support.recorded.run_folder import read_json


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that advances by hand."""
    now = [100.0]
    monkeypatch.setattr(fault_tolerant_summary.time, 'monotonic', lambda: now[0])
    return now


def counted(folder, clock, cost=0.0):
    """Return a lasting summary that counts how often it was made, each time at a cost [s]."""
    made = []

    def make():
        made.append(1)
        clock[0] += cost
        return {'n': len(made)}

    return FaultTolerantSummary(folder, make), made


def test_it_is_there_at_once_and_replaced_every_two_seconds(tmp_path, clock):
    summary, made = counted(tmp_path, clock)
    seen = []
    for _ in range(50):
        summary.write_if_due()
        seen.append(read_json(tmp_path / 'summary.json')['n'])
        clock[0] += 0.1
    assert (seen[0], seen[-1], len(made)) == (1, 3, 3)


def test_one_that_takes_long_comes_seldom(tmp_path, clock):
    summary, made = counted(tmp_path, clock, cost=1.0)
    began = clock[0]
    while clock[0] < began + 200.0:
        summary.write_if_due()
        clock[0] += 0.1
    assert 9 <= len(made) <= 11


def test_what_cannot_be_written_is_one_line_until_it_can(tmp_path, clock):
    folder = tmp_path / 'run'
    summary, _ = counted(folder, clock)
    summary.write_if_due()
    assert summary.error == (
        f'{folder}: cannot write: No such file or directory; there is no summary'
    )
    folder.mkdir()
    summary.write({'n': 9})
    assert summary.error == ''
    assert read_json(folder / 'summary.json') == {'n': 9}
