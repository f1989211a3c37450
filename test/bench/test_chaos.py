"""The chaos run without a flight: draws, the relay's impairments, invariants, shrinking."""

import itertools
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from types import SimpleNamespace

import chaos
import numpy as np
import pytest
from chaos_parts import invariants
from chaos_parts.bags import recorded_windows
from chaos_parts.faults import (
    KINDS, REST, Fault, Targets, draw_faults, from_record, impaired_links, table_of_kinds,
    to_record
)
from chaos_parts.flight import NotFlownError, Result
from chaos_parts.invariants import Breach, Window, find_encounters, judge_encounters
from chaos_parts.mutants import MUTANTS
from chaos_parts.relay import Impairment, Link, combine
from chaos_parts.shrink import shrink

from support.cli import REPOSITORY

AGENTS = [f'uav_{k}' for k in range(1, 11)]
HOSTS = ('a', 'b', 'c')
TARGETS = Targets(AGENTS, [*AGENTS, 'target', 'monitor', 'recorder'], HOSTS)
MINUTES = 30
FRAMES = 20_000


def drawn(seed: int) -> list[Fault]:
    return draw_faults(seed, 60.0 * MINUTES, TARGETS)


def test_a_seed_draws_the_same_faults_of_every_kind_again() -> None:
    assert drawn(1) == drawn(1) != drawn(2)
    assert {fault.kind for fault in drawn(1)} == set(KINDS)
    assert [from_record(to_record(fault)) for fault in drawn(1)] == drawn(1)


@pytest.mark.parametrize('seed', range(5))
def test_faults_end_in_time_and_leave_members_alone_afterwards(seed: int) -> None:
    faults = drawn(seed)
    assert len(faults) > 0.9 * MINUTES * 12
    assert all(0.0 <= fault.at <= fault.end <= 60.0 * MINUTES for fault in faults)
    own = [fault for fault in faults if KINDS[fault.kind].hits_members]
    for name in TARGETS.nodes:
        hits = [fault for fault in own if name in fault.who]
        for before, after in itertools.pairwise(hits):
            assert after.at >= before.end + REST


def test_kinds_are_printed_as_a_table() -> None:
    rows = table_of_kinds().splitlines()
    assert [row.split('`')[1] for row in rows[2:]] == list(KINDS)
    assert len({row.count('|') for row in rows}) == 1


def test_what_is_outside_of_the_contract_is_a_matter_of_loss_and_delay() -> None:
    def radio(**values: float) -> bool:
        none = Impairment().__dict__
        return Fault('radio', 0.0, 1.0, (), {**none, **values}).is_within_contract

    assert radio(loss=0.3)
    assert radio(delay=0.06, jitter=0.04, duplicate=0.3)
    assert not radio(loss=0.31)
    assert not radio(delay=0.06, jitter=0.05)
    assert not radio(delay=0.08, reorder=0.2)


def frames(impairment: Impairment, seed: str = 'test') -> list[tuple[float, ...]]:
    link = Link(seed)
    link.impairment = impairment
    return [link.delays() for _ in range(FRAMES)]


def test_a_link_without_impairment_passes_everything_at_once() -> None:
    assert set(frames(Impairment())) == {(0.0,)}
    assert set(frames(Impairment(blocked=True))) == {()}


def test_a_link_loses_delays_doubles_and_reorders_as_it_is_told() -> None:
    found = frames(Impairment(0.3, 0.1, 0.05, 0.2, 0.1))
    arrived = [copies for copies in found if copies]
    assert len(arrived) / FRAMES == pytest.approx(0.7, abs=0.02)
    assert np.mean([len(copies) == 2 for copies in arrived]) == pytest.approx(0.2, abs=0.02)
    delays = np.array([copies[0] for copies in arrived])
    assert 0.1 <= delays.min() < delays.max() <= 0.1 + 0.05 + 0.03
    assert np.mean(delays) == pytest.approx(0.1 + 0.025 + 0.1 * 0.03, abs=0.001)


def test_what_a_link_draws_depends_on_its_seed_and_not_on_what_it_does() -> None:
    def lost(*impairments: object) -> list[bool]:
        return [not copies for copies in frames(*impairments)]

    assert lost(Impairment(0.3)) == lost(Impairment(0.3, delay=0.2, duplicate=0.5))
    assert lost(Impairment(0.3), 'one') != lost(Impairment(0.3), 'another')
    more = zip(lost(Impairment(0.2)), lost(Impairment(0.5)), strict=True)
    assert all(after for before, after in more if before)


def test_several_faults_of_a_link_add_up() -> None:
    half, late = Impairment(loss=0.5), Impairment(0.5, delay=0.1)
    assert combine([half, late]) == Impairment(0.75, 0.1)
    assert combine([]) == Impairment()
    assert combine([half, Impairment(blocked=True)]).blocked


@pytest.mark.parametrize(('kind', 'who', 'cut'), [
    ('one_way', ('a', 'b'), {('a', 'b')}),
    ('partition', ('b',), {('a', 'b'), ('b', 'a'), ('b', 'c'), ('c', 'b')}),
    ('cable', ('b',), set()),
])  # fmt: skip
def test_a_fault_of_the_network_hits_its_links(kind: str, who: tuple, cut: set) -> None:
    links = impaired_links([Fault(kind, 0.0, 1.0, who, {})], HOSTS)
    assert {link for link, found in links.items() if combine(found).blocked} == cut


@pytest.mark.parametrize('broken', [set(), {3}, {0, 15}, {2, 3, 11}, set(range(16))])
def test_the_shortest_list_that_fails_is_found(broken: set[int]) -> None:
    tried = []

    def fails(items: Sequence[int]) -> bool:
        tried.append(items)
        return broken <= set(items)

    assert shrink(range(16), fails) == sorted(broken)
    assert len(tried) <= 16 * 16


def breach(invariant: str, at: float) -> Breach:
    return Breach(invariant, at, 'all', 'text')


def test_a_record_is_shrunk_by_what_was_broken_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a slow machine breaks as well does not count, nor a flight that does not begin."""
    faults, flights = drawn(1)[:8], itertools.count()
    first = [breach('ring', 9.0), breach('separation', 3.0)]
    record = {'faults': [*map(to_record, faults)], 'breaches': [one._asdict() for one in first]}

    def fly(flown: Sequence[Fault], options: object) -> Result:
        if next(flights) == 0:
            raise NotFlownError('too slow')
        is_near = (faults[5].kind, faults[5].who) in [(one.kind, one.who) for one in flown]
        return Result(flown, [breach('ring', 1.0), *[breach('collision', 2.0)] * is_near], [])

    monkeypatch.setattr(chaos, 'fly', fly)
    asked = chaos.parse(['--shrink', 'record.json'])
    assert chaos.find_shortest(record, asked) == [faults[5]]
    with pytest.raises(NotFlownError, match=r'record\.json: nothing is broken in it'):
        chaos.find_shortest({'breaches': []}, asked)


TIMES = np.arange(0.0, 10.0, 0.05)


def crossing(least: float) -> np.ndarray:
    """Return two bodies that pass each other at 5 s."""
    ways = np.zeros((len(TIMES), 2, 3))
    ways[:, 0, 0] = TIMES - 5.0
    ways[:, 1, 1] = least
    return ways


def judged(least: float, *windows: Window) -> list[str]:
    found = find_encounters(TIMES, crossing(least), ['uav_1', 'uav_2'], 1.8)
    breaches, explained = judge_encounters(found, windows, 2.0)
    assert all('at 3.0 s' in text for text in (*explained, *(one.text for one in breaches)))
    assert len(breaches) + len(explained) == len(found)
    return [breach.invariant for breach in breaches]


def test_an_encounter_is_a_breach_unless_something_outside_of_the_contract_explains_it() -> None:
    cut = Window(3.0, 6.0, ('a',), 'partition', False)
    mild = cut._replace(is_within_contract=True)
    assert judged(1.9) == []
    assert judged(1.0) == judged(1.0, mild) == judged(1.0, cut._replace(begin=7.0, end=9.0))
    assert judged(1.0) == ['separation']
    assert judged(1.0, cut) == []
    assert judged(0.4, cut) == ['collision']
    (found,) = find_encounters(TIMES, crossing(1.0), ['uav_1', 'uav_2'], 1.8)
    assert found.least == pytest.approx(1.0)
    assert (found.begin, found.when, found.end) == pytest.approx((3.55, 5.0, 6.45))


def test_commands_are_finite_within_limits_and_still_while_stopped() -> None:
    good = [(0.1 * k, 3.0, 4.0, 1.0, 0.0, 0.0, 0.0) for k in range(100)]
    assert invariants.judge_commands('uav_1', good, 5.0, 1.0) == []
    assert len(invariants.judge_commands('uav_1', good, 4.9, 1.0)) == len(good)
    bad = [(1.0, math.nan, 0.0, 0.0, 0.0, 0.0, 0.0), (2.0, 0.0, 0.0, 0.0, 0.0, 0.0, math.inf)]
    assert len(invariants.judge_commands('uav_1', bad, 5.0, 1.0)) == 2
    stopped = invariants.judge_stops('uav_1', good, [(2.0, 4.05)])
    assert [breach.at for breach in stopped] == pytest.approx([0.1 * k for k in range(25, 41)])
    walk = [(0.1 * k, 0.6, 0.8, 0.0, 0.0, 0.0, 0.0) for k in range(100)]
    assert invariants.judge_stops('uav_1', walk, [(2.0, 4.0)]) == []


def test_a_return_ends_when_the_agent_is_commanded_and_in_the_ring_for_a_while() -> None:
    radii = np.where(TIMES < 6.0, 10.0, 20.0)
    spoken = np.arange(2.0, 10.0, 0.05)
    took = invariants.time_of_return(1.0, TIMES, radii, spoken, 20.0)
    assert took == pytest.approx(5.0, abs=0.06)
    assert invariants.time_of_return(1.0, TIMES, radii, np.zeros(0), 20.0) == math.inf
    assert invariants.time_of_return(1.0, TIMES, radii, spoken[:80], 20.0) == math.inf


def test_memory_may_grow_in_the_first_minute_only() -> None:
    early = [(float(at), 50.0 + min(at, 60)) for at in range(0, 600, 5)]
    late = [(float(at), 50.0 + 0.2 * at) for at in range(0, 600, 5)]
    assert [one.who for one in invariants.judge_memory({'x': early, 'y': late})] == ['y']


def test_a_gap_in_a_bag_is_found_unless_a_fault_explains_it() -> None:
    arrivals = [0.0, 0.5, 1.0, 4.0, 4.5]
    fault = Window(2.0, 3.0, (), 'kill recorder', True)
    assert invariants.find_gaps(arrivals, 1.0, []) == [(1.0, 4.0)]
    assert invariants.find_gaps(arrivals, 1.0, [fault]) == []
    short, long = (invariants.Stall(1.5, end, 'the watcher') for end in (2.5, 3.8))
    assert invariants.find_gaps(arrivals, 1.0, [], [short]) == [(1.0, 4.0)]
    assert invariants.find_gaps(arrivals, 1.0, [], [short, long, short]) == []


def test_a_bridge_that_is_hit_explains_what_is_missing_of_its_vehicle() -> None:
    hit = 'uav_1.bridge', 'uav_2', 'monitor'
    faults = [Fault('freeze', 5.0, 3.0, (who,), {}) for who in hit]
    flown = SimpleNamespace(faults=faults, start=10.0)
    found = {name: [w.who for w in recorded_windows(flown, name)] for name in ('uav_1', 'uav_3')}
    assert found == {'uav_1': [('uav_1.bridge',)], 'uav_3': []}


def test_an_even_ring_has_no_gap() -> None:
    angles = np.linspace(0.0, 2.0 * math.pi, 10, endpoint=False)
    ring = 20.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1) + 3.0
    assert invariants.gap_error(ring, np.array([3.0, 3.0])) == pytest.approx(0.0, abs=1e-12)
    assert invariants.gap_error(ring[:-1], np.array([3.0, 3.0])) > 0.1


@pytest.mark.ros
def test_every_mistake_says_what_it_is_and_can_be_put_in() -> None:
    assert len(MUTANTS) >= 5
    assert all(mistake.__doc__ for mistake in MUTANTS.values())
    code = 'from chaos_parts import mutants as m; m.LATE = 0; [k() for k in m.MUTANTS.values()]'
    rooms = os.pathsep.join([str(REPOSITORY), str(REPOSITORY / 'bench')])
    environment = {**os.environ, 'PYTHONPATH': rooms}
    subprocess.run([sys.executable, '-P', '-c', code], env=environment, check=True)


def test_the_page_has_the_table_of_kinds() -> None:
    page = REPOSITORY / 'docs' / 'research' / 'chaos.md'
    assert table_of_kinds() in page.read_text(encoding='utf-8')
