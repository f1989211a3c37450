"""The ROS domain of a run must be a number that works on every machine."""

import contextlib
import subprocess
import sys

import pytest

from soliton_encirclement_ros.cli.operator.ros_context import DomainClaim, domain
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from support.cli import environment
from support.ros_domain import domain_of_its_own
from velocity_mobility_ros.core.user_errors import StartupError


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


@pytest.fixture
def free():
    """A domain that no other test claims meanwhile."""
    with domain_of_its_own() as number:
        yield number


def test_a_domain_is_held_by_one_run_at_a_time(free):
    taken = pytest.raises(RunError, match=f'ROS_DOMAIN_ID={free} already has a swarm ')
    with domain_of_its_own() as other, DomainClaim(other, ROOT), DomainClaim(free, ROOT), taken:
        DomainClaim(free, ROOT)
    with DomainClaim(free, ROOT):
        pass


def test_fleets_hold_their_own_namespaces(free):
    fleets = [ROOT, Fleet('/a'), Fleet('/a/b')]
    taken = pytest.raises(RunError, match=f'ROS_DOMAIN_ID={free} already has a swarm in /a/b ')
    with contextlib.ExitStack() as held, taken:
        for fleet in fleets:
            held.enter_context(DomainClaim(free, fleet))
        DomainClaim(free, fleets[-1])


HOLDER = """
import os, sys
from soliton_encirclement_ros.cli.operator.ros_context import DomainClaim
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import ROOT
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
os.umask(0o777)
try:
    claim = DomainClaim(int(os.environ['ROS_DOMAIN_ID']), ROOT)
except RunError as error:
    sys.exit(str(error))
print('held', flush=True)
sys.stdin.read()
"""


def another_user(number):
    """Start a claim as another user; where the tests are not root, as another process."""
    return subprocess.Popen(
        [sys.executable, '-c', HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=environment(number),
    )  # fmt: skip


def test_a_run_of_another_user_is_named_in_one_line(free):
    """A file in its place might be one that nobody else can open."""
    with another_user(free) as other:
        assert other.stdout.readline() == 'held\n', other.stderr.read()
        with pytest.raises(RunError, match=r'already has a swarm \(another run uses it\): stop'):
            DomainClaim(free, ROOT)
        other.communicate()
    with DomainClaim(free, ROOT), another_user(free) as other:
        _, told = other.communicate()
    assert other.returncode == 1
    assert told.startswith(f'ROS_DOMAIN_ID={free} already has a swarm (another run uses it): ')
    assert len(told.splitlines()) == 1


def test_nothing_is_left_in_the_way_of_others(monkeypatch, tmp_path, free):
    monkeypatch.setattr('tempfile.tempdir', str(tmp_path))
    with DomainClaim(free, ROOT):
        pass
    assert list(tmp_path.iterdir()) == []
