"""A value that changes nothing as the node is started is named, and the others are not."""

import pytest
from soliton_encirclement_ros.core.parameters import FailureParameters, RunParameters
from soliton_encirclement_ros.core.part_plan import (
    PartOptions,
    agent_part,
    monitor_part,
    recorder_part,
    target_part,
)
from soliton_encirclement_ros.core.plan import PlanOptions, swarm_plan
from soliton_encirclement_ros.core.scenario import load_scenario
from soliton_encirclement_ros.core.share import share_folder
from soliton_encirclement_ros.nodes.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.agent_node import AgentNode, AgentNodeParameters
from soliton_encirclement_ros.nodes.member_parameters import MemberParameters, OdometryParameters
from soliton_encirclement_ros.nodes.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.monitor_parameters import MonitorParameters
from soliton_encirclement_ros.nodes.recorder_node import RecorderNode
from soliton_encirclement_ros.nodes.recorder_parameters import RecorderParameters
from soliton_encirclement_ros.nodes.target_node import TargetNode
from soliton_encirclement_ros.nodes.world_mode import WorldMode
from soliton_encirclement_ros.nodes.world_node import WorldNode
from support.ros import set_parameters
from support.told import Told
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import build, declarations, without_effect

pytestmark = pytest.mark.ros

SCENARIOS = sorted((share_folder() / 'config' / 'scenarios').glob('*.yaml'))
RECORDS = {
    'world_node': (RunParameters, WorldMode),
    'agent_node': (MemberParameters, OdometryParameters, AgentNodeParameters, FailureParameters),
    'target_node': (MemberParameters, OdometryParameters),
    'adversary_node': (MemberParameters, OdometryParameters),
    'monitor_node': (MonitorParameters,),
    'recorder_node': (RecorderParameters,),
}
IDLE = 'has no effect'


def warned(ros, kind, namespace, given):
    """Return the lines about values without effect that a node logs at its start."""
    told = Told(ros)
    node = ros.make(kind, namespace, **given)
    name = node.get_fully_qualified_name().strip('/').replace('/', '.')
    node.get_logger().info('that was all')
    ros.until(lambda: told.logged(name, 'that was all'), 'the last line')
    return [line for line in told.lines(name) if IDLE in line]


@pytest.mark.parametrize(
    ('kind', 'namespace', 'given', 'line'),
    [
        (AgentNode, '/uav_1', {'lockstep': True, 'medium': True},
         'medium = true has no effect without lockstep = false'),
        (TargetNode, '/target', {'recorders': 1},
         'recorders = 1 has no effect without lockstep = true'),
        (AgentNode, '/uav_1', {'lockstep': True, 'odom_origin_x': 3.0},
         'odom_origin_x = 3.0 has no effect without lockstep = false'),
        (AgentNode, '/uav_1', {'failure_schedule': '1..2: 1'},
         "failure_schedule = '1..2: 1' has no effect without inject_failures = true"),
        (WorldNode, None, {'num_agents': 1, 'medium': True},
         'medium = true has no effect without lockstep = false'),
        (WorldNode, None, {'num_agents': 1, 'lockstep': False, 'real_time_factor': 2.0},
         'real_time_factor = 2.0 has no effect without lockstep = true'),
        (WorldNode, None, {'num_agents': 1, 'lockstep': False, 'communication_delay': 0.1},
         'the parameters of the radio have no effect without medium = true, here and on the '
         'members: they hear each other directly'),
        (MonitorNode, None, {'watch_duration': 5.0},
         'watch_duration = 5.0 has no effect without world = false'),
    ],
)  # fmt: skip
def test_a_value_without_effect_is_named(ros, kind, namespace, given, line):
    told = Told(ros)
    node = ros.make(kind, namespace, **given)
    name = node.get_fully_qualified_name().strip('/').replace('/', '.')
    ros.until(lambda: told.logged(name, line), line)


def test_a_recorder_that_joins_nothing_says_so(ros, tmp_path):
    bag = str(tmp_path / 'bag')
    assert warned(ros, RecorderNode, None, {'bag': bag, 'join': True}) == [
        'join = true has no effect without lockstep = true'
    ]


@pytest.mark.parametrize(
    ('kind', 'namespace', 'given'),
    [
        (AgentNode, '/uav_1', {'medium': True, 'odom_timeout': 1.0}),
        (AgentNode, '/uav_1', {'failure_schedule': '1..2: 1', 'inject_failures': True}),
        (WorldNode, None, {'num_agents': 1, 'real_time_factor': 2.0, 'recorders': 1}),
        (MonitorNode, None, {'watch_duration': 5.0, 'world': False}),
    ],
)
def test_a_value_with_an_effect_is_not(ros, kind, namespace, given):
    assert warned(ros, kind, namespace, given) == []


@pytest.mark.parametrize('lockstep', [True, False])
@pytest.mark.parametrize('path', SCENARIOS, ids=lambda path: path.stem)
def test_our_own_plans_set_nothing_in_vain(path, lockstep):
    scenario, parts = load_scenario(path), PartOptions()
    plan = swarm_plan(scenario, PlanOptions(lockstep=lockstep, run_folder='x'))
    plan += [*agent_part(scenario, 1, parts), *target_part(scenario, parts)]
    plan += [recorder_part('x', '.*', use_sim_time) for use_sim_time in (True, False)]
    plan.append(monitor_part(scenario, 'x', 5.0))
    for spec in plan:
        records = [
            build(kind, {name: spec.parameters[name] for name in declarations(kind)
                         if name in spec.parameters}, 'test')
            for kind in RECORDS.get(spec.executable, ())
        ]  # fmt: skip
        assert without_effect(records) == [], spec


def test_an_adversary_that_is_not_wanted_is_refused(ros):
    with pytest.raises(ParameterError, match=r'adversary_enable = false must be true in the node'):
        ros.make(AdversaryNode, '/adversary', adversary_enable=False)


@pytest.mark.parametrize(
    ('given', 'line'),
    [
        ({'lockstep': True, 'world': False}, r'world = false must be true in lockstep'),
        ({'scenario_name': ''}, r"scenario_name = '' must name the scenario"),
    ],
)
def test_a_monitor_that_could_not_work_is_refused(ros, given, line):
    with pytest.raises(ParameterError, match=line):
        ros.make(MonitorNode, None, **given)


def test_an_adversary_without_a_place_says_so(ros):
    """Also when that comes in flight."""
    told = Told(ros)
    ros.make(AdversaryNode, '/adversary', adversary_roam_bound_xy=10.0)
    line = 'adversary_min_target_distance = 30 m: the corners of the box'
    ros.until(lambda: told.logged('adversary.adversary', line), line)
    assert set_parameters(ros, '/adversary/adversary', adversary_min_target_distance=900.0) == ['']
    again = line.replace('30', '900')
    ros.until(lambda: told.logged('adversary.adversary', again), again)
