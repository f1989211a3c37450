"""Laws, layers and estimators of somebody's own: compiled and as they stand they fly the same.

Their faults end a flight with one line that names them.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.sim.engine import Engine
from support.identity import INTERPRETED, assert_identical, by_events, scenario
from support.plain_loop import plain_loop
from support.ready import NO_HURRY, laws

__all__ = ['by_events', 'laws']

pytestmark = NO_HURRY

FILES = Path(__file__).parents[2] / 'support' / 'laws'
OFTEN = {'failure': {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 0.7}}
CALM = {'failure': {'failure_enable': False}}
LOSSY = {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.06}}
PURSUIT = Path(__file__).parents[3] / 'docs' / 'pursuit.py'
RAY_MEAN, DIFFUSION = FILES / 'ray_mean.py', FILES / 'diffusion.py'

KINDS = {
    'law': (PURSUIT, '    turn = gains', lambda path: {'control': {'controller': path}}),
    'estimator': (RAY_MEAN, '    known, age, x, y, z = memory\n', lambda path: {
        'target_sensing': {'target_broadcasts': False, 'estimator': path},
        'run': {'transient_time': 1.0}}),
    'layer': (DIFFUSION, '    exchange = ', lambda path: {
        'control': {'controller': 'two_channel'}, 'propagation': {'propagation_method': path}}),
}  # fmt: skip
"""By kind: a file, the place in its step where faults are put, and what flies it."""


def flies(kind, *changes, path=None, before='', after=''):
    """Return a scenario with code of a kind: that of a file, or changed and written to a path."""
    own, _, chosen = KINDS[kind]
    if path is not None:
        text = own.read_text()
        assert before in text
        path.write_text(text.replace(before, after))
    return scenario(*changes, chosen(str(path or own)))


def broken(kind, path, fault, *changes):
    """Return the same with statements put into its step."""
    at = KINDS[kind][1]
    return flies(kind, *changes, path=path, before=at, after=fault + at)


@pytest.mark.parametrize(('kind', 'way'), [
    ('law', LOSSY), ('estimator', OFTEN), ('estimator', LOSSY), ('layer', OFTEN),
], ids=str)  # fmt: skip
def test_it_flies_the_same_by_loop_and_engine(kind, way):
    assert_identical(flies(kind, way), {}, INTERPRETED)


def test_it_flies_the_same_event_by_event(by_events):
    flown = flies('law', OFTEN, {'run': {'rng': 'reference'}})
    assert_identical(flown, {}, INTERPRETED)


@pytest.mark.parametrize(('kind', 'fault', 'reason'), [
    ('law', "    if view.now > 1.0:\n        raise ValueError('not any more')\n",
     r'mine: uav_1 at 1\.05 s: ValueError: not any more \(mine\.py:24, in step\)'),
    ('law', '    if view.now > 1.0:\n        return memory, SpacingMessage(0.0, 0.0), '
     'decided(view, (0.0, 0.0 * 1e999, 0.0))\n',
     r'mine: uav_1 at 1\.05 s: wants the velocity \(0\.0, nan, 0\.0\) m/s; it must be finite '
     r'and at most 1e\+09 \(mine\.py:21, in step\)'),
    ('law', '    if view.now > 1.0:\n        return memory, SpacingMessage(0.0, 0.0), '
     'decided(view, (1e300, 0.0, 0.0))\n',
     r'mine: uav_1 at 1\.05 s: wants the velocity \(1e\+300, .* m/s; it must be finite and .*'),
    ('law', '    if view.now > 1.0:\n        return memory, SpacingMessage(0.0, 1e999), '
     'decided(view, (0.0, 0.0, 0.0))\n',
     r'mine: uav_1 at 1\.05 s: sends SpacingMessage\(u=0\.0, u_ss=inf\); it must be finite '
     r'\(mine\.py:21, in step\)'),
    ('law', "    if view.now > 1.0 and view.agent_id == 2:\n        return memory, 'none', None\n",
     r"mine: uav_2 at 1\.05 s: returned message = 'none'; it must be SpacingMessage\(u, u_ss\) "
     r"\(mine\.py:21, in step\)"),
    ('law', '    if view.now > 1.0:\n        return step(gains, memory, view)\n',
     r'mine: uav_1 at 1\.05 s: RecursionError: .* \(mine\.py:24, in step\)'),
    ('law', '    memory = Memory(1e200 * 1e200 if view.now > 1.0 else 0.0)\n'
     '    if view.now > 1.0:\n        return memory, SpacingMessage(0.0, 0.0), '
     'decided(view, (0.0, 0.0, 0.0))\n',
     r'mine: uav_1 at 1\.05 s: keeps Memory\(turn=inf\); it must be finite '
     r'\(mine\.py:21, in step\)'),
    ('law', '    if view.now > 1.0 and view.ring.rates[view.ring.count] > 9.0:\n'
     '        return memory, SpacingMessage(0.0, 0.0), decided(view, (0.0, 0.0, 0.0))\n',
     r'mine: uav_1 at 1\.05 s: IndexError: .* \(mine\.py:23, in step\)'),
    ('law', '    if 1.0 < view.now < 9.0:\n        raise SystemExit\n',
     r'mine: uav_1 at 1\.05 s: wants to end the process by SystemExit '
     r'\(mine\.py:24, in step\)'),
    ('estimator', '    if view.now > 1.0 and view.agent_id == 2:\n        return NOTHING\n',
     r'mine: uav_2 at 1\.05 s: returned Message\(.*\); it must return a tuple of memory, .*'),
    ('estimator', "    if view.now > 1.0:\n        raise ValueError('not any more')\n",
     r'mine: uav_1 at 1\.05 s: ValueError: not any more \(mine\.py:\d+, in step\)'),
    ('estimator', '    if view.now > 1.0:\n        return NOTHING, NOTHING, '
     'Estimate((0.0, 0.0, 1e999 - 1e999), (0.0, 0.0, 0.0), 0.0, UNKNOWN)\n',
     r'mine: uav_1 at 1\.05 s: estimates Estimate\(position=.*; it must be finite and at most '
     r'1e\+09 \(mine\.py:\d+, in step\)'),
    ('estimator', '    if view.now > 1.0:\n        return NOTHING, '
     'Message(1.0, 0.0, 1e999, 0.0, 0.0), NO_ESTIMATE\n',
     r'mine: uav_1 at 1\.05 s: sends Message\(.*x=inf.*\); it must be finite '
     r'\(mine\.py:\d+, in step\)'),
    pytest.param('layer', "    if e_tau > -9.0:\n        raise ValueError('no')\n",
                 r'two_channel: uav_\d at .* s: ValueError: no \(mine\.py:.*',
                 marks=pytest.mark.nightly),
])  # fmt: skip
def test_what_none_may_ends_the_flight_with_one_line(tmp_path, kind, fault, reason):
    flown = broken(kind, tmp_path / 'mine.py', fault, CALM)
    engine = Engine(flown)
    with pytest.raises(RunError, match=f'^{reason}$'):
        engine.fly()
    assert kind == 'layer' or (engine.ticks, len(engine.seen.series['time'])) == (21, 20)
    with pytest.raises(Exception, match=reason):
        plain_loop(flown).fly()


@pytest.mark.parametrize(('place', 'becomes', 'reason'), [
    ('return State(q)', 'return State(q if e_tau < 9.0 and q == 0.0 else math.nan)',
     r'sends TwoChannelMessage\(.*layer=State\(q=nan\).*; it must be finite '
     r'\(mine\.py:20, in step\)'),
    ('(pred.q + succ.q) / 2.0', 'math.nan if q != 0.0 else 0.0',
     r'the layer returned a signal that is not finite \(mine\.py:20, in step\)'),
])  # fmt: skip
@pytest.mark.parametrize('plain', [False, True])
def test_no_layer_passes_on_what_is_no_number(tmp_path, place, becomes, reason, plain):
    path, text = tmp_path / 'mine.py', DIFFUSION.read_text()
    assert place in text
    path.write_text(text.replace(place, becomes).replace('\nfrom', '\nimport math\nfrom', 1))
    flown = flies('layer', CALM).with_changes(
        {'propagation': {'propagation_method': str(path)}}, 'test')  # fmt: skip
    engine = Engine(flown, is_compiled=(lambda: False) if plain else None)
    with pytest.raises(RunError, match=rf'^two_channel: uav_\d at .* s: {reason}$'):
        engine.fly()
    with pytest.raises(Exception, match=reason):
        plain_loop(flown).fly()


def test_a_reset_that_fails_ends_the_flight_with_one_line(tmp_path, capfd):
    after = "Parameters, reset=lambda memory: Memory(memory.turn + 0.0 * int('x')))"
    compiled = 'Parameters, reset=lambda memory: Memory(view_none[int(memory.turn) + 7]))'
    for text in (after, compiled):
        path = tmp_path / 'mine.py'
        path.write_text(PURSUIT.read_text().replace(
            'Parameters)\n', text.replace('view_none', '(0.0, 1.0)') + '\n'))  # fmt: skip
        engine = Engine(scenario(OFTEN, {'control': {'controller': str(path)}}))
        with pytest.raises(RunError, match=r'mine: uav_\d at .* s: reset: .* \(mine\.py:32, in '):
            engine.fly()
        assert 'Traceback' not in capfd.readouterr().err


@pytest.mark.parametrize('kind', KINDS)
def test_what_does_not_compile_flies_and_says_why_once(tmp_path, capfd, kind):
    given = 'gains' if kind == 'layer' else 'view'
    flown = broken(kind, tmp_path / f'slow_{kind}.py', f"    {{'a': [{given}]}}\n", OFTEN)
    assert_identical(flown)
    said = [line for line in capfd.readouterr().err.splitlines() if 'does not compile' in line]
    name = 'two_channel with slow_layer' if kind == 'layer' else f'slow_{kind}'
    assert len(said) == 1
    file = f'slow_{kind}.py'
    line = 1 + (tmp_path / file).read_text().split('\n').index(f"    {{'a': [{given}]}}")
    assert said[0].startswith(f'{name} does not compile ({file}:{line}): it flies in plain ')


def test_a_layer_is_what_moves_the_second_channel():
    flown = [Engine(flies('layer', {'run': {'sim_duration': 4.0}}).with_changes(
        {'propagation': {'k_diffusion': k}}, 'test')) for k in (0.0, 2.0)]  # fmt: skip
    for engine in flown:
        engine.fly()
    assert flown[0].seen.series['E_gap'] != flown[1].seen.series['E_gap']


def test_parameters_of_a_layer_are_checked(tmp_path):
    own = flies('layer')
    with pytest.raises(ScenarioError, match=r'propagation: k_decay = -1.0 must be above 0 1/s'):
        own.with_changes({'propagation': {'k_decay': -1.0}}, 'test')
    with pytest.raises(ScenarioError, match='k_dekay'):
        own.with_changes({'propagation': {'k_dekay': 1.0}}, 'test')
    with pytest.raises(ScenarioError, match='parameter k_s exists already'):
        flies('layer', path=tmp_path / 'mine.py', before='k_decay', after='k_s')
    (tmp_path / 'none.py').write_text('LAYER = 3\n')
    with pytest.raises(ScenarioError, match='must have one Layer at its top level; there is none'):
        own.with_changes({'propagation': {'propagation_method': f'{tmp_path}/none.py'}}, 'test')


def test_a_law_that_does_not_return_is_named_and_what_was_recorded_is_kept(tmp_path):
    """Nothing ends machine code but the end of its process."""
    loop = '    while view.now > 1.0 and view.agent_id == 2:\n        memory = Memory(0.0)\n'
    flown = broken('law', tmp_path / 'mine.py', loop, CALM)
    program = (
        'import sys\n'
        'from pathlib import Path\n'
        'from soliton_encirclement_ros.cli.output import end_for_fault\n'
        'from soliton_encirclement_ros.core.laws import law_fault\n'
        'from soliton_encirclement_ros.core.scenario.scenario import Scenario\n'
        'from soliton_encirclement_ros.sim import Simulation, simulation\n'
        'simulation.PATIENCE, law_fault.LIMIT = 0.5, 0.5\n'
        'folder, law = sys.argv[1:]\n'
        "run = {'num_agents': 3, 'sim_duration': 2.0, 'seed': 7}\n"
        "flown = Scenario('stuck').with_changes("
        "{'run': run, 'control': {'controller': law}}, 'test')\n"
        'Simulation(flown, Path(folder)).fly(lost=end_for_fault)\n'
    )
    law, folder = flown.control.controller, tmp_path / 'run'
    folder.mkdir()
    ended = subprocess.run(
        [sys.executable, '-c', program, str(folder), law], capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 2
    assert re.fullmatch(
        r'error: mine: uav_2 at 1\.05 s: does not return within .* \(mine\.py:(23|24), in step\)',
        ended.stderr.splitlines()[-1],
    )
    assert 'Traceback' not in ended.stderr
    rows = (folder / 'agent_telemetry.csv').read_text().splitlines()[1:]
    assert len(rows) == 20 * 3
    assert json.loads((folder / 'summary.json').read_text())['interrupted']
