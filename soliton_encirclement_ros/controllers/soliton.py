"""Our law: dead reckoning, places between several neighbours, saturation by rank.

Everything is relative to where the target is now, not where it was; docs/law.md has the law, its
stability and its bounds. Nothing in it integrates an error, so nothing winds up; the one state on
the way to the command, the followed turn rate, is set back to what saturation left of it.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.time import to_ns, to_seconds

from soliton_encirclement_ros.controllers.controller import Broadcast, Setup, View
from soliton_encirclement_ros.core.encirclement import Gains, Polar, Wanted
from soliton_encirclement_ros.core.finite import finite_or_zero
from soliton_encirclement_ros.core.neighbour_tracks import NeighbourTracks, Track
from soliton_encirclement_ros.core.pursuit import (
    LEAST_BRAKING,
    PursuitGains,
    followed_spin,
    pursue,
    seen,
)
from soliton_encirclement_ros.core.ring import ALONE, Neighbours
from soliton_encirclement_ros.core.ring_sight import Sight, ring_sight
from soliton_encirclement_ros.core.ring_window import (
    IN_PLACE,
    Shift,
    gap_ahead,
    gap_behind,
    window_shift,
)
from soliton_encirclement_ros.core.states import Pose, TargetState
from soliton_encirclement_ros.core.target_track import TargetTrack
from soliton_encirclement_ros.core.telemetry import Quantity

STILL: Vector = (0.0, 0.0, 0.0)
NOTHING = Wanted(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0)


TELEMETRY = {
    'u': Quantity('rad/s', 'turn rate with which the agent goes to its place'),
    'shift': Quantity('rad', 'turn to its place between the neighbours'),
    'w_radial': Quantity('m/s', 'wanted radial speed, outwards'),
    'w_spacing': Quantity('m/s', 'wanted speed along the ring to its place'),
    'w_spin': Quantity('m/s', 'wanted speed along the ring for the spin of the whole ring'),
    'share_radial': Quantity('', 'share of w_radial that the speed limit leaves, 0 to 1'),
    'share_spacing': Quantity('', 'share of w_spacing that the speed limit leaves, 0 to 1'),
    'share_spin': Quantity('', 'share of w_spin that the speed limit leaves, 0 to 1'),
    'target_age': Quantity('s', 'age of the target state in use'),
    'loss': Quantity('', "measured share of the neighbours' messages that are lost, 0 to 1"),
}


class Entry(NamedTuple):
    """One agent on the ring; sorting goes by angle [rad], then id."""

    theta: float
    agent_id: int
    rate: float
    weight: float


class Soliton:
    """One agent's memory of our law."""

    telemetry_quantities = TELEMETRY
    telemetry_names = tuple(TELEMETRY)

    def __init__(self, setup: Setup) -> None:
        """Start without knowledge of anybody."""
        self._take(setup)
        self.reset()

    @property
    def neighbours(self) -> Neighbours:
        """Predecessor and successor of the last step."""
        return self._neighbours

    def retune(self, setup: Setup) -> None:
        """Go on with other gains; what is known of target and neighbours stays."""
        self._take(setup)
        self._track.retune(setup.control.target_acc_filter)
        self._others.retune(setup.control.neighbour_hold_time)

    def reset(self) -> None:
        """Forget everything: what was known before a failure is worth nothing after it."""
        control, swarm = self._control, self._swarm
        self._track = TargetTrack(control.target_acc_filter)
        self._others = NeighbourTracks(
            swarm.control_period, swarm.agent_state_timeout, control.neighbour_hold_time
        )
        self._neighbours = ALONE
        self._shift = IN_PLACE
        self._wanted = NOTHING
        self._omega = 0.0
        self._rate = 0.0
        self._target_age = 0.0
        self._said: tuple[float, Pose] | None = None

    def on_target_state(self, target: TargetState) -> None:
        """Nothing to keep: every step reads the latest weights from the view."""

    def step(self, view: View) -> Vector:
        """Advance by one control period; return the wanted velocity [m/s, map]."""
        tracks = self._others.update(view.now, view.agents)
        lost = self._swarm.target_state_timeout + self._control.target_hold_time
        if view.target is None or view.target_age > lost:
            self.reset()
            return STILL
        self._target_age = view.target_age
        target = self._track.update(view.now, view.target, view.target_age, view.target_alive)
        at = seen(*view.pose, target, self._gains.encirclement.r_min)
        self._look_round(view, view.target, at, tracks)
        self._said = view.now, view.pose
        omega_ref = view.target.omega_ref if view.target_alive else 0.0
        omega = followed_spin(self._omega, omega_ref, self._gains.spin_step)
        done = pursue(
            view.agent_id, *view.pose, target, at, self._shift, omega, self._gains
        )
        self._wanted, self._omega, self._rate = done.wanted, done.omega, done.rate
        return done.velocity

    def broadcast(self) -> Broadcast:
        """Return the turn rate [rad/s] with which the agent goes to its place."""
        return Broadcast(finite_or_zero(self._rate), 0.0)

    def telemetry(self) -> tuple[float, ...]:
        """Return the turn rate u, the shift, wanted speeds, shares, age and loss."""
        w = self._wanted
        return (
            self._rate, self._shift.angle, w.radial, w.spacing, w.spin,
            w.radial_share, w.spacing_share, w.spin_share, self._target_age, self._others.loss,
        )  # fmt: skip

    def _take(self, setup: Setup) -> None:
        self._control = setup.control
        self._swarm = setup.swarm
        self._gains = pursuit_gains(setup)

    def _look_round(
        self, view: View, said: TargetState, at: Polar, tracks: list[Track]
    ) -> None:
        """Find the neighbours and the shift on the ring of those who are there."""
        weights = dict(said.lambdas)
        theta = math.atan2(at.ey, at.ex)
        own = self._as_others_see_it(view, said, theta)
        ring = [Entry(own, view.agent_id, at.rate, weights.get(view.agent_id, 1.0))]
        for track in tracks:
            state, age = track.state, view.now - track.received + track.state.age
            there = self._sight(Pose(state.position, state.velocity), age, said, view.target_age)
            ring.append(
                Entry(there.theta, state.agent_id, there.rate, weights.get(state.agent_id, 1.0))
            )
        ring.sort()
        if len(ring) < 2:
            self._neighbours, self._shift = ALONE, IN_PLACE
            return
        thetas, ids, rates, arcs = zip(*ring, strict=True)
        i = ids.index(view.agent_id)
        after = (i + 1) % len(ids)
        self._neighbours = Neighbours(
            ids[i - 1], ids[after], gap_behind(thetas, i, 1), gap_ahead(thetas, i, 1)
        )
        there = window_shift(thetas, rates, arcs, i, self._control.ring_hops)
        self._shift = Shift(there.angle - wrap_pi(theta - own), there.rate)

    def _as_others_see_it(self, view: View, said: TargetState, theta: float) -> float:
        """Return the own angle [rad] as the neighbours see it from the own last words.

        All agents then sort the same numbers, so they agree on the order, down to equal angles.
        """
        if self._said is None:
            return theta
        said_at, pose = self._said
        age = to_seconds(to_ns(view.now - said_at))
        return self._sight(pose, age, said, view.target_age).theta

    def _sight(self, pose: Pose, age: float, said: TargetState, target_age: float) -> Sight:
        return ring_sight(
            *pose, age, said.position, said.velocity, target_age, self._gains.encirclement.r_min
        )


def pursuit_gains(setup: Setup) -> PursuitGains:
    """Return what a command is made with."""
    control, limits, period = setup.control, setup.limits, setup.swarm.control_period
    law = Gains(
        control.k_r,
        control.k_s,
        control.k_v,
        max(control.approach_share * limits.max_acc_xy, LEAST_BRAKING),
        control.r_min,
        limits.max_speed_xy,
    )
    # A vehicle without lag follows within a tick; a command cannot ask for anything sooner.
    return PursuitGains(
        law,
        setup.swarm.encirclement_radius,
        max(limits.tau_xy or 0.0, period),
        max(limits.tau_z or 0.0, period),
        max(control.approach_share * limits.max_acc_z, LEAST_BRAKING),
        control.k_z,
        control.spin_acc * period,
        control.altitude_offset,
        control.altitude_layers,
        control.altitude_layer_spacing,
    )
