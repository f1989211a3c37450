"""How far another body may be from where its last message lets one expect it.

    e(A) = a A^2 / 2 + D_b(v + a A) - D_b(v) + sigma

A body that was predicted with constant velocity over the age A has accelerated by at most a: its
position is off by a A^2 / 2, its velocity by a A, its braking distance by the difference. The
difference is a A max(tau, v / a) plus, beyond v = tau a, another a A^2 / 2.
"""

from soliton_encirclement_ros.safety.braking import braking_distance
from soliton_encirclement_ros.safety.codes import AGE, GHOST, KIND
from soliton_encirclement_ros.safety.records import FilterSettings, Rows


def age_ball(age: float, speed: float, a: float, tau: float, noise: float) -> float:
    """Return the largest error [m] of a predicted stopping point.

    Args:
        age: Age of the state [s], clock error included; below 0 counts as 0.
        speed: Speed in that state [m/s].
        a: Largest acceleration [m/s^2].
        tau: Lag [s].
        noise: Error of the measurement [m].
    """
    A = max(0.0, age)
    grown = braking_distance(speed + a * A, a, tau) - braking_distance(speed, a, tau)
    return 0.5 * a * A * A + grown + noise


def ghost_radius(speed: float, run_on: float, margin: float, a: float, tau: float) -> float:
    """Return the error [m] of the stopping point of a body that fell silent.

    It may have flown on for a while before it failed. Its expected stopping point is that of half
    this time (``prediction``): the true one is before or behind it by the speed for the other
    half, and off by the age ball of the whole time.

    Args:
        speed: Speed in its last message [m/s].
        run_on: Longest time between that message and its failure [s].
        margin: Addition [m].
        a: Largest acceleration [m/s^2].
        tau: Lag [s].
    """
    return 0.5 * speed * run_on + age_ball(run_on, speed, a, tau, margin)


def uncertainty(
    settings: FilterSettings, others: Rows, i: int, speed: float, a: float, tau: float
) -> float:
    """Return the error [m] of the stopping point of another body.

    Args:
        settings: Delay, clock error, noise and what is known of silent bodies.
        others: The other bodies.
        i: Its row.
        speed: Speed in its last message [m/s].
        a: Its largest acceleration [m/s^2].
        tau: Its lag [s].
    """
    if others[i][KIND] == GHOST:
        margin = settings.ghost_margin + settings.noise
        return ghost_radius(speed, settings.run_on, margin, a, tau)
    age = others[i][AGE] + settings.delay + settings.clock_error
    return age_ball(age, speed, a, tau, settings.noise)
