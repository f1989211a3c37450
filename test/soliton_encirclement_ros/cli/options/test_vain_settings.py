"""What is given in vain is named on standard error, and the rest is not."""

import pytest
import yaml

from support.here import swarm_here

__all__ = ['swarm_here']

SHORT = ('simulate', 'still', '--duration', '0.2', '--no-pictures', '--format', 'none')


def warnings(done):
    return [line for line in done.err.splitlines() if line.startswith('warning: ')]


@pytest.mark.parametrize(
    ('arguments', 'line'),
    [
        (('--set', 'target.target_swarm_omega_pd_kp=3'),
         'target.target_swarm_omega_pd_kp = 3.0 has no effect without '
         'target.target_swarm_spin_enable = true'),
        (('--set', 'run.real_time_factor=2'),
         'run.real_time_factor has no effect here: it is for nodes, and there are none'),
        (('--set', 'failure.failure_schedule=10..20: 1'),
         'failure.failure_schedule begins at 10 s, after the end of the run (run.sim_duration = '
         '0.2 s)'),
        (('still',), 'still is named 2 times, flown once'),
        (('--controller', 'predictive', '--controller', 'predictive'),
         'predictive is named 2 times, flown once'),
    ],
)  # fmt: skip
def test_a_setting_in_vain_is_named(swarm_here, arguments, line):
    assert warnings(swarm_here(*SHORT, *arguments)) == [f'warning: {line}']


@pytest.mark.parametrize(
    'arguments',
    [
        ('--set', 'failure.failure_schedule=0.1..0.2: 1'),
        ('--set', 'mobility.max_speed_xy=0', '--set', 'target.target_motion_speed_xy=0'),
        ('--set', 'run.max_e_gap=0.4', '--set', 'run.max_e_r=0.4', '--controller', 'soliton',
         '--controller', 'two_channel'),
    ],
)  # fmt: skip
def test_a_setting_with_an_effect_is_not(swarm_here, arguments):
    said = warnings(swarm_here(*SHORT, *arguments))
    assert [line for line in said if 'effect' in line or 'over' in line or 'keep' in line] == []


def test_a_check_names_what_a_file_sets_in_vain(swarm_here, tmp_path):
    (tmp_path / 'own.yaml').write_text('adversary: {adversary_enable: false, '
                                       'adversary_roam_speed_xy: 9}')  # fmt: skip
    assert warnings(swarm_here('scenario', 'check', 'own.yaml')) == [
        'warning: adversary.adversary_roam_speed_xy = 9.0 has no effect without '
        'adversary.adversary_enable = true'
    ]
    assert warnings(swarm_here('simulate', 'own.yaml', *SHORT[2:])) == []


@pytest.mark.parametrize(
    ('grid', 'found'),
    [
        ({'target.target_swarm_omega_pd_kp': [1, 2, 3]},
         ['target.target_swarm_omega_pd_kp has no effect without '
          'target.target_swarm_spin_enable = true']),
        ({'target.target_swarm_omega_pd_kp': [1, 2],
          'target.target_swarm_spin_enable': [False, True]},
         ['target.target_swarm_omega_pd_kp has no effect without target.target_swarm_spin_enable '
          '= true: 2 points are only 1 flight; a block without it for them saves 2 of 8 runs']),
        ({'control.target_filter': ['difference', 'kalman'],
          'control.target_acc_filter': [0.1, 0.2, 0.3], 'run.num_agents': [4, 5]},
         ["control.target_acc_filter has no effect without control.target_filter = 'difference': "
          '6 points are only 2 flights; a block without it for them saves 8 of 24 runs']),
        ({'control.controller': ['soliton', 'predictive'], 'control.k_s': [1.0, 1.5]}, []),
        ({'control.controller': ['soliton', 'predictive'], 'run.num_agents': [4, 5]}, []),
    ],
)  # fmt: skip
def test_a_design_that_varies_nothing_is_named(swarm_here, tmp_path, grid, found):
    """Also where a parameter has no effect at some of its points alone: they fly alike."""
    content = {'scenario': 'still', 'changes': {'run': {'sim_duration': 0.2}}, 'seeds': 2,
               'design': {'grid': grid}}  # fmt: skip
    (tmp_path / 'own.yaml').write_text(yaml.safe_dump(content))
    said = warnings(swarm_here('sweep', 'own.yaml', '--dry-run'))
    assert [line for line in said if 'design: ' in line] == [
        f'warning: design: {line}' for line in found
    ]


def test_the_folder_of_another_sweep_is_named(swarm_here, tmp_path):
    for name, seeds in (('a', 1), ('b', 2)):
        (tmp_path / f'{name}.yaml').write_text(
            f'scenario: still\nchanges: {{run: {{sim_duration: 0.2}}}}\nseeds: {seeds}\n'
        )
    sweep = ('--out', 'there', '--no-pictures')
    assert warnings(swarm_here('sweep', 'a.yaml', *sweep)) == []
    assert warnings(swarm_here('sweep', 'a.yaml', *sweep)) == []
    (line,) = warnings(swarm_here('sweep', 'b.yaml', *sweep))
    assert line.startswith('warning: there/sweep.yaml is another sweep: its runs are kept')
