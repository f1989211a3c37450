"""The agent: its limits; what it takes in, keeps and says; what a failure does to it."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers import CONTROLLERS, Decision, Law, View
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.laws.law import TargetView
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.received_states import stretched
from soliton_encirclement_ros.core.states.states import SilentBody, State
from soliton_encirclement_ros.members import own_rows
from soliton_encirclement_ros.members.own_agent import Agent
from soliton_encirclement_ros.swarm.memory import SEQ
from support.agents import healthy
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.velocity_model import Vector

ORIGIN = (0.0, 0.0, 0.0)
TICK = 0.05
ANYWHERE = st.tuples(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER)
FAMILY = pytest.mark.parametrize('name', list(CONTROLLERS))


@pytest.mark.one_in(3)
@FAMILY
@given(
    st.tuples(ANYWHERE, ANYWHERE),
    st.lists(st.tuples(ANYWHERE, ANYWHERE, ANY_NUMBER, ANY_NUMBER), max_size=4),
    st.tuples(ANYWHERE, ANYWHERE, ANY_NUMBER, ANY_NUMBER),
)
def test_invariant_5_every_command_is_finite_and_limited(
    name: str, own: tuple, others: list[tuple], target: tuple
) -> None:
    """Invariant 5: whatever is measured and heard, the command is a number within the limits."""
    agent = healthy(name=name)
    for k in range(1, 4):
        told = [AgentState(i, k, *other) for i, other in enumerate(others, start=2)]
        lambdas = ((1, target[2]), (2, target[3]))
        agent.receive(k * TICK, [*told, TargetState(k, *target[:2], lambdas, target[2])])
        command, state = agent.decide(k * TICK, Pose(*own))
        assert all(math.isfinite(value) for value in (*command, state.u))
        assert math.hypot(*command[:2]) <= 10.0 * (1.0 + 1e-15)
        assert abs(command[2]) <= 5.0


def test_invariant_5_a_huge_neighbour_silences_the_agent() -> None:
    """Spec part 1, step 10: u_ss is 0 unless all of it is finite.

    Finite values of u that the codec lets pass sum to infinity; everybody refuses such a state,
    so the agent is gone for all others.
    """
    agent = healthy()
    told = [
        AgentState(2, 1, (0.0, 20.0, 0.0), ORIGIN, 1.5e308),
        AgentState(3, 1, (0.0, -20.0, 0.0), ORIGIN, 1.5e308),
    ]
    agent.receive(TICK, [*told, TargetState(1, ORIGIN, ORIGIN)])
    _, state = agent.decide(TICK, Pose((20.0, 0.0, 0.0), ORIGIN))
    assert math.isfinite(state.u_ss)


@FAMILY
def test_a_vehicle_that_is_no_member_of_the_ring_is_nobodys_neighbour(name: str) -> None:
    """The law decides to the bit as without it, whatever the law."""
    beside = AgentState(9, 1, (1.0, 20.0, 0.0), ORIGIN, ring_member=False)
    other = AgentState(2, 1, (-20.0, 0.0, 0.0), ORIGIN)
    target, pose = TargetState(1, ORIGIN, ORIGIN), Pose((0.0, 20.0, 0.0), ORIGIN)

    def flown(*states: State) -> list[tuple]:
        agent, found = healthy(name=name), []
        for k in range(1, 40):
            agent.receive(k * TICK, [state._replace(seq=k) for state in states])
            found.append((agent.decide(k * TICK, pose), agent.pair))
            found.append(agent.neighbours(k * TICK))
        return found

    assert flown(other, beside, target) == flown(other, target)
    member = beside._replace(ring_member=True)
    assert flown(other, member, target) != flown(other, target)


class Said(NamedTuple):
    """A message, and by its kind no less a memory."""

    u: float = 0.0
    u_ss: float = 0.0
    q: float = 0.0


class Watcher:
    """A law that says something recognisable and keeps what it was shown.

    Attributes:
        views: The views, with the numbers of the states of the others by agent.
        wish: The velocity that it wants [m/s, map].
    """

    def __init__(self) -> None:
        """Start without a view."""
        self.views: list[tuple[View, dict[int, int]]] = []
        self.wish: Vector = (1.0, 2.0, 3.0)

    def step(self, gains: Said, memory: Said, view: View) -> tuple[Said, Said, Decision]:
        """Keep what is shown."""
        ring = view.ring
        present = {ring.ids[p]: int(ring.states[ring.rows[p]][SEQ]) for p in range(ring.count)}
        del present[view.agent_id]
        self.views.append((view, present))
        return memory, Said(0.5, 0.25, 1.0), Decision(self.wish, NOBODY, NOBODY, 0.0)


@pytest.fixture
def watched() -> tuple[Agent, Watcher]:
    """Return an agent with a watcher for a law, which has heard the target at 0 s."""
    watcher = Watcher()
    law = Law(
        Said(), Said(), lambda setup: Said(), watcher.step, lambda memory: memory,
        lambda memory: (), {}, False, lambda setup: math.inf, lambda setup: 0.0,
    )  # fmt: skip
    agent = healthy(law=law)
    agent.receive(0.0, [TargetState(1, ORIGIN, ORIGIN)])
    return agent, watcher


def others(*pairs: tuple[int, int]) -> list[AgentState]:
    """Return states by agent id and sequence number."""
    return [AgentState(agent_id, seq, ORIGIN, ORIGIN) for agent_id, seq in pairs]


def shown(agent: Agent, watcher: Watcher, now: float) -> dict[int, int]:
    """Let the agent act and return what its law was shown: sequence number by id."""
    agent.decide(now, Pose(ORIGIN, ORIGIN))
    return watcher.views[-1][1]


def test_invariant_8_own_words_are_never_heard(watched: tuple) -> None:
    """Invariant 8: what comes back of the own broadcasts, or is forged, is ignored."""
    agent, watcher = watched
    agent.receive(TICK, others((1, 5), (2, 5), (1, 6)))
    assert shown(agent, watcher, TICK) == {2: 5}
    assert agent.neighbours(TICK) == [2]
    agent.decide(9.0, Pose(ORIGIN, ORIGIN))
    assert agent.timeouts == 1, 'its own silence is none'


def test_numbers_without_end_are_refused_and_known_ones_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stranger's new ones every tick take no memory: as states, gossip and weights."""
    monkeypatch.setattr(own_rows, 'MAX_MEMBERS', 5)
    agent = healthy(safety=SafetyParameters())
    agent.receive(0.0, others((3, 1), (9, 1)))
    for k in range(1, 40):
        now, body = TICK * k, SilentBody(1000 + k, (9.0, 0.0, 0.0), ORIGIN, 1.0)
        told = others((3, 1 + k), (9, 1 + k), (100 + k, 1), (200 + k, 1))
        told[0] = told[0]._replace(silent=(body, body._replace(agent_id=9)))
        weights = ((2000 + k, 2.0), (3, 4.0))
        agent.receive(now, [*told, TargetState(k, ORIGIN, ORIGIN, weights, 0.1)])
        agent.decide(now, Pose((0.0, 50.0, 0.0), ORIGIN))
        assert {3, 9} <= {*agent.neighbours(now)}
    rows = agent.rows
    assert (len(rows.numbers), len(rows.flight.agents), rows.is_full) == (5, 5, True)
    assert rows.numbers[:3] == [1, 3, 9]


def test_room_is_kept_for_the_roster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes late is heard, however many a stranger has invented before."""
    monkeypatch.setattr(own_rows, 'MAX_MEMBERS', 6)
    agent = healthy(safety=SafetyParameters(roster_size=3))
    for k in range(20):
        agent.receive(TICK * k, others((100 + k, 1)))
    assert agent.rows.is_full
    agent.receive(TICK * 20, others((500, 1), (2, 1)))
    agent.receive(TICK * 21, others((3, 1)))
    assert agent.rows.numbers == [1, 2, 3, 100, 101, 102]
    assert {2, 3} <= {*agent.neighbours(TICK * 21)}


def test_agents_of_a_process_hear_each_what_it_is_sent() -> None:
    """Also if two states from one place have the same number."""
    one, other = healthy(), healthy()
    (said,) = others((2, 1))
    one.receive(7.5, [said._replace(ring_member=False)])
    other.receive(7.5, [said])
    assert other.neighbours(7.5) == [2]


@FAMILY
def test_invariant_8_a_forged_own_state_changes_no_command(name: str) -> None:
    """Invariant 8: whatever somebody else says in its name, an agent does the same."""
    pose, target = Pose((20.0, 0.0, 0.0), ORIGIN), TargetState(1, ORIGIN, ORIGIN)
    there = AgentState(2, 1, (0.0, 20.0, 0.0), ORIGIN, 0.1)
    forged = AgentState(1, 7, (-15.0, 3.0, 0.0), (2.0, 1.0, 0.0), 9.0, 9.0)
    plain, fooled = healthy(name=name), healthy(name=name)
    for k in range(1, 5):
        now = k * TICK
        news = [target._replace(seq=k), there._replace(seq=k)]
        plain.receive(now, news)
        fooled.receive(now, [*news, forged._replace(seq=k)])
        assert plain.decide(now, pose) == fooled.decide(now, pose)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 5)), max_size=30))
def test_invariant_8_replays_never_change_what_is_decided(heard: list[tuple[int, int]]) -> None:
    """Invariant 8: hearing old packets again within the timeout changes no command."""
    clean, replayed = healthy(name='soliton'), healthy(name='soliton')
    packets: Sequence[State] = [
        AgentState(i, seq, (9.0 * i - 20.0, 3.0 * seq, 0.0), ORIGIN, 0.1 * i) for i, seq in heard
    ]
    packets = [TargetState(1, ORIGIN, ORIGIN), *packets]
    clean.receive(TICK, packets)
    replayed.receive(TICK, packets)
    replayed.receive(TICK + 0.01, packets)
    pose = Pose((20.0, 0.0, 0.0), ORIGIN)
    assert clean.decide(2 * TICK, pose) == replayed.decide(2 * TICK, pose)


def test_timeouts_of_others_are_counted(watched: tuple) -> None:
    """Every agent that falls silent is one timeout, also if it returns and falls silent again."""
    agent, _ = watched
    for now in (0.0, 1.0):
        agent.receive(now, others((2, 1), (3, 1)))
        agent.decide(now, Pose(ORIGIN, ORIGIN))
        agent.decide(now + 0.5, Pose(ORIGIN, ORIGIN))
    assert agent.timeouts == 4


def test_target_expires_but_stays_in_view(watched: tuple) -> None:
    """The law sees the last state and whether to trust it."""
    agent, watcher = watched
    for now in (0.5, 0.51):
        agent.decide(now, Pose(ORIGIN, ORIGIN))
    assert [view.target for view, _ in watcher.views] == [
        TargetView(1, ORIGIN, ORIGIN, 0.0, 0.5, True),
        TargetView(1, ORIGIN, ORIGIN, 0.0, 0.51, False),
    ]


def test_says_what_it_measured_with_rising_numbers(watched: tuple) -> None:
    """Pose as given, the law's words, numbers from 1."""
    agent, _ = watched
    pose = Pose((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    said = [agent.decide(k * TICK, pose).state for k in range(1, 4)]
    assert said[0] == AgentState(1, 1, *pose, 0.5, 0.25, (('q', 1.0),))
    assert [state.seq for state in said] == [1, 2, 3]


@pytest.mark.parametrize(
    ('wish', 'expected'),
    [
        ((9.0, 12.0, -7.0), (6.0, 8.0, -5.0)),
        ((math.nan, 1.0, 1.0), ORIGIN),
        ((1.0, 1.0, math.inf), ORIGIN),
    ],
)
def test_wishes_are_limited_and_shown_at_the_next_tick(
    watched: tuple, wish: Vector, expected: Vector
) -> None:
    """What is commanded, not what was wished, is the last command."""
    agent, watcher = watched
    watcher.wish = wish
    assert agent.decide(TICK, Pose(ORIGIN, ORIGIN)).command == pytest.approx(expected)
    agent.decide(2 * TICK, Pose(ORIGIN, ORIGIN))
    assert [view.command for view, _ in watcher.views] == [ORIGIN, pytest.approx(expected)]


@FAMILY
def test_without_a_target_it_stands_still(make_agent: Callable[..., Agent], name: str) -> None:
    """A target that never appears: zero command, but the agent is heard."""
    agent = make_agent(control=record_of('control', name)(controller=name))
    for k in range(1, 100):
        agent.receive(k * TICK, others((2, k), (3, k)))
        command, state = agent.decide(k * TICK, Pose((3.0, 0.0, 0.0), ORIGIN))
        assert command == ORIGIN
        assert (state.seq, state.u) == (k, 0.0)


def test_invariant_15_a_failed_agent_is_still_silent_and_deaf(watched: tuple) -> None:
    """Invariant 15: zero command, no state, nothing taken in, the law at rest."""
    agent, watcher = watched
    agent.failures.fail()
    agent.receive(TICK, others((2, 1)))
    assert agent.decide(TICK, Pose(ORIGIN, ORIGIN)) == (ORIGIN, None)
    assert watcher.views == []
    agent.failures.recover(2 * TICK)
    assert shown(agent, watcher, 3 * TICK) == {}


@pytest.mark.as_original
def test_w2_nothing_is_reset_by_a_failure_as_original(watched: tuple) -> None:
    """W2, as the original: number, last command and target outlive the outage."""
    agent, watcher = watched
    agent.decide(0.0, Pose(ORIGIN, ORIGIN))
    agent.failures.fail(8.0)
    for k in range(1, 161):
        assert agent.decide(k * TICK, Pose(ORIGIN, ORIGIN)) == (ORIGIN, None)
    assert agent.decide(161 * TICK, Pose(ORIGIN, ORIGIN)).state.seq == 2
    view, _ = watcher.views[-1]
    assert (view.target.seq, view.target.fresh, view.command) == (1, False, watcher.wish)


HERE = Pose((20.0, 0.0, 0.0), ORIGIN)


@pytest.mark.parametrize(
    ('longest', 'expected'), [(0.0, 0.25), (0.08, 0.25), (0.2, 0.6), (0.5, 1.0), (9.0, 1.0)]
)
def test_three_periods_at_most_four_timeouts(longest, expected):
    assert stretched(0.25, longest) == pytest.approx(expected)


HEARD = [AgentState(2, 1, (0.0, 20.0, 0.0), ORIGIN), TargetState(1, ORIGIN, ORIGIN)]


@pytest.mark.parametrize(
    ('longest', 'silence', 'found'),
    [(0.0, 0.5, ([], 1)), (0.2, 0.5, ([2], 0)), (0.2, 0.7, ([], 1))],
)
def test_a_late_neighbour_of_an_agent_that_is_late_itself_stays(longest, silence, found):
    agent = healthy()
    agent.stretch_timeouts(longest)
    agent.receive(0.05, HEARD)
    for now in (0.05, 0.05 + silence):
        agent.decide(now, HERE)
    assert (agent.neighbours(now), agent.timeouts) == found


def is_neighbour_after(agent: Agent, silence: float) -> bool:
    """Return whether an agent still has its neighbour on the ring after a silence [s]."""
    agent.receive(0.05, HEARD)
    agent.decide(0.05, HERE)
    now = 0.05 + silence
    agent.receive(now, [TargetState(2, ORIGIN, ORIGIN)])
    agent.decide(now, HERE)
    return agent.pair == (2, 2)


@pytest.mark.parametrize(('longest', 'there'), [(0.0, False), (0.08, True)])
def test_a_law_that_gives_up_sooner_does_not_where_periods_are_late(longest, there):
    """``predictive`` counts a neighbour as gone after 0.125 s; its state is used for 0.25 s."""
    agent = healthy(name='predictive')
    agent.stretch_timeouts(longest)
    assert is_neighbour_after(agent, 0.15) is there
    assert agent.neighbours(0.2) == [2] and agent.timeouts == 0


def test_after_a_failure_a_late_agent_is_as_patient_as_before():
    agent = healthy(name='predictive')
    agent.stretch_timeouts(0.08)
    agent.restart()
    assert is_neighbour_after(agent, 0.15)


@pytest.mark.parametrize(('timeout', 'there'), [(0.1, False), (0.2, True), (9.0, True)])
def test_the_timeout_of_a_law_changes_in_flight(timeout, there):
    scenario = Scenario().with_changes({'control': {'lossless_timeout': timeout}}, 'test')
    agent = healthy(name='predictive')
    setup, safety, *_ = agent.rows.own
    agent.retune(setup._replace(control=scenario.control), safety)
    assert is_neighbour_after(agent, 0.15) is there


def test_a_machine_that_is_too_slow_does_not_get_more_to_do() -> None:
    """It asks for longer timeouts at every tick: nothing else is made anew for them."""
    agent, asked = healthy(name='soliton'), []
    own, law = agent.rows.own, agent.rows.own.law
    gains = law.gains
    agent.rows.use(
        own._replace(law=law._replace(gains=lambda setup: asked.append(1) or gains(setup)))
    )
    asked.clear()
    agent.stretch_timeouts(0.2)
    rules = agent.rows.rules
    assert rules.swarm.agent_timeout == pytest.approx(0.6)
    agent.stretch_timeouts(0.201)
    assert agent.rows.rules is rules, 'a small change is left out'
    agent.stretch_timeouts(0.3)
    assert agent.rows.rules.swarm.agent_timeout == pytest.approx(0.9)
    assert asked == []
    agent.retune(agent.rows.own.setup, agent.rows.own.safety)
    assert agent.rows.rules.swarm.agent_timeout == pytest.approx(0.9)
    agent.stretch_timeouts(0.0)
    assert agent.rows.rules.swarm.agent_timeout == 0.25
