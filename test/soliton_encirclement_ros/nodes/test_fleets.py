"""Several fleets in one ROS domain: each flies as if it were alone."""

from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.cli.runs.node_host import make_node
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec, PlanOptions, messages_per_tick
)
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from support.recorded.run_folder import read_bag_with_mcap
from support.ros.graph import Ros
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = pytest.mark.ros

TABLES = ('agent_telemetry.csv', 'target_telemetry.csv')
A, B = Fleet('/fleet_a'), Fleet('/fleet_b')
WORLDS = ('fleet_a/world: simulation', 'fleet_b/world: simulation')


def fly(domain: int, folder: Path, flown: dict[Fleet, Scenario]) -> dict[Fleet, list[bytes]]:
    """Fly fleets in lockstep at the same time, each with its recorder; return their tables."""
    ros, swarms = Ros(domain), {}
    try:
        for fleet, planned in flown.items():
            own = folder / (fleet.namespace.strip('/') or 'root')
            own.mkdir(parents=True)
            swarms[fleet] = Swarm(ros, planned, PlanOptions(True, str(own)), fleet=fleet)
        for swarm in swarms.values():
            swarm.fly()
            swarm['recorder_node'].close()
    finally:
        ros.close()
    return {fleet: tables(swarm) for fleet, swarm in swarms.items()}


def tables(swarm: Swarm) -> list[bytes]:
    """Return what the monitor of a swarm wrote."""
    folder = Path(swarm['monitor_node'].mode.run_folder)
    return [(folder / name).read_bytes() for name in TABLES]


SHORT = {'num_agents': 3, 'sim_duration': 2.0}
PLANS = {A: scenario(run=SHORT), B: scenario(run={**SHORT, 'seed': 8, 'num_agents': 2})}


def test_two_fleets_in_lockstep_fly_as_alone(domain: int, tmp_path: Path) -> None:
    """To the last byte; and each has all of its messages in its bag, none of the other's."""
    together = fly(domain, tmp_path / 'both', PLANS)
    for fleet, plan in PLANS.items():
        alone = fly(domain, tmp_path / f'{fleet.namespace}_alone'.strip('/'), {ROOT: plan})
        assert together[fleet] == alone[ROOT]
    for fleet, other in ((A, B), (B, A)):
        bag = read_bag_with_mcap(tmp_path / 'both' / fleet.namespace.strip('/') / 'bag')
        promised = messages_per_tick(PLANS[fleet], fleet)
        found = {topic: len([m for m in bag[topic] if m.stamp_ns]) for topic in promised}
        ticks = PLANS[fleet].ticks
        assert found == {topic: ticks * count for topic, count in promised.items()}
        assert not [topic for topic in bag if other.has(topic) or topic.startswith('/swarm/')]


@pytest.mark.usefixtures('simulated')
def test_two_fleets_in_real_time_keep_apart(ros: Ros) -> None:
    """Agents hear their own fleet alone, and each monitor believes its own world."""
    options = PlanOptions(False, record=False)
    run = {'sim_duration': 60.0, 'num_agents': 2}
    calm = {'failure_enable': False}
    plans = {A: scenario(run=run, failure=calm),
             B: scenario(run={**run, 'num_agents': 3}, failure=calm)}  # fmt: skip
    swarms = {fleet: Swarm(ros, plan, options, fleet=fleet) for fleet, plan in plans.items()}
    ros.until(lambda: all(swarm.samples > 40 for swarm in swarms.values()), 'forty samples')
    for fleet, swarm in swarms.items():
        monitor = swarm['monitor_node']
        assert max(monitor.observer.series['alive']) == plans[fleet].run.num_agents
        assert sum(monitor.health.refused.values()) == 0
        odometry = ros.listen(Odometry, fleet.member_topic('uav_1', 'odom'), STATE)
        ros.until(lambda odometry=odometry: odometry, 'odometry')
        assert odometry.last.child_frame_id == f'{fleet.namespace.strip("/")}/uav_1/base_link'
        assert odometry.last.header.frame_id == 'map'


@pytest.mark.usefixtures('simulated')
def test_the_monitor_believes_the_world_of_its_fleet(ros: Ros) -> None:
    """Both worlds publish diagnostics on one topic."""
    told = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    run = {'sim_duration': 60.0, 'num_agents': 1}
    swarm = Swarm(ros, scenario(run=run), PlanOptions(False, record=False), fleet=A)
    ros.add(make_node(NodeSpec('world_node', '/fleet_b', {'lockstep': False})))
    ros.until(lambda: set(WORLDS) <= {s.name for m in told for s in m.status}, 'both worlds')
    ros.until(lambda: 'real_time_factor' in swarm['monitor_node']._world.counts, 'its world')
    ros.remove(swarm['world'])
    for _ in range(2):  # after its world's last words
        swarm['monitor_node']._world.counts.clear()
        told.clear()
        ros.until(lambda: told and told.last.status[0].name == WORLDS[1], 'the other world')
    assert swarm['monitor_node']._world.counts == {}


def topics_of(ros: Ros, node: Node) -> set[str]:
    """Return what a node publishes and hears, without what ROS itself does."""
    name = node.get_name(), node.get_namespace()
    found = [*ros.tester.get_publisher_names_and_types_by_node(*name),
             *ros.tester.get_subscriber_names_and_types_by_node(*name)]  # fmt: skip
    return {topic for topic, _ in found} - {'/rosout', '/parameter_events', '/diagnostics'}


@pytest.mark.usefixtures('simulated')
@pytest.mark.parametrize(
    ('namespace', 'parameters', 'fleet'),
    [
        ('/a/b/uav_1', {}, '/a/b'),
        ('/drone', {'agent_id': 1}, ''),
        ('/drone/agent', {'agent_id': 1, 'swarm_namespace': '/fleet'}, '/fleet'),
        ('/drone/uav_1', {'swarm_namespace': '/'}, ''),
    ],
)
def test_a_member_is_of_the_fleet_above_it(
    ros: Ros, namespace: str, parameters: dict[str, object], fleet: str
) -> None:
    """Its own topics are in its namespace, the swarm's in that of the fleet."""
    node = ros.make(AgentNode, namespace, **parameters)
    own = {f'{namespace}/{name}' for name in ('odom', 'cmd_vel', 'telemetry')}
    assert topics_of(ros, node) == {
        f'{fleet}/swarm/agent_states', f'{fleet}/swarm/target_state',
        f'{fleet}/swarm/adversary_state', f'{fleet}/swarm/stop', *own
    }  # fmt: skip


@pytest.mark.usefixtures('simulated')
@pytest.mark.parametrize('kind', [AgentNode, MonitorNode])
def test_a_namespace_that_is_none_is_refused(ros: Ros, kind: type[Node]) -> None:
    """Before anything is said to nobody; another one may be looked at from elsewhere."""
    with pytest.raises(ParameterError, match="swarm_namespace = '2nd' must be a namespace such"):
        ros.make(kind, '/uav_1', swarm_namespace='2nd')
    monitor = ros.make(MonitorNode, '/ground', swarm_namespace='/fleet', num_agents=1)
    assert topics_of(ros, monitor) >= {'/fleet/swarm/metrics', '/fleet/uav_1/telemetry'}


@pytest.mark.usefixtures('simulated')
def test_every_topic_can_be_remapped(ros: Ros) -> None:
    """By its full name: what the swarm shares as well as what is the member's own."""
    old = {
        '/fleet/swarm/agent_states': '/radio/states',
        '/fleet/swarm/target_state': '/seen',
        '/fleet/swarm/adversary_state': '/other',
        '/fleet/swarm/stop': '/stop',
        'odom': '/camera/odom',
        'cmd_vel': 'setpoint',
        'telemetry': 'inner',
    }
    node = ros.add(make_node(NodeSpec('agent_node', '/fleet/uav_1', {}, tuple(old.items()))))
    assert topics_of(ros, node) == {
        '/radio/states', '/seen', '/other', '/stop', '/camera/odom', '/fleet/uav_1/setpoint',
        '/fleet/uav_1/inner',
    }  # fmt: skip
    said = ros.listen(JointState, '/radio/states', STATE)
    voice = ros.voice(Odometry, '/camera/odom', STATE)

    def speak() -> None:
        report = Odometry(child_frame_id='base_link')
        report.header.frame_id = 'map'
        report.header.stamp = ros.tester.get_clock().now().to_msg()
        report.pose.pose.orientation.w = 1.0
        voice.publish(report)

    ros.until(lambda: (speak(), said)[1], 'its state')
    assert said.last.name[0].startswith('uav_1')
