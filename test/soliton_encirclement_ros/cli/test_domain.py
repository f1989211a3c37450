"""The ROS domain of a run must be a number that works on every machine."""

import pytest
from soliton_encirclement_ros.cli.domain import DomainClaim, domain
from soliton_encirclement_ros.core.errors import RunError


@pytest.mark.parametrize('text', ['0', '7', '101', ''])
def test_a_domain_that_works_is_accepted(monkeypatch, text):
    monkeypatch.setenv('ROS_DOMAIN_ID', text)
    assert domain() == int(text or 0)


def test_no_domain_is_domain_0(monkeypatch):
    monkeypatch.delenv('ROS_DOMAIN_ID', raising=False)
    assert domain() == 0


@pytest.mark.parametrize('text', ['abc', '102', '500', '-1', '1.5', '0x1', ' ', '\u0661', '1 2'])
def test_any_other_is_refused_with_what_is_allowed(monkeypatch, text):
    monkeypatch.setenv('ROS_DOMAIN_ID', text)
    with pytest.raises(RunError, match='must be a whole number from 0 to 101'):
        domain()


def test_a_domain_is_held_by_one_run_at_a_time(monkeypatch, tmp_path):
    monkeypatch.setattr('tempfile.tempdir', str(tmp_path))
    taken = pytest.raises(RunError, match='ROS_DOMAIN_ID=7 already has a swarm')
    with DomainClaim(7), DomainClaim(8), taken:
        DomainClaim(7)
    with DomainClaim(7):
        pass
