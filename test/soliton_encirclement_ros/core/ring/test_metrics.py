"""The five metrics of encirclement."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core import AgentState, Metrics, encirclement_metrics
from soliton_encirclement_ros.core.ring.metrics import (
    FIGURES, METRIC_NAMES, METRIC_TEXTS, SAMPLE_TEXTS, body_figures, ring_metrics
)
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES

ORIGIN = (0.0, 0.0, 0.0)
RADIUS = 20.0
SPEED = st.floats(-10.0, 10.0)
BODIES = st.lists(
    st.tuples(st.floats(0.5, 60.0), st.floats(0.0, 6.28), SPEED, SPEED), min_size=1, max_size=12
)
"""Radius [m], angle [rad], velocity [m/s]."""


def swarm(
    bodies: Sequence[tuple[float, float, float, float]], turn: float = 0.0, shift: float = 0.0
) -> list[AgentState]:
    """Return agents at polar places, the scene turned [rad] and shifted [m]."""
    c, s = math.cos(turn), math.sin(turn)
    return [
        AgentState(
            i,
            0,
            (shift + r * math.cos(theta + turn), -shift + r * math.sin(theta + turn), 0.0),
            (c * vx - s * vy, s * vx + c * vy, 0.0),
        )
        for i, (r, theta, vx, vy) in enumerate(bodies)
    ]


ORIGINALS = ('E_r', 'E_vr', 'rho', 'G_max', 'E_gap')
"""The metrics of the original experiment."""


def uniform(count: int, r: float = RADIUS) -> list[AgentState]:
    """Return an even ring at rest."""
    return swarm([(r, 2.0 * math.pi * i / count, 0.0, 0.0) for i in range(count)])


def measured(agents: Sequence[AgentState]) -> Metrics:
    """Return the metrics about a target at rest in the origin."""
    return encirclement_metrics(agents, ORIGIN, ORIGIN, RADIUS)


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Forty swarms of the original; it calls the empty one perfect, we do not (W18)."""
    table = reference('soliton_v1.json')['metrics']
    for case in table['cases']:
        agents = [
            AgentState(i, 0, tuple(a['position']), tuple(a['velocity']))
            for i, a in enumerate(case['agents'])
        ]
        metrics = encirclement_metrics(
            agents, case['target_position'], case['target_velocity'], table['radius']
        )
        assert metrics.E_wgap == metrics.E_gap or not agents
        expected = [case['metrics'][name] if agents else math.nan for name in ORIGINALS]
        originals = list(metrics[: len(ORIGINALS)])
        assert originals == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize('agents', [[], [AgentState(9, 0, ORIGIN, ORIGIN)]])
def test_w18_nobody_has_no_metrics(agents: list[AgentState]) -> None:
    """Without an agent, or without a bearing of any, there is no ring: none is 0."""
    assert all(map(math.isnan, measured(agents)))


def test_w18_arrays_of_nobody_have_no_metrics_either() -> None:
    """The engine's way in."""
    assert all(map(math.isnan, ring_metrics(np.empty((FIGURES, 0)), 0)))


@pytest.mark.parametrize(
    ('bodies', 'expected'),
    [
        ([(RADIUS, 1.0, 0.0, 0.0)], Metrics(0.0, 0.0, 1.0, 1.0, 0.0, 0.0)),
        ([(RADIUS, 1.0, 0.0, 0.0)] * 2, Metrics(0.0, 0.0, 1.0, 2.0, 1.0, 1.0)),
        ([(2 * RADIUS, 1.0, 0.0, 0.0)], Metrics(1.0, 0.0, 1.0, 1.0, 0.0, 0.0)),
    ],
)
def test_small_swarms(bodies: list[tuple], expected: Metrics) -> None:
    """Spec 12: one agent alone, two at one place, one too far out."""
    assert measured(swarm(bodies)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize('place', [ORIGIN, (math.nan, 0.0, 0.0), (math.inf, 0.0, 0.0)])
def test_agents_without_a_bearing_are_left_out(place: tuple) -> None:
    """An agent at the target, or nowhere, does not spoil the rest."""
    lost = AgentState(9, 0, place, ORIGIN)
    assert measured([*uniform(4), lost]) == measured(uniform(4))


@pytest.mark.parametrize(
    ('dx', 'dy'), [(0.0, 0.0), (1e-9, 0.0), (math.nan, 1.0), (1.0, -math.inf), (1e200, 1e200)]
)
def test_a_body_that_is_left_out_has_no_figures(dx: float, dy: float) -> None:
    """At the target, nowhere, or too far to have a distance."""
    assert all(map(math.isnan, body_figures(dx, dy, 1.0, 1.0, RADIUS)))


@given(BODIES)
def test_arrays_lists_and_the_original_sums_give_the_same_bits(bodies: list[tuple]) -> None:
    """Sums from left to right over agents, then over arcs in the order of the angles."""
    radial, speed, thetas = ([body[i] for body in bodies] for i in (0, 2, 1))
    even = [1.0] * len(thetas)
    figures = radial, speed, thetas, even, sorted(thetas), even
    metrics = ring_metrics(figures, len(thetas))
    assert metrics == ring_metrics(np.array(figures), len(thetas))
    assert all(type(number) is float for number in metrics)
    count, ring, arcs = len(thetas), sorted(thetas), []
    for k in range(count):
        after = ring[k + 1] if k + 1 < count else ring[0] + 2.0 * math.pi
        arcs.append((after - ring[k]) / (2.0 * math.pi / count))
    squares = x = y = 0.0
    for arc, theta in zip(arcs, thetas, strict=True):
        squares += (arc - 1.0) * (arc - 1.0)
        x += math.cos(theta)
        y += math.sin(theta)
    assert metrics.G_max == max(arcs)
    assert metrics.E_gap == metrics.E_wgap == math.sqrt(squares / count)
    assert metrics.rho == math.sqrt(x / count * (x / count) + y / count * (y / count))


@given(st.lists(st.floats(0.1, 10.0), min_size=2, max_size=12), st.floats(0.0, 6.0))
def test_a_ring_as_its_weights_want_it_has_no_weighted_error(weights, turn) -> None:
    """Gaps in proportion to the weights, whoever is listed first, and unknown weights are 1."""
    shares = np.cumsum([0.0, *weights[:-1]]) / sum(weights)
    agents = swarm([(RADIUS, 2.0 * math.pi * share + turn, 0.0, 0.0) for share in shares])
    told = [(agent.agent_id, weight) for agent, weight in zip(agents, weights, strict=True)]
    metrics = encirclement_metrics(agents[::-1], ORIGIN, ORIGIN, RADIUS, told)
    assert metrics.E_wgap == pytest.approx(0.0, abs=1e-9)
    others = [(agent_id, 4.0 * weight) for agent_id, weight in told]
    scaled = encirclement_metrics(agents[::-1], ORIGIN, ORIGIN, RADIUS, others)
    assert scaled.E_wgap == pytest.approx(0.0, abs=1e-9)
    plain = encirclement_metrics(agents, ORIGIN, ORIGIN, RADIUS)
    assert plain.E_wgap == plain.E_gap
    assert metrics[:5] == pytest.approx(plain[:5], abs=1e-9)


def test_every_quantity_of_a_sample_is_described() -> None:
    """In the order of messages and tables."""
    assert tuple(METRIC_TEXTS) == METRIC_NAMES
    assert tuple(SAMPLE_TEXTS) == SAMPLE_NAMES
    for text in SAMPLE_TEXTS.values():
        assert text.symbol and text.title and text.definition
    assert all(text.formula and text.tex for text in METRIC_TEXTS.values())
