"""``swarm security``: what it prints and writes, and the line where SROS2 is missing."""

import importlib.util
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from soliton_encirclement_ros.cli.app import app
from soliton_encirclement_ros.cli.security.keystore import COMPUTERS, ENCLAVES, REVOKED
from velocity_mobility_ros.core.user_errors import MobilityError

HAS_SROS2 = importlib.util.find_spec('sros2') is not None


def printed(*arguments: object) -> str:
    """Run a verb that succeeds; return what it prints."""
    done = CliRunner().invoke(app, ['security', *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*arguments: object) -> str:
    """Run a verb that is refused; return its line."""
    done = CliRunner().invoke(app, ['security', *map(str, arguments)])
    assert isinstance(done.exception, MobilityError), done.output
    return str(done.exception)


@pytest.fixture(scope='module')
def policies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the policies of three PX4s."""
    folder = tmp_path_factory.mktemp('policies')
    text = printed('policy', 'first_flight', '--out', folder)
    assert '/uav_3 ' in text and 'px4_bridge_node' in text
    return folder


def test_policy_writes_a_file_for_each_computer(policies: Path) -> None:
    names = {path.name.removesuffix('.policy.xml') for path in policies.glob('*.policy.xml')}
    assert {'uav_1', 'uav_2', 'uav_3', 'ground', 'operator', 'viewer'} <= names


def test_kinds_of_vehicles_are_chosen_by_number(tmp_path: Path) -> None:
    given = '--kind', 'px4:1,2', '--kind', 'simulated:3'
    text = printed('policy', 'first_flight', *given, '--namespace', 'alpha', '--out', tmp_path)
    assert '/alpha/uav_3 ' in text and 'agent mobility_node' in text


@pytest.mark.parametrize(
    ('given', 'line'),
    [
        (('--kind', 'px5'), '--kind px5: must be KIND or KIND:1,2 with a kind of simulated'),
        (('--kind', 'px4:7'), "id = '7' must be a number from 1 to 3"),
        (('--kind', 'px4', '--kind', 'none:1'), 'uav_1 is px4 already'),
        (('--add', 'uav_1/world_node'), 'world_node has no policy'),
    ],
)
def test_wrong_vehicles_and_nodes_are_refused(
    tmp_path: Path, given: tuple[str, ...], line: str
) -> None:
    assert line in refused('policy', 'first_flight', *given, '--out', tmp_path)


def test_a_folder_without_policies_is_refused(tmp_path: Path) -> None:
    assert 'no *.policy.xml there' in refused('enclave', tmp_path / 'keys', tmp_path)


def test_a_folder_that_is_no_keystore_is_refused(tmp_path: Path) -> None:
    assert '`swarm security enclave` makes one' in refused('revoke', tmp_path, 'uav_3')


def test_without_sros2_a_line_says_what_to_install(
    policies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, 'sros2', None)  # as where it is not installed
    assert 'sros2 is not installed: install ros-' in refused('enclave', tmp_path / 'k', policies)


@pytest.mark.skipif(not HAS_SROS2, reason='sros2 is not installed')
def test_a_computer_gets_its_own_keys_alone_and_who_is_revoked(
    policies: Path, tmp_path: Path
) -> None:
    keys = tmp_path / 'keys'
    assert '/uav_1: copy ' in printed('enclave', keys, policies)
    own = keys / COMPUTERS / 'uav_1'
    assert [path.name for path in own.rglob('key.pem')] == ['key.pem']
    assert not [*own.rglob('*ca.key.pem')]
    assert not any(path.is_symlink() for path in own.rglob('*'))
    assert 'revoked: /uav_3;' in printed('revoke', keys, 'uav_3')
    assert 'revoked: /uav_2, /uav_3;' in printed('revoke', keys, '/uav_2')
    before = (own / ENCLAVES / 'uav_1' / REVOKED).read_bytes()
    printed('enclave', keys, policies / 'uav_1.policy.xml')
    assert (own / ENCLAVES / 'uav_1' / REVOKED).read_bytes() == before
    assert 'no enclave /uav_9' in refused('revoke', keys, 'uav_9')
