"""Bags of fleets in namespaces: alone, several in one bag, beside one at the root."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.topic_roles import JOINT_STATE, fleets, has_node, is_of
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from support.recorded.bags import Raw, fly_bag, raw_messages, same, write_bag
from velocity_mobility_ros.core.user_errors import ParameterError

A, B = Fleet('/fleet_a'), Fleet('/fleet_a/inner')


def flown(folder: Path, agents: int) -> Path:
    """Return the bag of a flight at the root."""
    run = {'num_agents': agents, 'sim_duration': 1.0}
    return fly_bag(folder / 'flown', Scenario().with_changes({'run': run}, 'test'))


def moved(bag: Path, fleet: Fleet) -> list[Raw]:
    """Return the messages of a bag at the root as if its swarm had flown in a namespace."""
    return [raw._replace(topic=fleet.namespace + raw.topic) for raw in raw_messages(bag)]


@pytest.fixture(scope='module')
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bag of two agents."""
    return flown(tmp_path_factory.mktemp('small'), 2)


@pytest.fixture(scope='module')
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bag of three agents."""
    return flown(tmp_path_factory.mktemp('large'), 3)


@pytest.mark.parametrize(
    ('fleet', 'namespace'),
    [(ROOT, None), (ROOT, '/'), (A, '/fleet_a'), (A, 'fleet_a'), (B, '/fleet_a/inner')],
)
def test_of_several_fleets_one_is_looked_at(
    small: Path, large: Path, tmp_path: Path, fleet: Fleet, namespace: str | None
) -> None:
    """Just as if it had been recorded alone; the line names the others."""
    bags = {ROOT: small, A: large, B: small}
    everything = [raw for one, bag in bags.items() for raw in moved(bag, one)]
    everything.sort(key=lambda raw: raw.time_ns)
    bag = write_bag(tmp_path / 'bag', everything)
    found, expected = read_recording(bag, namespace=namespace), read_recording(bags[fleet])
    assert same(found, expected)
    assert found.problems == (
        'the bag holds 3 fleets, in /, /fleet_a, /fleet_a/inner; only the one in '
        f'{fleet.namespace_of("")} is looked at; --namespace chooses another',
        *expected.problems,
    )


def test_a_fleet_may_follow_a_clock_that_all_share(small: Path, tmp_path: Path) -> None:
    """A simulator's, say, at the root."""
    messages = [raw if raw.topic == '/clock' else raw._replace(topic=A.namespace + raw.topic)
                for raw in raw_messages(small)]  # fmt: skip
    expected, found = read_recording(small), read_recording(write_bag(tmp_path / 'bag', messages))
    assert found.problems == expected.problems and same(found, expected)
    assert found.metrics is not None and found.clock == expected.clock


@pytest.mark.parametrize(
    ('namespace', 'line'),
    [
        ('/other', '--namespace /other: the bag holds one fleet, in /fleet_a'),
        ('a b', "--namespace = 'a b' must be a namespace such as /fleet"),
    ],
)
def test_a_fleet_that_is_not_there_is_refused(
    small: Path, tmp_path: Path, namespace: str, line: str
) -> None:
    """With those that are."""
    bag = write_bag(tmp_path / 'bag', moved(small, A))
    with pytest.raises((RunError, ParameterError)) as caught:
        read_recording(bag, namespace=namespace)
    assert str(caught.value).startswith(line)


def test_a_fleet_tells_of_its_own_nodes_alone() -> None:
    """All of a domain say on one topic whose parameters change."""
    assert has_node('/fleet_a/uav_1/agent', A, [A]) and not has_node('/uav_1/agent', A, [A])
    assert has_node('/uav_1/agent', ROOT, [ROOT, A])
    assert not has_node('/fleet_a/uav_1/agent', ROOT, [ROOT, A])
    assert has_node('/fleet_a/uav_1/agent', ROOT, [ROOT]), 'as it always was'


def test_fleets_by_their_topics() -> None:
    """A topic of another type or with a longer name is no sign of one."""
    topics = {'/swarm/metrics': JOINT_STATE, '/a/swarm/agent_states': JOINT_STATE,
              '/b/swarm/metrics': 'std_msgs/msg/String', '/c/swarm/metrics/x': JOINT_STATE,
              '/d/a_swarm/metrics': JOINT_STATE,
              '/e/swarm/swarm/metrics': JOINT_STATE}  # fmt: skip
    assert fleets(topics.items()) == [ROOT, Fleet('/a'), Fleet('/e/swarm')]


def test_the_innermost_fleet_owns_a_topic() -> None:
    """What is of no fleet belongs to all."""
    there = [A, B]
    assert is_of('/fleet_a/uav_1/odom', A, there) and not is_of('/fleet_a/uav_1/odom', B, there)
    assert is_of('/fleet_a/inner/uav_1/odom', B, there)
    assert not is_of('/fleet_a/inner/uav_1/odom', A, there)
    assert is_of('/tf', A, there) and is_of('/tf', B, there)
