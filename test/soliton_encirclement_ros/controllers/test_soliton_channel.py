"""The tangential state of the first version."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.tangential_channels import (
    AT_REST, ChannelGains, SolitonState, cubic, soliton_step
)
from support.strategies import ANY_NUMBER

DEFAULT = ChannelGains(2.0, 0.1, 0.3, 0.05, 7.0, 0.5, 25.0, math.nan)
SMALL = st.floats(-5.0, 5.0)


def state_of(kdv: float, nom: float, err: float) -> SolitonState:
    """Return a state with these components and no increments."""
    return SolitonState((kdv + nom) + err, kdv, nom, err, 0.0, 0.0, 0.0, 0.0)


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Forty sets of gains, thirty steps each."""
    for case in reference('soliton_v1.json')['soliton_update']['cases']:
        g = case['gains']
        names = ('c_coupling', 'kappa_diff', 'k_steepen', 'kappa_disp', 'beta', 'alpha', 'k_e_tau')
        u_lim = g['u_lim'] if g['soft_limiter'] else math.nan
        gains = ChannelGains(*(g[name] for name in names), u_lim)
        state = AT_REST
        for s in case['steps']:
            inputs = [s[key] for key in ('u_pred', 'u_succ', 'u_ss_pred', 'u_ss_succ', 'e_tau')]
            state = soliton_step(state, *inputs, case['dt'], gains)
            expected = [s[key] for key in ('u', 'u_kdv', 'u_nom', 'u_err')]
            assert list(state[:4]) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_golden_update_of_spec_part_18() -> None:
    """The specification's golden vector, components and increments."""
    after = soliton_step(state_of(0.1, -0.2, 0.5), 0.3, -0.4, 0.2, -0.1, 0.25, 0.01, DEFAULT)
    expected = SolitonState(
        u=0.41996999999999995,
        u_kdv=0.08579,
        u_nom=-0.22832000000000002,
        u_err=0.5625,
        delta_u=0.019969999999999995,
        delta_u_kdv=-0.014209999999999999,
        delta_u_nom=-0.028320000000000005,
        delta_u_err=0.0625,
    )
    assert after == pytest.approx(expected, rel=1e-12)


def test_golden_soft_limiter_of_spec_part_18() -> None:
    """The same update with the soft limiter at 2."""
    gains = DEFAULT._replace(u_lim=2.0)
    after = soliton_step(state_of(0.1, -0.2, 0.5), 0.3, -0.4, 0.2, -0.1, 0.25, 0.01, gains)
    assert after.u_nom == pytest.approx(-0.22830769230769232, rel=1e-12)
    assert after.u == pytest.approx(0.4199823076923077, rel=1e-12)


@pytest.mark.as_original
def test_w13_components_grow_without_bound_as_original() -> None:
    """W13, as the original: only the sum decays; the components cancel each other ever larger."""
    state = AT_REST
    for _ in range(2000):
        state = soliton_step(state, 0.0, 0.0, 0.0, 0.0, 0.2, 0.01, DEFAULT)
    assert abs(state.u) < 1.0
    assert state.u_err > 90.0


@given(st.lists(ANY_NUMBER, min_size=9, max_size=9))
def test_invariant_5_any_input_leaves_the_state_finite(values: list[float]) -> None:
    """Invariant 5: the whole state is reset rather than spoilt."""
    before = state_of(*values[:3])
    after = soliton_step(before, *values[3:8], 0.01, DEFAULT)
    assert all(math.isfinite(value) for value in after)


@pytest.mark.parametrize('position', range(5))
@pytest.mark.parametrize('bad', [math.nan, math.inf])
def test_one_bad_input_resets_all_eight_numbers(position: int, bad: float) -> None:
    """Spec 6.1: any non-finite number zeroes all of them (W14, as the original)."""
    inputs = [0.1, 0.2, 0.3, 0.4, 0.5]
    inputs[position] = bad
    assert soliton_step(state_of(1.0, 1.0, 1.0), *inputs, 0.01, DEFAULT) == AT_REST


@pytest.mark.parametrize('u_lim', [math.nan, math.inf, 0.0, -2.0])
def test_without_a_positive_limit_the_cubic_is_plain(u_lim: float) -> None:
    """Spec 6.1: the limiter needs a positive finite scale."""
    assert cubic(3.0, u_lim) == 27.0
