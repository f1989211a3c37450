"""Stability of a propagation layer at a given control period.

Near rest a layer is linear, and on a ring every disturbance is a sum of waves exp(i theta k) over
the agents k. One tick multiplies such a wave by the larger root z of ``z^2 - trace z + det``;
the step is stable where |z| <= 1 for every theta from 0 to pi. One function per layer gives the
two coefficients. With the control period T:

    advection   T (alpha + 2 c + 4 D) <= 2
    wave        T^2 (alpha_q + 4 c_sq) + 2 T gamma <= 4
    excitable   about 4 D_v T < 2, by the roots of four substeps with a frozen diffusion
    kdv         |1 - gamma T| sqrt(1 + b^2) <= 1 - b^2,  b = 1.5 sqrt(3) beta_disp T
    burgers     T (gamma + 2 a + 4 nu) <= 2 on a field of the largest speed, with
                a = alpha_nl sat(q_clamp)

Baseline and alarm are always stable: alarms lose intensity and end.

An excitable cell (FitzHugh-Nagumo) without input rests where both of its rates are zero
(``resting_point``).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters

FIRST_GUESS = -1.2
MAX_STEPS = 60
MIN_SLOPE = 1e-14
MIN_STEP = 1e-12


def resting_point(a: float, b: float) -> tuple[float, float]:
    """Return V and W at rest, ``V - V^3/3 = W``, ``W = (V + a) / b``, by Newton's method.

    Args:
        a: Offset of the recovery.
        b: Slope of the recovery, above 0.
    """
    v = FIRST_GUESS
    for _ in range(MAX_STEPS):
        slope = 1.0 - v * v - 1.0 / b
        if abs(slope) < MIN_SLOPE:
            break
        step = (v - v * v * v / 3.0 - (v + a) / b) / slope
        v -= step
        if abs(step) < MIN_STEP:
            break
    return v, (v + a) / b


THETAS = np.linspace(0.0, math.pi, 91)
"""The evaluated waves."""

SLACK = 1e-9
BISECTIONS = 40
MIN_PERIOD = 1e-3
"""Shortest allowed control period [s]."""


Roots = tuple[Any, Any]
"""Trace and determinant of the polynomial ``z^2 - trace z + det`` of a tick, for every theta."""

Waves = Callable[[PropagationParameters, float, Any], Roots]


def advection(p: PropagationParameters, dt: float, theta: Any) -> Roots:
    """Return the polynomial of either field; the other root is 0."""
    real = p.advection_alpha + (p.advection_c + 2.0 * p.advection_d) * (1.0 - np.cos(theta))
    return 1.0 - dt * (real + 1j * p.advection_c * np.sin(theta)), 0.0


def wave(p: PropagationParameters, dt: float, theta: Any) -> Roots:
    """Return the polynomial of displacement and rate."""
    stiffness = p.wave_alpha_q + 2.0 * p.wave_c_sq * (1.0 - np.cos(theta))
    damping = dt * p.wave_gamma
    return 2.0 - damping - dt * dt * stiffness, 1.0 - damping


def excitable(p: PropagationParameters, dt: float, theta: Any) -> Roots:
    """Return the polynomial of potential and recovery near rest, over four substeps."""
    v_rest, _ = resting_point(p.excitable_a, p.excitable_b)
    h, eps = dt / 4.0, p.excitable_epsilon
    fast = 1.0 + h * (1.0 - v_rest * v_rest) / eps
    spread = -2.0 * p.excitable_dv * (1.0 - np.cos(theta))
    columns = []
    for v, w in ((1.0, 0.0), (0.0, 1.0)):
        frozen = h * spread * v
        for _ in range(4):
            v, w = fast * v - h * w / eps + frozen, w + h * eps * (v - p.excitable_b * w)
        columns.append((v, w))
    (vv, wv), (vw, ww) = columns
    return vv + ww, vv * ww - vw * wv


def kdv(p: PropagationParameters, dt: float, theta: Any) -> Roots:
    """Return the polynomial of q and its curvature, which neighbours receive one tick late."""
    dispersion = 2.0 * dt * p.kdv_beta_disp * np.sin(theta) * (1.0 - np.cos(theta))
    return 1.0 - dt * p.kdv_gamma, -1j * dispersion


def burgers(p: PropagationParameters, dt: float, theta: Any) -> Roots:
    """Return the polynomial of a wave on a field of the largest speed, in the worse direction."""
    q = p.burgers_q_clamp
    if p.burgers_q_max > 0.0:
        q = p.burgers_q_max * math.tanh(q / p.burgers_q_max)
    speed = p.burgers_alpha_nl * q * np.array([[1.0], [-1.0]])
    real = p.burgers_gamma + (speed + 2.0 * p.burgers_nu) * (1.0 - np.cos(theta))
    return 1.0 - dt * (real + 1j * speed * np.sin(theta)), 0.0


WAVES: dict[str, Waves] = {
    'advection': advection, 'wave': wave, 'excitable': excitable, 'kdv': kdv, 'burgers': burgers,
}  # fmt: skip


def growth(parameters: PropagationParameters, control_period: float) -> float:
    """Return the factor by which the worst small wave grows per tick of a period [s]."""
    waves = WAVES.get(parameters.propagation_method)
    if waves is None:
        return 0.0
    trace, det = waves(parameters, control_period, THETAS)
    root = np.sqrt(trace * trace - 4.0 * det + 0j)
    return float(np.maximum(abs(trace + root), abs(trace - root)).max()) / 2.0


def longest_period(parameters: PropagationParameters, unstable: float) -> float:
    """Return the longest stable control period [s] below an unstable one, 0 if there is none."""
    low, high = MIN_PERIOD, unstable
    if growth(parameters, low) > 1.0 + SLACK:
        return 0.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if growth(parameters, middle) > 1.0 + SLACK:
            high = middle
        else:
            low = middle
    return low


def stability_warnings(parameters: PropagationParameters, control_period: float) -> list[str]:
    """Return one line if the layer in use is unstable at a control period [s]."""
    factor = growth(parameters, control_period)
    if factor <= 1.0 + SLACK:
        return []
    longest = longest_period(parameters, control_period)
    remedy = (
        f'it is stable up to about {longest:.3g} s' if longest else 'it is unstable at any period'
    )
    return [
        f'propagation.propagation_method = {parameters.propagation_method!r} is unstable at '
        f'swarm.control_period = {control_period} s: small disturbances grow {factor:.3g} times '
        f'per tick; {remedy}'
    ]
