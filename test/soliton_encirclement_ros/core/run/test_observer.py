"""What a bystander notes down, and the account that it leads to."""

import itertools
import math

import pytest

from soliton_encirclement_ros.core import AgentState, TargetState, encirclement_metrics
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    Figures, no_health, note_health
)
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.run.observer import (
    NEVER_TWO, TRAIL_PERIOD, UNKNOWN, Observer, with_true_motion
)
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.sim.engine_observer import EngineObserver

ORIGIN = (0.0, 0.0, 0.0)
TARGET = TargetState(1, ORIGIN, ORIGIN, ((1, 2.0),))
AGENTS = [
    AgentState(1, 1, (20.0, 0.0, 0.0), ORIGIN),
    AgentState(2, 1, (0.0, 25.0, 0.0), ORIGIN),
    AgentState(3, 1, (-18.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
]


BESIDE = AgentState(9, 1, (20.0, 0.4, 0.0), ORIGIN, ring_member=False)
"""A vehicle near uav_1 that is no member of the ring."""


def row(agent_id: int, failed: bool, position: tuple = ORIGIN) -> TelemetryRow:
    """Return an agent's telemetry."""
    return TelemetryRow(agent_id, 0.0, position, ORIGIN, failed, ())


@pytest.fixture
def observer() -> Observer:
    """Return an observer with default timeouts that has heard three agents at time 0."""
    observer = Observer(SwarmParameters())
    for agent in AGENTS:
        observer.see_agent(0.0, agent)
    return observer


def test_a_target_state_completes_a_sample(observer: Observer) -> None:
    """The metrics of the law, over the agents heard, noted in the series."""
    sample = observer.see_target(0.05, TARGET)
    assert sample.metrics == encirclement_metrics(AGENTS, ORIGIN, ORIGIN, 20.0, TARGET.lambdas)
    assert (sample.time, sample.alive) == (0.05, 3)
    assert observer.last is sample
    assert observer.series['E_r'][-1] == sample.metrics.E_r
    assert {len(column) for column in observer.series.values()} == {1}


def test_the_silent_are_not_counted(observer: Observer) -> None:
    """After the timeout an agent is not part of the swarm any more."""
    observer.see_agent(0.2, AGENTS[0]._replace(seq=2))
    assert observer.see_target(0.3, TARGET).alive == 1
    assert observer.see_target(2.0, TARGET).alive == 0


def test_failures_and_recoveries_are_counted_at_the_change(observer: Observer) -> None:
    """Being down for many ticks is one failure."""
    for failed in (False, True, True, False, True):
        observer.see_telemetry(row(2, failed))
    observer.see_telemetry(row(1, True))
    assert (observer.failures, observer.recoveries, observer.down) == (3, 1, [1, 2])


def test_closest_approach_counts_those_that_are_down(observer: Observer) -> None:
    """A failed agent is silent but still there; the smallest distance is remembered."""
    assert observer.see_target(0.05, TARGET).min_separation == pytest.approx(math.hypot(18, 25))
    for agent_id, x, failed in ((1, 0.0, False), (2, 3.0, True), (3, 9.0, False)):
        observer.see_telemetry(row(agent_id, failed, (x, 0.0, 0.0)))
    assert observer.see_target(0.1, TARGET).min_separation == 3.0
    observer.see_telemetry(row(2, False, (-50.0, 0.0, 0.0)))
    assert observer.see_target(0.15, TARGET).min_separation == 9.0
    assert observer.min_separation == 3.0
    assert observer.closest == (3.0, 0.1, 1, 2)


def test_an_encounter_with_a_failed_agent_counts_once(observer: Observer) -> None:
    """Its telemetry tells where it is, however long it is silent."""
    observer.see_telemetry(row(2, True, (0.0, 0.0, 5.0)))
    for k, x in enumerate((9.0, 1.5, 0.8, 1.5, 9.0, 1.5)):
        observer.see_telemetry(row(1, False, (x, 0.0, 5.0)))
        observer.see_target(1.0 * k, TARGET)
    assert observer.encounters == (2, 1, 0)
    assert observer.closest == (0.8, 2.0, 1, 2)


def test_trails_are_thinned_out(observer: Observer) -> None:
    """One point per body and trail period, with the state of health."""
    observer.see_telemetry(row(1, True, (4.0, 5.0, 6.0)))
    for k in range(100):
        observer.see_target(k * 0.05, TARGET)
    trail = observer.trails['uav_1']
    assert (trail.x[0], trail.y[0], trail.failed[0]) == (4.0, 5.0, True)
    gaps = [b - a for a, b in itertools.pairwise(trail.time)]
    assert min(gaps) >= TRAIL_PERIOD and len(trail.time) >= 20
    assert set(observer.trails) == {'uav_1', 'target'}


def neighbours(*pairs: tuple[int, int] | None) -> Observer:
    """Return an observer of one agent with these neighbours at each tick; None: it is down."""
    observer = Observer(SwarmParameters())
    for k, pair in enumerate(pairs):
        told = TelemetryRow(1, k * 0.5, ORIGIN, ORIGIN, pair is None, (), *(pair or (2, 3)))
        observer.see_telemetry(told)
    return observer


@pytest.mark.parametrize(
    ('pairs', 'switches', 'uptime'),
    [
        ([(2, 3), (2, 4), (2, 4)], 1, 1.0),
        ([(-1, -1), (2, 3)], 0, 0.5),
        ([(2, 3), None, None, (4, 5), (4, 5)], 0, 0.5),
    ],
)
def test_a_neighbour_given_up_between_two_ticks_up_is_a_switch(pairs, switches, uptime) -> None:
    """Finding a first neighbour is none, and neither is what changes while the agent is down."""
    observer = neighbours(*pairs)
    assert (observer.switches, observer.uptime) == (switches, uptime)


def test_switches_are_per_agent_and_minute_of_uptime() -> None:
    """Without up-time there is no rate."""
    assert neighbours((2, 3), (2, 4), (2, 4), (2, 4)).switches_per_min == 1 / (1.5 / 60.0)
    assert Observer(SwarmParameters()).switches_per_min is None


def test_events_carry_their_time() -> None:
    """Down at the first row that says so, up again at the first that does not."""
    events = neighbours((2, 3), None, None, (2, 3), None).events
    assert [(e.time, e.agent_id, e.failed) for e in events] == [
        (0.5, 1, True), (1.5, 1, False), (2.0, 1, True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ('before', 'after', 'news'),
    [
        (no_health(), (False, 1, 2), (False, 0, 0.0)),
        ((0.0, 1.0, 2.0, 1.0), (False, 1, 2), (False, 0, 0.5)),
        ((0.0, 1.0, 2.0, 1.0), (False, 3, 4), (False, 1, 0.5)),
        ((0.0, -1.0, -1.0, 1.0), (False, 3, 4), (False, 0, 0.5)),
        ((0.0, 1.0, 2.0, 1.0), (True, 3, 4), (True, 0, 0.0)),
        ((1.0, 1.0, 2.0, 1.0), (True, 3, 4), (False, 0, 0.0)),
        ((1.0, 1.0, 2.0, 1.0), (False, 3, 4), (True, 0, 0.0)),
        ((0.0, 1.0, 2.0, 1.6), (False, 1, 2), (False, 0, 0.0)),
    ],
)
def test_changes_since_a_sample(before: tuple, after: tuple, news: tuple) -> None:
    """At 1.5 s; who fails or comes back switches nobody, and time never runs backwards."""
    row, figures = [*before], Figures()
    is_event = note_health(row, figures, *after, 1.5)
    assert (is_event, figures.switches, figures.uptime) == news
    assert row == [float(after[0]), *after[1:], 1.5]


def test_a_vehicle_beside_the_ring_has_no_part_in_the_metrics_but_in_the_distances(
    observer: Observer,
) -> None:
    without = observer.see_target(0.0, TARGET)
    observer.see_agent(0.05, BESIDE)
    sample = observer.see_target(0.05, TARGET)
    assert sample.metrics == without.metrics
    assert sample.alive == 3
    assert sample.min_separation == pytest.approx(0.4)
    assert observer.closest[2:] == (1, 9)
    assert observer.near_misses_per_min[1] > 0.0
    assert (observer.received, observer.beside) == ({1, 2, 3}, {9})
    timeout = SwarmParameters().agent_state_timeout
    observer.see_target(0.06 + timeout, TARGET)
    assert observer.beside == set()


def test_near_misses_are_per_minute_of_what_was_seen() -> None:
    """No rate without any time, nor where they were not counted."""
    account = Observer(SwarmParameters())
    account.encounters = (6, 3, 0)
    assert account.near_misses_per_min == (None, None, None)
    account.series['time'].extend([10.0, 100.0])
    assert account.near_misses_per_min == (4.0, 2.0, 0.0)
    account.encounters = None
    assert account.near_misses_per_min == (None, None, None)
    assert (account.closest, account.min_separation) == (NEVER_TWO, float('inf'))


WITNESSES = {'observer': Observer(SwarmParameters()), 'seen': EngineObserver(True, 1, 0.05)}


def test_before_the_first_sample_all_of_them_say_the_same():
    said = [summarise(Scenario(), witness, {}) for witness in WITNESSES.values()]
    assert said[0] == said[1]


HERE, MOVING = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
TRUTH = {'uav_3': Pose((1.5, 2.5, 3.5), (0.0, 0.0, 0.0))}
STATE = AgentState(3, 7, HERE, MOVING, 0.5)
ROW = TelemetryRow(3, 0.05, HERE, MOVING, False, (9.0,))


def test_position_and_velocity_become_true_and_nothing_else():
    for said in (STATE, ROW):
        found = with_true_motion(said, 'uav_3', TRUTH)
        assert (found.position, found.velocity) == TRUTH['uav_3']
        assert found._replace(position=HERE, velocity=MOVING) == said


def test_whose_motion_is_not_known_counts_as_it_says():
    assert with_true_motion(STATE, 'uav_2', TRUTH) is STATE
    assert with_true_motion(STATE, 'uav_3', UNKNOWN) is STATE
