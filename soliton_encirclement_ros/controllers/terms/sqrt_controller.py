"""Square-root controller: proportional for small errors, a square root for large ones.

    v(e) = k e                                       for |e| <= a / k^2
    v(e) = sign(e) sqrt(2 a (|e| - a / (2 k^2)))     beyond

Value and slope are continuous. Following the square root takes the constant deceleration ``a``, so
a body that can brake with ``a`` arrives without overshoot from any distance. Autopilots use it
under this name.
"""

import math


def sqrt_controller(error: float, gain: float, deceleration: float) -> tuple[float, float]:
    """Return the speed [m/s] towards the goal, and its slope over the error [1/s].

    Args:
        error: Signed distance to the goal [m].
        gain: Slope k near the goal [1/s], above 0.
        deceleration: Braking a [m/s^2], above 0.
    """
    linear = deceleration / (gain * gain)
    size = abs(error)
    if size <= linear:
        return gain * error, gain
    speed = math.sqrt(2.0 * deceleration * (size - 0.5 * linear))
    return math.copysign(speed, error), deceleration / speed


def pull(wanted: float, speed: float, slope: float, error_rate: float, k_v: float) -> float:
    """Return the acceleration [m/s^2] with which a body follows its approach.

        a = k_v (w - v) + w' e'          poles -k_v and -k near the goal, no overshoot

    Args:
        wanted: Desired speed w [m/s].
        speed: Speed v [m/s].
        slope: Slope w' of the approach [1/s].
        error_rate: Rate e' of the error [m/s]; -v for a goal at rest.
        k_v: Gain of the speed [1/s].
    """
    return k_v * (wanted - speed) + slope * error_rate
