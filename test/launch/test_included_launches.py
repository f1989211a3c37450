"""Launch files of ours that another one includes: each has its own arguments and environment."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.ros.graph import domain
from support.ros.launched import launch_pytest, ros2_launch, run_launch  # skips without launch

from launch import LaunchDescription, LaunchDescriptionSource  # isort: skip
from launch.actions import (  # isort: skip
    DeclareLaunchArgument,
    IncludeLaunchDescription,
    SetEnvironmentVariable,
)
from soliton_encirclement_ros.launching.arguments import ArgumentValues, launch_description  # isort: skip

__all__ = ['domain', 'launch_pytest']

pytestmark = pytest.mark.ros

OWN = 'OF_ONE_LAUNCH'
"""An environment variable that every launch here sets."""


class Includes:
    """Includes of launch files that start nothing, and what they were given."""

    def __init__(self) -> None:
        """Begin without any."""
        self.actions: list[IncludeLaunchDescription] = []
        self.given: list[ArgumentValues] = []

    def add(self, file: str, usual: Mapping[str, str], **given: str) -> None:
        """Include a file with usual values of its arguments, and some that are given."""
        arguments = [
            DeclareLaunchArgument(name, default_value=value, description=name)
            for name, value in usual.items()
        ]

        def start(values: ArgumentValues) -> list[SetEnvironmentVariable]:
            self.given.append({name: values[name] for name in usual})
            assert OWN not in os.environ
            return [SetEnvironmentVariable(OWN, file)]

        source = LaunchDescriptionSource(launch_description(file, arguments, start))
        self.actions.append(IncludeLaunchDescription(source, launch_arguments=given.items()))

    def run(self) -> None:
        """Launch them one after the other."""
        assert run_launch(LaunchDescription(self.actions)) == 0


def test_defaults_and_environment_of_an_include_are_its_own() -> None:
    """Launch would leave both to the next."""
    includes = Includes()
    includes.add('one.launch.py', {'scenario': 'demo'})
    includes.add('two.launch.py', {'scenario': 'first_flight'})
    includes.run()
    assert includes.given == [{'scenario': 'demo'}, {'scenario': 'first_flight'}]


OF_AGENTS = """
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import SetParametersFromFile
from launch_ros.substitutions import FindPackageShare

def generate_launch_description():
    ours = FindPackageShare('soliton_encirclement_ros')
    return LaunchDescription([
        SetParametersFromFile('agents.yaml'),
        IncludeLaunchDescription(PathJoinSubstitution([ours, 'launch', 'recorder.launch.py'])),
    ])
"""


def test_nodes_of_a_launch_share_a_file_for_some_of_them(
    domain: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others start with their own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'agents.yaml').write_text('/**/agent: {ros__parameters: {k_r: 1.0}}')
    path = tmp_path / 'own.launch.py'
    path.write_text(OF_AGENTS)
    _, text = ros2_launch(path, domain, {}, stop_at='parameters that differ from the defaults')
    assert 'no section' not in text
    assert 'error: ' not in text
