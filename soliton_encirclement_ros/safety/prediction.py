"""Where vehicles are when a command takes effect."""

from velocity_mobility_ros.vehicles.held_command import held_command

from soliton_encirclement_ros.safety.braking import (
    BrakingPath,
    braked_speed,
    braking_path,
    travelled,
)
from soliton_encirclement_ros.safety.codes import AGE, GHOST, KIND, VX, VY, X, Y
from soliton_encirclement_ros.safety.records import FilterSettings, OwnState, Rows, Vector


def state_at_effect(settings: FilterSettings, own: OwnState, previous: Vector) -> OwnState:
    """Return the own state when the new command takes effect, by the steps of the vehicle model.

    Args:
        settings: Limits, delay and step.
        own: The state now.
        previous: The command that is still in effect [m/s].
    """
    steps = int(settings.delay / settings.update + 0.5)
    position, velocity = held_command(
        own.position, own.velocity, previous, settings.update, steps, settings.limits
    )
    return OwnState(position, velocity)


def other_path(
    settings: FilterSettings, others: Rows, i: int, a: float, tau: float
) -> BrakingPath:
    """Return the braking path of another body when the own command takes effect.

    A body that was heard is predicted with its last velocity. One that fell silent has flown on
    for half of the longest time for which it may have, and braked since.

    Args:
        settings: The delay.
        others: The other bodies.
        i: Its row.
        a: Its largest acceleration [m/s^2].
        tau: Its lag [s].
    """
    x, y, vx, vy = others[i][X], others[i][Y], others[i][VX], others[i][VY]
    age = others[i][AGE] + settings.delay
    if others[i][KIND] != GHOST:
        return braking_path(x + age * vx, y + age * vy, vx, vy, a, tau)
    on = 0.5 * settings.run_on
    path, braked = braking_path(x + on * vx, y + on * vy, vx, vy, a, tau), max(0.0, age - on)
    way, _, _ = travelled(path, braked, a, tau)
    speed = braked_speed(path, braked, a, tau)
    return braking_path(
        path.x + way * path.ux, path.y + way * path.uy, speed * path.ux, speed * path.uy, a, tau
    )
