"""The target node: publishes its position, weighs the arcs, wanders or flies a path."""

from velocity_mobility_ros.ros_io.process.entry import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare, warn_of_idle

from soliton_encirclement_ros.actors.target import Target
from soliton_encirclement_ros.core.parameters.path_parameters import MemberPath
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from soliton_encirclement_ros.core.scenario.contradictions import target_warnings
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    TARGET,
    TARGET_STATE,
)
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from soliton_encirclement_ros.nodes.actors.node_path import follow_no_limits, path_flight


class TargetNode(ActorNode):
    """ROS node of a target actor."""

    is_only_one = True

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin."""
        super().__init__(TARGET, TARGET_STATE, (AGENT_STATES, ADVERSARY_STATE), **options)
        self._settings = parameters = declare(self, TargetParameters)
        self._limits = limits = declare(self, CommandLimits)
        path = declare(self, MemberPath)
        warn_of_idle(self, parameters)
        stream = random_stream(self.member.seed, TARGET)
        flight = path_flight(self, path, TARGET, limits, self.swarm.control_period)
        target = Target(parameters, self.swarm, stream, 0.0, flight)
        self.follow(parameters, self._retune)
        follow_no_limits(self, limits)
        self.start(target, TARGET)
        self.look_at_doubts()

    def _retune(self, parameters: TargetParameters) -> None:
        self._settings = parameters
        self.actor.retune(parameters)

    def doubts(self) -> list[str]:
        """Return what vehicles such as its own cannot follow."""
        most = self._limits.max_speed_xy
        return target_warnings(self._settings, self.swarm, most, sections=False)


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [TargetNode()], args, name=TARGET)
