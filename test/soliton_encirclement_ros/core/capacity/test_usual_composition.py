"""How many processes the nodes share when the user gives no number."""

import pytest
from soliton_encirclement_ros.core.capacity.real_time_load import (
    Processor,
    asked_run,
    fits,
    fullness,
)
from soliton_encirclement_ros.core.capacity.usual_composition import (
    ROOMY,
    composed,
    usual_composition,
)
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan

LAPTOP, WORKSTATION, ONE_CORE = Processor(2.0, 1.0), Processor(16.0, 1.0), Processor(1.0, 1.0)
EACH = '--processes per-agent'


def run(agents, rate):
    scenario = Scenario().with_changes({'run': {'num_agents': agents}}, 'test')
    asked = asked_run(scenario, swarm_plan(scenario, PlanOptions()), True)
    return asked._replace(period=1.0 / rate)


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
