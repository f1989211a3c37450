"""Sweep files: what they plan, and how they are refused."""

import csv
import os
import shutil
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.experiments.sweep_file import find_sweep, load_sweep

LAWS = '{grid: {control.controller: [soliton, two_channel]}}'


@pytest.fixture
def write(tmp_path):
    def write(text, name='some.yaml'):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_runs_stand_in_the_order_of_the_design_seeds_innermost(write):
    planned = load_sweep(write(f'design: {LAWS}\nseeds: 2'), 'code')
    assert [(run.point.number, run.point.controller, run.scenario.run.seed)
            for run in planned.runs] == [
        (1, 'soliton', 0), (1, 'soliton', 1), (2, 'two_channel', 0), (2, 'two_channel', 1),
    ]  # fmt: skip
    assert planned.name == 'some'
    assert planned.keys == ('control.controller',)
    assert planned.runs[1].label == 'controller soliton, seed 1'


def test_a_law_in_a_file_is_called_by_its_stem(write):
    own = Path(__file__).parents[3] / 'docs' / 'pursuit.py'
    text = f'design: {{grid: {{control.controller: [soliton, {own}]}}}}\nseeds: 1'
    _, run = load_sweep(write(text), 'code').runs
    assert (run.point.controller, run.label) == ('pursuit', 'controller pursuit, seed 0')
    assert run.scenario.control.controller == str(own)


def test_a_law_may_lie_beside_the_sweep_and_lacks_values_of_others(write, tmp_path, monkeypatch):
    shutil.copy(Path(__file__).parents[3] / 'docs' / 'pursuit.py', tmp_path / 'mine.py')
    path = write(
        'seeds: 1\ndesign:\n- list: [{control.controller: mine.py, control.k_pursuit: 0.5}]\n'
        '- list: [{control.controller: soliton}]'
    )
    monkeypatch.chdir('/')
    mine, ours = load_sweep(path, 'code').runs
    assert mine.scenario.control.controller == str(tmp_path / 'mine.py')
    assert (mine.point.label, ours.point.label) == (
        'controller mine, k_pursuit 0.5', 'controller soliton'
    )  # fmt: skip


def test_every_point_says_the_value_of_everything_that_varies_anywhere(write):
    text = 'design:\n- list: [{control.k_tau: 1}]\n- grid: {control.k_r: [2, 3]}'
    values = [point.values for point in load_sweep(write(text), 'code').points]
    assert values == [
        {'control.k_tau': 1.0, 'control.k_r': 1.15},
        {'control.k_tau': 0.2, 'control.k_r': 2.0},
        {'control.k_tau': 0.2, 'control.k_r': 3.0},
    ]


def test_the_scenario_may_lie_beside_the_sweep_and_is_changed(write, monkeypatch):
    write('run: {num_agents: 7, seed: 3}', 'mine.yaml')
    path = write('scenario: mine.yaml\nname: other\nchanges: {run: {sim_duration: 9}}\nseeds: 2')
    monkeypatch.chdir('/')
    planned = load_sweep(path, 'code')
    run = planned.runs[1].scenario.run
    assert (planned.name, run.num_agents, run.sim_duration, run.seed) == ('other', 7, 9.0, 4)


def test_keys_are_all_different_and_change_with_the_code_alone(write):
    """The name of a sweep is not in them."""
    path = write(f'name: a\ndesign: {LAWS}\nseeds: 3')
    one, again, other = (load_sweep(path, code).runs for code in ('a', 'a', 'b'))
    assert len({run.key for run in (*one, *other)}) == 12
    assert [run.key for run in one] == [run.key for run in again]
    assert [run.parameters for run in one] == [run.parameters for run in other]
    named = load_sweep(write(f'name: b\ndesign: {LAWS}\nseeds: 3'), 'a').runs
    assert [run.key for run in named] == [run.key for run in one]


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('', 'a sweep is a mapping of name, scenario, changes, seeds, design, chosen, metrics'),
        ('a: [', 'not valid YAML'),
        ('sed: 1', "unknown key 'sed'; did you mean 'seeds'?"),
        ('odd: 1', "unknown key 'odd'; allowed keys are name, scenario"),
        ('scenario: 3', 'scenario = 3 must be a file or a name'),
        ('design:', 'design is empty: remove it for a single point'),
        ('changes: {control: {k_s: 2}}\ndesign: {grid: {control.k_s: [1, 3]}}',
         'changes set control.k_s, and the design varies it: remove it from one of them'),
        ('changes: 3', 'changes = 3 must be a mapping of sections'),
        ('scenario: nosuch', 'some.yaml: scenario = nosuch: no such scenario file'),
        ('changes: {name: x}', 'changes: name is not a section: write name: at the top level'),
        ('name: ../x', "name = '../x' must be a text"),
        ('design: {grid: {run.num_agents: [3, 0]}}', 'run: num_agents = 0 must be at least'),
        ('design: {grid: {run.num_agents: [3, 3]}}',
         'design: point 2 equals point 1 (run.num_agents = 3): remove one of them'),
        ('design: {random: {samples: 1, parameters: {control.k_r: {low: -1, high: 1}}}}',
         'control: k_r = -1.0 must be above 0'),
        ('design: [{grid: {control.k_r: [1]}}, {grid: {control.k_r: [-1.0]}}]',
         'design block 2: control: k_r = -1.0 must be above 0'),
        ('design: {grid: {control.k_r: [1]}}\nseeds: {first: 0, count: 0}', 'count = 0 must be'),
    ],
)  # fmt: skip
def test_a_file_that_is_no_sweep_is_refused_in_one_line(write, text, expected):
    path = write(text)
    with pytest.raises(ScenarioError) as caught:
        load_sweep(path, 'code')
    assert str(caught.value).startswith(f'{path}: ')
    assert expected in str(caught.value) and '\n' not in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match='cannot read the sweep: Is a directory'):
        load_sweep(tmp_path, 'code')
    (tmp_path / 'binary').write_bytes(b'\xff')
    with pytest.raises(ScenarioError, match='cannot read the sweep: not UTF-8 text'):
        load_sweep(tmp_path / 'binary', 'code')


def test_the_published_study_has_every_row_of_the_published_table():
    planned = load_sweep(find_sweep('published_study'), 'code')
    assert len(planned.runs) == 61
    scenario = planned.runs[0].scenario
    assert (scenario.run.rng, scenario.run.seed, scenario.run.num_agents) == ('reference', 0, 10)
    named = os.environ.get('SWARM_REFERENCE_DIR')
    folder = Path(named) if named else Path(__file__).parents[4] / 'shared' / 'reference'
    table = folder / 'published_sweep.csv'
    if not table.is_file():
        pytest.skip(f'no published table in {folder}')
    with table.open() as file:
        published = [
            (row['propagation_method'], row['composition_mode'], float(row['k_prop']))
            for row in csv.DictReader(file)
        ]
    ours = [tuple(point.values.values()) for point in planned.points]
    assert set(published) <= {
        (values['propagation.propagation_method'], values['control.tangential_composition_mode'],
         values['propagation.propagation_k_prop'])
        for values in (point.values for point in planned.points)
    }  # fmt: skip
    assert len(set(ours)) == 61


@pytest.mark.parametrize(
    ('name', 'runs'),
    [
        ('laws', 160),
        ('published_study', 61),
        ('peers', 560),
        ('peers_closing', 840),
        ('peers_tuning', 3600),
        ('quick', 200),
    ],
)
def test_sweeps_that_come_along_are_sound(name, runs):
    assert len(load_sweep(find_sweep(name), 'code').runs) == runs
