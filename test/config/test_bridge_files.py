"""Parameter files of bridges: the nodes know every name, and say what is missing in them."""

import sys
from pathlib import Path

import pytest
import yaml
from rcl_interfaces.srv import ListParameters

from support.autopilot.ros.process import autopilot_environment
from support.cli import Process
from support.ros.graph import Ros, domain, ros

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

START = (
    'import sys; from soliton_encirclement_ros.cli import executables; '
    'getattr(executables, sys.argv.pop(1))()'
)
INCLUDED = (
    ('px4_bridge_node', 'px4_sih'),
    ('px4_bridge_node', 'px4_sitl'),
    ('ardupilot_bridge_node', 'ardupilot_sitl'),
    ('mavros_bridge_node', 'px4_sitl'),
)
"""Bridges, and files in config/bridges for them."""


class Bridge(Process):
    """A bridge as a process, with the messages of all autopilots."""

    def __init__(self, domain: int, folder: Path, executable: str, file: Path) -> None:
        """Start it in the namespace of a vehicle, with a parameter file."""
        ros = ('--ros-args', '-r', '__ns:=/uav_1', '--params-file', str(file))
        changes = autopilot_environment(domain)
        command = (sys.executable, '-c', START, executable, *ros)
        super().__init__(command, domain, folder, changes=changes)


@pytest.mark.parametrize('executable', sorted({executable for executable, _ in INCLUDED}))
def test_the_file_of_all_parameters_lacks_an_origin(
    domain: int, repository: Path, tmp_path: Path, executable: str
) -> None:
    """One line says so."""
    file = repository / 'config' / 'nodes' / f'{executable}.yaml'
    with Bridge(domain, tmp_path, executable, file) as bridge:
        assert bridge.end() == 2
    assert 'origin_latitude and origin_longitude are not set' in bridge.err
    assert 'Traceback' not in bridge.err


@pytest.mark.parametrize(('executable', 'name'), INCLUDED)
def test_a_bridge_starts_from_an_included_file(
    ros: Ros, repository: Path, tmp_path: Path, executable: str, name: str
) -> None:
    """And declares exactly what the file of all parameters has."""
    file = repository / 'config' / 'bridges' / f'{name}.yaml'
    with Bridge(ros.domain, tmp_path, executable, file):
        answer = ros.call(
            ListParameters, f'/uav_1/{executable}/list_parameters', ListParameters.Request()
        )
    everything = repository / 'config' / 'nodes' / f'{executable}.yaml'
    content = yaml.safe_load(everything.read_text(encoding='utf-8'))
    declared = {name for name in answer.result.names if not name.startswith('qos_overrides.')}
    assert declared - {'use_sim_time', 'start_type_description_service'} == set(
        content['/**']['ros__parameters']
    )


def test_every_included_file_is_tried(repository: Path) -> None:
    """No file is left out above."""
    files = {path.stem for path in (repository / 'config' / 'bridges').glob('*.yaml')}
    assert files == {name for _, name in INCLUDED}
