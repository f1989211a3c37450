"""A file in the place of another: it is called what it is, with the place where it belongs."""

from pathlib import Path

import pytest
import yaml

from velocity_mobility_ros.core.environment import parameter_files
from velocity_mobility_ros.core.environment.parameter_files import KINDS, kind_hint

CONFIG = Path(__file__).parents[3] / 'config'

FOLDERS = {
    'scenarios': parameter_files.SCENARIO,
    'vehicles': parameter_files.VEHICLE,
    'sweeps': parameter_files.SWEEP,
    'nodes': parameter_files.PARAMETER_FILE,
    'bridges': parameter_files.PARAMETER_FILE,
}


@pytest.mark.parametrize(('folder', 'name'), FOLDERS.items())
def test_every_file_of_the_package_is_known_for_what_it_is(folder: str, name: str) -> None:
    """In its own place there is nothing to say."""
    for path in sorted((CONFIG / folder).glob('*.yaml')):
        keys = yaml.safe_load(path.read_text()) or {}
        assert kind_hint(keys, name) == '', path
        for other in {kind.name for kind in KINDS} - {name}:
            hint = kind_hint(keys, other)
            assert hint.startswith(f'; it looks like {name}, which is for: ') or not keys, path


@pytest.mark.parametrize(('keys', 'name'), [
    (['agents', 'target'], parameter_files.MAP),
    (['uav_1', 'uav_2'], parameter_files.PLACES),
    (['fitted'], parameter_files.VEHICLE),
    (['created', 'command', 'scenario', 'seed'], parameter_files.RUN),
    (['scenario', 'agents', 'seed', 'verdict'], parameter_files.RUN),
])  # fmt: skip
def test_files_of_users_are_known(keys: list[str], name: str) -> None:
    """Some kinds have no example in the package."""
    assert f'looks like {name}' in kind_hint(keys, parameter_files.SCENARIO)


def test_what_is_not_known_is_not_guessed() -> None:
    """A misspelt section is no other kind of file."""
    assert kind_hint(['contrl', 1, None], parameter_files.SCENARIO) == ''
