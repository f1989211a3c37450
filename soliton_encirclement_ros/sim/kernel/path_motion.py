"""Members on paths: the numbers of ``actors.PathFlight``."""

from velocity_mobility_ros.core.limits import command_velocity
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.trajectory.track_pursuit import TrackGuidance, pursued

from soliton_encirclement_ros.sim.kernel.columns import X, Y, Z
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory


def has_path(rules: Rules, member: int) -> bool:
    """Return whether a member flies a path."""
    return rules.paths.first[member + 1] > rules.paths.first[member]


def is_on_path(rules: Rules, flight: FlightMemory, member: int) -> bool:
    """Return whether a member flies a path that is not over."""
    if not has_path(rules, member):
        return False
    rows = rules.paths.first[member + 1] - rules.paths.first[member]
    return not (rules.paths.ended[member] and flight.path_rows[member] == rows - 1)


def path_command(rules: Rules, flight: FlightMemory, member: int) -> Vector:
    """Return the commanded velocity [m/s, map] of a member on its path."""
    paths, body, how = rules.paths, flight.bodies[member], rules.paths.guidance[member]
    rows = paths.rows[paths.first[member] : paths.first[member + 1]]
    guidance = TrackGuidance(how[0], how[1], how[2], how[3], how[4])
    row, velocity = pursued(rows, flight.path_rows[member], (body[X], body[Y], body[Z]), guidance)
    flight.path_rows[member] = row
    limits = paths.limits[member]
    return command_velocity(velocity[0], velocity[1], velocity[2], limits[0], limits[1])
