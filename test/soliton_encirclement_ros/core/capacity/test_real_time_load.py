"""What a run keeps busy grows with what is asked, and the bounds found are bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from soliton_encirclement_ros.core.capacity.real_time_load import (
    Processor,
    RealTimeRun,
    asked_run,
    fits,
    load_of,
    most_agents,
    shortest_period,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan

TWO_CORES = Processor(2.0, 1.0)


def run(agents, rate, processes=None, recorded=True):
    scenario = Scenario().with_changes({'run': {'num_agents': agents}}, 'test')
    plan = swarm_plan(scenario, PlanOptions(lockstep=False))
    return RealTimeRun(plan, 1.0 / rate, 0.01, processes, recorded)


def test_more_processes_need_more_in_all_and_less_each():
    loads = [load_of(run(10, 50.0, count), 1.0) for count in (1, 2, 4, None)]
    assert [load.total for load in loads] == sorted(load.total for load in loads)
    assert loads[0].busiest > loads[1].busiest >= loads[2].busiest  # the observer's has its own


def test_twice_the_speed_needs_half_and_no_bag_less():
    asked = run(10, 50.0, 2)
    assert load_of(asked, 2.0).total == pytest.approx(load_of(asked, 1.0).total / 2.0)
    assert load_of(asked._replace(recorded=False), 1.0).total < load_of(asked, 1.0).total


def test_a_process_has_one_core_however_many_there_are():
    asked = run(30, 50.0, 1)
    full = Processor(1000.0, load_of(asked, 1.0).busiest)
    assert load_of(asked, full.speed).busiest == pytest.approx(1.0)
    assert not fits(asked, full)
    assert fits(asked, full._replace(speed=1.3 * full.speed))


@given(some.integers(2, 80), some.sampled_from([5.0, 20.0, 100.0]), some.data())
def test_the_bounds_are_bounds(agents, rate, data):
    asked = run(agents, rate, data.draw(some.sampled_from([1, 3, None])))
    most, period = most_agents(asked, TWO_CORES), shortest_period(asked, TWO_CORES)
    if fits(asked, TWO_CORES):
        assert (most, period) == (agents, pytest.approx(asked.period))
        return
    assert most < agents
    assert most == 0 or fits(run(most, rate, asked.processes), TWO_CORES)
    assert not fits(run(most + 1, rate, asked.processes), TWO_CORES)
    if period is not None:
        assert period > asked.period
        assert period / asked.update == pytest.approx(round(period / asked.update))
        assert fits(asked._replace(period=period), TWO_CORES)
        assert not fits(asked._replace(period=period - asked.update), TWO_CORES)


def test_what_was_measured_is_estimated():
    """Ten agents at 50 Hz, recorded, on the reference machine: docs/speed.md."""
    for processes, cores in ((None, 1.34), (2, 0.47), (1, 0.37)):
        assert load_of(run(10, 50.0, processes), 1.0).total == pytest.approx(cores, rel=0.25)


def test_a_scenario_says_what_is_asked():
    changes = {'swarm': {'control_period': 0.04}, 'mobility': {'update_rate': 0.02}}
    scenario = Scenario().with_changes(changes, 'test')
    found = asked_run(scenario, swarm_plan(scenario, PlanOptions()), False)
    assert found[1:] == (0.04, 0.02, None, False)
    assert found.agents == scenario.run.num_agents
