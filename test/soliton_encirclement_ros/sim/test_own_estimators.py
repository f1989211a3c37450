"""An estimator of one's own: compiled and as it stands it flies the same, its faults are named."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim import plain_loop
from soliton_encirclement_ros.sim.engine import Engine
from support.identity import assert_identical, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

RAY_MEAN = Path(__file__).parents[2] / 'support' / 'laws' / 'ray_mean.py'
TEXT = RAY_MEAN.read_text()
OFTEN = {'failure': {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 0.7}}
LOSSY = {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.06}}
AT = '    known, age, x, y, z = memory\n'


def flies(path, *changes, **sight):
    return scenario(*changes, {
        'sight': {'cooperative': False, 'estimator': str(path), **sight},
        'run': {'transient_time': 1.0},
    })  # fmt: skip


def changed(folder, before, after, name='mine'):
    assert before in TEXT
    path = folder / f'{name}.py'
    path.write_text(TEXT.replace(before, after))
    return path


@pytest.mark.parametrize('way', [OFTEN, LOSSY], ids=['failures', 'lossy'])
def test_it_flies_the_same_by_loop_and_engine(way):
    assert_identical(flies(RAY_MEAN, way, assumed_range=19.0), {}, {'plain': True})


def test_an_exception_ends_the_flight_with_one_line(tmp_path):
    fault = "    if view.now > 1.0:\n        raise ValueError('not any more')\n"
    flown = flies(changed(tmp_path, AT, fault + AT), {'failure': {'failure_enable': False}})
    reason = r'^mine: uav_1 at 1\.05 s: ValueError: not any more \(step, line \d+\)$'
    engine, loop = Engine(flown), plain_loop(flown)
    with pytest.raises(RunError, match=reason):
        engine.fly()
    assert engine.ticks == 21
    with pytest.raises(Exception, match=reason):
        loop.fly()


@pytest.mark.parametrize('number', ['1e999', '1e999 - 1e999', '1e12'])
def test_numbers_that_nobody_accepts_make_no_estimate(tmp_path, number):
    """They reach neither a vehicle nor another agent, which would refuse the whole state."""
    path = changed(tmp_path, '    mine = Message(known, age, x, y, z)\n',
                   f'    x = x if view.now < 1.0 else {number}\n'
                   '    mine = Message(known, age, x, y, z)\n')  # fmt: skip
    flight = assert_identical(flies(path))
    assert flight.seen.series['alive'][-1] == 6.0
    assert all(row[1] == 0.0 for row in flight.seen.estimate_errors)


def test_what_does_not_compile_flies_and_says_why(tmp_path, capfd):
    assert_identical(flies(changed(tmp_path, AT, "    {'a': [view]}\n" + AT, 'slow_mean')))
    line = 'slow_mean does not compile: flying with plain Python, which is slow'
    assert sum(line in text for text in capfd.readouterr().err.splitlines()) == 1
