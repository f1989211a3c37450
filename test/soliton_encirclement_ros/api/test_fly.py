"""A scenario flown from Python: the same runs as those of the command, in frames."""

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from soliton_encirclement_ros import ScenarioError, fly
from soliton_encirclement_ros.core.errors import RunError, SwarmError
from soliton_encirclement_ros.core.run.finished_run import read_command
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.sim import simulation
from support.here import swarm_here
from support.ready import NO_HURRY, laws

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

SHORT = {'agents': 3, 'duration': 4.0}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Fly in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def several():
    """Return two laws on two seeds, with another radius."""
    return fly(
        'still', ['soliton', 'predictive'], seeds=[7, np.int64(3)],
        changes={'swarm.encirclement_radius': np.float64(15.0)}, **SHORT,
    )  # fmt: skip


def test_one_flight_has_frames_a_verdict_and_a_picture():
    flown = fly('still', 'soliton', seed=5, **SHORT)
    (flight,) = flown
    assert (flight.summary['controller'], flight.summary['seed']) == ('soliton', 5)
    assert flight.encircled is flown.encircled is True
    assert flown.verdict.startswith('ENCIRCLED: E_gap')
    assert repr(flown) == f'<Flight {flight.path}: {flown.verdict}>'
    assert (flight.path / 'bag').is_dir() and flight.path.parent.name == 'runs'
    assert set(flown.agents.columns[:2]) == {'controller', 'seed'}
    assert len(flown.agents) == 3 * 80 and flown.metrics.timestamp.iloc[-1] == pytest.approx(4.0)
    assert flown.agents.attrs['units']['vx'] == 'm/s'
    assert flown.plot()._repr_png_().startswith(b'\x89PNG')


def test_several_flights_are_rows_by_law_and_seed(several):
    rows = several.summary[['controller', 'seed']].itertuples(index=False, name=None)
    assert [*rows] == [('soliton', 7), ('soliton', 3), ('predictive', 7), ('predictive', 3)]
    assert {*several.statistics.controller} == {'soliton', 'predictive'}
    pair = several.paired.query('figure == "E_gap"')
    gaps = several.summary.pivot(index='seed', columns='controller', values='E_gap')
    assert pair['mean'].iloc[0] == pytest.approx((gaps.predictive - gaps.soliton).mean())
    assert len(several.metrics.groupby(['controller', 'seed'])) == 4
    assert [len(several[1:]), several[-1].summary['seed']] == [3, 3]
    assert len(several.plot().axes) > 1


def test_frames_of_a_flight_without_a_bag_are_those_of_its_summary(several):
    last = several[0].metrics.iloc[-1]
    assert not (several[0].path / 'bag').exists()
    for name, value in several[0].summary['metrics_last'].items():
        assert last[name] == value


def test_the_command_of_the_manifest_flies_the_same(several, swarm_here):
    command = read_command(several[2].path)
    done = swarm_here(*command[1:], '--format', 'none', '--json')
    told = json.loads(done.out)
    for key in (*simulation.SAME, 'controller', 'seed', 'metrics_mean'):
        assert told[key] == several[2].summary[key]


@pytest.mark.parametrize(
    ('asked', 'words'),
    [
        ({'scenario': 'stil'}, ('stil',)),
        ({'controller': 'solito'}, ('--controller', 'solito')),
        ({'controller': 'nowhere.py'}, ('--controller', 'nowhere.py')),
        ({'changes': {'swarm.radius': 3}}, ('--set', 'swarm.radius=3')),
        ({'changes': {'radius': 3}}, ('--set', 'radius=3')),
        ({'vehicle': 'bicycle'}, ('--vehicle', 'bicycle')),
        ({'seed': -1}, ('--seed', '-1')),
        ({'agents': 0}, ('--agents', '0')),
        ({'out': '/proc/no'}, ('--out', '/proc/no')),
    ],
)
def test_what_the_command_refuses_is_refused_in_the_same_words(swarm_here, asked, words):
    with pytest.raises(SwarmError) as caught:
        fly(**{'scenario': 'still', 'duration': 1.0, **asked})
    scenario = () if 'scenario' in asked else ('still',)
    done = swarm_here('simulate', *scenario, *words, '--duration', '1')
    assert done.code == 2
    assert done.err.splitlines()[-1] == f'error: {" ".join(str(caught.value).split())}'


@pytest.mark.parametrize(
    ('seeds', 'line'),
    [
        (0, 'seeds = 0: must be 1 to 10000 seeds'),
        ([], r'seeds = \[\]: must be 1 to 10000 seeds'),
        (['one'], "seeds: 'one' must be a whole number"),
        ([True], 'seeds: True must be a whole number'),
    ],
)
def test_seeds_are_whole_numbers_and_some(seeds, line):
    with pytest.raises(RunError, match=line):
        fly('still', seeds=seeds)


@pytest.mark.parametrize('name', ['scenario', 'controller'])
@pytest.mark.parametrize('value', [load_scenario(find_scenario('demo')), 3, {'run': {}}])
def test_an_object_in_the_place_of_a_file_is_refused_in_one_short_line(name, value):
    with pytest.raises(RunError, match=f'{name} = .* must be a file or a name; ') as caught:
        fly(**{name: value})
    assert len(str(caught.value)) < 300 and '\n' not in str(caught.value)


def test_a_seed_out_of_range_is_named():
    with pytest.raises(ScenarioError, match='seed = -3 must be at least 0'):
        fly('still', seeds=[1, -3])


@pytest.mark.parametrize('seeds', [1, 2])
def test_an_interrupt_ends_it_and_leaves_the_handlers_as_they_were(monkeypatch, seeds):
    before = signal.getsignal(signal.SIGINT)
    mine, fold = os.getpid(), simulation.FaultTolerantSummary.write_if_due

    def interrupt(self):
        """Press ctrl-C in the first process that flies."""
        os.kill(mine, signal.SIGINT)
        fold(self)

    monkeypatch.setattr(simulation.FaultTolerantSummary, 'write_if_due', interrupt)
    with pytest.raises(KeyboardInterrupt):
        fly('still', 'soliton', seeds, duration=3000.0, agents=3)
    assert signal.getsignal(signal.SIGINT) is before


def test_it_flies_in_any_thread():
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(fly, 'still', 'soliton', **SHORT).result().encircled


def test_a_run_that_fails_costs_no_other_run(monkeypatch):
    make = simulation.Simulation.__init__

    def break_off(self, scenario, *rest, **options):
        """Fail with one seed."""
        if scenario.run.seed == 2:
            raise OSError('no')
        make(self, scenario, *rest, **options)

    monkeypatch.setattr(simulation.Simulation, '__init__', break_off)
    with pytest.warns(UserWarning, match=r'the run failed \(OSError: no\)'):
        flown = fly('still', 'soliton', seeds=[1, 2], **SHORT)
    assert list(flown.summary.seed) == [1]
    with pytest.raises(RunError, match=r'-s2: the run failed \(OSError: no\)'):
        fly('still', ['soliton', 'predictive'], seeds=[2], **SHORT)
