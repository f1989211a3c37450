"""How long a period a layer bears: closed formulas, the function, and rings that show it."""

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.parameters.control_parameters import (
    LAYER_NAMES, PropagationParameters
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.stability.propagation_stability import (
    growth, longest_period, resting_point, stability_warnings
)
from support.ring import Ring

TOO_LONG = 5.0
BOUNDED = ('advection', 'wave', 'excitable', 'kdv', 'burgers')


def parameters(method: str, **changes: float) -> PropagationParameters:
    """Return the parameters of a method."""
    return PropagationParameters(propagation_method=method, **changes)


def kdv_margin(dt: float) -> float:
    """Return the slack of the bound of kdv, by the criterion of Schur and Cohn."""
    b = 1.5 * math.sqrt(3.0) * 0.5 * dt
    return 1.0 - b * b - abs(1.0 - 1.5 * dt) * math.sqrt(1.0 + b * b)


@pytest.mark.parametrize(
    ('method', 'bound'),
    [
        ('advection', 2.0 / (1.0 + 2.0 * 5.0 + 4.0 * 0.1)),
        ('wave', (math.sqrt(4.0 + 4.0 * 101.0) - 2.0) / 101.0),
        ('burgers', 2.0 / (0.8 + 2.0 * 6.0 * math.tanh(2.5) + 4.0 * 5.0)),
    ],
)
def test_longest_periods_are_those_of_the_formulas(method: str, bound: float) -> None:
    """The module's formulas at the default parameters."""
    assert longest_period(parameters(method), TOO_LONG) == pytest.approx(bound, rel=1e-6)


def test_longest_period_of_kdv_is_that_of_its_formula() -> None:
    """The bound changes its sign there, within the grid of waves."""
    longest = longest_period(parameters('kdv'), TOO_LONG)
    assert longest == pytest.approx(0.7234, abs=1e-4)
    assert kdv_margin(longest) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.nightly
@given(st.floats(5.0, 100.0))
def test_w5_excitable_is_bound_by_its_diffusion(dv: float) -> None:
    """W5: about 4 D_v T < 2."""
    longest = longest_period(parameters('excitable', excitable_dv=dv), TOO_LONG)
    assert 4.0 * dv * longest == pytest.approx(2.0, rel=0.1)


def shaken(method: str, dt: float, agents: int = 90) -> float:
    """Return the share of a tiny disturbance that is left after 300 ticks."""
    quiet = {f'{method}_s': 0.0}
    base = {'burgers_alpha_nl': 0.0} if method == 'burgers' else {}
    ring = Ring(method, agents, dt, **quiet, **base)
    for i, said in enumerate(ring.sent):
        push = said._make(1e-9 * math.sin(7.0 * i * i) for _ in said)
        ring.step(i, 0.0, push, push)
    ring.broadcast()
    start = ring.size
    for _ in range(300):
        ring.tick([0.0] * agents)
    return ring.size / start


@pytest.mark.one_in(3)
@pytest.mark.parametrize('method', BOUNDED)
def test_rings_grow_beyond_the_bound_and_fade_below(method: str) -> None:
    """A disturbance of 1e-9 on a ring of ninety, 5 % to either side of the bound."""
    base = {'burgers_alpha_nl': 0.0} if method == 'burgers' else {}
    longest = longest_period(parameters(method, **base), TOO_LONG)
    assert shaken(method, 1.05 * longest) > 100.0
    assert shaken(method, 0.95 * longest) < 0.1


@pytest.mark.parametrize('method', ['baseline', 'alarm'])
def test_layers_without_waves_are_always_stable(method: str) -> None:
    """Nothing is propagated, or every hop takes its share."""
    assert growth(parameters(method), 10.0) == 0.0
    assert stability_warnings(parameters(method), 10.0) == []


@pytest.mark.parametrize('method', LAYER_NAMES)
def test_at_the_default_period_only_excitable_is_warned_about(method: str) -> None:
    """W5: the original's own period is too long for its own excitable layer."""
    scenario = Scenario().with_changes({'propagation': {'propagation_method': method}}, 'x')
    assert len(scenario.warnings) == (1 if method == 'excitable' else 0)


def test_warning_names_the_way_out() -> None:
    """Method, period, growth, and the longest period."""
    (line,) = stability_warnings(parameters('excitable'), 0.05)
    assert line.startswith("propagation.propagation_method = 'excitable' is unstable at swarm.co")
    assert 'swarm.control_period = 0.05 s: small disturbances grow 4.66 times per tick' in line
    assert line.endswith('it is stable up to about 0.0165 s')


@pytest.mark.parametrize(
    ('method', 'changes'),
    [
        ('excitable', {'excitable_a': 0.0, 'excitable_dv': 0.0}),
        ('burgers', {'burgers_nu': 0.1}),
        ('kdv', {'kdv_gamma': 0.0}),
    ],
)
def test_some_parameters_are_unstable_at_any_period(method: str, changes: dict[str, Any]) -> None:
    """A cell that beats by itself, too little viscosity, dispersion without decay."""
    (line,) = stability_warnings(parameters(method, **changes), 0.05)
    assert line.endswith('it is unstable at any period')


@given(st.sampled_from(BOUNDED), st.floats(1e-3, 1.0))
def test_growth_is_a_number(method: str, period: float) -> None:
    """For every layer and period."""
    assert math.isfinite(growth(parameters(method), period))


def test_golden_of_spec_part_7() -> None:
    """The specification's values for a = 0.7, b = 0.8."""
    expected = (-1.199408035244035, -0.6242600440550439)
    assert resting_point(0.7, 0.8) == pytest.approx(expected, rel=1e-15)
