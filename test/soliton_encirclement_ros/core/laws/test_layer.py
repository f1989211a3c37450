"""What every propagation layer owes: the laws of the family."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from soliton_encirclement_ros.core.parameters.control_parameters import (
    LAYER_NAMES, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.propagation import LAYERS
from support.ring import Ring
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.velocity_model import finite_or_zero

PERIOD = SwarmParameters().control_period
FAMILY = pytest.mark.parametrize('method', LAYERS)

ERROR = st.floats(-1.0, 1.0)
COUNT = 5
ERRORS = st.lists(ERROR, min_size=COUNT, max_size=COUNT)
BOUNDS = {
    'baseline': 0.0,
    'advection': 4.0,
    'wave': 3.0,
    'excitable': 1.0,
    'kdv': 5.0,
    'alarm': 1.84,
    'burgers': 10.0,
}
"""Largest neighbours' signal for errors within 1: 2 S / alpha, clamps, 2 lam, as the layer has."""


def excited(method: str, dt: float = PERIOD, count: int = COUNT) -> Ring:
    """Return a ring that was shaken for a while."""
    ring = Ring(method, count, dt)
    for k in range(40):
        ring.tick([math.sin(1.0 + 2.0 * i + 0.3 * k) for i in range(count)])
    return ring


def test_names_and_choices_agree() -> None:
    """Every choice of the parameter is a layer and the other way round."""
    assert tuple(LAYERS) == LAYER_NAMES


@FAMILY
def test_invariant_14_rest_stays_rest(method: str) -> None:
    """Invariant 14: without errors nothing ever moves (rounding of the resting point aside)."""
    ring = Ring(method, COUNT, PERIOD)
    for _ in range(200):
        assert ring.tick([0.0] * COUNT) == pytest.approx([0.0] * COUNT, abs=1e-12)
    assert ring.size < 1e-12


@settings(max_examples=40)
@given(st.lists(st.tuples(ERRORS, st.sets(st.integers(0, COUNT - 1))), max_size=60))
@FAMILY
def test_invariant_14_signals_are_bounded(method: str, ticks: list[tuple]) -> None:
    """Invariant 14: errors within 1, and anybody may be deaf at any tick."""
    ring = Ring(method, COUNT, PERIOD)
    for errors, deaf in ticks:
        for signal in ring.tick(errors, deaf=deaf):
            assert abs(signal) <= BOUNDS[method] + 1e-12


@given(st.lists(ANY_NUMBER, min_size=7, max_size=7))
@FAMILY
def test_invariant_5_any_numbers_leave_the_state_finite(method: str, values: list[float]) -> None:
    """Invariant 5: whatever an agent hears or measures, it says numbers."""
    ring = Ring(method, 1, PERIOD)
    finite = list(map(finite_or_zero, values))
    heard = ring.layer.no_message._make(finite[: len(ring.layer.no_message)])
    for _ in range(3):
        ring.step(0, finite[-1], heard, heard)
        ring.broadcast()
        assert all(map(math.isfinite, ring.sent[0]))


@FAMILY
def test_invariant_14_a_reset_leaves_nothing_to_hear(method: str) -> None:
    """Invariant 14: after a reset agent and neighbours are as if it had never spoken."""
    ring = excited(method)
    ring.reset(2)
    ring.broadcast()
    assert ring.signals[2] == 0.0
    assert ring.sent[2] == Ring(method, 1, PERIOD).sent[0]


@FAMILY
def test_a_neighbour_change_leaves_nothing_to_hear(method: str) -> None:
    """Spec part 7: all fields are cleared when another agent becomes a neighbour."""
    ring = excited(method)
    ring.change_neighbour(2)
    ring.broadcast()
    assert ring.sent[2] == Ring(method, 1, PERIOD).sent[0]


def test_baseline_uses_no_gain() -> None:
    """Spec part 7: k is 0 for the baseline whatever is configured."""
    assert PropagationParameters(propagation_k_prop=3.0).k_in_use == 0.0
    wave = PropagationParameters(propagation_method='wave', propagation_k_prop=3.0)
    assert wave.k_in_use == 3.0
