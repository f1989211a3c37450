"""Cyclic pursuit: every agent turns towards the one ahead of it (after Kim and Sugie, 2007)."""

from dataclasses import dataclass
from typing import NamedTuple

from soliton_encirclement_ros.core.laws import (
    LawParameters, SpacingMessage, decided, length, make_law, nearest, parameter
)


@dataclass(frozen=True)
class Parameters(LawParameters):
    k_pursuit: float = parameter(0.3, 'gain towards the agent ahead', unit='1/s', above=0.0)
    k_radius: float = parameter(1.0, 'gain towards the ring', unit='1/s', above=0.0)


class Memory(NamedTuple):
    turn: float


def step(gains, memory, view):
    target = view.target
    turn = gains.k_pursuit * nearest(view.ring).gap_succ
    dx, dy = view.position[0] - target.position[0], view.position[1] - target.position[1]
    r = max(length(dx, dy), gains.common.r_min)
    out = gains.k_radius * (gains.common.radius - r) / r
    vx, vy, vz = target.velocity
    velocity = (vx + out * dx - turn * dy, vy + out * dy + turn * dx, vz)
    return Memory(turn), SpacingMessage(turn, 0.0), decided(view, velocity)


LAW = make_law(step, Memory(0.0), Parameters)
