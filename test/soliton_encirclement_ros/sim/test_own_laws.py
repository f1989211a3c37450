"""A law of one's own: compiled and as it stands it flies the same, and its faults are named."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim.engine import Engine
from support.identity import assert_identical, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

PURSUIT = Path(__file__).parents[2] / 'support' / 'laws' / 'pursuit.py'
TEXT = PURSUIT.read_text()
OFTEN = {'failure': {'failure_mean_failures_per_min': 20.0}}
LOSSY = {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.06}}
AT = '    turn = gains'


def flies(path, *changes):
    return scenario(OFTEN, *changes, {'control': {'controller': str(path)}})


def changed(folder, before, after):
    assert before in TEXT
    path = folder / 'mine.py'
    path.write_text(TEXT.replace(before, after))
    return path


@pytest.mark.parametrize('way', [{}, LOSSY, {'run': {'rng': 'reference'}}], ids=str)
def test_it_flies_the_same_by_loop_and_engine(way):
    assert_identical(flies(PURSUIT, way), {}, {'plain': True})


@pytest.mark.parametrize(('after', 'reason'), [
    ("    if view.now > 1.0:\n        raise ValueError('not any more')\n",
     'mine: uav_1 at 1.05 s: ValueError: not any more (step, line 30)'),
    ('    if view.now > 1.0:\n        return memory, SpacingMessage(0.0, 0.0), '
     'decided(view, (0.0, 0.0 * 1e999, 0.0))\n',
     'mine: uav_1 at 1.05 s: wants the velocity (0.0, nan, 0.0) m/s; it must be finite'),
])  # fmt: skip
def test_what_no_law_may_ends_the_flight_with_one_line(tmp_path, after, reason):
    calm = {'failure': {'failure_enable': False}}
    engine = Engine(flies(changed(tmp_path, AT, after + AT), calm))
    with pytest.raises(RunError) as ended:
        engine.fly()
    assert str(ended.value) == reason
    assert engine.ticks == 21 and len(engine.seen.series['time']) == 20


def test_what_does_not_compile_flies_and_says_why(tmp_path, capfd):
    path = changed(tmp_path, AT, "    {'a': [view]}\n" + AT)
    assert_identical(flies(path))
    line = (
        'mine does not compile: flying with plain Python, which is slow (NumbaRuntimeError: NRT '
        'required but not enabled)'
    )
    assert capfd.readouterr().err.splitlines().count(line) == 1
