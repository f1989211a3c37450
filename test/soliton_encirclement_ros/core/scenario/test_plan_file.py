"""A plan on disk is the plan."""

import math

from soliton_encirclement_ros.core.scenario.plan_file import load_plan, save_plan
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec,
    PlanOptions,
    swarm_plan,
    vehicle_spec,
)

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


def test_a_missing_lag_survives(tmp_path):
    scenario = Scenario().with_changes({'mobility': {'tau_xy': None}}, 'test')
    save_plan(tmp_path / 'plan.json', [vehicle_spec(scenario, 1)])
    (spec,) = load_plan(tmp_path / 'plan.json')
    assert math.isnan(spec.parameters['tau_xy'])
