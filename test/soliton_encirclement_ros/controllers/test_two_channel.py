"""The successor's law as a whole: order of operations, memory, recovery."""

import importlib
import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers import CONTROLLERS, Controller, Knowledge, Setup
from soliton_encirclement_ros.controllers.terms.propagation_channels import (
    AT_REST,
    TwoChannelGains,
    two_channel_step,
)
from soliton_encirclement_ros.controllers.terms.ring_position import SpacingErrors
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.propagation import LAYERS
from support.strategies import ANY_NUMBER

ORIGIN = (0.0, 0.0, 0.0)
PERIOD = 0.05
GAINS = TwoChannelGains(7.0, 7.0, 25.0, 2.0, math.nan)
TARGET = TargetState(1, (1.0, -2.0, 0.0), (0.5, 0.25, 0.0), (), 0.1)
OWN = Pose((19.0, 2.0, 5.0), (0.3, 0.2, 0.1))
PROP = (('q_fwd', 0.4), ('q_bwd', -0.1))
PRED = AgentState(2, 1, (15.0, -12.0, 0.0), (0.5, 1.0, 0.0), 0.3, 0.2, PROP)
SUCC = AgentState(3, 1, (-3.0, 17.0, 0.0), (-1.0, 0.5, 0.0), -0.4, -0.1, PROP)
INTRUDER = AgentState(4, 1, (18.0, 6.0, 0.0), ORIGIN)


def law(method: str = 'advection', k_prop: float = 2.0, **control: float | str) -> Controller:
    """Return a fresh law on a propagation layer."""
    layer = PropagationParameters(propagation_method=method, propagation_k_prop=k_prop)
    swarm = SwarmParameters(control_period=PERIOD)
    setup = Setup(ControlParameters(**control), layer, swarm, CommandLimits())
    return CONTROLLERS['two_channel'](setup)


def view(agents: Sequence[AgentState], **changes: object) -> Knowledge:
    """Return what agent 1 knows about these others and the target."""
    cache = AgentCache(0.25)
    for agent in agents:
        cache.accept(agent, 0.0)
    return Knowledge(0.0, 1, OWN, cache, TARGET, True, 0.0, ORIGIN)._replace(**changes)


def values(controller: Controller) -> dict[str, float]:
    """Return the telemetry by name."""
    return dict(zip(controller.telemetry_names, controller.telemetry(), strict=True))


def at_radius(r: float) -> Pose:
    """Return a pose east of the target."""
    return Pose((1.0 + r, -2.0, 0.0), ORIGIN)


def test_one_tick_by_the_book() -> None:
    """Error, layer, both channels, curvature: spec part 1, steps 4 to 10."""
    controller = law()
    controller.step(view([PRED, SUCC]))
    found = values(controller)
    assert found['prop_signal'] == pytest.approx(0.4 - 0.1)
    expected = two_channel_step(AT_REST, found['e_tau_eff'], 0.3, PERIOD, GAINS)
    assert [found[name] for name in expected._fields] == pytest.approx(list(expected))
    assert found['u_prop'] == pytest.approx(PERIOD * 2.0 * 0.3)
    assert found['e_tau'] != found['e_tau_eff'] != 0.0
    said = controller.broadcast()
    assert said.u == found['u'] and said.u_ss == found['u_ss']
    assert said.u_ss == pytest.approx(-0.4 - 2.0 * said.u + 0.3)


def test_baseline_ignores_the_neighbours_words() -> None:
    """Without propagation u is the own channel, whatever the gain."""
    controller = law('baseline', 5.0)
    controller.step(view([PRED, SUCC]))
    found = values(controller)
    assert found['u_prop'] == found['prop_signal'] == 0.0
    assert found['u'] == found['u_local'] != 0.0


def test_forward_comes_from_behind_and_backward_from_ahead() -> None:
    """The predecessor gives q_fwd, the successor q_bwd, whatever the order of the fields."""
    for agents, signal in (
        ([PRED], 0.4), ([SUCC], -0.1), ([PRED._replace(prop=PROP[::-1])], 0.4),
    ):  # fmt: skip
        silent = [other._replace(prop=()) for other in (PRED, SUCC)]
        others = {agent.agent_id: agent for agent in [*silent, *agents]}
        controller = law()
        controller.step(view(list(others.values())))
        assert values(controller)['prop_signal'] == signal


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
        controller = law(method)
        told = tuple(prop)
        controller.step(view([PRED._replace(prop=told), SUCC._replace(prop=told)]))
        heard.append((controller.broadcast(), controller.telemetry()))
    assert heard[0] == heard[1]


@given(st.lists(ANY_NUMBER, min_size=7, max_size=7))
@pytest.mark.parametrize('method', LAYERS)
def test_invariant_5_any_numbers_leave_the_layer_finite(method: str, told: list[float]) -> None:
    """Invariant 5: whatever it hears and however fast it measures itself, it says numbers."""
    prop = tuple(zip(LAYERS[method].no_message._fields, told, strict=False))
    others = [PRED._replace(prop=prop), SUCC._replace(prop=prop)]
    controller = law(method)
    for _ in range(3):
        controller.step(view(others, pose=OWN._replace(velocity=(told[-1], 0.0, 0.0))))
        assert math.isfinite(values(controller)['prop_signal'])
        assert all(math.isfinite(value) for _, value in controller.broadcast().prop)


@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf])
def test_an_error_that_is_no_number_counts_as_zero(
    bad: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The layer stays at rest if the spacing error is not finite."""
    module = importlib.import_module('soliton_encirclement_ros.controllers.two_channel')
    monkeypatch.setattr(module, 'spacing_errors', lambda *_: SpacingErrors(bad, bad))
    controller = law()
    silent = [other._replace(prop=()) for other in (PRED, SUCC)]
    controller.step(view(silent))
    assert dict(controller.broadcast().prop) == {'q_fwd': 0.0, 'q_bwd': 0.0}


def test_blend_is_a_mode() -> None:
    """The width counts in blend mode only, and only where the channels differ in sign."""
    against = tuple((name, -9.0 * value) for name, value in PROP)
    others = [PRED._replace(prop=against), SUCC._replace(prop=against)]
    added, blended = law(k_prop=5.0), law(k_prop=5.0, tangential_composition_mode='blend')
    for controller in (added, blended):
        for _ in range(3):
            controller.step(view(others))
    found, mixed = values(added), values(blended)
    assert found['u'] == found['u_local'] + found['u_prop']
    assert mixed['u_local'] == found['u_local'] and mixed['u'] != found['u']


def test_another_neighbour_clears_the_layer() -> None:
    """Spec part 1, step 4: what is passed on starts anew before the update."""
    kept, changed = law(), law()
    for controller in (kept, changed):
        for _ in range(10):
            controller.step(view([PRED, SUCC]))
    full = dict(kept.broadcast().prop)['q_fwd']
    kept.step(view([PRED, SUCC]))
    changed.step(view([PRED, SUCC, INTRUDER]))
    assert dict(kept.broadcast().prop)['q_fwd'] > full > 0.5
    assert dict(changed.broadcast().prop)['q_fwd'] < 0.2 * full
    assert changed.neighbours[1] == 4


@pytest.mark.as_original
def test_w2_a_failure_resets_the_layer_but_not_u_as_original() -> None:
    """W2, as the original: the tangential state goes on where it was before the failure."""
    controller = law()
    for _ in range(10):
        controller.step(view([PRED, SUCC]))
    before = values(controller)
    controller.reset()
    after = values(controller)
    assert after['prop_signal'] == 0.0 != before['prop_signal']
    assert dict(controller.broadcast().prop) == {'q_fwd': 0.0, 'q_bwd': 0.0}
    assert controller.memory.layer == LAYERS['advection'].rest
    assert (after['u_local'], after['u_prop']) == (before['u_local'], before['u_prop']) != (0, 0)
