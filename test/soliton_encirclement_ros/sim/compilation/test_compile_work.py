"""The share of a compilation that is done: from nothing to all, by every function once."""

from itertools import pairwise

import pytest
from soliton_encirclement_ros.sim.compilation import call_graph
from soliton_encirclement_ros.sim.compilation.call_graph import CompileWork, called
from soliton_encirclement_ros.sim.compilation.compiled import NotCompiledError, pointed
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


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n > 0 and is_even(n - 1)


def test_functions_that_call_each_other_are_weighed_and_named(monkeypatch):
    """A law may be written so; it does not compile."""
    monkeypatch.setattr(call_graph, 'ADOPTED', {__name__.partition('.')[0]})
    assert CompileWork((is_even,)).functions == 2
    line = is_even.__code__.co_firstlineno
    with pytest.raises(NotCompiledError, match=rf'^test_compile_work\.py:{line}: is_even calls '):
        pointed(is_even, 3)
