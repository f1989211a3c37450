"""Our law: dead reckoning, places between several neighbours, saturation by rank.

Everything is relative to where the target is now, not where it was; docs/law.md has the law, its
stability and its bounds. Nothing in it integrates an error, so nothing winds up; the one state on
the way to the command, the followed turn rate, is set back to what saturation left of it.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.time import to_ns, to_seconds

from soliton_encirclement_ros.controllers.controller import Broadcast, Setup, View
from soliton_encirclement_ros.core.approach import approach, pull
from soliton_encirclement_ros.core.encirclement import (
    Gains,
    Polar,
    Wanted,
    polar,
    wanted_acceleration,
    wanted_speeds,
)
from soliton_encirclement_ros.core.finite import finite_or_zero
from soliton_encirclement_ros.core.motion import Motion, moved
from soliton_encirclement_ros.core.neighbour_tracks import NeighbourTracks, Track
from soliton_encirclement_ros.core.ring import ALONE, Neighbours
from soliton_encirclement_ros.core.ring_window import (
    IN_PLACE,
    Shift,
    gap_ahead,
    gap_behind,
    window_shift,
)
from soliton_encirclement_ros.core.states import Pose, TargetState
from soliton_encirclement_ros.core.target_track import TargetTrack

STILL: Vector = (0.0, 0.0, 0.0)
LEAST_BRAKING = 1e-6
"""For a vehicle that cannot climb [m/s^2]."""

NOTHING = Wanted(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0)


class Entry(NamedTuple):
    """One agent on the ring; sorting goes by angle [rad], then id."""

    theta: float
    agent_id: int
    rate: float
    weight: float


class Soliton:
    """One agent's memory of our law."""

    telemetry_names = (
        'u', 'shift', 'w_radial', 'w_spacing', 'w_spin',
        'share_radial', 'share_spacing', 'share_spin', 'target_age', 'loss',
    )  # fmt: skip

    def __init__(self, setup: Setup) -> None:
        """Start without knowledge of anybody."""
        self._control = setup.control
        self._swarm = setup.swarm
        self._limits = setup.limits
        self._gains = _gains(setup)
        # A vehicle without lag follows within a tick; a command cannot ask for anything sooner.
        self._tau = max(setup.limits.tau_xy or 0.0, setup.swarm.control_period)
        self._tau_z = max(setup.limits.tau_z or 0.0, setup.swarm.control_period)
        self._brake_z = max(setup.control.approach_share * setup.limits.max_acc_z, LEAST_BRAKING)
        self.reset()

    @property
    def neighbours(self) -> Neighbours:
        """Predecessor and successor of the last step."""
        return self._neighbours

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
        at = _polar(view.pose.position, view.pose.velocity, target, self._gains.r_min)
        self._look_round(view, view.target, target, at, tracks)
        self._said = view.now, view.pose
        self._follow_spin(view.target.omega_ref if view.target_alive else 0.0)
        return self._command(view, target, at)

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

    def _look_round(
        self, view: View, said: TargetState, target: Motion, at: Polar, tracks: list[Track]
    ) -> None:
        """Find the neighbours and the shift on the ring of those who are there."""
        weights = dict(said.lambdas)
        theta = math.atan2(at.ey, at.ex)
        own = self._as_others_see_it(view, target, theta)
        ring = [Entry(own, view.agent_id, at.rate, weights.get(view.agent_id, 1.0))]
        for track in tracks:
            state, age = track.state, view.now - track.received + track.state.age
            seen = self._reckoned(Pose(state.position, state.velocity), age, target)
            weight = weights.get(state.agent_id, 1.0)
            ring.append(
                Entry(math.atan2(seen.ey, seen.ex), state.agent_id, seen.rate, weight)
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
        seen = window_shift(thetas, rates, arcs, i, self._control.ring_hops)
        self._shift = Shift(seen.angle - wrap_pi(theta - own), seen.rate)

    def _as_others_see_it(self, view: View, target: Motion, theta: float) -> float:
        """Return the own angle [rad] as the neighbours reckon it from the own last words.

        All agents then sort the same numbers, so they agree on the order, down to equal angles.
        """
        if self._said is None:
            return theta
        said_at, pose = self._said
        age = to_seconds(to_ns(view.now - said_at))
        seen = self._reckoned(pose, age, target)
        return math.atan2(seen.ey, seen.ex)

    def _reckoned(self, pose: Pose, age: float, target: Motion) -> Polar:
        """Return where a body is whose pose is old; it is taken to accelerate with the target."""
        here = moved(Motion(pose.position, pose.velocity, target.acceleration), age)
        return _polar(here.position, here.velocity, target, self._gains.r_min)

    def _follow_spin(self, omega_ref: float) -> None:
        """Follow the wanted turn rate within what a body can follow."""
        step = self._control.spin_acc * self._swarm.control_period
        self._omega += limit_abs(omega_ref - self._omega, step)

    def _command(self, view: View, target: Motion, at: Polar) -> Vector:
        radius, base = self._swarm.encirclement_radius, target.velocity[:2]
        wanted = wanted_speeds(at, self._shift, self._omega, base, radius, self._gains)
        self._wanted = wanted
        self._omega *= wanted.spin_share
        self._rate = wanted.spacing / max(at.r, self._gains.r_min)
        ax, ay = wanted_acceleration(at, wanted, self._shift, radius, self._gains)
        vx, vy, vz = view.pose.velocity
        ahead = target.acceleration
        return (
            vx + self._tau * (ahead[0] + ax),
            vy + self._tau * (ahead[1] + ay),
            vz + self._tau_z * self._climb(view, target),
        )

    def _climb(self, view: View, target: Motion) -> float:
        """Return the vertical acceleration [m/s^2] that leads to the agent's own layer."""
        control = self._control
        layer = view.agent_id % control.altitude_layers - 0.5 * (control.altitude_layers - 1)
        height = control.altitude_offset + layer * control.altitude_layer_spacing
        missing = target.position[2] + height - view.pose.position[2]
        speed = view.pose.velocity[2] - target.velocity[2]
        wanted, slope = approach(missing, control.k_z, self._brake_z)
        return pull(wanted, speed, slope, -speed, control.k_v)


def _gains(setup: Setup) -> Gains:
    control, limits = setup.control, setup.limits
    return Gains(
        control.k_r,
        control.k_s,
        control.k_v,
        control.approach_share * limits.max_acc_xy,
        control.r_min,
        limits.max_speed_xy,
    )


def _polar(position: Vector, velocity: Vector, target: Motion, r_min: float) -> Polar:
    return polar(
        position[0] - target.position[0],
        position[1] - target.position[1],
        velocity[0] - target.velocity[0],
        velocity[1] - target.velocity[1],
        r_min,
    )
