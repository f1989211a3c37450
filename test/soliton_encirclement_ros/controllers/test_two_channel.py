"""The successor's law as a whole: order of operations, memory, recovery."""

import importlib
import math

import pytest
from hypothesis import given, settings, strategies as st

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.controllers.original_laws import SpacingErrors
from soliton_encirclement_ros.controllers.tangential_channels import (
    CHANNELS_AT_REST, TwoChannelGains, two_channel_step
)
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.parameters.control_parameters import (
    ControlParameters, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.propagation import LAYERS
from support.ring_scene import ORIGIN, Flyer, Seen
from support.strategies import ANY_NUMBER

PERIOD = 0.05
GAINS = TwoChannelGains(7.0, 7.0, 25.0, 2.0, math.nan)
TARGET = TargetState(1, (1.0, -2.0, 0.0), (0.5, 0.25, 0.0), (), 0.1)
OWN = Pose((19.0, 2.0, 5.0), (0.3, 0.2, 0.1))
PROP = (('q_fwd', 0.4), ('q_bwd', -0.1))
PRED = AgentState(2, 1, (15.0, -12.0, 0.0), (0.5, 1.0, 0.0), 0.3, 0.2, PROP)
SUCC = AgentState(3, 1, (-3.0, 17.0, 0.0), (-1.0, 0.5, 0.0), -0.4, -0.1, PROP)
INTRUDER = AgentState(4, 1, (18.0, 6.0, 0.0), ORIGIN)


def law(method: str = 'advection', k_prop: float = 2.0, **control: float | str) -> Flyer:
    """Return an agent with a fresh law on a propagation layer."""
    layer = PropagationParameters(propagation_method=method, propagation_k_prop=k_prop)
    swarm = SwarmParameters(control_period=PERIOD)
    setup = Setup(ControlParameters(**control), layer, swarm, CommandLimits())
    return Flyer('two_channel', setup)


def view(*agents: AgentState, pose: Pose = OWN) -> Seen:
    """Return what agent 1 has of these others and the target."""
    return Seen(0.0, pose, agents, TARGET)


def test_one_tick_by_the_book() -> None:
    """Error, layer, both channels, curvature: spec part 1, steps 4 to 10."""
    flyer = law()
    flyer.step(view(PRED, SUCC))
    found = flyer.values
    assert found['prop_signal'] == pytest.approx(0.4 - 0.1)
    expected = two_channel_step(CHANNELS_AT_REST, found['e_tau_eff'], 0.3, PERIOD, GAINS)
    assert [found[name] for name in expected._fields] == pytest.approx(list(expected))
    assert found['u_prop'] == pytest.approx(PERIOD * 2.0 * 0.3)
    assert found['e_tau'] != found['e_tau_eff'] != 0.0
    said = flyer.said()
    assert said.u == found['u'] and said.u_ss == found['u_ss']
    assert said.u_ss == pytest.approx(-0.4 - 2.0 * said.u + 0.3)


def test_baseline_ignores_the_neighbours_words() -> None:
    """Without propagation u is the own channel, whatever the gain."""
    flyer = law('baseline', 5.0)
    flyer.step(view(PRED, SUCC))
    found = flyer.values
    assert found['u_prop'] == found['prop_signal'] == 0.0
    assert found['u'] == found['u_local'] != 0.0


def test_forward_comes_from_behind_and_backward_from_ahead() -> None:
    """The predecessor gives q_fwd, the successor q_bwd, whatever the order of the fields."""
    for agents, signal in (
        ([PRED], 0.4), ([SUCC], -0.1), ([PRED._replace(prop=PROP[::-1])], 0.4),
    ):  # fmt: skip
        silent = [other._replace(prop=()) for other in (PRED, SUCC)]
        others = {agent.agent_id: agent for agent in [*silent, *agents]}
        flyer = law()
        flyer.step(view(*others.values()))
        assert flyer.values['prop_signal'] == signal


NO_NUMBERS = st.sampled_from([math.nan, math.inf, -math.inf, None])


@settings(max_examples=40)
@given(st.data())
@pytest.mark.parametrize('method', LAYERS)
def test_fields_that_are_missing_unknown_or_no_number_count_as_zero(
    method: str, data: st.DataObject
) -> None:
    """A strange message moves the layer as one with zeros in the same fields."""
    strange, plain = [('', 1.0), ('unheard_of', 1e9)], []
    for name in LAYERS[method].no_message._fields:
        value = data.draw(st.one_of(NO_NUMBERS, st.floats(-1.0, 1.0)))
        if value is not None:
            strange.append((name, value))
        plain.append((name, value if value is not None and math.isfinite(value) else 0.0))
    heard = []
    for prop in (strange, plain):
        flyer = law(method)
        told = tuple(prop)
        flyer.step(view(PRED._replace(prop=told), SUCC._replace(prop=told)))
        heard.append((flyer.said(), flyer.telemetry()))
    assert heard[0] == heard[1]


@given(st.lists(ANY_NUMBER, min_size=7, max_size=7))
@pytest.mark.parametrize('method', LAYERS)
def test_invariant_5_any_numbers_leave_the_layer_finite(method: str, told: list[float]) -> None:
    """Invariant 5: whatever it hears and however fast it measures itself, it says numbers."""
    prop = tuple(zip(LAYERS[method].no_message._fields, told, strict=False))
    others = [PRED._replace(prop=prop), SUCC._replace(prop=prop)]
    flyer = law(method)
    for _ in range(3):
        flyer.step(view(*others, pose=OWN._replace(velocity=(told[-1], 0.0, 0.0))))
        assert math.isfinite(flyer.values['prop_signal'])
        assert all(math.isfinite(value) for _, value in flyer.said().prop)


@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf])
def test_an_error_that_is_no_number_counts_as_zero(
    bad: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The layer stays at rest if the spacing error is not finite."""
    module = importlib.import_module('soliton_encirclement_ros.controllers.two_channel')
    monkeypatch.setattr(module, 'spacing_errors', lambda *_: SpacingErrors(bad, bad))
    flyer = law()
    silent = [other._replace(prop=()) for other in (PRED, SUCC)]
    flyer.step(view(*silent))
    assert dict(flyer.said().prop) == {'q_fwd': 0.0, 'q_bwd': 0.0}


def test_blend_is_a_mode() -> None:
    """The width counts in blend mode only, and only where the channels differ in sign."""
    against = tuple((name, -9.0 * value) for name, value in PROP)
    others = [PRED._replace(prop=against), SUCC._replace(prop=against)]
    added, blended = law(k_prop=5.0), law(k_prop=5.0, tangential_composition_mode='blend')
    for flyer in (added, blended):
        for _ in range(3):
            flyer.step(view(*others))
    found, mixed = added.values, blended.values
    assert found['u'] == found['u_local'] + found['u_prop']
    assert mixed['u_local'] == found['u_local'] and mixed['u'] != found['u']


def test_another_neighbour_clears_the_layer() -> None:
    """Spec part 1, step 4: what is passed on starts anew before the update."""
    kept, changed = law(), law()
    for flyer in (kept, changed):
        for _ in range(10):
            flyer.step(view(PRED, SUCC))
    full = dict(kept.said().prop)['q_fwd']
    kept.step(view(PRED, SUCC))
    changed.step(view(PRED, SUCC, INTRUDER))
    assert dict(kept.said().prop)['q_fwd'] > full > 0.5
    assert dict(changed.said().prop)['q_fwd'] < 0.2 * full
    assert changed.pair[1] == 4


@pytest.mark.as_original
def test_w2_a_failure_resets_the_layer_but_not_u_as_original() -> None:
    """W2, as the original: the tangential state goes on where it was before the failure."""
    flyer = law()
    for _ in range(10):
        flyer.step(view(PRED, SUCC))
    before = flyer.values
    flyer.restart()
    after = flyer.values
    assert after['prop_signal'] == 0.0 != before['prop_signal']
    assert dict(flyer.said().prop) == {'q_fwd': 0.0, 'q_bwd': 0.0}
    assert flyer.memory.layer == LAYERS['advection'].rest
    assert (after['u_local'], after['u_prop']) == (before['u_local'], before['u_prop']) != (0, 0)
