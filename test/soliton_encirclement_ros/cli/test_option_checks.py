"""Options that are refused before anything happens, and the scenario that they ask for."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.cli.options import PAGES, PICTURES, check_ending, refuse_together
from soliton_encirclement_ros.cli.scenario_verbs import read_scenario
from soliton_encirclement_ros.core.errors import RunError


@pytest.mark.parametrize('name', ['x.png', 'x.PNG', 'a/b.c.svg', '.hidden.pdf'])
def test_what_the_ending_promises_is_written(name):
    check_ending('--picture', Path(name), PICTURES)
    check_ending('--picture', None, PICTURES)


@pytest.mark.parametrize('name', ['x.mcap', '.mcap', 'x', 'png', '.png', 'x.png.gz', 'x.'])
def test_another_ending_is_refused_with_those_that_there_are(name):
    with pytest.raises(RunError) as caught:
        check_ending('--page', Path(name), PAGES)
    assert str(caught.value) == f'--page {Path(name)}: the name must end in one of .html, .htm'


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / 'x.png').mkdir()
    with pytest.raises(RunError, match=r'--picture .*x\.png: is a folder; name a file'):
        check_ending('--picture', tmp_path / 'x.png', PICTURES)


def test_a_name_that_is_too_long_is_said_so():
    with pytest.raises(RunError, match=r'\.html: cannot read: File name too long'):
        check_ending('--page', Path('x' * 300 + '.html'), PAGES)


def test_only_options_that_are_both_given_clash():
    refuse_together(('--a', True), ('--b', None), why='no')
    with pytest.raises(RunError, match=r'^--a and --b 3 exclude each other: drop one$'):
        refuse_together(('--a', True), ('--b 3', 3), why='drop one')


def test_options_and_settings_win_over_the_file(capsys):
    found = read_scenario('still', ['run.num_agents=7'], seed=5, sim_duration=None)
    assert (found.run.seed, found.run.num_agents, found.run.sim_duration) == (5, 7, 40.0)
    assert capsys.readouterr().err == ''


def test_what_is_hardly_meant_is_warned_about(capsys):
    read_scenario('still', [], num_agents=2)
    assert capsys.readouterr().err.startswith('warning: run.num_agents = 2')


def test_a_vehicle_wins_over_the_scenario_and_settings_over_the_vehicle(tmp_path):
    file = tmp_path / 'small.yaml'
    file.write_text('mobility: {tau_xy: 0.4, max_acc_xy: 2.5}', encoding='utf-8')
    found = read_scenario('still', ['mobility.max_acc_xy=3'], vehicle=str(file)).mobility
    assert (found.tau_xy, found.max_acc_xy, found.max_speed_xy) == (0.4, 3.0, 10.0)
