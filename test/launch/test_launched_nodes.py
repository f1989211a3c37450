"""Launch files of one vehicle start what the plan of a swarm has for it, in their own words."""

import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml

from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, adversary_part, agent_part, recorder_part, safety_part, target_part
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PACKAGE, NodeSpec
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from support.launch_emulation import install

REPOSITORY = Path(__file__).resolve().parents[2]

SCENARIO = 'first_flight'
"""Its vehicles have limits that every bridge passes on."""


class Launched:
    """The nodes of a launch file, evaluated, not started."""

    def __init__(self, file: str, monkeypatch: pytest.MonkeyPatch, **given: str) -> None:
        install(monkeypatch)
        import launch_ros.actions
        from launch import LaunchContext
        from launch.actions import DeclareLaunchArgument, GroupAction, OpaqueFunction

        class Node(launch_ros.actions.Node):
            """Keeps what a launch file says of a node."""

            def __init__(self, **options: Any) -> None:
                super().__init__(**options)
                self.said = options

        monkeypatch.setattr(launch_ros.actions, 'Node', Node)
        path = REPOSITORY / 'launch' / file
        monkeypatch.setattr('sys.argv', ['ros2', 'launch', PACKAGE, file])
        self._context = LaunchContext(argv=[f'{name}:={value}' for name, value in given.items()])
        self._context.launch_configurations.update(given)
        self._kinds = (DeclareLaunchArgument, OpaqueFunction), GroupAction, Node
        self.nodes: list[NodeSpec] = []
        self._walk(runpy.run_path(str(path))['generate_launch_description']().entities)

    def _walk(self, entities: list[Any]) -> None:
        executed, group, node = self._kinds
        for one in entities:
            if one.condition is not None and not one.condition.evaluate(self._context):
                continue
            if isinstance(one, group):
                self._walk(one.get_sub_entities())
            elif isinstance(one, executed):
                self._walk(one.execute(self._context) or [])
            elif isinstance(one, node):
                self.nodes.append(self._spec(**one.said))

    def _spec(
        self, executable: Any, namespace: Any, parameters: list[Any], remappings: Any = (),
        package: str = '', **options: Any,
    ) -> NodeSpec:  # fmt: skip
        assert package == PACKAGE and 'SWARM_PARENT_PID' in options['additional_env']
        values: dict[str, Any] = {}
        for one in parameters:
            if isinstance(one, dict):
                values |= {name: self._value(value) for name, value in one.items()}
            else:
                content = yaml.safe_load(Path(self._text(one)).read_text(encoding='utf-8'))
                values |= content['/**']['ros__parameters'] if content else {}
        renamed = tuple((self._text(old), self._text(new)) for old, new in remappings)
        return NodeSpec(self._text(executable), self._text(namespace), values, renamed)

    def _value(self, value: Any) -> Any:
        """Return a value as launch and rcl read it: texts of arguments are YAML."""
        if hasattr(value, 'evaluate'):
            return value.evaluate(self._context)
        is_plain = isinstance(value, (bool, float, int))
        return value if is_plain else yaml.safe_load(self._text(value))

    def _text(self, parts: Any) -> str:
        from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

        return perform_substitutions(self._context, normalize_to_list_of_substitutions(parts))


def as_text(spec: NodeSpec) -> dict[str, Any]:
    """Return a node with texts of its values, so that NaN is like NaN."""
    usual = {'use_sim_time': False}
    if spec.executable == 'agent_node':
        usual['target_loss_stop'] = 0.0
    values = {name: repr(one) for name, one in (usual | spec.parameters).items()}
    return {**spec._asdict(), 'parameters': dict(sorted(values.items()))}


def same(found: list[NodeSpec], planned: list[NodeSpec]) -> None:
    """Compare nodes, their parameters and remappings, in any order."""
    by_name = [sorted(map(as_text, nodes), key=lambda one: one['executable'])
               for nodes in (found, planned)]  # fmt: skip
    assert by_name[0] == by_name[1]


@pytest.fixture
def scenario() -> Scenario:
    """Return the scenario of all launches here."""
    return load_scenario(find_scenario(SCENARIO))


@pytest.mark.parametrize(
    ('vehicle', 'own'),
    [
        ('simulated', {}),
        ('none', {}),
        ('px4', {'px4_namespace': 'px4_2'}),
        ('ardupilot', {'ap_prefix': '/ap/v2'}),
        ('mavros', {}),
    ],
)
def test_an_agent_and_its_vehicle(monkeypatch, scenario, vehicle, own):
    found = Launched('vehicle.launch.py', monkeypatch, scenario=SCENARIO, id='2', vehicle=vehicle)
    same(found.nodes, agent_part(scenario, 2, PartOptions(vehicle, bridge=own)))


@pytest.mark.parametrize('vehicle', ['simulated', 'none', 'px4'])
@pytest.mark.parametrize(
    ('name', 'part'), [('target', target_part), ('adversary', adversary_part)]
)
def test_target_and_adversary(monkeypatch, name, part, vehicle):
    scenario = load_scenario(find_scenario('still')).with_changes(
        {'adversary': {'adversary_enable': True}, 'mobility': {'max_speed_z': 1.0}}, 'test'
    )
    given = 'adversary.adversary_enable=true; mobility.max_speed_z=1.0'
    found = Launched(
        f'{name}.launch.py', monkeypatch, scenario='still', vehicle=vehicle, set=given
    )
    same(found.nodes, part(scenario, PartOptions(vehicle)))


def test_the_filter_of_a_vehicle(monkeypatch, scenario):
    found = Launched('safety.launch.py', monkeypatch, scenario=SCENARIO, id='2')
    planned = safety_part(scenario, 2, PartOptions())
    own = {'publish_state': True, 'ring_member': False, 'odometry_topics': ''}
    same(found.nodes, [planned[0]._replace(parameters=planned[0].parameters | own), *planned[1:]])


def test_the_recorder(monkeypatch):
    found = Launched('recorder.launch.py', monkeypatch, out='/b', topics='/swarm/.*')
    (node,) = found.nodes
    assert node.parameters == recorder_part('/b', '/swarm/.*').parameters


def test_files_namespace_and_switches_of_a_user(monkeypatch, tmp_path):
    own = tmp_path / 'own.yaml'
    own.write_text('/**: {ros__parameters: {odom_timeout: 1.25}}', encoding='utf-8')
    agent, body = Launched(
        'vehicle.launch.py', monkeypatch, id='2', params_file=str(own), namespace='fleet/drone',
        enable_stamped_cmd_vel='true', inject_failures='false',
    ).nodes  # fmt: skip
    assert agent.parameters['odom_timeout'] == 1.25 and 'odom_timeout' not in body.parameters
    assert agent.namespace == body.namespace == 'fleet/drone'
    assert agent.parameters['enable_stamped_cmd_vel'] is True
    assert agent.parameters['inject_failures'] is False


def test_without_its_bridge_an_agent_is_started_alone(monkeypatch):
    given = {'scenario': SCENARIO, 'vehicle': 'px4', 'bridge': 'false'}
    (agent,) = Launched('vehicle.launch.py', monkeypatch, **given).nodes
    assert agent.executable == 'agent_node'


@pytest.mark.parametrize(
    ('given', 'line'),
    [
        ({'vehicel': 'px4'}, "has no argument 'vehicel'; did you mean vehicle:=?"),
        ({'id': '99'}, "id = '99' must be a number from 1 to"),
        ({'params_file': 'nosuch.yaml'}, 'params_file:=nosuch.yaml: there is no such file'),
        ({'bridge': 'false'}, 'bridge:=false leaves out the bridge to an autopilot, but there is'),
        ({'vehicle': 'none', 'scenario': 'nope'}, 'nope'),
    ],
)
def test_what_is_refused_is_refused_before_anything_starts(monkeypatch, given, line):
    with pytest.raises((RunError, ScenarioError)) as refused:
        Launched('vehicle.launch.py', monkeypatch, **given)
    assert line in str(refused.value)
