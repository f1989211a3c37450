"""The share of a compilation that is done: from nothing to all, by every function once."""

from itertools import pairwise

import pytest
from soliton_encirclement_ros.sim.compilation.call_graph import called
from soliton_encirclement_ros.sim.compilation.compile_work import CompileWork
from soliton_encirclement_ros.sim.kernel.event_tick import fly_by_events
from soliton_encirclement_ros.sim.kernel.swarm_tick import fly, is_reception_uniform


def all_codes(*programs):
    """Return the code of every function of some programs, callees first as a compiler has it."""
    found, waiting = [], list(programs)
    while waiting:
        one = waiting.pop()
        if one.__code__ not in found:
            found.append(one.__code__)
            waiting += called(one)
    return found[::-1]


@pytest.mark.parametrize('programs', [(fly, fly_by_events), (is_reception_uniform,)])
def test_it_goes_from_nothing_to_all(programs):
    assert CompileWork(()).share == 1.0
    work, codes = CompileWork(programs), all_codes(*programs)
    assert work.functions == len(codes)
    shares = [work.share]
    for code in codes:
        work.done(code)
        shares.append(work.share)
    assert shares[0] == 0.0 and shares[-1] == pytest.approx(1.0)
    assert all(before < after for before, after in pairwise(shares))


def test_a_second_variant_and_a_stranger_are_no_news():
    work = CompileWork((fly,))
    work.done(is_reception_uniform.__code__)
    before = work.share
    work.done(is_reception_uniform.__code__)
    work.done(all_codes.__code__)
    assert work.share == before > 0.0


def test_a_program_that_comes_later_counts_from_then_on():
    work = CompileWork((is_reception_uniform,))
    for code in all_codes(is_reception_uniform):
        work.done(code)
    assert work.share == pytest.approx(1.0)
    for _ in range(2):
        work.add(fly)
    assert work.functions == len(all_codes(fly))
    assert 0.0 < work.share < 0.1
