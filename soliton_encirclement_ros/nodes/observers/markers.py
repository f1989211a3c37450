"""Markers of the swarm for RViz and Foxglove: bodies and ring."""

import math
from collections.abc import Mapping, Sequence

from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from soliton_encirclement_ros.core.states.swarm_topics import uav
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.node_time import ns_to_time
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

BLUE = ColorRGBA(r=0.12, g=0.47, b=0.9, a=1.0)
RED = ColorRGBA(r=0.85, g=0.15, b=0.15, a=1.0)
GREEN = ColorRGBA(r=0.1, g=0.65, b=0.3, a=1.0)
ORANGE = ColorRGBA(r=0.95, g=0.55, b=0.1, a=1.0)
GREY = ColorRGBA(r=0.6, g=0.6, b=0.6, a=0.8)

RING_POINTS = 72
BODY_SIZE = 1.5
"""Diameter [m] of a body in the markers, enlarged to be visible."""


MOST_SINGLE = 100
"""Agents with a marker and a label each; more are drawn as two lists, up and down."""


SeenAgent = tuple[Vector, bool]
"""Position [m, map] of an agent, and whether it is down."""


def swarm_markers(
    stamp_ns: int,
    agents: Mapping[int, SeenAgent],
    target: Vector | None,
    adversary: Vector | None,
    radius: float,
) -> MarkerArray:
    """Return the markers of the swarm.

    Args:
        stamp_ns: Time of the markers [ns].
        agents: Those of whom something is known, by number.
        target: Position [m, map] of the target, if known.
        adversary: Position [m, map] of the adversary, if known.
        radius: Desired ring radius [m].
    """
    stamp = ns_to_time(stamp_ns)
    markers = _agents(agents)
    if target is not None:
        markers.append(_body('target', 0, target, GREEN))
        markers.append(_ring(target, radius))
    if adversary is not None:
        markers.append(_body('adversary', 0, adversary, ORANGE))
    for marker in markers:
        marker.header.stamp = stamp
        marker.header.frame_id = MAP_FRAME
        marker.pose.orientation.w = 1.0
    return MarkerArray(markers=markers)


def _agents(agents: Mapping[int, SeenAgent]) -> list[Marker]:
    if len(agents) > MOST_SINGLE:
        return [
            _bodies(number, [at for at, failed in agents.values() if failed == down], colour)
            for number, (down, colour) in enumerate(((False, BLUE), (True, RED)))
        ]
    markers = []
    for agent_id, (position, failed) in sorted(agents.items()):
        markers.append(_body('agents', agent_id, position, RED if failed else BLUE))
        markers.append(_label(agent_id, position))
    return markers


def _bodies(number: int, positions: Sequence[Vector], colour: ColorRGBA) -> Marker:
    marker = Marker(ns='agents', id=number, type=Marker.SPHERE_LIST, color=colour)
    marker.points = [Point(x=x, y=y, z=z) for x, y, z in positions]
    marker.scale.x = marker.scale.y = marker.scale.z = BODY_SIZE
    return marker


def _body(space: str, number: int, position: Vector, colour: ColorRGBA) -> Marker:
    marker = Marker(ns=space, id=number, type=Marker.SPHERE, color=colour)
    _place(marker, position)
    marker.scale.x = marker.scale.y = marker.scale.z = BODY_SIZE
    return marker


def _label(agent_id: int, position: Vector) -> Marker:
    marker = Marker(ns='labels', id=agent_id, type=Marker.TEXT_VIEW_FACING, color=GREY)
    _place(marker, (position[0], position[1], position[2] + 1.5 * BODY_SIZE))
    marker.text = uav(agent_id)
    marker.scale.z = BODY_SIZE
    return marker


def _ring(centre: Vector, radius: float) -> Marker:
    marker = Marker(ns='ring', id=0, type=Marker.LINE_STRIP, color=GREY)
    _place(marker, centre)
    marker.scale.x = 0.15
    angles = [2.0 * math.pi * i / RING_POINTS for i in range(RING_POINTS + 1)]
    marker.points = [
        Point(x=radius * math.cos(angle), y=radius * math.sin(angle)) for angle in angles
    ]
    return marker


def _place(marker: Marker, position: Vector) -> None:
    place = marker.pose.position
    place.x, place.y, place.z = position
