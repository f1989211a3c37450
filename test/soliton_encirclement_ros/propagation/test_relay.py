"""One agent's part in a layer, and the form in which it travels."""

import math

import pytest
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.propagation import LAYERS, Relay

HEARD = (('q_fwd', 0.5), ('q_bwd', -0.25))


def relay(method: str = 'advection') -> Relay:
    """Return a fresh relay with default parameters."""
    return Relay(LAYERS[method], PropagationParameters(propagation_method=method))


def test_broadcast_names_every_field() -> None:
    """The wire form is name and value, in the order of the layer."""
    one = relay()
    one.step(0.5, 0.05, None, None)
    assert [name for name, _ in one.broadcast()] == ['q_fwd', 'q_bwd']
    assert one.broadcast()[0][1] == pytest.approx(0.05 * 2.0 * math.tanh(1.5))


def test_baseline_says_nothing() -> None:
    """A layer without state has nothing to broadcast and hears nothing."""
    one = relay('baseline')
    assert one.step(1.0, 0.05, HEARD, HEARD) == 0.0
    assert one.broadcast() == ()


def test_forward_comes_from_behind_and_backward_from_ahead() -> None:
    """The predecessor gives q_fwd, the successor q_bwd."""
    assert relay().step(0.0, 0.05, HEARD, None) == 0.5
    assert relay().step(0.0, 0.05, None, HEARD) == -0.25
    assert relay().step(0.0, 0.05, HEARD, HEARD) == 0.25


@pytest.mark.parametrize(
    'heard', [(), (('q', 3.0),), (('q_fwd', math.nan), ('q_bwd', -math.inf), ('', 1.0))]
)
def test_what_is_missing_unknown_or_no_number_counts_as_zero(heard: tuple) -> None:
    """A strange broadcast is as good as none."""
    strange, silent = relay(), relay()
    assert strange.step(0.3, 0.05, heard, heard) == silent.step(0.3, 0.05, None, None)
    assert strange.broadcast() == silent.broadcast()


def test_order_of_fields_does_not_matter() -> None:
    """Fields are read by name."""
    assert relay().step(0.0, 0.05, HEARD[::-1], None) == 0.5


@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf])
def test_an_error_that_is_no_number_counts_as_zero(bad: float) -> None:
    """The error is checked like everything else."""
    one = relay()
    one.step(bad, 0.05, None, None)
    assert one.broadcast() == relay().broadcast()


def test_signal_is_the_whole_local_one() -> None:
    """Both fields together, after the step."""
    one = relay()
    one.step(0.0, 0.05, HEARD, HEARD)
    assert one.signal == pytest.approx(sum(value for _, value in one.broadcast()))
    assert one.neighbour_signal == 0.25


def test_parameters_are_the_relays_own() -> None:
    """Each layer picks its own parameters from the common record."""
    parameters = PropagationParameters(advection_s=4.0, burgers_s=9.0)
    one = Relay(LAYERS['advection'], parameters)
    one.step(9.0, 0.05, None, None)
    assert one.broadcast()[0][1] == pytest.approx(0.05 * 4.0)
