"""A value that changes nothing as the node is started is named, and the others are not."""

import pytest

from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import FailureParameters
from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, agent_part, monitor_part, recorder_part, target_part
)
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan
from soliton_encirclement_ros.core.scenario.user_files import share_folder
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode, AgentNodeParameters
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.node_parameters import (
    ActorParameters, MonitorParameters, OdometryParameters, WorldMode
)
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from soliton_encirclement_ros.nodes.observers.recorder_parameters import RecorderParameters
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.graph import set_parameters
from velocity_mobility_ros.core.parameter_declaration import build, declarations, without_effect
from velocity_mobility_ros.core.user_errors import ParameterError, StartupError
from velocity_mobility_ros.nodes.mobility_node import MobilityNode

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

FOLDER = share_folder() / 'config' / 'scenarios'
SCENARIOS = sorted(path for path in FOLDER.glob('*.yaml') if path.stem != 'original')
"""All but ``original``, which no nodes fly."""
RECORDS = {
    'world_node': (RunParameters, WorldMode),
    'agent_node': (ActorParameters, OdometryParameters, AgentNodeParameters, FailureParameters),
    'target_node': (ActorParameters, OdometryParameters),
    'adversary_node': (ActorParameters, OdometryParameters),
    'monitor_node': (MonitorParameters,),
    'recorder_node': (RecorderParameters,),
}


def warned(ros, capfd, kind, namespace, given):
    """Return what a node warns of at its start, as it stands on its standard error."""
    ros.make(kind, namespace, **given)
    return [line for line in capfd.readouterr().err.splitlines() if line.startswith('[WARN]')]


@pytest.mark.parametrize(
    ('kind', 'namespace', 'given', 'line'),
    [
        (AgentNode, '/uav_1', {'lockstep': True, 'medium': True},
         'medium = true has no effect without lockstep = false'),
        (AgentNode, '/uav_1', {'failure_schedule': '1..2: 1'},
         "failure_schedule = '1..2: 1' has no effect without inject_failures = true"),
        (AgentNode, '/uav_1', {'odom_timeout': 0.001},
         'odom_timeout = 0.001 s is below control_period = '),
        (TargetNode, '/target', {'target_swarm_omega_pd_kp': 2.0},
         'target_swarm_omega_pd_kp = 2.0 has no effect without target_swarm_spin_enable = true'),
        (AdversaryNode, '/adversary', {'recorders': 1},
         'recorders = 1 has no effect without lockstep = true'),
        (SafetyNode, '/uav_1', {'publish_state': False, 'ring_member': True},
         'ring_member = true has no effect without publish_state = true'),
        (WorldNode, None, {'num_agents': 1, 'lockstep': False, 'communication_delay': 0.1},
         'the parameters of the radio have no effect without medium = true, here and on the '
         'members: they receive each other directly'),
        (WorldNode, None, {'num_agents': 3, 'communication_transmission_range': 30.0},
         'communication_transmission_range = 30 m is below the 34.64 m between neighbours of 3'),
        (WorldNode, None, {'num_agents': 3, 'partitions': '400..500: 1 | 2'},
         'partitions begins at 400 s, after the end of the run'),
        (WorldNode, None, {'num_agents': 1, 'telemetry_decimation': 50},
         'telemetry_decimation = 50 has no effect: a world publishes odometry at every control'),
        (WorldNode, None, {'lockstep': False, 'num_agents': 1, 'cmd_vel_timeout': 0.01},
         'cmd_vel_timeout = 0.01 s is below control_period = 0.05 s'),
        (MonitorNode, None, {'world': False, 'sim_duration': 20.0},
         'sim_duration = 20 has no effect without world = true'),
        (RecorderNode, None, {'join': True}, 'join = true has no effect without lockstep = true'),
        (MobilityNode, '/uav_1', {'cmd_vel_timeout': 0.001},
         'cmd_vel_timeout = 0.001 s is below update_rate = 0.01 s'),
    ],
)  # fmt: skip
def test_a_value_without_effect_is_named(
    ros, capfd, tmp_path, monkeypatch, kind, namespace, given, line
):
    monkeypatch.chdir(tmp_path)
    (said,) = warned(ros, capfd, kind, namespace, given)
    assert line in said


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
        assert without_effect(records) == {}, spec


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


def test_an_adversary_without_a_place_says_so(ros, capfd):
    """Also when that comes in flight."""
    line = 'adversary_min_target_distance = {} m: the corners of the box'
    (said,) = warned(ros, capfd, AdversaryNode, '/adversary', {'adversary_roam_bound_xy': 10.0})
    assert line.format(30) in said
    far = {'adversary_min_target_distance': 900.0}
    assert set_parameters(ros, '/adversary/adversary', **far) == ['']
    assert line.format(900) in capfd.readouterr().err


@pytest.mark.parametrize('kind', [WorldNode, MonitorNode, RecorderNode])
def test_in_lockstep_the_others_look_in_the_own_namespace(ros, tmp_path, kind):
    given = {'bag': str(tmp_path / 'bag')} if kind is RecorderNode else {'num_agents': 1}
    with pytest.raises(ParameterError, match="swarm_namespace = '/x' must be the own namespace"):
        ros.make(kind, None, lockstep=True, swarm_namespace='/x', **given)


def test_a_recorder_has_one_folder_and_something_to_record(ros, tmp_path):
    with pytest.raises(ParameterError, match='both set the folder of the bag'):
        ros.make(RecorderNode, None, bag=str(tmp_path / 'bag'), run_folder=str(tmp_path))
    with pytest.raises(ParameterError, match="'/a' is both included and excluded"):
        ros.make(RecorderNode, None, bag=str(tmp_path / 'bag'), include='/a', exclude='/a')


def test_the_tables_of_a_run_stay(ros, tmp_path):
    folder = tmp_path / 'new' / 'run'
    ros.remove(ros.make(MonitorNode, None, run_folder=str(folder)))
    before = sorted(folder.iterdir())
    assert before
    with pytest.raises(StartupError, match='already contains the tables of a run; name another'):
        ros.make(MonitorNode, None, run_folder=str(folder))
    assert sorted(folder.iterdir()) == before


def test_a_tilde_is_the_own_home(ros, tmp_path, monkeypatch):
    """The shell leaves it where it is: it does not begin the word."""
    monkeypatch.setenv('HOME', str(tmp_path))
    recorder = ros.make(RecorderNode, None, run_folder='~/runs')
    assert recorder.folder == tmp_path / 'runs' / 'bag'


@pytest.mark.parametrize(
    ('kind', 'namespace', 'given'),
    [
        (MobilityNode, '/uav_1', {'odom_frame': 'map'}),
        (WorldNode, None, {'odom_frame': '/odom', 'lockstep': False}),
        (AgentNode, '/uav_1', {'odom_origin_x': 1e11}),
        (AgentNode, '/uav_1', {'odom_frame': ''}),
        (AgentNode, '/uav_1', {'odom_frame': 'base_link'}),
        (AgentNode, '/uav_1', {'odom_frame': 'body', 'odom_child_frame': 'body'}),
    ],
)
def test_frames_that_cannot_be_meant_are_refused(ros, kind, namespace, given):
    with pytest.raises(ParameterError, match=r'odom_\w+ (= .* must |and odom_child_frame both)'):
        ros.make(kind, namespace, **given)
