"""A reference between command and autopilot: its velocity is sent, and its acceleration.

An autopilot corrects the difference to a velocity by feedback alone: PX4 accelerates by 1.8 times
the difference, so that it is late, and slower by what drag takes: in its simulator SIH it reached
0.64 of a command at once and the rest over seconds. The reference moves by the law of the velocity
model; with the acceleration that belongs to its motion the autopilot follows it closely:

    v' = v + a dt,  a = (c - v) / tau within reference_acc_xy      (core.model)
    a_sent = (v' - v) / dt + drag v'

Source: feed-forward of MulticopterPositionControl, which adds the acceleration of a setpoint to
the output of its velocity loop.
"""

from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.outputs import NO_ACCELERATION
from velocity_mobility_ros.core.limits import limit_xy
from velocity_mobility_ros.core.model import Vector, change_xy


def followed(settings: GuidanceParameters, last: Vector, command: Vector, dt: float) -> Vector:
    """Return the velocity of the reference after a command [m/s]; the vertical one is commanded.

    Args:
        settings: Lag, not none, and largest acceleration.
        last: The velocity before [m/s].
        command: The commanded velocity [m/s].
        dt: Time since then [s].
    """
    (x, y, _), (cx, cy, cz) = last, command
    tau = max(settings.reference_tau_xy or 0.0, dt)
    dx, dy = change_xy(cx - x, cy - y, dt, settings.reference_acc_xy, tau)
    return x + dx, y + dy, cz


def fed_forward(settings: GuidanceParameters, last: Vector, now: Vector, dt: float) -> Vector:
    """Return the acceleration that belongs to a change of the velocity [m/s^2]; vertical: 0.

    Args:
        settings: Drag and largest acceleration.
        last: The velocity before [m/s].
        now: The velocity now [m/s].
        dt: Time between both [s]; 0: not known, there is no acceleration.
    """
    if not dt > 0.0:
        return NO_ACCELERATION
    ax, ay = (now[0] - last[0]) / dt, (now[1] - last[1]) / dt
    ax, ay = limit_xy(ax, ay, settings.reference_acc_xy)
    return ax + settings.drag_xy * now[0], ay + settings.drag_xy * now[1], 0.0
