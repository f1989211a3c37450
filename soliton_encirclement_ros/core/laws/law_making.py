"""Builds a law from the author's code: a step, and optional parts."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law import (
    Decision, Law, Memory, Message, Setup, View, nearest, nearest_error
)
from soliton_encirclement_ros.core.laws.record_rows import field_names, picking
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from velocity_mobility_ros.core.parameter_declaration import Declaration, Parameters, declarations
from velocity_mobility_ros.core.user_errors import shown
from velocity_mobility_ros.core.velocity_model import Vector


class SpacingMessage(NamedTuple):
    """The message of a law with one number, u, and its curvature."""

    u: float
    u_ss: float


NO_MESSAGE = SpacingMessage(0.0, 0.0)


class Common(NamedTuple):
    """Values that every law may use.

    ``radius`` and ``r_min`` are in m, ``period`` in s, ``max_speed`` in m/s, ``max_acc`` in m/s^2;
    ``tau`` [s] is the lag of the vehicle's horizontal velocity, at least the period.
    """

    radius: float
    r_min: float
    period: float
    max_speed: float
    max_acc: float
    tau: float


@dataclass(frozen=True)
class LawParameters(Parameters, live=True):
    """Base of the parameters of a law: a running node takes new values."""


def common(setup: Setup) -> Common:
    """Return the values that every law may use."""
    limits, swarm = setup.limits, setup.swarm
    return Common(
        swarm.encirclement_radius,
        setup.control.r_min,
        swarm.control_period,
        limits.max_speed_xy,
        limits.max_acc_xy,
        max(limits.tau_xy or 0.0, swarm.control_period),
    )


def make_law(
    step: Callable[..., tuple[Memory, Message, Decision]],
    rest: Memory,
    parameters: type[Parameters] = LawParameters,
    telemetry: Mapping[str, Quantity] | None = None,
    no_message: Message = NO_MESSAGE,
    reset: Callable[[Memory], Memory] | None = None,
    dead_reckoning: bool = True,
) -> Law:
    """Return a law.

    Args:
        step: ``(gains, memory, view)`` to the next memory, the message and the decision. ``gains``
            has every number of the parameters by its name, and ``common``.
        rest: The memory of an agent that has just been switched on.
        parameters: The record of the law's own parameters.
        telemetry: Unit and meaning of the fields of the memory that are recorded; none: all.
        no_message: The message before the first step.
        reset: The memory after a failure; none: ``rest``.
        dead_reckoning: As of ``Law``.

    Raises:
        LawError: The memory is no NamedTuple, or lacks a field that telemetry names.
    """
    if not hasattr(rest, '_fields'):
        raise LawError(f'the memory {shown(rest)} must be a NamedTuple of numbers')
    names = field_names(rest)
    chosen = telemetry or {name: Quantity('', 'of the memory') for name in names}
    for name in chosen:
        if name not in names:
            raise LawError(f'telemetry {name!r}: the memory has only {", ".join(names)}')
    kind = gains_kind(parameters, Common)

    def gains_of(setup: Setup) -> Any:
        return kind(*own_values(parameters, setup.control).values(), common(setup))

    return Law(
        rest, no_message, gains_of, step, reset or (lambda memory: rest),
        picking(rest, list(chosen)), chosen, dead_reckoning, target_hold, neighbour_hold,
        parameters,
    )  # fmt: skip


def decided(view: View, velocity: Vector) -> Decision:
    """Return the decision of a law whose neighbours are those just beside the agent.

    Args:
        view: Inputs of the agent.
        velocity: The desired velocity [m/s, map].
    """
    near = nearest(view.ring)
    return Decision(velocity, near.pred, near.succ, nearest_error(view.ring))


def own_values(parameters: type[Parameters], section: Parameters) -> dict[str, Any]:
    """Return the values of a law's own parameters as numbers, by name.

    Args:
        parameters: The record of the law's own parameters.
        section: The section of the scenario; parameters that it lacks have their defaults.
    """
    return {
        name: _number(declared, getattr(section, name, declared.default))
        for name, declared in declarations(parameters).items()
    }


def gains_kind(
    parameters: type[Parameters], common: type | None = None, name: str = 'Gains'
) -> Any:
    """Return the record of gains: every own parameter by name, and ``common`` ones of all laws."""
    fields: list[tuple[str, Any]] = [(parameter, float) for parameter in declarations(parameters)]
    return NamedTuple(name, [*fields, *([('common', common)] if common else [])])


def _number(declaration: Declaration, value: Any) -> float | int | bool:
    """Return a value as a number: the index of a choice, NaN for a missing one."""
    if value is None:
        return math.nan
    return declaration.choices.index(value) if isinstance(value, str) else value


def target_hold(setup: Setup) -> float:
    """Return the age of the target's state [s] beyond which it is lost."""
    return setup.swarm.target_state_timeout + setup.control.target_hold_time


def neighbour_hold(setup: Setup) -> float:
    """Return the longest silence of a neighbour [s] that is tolerated."""
    return setup.control.neighbour_hold_time
