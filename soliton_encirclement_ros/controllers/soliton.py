"""The law of the ring: dead reckoning, spacing over several neighbours, saturation by priority.

All values are relative to the present, extrapolated position of the target; docs/research/law.md
has the law, its stability and its bounds. It integrates no error, so there is no windup; the only
state on the way to the command, the rate-limited turn rate, is set back to what saturation left of
it.

Two presets of its parameters have names. ``soliton`` takes received states for the present.
``predictive``, the default, is for late commands, late odometry, noise and poor radios:

- The target's motion is that of a Kalman filter, which measures the noise of the reports. Its
  position is predicted as far as the acceleration limit lets an agent follow.
- The own motion is predicted over the age of the pose and the delay of the vehicle.
- The command holds for a period (``lag_inversion``), and its acceleration is filtered. It may ask
  for more than the vehicle's limit, so that one with a longer lag than assumed keeps up.
- The faster a vehicle answers, the higher its velocity gain (``tracking_gain``).
- The older the target's state, the lower the gains of position: what is not known is not chased.
- Agents relay the newest report of the target, and come closer while none of them receives it.
- While no states get lost, a neighbour that is silent for two periods counts as gone.

docs/research/predictive.md has formulas, figures and limits.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.controllers.encirclement import (
    NONE_YET, STAYS, ApproachUnheard, HeldRadius, held_radius
)
from soliton_encirclement_ros.controllers.ring_flight import (
    REST, TELEMETRY, RingFlightMemory, Tracking, decision, estimate_state, message_of, next_memory,
    pursuit_gains, shift_from_pose, tracking_of, values as flight_values
)
from soliton_encirclement_ros.controllers.velocity_tracking import (
    TrackingGains, contracted, softened, velocity_tracking
)
from soliton_encirclement_ros.core.laws.law import (
    Decision, Law, RingView, Setup, View, agent_state_timeout
)
from soliton_encirclement_ros.core.laws.law_making import (
    NO_MESSAGE, SpacingMessage, neighbour_hold, target_hold
)
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.parameters.control_parameters import PREDICTIVE_PRESET
from soliton_encirclement_ros.core.ring.ring_geometry import (
    IN_PLACE, Polar, Shift, spacing_correction
)
from soliton_encirclement_ros.core.states.received_states import timeout_without_loss


class SolitonGains(NamedTuple):
    """The gains of a command, and how the target is followed, near and out of reach.

    ``gain_age`` [s] is the age of the target's state at which the gains of position are halved,
    infinite for never; ``unheard`` is the approach while the target is not received.
    """

    pursuit: TrackingGains
    tracking: Tracking
    hops: int
    gain_age: float
    unheard: ApproachUnheard


class SolitonMemory(NamedTuple):
    """The memory of a flight, and the radius that is kept."""

    flight: RingFlightMemory
    held: HeldRadius


def step(
    gains: SolitonGains, memory: SolitonMemory, view: View
) -> tuple[SolitonMemory, SpacingMessage, Decision]:
    """Advance by one control period."""
    target = view.target
    pursuit = softened(gains.pursuit, target.age / gains.gain_age)
    state = estimate_state(memory.flight, view, pursuit, gains.tracking)
    ring_radius = held_radius(memory.held, target.fresh, state.at.r, gains.unheard)
    shift = turn_to_place(view.ring, state.at, gains.hops)
    ring_gains = pursuit
    if ring_radius.radius < pursuit.radius:  # the target is not heard on the wanted ring
        ring_gains = contracted(pursuit, ring_radius.radius)
    done = velocity_tracking(
        view.agent_id, state.position, state.velocity, state.motion, state.at, shift,
        state.omega, memory.flight.acceleration, ring_gains,
    )  # fmt: skip
    after = SolitonMemory(next_memory(view, state, shift, done), ring_radius)
    return after, message_of(done), decision(view, done)


def turn_to_place(ring: RingView, at: Polar, hops: int) -> Shift:
    """Return the turn of an agent to its place on the ring."""
    count, place = ring.count, ring.place
    if count < 2:
        return IN_PLACE
    correction = spacing_correction(
        ring.thetas[:count], ring.rates[:count], ring.weights[:count], place, at.rate, hops
    )
    return shift_from_pose(correction, ring, at)


def reset(memory: SolitonMemory) -> SolitonMemory:
    """Reset the memory: the state before a failure is not valid after it."""
    return AT_REST


def values(memory: SolitonMemory) -> tuple[float, ...]:
    """Return the values of a flight."""
    return flight_values(memory.flight)


def values_and_radius(memory: SolitonMemory) -> tuple[float, ...]:
    """Return the values of a flight, and the radius that is kept."""
    return (*flight_values(memory.flight), memory.held.radius)


def gains_of(setup: Setup) -> SolitonGains:
    """Return the gains of the law."""
    control, pursuit = setup.control, pursuit_gains(setup)
    # Without relayed reports one lost message after the other looks like a target out of reach.
    share = control.unheard_share if control.target_relay else STAYS
    growth = control.return_speed * setup.swarm.control_period
    return SolitonGains(
        pursuit,
        tracking_of(setup),
        control.ring_hops,
        math.inf if control.gain_age is None else control.gain_age,
        ApproachUnheard(pursuit.radius, share, growth),
    )


def neighbour_timeout(setup: Setup) -> float:
    """Return the silence of a neighbour [s] after which it counts as gone without loss."""
    wanted, swarm = setup.control.lossless_timeout, setup.swarm
    if wanted is None:
        return agent_state_timeout(setup)
    return timeout_without_loss(wanted, swarm.control_period, swarm.agent_state_timeout)


AT_REST = SolitonMemory(REST, NONE_YET)

SOLITON = Law(
    AT_REST, NO_MESSAGE, gains_of, step, reset, values, TELEMETRY,
    dead_reckoning=True, target_hold=target_hold, neighbour_hold=neighbour_hold,
    neighbour_timeout=neighbour_timeout,
)  # fmt: skip

PREDICTIVE = SOLITON._replace(
    values=values_and_radius,
    telemetry={**TELEMETRY, 'radius': Quantity('m', 'radius that is kept at present')},
    relays_target=True, presets=PREDICTIVE_PRESET,
)  # fmt: skip
