"""The two-channel tangential state of the successor."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.tangential_channels import (
    CHANNELS_AT_REST, TwoChannelGains, TwoChannelState, compose, two_channel_step
)
from support.strategies import ANY_NUMBER

ADDED = math.nan
SUM = TwoChannelGains(7.0, 7.0, 25.0, 2.0, ADDED)
BLEND = SUM._replace(blend_width=0.2)
WIDTHS = st.one_of(st.just(ADDED), st.just(0.0), st.floats(1e-3, 2.0))
U = st.floats(-10.0, 10.0)


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Thirty sets of gains in both modes, forty steps each."""
    for case in reference('soliton_v3.json')['tangential_two_channel']['cases']:
        g = case['gains']
        width = g['blend_width'] if g['mode'] == 'blend' else ADDED
        names = ('beta_local', 'beta_prop', 'k_e_tau')
        gains = TwoChannelGains(*(g[name] for name in names), case['k_prop'], width)
        state = CHANNELS_AT_REST
        for s in case['steps']:
            state = two_channel_step(state, s['e_tau'], s['prop_signal'], case['dt'], gains)
            expected = [s[key] for key in ('u', 'u_local', 'u_prop')]
            assert list(state[:3]) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_golden_steps_of_spec_part_18() -> None:
    """Three steps in blend mode."""
    inputs = [(0.2, -0.5), (0.1, -1.5), (-0.05, 0.4)]
    expected = [
        (0.21423912339336473, 0.25, -0.05),
        (0.16566420261561232, 0.2875, -0.1825),
        (0.04569645068762694, 0.12437499999999999, -0.078625),
    ]
    state = CHANNELS_AT_REST
    for (e_tau, signal), golden in zip(inputs, expected, strict=True):
        state = two_channel_step(state, e_tau, signal, 0.05, BLEND)
        assert state[:3] == pytest.approx(golden, rel=1e-12)


@pytest.mark.parametrize(
    ('a', 'b', 'expected'), [(1.0, -0.9, 1.0), (0.3, -0.5, -0.5), (-1.0, 1.0, -1.0)]
)
def test_without_width_the_larger_channel_counts(a: float, b: float, expected: float) -> None:
    """Spec 6.2: a tie goes to the own channel."""
    assert compose(a, b, 0.0) == expected


def test_telemetry_of_a_step() -> None:
    """The change of u, both decays and the drive, as rates."""
    state = TwoChannelState(0.3, 0.5, -0.2, 0.0, 0.0, 0.0)
    after = two_channel_step(state, 0.1, 0.4, 0.05, SUM)
    assert after.du_damp == pytest.approx(-3.5 + 1.4)
    assert after.du_from_e_tau == 2.5
    assert after.delta_u == pytest.approx(after.u - 0.3)


@given(st.lists(st.floats(-1.0, 1.0), max_size=20), WIDTHS)
def test_invariant_13_without_signal_u_is_the_own_channel(
    errors: list[float], width: float
) -> None:
    """Invariant 13: s = 0 makes u = u_local in both modes."""
    state = CHANNELS_AT_REST
    for e_tau in errors:
        state = two_channel_step(state, e_tau, 0.0, 0.05, SUM._replace(blend_width=width))
        assert state.u == state.u_local


@given(U, U, WIDTHS)
def test_invariant_13_composition_is_odd_and_between(a: float, b: float, width: float) -> None:
    """Invariant 13: odd, and between the channels, their sum and 0."""
    u = compose(a, b, width)
    assert compose(-a, -b, width) == -u
    corners = (a, b, a + b, 0.0)
    assert min(corners) - 1e-12 <= u <= max(corners) + 1e-12


@pytest.mark.as_original
def test_w24_blend_jumps_where_the_second_channel_changes_sign_as_original() -> None:
    """W24, as the original: from 0.1 to 0.0731 at b = 0."""
    assert compose(0.1, 0.0, 0.2) == 0.1
    assert compose(0.1, -1e-12, 0.2) == pytest.approx(0.0731, abs=1e-4)


@given(st.lists(ANY_NUMBER, min_size=4, max_size=4), WIDTHS)
def test_invariant_5_any_input_leaves_the_state_finite(values: list[float], width: float) -> None:
    """Invariant 5: a channel that is no number starts again from 0."""
    before = CHANNELS_AT_REST._replace(u_local=values[0], u_prop=values[1])
    gains = SUM._replace(blend_width=width)
    after = two_channel_step(before, values[2], values[3], 0.05, gains)
    assert math.isfinite(after.u_local) and math.isfinite(after.u_prop)


@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf])
def test_inputs_that_are_no_numbers_count_as_zero(bad: float) -> None:
    """Spec 6.2: the state goes on as with an input of 0."""
    state = TwoChannelState(0.3, 0.5, -0.2, 0.0, 0.0, 0.0)
    expected = two_channel_step(state, 0.0, 0.0, 0.05, SUM)
    assert two_channel_step(state, bad, bad, 0.05, SUM) == expected
