"""The members of a swarm, and where their random numbers come from."""

import pytest

from soliton_encirclement_ros.core.parameters.run_parameters import RNG_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from soliton_encirclement_ros.members.own_target import Adversary, Target
from support.plain_loop import SwarmLoop, make_actors

ORIGIN = (0.0, 0.0, 0.0)
CENTRE = Pose(ORIGIN, ORIGIN)
OFTEN = {'failure_mean_failures_per_min': 60.0}


def scene(rng: str, **run) -> Scenario:
    return Scenario().with_changes({'run': {'rng': rng, **run}, 'failure': OFTEN}, 'x')


@pytest.mark.parametrize('enabled', [True, False])
def test_all_members_in_their_order(enabled):
    scenario = Scenario().with_changes({'adversary': {'adversary_enable': enabled}}, 'x')
    crew = make_actors(scenario)
    assert tuple(crew) == scenario.members
    assert isinstance(crew[TARGET], Target)
    assert isinstance(crew.get(ADVERSARY), Adversary) == enabled


def first_failures(scenario: Scenario) -> list[int]:
    """Return the check at which every agent fails first."""
    found = []
    for k in scenario.agent_ids:
        failures = make_actors(scenario)[f'uav_{k}'].failures
        found.append(next(n for n in range(1, 10_000) if failures.update(0.1 * n)))
    return found


def test_agents_fail_when_the_originals_do():
    scenario = Scenario().with_changes({'run': {'rng': 'reference', 'num_agents': 3}}, 'x')
    assert first_failures(scenario) == [555, 162, 323]


@pytest.mark.parametrize('rng', RNG_NAMES)
def test_a_flight_repeats_itself_and_another_seed_is_another_flight(rng):
    def flown(seed: int) -> list:
        loop, samples = SwarmLoop(scene(rng, sim_duration=3.0, seed=seed)), []
        loop.on_sample = samples.append
        loop.fly()
        return samples

    assert flown(1) == flown(1) != flown(2)
