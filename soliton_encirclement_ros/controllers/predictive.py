"""``soliton`` with prediction: for late commands, late odometry, noise and poor radios.

Same geometry, same saturation. Different is what it takes for the present, and how it asks for an
acceleration:

- The target's motion is that of a Kalman filter, which measures the noise of the reports. Its
  position is predicted as far as the acceleration limit lets an agent follow.
- The own motion is predicted over the age of the pose and the delay of the vehicle.
- The command holds for a period (``lag_inversion``), and its acceleration is filtered. It may ask
  for more than the vehicle's limit, so that one with a longer lag than assumed keeps up.
- The faster a vehicle answers, the higher its velocity gain (``tracking_gain``).
- The older the target's state, the lower the gains of position: what is not known is not chased.
- Agents pass on the newest report of the target, and come closer while none of them hears it.
- While no states get lost, a neighbour that is silent for two periods counts as gone.

docs/predictive.md has formulas, figures and limits.
"""

from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.core.parameter_declaration import parameter

from soliton_encirclement_ros.controllers.encirclement import (
    NONE_YET,
    STAYS,
    ApproachUnheard,
    KeptRadius,
    kept_radius,
)
from soliton_encirclement_ros.controllers.lag_inversion import lag_inversion
from soliton_encirclement_ros.controllers.ring_flight import (
    REST,
    TELEMETRY,
    Message,
    decided,
    look,
    message_of,
    pursuit_gains,
    remembered,
    tracking_of,
)
from soliton_encirclement_ros.controllers.ring_flight import Memory as FlightMemory
from soliton_encirclement_ros.controllers.ring_flight import values as flight_values
from soliton_encirclement_ros.controllers.soliton import (
    SOLITON,
    SolitonLawGains,
    turn_to_place,
)
from soliton_encirclement_ros.controllers.velocity_tracking import (
    LEAST_BRAKING,
    contracted,
    softened,
    velocity_tracking,
)
from soliton_encirclement_ros.core.laws.law import Decision, Setup, View
from soliton_encirclement_ros.core.laws.law_making import LawParameters, own_values
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.stability.gain_bound import LARGEST_FILTER_SHARE, tracking_gain
from soliton_encirclement_ros.core.states.message_acceptance import timeout_without_loss
from soliton_encirclement_ros.core.states.target_filter import TargetModel


@dataclass(frozen=True)
class Parameters(LawParameters):
    """Gains of the law; altitude, spin and timeouts are those of ``soliton``."""

    k_radius: float = parameter(1.15, 'gain towards the ring', unit='1/s', above=0.0)
    k_spacing: float = parameter(1.3, 'gain towards the place on it', unit='1/s', above=0.0)
    k_velocity: float = parameter(
        1.75, 'least gain of velocity tracking', unit='1/s', above=0.0
    )
    velocity_share: float = parameter(
        0.6, 'gain of velocity tracking times lag and 1.5 control periods, if that is more than '
        'k_velocity',
        minimum=0.0, maximum=1.0,
    )  # fmt: skip
    hops: int = parameter(
        3, 'neighbours per side that are used for spacing', minimum=1, maximum=100
    )
    radius_acc: float = parameter(
        0.82, 'share of the acceleration limit for the approach to the ring',
        above=0.0, maximum=1.0,
    )  # fmt: skip
    spacing_acc: float = parameter(
        0.62, 'the same for the approach to the place on it', above=0.0, maximum=1.0
    )
    acc_filter: float = parameter(
        0.05, 'time constant of the filter of the wanted acceleration, at most a quarter of '
        'the lag',
        unit='s', minimum=0.0, maximum=0.3,
    )  # fmt: skip
    acc_limit: float = parameter(
        1.6, 'largest acceleration that a command asks for, as a multiple of the limit',
        minimum=1.0, maximum=10.0,
    )  # fmt: skip
    target_acc: float = parameter(
        2.75, 'standard deviation of the target acceleration', unit='m/s^2', minimum=0.0
    )
    target_acc_memory: float = parameter(
        0.45, 'correlation time of the target acceleration', unit='s', above=0.0
    )
    target_acc_used: float = parameter(
        0.85, 'share of the target acceleration that is fed forward', minimum=0.0, maximum=1.0
    )
    gain_age: float = parameter(
        1.2, 'age of the target state at which k_radius and k_spacing are halved',
        unit='s', above=0.0,
    )  # fmt: skip
    unheard_share: float = parameter(
        0.75, 'share of its distance to which an agent comes closer while nobody hears the '
        'target; 1: it stays',
        minimum=0.5, maximum=1.0,
    )  # fmt: skip
    lossless_timeout: float = parameter(
        0.1, 'silence after which a neighbour counts as gone while no states get lost; at least '
        '2.5 control periods, at most agent_state_timeout',
        unit='s', above=0.0,
    )  # fmt: skip
    return_speed: float = parameter(
        0.2, 'speed of the way back to the full radius', unit='m/s', above=0.0
    )


class Gains(NamedTuple):
    """Gains that ``soliton`` has too, and what is done without the target."""

    flight: SolitonLawGains
    unheard: ApproachUnheard


class Memory(NamedTuple):
    """The memory that ``soliton`` has too, and the radius that is kept."""

    flight: FlightMemory
    kept: KeptRadius


def step(gains: Gains, memory: Memory, view: View) -> tuple[Memory, Message, Decision]:
    """Advance by one control period."""
    flight, target = gains.flight, view.target
    pursuit = softened(flight.pursuit, target.age / flight.gain_age)
    sight = look(memory.flight, view, pursuit, flight.tracking)
    kept = kept_radius(memory.kept, target.fresh, sight.at.r, gains.unheard)
    shift = turn_to_place(view.ring, sight.at, flight.hops)
    chosen = pursuit
    if kept.radius < pursuit.radius:  # the target is not heard on the wanted ring
        chosen = contracted(pursuit, kept.radius)
    done = velocity_tracking(
        view.agent_id, sight.position, sight.velocity, sight.motion, sight.at, shift,
        sight.omega, memory.flight.acceleration, chosen,
    )  # fmt: skip
    after = Memory(remembered(view, sight, shift, done), kept)
    return after, message_of(done), decided(view, done)


def reset(memory: Memory) -> Memory:
    """Reset the memory: the state before a failure is not valid after it."""
    return AT_REST


def values(memory: Memory) -> tuple[float, ...]:
    """Return the values that ``soliton`` records too, and the radius."""
    return (*flight_values(memory.flight), memory.kept.radius)


def gains_of(setup: Setup) -> Gains:
    """Return the gains of the law."""
    own, limits = own_values(Parameters, setup.control), setup.limits
    period, pursuit, tracking = (
        setup.swarm.control_period, pursuit_gains(setup), tracking_of(setup)
    )  # fmt: skip
    lag = lag_inversion(
        True, limits.tau_xy, limits.max_acc_xy, period, LARGEST_FILTER_SHARE, own['acc_filter'],
        own['acc_limit'],
    )  # fmt: skip
    law = pursuit.encirclement._replace(
        k_r=own['k_radius'],
        k_s=own['k_spacing'],
        k_v=tracking_gain(own['k_velocity'], own['velocity_share'], limits.tau_xy, period),
        approach=max(own['radius_acc'] * limits.max_acc_xy, LEAST_BRAKING),
        spacing=max(own['spacing_acc'] * limits.max_acc_xy, LEAST_BRAKING),
    )
    tracking = tracking._replace(
        is_filtered=True,
        acc_filter=0.0,
        model=TargetModel(own['target_acc'], own['target_acc_memory'], period),
        acc_share=own['target_acc_used'],
        own=tracking.own._replace(is_on=True),
    )
    flight = SolitonLawGains(
        pursuit._replace(encirclement=law, lag=lag), tracking, int(own['hops']), own['gain_age']
    )
    # Without relayed reports one lost message after the other looks like a target out of reach.
    share = own['unheard_share'] if setup.control.target_relay else STAYS
    unheard = ApproachUnheard(pursuit.radius, share, own['return_speed'] * period)
    return Gains(flight, unheard)


def neighbour_timeout(setup: Setup) -> float:
    """Return the silence of a neighbour [s] after which it counts as gone without loss."""
    wanted, swarm = own_values(Parameters, setup.control)['lossless_timeout'], setup.swarm
    return timeout_without_loss(wanted, swarm.control_period, swarm.agent_state_timeout)


AT_REST = Memory(REST, NONE_YET)

PREDICTIVE = SOLITON._replace(
    rest=AT_REST, gains=gains_of, step=step, reset=reset, values=values,
    telemetry={**TELEMETRY, 'radius': Quantity('m', 'radius that is kept at present')},
    parameters=Parameters, relays_target=True, neighbour_timeout=neighbour_timeout,
)  # fmt: skip
