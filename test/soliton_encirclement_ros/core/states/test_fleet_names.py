"""Full names in a fleet."""

import pytest

from soliton_encirclement_ros.core.states.swarm_topics import (
    ROOT, Fleet, fleet_above, fleet_in, named_fleet
)
from velocity_mobility_ros.core.user_errors import ParameterError


def test_names_at_the_root() -> None:
    """What a single swarm has always used."""
    assert ROOT.full_name('swarm/metrics') == '/swarm/metrics'
    assert ROOT.member_topic('uav_1', 'odom') == '/uav_1/odom'
    assert ROOT.namespace_of('uav_1') == '/uav_1' and ROOT.namespace_of('') == '/'
    assert ROOT.has('/uav_1/odom') and ROOT.has('/fleet/uav_1/odom')


def test_names_in_a_fleet() -> None:
    """Everything lies below the namespace of the fleet, not of one with a like name."""
    fleet = Fleet('/a/fleet')
    assert fleet.full_name('swarm/metrics') == '/a/fleet/swarm/metrics'
    assert fleet.member_topic('uav_1', 'odom') == '/a/fleet/uav_1/odom'
    assert fleet.namespace_of('uav_1') == '/a/fleet/uav_1'
    assert fleet.namespace_of('') == '/a/fleet'
    assert fleet.has('/a/fleet/clock')
    assert not fleet.has('/a/fleet_2/clock') and not fleet.has('/clock')


@pytest.mark.parametrize(
    ('namespace', 'above', 'own'),
    [
        ('/', '', ''),
        ('/uav_1', '', '/uav_1'),
        ('/fleet/uav_1', '/fleet', '/fleet/uav_1'),
        ('/a/b/uav_1', '/a/b', '/a/b/uav_1'),
    ],
)
def test_fleet_by_namespace(namespace: str, above: str, own: str) -> None:
    """A member's fleet is above it; world, monitor and recorder are in theirs."""
    assert fleet_above(namespace) == Fleet(above)
    assert fleet_in(namespace) == Fleet(own)


@pytest.mark.parametrize(
    ('text', 'namespace'),
    [('', ''), ('/', ''), ('fleet', '/fleet'), ('/fleet', '/fleet'), ('a/_b2', '/a/_b2')],
)
def test_fleet_by_its_name(text: str, namespace: str) -> None:
    """With or without the first slash."""
    assert named_fleet(text, 'x') == Fleet(namespace)


@pytest.mark.parametrize(
    'text', ['fleet/', '//', '/a//b', '2nd', 'a b', 'a-b', '~/a', 'flöte', '/a\n', ' ']
)
def test_what_is_no_namespace_is_refused(text: str) -> None:
    """In one line that says what a namespace is."""
    with pytest.raises(ParameterError) as caught:
        named_fleet(text, '--namespace')
    assert str(caught.value).startswith(f'--namespace = {text!r} must be a namespace such as ')


def test_a_namespace_that_is_too_long_is_refused() -> None:
    """With its beginning, its length and the bound: ROS would refuse the names in it."""
    assert named_fleet('a' * 180, '--namespace') == Fleet('/' + 'a' * 180)
    with pytest.raises(ParameterError) as caught:
        named_fleet('a' * 181, '--namespace')
    assert str(caught.value) == (
        "--namespace = 'aaaaaaaaaaaaaaaaaaaa'... has 181 characters, must be at most 180"
    )
