"""The swarm plan: the nodes of a scenario, and the plan on disk."""

import math

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec, PlanOptions, agent_spec, body_spec, check_for_nodes, load_plan, messages_per_tick,
    save_plan, swarm_plan
)


def nodes(options: PlanOptions, **sections: dict) -> list[tuple[str, str]]:
    """Return executable and namespace of every node of a changed scenario of two agents."""
    scenario = Scenario().with_changes({'run': {'num_agents': 2}, **sections}, 'x')
    return [(spec.executable, spec.namespace) for spec in swarm_plan(scenario, options)]


def test_world_first_observers_last() -> None:
    """Everybody once, in the namespaces of the contract."""
    assert nodes(PlanOptions(run_folder='/runs/x')) == [
        ('world_node', ''),
        ('agent_node', 'uav_1'),
        ('agent_node', 'uav_2'),
        ('target_node', 'target'),
        ('adversary_node', 'adversary'),
        ('monitor_node', ''),
        ('recorder_node', ''),
    ]


@pytest.mark.parametrize(
    ('options', 'sections', 'absent'),
    [
        (PlanOptions(simulate_vehicles=False), {}, 'world_node'),
        (PlanOptions(), {'adversary': {'adversary_enable': False}}, 'adversary_node'),
        (PlanOptions(world=False), {}, 'world_node'),
        (PlanOptions(monitor=False), {}, 'monitor_node'),
        (PlanOptions(), {}, 'recorder_node'),
        (PlanOptions(run_folder='/runs/x', record=False), {}, 'recorder_node'),
    ],
)
def test_what_is_not_wanted_is_not_started(
    options: PlanOptions, sections: dict, absent: str
) -> None:
    """Foreign vehicles, no adversary, nothing to record to."""
    assert absent not in [executable for executable, _ in nodes(options, **sections)]


@pytest.mark.parametrize(('folder', 'count'), [('', 0), ('/runs/x', 1)])
def test_everybody_knows_how_many_recorders_to_wait_for(folder: str, count: int) -> None:
    """World and members wait for exactly the recorders that are started."""
    plan = swarm_plan(Scenario(), PlanOptions(run_folder=folder))
    counts = [spec.parameters['recorders'] for spec in plan if 'recorders' in spec.parameters]
    assert set(counts) == {count} and len(counts) == 13
    assert sum(spec.executable == 'recorder_node' for spec in plan) == count


@pytest.mark.parametrize(
    ('agents', 'options', 'asked'),
    [
        (16, PlanOptions(lockstep=False), 'best_effort'),
        (15, PlanOptions(lockstep=False), None),
        (16, PlanOptions(), None),
        (16, PlanOptions(lockstep=False, simulate_vehicles=False), None),
    ],
)
def test_only_streams_of_many_simulated_agents_are_recorded_without_repetition(
    agents: int, options: PlanOptions, asked: str | None
) -> None:
    """Real vehicles may be on other computers, and in lockstep nothing may be missing."""
    scenario = Scenario().with_changes({'run': {'num_agents': agents}}, 'x')
    plan = swarm_plan(scenario, options._replace(run_folder='/runs/x'))
    assert plan[-1].parameters.get('stream_reliability') == asked


def test_values_are_those_of_the_scenario() -> None:
    """Agents get the vehicle's speed limits; ROS has no null, so no lag is NaN."""
    changes = {'mobility': {'max_speed_xy': 7.0, 'tau_xy': None}, 'run': {'seed': 5}}
    plan = swarm_plan(Scenario().with_changes(changes, 'x'), PlanOptions(lockstep=False))
    world, agent = plan[0].parameters, plan[1].parameters
    assert agent['max_speed_xy'] == 7.0 and agent['seed'] == 5
    assert math.isnan(world['tau_xy'])
    assert {spec.parameters['lockstep'] for spec in plan} == {False}


def test_parameters_are_plain() -> None:
    """Every value is one that a ROS parameter can hold."""
    for spec in [*swarm_plan(Scenario(), PlanOptions()), body_spec(Scenario(), 'uav_3')]:
        kinds = {type(value) for value in spec.parameters.values()}
        assert kinds <= {bool, int, float, str}


def test_every_tick_brings_a_message_on_every_topic() -> None:
    """What a bag must hold of the last tick: two agents, target, adversary, monitor and clock."""
    run = {'run': {'num_agents': 2}}
    counts = messages_per_tick(Scenario().with_changes(run, 'test'))
    assert counts['/swarm/agent_states'] == 2
    assert {counts[f'/{name}/odom'] for name in ('uav_1', 'uav_2', 'target', 'adversary')} == {1}
    assert sum(counts.values()) == 8 + 2 + 2 + 4
    alone = {**run, 'adversary': {'adversary_enable': False}}
    assert sum(messages_per_tick(Scenario().with_changes(alone, 'test')).values()) == 16 - 3


SENSED = {'mobility': {'position_noise_xy': 0.5}}


def test_the_true_motion_comes_at_every_tick_where_the_odometry_differs() -> None:
    counts = messages_per_tick(Scenario().with_changes(SENSED, 'test'))
    assert counts['/target/ground_truth'] == 1 and '/target/odom' not in counts


def test_the_monitor_of_a_lockstep_run_waits_for_the_truth_where_it_differs() -> None:
    def said(changes: dict[str, dict[str, float]], **options: bool) -> object:
        plan = swarm_plan(Scenario().with_changes(changes, 'test'), PlanOptions(**options))
        monitor = next(spec for spec in plan if spec.executable == 'monitor_node')
        return monitor.parameters.get('ground_truth')

    assert said({}) is None and said(SENSED) is True
    assert said(SENSED, lockstep=False) is None


def test_a_vehicle_without_a_world_has_the_noise_of_the_run() -> None:
    flown = Scenario().with_changes({**SENSED, 'run': {'seed': 7}}, 'test')
    assert body_spec(flown, 'uav_2').parameters['sensor_seed'] == 7
    assert 'sensor_seed' not in body_spec(Scenario(), 'uav_2').parameters


ROUGH = {'radio': {'communication_failure_rate': 0.3}}
NEAR = {'radio': {'communication_transmission_range': 30.0}}


@pytest.mark.parametrize(
    ('options', 'sections', 'medium'),
    [
        (PlanOptions(lockstep=False), {}, False),
        (PlanOptions(lockstep=False), ROUGH, True),
        (PlanOptions(lockstep=False), NEAR, True),
        (PlanOptions(lockstep=False), {'swarm': {'encirclement_radius': 90.0}}, True),
        (PlanOptions(lockstep=True), ROUGH, False),
        (PlanOptions(lockstep=False, simulate_vehicles=False), ROUGH, False),
        (PlanOptions(lockstep=False, world=False), ROUGH, False),
    ],
)
def test_members_hear_through_the_radio_where_one_is_simulated(
    options: PlanOptions, sections: dict, medium: bool
) -> None:
    """In real time, unless all are in range of an ideal radio; never without a world."""
    plan = swarm_plan(Scenario().with_changes(sections, 'x'), options)
    found = {spec.parameters['medium'] for spec in plan if 'medium' in spec.parameters}
    assert found == {medium}
    assert len([spec for spec in plan if 'medium' in spec.parameters]) >= 12


@pytest.mark.parametrize(
    ('options', 'inject'),
    [
        (PlanOptions(), True),
        (PlanOptions(lockstep=False), True),
        (PlanOptions(lockstep=False, world=False), True),
        (PlanOptions(lockstep=False, simulate_vehicles=False), False),
    ],
)
def test_only_simulated_vehicles_fail_on_purpose(options: PlanOptions, inject: bool) -> None:
    """An agent of a real vehicle fails when it fails."""
    plan = swarm_plan(Scenario(), options)
    agents = [spec for spec in plan if spec.executable == 'agent_node']
    assert [spec.parameters['inject_failures'] for spec in agents] == [inject] * 10


def test_the_world_knows_the_radio_and_the_agents_their_outages() -> None:
    """What only the world needs is given to nobody else."""
    changes = {
        'radio': {'partitions': '1..2: 1'}, 'failure': {'failure_schedule': '0..9: 2'},
    }  # fmt: skip
    plan = swarm_plan(Scenario().with_changes(changes, 'x'), PlanOptions())
    assert [s.executable for s in plan if s.parameters.get('partitions')] == ['world_node']
    outages = [spec.executable for spec in plan if spec.parameters.get('failure_schedule')]
    assert outages == ['agent_node'] * 10


def test_reference_numbers_are_refused_in_one_line() -> None:
    """One generator cannot be shared by nodes; no node of the plan goes alone either."""
    scenario = Scenario().with_changes({'run': {'rng': 'reference'}}, 'x')
    expected = (
        r"^run\.rng = 'reference': the original's numbers come from one generator, in the order "
        r'of one queue, which separate nodes cannot share; use `swarm simulate`$'
    )
    with pytest.raises(ScenarioError, match=expected):
        swarm_plan(scenario, PlanOptions())
    with pytest.raises(ScenarioError, match=expected):
        agent_spec(scenario, 1, PlanOptions(lockstep=False, record=False))
    check_for_nodes(Scenario())


def test_more_agents_than_nodes_can_be_are_refused():
    scenario = Scenario().with_changes({'run': {'num_agents': 1001}}, 'test')
    with pytest.raises(ScenarioError, match=r'^run\.num_agents = 1001: nodes can be at most 1000'):
        swarm_plan(scenario, PlanOptions())
    check_for_nodes(Scenario().with_changes({'run': {'num_agents': 1000}}, 'test'))


SPECS = [
    NodeSpec('agent_node', '/uav_1', {'a': 1, 'b': 0.1, 'c': True, 'd': 'x'}),
    NodeSpec('mobility_node', '', {}, (('odom', '/o'), ('cmd_vel', '/c'))),
]


def test_a_plan_there_and_back(tmp_path):
    path = tmp_path / 'plan.json'
    save_plan(path, SPECS)
    assert load_plan(path) == SPECS


def test_every_number_survives_to_the_last_bit(tmp_path):
    path = tmp_path / 'plan.json'
    plan = swarm_plan(Scenario(), PlanOptions(run_folder='/x'))
    save_plan(path, plan)
    assert repr(load_plan(path)) == repr(plan)  # NaN, no height bound, is not equal to itself
