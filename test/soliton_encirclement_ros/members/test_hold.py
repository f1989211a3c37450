"""Members that an operator has stopped: they stand still, say where, and start afresh."""

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.laws.filter_codes import NOBODY, NONE, SEPARATION
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters, TargetParameters
)
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.states.received_states import FIELDS
from soliton_encirclement_ros.members.own_target import Adversary, Target
from soliton_encirclement_ros.safety.filter import FASTEST
from support.agents import healthy

STILL = (0.0, 0.0, 0.0)
PLACE = Pose((30.0, 3.0, 1.0), (0.5, 0.0, 0.0))
TICK = 0.05
FAMILY = pytest.mark.parametrize('name', list(CONTROLLERS))


def heard(k):
    """Return what is heard at a tick."""
    weights = ((1, 1.0), (2, 1.0), (3, 1.0))
    return [
        AgentState(2, k, (0.0, 20.0, 0.0), STILL, 0.3, 0.1),
        AgentState(3, k, (-20.0, -5.0, 0.0), STILL, -0.2, 0.1),
        TargetState(k, STILL, STILL, weights, 0.1),
    ]


def live(agent, ticks, hold=False):
    """Let an agent tick; return its decisions."""
    found = []
    for k in ticks:
        agent.receive(k * TICK, heard(k))
        found.append((agent.hold if hold else agent.decide)(k * TICK, PLACE))
    return found


def message(state):
    """Return the message of the law in a state."""
    own = [value for name, value in state.prop if name not in FIELDS]
    return (state.u, state.u_ss, *own)


def memory(agent):
    """Return the numbers that the law of an agent remembers."""
    return agent.rows.flight.laws[agent.rows.i]


@FAMILY
def test_a_held_agent_stands_still_and_says_where(name):
    """Every time it is held: nobody acts on the last word of a law that rests."""
    agent = healthy(name=name)
    for first in (1, 60):
        assert any(one.command != STILL for one in live(agent, range(first, first + 19)))
        held = live(agent, range(first + 19, first + 59), hold=True)
        assert {one.command for one in held} == {STILL}
        assert {(one.state.position, one.state.velocity) for one in held} == {PLACE}
        assert [one.state.seq for one in held] == list(range(first + 19, first + 59))
        assert {message(one.state) for one in held} == {(*agent.rows.rules.law.no_message,)}


@FAMILY
def test_after_a_hold_the_law_is_as_after_a_failure(name):
    """The neighbours were heard meanwhile, and the law begins with the memory of its reset."""
    held, failed = healthy(name=name), healthy(name=name)
    for agent in (held, failed):
        live(agent, range(1, 20))
    live(held, range(20, 60), hold=True)
    failed.failures.fail()
    live(failed, range(20, 21))
    failed.failures.recover(21 * TICK)
    for _ in range(2):  # once more changes nothing
        failed.restart()
    assert memory(held) == pytest.approx(memory(failed))
    assert held.neighbours(59 * TICK) == [2, 3]
    assert any(one.command != STILL for one in live(held, range(60, 80)))


def near(k, gap):
    """Return what is heard at a tick: somebody stands so far [m] east."""
    x, y, z = PLACE.position
    return [AgentState(2, k, (x + gap, y, z), STILL)]


def held_beside(agent, gap, ticks):
    """Let an agent that is stopped tick beside another one; return its commands."""
    found = []
    for k in ticks:
        agent.receive(k * TICK, near(k, gap))
        found.append(agent.hold(k * TICK, Pose(PLACE.position, STILL)).command)
    return found


def test_a_held_agent_makes_way_slowly_and_says_why():
    agent = healthy(safety=SafetyParameters())
    assert held_beside(agent, 2.5, range(1, 5)) == [STILL] * 4
    assert agent.filtered == (NONE, NOBODY, 0.0)
    assert held_beside(agent, 1.5, range(5, 9))[-1] == pytest.approx((-FASTEST, 0.0, 0.0))
    assert agent.filtered == pytest.approx((SEPARATION, 2, FASTEST))
    agent.stand_still()  # without odometry
    assert agent.filtered == (NONE, NOBODY, 0.0)
    assert healthy().hold(TICK, PLACE).command == STILL


def test_a_failed_agent_makes_no_way_held_or_not():
    agent = healthy(safety=SafetyParameters())
    for act in (agent.hold, agent.decide):
        for k in range(1, 5):
            agent.receive(k * TICK, near(k, 1.5))
            act(k * TICK, Pose(PLACE.position, STILL))
        assert agent.filtered[0] != NONE
        agent.failures.fail()
        assert act(5 * TICK, Pose(PLACE.position, STILL)).command == STILL
        assert agent.filtered == (NONE, NOBODY, 0.0)
        agent.failures.recover(6 * TICK)


def test_a_failed_agent_that_is_held_is_silent_and_comes_back_held():
    agent = healthy()
    live(agent, range(1, 5))
    agent.failures.fail()
    assert {one for one in live(agent, range(5, 10), hold=True)} == {(STILL, None)}
    agent.failures.recover(9 * TICK)
    assert all(one.state is not None for one in live(agent, range(10, 15), hold=True))


def test_a_held_target_stands_still_and_its_requests_go_on():
    swarm = SwarmParameters()
    target = Target(TargetParameters(), swarm, random_stream(0, 'target'))
    assert [target.decide(k * TICK, PLACE).command for k in range(1, 60)][-1] != STILL
    target.receive(60 * TICK, heard(60)[:2])
    held = [target.hold(k * TICK, PLACE) for k in range(60, 64)]
    assert {decision.command for decision in held} == {STILL}
    assert [decision.state.seq for decision in held] == [60, 61, 62, 63]
    assert [k for k, _ in held[0].state.lambdas] == [2, 3]
    assert target.decide(64 * TICK, PLACE).command != STILL


def test_a_held_adversary_stands_still_and_draws_nothing():
    one, other = (
        Adversary(AdversaryParameters(), SwarmParameters(), random_stream(0, 'adversary'))
        for _ in range(2)
    )
    held = [one.hold(k * TICK, PLACE) for k in range(1, 4)]
    assert {decision.command for decision in held} == {STILL}
    assert [decision.state.seq for decision in held] == [1, 2, 3]
    assert one.decide(0.2, PLACE).command == other.decide(0.2, PLACE).command != STILL
