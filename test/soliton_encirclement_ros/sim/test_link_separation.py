"""From a medium in which all hear alike to links: what is known, and what is too much."""

import numpy as np
import pytest
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.random_streams import run_streams
from soliton_encirclement_ros.core.states.message_acceptance import NEVER
from soliton_encirclement_ros.sim.allocation import allocate
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.flight_constants import rules_of
from soliton_encirclement_ros.sim.kernel import columns as at
from soliton_encirclement_ros.sim.kernel.swarm_tick import fly
from soliton_encirclement_ros.sim.link_separation import layers, links_of, with_links
from support.identity import not_compiled, scenario

LOSSY = {'radio': {'communication_failure_rate': 0.1}}


def test_too_many_links_are_refused_with_their_size():
    crowd = scenario({'run': {'num_agents': 30_000, 'sim_duration': 0.05}, **LOSSY})
    with pytest.raises(RunError) as refused:
        Engine(crowd)
    assert str(refused.value) == (
        'run.num_agents = 30000: receivers differ, which takes 18 GB for the links, at most 8; '
        'fly fewer agents or widen the radio'
    )


def test_a_crowd_that_hears_alike_needs_no_links():
    calm = {'failure_enable': False}
    crowd = scenario({'run': {'num_agents': 30_000, 'sim_duration': 0.05}, 'failure': calm})
    assert Engine(crowd)._flight.links.numbers.nbytes < 100


def test_words_are_kept_as_long_as_anybody_counts_with_them():
    assert layers(scenario()) == 64
    assert layers(scenario({'swarm': {'agent_state_timeout': 3.0}})) == 64
    assert layers(scenario({'control': {'neighbour_hold_time': 4.0}})) == 128
    late = {'communication_delay': 1.0, 'communication_jitter': 0.5}
    assert layers(scenario({'radio': late})) == 128
    assert layers(scenario({'run': {'sim_duration': 1.0}})) == 32


@pytest.mark.parametrize(('law', 'second'), [('soliton', 2), ('predictive', -1)])
def test_links_begin_with_what_everybody_has_heard(law, second):
    """Agent 2 was away from tick 3 on, agent 3 has never spoken, agent 4 came at tick 5.

    After 0.2 s ``predictive`` counts agent 2 as gone, ``soliton`` does not.
    """
    flown = scenario({
        'control': {'controller': law},
        'run': {'num_agents': 4, 'sim_duration': 9.0}, 'adversary': {'adversary_enable': False},
        'failure': {'failure_enable': False,
                    'failure_schedule': '0.15..9: 2; 0..9: 3; 0..0.25: 4'},
    })  # fmt: skip
    flight, rules = flown_plainly(flown, 7)
    links = links_of(rules, flight, 10)
    nobody = [0, 0, 0, 0]
    assert links.numbers.tolist() == [[0, 2, 0, 6], nobody, nobody, [6, 0, 0, 0]]
    never = [NEVER] * 4
    assert links.received.tolist() == [
        [NEVER, 0.15, NEVER, 0.35], never, never, [0.35, NEVER, NEVER, NEVER],
    ]  # fmt: skip
    away = [-1, -1, -1, -1]
    assert links.tracked.tolist() == [[-1, second, -1, 2], away, away, [6, -1, -1, -1]]


def test_words_move_to_the_layers_of_their_ticks():
    flown = scenario({'failure': {'failure_enable': False, 'failure_schedule': '0.15..: 2'}})
    flight, rules = flown_plainly(flown, 7)
    linked = with_links(flown, rules, flight)
    depth = linked.sent.shape[0]
    assert flight.counters[at.SHARED] == 0
    assert np.array_equal(linked.sent[2 % depth, 1], flight.sent[0, 1])
    for member in (0, 2, 3, 4, 5, 6, 7):
        assert np.array_equal(linked.sent[6 % depth, member], flight.sent[0, member])
    assert np.array_equal(linked.weights[6 % depth], flight.weights[0], equal_nan=True)
    assert np.count_nonzero(linked.sent[:, :, at.NUMBER]) == 8


def flown_plainly(flown, tick):
    """Return a flight at a tick at which everybody has acted and nobody has spoken yet."""
    with not_compiled():
        rules, streams = rules_of(flown, 1, False), run_streams('streams', flown.run.seed)
    flight = allocate(flown, rules, streams, 100, True)
    with np.errstate(over='ignore'):
        fly(rules, flight, streams.target, streams.adversary, tick - 1)
        out_of_reach = rules._replace(radio=rules.radio._replace(range_sq=-1.0))
        assert fly(out_of_reach, flight, streams.target, streams.adversary, tick) == at.PER_LINK
    return flight, rules
