"""A swarm on a machine that is too slow: timeouts follow the periods that are reached."""

import pytest
from soliton_encirclement_ros.actors import Agent
from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.message_acceptance import stretched
from support.agents import healthy

ORIGIN = (0.0, 0.0, 0.0)
HERE = Pose((20.0, 0.0, 0.0), ORIGIN)


@pytest.mark.parametrize(
    ('longest', 'expected'), [(0.0, 0.25), (0.08, 0.25), (0.2, 0.6), (0.5, 1.0), (9.0, 1.0)]
)
def test_three_periods_at_most_four_timeouts(longest, expected):
    assert stretched(0.25, longest) == pytest.approx(expected)


def flown(longest: float, silence: float) -> tuple[list[int], int]:
    """Return the neighbours of an agent, and its timeouts, after a silence of its neighbour [s].

    Args:
        longest: The longest period that it keeps up with [s].
        silence: How long nothing comes [s].
    """
    agent = healthy()
    agent.keep_up_with(longest)
    states = [AgentState(2, 1, (0.0, 20.0, 0.0), ORIGIN), TargetState(1, ORIGIN, ORIGIN)]
    agent.receive(0.05, states)
    agent.decide(0.05, HERE)
    now = 0.05 + silence
    agent.decide(now, HERE)
    return agent.neighbours(now), agent.timeouts


def test_a_late_neighbour_of_a_late_agent_stays():
    assert flown(0.0, 0.5) == ([], 1)
    assert flown(0.2, 0.5) == ([2], 0)
    assert flown(0.2, 0.7) == ([], 1)


def is_neighbour_after(agent: Agent, silence: float) -> bool:
    """Return whether an agent still has its neighbour on the ring after a silence [s]."""
    states = [AgentState(2, 1, (0.0, 20.0, 0.0), ORIGIN), TargetState(1, ORIGIN, ORIGIN)]
    agent.receive(0.05, states)
    agent.decide(0.05, HERE)
    now = 0.05 + silence
    agent.receive(now, [TargetState(2, ORIGIN, ORIGIN)])
    agent.decide(now, HERE)
    return agent.controller.neighbours == (2, 2)


@pytest.mark.parametrize(('longest', 'there'), [(0.0, False), (0.08, True)])
def test_a_law_that_gives_up_sooner_does_not_where_periods_are_late(longest, there):
    """``predictive`` counts a neighbour as gone after 0.125 s; its state is used for 0.25 s."""
    agent = healthy(name='predictive')
    agent.keep_up_with(longest)
    assert is_neighbour_after(agent, 0.15) is there
    assert agent.neighbours(0.2) == [2] and agent.timeouts == 0


def test_after_a_failure_a_late_agent_is_as_patient_as_before():
    agent = healthy(name='predictive')
    agent.keep_up_with(0.08)
    agent.controller.reset()
    assert is_neighbour_after(agent, 0.15)


@pytest.mark.parametrize(('timeout', 'there'), [(0.1, False), (0.2, True), (9.0, True)])
def test_the_timeout_of_a_law_changes_in_flight(timeout, there):
    scenario = Scenario().with_changes({'control': {'lossless_timeout': timeout}}, 'test')
    agent = healthy(name='predictive')
    agent.controller.retune(Setup(scenario.control, swarm=scenario.swarm))
    assert is_neighbour_after(agent, 0.15) is there
