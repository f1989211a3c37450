"""The target node: publishes its position, weighs the arcs, wanders or flies a path.

An operator sends it somewhere by ``goal_pose`` (``geometry_msgs/PoseStamped``, as of RViz), and
lets it go on by ``resume`` (``std_srvs/Trigger``), both in the namespace of the target.
"""

import math
from collections.abc import Callable

from geometry_msgs.msg import PoseStamped
from std_srvs.srv import Trigger

from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits, MemberPath
from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from soliton_encirclement_ros.core.scenario.contradictions import target_warnings, without_sections
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE, AGENT_STATES, GOAL_POSE, RESUME, TARGET, TARGET_STATE
)
from soliton_encirclement_ros.members.own_target import Target
from soliton_encirclement_ros.nodes.actors.actor_node import Actor, ActorNode, path_flight
from soliton_encirclement_ros.nodes.actors.identity_watch import OF_TARGET, crowd_conditions
from velocity_mobility_ros.core.parameter_declaration import Parameters
from velocity_mobility_ros.core.user_errors import ParameterError, shown
from velocity_mobility_ros.ros_io.conditions import Condition
from velocity_mobility_ros.ros_io.live_parameters import differences
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare, warn_of_idle
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME


class MoverNode(ActorNode):
    """The node of target or adversary, which move by themselves or fly a path."""

    is_only_one = True
    may_start_again = False  # it would begin its path anew

    def start_moving(self, parameters: Parameters, make: Callable[..., Actor]) -> None:
        """Declare the rest of the parameters, and start.

        Args:
            parameters: How it moves.
            make: Makes the actor of these, those of the swarm, a random stream and the path.
        """
        self._settings, name = parameters, self._role
        self._limits = declare(self, CommandLimits)
        flight = path_flight(self, declare(self, MemberPath), name, self._limits)
        stream = random_stream(self.member.seed, name)
        self.follow(parameters, self._retune)
        self.follow(self._limits, lambda _: None, _refuse_limits)
        self.start(make(parameters, self.swarm, stream, flight), name)
        self.look_at_doubts()

    def _retune(self, parameters: Parameters) -> None:
        self._settings = parameters
        self.actor.retune(parameters)


def _refuse_limits(before: CommandLimits, after: CommandLimits) -> None:
    """Refuse other limits in flight of a member that has them for planning its path alone."""
    names = ', '.join(differences(before, after))
    raise ParameterError(
        f'{names} cannot change in flight: it is for the plan of a path, which is made at '
        'the start; restart the node'
    )


class TargetNode(MoverNode):
    """ROS node of a target actor."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin."""
        super().__init__(TARGET, TARGET_STATE, (AGENT_STATES, ADVERSARY_STATE), **options)
        parameters = declare(self, TargetParameters)
        warn_of_idle(self, parameters)
        self.start_moving(parameters, Target)
        self.create_subscription(PoseStamped, GOAL_POSE, self._on_goal, 1)
        self.create_service(Trigger, RESUME, self._on_resume)

    def conditions(self) -> list[Condition]:
        """Return the faults."""
        return [*super().conditions(), *crowd_conditions(self.actor.is_full, OF_TARGET)]

    def _on_goal(self, message: PoseStamped) -> None:
        """Go to a place that an operator sends; its height does not count."""
        frame, place = message.header.frame_id, message.pose.position
        if frame not in ('', MAP_FRAME):
            fault = f'frame {shown(frame)} must be {MAP_FRAME}'
        elif not (math.isfinite(place.x) and math.isfinite(place.y)):
            fault = f'place {place.x:g}, {place.y:g} m must be finite'
        elif self._settings.target_motion_speed_xy == 0.0:
            fault = 'the target stands: target_motion_speed_xy is 0 m/s, set it first'
        else:
            self.actor.goal = place.x, place.y
            self.get_logger().info(f'sent to {place.x:g}, {place.y:g} m; resume lets it go on')
            return
        self.health.refuse(self.resolve_topic_name(GOAL_POSE), fault)

    def _on_resume(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        """Let the target move itself again."""
        response.success, was_sent = True, self.actor.goal is not None
        self.actor.goal = None
        response.message = 'moves itself again' if was_sent else 'moves itself already'
        return response

    def doubts(self) -> list[str]:
        """Return what vehicles such as its own cannot follow."""
        most = self._limits.max_speed_xy
        return without_sections(target_warnings(self._settings, self.swarm, most))


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [TargetNode()], args)
