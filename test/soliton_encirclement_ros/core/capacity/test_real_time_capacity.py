"""Which machine will not carry a run in real time, and how its nodes share processes."""

import time

import pytest
from soliton_encirclement_ros.core.capacity import real_time_capacity
from soliton_encirclement_ros.core.capacity.machine_speed import (
    MESSAGES,
    exchange,
    machine_speed,
)
from soliton_encirclement_ros.core.capacity.real_time_capacity import (
    ARGUMENTS,
    OPTIONS,
    capacity_warnings,
    overload,
)
from soliton_encirclement_ros.core.capacity.real_time_load import (
    Processor,
    RealTimeRun,
    asked_run,
    fits,
    fullness,
)
from soliton_encirclement_ros.core.capacity.reference_machine import ROUND_TIME
from soliton_encirclement_ros.core.capacity.usual_composition import (
    ROOMY,
    composed,
    usual_composition,
)
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan
from support.cli import run_swarm

SLOW = Processor(1.0, 0.25)
NO_DOMAIN = '999'
"""A run in this ROS domain is refused after the warning and before anything starts."""

ABSURD = ('run', 'still', '--real-time', '--agents', '15', '--processes', '1', '--set',
          'swarm.control_period=0.001', '--set', 'mobility.update_rate=0.001')  # fmt: skip
"""More than any machine carries, but too few agents for laws in machine code: nothing compiles."""


def run(agents, rate, processes=None, recorded=True):
    scenario = Scenario().with_changes({'run': {'num_agents': agents}}, 'test')
    asked = asked_run(scenario, swarm_plan(scenario, PlanOptions()), recorded)
    return asked._replace(period=1.0 / rate, processes=processes)


def test_a_small_swarm_needs_no_word_on_a_slow_machine():
    for processes in (1, None):
        assert overload(run(3, 10.0, processes), SLOW, OPTIONS) == []


def test_an_absurd_demand_is_one_line_with_needs_means_and_ways_out():
    (line,) = overload(run(200, 100.0, 1), Processor(2.0, 0.8), OPTIONS)
    assert line.startswith('200 agents at 100 Hz in one process need about ')
    assert ' of 2 cores, ' in line and ' for one process, which can use one, ' in line
    assert 'at 0.8 times the speed of the reference machine' in line
    assert '; fly at most ' in line and '; or --set swarm.control_period=' in line
    assert '--processes' not in line and '\n' not in line


def tight(processes: int | None, recorded: bool, until: RealTimeRun) -> Processor:
    """Return a machine that carries one run, and not the same with other processes or a bag."""
    speeds = [0.05 * k for k in range(1, 100)]
    asked = until._replace(processes=processes, recorded=recorded)
    found = (Processor(2.0, speed) for speed in speeds)
    return next(p for p in found if fits(until, p) and not fits(asked, p))


@pytest.mark.parametrize(
    ('words', 'shown'), [(OPTIONS, '; or --processes 1'), (ARGUMENTS, '; or processes:=1')]
)
def test_one_process_is_proposed_where_it_helps(words, shown):
    asked, better = run(10, 20.0), run(10, 20.0, 1)
    (line,) = overload(asked, tight(None, True, better), words)
    assert shown in line


@pytest.mark.parametrize(
    ('words', 'shown'), [(OPTIONS, '; or --no-bag'), (ARGUMENTS, '; or record:=false')]
)
def test_no_bag_is_proposed_where_it_helps(words, shown):
    asked, better = run(10, 50.0, None), run(10, 50.0, None, recorded=False)
    (line,) = overload(asked, tight(None, True, better), words)
    assert shown in line


@pytest.mark.parametrize(('cores', 'speed'), [(64.0, 20.0), (1.0, 20.0), (64.0, 0.1)])
def test_this_machine_is_asked_for_cores_and_speed(monkeypatch, cores, speed):
    monkeypatch.setattr(real_time_capacity, 'usable_cores', lambda: cores)
    monkeypatch.setattr(real_time_capacity, 'machine_speed', lambda: speed)
    asked = run(100, 100.0)
    assert bool(capacity_warnings(asked)) == ((cores, speed) != (64.0, 20.0))


def test_swarm_run_warns_of_an_absurd_demand_before_the_start(tmp_path):
    process = run_swarm(*ABSURD, domain=NO_DOMAIN, folder=tmp_path)
    assert process.end() == 2
    warnings = [line for line in process.err.splitlines() if 'ticks will be late' in line]
    assert len(warnings) == 1
    assert warnings[0].startswith('warning: 15 agents at 1e+03 Hz in one process need about ')
    assert process.err.splitlines()[-1].startswith('error: ROS_DOMAIN_ID')


def test_swarm_run_has_no_word_for_a_run_in_lockstep(tmp_path):
    arguments = [word for word in ABSURD if word != '--real-time']
    process = run_swarm(*arguments, domain=NO_DOMAIN, folder=tmp_path)
    assert process.end() == 2
    assert 'ticks will be late' not in process.err


def test_half_as_fast_has_half_the_speed(monkeypatch):
    ticks = iter(range(1000))
    monkeypatch.setattr(time, 'thread_time', lambda: 2.0 * ROUND_TIME * next(ticks))
    assert machine_speed() == pytest.approx(0.5)


def test_the_workload_is_the_same_each_time():
    assert exchange() == exchange() != exchange(2 * MESSAGES)


LAPTOP, WORKSTATION, ONE_CORE = Processor(2.0, 1.0), Processor(16.0, 1.0), Processor(1.0, 1.0)
EACH = '--processes per-agent'


def test_a_process_per_node_where_there_is_room():
    for asked, processor in ((run(10, 50.0), WORKSTATION), (run(3, 10.0), LAPTOP)):
        found = usual_composition(asked, processor, EACH)
        assert found.run.processes is None and not found.reason
        assert fullness(asked, processor) <= ROOMY


@pytest.mark.parametrize('processor', [LAPTOP, ONE_CORE])
def test_shared_processes_where_there_is_none_and_the_reason(processor):
    asked = run(10, 50.0)
    found = usual_composition(asked, processor, EACH)
    assert found.run.processes == 1 and fits(found.run, processor)
    assert found.reason.startswith('the nodes share one process: one per node would need about 1.')
    assert found.reason.endswith(
        f' of {processor.cores:g} cores; to have it anyway, use --processes per-agent'
    )


def test_several_processes_where_one_core_is_too_little_for_all():
    asked, processor = run(60, 50.0), Processor(4.0, 0.5)
    found = usual_composition(asked, processor, EACH)
    assert 1 < found.run.processes <= 4
    assert f'the nodes share {found.run.processes} processes: ' in found.reason


def test_what_the_user_gives_counts():
    asked = run(200, 100.0)
    assert composed(asked, 'per-agent', False, EACH) == (asked, '')
    assert composed(asked, '3', False, EACH) == (asked._replace(processes=3), '')
    assert composed(asked, '', True, EACH) == (asked._replace(processes=1), '')
    with pytest.raises(ScenarioError, match=r"processes = '0' must be per-agent or a whole"):
        composed(asked, '0', True, EACH)
