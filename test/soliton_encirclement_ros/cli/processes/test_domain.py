"""The ROS domain of a run must be a number that works on every machine."""

import subprocess
import sys

import pytest
from soliton_encirclement_ros.cli.processes.domain import DomainClaim, domain
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.fleet_names import ROOT, Fleet
from support.cli import environment
from velocity_mobility_ros.core.errors import StartupError


@pytest.mark.parametrize('text', ['0', '101', '215', '232', ''])
def test_a_domain_that_works_is_accepted(monkeypatch, capsys, text):
    monkeypatch.setenv('ROS_DOMAIN_ID', text)
    assert domain() == int(text or 0)
    assert capsys.readouterr().err == ''


@pytest.mark.parametrize(('text', 'port'), [('102', 32900), ('214', 60900)])
def test_a_domain_among_the_ports_of_anybody_is_taken_with_a_warning(
    monkeypatch, capsys, text, port
):
    monkeypatch.setenv('ROS_DOMAIN_ID', text)
    assert domain() == int(text)
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f'warning: ROS_DOMAIN_ID={text}: its ports, from {port} on, are among those that Linux '
        'assigns to any program (32768 to 60999), so nodes may be missed; 0 to 101 '
        'and 215 to 232 are safe'
    )


@pytest.mark.parametrize(
    'text',
    ['abc', '233', '9' * 5000, '-1', '1.5', '010', ' ', '\u0661'],
)
def test_any_other_is_refused_with_what_is_allowed(monkeypatch, text):
    monkeypatch.setenv('ROS_DOMAIN_ID', text)
    with pytest.raises(StartupError, match='must be a whole number from 0 to 232'):
        domain()


def test_a_domain_is_held_by_one_run_at_a_time():
    taken = pytest.raises(RunError, match='ROS_DOMAIN_ID=7 already has a swarm ')
    with DomainClaim(7, ROOT), DomainClaim(8, ROOT), taken:
        DomainClaim(7, ROOT)
    with DomainClaim(7, ROOT):
        pass


def test_fleets_hold_their_own_namespaces():
    taken = pytest.raises(RunError, match='ROS_DOMAIN_ID=7 already has a swarm in /a/b ')
    with DomainClaim(7, ROOT), DomainClaim(7, Fleet('/a')), DomainClaim(7, Fleet('/a/b')), taken:
        DomainClaim(7, Fleet('/a/b'))


HOLDER = """
import os, sys
from soliton_encirclement_ros.cli.processes.domain import DomainClaim
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.fleet_names import ROOT
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
os.umask(0o777)
try:
    claim = DomainClaim(7, ROOT)
except RunError as error:
    sys.exit(str(error))
print('held', flush=True)
sys.stdin.read()
"""


def another_user():
    """Start a claim as another user; where the tests are not root, as another process."""
    return subprocess.Popen(
        [sys.executable, '-c', HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=environment(7),
    )  # fmt: skip


def test_a_run_of_another_user_is_named_in_one_line():
    """A file in its place might be one that nobody else can open."""
    with another_user() as other:
        assert other.stdout.readline() == 'held\n', other.stderr.read()
        with pytest.raises(RunError, match=r'already has a swarm \(another run uses it\): stop'):
            DomainClaim(7, ROOT)
        other.communicate()
    with DomainClaim(7, ROOT), another_user() as other:
        _, told = other.communicate()
    assert other.returncode == 1
    assert told.startswith('ROS_DOMAIN_ID=7 already has a swarm (another run uses it): ')
    assert len(told.splitlines()) == 1


def test_nothing_is_left_in_the_way_of_others(monkeypatch, tmp_path):
    monkeypatch.setattr('tempfile.tempdir', str(tmp_path))
    with DomainClaim(7, ROOT):
        pass
    assert list(tmp_path.iterdir()) == []
