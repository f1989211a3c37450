"""What several verbs share: the scenario that the command line asks for."""

import pytest
from soliton_encirclement_ros.cli.options import read_scenario
from soliton_encirclement_ros.core.errors import ScenarioError


def test_options_win_over_settings_and_those_over_the_file(capsys):
    found = read_scenario('still', ['run.seed=1', 'run.num_agents=7'], seed=5, sim_duration=None)
    assert (found.run.seed, found.run.num_agents, found.run.sim_duration) == (5, 7, 40.0)
    assert capsys.readouterr().err == ''


def test_what_is_hardly_meant_is_warned_about(capsys):
    read_scenario('still', [], num_agents=2)
    assert capsys.readouterr().err.startswith('warning: run.num_agents = 2')


def test_an_unknown_scenario_is_refused():
    with pytest.raises(ScenarioError, match='no such scenario file'):
        read_scenario('nowhere', [])
