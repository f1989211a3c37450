"""A run that cannot begin: one line, no folder, and ``latest`` as it was."""

import os
import sys

import pytest

from soliton_encirclement_ros.cli.app import run_command_line
from soliton_encirclement_ros.cli.runs import runner
from soliton_encirclement_ros.cli.runs.run_start import remove_run_folder
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.signals import handlers_kept
from velocity_mobility_ros.core.user_errors import StartupError


@pytest.fixture
def swarm_run(domain, tmp_path, monkeypatch):
    """Return ``swarm run still`` in a folder and a domain of its own, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    monkeypatch.setattr(sys, 'argv', ['swarm', 'run', 'still'])
    with handlers_kept():
        yield run_command_line


@pytest.mark.ros
def test_what_ros_refuses_is_one_line_and_leaves_no_folder(
    swarm_run, tmp_path, monkeypatch, capfd
):
    monkeypatch.setenv('ROS_SECURITY_ENABLE', 'true')
    monkeypatch.setenv('ROS_SECURITY_STRATEGY', 'Enforce')
    assert swarm_run() == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith('error: ') and 'or ROS_SECURITY_ENABLE to false' in line
    assert os.listdir(tmp_path / 'runs') == []


@pytest.mark.parametrize(('told', 'taken'), [('', 'LOCALHOST'), ('SUBNET', 'SUBNET')])
def test_a_run_stays_on_this_machine_unless_told_otherwise(swarm_run, monkeypatch, told, taken):
    """A variable that is set and empty tells nothing. Nothing is flown: it would be heard."""
    seen = []

    def refuse(*_):
        seen.append(os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'])
        raise StartupError('not now')

    monkeypatch.setattr(runner, 'Runner', refuse)
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', told)
    assert swarm_run() == 2
    assert seen == [taken]


def test_the_newest_of_the_others_is_the_latest_again(tmp_path):
    first, second, third = (create_run_folder(tmp_path, Scenario(), []) for _ in range(3))
    for last, left in ((third, second), (second, first)):
        remove_run_folder(last)
        assert os.readlink(tmp_path / 'latest') == left.name
    remove_run_folder(first)
    assert os.listdir(tmp_path) == []


def test_the_latest_of_another_stays(tmp_path):
    first, second = (create_run_folder(tmp_path, Scenario(), []) for _ in range(2))
    remove_run_folder(first)
    assert os.readlink(tmp_path / 'latest') == second.name


@pytest.mark.parametrize(
    ('verb', 'name', 'value'),
    [
        ('run', 'ROS_AUTOMATIC_DISCOVERY_RANGE', 'OFF'),
        ('record', 'ROS_AUTOMATIC_DISCOVERY_RANGE', 'subnet'),
        ('record', 'RMW_IMPLEMENTATION', 'rmw_of_nobody'),
    ],
)
def test_an_environment_that_cannot_work_is_refused_at_once(
    tmp_path, monkeypatch, capsys, verb, name, value
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('ROS_DOMAIN_ID', '7')
    monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, 'argv', ['swarm', verb])
    assert run_command_line() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f'error: {name}=') and value in line
    assert os.listdir(tmp_path) == []
