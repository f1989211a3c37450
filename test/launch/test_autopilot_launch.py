"""px4.launch.py and mixed.launch.py under the real launch, with emulated autopilots."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticStatus
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python

from soliton_encirclement_ros.core.scenario.swarm_plan import load_plan
from support.autopilot.ros.process import EmulatedAutopilots, autopilot_environment
from support.cli import start_swarm
from support.px4_emulator.ros.process import ROW, EmulatedPx4s
from support.recorded.run_folder import read_bag_with_rosbags
from support.ros.graph import Heard, Ros, domain, ros
from support.ros.launched import (
    START_UP, LaunchDescription, SetEnvironmentVariable, described, included, launch, launch_pytest
)
from velocity_mobility_ros.ros_io.endpoints import LATCHED

__all__ = ['domain', 'ros']

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

RELEASE = '1.17'
FLYABLE = {'com_obl_rc_act': 5, 'com_rcl_except': 4}
SITL = {'bridge_file': 'px4_sitl'}


def with_messages(domain: int, name: str, arguments: dict[str, str]) -> LaunchDescription:
    """Return one of our launch files with the messages of autopilots in the environment."""
    changed = autopilot_environment(domain)
    names = ('PYTHONPATH', 'LD_LIBRARY_PATH', 'AMENT_PREFIX_PATH')
    variables = [SetEnvironmentVariable(key, changed[key]) for key in names]
    return described(domain, *variables, included(name, {**SITL, **arguments}))


def px4s(folder: Path, domain: int, *instances: int) -> EmulatedPx4s:
    """Return emulated PX4s."""
    vehicles = [{'instance': number, 'parameters': FLYABLE} for number in instances]
    return EmulatedPx4s(folder, domain, vehicles, RELEASE)


def state_of(heard: Heard) -> dict[str, str]:
    """Return the values of the last report of a bridge; none if there is none."""
    return {pair.key: pair.value for pair in heard.last.values} if heard else {}


def fly(ros: Ros, folder: Path, *arguments: str) -> tuple[int, str]:
    """Run ``swarm fly`` to its end; return its exit code and what it said."""
    with start_swarm('fly', *arguments, domain=ros.domain, folder=folder) as process:
        ros.until(lambda: process.popen.poll() is not None, f'swarm fly {arguments}', 180.0)
    return process.popen.returncode, process.out + process.err


def parameters(ros: Ros, node: str, *names: str) -> list[object]:
    """Ask a node for the values of parameters."""
    request = GetParameters.Request(names=names)
    answer = ros.call(GetParameters, f'{node}/get_parameters', request)
    return [parameter_value_to_python(value) for value in answer.values]


@launch_pytest.fixture
def whole(domain: int, tmp_path: Path) -> LaunchDescription:
    """Return two agents with the PX4s of instances 0 and 1, target, monitor and recorder."""
    asked = {'agents': '2', 'first_instance': '0', 'record': 'true', 'out': str(tmp_path)}
    return with_messages(domain, 'px4.launch.py', asked)


@pytest.mark.launch(fixture=whole)
def test_a_whole_swarm_flies_and_is_handed_over_at_the_end(
    ros: Ros, tmp_path: Path
) -> Iterator[None]:
    """From the ground to the ring; the launch ends in flight, and the autopilots hold."""
    with px4s(tmp_path, ros.domain, 0, 1) as vehicles:
        heard = [ros.listen(DiagnosticStatus, f'/uav_{k}/bridge_state', LATCHED) for k in (1, 2)]
        ros.until(
            lambda: all(state_of(one).get('state') == 'READY' for one in heard), 'both', START_UP
        )
        assert [state_of(message)['system_id'] for message in heard] == ['1', '2']
        values = parameters(ros, '/uav_2/px4_bridge_node', 'max_speed_xy', 'vertical_mode',
                           'px4_namespace', 'enable_stamped_cmd_vel')  # fmt: skip
        assert values == [5.0, 'hold_height', 'px4_1', True]
        for verb in ('takeoff', 'engage'):
            code, told = fly(ros, tmp_path, verb, '--agents', '2')
            assert code == 0, told
        assert [vehicles[k].mode for k in (0, 1)] == ['OFFBOARD', 'OFFBOARD']
        yield
        vehicles.wait(
            lambda: all(vehicles[k].mode == 'AUTO_LOITER' for k in (0, 1)), 'the hand-over'
        )
        assert not any(vehicles[k].failsafe for k in (0, 1))
    folder = tmp_path / 'latest'
    summary = json.loads((folder / 'summary.json').read_text(encoding='utf-8'))
    assert summary['complete'] is True
    topics = set(read_bag_with_rosbags(folder / 'bag'))
    assert {'/uav_1/odom', '/uav_1/cmd_vel', '/uav_1/bridge_state', '/swarm/stop'} <= topics
    assert not any('/fmu/' in topic for topic in topics)
    executables = [spec.executable for spec in load_plan(folder / 'plan.json')]
    assert executables.count('px4_bridge_node') == executables.count('agent_node') == 2


@launch_pytest.fixture
def companion(domain: int) -> LaunchDescription:
    """Return agent 2 with a PX4 whose topics have a namespace of their own."""
    asked = {'id': '2', 'autopilot_namespace': 'px4_7'}
    return with_messages(domain, 'px4.launch.py', asked)


@pytest.mark.launch(fixture=companion)
def test_one_vehicle_on_its_companion_computer(ros: Ros, tmp_path: Path) -> None:
    """The agent and its bridge, and nobody else."""
    with px4s(tmp_path, ros.domain, 7):
        heard = ros.listen(DiagnosticStatus, '/uav_2/bridge_state', LATCHED)
        ros.until(lambda: state_of(heard).get('state') == 'READY', 'the bridge', START_UP)
        assert state_of(heard)['system_id'] == '8'
        both = {('agent', '/uav_2'), ('px4_bridge_node', '/uav_2')}
        ros.until(
            lambda: both <= {*ros.tester.get_node_names_and_namespaces()}, 'the agent', START_UP
        )
        names = {name for name, _ in ros.tester.get_node_names_and_namespaces()}
        assert not names & {'monitor', 'target', 'recorder'}


@launch_pytest.fixture
def mixed(domain: int, tmp_path: Path) -> LaunchDescription:
    """Return an agent with a PX4, and one with a simulated vehicle."""
    asked = {'agents': '2', 'px4': '1', 'simulated': '2', 'monitor': 'false'}
    return with_messages(domain, 'mixed.launch.py', {**asked, 'out': str(tmp_path / 'none')})


@pytest.mark.launch(fixture=mixed)
def test_real_and_simulated_vehicles_are_one_swarm(ros: Ros, tmp_path: Path) -> None:
    """Both are stopped before the take-off and start together; no run folder is made."""
    with px4s(tmp_path, ros.domain, 1) as vehicles:
        for verb in ('takeoff', 'engage'):
            code, told = fly(ros, tmp_path, verb, 'uav_1', '--within', '120')
            assert code == 0, told
        assert vehicles[1].mode == 'OFFBOARD'
        code, told = fly(ros, tmp_path, 'status')
        assert (code, 'uav_2' in told) == (0, False)
        code, told = fly(ros, tmp_path, 'land')
        assert code == 0, told
    assert not (tmp_path / 'none').exists()


@launch_pytest.fixture
def three_kinds(domain: int, tmp_path: Path) -> LaunchDescription:
    """Return three agents with autopilots of three kinds."""
    file = tmp_path / 'field.yaml'
    file.write_text(
        '/**: {ros__parameters: {'
        f'origin_latitude: {ROW[0]}, origin_longitude: {ROW[1]}, origin_altitude: {ROW[2]}, '
        'operate: true, px4_offboard_loss_action: hold, px4_rc_policy: none, '
        'ardupilot_failsafes: none}}',
        encoding='utf-8',
    )
    asked = {'px4': '1', 'ardupilot': '2', 'mavros': '3', 'monitor': 'false'}
    return with_messages(domain, 'mixed.launch.py', {**asked, 'bridge_file': str(file)})


@pytest.mark.launch(fixture=three_kinds)
def test_every_kind_of_bridge_finds_its_autopilot(ros: Ros, tmp_path: Path) -> None:
    """By the number of the agent."""
    places = [{'longitude': ROW[1] + share} for share in (1e-4, 2e-4)]
    others = [
        {'kind': 'ap_dds', 'prefix': '/ap/v2', 'settings': places[0]},
        {'kind': 'mavros_px4', 'prefix': '/uav_3/mavros', 'settings': places[1]},
    ]
    with px4s(tmp_path, ros.domain, 1), EmulatedAutopilots(tmp_path, ros.domain, others):
        heard = [
            ros.listen(DiagnosticStatus, f'/uav_{k}/bridge_state', LATCHED) for k in (1, 2, 3)
        ]
        ros.until(
            lambda: all(state_of(one).get('state') == 'READY' for one in heard), 'all', START_UP
        )
        kinds = [state_of(message)['autopilot'] for message in heard]
        assert kinds == ['px4', 'ardupilot', 'mavros']
        code, told = fly(ros, tmp_path, 'takeoff', '--agents', '3')
        assert code == 0, told


@launch_pytest.fixture
def of_a_vehicle(domain: int) -> LaunchDescription:
    """Return agent 1 as vehicle.launch.py starts it."""
    return with_messages(domain, 'vehicle.launch.py', {
        'id': '1', 'vehicle': 'px4', 'scenario': 'first_flight'
    })  # fmt: skip


@pytest.mark.launch(fixture=of_a_vehicle)
def test_vehicle_launch_starts_the_same_bridge(ros: Ros, tmp_path: Path) -> None:
    """With the agent's limits."""
    with px4s(tmp_path, ros.domain, 1):
        heard = ros.listen(DiagnosticStatus, '/uav_1/bridge_state', LATCHED)
        ros.until(lambda: state_of(heard).get('state') == 'READY', 'the bridge', START_UP)
        bridge, agent = (
            parameters(ros, f'/uav_1/{name}', 'max_speed_xy', 'max_acc_xy')
            for name in ('px4_bridge_node', 'agent')
        )
        assert bridge == agent == [5.0, 3.0]


@launch_pytest.fixture
def of_a_filter(domain: int) -> LaunchDescription:
    """Return the separation filter of vehicle 1 as safety.launch.py starts it."""
    return with_messages(domain, 'safety.launch.py', {
        'id': '1', 'vehicle': 'px4', 'scenario': 'first_flight'
    })  # fmt: skip


@pytest.mark.launch(fixture=of_a_filter)
def test_a_filter_may_have_a_bridge_too(ros: Ros, tmp_path: Path) -> None:
    """For a controller of one's own."""
    with px4s(tmp_path, ros.domain, 1):
        heard = ros.listen(DiagnosticStatus, '/uav_1/bridge_state', LATCHED)
        ros.until(lambda: state_of(heard).get('state') == 'READY', 'the bridge', START_UP)
        values = parameters(ros, '/uav_1/safety', 'enable_stamped_cmd_vel', 'max_speed_xy')
        assert values == [True, 5.0]


@pytest.mark.parametrize(
    ('name', 'arguments'),
    [
        ('px4.launch.py', {'id': '9'}),
        ('px4.launch.py', {'autopilot_namespace': 'px4_1'}),
        ('px4.launch.py', {'scenario': 'demo'}),
        ('mixed.launch.py', {}),
        ('mixed.launch.py', {'px4': '1', 'simulated': '1'}),
        ('vehicle.launch.py', {'vehicle': 'px4', 'id': '1'}),
        ('vehicle.launch.py', {'bridge': 'false', 'id': '1'}),
    ],
)
def test_what_is_refused_ends_the_launch_with_1(
    domain: int, tmp_path: Path, name: str, arguments: dict[str, str]
) -> None:
    """Nothing is left behind."""
    out = {} if name == 'vehicle.launch.py' else {'out': str(tmp_path / 'out')}
    assert launch(name, domain, {**arguments, **out}) == 1
    assert not (tmp_path / 'out').exists()
