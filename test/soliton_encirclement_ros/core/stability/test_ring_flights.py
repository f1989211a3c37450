"""The nonlinear swarm grows and dies away as the linear model says, on both sides of its limit."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.stability.agent_loop import (
    AgentLoop, OwnPrediction, slowest_decay
)
from soliton_encirclement_ros.core.stability.gain_bound import assumed_lag, filter_follows
from soliton_encirclement_ros.core.stability.law_stability import swarm_factors
from soliton_encirclement_ros.core.states.swarm_topics import uav
from support.plain_loop import SwarmLoop
from support.stability import largest_gain

TURN = 2.0 * math.pi
RADIUS = 20.0
UPDATE = 0.01
SETTLING = 60
TICKS = 700
BEGUN = 20
"""Ticks until the commands of the release have reached every vehicle."""

SLOWEST, FASTEST = 1e-11, 0.05


class Swarm(NamedTuple):
    """A swarm: lags and latencies [s], age of neighbours' messages [ticks], protected arc [deg].

    ``believed`` is the lag of the vehicle as the law knows it, ``expected`` the latency of its
    commands; None: it does not predict.
    """

    count: int = 10
    hops: int = 4
    period: float = 0.05
    tau: float | None = 1.0
    believed: float | None = 1.0
    delay: int = 1
    command: float = 0.0
    odom: float = 0.0
    protection: float = 360.0
    inversion: str = 'first_order'
    filter_share: float = 0.0
    k_v: float = 4.0
    expected: float | None = None


SWARMS = {
    'defaults': Swarm(),
    'no lag, old messages': Swarm(12, 2, 0.1, None, None, 3),
    'odometry within a period': Swarm(odom=0.07, tau=0.5, believed=0.5, k_v=2.0),
    'lag five times too long': Swarm(tau=0.2, believed=1.0, k_v=1.0),
    'uneven': Swarm(8, 2, protection=90.0),
    'sampled and late': Swarm(tau=0.2, believed=0.2, inversion='sampled', odom=0.1, k_v=2.0),
    'all at once': Swarm(
        6, 2, 0.05, 0.3, 0.5, 2, 0.05, 0.03, 120.0, 'sampled', 0.1, 1.0
    ),
    'predicted within a period': Swarm(
        tau=0.2, believed=0.2, command=0.13, odom=0.04, expected=0.13, k_v=2.0
    ),
    'expected too long': Swarm(command=0.1, expected=0.3, k_v=2.0),
    'predicted with a lag too short': Swarm(
        6, 1, tau=1.0, believed=0.4, odom=0.2, expected=0.0, inversion='sampled', k_v=2.0
    ),
    'predicted too short, uneven': Swarm(
        6, 1, delay=5, command=0.3, expected=0.1, protection=180.0, inversion='sampled', k_v=1.0
    ),
    'predicted, all at once': Swarm(
        tau=1.0, believed=0.6, delay=2, command=0.1, odom=0.1, inversion='sampled',
        filter_share=0.1, k_v=2.0, expected=0.15,
    ),
}  # fmt: skip

AT_ONCE = ('defaults', 'odometry within a period', 'lag five times too long', 'uneven',
           'sampled and late', 'predicted within a period', 'expected too long')  # fmt: skip
"""Those that do not wait for the night."""


class Believing(Scenario):
    """A scenario whose law knows another lag and delay than its vehicles have."""

    believed: float | None = 1.0
    expected: float | None = None

    def limits_of(self, member: str) -> CommandLimits:
        """Return the limits with the lag and the delay that the law believes in."""
        delay = self.expected or 0.0
        return replace(super().limits_of(member), tau_xy=self.believed, response_delay=delay)


def scenario_of(swarm: Swarm, k_s: float) -> Scenario:
    """Return the scenario of a swarm whose vehicles never reach a limit."""
    changes: dict[str, dict[str, Any]] = {
        'run': {
            'num_agents': swarm.count, 'init_radius_range': 0.0, 'init_angles_equidistant': True,
        },
        'swarm': {'control_period': swarm.period, 'encirclement_radius': RADIUS,
                  'agent_state_timeout': 10.0, 'target_state_timeout': 10.0},
        'mobility': {'tau_xy': swarm.tau, 'max_acc_xy': 1e6, 'max_speed_xy': 1e6,
                     'update_rate': UPDATE, 'command_latency': swarm.command,
                     'odom_latency': swarm.odom},
        'control': {'controller': 'soliton', 'k_s': k_s, 'k_v': swarm.k_v, 'k_r': 0.5,
                    'ring_hops': swarm.hops, 'lag_inversion': swarm.inversion,
                    'acc_filter_share': swarm.filter_share,
                    'own_prediction': swarm.expected is not None},
        'radio': {'communication_delay': swarm.delay * swarm.period if swarm.delay > 1 else 0.0},
        'failure': {'failure_enable': False},
        'target': {'target_motion_speed_xy': 0.0, 'protection_angle_deg': swarm.protection},
        'adversary': {'adversary_enable': False},
        'safety': {'separation_filter': False},
    }  # fmt: skip
    plain = Scenario().with_changes(changes, 'disturbed')
    sections = {key: getattr(plain, key) for key in changes}
    scenario = Believing('disturbed', **sections)
    object.__setattr__(scenario, 'believed', swarm.believed)
    object.__setattr__(scenario, 'expected', swarm.expected)
    return scenario


def model_of(swarm: Swarm, k_s: float) -> AgentLoop:
    """Return the linear model of an agent of a swarm."""
    sampled, believed, period = swarm.inversion == 'sampled', swarm.believed, swarm.period
    prediction = None
    if swarm.expected is not None:
        lag = None if believed is None else assumed_lag(True, believed, period)
        prediction = OwnPrediction(swarm.expected + swarm.odom, lag, period)
    return AgentLoop(
        k_s, swarm.k_v, period, round(period / UPDATE), swarm.tau,
        assumed_lag(sampled, believed, period), swarm.delay,
        round(swarm.command / UPDATE), round(swarm.odom / UPDATE),
        filter_follows(swarm.filter_share, believed, period), prediction,
    )  # fmt: skip


def hold(loop: SwarmLoop, spread: float, drift: float) -> None:
    """Put all agents on their ring, a little beside their places, and let it drift [rad, m/s]."""
    scenario, draw = loop.scenario, np.random.default_rng(1)
    count = scenario.run.num_agents
    weights = [edge_weight(scenario.target.protection_angle_deg, count), *[1.0] * (count - 1)]
    ends = np.cumsum([0.0, *weights[:-1]]) * TURN / sum(weights)
    for end, k in zip(ends.tolist(), scenario.agent_ids, strict=True):
        angle, speed = end + spread * draw.normal(), drift * (1.0 + draw.normal())
        c, s = math.cos(angle), math.sin(angle)
        body = loop.world.bodies[uav(k)]
        body.state = body.state._replace(
            position=(RADIUS * c, RADIUS * s, 0.0), velocity=(-speed * s, speed * c, 0.0)
        )


def growth(swarm: Swarm, k_s: float) -> float:
    """Return by which factor the fastest agent's speed grows in a tick, in the end.

    The swarm stands still until everybody has heard everybody. Speeds tell the growth, since the
    rotation of the whole ring shows in no gap; they stay so small that nothing saturates.
    """
    loop, fastest = SwarmLoop(scenario_of(swarm, k_s)), [1e-4]
    for _ in range(SETTLING):
        hold(loop, 0.0, 0.0)
        loop.tick()
    hold(loop, 1e-5, 1e-4)
    while len(fastest) < BEGUN or (len(fastest) < TICKS and SLOWEST < fastest[-1] < FASTEST):
        loop.tick()
        velocities = [loop.world.bodies[uav(k)].motion.velocity for k in loop.scenario.agent_ids]
        fastest.append(max(math.hypot(vx, vy) for vx, vy, _ in velocities))
    span = len(fastest) // 4
    before, after = max(fastest[-2 * span : -span]), max(fastest[-span:])
    return (after / before) ** (1.0 / span)


def every_swarm() -> list[Any]:
    """Return all swarms; some fly every night only."""
    marks = {name: () if name in AT_ONCE else pytest.mark.nightly for name in SWARMS}
    return [pytest.param(one, id=name, marks=marks[name]) for name, one in SWARMS.items()]


@pytest.mark.one_in(6)
@pytest.mark.parametrize('swarm', every_swarm())
def test_the_swarm_itself_has_the_limit_of_the_model(swarm: Swarm) -> None:
    """It dies away at 0.97 of the largest gain and swings up at 1.03 of it, as fast as it says."""
    factors = swarm_factors(swarm.count, swarm.hops, swarm.protection)
    border = largest_gain(factors, model_of(swarm, 1.0))
    for share in (0.97, 1.03):
        expected = slowest_decay(factors, model_of(swarm, share * border))
        found = growth(swarm, share * border)
        assert (found < 1.0) == (expected < 1.0) == (share < 1.0)
        assert math.log(found) == pytest.approx(math.log(expected), rel=0.15, abs=4e-4)
