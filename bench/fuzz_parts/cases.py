"""The nodes that are fuzzed: how each is started, what is around it, and sound messages for it."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path as PathMessage
from rclpy.serialization import serialize_message

from soliton_encirclement_ros.core.emergency_stop import StopOrder, message_of_order
from soliton_encirclement_ros.core.scenario.part_plan import (
    PartOptions, adversary_part, agent_part, monitor_part, recorder_part, safety_part, target_part
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec, PlanOptions, save_plan, swarm_plan
)
from soliton_encirclement_ros.core.states.swarm_topics import GOAL_POSE, STOP
from soliton_encirclement_ros.nodes.stop_topic import stop_message
from support.autopilot.bridge_process import ORIGIN, QUICK, WORDS
from support.autopilot.ros.process import EmulatedAutopilots
from support.autopilot.sky import FLYABLE, PREFIXES
from support.px4_emulator.ros.process import EmulatedPx4s
from velocity_mobility_ros.autopilot.engage.engage_records import Request
from velocity_mobility_ros.autopilot.fleet_orders import FleetOrder
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import FLY_ORDERS, orders_message

ALONE = PartOptions()
REAL_TIME = PlanOptions(lockstep=False, record=False)
BRIDGES = ('px4', 'ardupilot', 'mavros_px4', 'mavros_ardupilot')
FLIGHT = 'px4_flight'
"""The bridge of a PX4 that tracks commands; its autopilot, and operators, tell it the truth."""

PORT = '18791'


def scenario() -> Scenario:
    """Return three agents, a target and an adversary."""
    return Scenario('fuzz').with_changes({
        'run': {'num_agents': 3, 'init_angles_equidistant': True},
        'failure': {'failure_enable': False},
        'safety': {'separation_distance': 1.0, 'adversary_distance': 2.0},
        'target': {'target_swarm_spin_enable': True},
    }, 'fuzz')  # fmt: skip


class Case(NamedTuple):
    """A node.

    Attributes:
        program: What ``host.py`` runs, with its arguments.
        around: What runs beside it for as long as it does.
        has_terminal: Whether it needs one.
        flies: Whether its vehicle is to track commands while it is fuzzed.
    """

    program: tuple[str, ...]
    around: Callable[[Path, int], AbstractContextManager[Any]] = lambda *_: nullcontext()
    has_terminal: bool = False
    flies: bool = False


def _specs(folder: Path) -> dict[str, Callable[[], NodeSpec]]:
    flown = scenario()
    return {
        'agent': lambda: agent_part(flown, 1, ALONE)[0],
        'mobility': lambda: agent_part(flown, 1, ALONE)[1],
        'safety': lambda: safety_part(flown, 1, ALONE)[0],
        'target': lambda: target_part(flown, ALONE)[0],
        'adversary': lambda: adversary_part(flown, ALONE)[0],
        'trajectory': lambda: NodeSpec('trajectory_node', 'uav_1', {}),
        'limiter': lambda: NodeSpec('twist_limiter_node', 'uav_1', {'feedback': 'odometry'}),
        'monitor': lambda: monitor_part(flown, str(folder / 'run')),
        'recorder': lambda: recorder_part(str(folder / 'bag'), '.*'),
        'world': lambda: swarm_plan(flown, REAL_TIME)[0],
    }


OPERATORS = {
    'view': Case(('swarm', 'view', '--operate', '--port', PORT)),
    'console': Case(('swarm', 'fly', 'console', '--agents', '3'), has_terminal=True),
}

NAMES = (*_specs(Path()), *BRIDGES, FLIGHT, *OPERATORS)


def case_of(name: str, folder: Path) -> Case:
    """Return a node by its name; files that it needs land in a folder."""
    if name in OPERATORS:
        return OPERATORS[name]
    if name == FLIGHT:
        return _bridge('px4', folder, operate=True)._replace(flies=True)
    if name in BRIDGES:
        return _bridge(name, folder)
    spec = _specs(folder)[name]()
    return _case(spec, folder)


def _case(spec: NodeSpec, folder: Path, around: Any = Case.__new__.__defaults__[0]) -> Case:
    file = folder / 'parameters.yaml'
    file.write_text(yaml.safe_dump({'/**': {'ros__parameters': spec.parameters}}))
    remaps = [part for old, new in spec.remappings for part in ('-r', f'{old}:={new}')]
    place = ['-r', f'__ns:=/{spec.namespace}'] if spec.namespace else []
    given = '--ros-args', *place, *remaps, '--params-file', str(file)
    return Case((spec.executable, *given), around)


def _bridge(name: str, folder: Path, operate: bool = False) -> Case:
    """Return the bridge of a vehicle that stands ready, and whether operators may fly it."""
    kind, _, autopilot = name.partition('_')
    own = {'autopilot': autopilot} if autopilot else {}
    if kind == 'ardupilot':
        own = {'ap_prefix': PREFIXES[kind].format(1)}
    parameters = {**WORDS, **ORIGIN, **QUICK, **own, 'operate': operate}

    def around(where: Path, domain: int) -> AbstractContextManager[Any]:
        if name == 'px4':
            return EmulatedPx4s(where, domain, [{'instance': 1, 'parameters': FLYABLE}])
        emulated = 'ap_dds' if name == 'ardupilot' else name
        return EmulatedAutopilots(
            where, domain, [{'kind': emulated, 'prefix': PREFIXES[name].format(1)}]
        )

    return _case(NodeSpec(f'{kind}_bridge_node', 'uav_1', parameters), folder, around)


def save_swarm(path: Path) -> list[str]:
    """Save the plan of a whole swarm for ``node_host``; return the numbers of its nodes."""
    plan = [spec for spec in swarm_plan(scenario(), REAL_TIME)]
    save_plan(path, plan)
    return [str(k) for k in range(len(plan))]


def examples() -> dict[str, list[bytes]]:
    """Return sound messages, by the end of the topic, of those that a swarm in flight has not."""
    now = time.time_ns()
    path, goal = PathMessage(), PoseStamped()
    path.header.frame_id = goal.header.frame_id = 'map'
    goal.pose.position.x, goal.pose.orientation.w = 5.0, 1.0
    for east, north in ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)):
        pose = PoseStamped()
        pose.header.frame_id = 'map'
        pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = east, north, 10.0
        pose.pose.orientation.w = 1.0
        path.poses.append(pose)
    release = message_of_order(StopOrder('', False, now, 'fuzz'))
    orders = [FleetOrder(f'order {request.value}', request, ('uav_1',), 'ann', now)
              for request in Request if request is not Request.RELEASE]  # fmt: skip
    sound = {
        'path': [path], GOAL_POSE: [goal], STOP: [stop_message([release], now)],
        FLY_ORDERS: [orders_message([order], now) for order in orders],
    }  # fmt: skip
    return {end: [*map(serialize_message, messages)] for end, messages in sound.items()}
