"""Every layer against the original, a reference table and a golden ring of three; advection."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.propagation import LAYERS
from soliton_encirclement_ros.propagation.advection import ADVECTION, REST, AdvectionFields
from support.ring import Ring


def flat(values: Mapping[str, Any], prefix: str = '') -> Iterator[tuple[str, float]]:
    """Iterate over the fields of an original broadcast, by our names."""
    for key, value in values.items():
        name = prefix + key.lower().removeprefix('alarm_')
        if isinstance(value, Mapping):
            yield from flat(value, f'{name}_')
        elif not isinstance(value, bool):
            yield name, float(value)


def steps(ring: Ring, case: dict[str, Any]) -> Iterator[tuple[list[float], list[float]]]:
    """Iterate over our numbers and the original's, tick by tick."""
    for k, tick in enumerate(case['ticks']):
        after = {100: partial(ring.change_neighbour, 2), 130: partial(ring.reset, 4)}
        ring.tick(tick['e_tau'], after.get(k, lambda: None))
        ours = ring.signals + ring.neighbour_signals
        theirs = tick['signal'] + tick['neighbour_signal']
        for mine, said in zip(ring.values(), tick['broadcast'] or (), strict=False):
            expected = dict(flat(said))
            assert mine.keys() == expected.keys()
            ours += mine.values()
            theirs = theirs + [expected[name] for name in mine]
        yield ours, theirs


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Every layer at two periods, 160 ticks of six agents, with a change and a reset."""
    cases = reference('soliton_v3.json')['propagation']['cases']
    assert {case['method'] for case in cases} == set(LAYERS)
    for case in cases:
        ring = Ring(case['method'], case['nodes'], case['dt'])
        for ours, theirs in steps(ring, case):
            assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12), case['method']


GOLDEN = {
    'advection': (
        {
            'q_fwd': (0.172557835363078, 0.09711553034906793, -0.17834036003716866),
            'q_bwd': (0.24314300736303784, -0.06228045566717994, -0.08952954602088058),
        },
        (-0.22991981358650176, 0.07047608093737359, 0.30922511299962646),
    ),
    'wave': (
        {'q': (0.041608858668570566, 0.001663781145088136, -0.0300838185000365)},
        (-0.012216470001222269, 0.004152644438002428, 0.01716251008305547),
    ),
    'excitable': (
        {'v': (4.199408035244035, -1.279578267883674, -1.6346435444161698)},
        (0.9311974849488338, -0.14251247152988414, -0.3444501200433291),
    ),
    'kdv': (
        {
            'q': (0.7161948224054339, -0.05186925687173308, -0.31174797523992026),
            'lq': (-1.489460795836031, 0.3736051209224425, 1.1158556749135886),
        },
        (-0.15070750784261733, 0.15980347828379493, 0.28351190394898595),
    ),
    'alarm': (
        {
            'fwd_polarity': (1.0, 1.0, 1.0),
            'fwd_intensity': (0.6229504000000001, 0.5731143680000002, 0.6771200000000002),
            'fwd_ttl': (16.0, 16.0, 16.0),
            'bwd_intensity': (0.6229504000000001, 0.6771200000000002, 0.5731143680000002),
            'bwd_ttl': (16.0, 16.0, 16.0),
        },
        (1.2459008000000003, 1.2502343680000003, 1.2502343680000003),
    ),
    'burgers': (
        {
            'q_fwd': (0.13768024690635622, 0.01899683967174727, -0.08187197126845505),
            'q_bwd': (0.13999513455628387, 0.018355767806479968, -0.0840531993530089),
        },
        (-0.07152002972580343, 0.045668218215997244, 0.1506487284531399),
    ),
}


@pytest.mark.parametrize('method', GOLDEN)
def test_golden_ring_of_three_of_spec_part_18(method: str) -> None:
    """Five ticks of a constant error from rest."""
    fields, signals = GOLDEN[method]
    ring = Ring(method, 3, 0.05)
    for _ in range(5):
        found = ring.tick((0.8, 0.0, -0.35))
    assert found == pytest.approx(list(signals), rel=1e-12)
    for name, expected in fields.items():
        assert [said[name] for said in ring.values()] == pytest.approx(list(expected), rel=1e-12)


@pytest.mark.parametrize('method', LAYERS)
def test_a_layer_starts_empty_and_so_it_is_with_another_neighbour(method: str) -> None:
    """What was passed on starts anew, but for the refractory time of alarms (spec part 7)."""
    ring = Ring(method, 3, 0.05)
    ring.tick((0.8, 0.0, -0.35))
    ring.change_neighbour(0)
    rest = ring.layer.rest
    assert all(value == 0.0 for value in rest)
    assert ring.states[0] == (rest._replace(refractory=15.0) if method == 'alarm' else rest)


GAINS = ADVECTION.gains(PropagationParameters())


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
