"""``swarm compare`` over run folders."""

import json
from functools import partial

import pytest

from support.here import swarm_here
from support.recorded.runs import a_scenario, a_summary, leave_run

__all__ = ['swarm_here']


@pytest.fixture
def compare(swarm_here):
    """Return the verb as a function of its arguments."""
    return partial(swarm_here, 'compare')


@pytest.fixture
def runs(tmp_path):
    """Return a folder with two controllers on three seeds; the second is always better."""
    folder = tmp_path / 'runs'
    for seed in (1, 2, 3):
        for name, e_gap in (('soliton_v1', 0.4), ('two_channel', 0.2)):
            summary = a_summary(e_gap + 0.01 * seed, settling_time_s=None)
            leave_run(folder / f'{name}-{seed}', a_scenario(name, seed), summary)
    return folder


def test_medians_range_ratio_and_seeds_are_shown(compare, runs):
    code, out, err = compare(str(runs))
    assert (code, err) == (0, '')
    lines = out.splitlines()
    (e_gap,) = [line for line in lines if line.split()[1:2] == ['E_gap'] and 'steady' not in line]
    assert e_gap.split()[3::2] == ['0.420', '0.220', '0.52']
    assert '0.410..0.430' in out and '3 seeds' in out
    assert any('settling time [s]' in line and line.count('never') == 2 for line in lines)
    assert any('E_gap: two_channel' in line and '3 of 3' in line for line in lines)
    assert any('E_gap: soliton_v1' in line and '0 of 3' in line for line in lines)


def test_json_has_everything_and_nothing_else_is_printed(compare, runs):
    code, out, err = compare('--json', str(runs))
    assert (code, err) == (0, '')
    (found,) = json.loads(out)
    assert found['seeds'] == {'soliton_v1': [1, 2, 3], 'two_channel': [1, 2, 3]}
    assert len(found['figures']) == 23
    assert {duel['figure'] for duel in found['paired']} == {'E_gap', 'E_r'}


@pytest.mark.parametrize(
    ('arguments', 'told'),
    [
        (('runs', 'runs/two_channel-1'), 'runs/two_channel-1'),
        (('runs', './runs/'), 'runs'),
    ],
)
def test_a_run_that_is_named_twice_counts_once_and_that_is_said(compare, runs, arguments, told):
    code, out, err = compare('--json', *arguments)
    assert code == 0 and json.loads(out)[0]['seeds']['two_channel'][:1] == [1]
    assert err == f'warning: named more than once, counted once: {told}\n'


def test_a_link_to_a_run_that_is_named_is_left_out(compare, runs):
    (runs / 'latest').symlink_to('two_channel-1')
    code, out, err = compare('--json', *map(str, runs.iterdir()))
    assert (code, err) == (0, '')
    assert json.loads(out)[0]['seeds'] == {'soliton_v1': [1, 2, 3], 'two_channel': [1, 2, 3]}


def test_what_is_left_out_is_said(compare, runs):
    leave_run(runs / 'broken', a_scenario('two_channel', 9), None)
    _, out, _ = compare('runs')
    assert 'left out: runs/broken: no summary.json' in out


def test_runs_that_are_not_comparable_are_refused_with_the_keys(compare, runs):
    other = a_scenario('two_channel', 9, run={'sim_duration': 5.0})
    leave_run(runs / 'other', other, a_summary())
    code, out, err = compare(str(runs))
    assert (code, out) == (2, '')
    assert err.startswith('error: ') and err.count('\n') == 1
    assert 'not comparable: they differ in run.sim_duration;' in err


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        ((), "Missing argument 'RUNS...'"),
        (('runs/soliton_v1-1/summary.json',), 'summary.json: no run folder and none inside'),
    ],
)
def test_bad_usage_is_refused_in_one_line(compare, runs, arguments, expected):
    code, out, err = compare(*arguments)
    assert (code, out) == (2, '')
    assert err.startswith('error: ') and err.count('\n') == 1
    assert expected in err


def leave_samples(folder, level):
    rows = [f'{0.05 * k},{level},0.5,0.1,{1.0 + level},{level}' for k in range(1, 40)]
    text = '\n'.join(['timestamp,E_r,E_vr,rho,G_max,E_gap', *rows, ''])
    (folder / 'target_telemetry.csv').write_text(text, encoding='utf-8')


def test_a_picture_is_drawn_per_scenario(compare, runs, tmp_path):
    still = leave_run(runs / 'still', a_scenario(name='still'), a_summary())
    leave_run(runs / 'own', a_scenario('/of/the/user/mine.py', 1), a_summary())
    for folder in runs.iterdir():
        leave_samples(folder, 0.1)
    code, out, _ = compare(str(runs), '--picture', 'laws.png')
    assert code == 0 and 'E_gap: mine' in out and '/mine.py' not in out
    assert 'still: median' in out and 'demo: median' in out
    assert sorted(path.name for path in tmp_path.glob('*.png')) == [
        'laws-demo.png', 'laws-still.png',
    ]  # fmt: skip
    assert compare(str(still), '--picture', 'one.svg')[0] == 0
    assert (tmp_path / 'one.svg').read_text(encoding='utf-8').startswith('<?xml')


@pytest.mark.parametrize(
    ('picture', 'table', 'expected'),
    [
        ('no/laws.png', '', 'no/laws.png: cannot draw: No such file or directory'),
        ('laws.foo', '', '--picture laws.foo: the name must end in one of .png, .svg'),
        ('laws.png', 'junk', 'target_telemetry.csv: not a table of time, E_r'),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_one_line(compare, runs, picture, table, expected):
    for folder in runs.iterdir():
        leave_samples(folder, 0.1)
    one = runs / 'soliton_v1-1' / 'target_telemetry.csv'
    if table:
        one.write_text('timestamp\n1,2,x\n', encoding='utf-8')
    code, out, err = compare(str(runs), '--picture', picture)
    assert (code, out) == (2, '')
    assert expected in err and err.count('\n') == 1
