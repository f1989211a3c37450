"""Runs some nodes of a saved plan in one process: ``node_host PLAN.json NUMBER...``.

Arguments of ROS may follow; they are for all of the nodes, whose namespaces are those of the plan
in any case.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.utilities import remove_ros_args

from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, LAYER_NAMES
)
from soliton_encirclement_ros.core.run.process_composition import AGENT_NODE
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    FEW_AGENTS, MANY_AGENTS, NodeSpec, load_plan
)
from soliton_encirclement_ros.members.own_rules import Code, OwnVehicle, plain_code
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from velocity_mobility_ros.core.environment.unix_process import end_process
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.process.teardown import destroy

NODES: dict[str, type[Node]] = {
    'adversary_node': AdversaryNode,
    AGENT_NODE: AgentNode,
    'mobility_node': MobilityNode,
    'monitor_node': MonitorNode,
    'recorder_node': RecorderNode,
    'target_node': TargetNode,
    'world_node': WorldNode,
}

KIND = {'controller': CONTROLLER_NAMES[0], 'propagation_method': LAYER_NAMES[0]}
"""Parameters of an agent that decide which machine code it needs, with their defaults."""


def make_node(spec: NodeSpec, **more: object) -> Node:
    """Create one node of a plan.

    A full namespace is also given as a remapping of the node: one of the whole process, such as
    launch gives, would move all nodes to the same namespace otherwise.

    Args:
        spec: The node.
        **more: Passed on to its class.
    """
    own = [('__ns', spec.namespace)] if spec.namespace.startswith('/') else []
    remaps = [part for old, new in (*spec.remappings, *own) for part in ('-r', f'{old}:={new}')]
    return NODES[spec.executable](
        namespace=spec.namespace or None,
        parameter_overrides=[Parameter(name, value=v) for name, v in spec.parameters.items()],
        cli_args=['--ros-args', *remaps] if remaps else None,
        **more,
    )


def make_nodes(plan: Iterable[NodeSpec]) -> list[Node]:
    """Create all nodes of a plan; if one cannot start, the others are destroyed again.

    Its agents tick together in real time.
    """
    plan, nodes = list(plan), []
    agents = [spec for spec in plan if spec.executable == AGENT_NODE]
    group = AgentGroup(_machine_code(agents) if len(agents) >= FEW_AGENTS else plain_code)
    try:
        for spec in plan:
            more = {'group': group} if spec.executable == AGENT_NODE else {}
            nodes.append(make_node(spec, **more))
    except BaseException:
        destroy(nodes)
        raise
    return nodes


def _machine_code(agents: Sequence[NodeSpec]) -> Callable[[OwnVehicle], Code]:
    """Load the machine code of agents while their nodes are made; return a getter for it.

    Its modules are imported only where it is needed; a few agents do not wait for a compiler.
    """
    from soliton_encirclement_ros.sim.compilation import agent_rows

    waits = len(agents) >= MANY_AGENTS
    kinds = {tuple(spec.parameters.get(*item) for item in KIND.items()) for spec in agents}

    def load() -> None:
        for kind in kinds:
            agent_rows.load_agents(agent_rows.usual_agent(*kind), waits)

    loading = threading.Thread(target=load, daemon=True)
    loading.start()

    def find_code(own: OwnVehicle) -> Code:
        loading.join()
        return agent_rows.find_code(own, waits)

    return find_code


def main(args: Sequence[str] | None = None) -> int:
    """Run the numbered nodes until the world is done, or they are asked to end."""
    given = [*(sys.argv[1:] if args is None else args)]
    path, *numbers = remove_ros_args(given)
    plan = load_plan(Path(path))
    of_ros = given[given.index('--ros-args') :] if '--ros-args' in given else []
    return run_nodes(lambda: make_nodes(plan[int(number)] for number in numbers), of_ros)


if __name__ == '__main__':
    end_process(main(sys.argv[1:]))
