"""The layer of two fields that are carried along."""

import math

import pytest
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.advection import ADVECTION, REST, AdvectionFields
from support.ring import Ring

GAINS = ADVECTION.gains(PropagationParameters())


def test_a_pulse_travels_c_hops_per_second() -> None:
    """The centre of a pulse of the forward field moves on at c, fading at alpha."""
    ring = Ring('advection', 60, 0.01, advection_d=0.0)
    ring.tick([1.0] + [0.0] * 59)
    start = ring.values()[0]['q_fwd']
    for _ in range(200):
        ring.tick([0.0] * 60)
    field = [said['q_fwd'] for said in ring.values()]
    mass = math.fsum(field)
    assert mass == pytest.approx(start * 0.99**200)
    assert math.fsum(i * q for i, q in enumerate(field)) / mass == pytest.approx(10.0, rel=0.02)


def test_signal_is_the_sum_of_both_fields() -> None:
    """The whole local signal, while the neighbours' one is what came in."""
    heard = AdvectionFields(0.5, -0.25)
    after, signal = ADVECTION.step(REST, 0.0, 0.05, heard, heard, GAINS)
    assert ADVECTION.signal(after, GAINS) == pytest.approx(sum(after)) != 0.0
    assert signal == 0.25


def test_gains_are_the_layers_own() -> None:
    """Each layer picks its own parameters from the common record."""
    gains = ADVECTION.gains(PropagationParameters(advection_s=4.0, burgers_s=9.0))
    after, _ = ADVECTION.step(REST, 9.0, 0.05, REST, REST, gains)
    assert after.q_fwd == pytest.approx(0.05 * 4.0)
