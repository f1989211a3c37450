"""What several verbs share: the scenario that the command line asks for."""

import pytest
from soliton_encirclement_ros.cli.options.shared_options import read_scenario
from soliton_encirclement_ros.core.errors import ScenarioError


def test_options_and_settings_win_over_the_file(capsys):
    found = read_scenario('still', ['run.num_agents=7'], seed=5, sim_duration=None)
    assert (found.run.seed, found.run.num_agents, found.run.sim_duration) == (5, 7, 40.0)
    assert capsys.readouterr().err == ''


def test_what_is_hardly_meant_is_warned_about(capsys):
    read_scenario('still', [], num_agents=2)
    assert capsys.readouterr().err.startswith('warning: run.num_agents = 2')


def test_an_unknown_scenario_is_refused():
    with pytest.raises(ScenarioError, match='no such scenario file'):
        read_scenario('nowhere', [])


def test_a_vehicle_wins_over_the_scenario_and_settings_over_the_vehicle(tmp_path):
    file = tmp_path / 'small.yaml'
    file.write_text('mobility: {tau_xy: 0.4, max_acc_xy: 2.5}', encoding='utf-8')
    found = read_scenario('still', ['mobility.max_acc_xy=3'], vehicle=str(file)).mobility
    assert (found.tau_xy, found.max_acc_xy, found.max_speed_xy) == (0.4, 3.0, 10.0)


def test_a_refused_vehicle_is_named(tmp_path):
    file = tmp_path / 'odd.yaml'
    file.write_text('mobility: {tau_x: 0.4}', encoding='utf-8')
    with pytest.raises(ScenarioError, match=r"odd\.yaml: mobility: unknown key 'tau_x'; did you"):
        read_scenario('still', [], vehicle=str(file))
