"""The path of a member in its node."""

from rclpy.node import Node
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.live_parameters import TunableNode, differences

from soliton_encirclement_ros.core.member_paths import planned_path
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits, MemberPath
from soliton_encirclement_ros.swarm.path_flight import PathFlight


def path_flight(
    node: Node, path: MemberPath, member: str, limits: CommandLimits, period: float
) -> PathFlight | None:
    """Return the path that a node flies, None without one; machine code is loaded for one only.

    Args:
        node: The node, named in errors; it says in one line what it is going to fly.
        path: Its parameters.
        member: Name of the member.
        limits: Limits of its vehicle.
        period: Time between two commands [s].

    Raises:
        ScenarioError: The path cannot be read or flown.
    """
    if not path.path:
        return None
    from soliton_encirclement_ros.sim.compilation.compiled_leader import fly_compiled

    plan = planned_path(path, member, limits, period, f'{node.get_fully_qualified_name()}: path')
    x, y, z = plan.start
    node.get_logger().info(
        f'flies the path {path.path}: {len(plan.way.vertices)} points from {x:g}, {y:g}, {z:g} m, '
        f'at most {plan.settings.limits.max_speed:.3g} m/s'
    )
    return PathFlight(plan, fly_compiled)


def follow_no_limits(node: TunableNode, limits: CommandLimits) -> None:
    """Refuse other limits in flight of a member that has them for planning its path alone."""
    def refuse(before: CommandLimits, after: CommandLimits) -> None:
        names = ', '.join(differences(before, after))
        raise ParameterError(
            f'{names} cannot change in flight: it is for the plan of a path, which is made at '
            'the start; restart the node'
        )

    node.follow(limits, lambda _: None, refuse)
